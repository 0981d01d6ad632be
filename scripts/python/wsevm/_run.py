"""Programs and scripts in one call."""

from __future__ import annotations

import os
from ctypes import byref, c_uint64, c_void_p
from typing import Any, Callable, Mapping, Optional

from . import _library as lib
from ._load import load
from ._machine import Path
from ._record import Record
from ._waiting import Printer, interruptible


def run(
    file: Path,
    *,
    inputs: Optional[Mapping[str, Any]] = None,
    values: Optional[Mapping[str, Any]] = None,
    machine: Optional[str] = None,
    print: Optional[Callable[[str], Any]] = None,
    **more: Any,
) -> Record:
    """Runs a program or a script of Lua, as `wsevm run` does, and returns its record.

    inputs: arrays of a program, by name; `record.machine["y"]` reads those that it leaves. values: constants of a program or
    arguments of a script; names that are no option of load() are values, too. print: gets what is printed.
    Errors: EndedBadly and Interrupted, with the record; BadInput; Exhausted.
    """
    if not os.fspath(file).endswith(".lua"):
        made = load(file, machine=machine, values=values, print=print, **more)
        for name, value in (inputs or {}).items():
            made[name] = value
        return made.run()
    if inputs:
        raise lib.BadInput("a script has no inputs; wsevm.layout() gives its machine, which has arrays")
    return _run_script(file, machine, {**(values or {}), **more}, print)


_OPTIONS = ("engine", "transport", "threads", "max_cycles", "max_memory", "tsc_skew", "jitter", "expect", "strict")


def _run_script(
    file: Path, machine: Optional[str], values: Mapping[str, Any], print: Optional[Callable[[str], Any]]
) -> Record:
    options = {name.replace("_", "-"): values[name] for name in _OPTIONS if name in values}
    if machine is not None:
        options["machine"] = machine
    arguments = {name: value for name, value in values.items() if name not in _OPTIONS}
    printer, running, json = Printer(print), c_uint64(), c_void_p()
    words = lib.texts(arguments), lib.texts(options)
    code, text = interruptible(
        lambda: lib.raw(
            "wsevm_run_file", lib.encoded(os.fspath(file)), *words, printer.callback, None, byref(running), byref(json)
        ),
        lambda: running.value,
    )
    record = lib.taken(json)
    printer.check()
    if code == 0:
        return Record(record)
    error = lib.exception(code, text)
    if record and code in (lib.ENDED_BADLY, lib.INTERRUPTED):
        error.record = Record(record)  # type: ignore[attr-defined]
    raise error
