"""Machines of a file, of a text, or of a script."""

from __future__ import annotations

import os
from ctypes import byref, c_uint64
from typing import Any, Callable, Mapping, Optional

from . import _library as lib
from ._machine import Machine, Path, Program
from ._values import u64
from ._waiting import Printer


def load(
    file: Optional[Path] = None,
    *,
    text: Optional[str] = None,
    machine: Optional[str] = None,
    values: Optional[Mapping[str, Any]] = None,
    print: Optional[Callable[[str], Any]] = None,
    engine: Optional[str] = None,
    transport: Optional[str] = None,
    threads: Optional[int] = None,
    max_cycles: Optional[int] = None,
    max_memory: Optional[str] = None,
    tsc_skew: Optional[int] = None,
    jitter: Optional[str] = None,
    profile: bool = True,
    expect: bool = False,
    strict: bool = False,
    **more_values: Any,
) -> Machine:
    """Assembles a program and makes a machine of it.

    file: a .wsa text or a .wsb image, found as the command line finds it; with `text` only the name in messages.
    machine: a profile ("wse2") or FILE.lua. values, and all other names: its .const and .param.
    print: gets each line that the program prints. profile=False saves a tenth of the time and 224 bytes a PE.
    The others are options of `wsevm run`. Errors: BadInput, with the assembler's diagnostics; Exhausted.
    """
    handle = c_uint64()
    lib.call(
        "wsevm_program_load",
        lib.optional(None if file is None else os.fspath(file)),
        lib.optional(text),
        lib.optional(machine),
        lib.texts({**(values or {}), **more_values}),
        byref(handle),
    )
    options = {
        "engine": engine,
        "transport": transport,
        "threads": threads,
        "max_cycles": max_cycles,
        "max_memory": max_memory,
        "tsc_skew": tsc_skew,
        "jitter": jitter,
        "profile": profile,
        "expect": expect,
        "strict": strict,
    }
    return Program(handle.value).machine(print=print, **options)


def layout(
    lua: Path,
    args: Optional[Mapping[str, Any]] = None,
    *,
    number: int = 1,
    machine: Optional[str] = None,
    print: Optional[Callable[[str], Any]] = None,
    **options: Any,
) -> Machine:
    """Makes a machine of the program that a script of Lua runs with its `number`-th wse.run, which does not run.

    args: the script's arguments. options: those of load(). The arrays that the script would have given are not set.
    """
    printer = Printer(print)
    handle = c_uint64()
    lib.call(
        "wsevm_layout_run",
        lib.encoded(os.fspath(lua)),
        lib.optional(machine),
        lib.texts(args or {}),
        u64(number, "number"),
        printer.callback,
        None,
        byref(handle),
    )
    printer.check()
    return Program(handle.value).machine(print=print, **options)


__all__ = ["layout", "load"]
