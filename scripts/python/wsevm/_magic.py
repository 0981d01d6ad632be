"""`%%wsa`: a cell of a notebook that is a program. `%load_ext wsevm` brings it."""

from __future__ import annotations

import inspect
import shlex
from typing import Any, Dict, List, Optional, Tuple

from ._errors import BadInput, EndedBadly, Interrupted
from ._load import load
from ._machine import Machine
from ._record import Record

USAGE = "%%wsa [NAME] [key=value ...] [--option=value ...]"
_OPTIONS = [
    name
    for name, parameter in inspect.signature(load).parameters.items()
    if parameter.kind is parameter.KEYWORD_ONLY and name not in ("text", "values", "print")
]


def read_line(line: str) -> Tuple[Optional[str], Dict[str, str], Dict[str, Any]]:
    """The name, values and options of `%%wsa`. Errors: BadInput for words that are none of these."""
    name: Optional[str] = None
    values: Dict[str, str] = {}
    options: Dict[str, Any] = {}
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise BadInput(f"{line}: {error}; {USAGE} is wanted") from None
    for place, word in enumerate(words):
        key, equals, value = word.partition("=")
        if word.startswith("--"):
            option = key[2:].replace("-", "_")
            if option not in _OPTIONS:
                known = " ".join("--" + each.replace("_", "-") for each in _OPTIONS)
                raise BadInput(f"there is no option '{key}'; the options are {known}")
            options[option] = value if equals else True
        elif equals and key.isidentifier():
            values[key] = value
        elif place == 0 and word.isidentifier():
            name = word
        else:
            raise BadInput(f"'{word}' is neither a name nor key=value; {USAGE} is wanted")
    return name, values, options


def summary(machine: Machine) -> str:
    """What a machine has, in a line."""
    width, height = machine.program.symbols["grid"]
    parts = [f"{width} x {height} PEs"]
    for what, names in (("arrays", machine.arrays), ("launches", machine.launches), ("streams", machine.streams)):
        if names:
            parts.append(f"{what} {', '.join(names)}")
    return "; ".join(parts)


def wsa(line: str, cell: str, namespace: Dict[str, Any]) -> Optional[Record]:
    """Assembles the cell. With a name the machine gets it; without one it runs, and its record is the cell's value.

    line: "[NAME] [key=value ...] [--option=value ...]", the constants of the program and options of load(). Errors: those
    of load() and run().
    """
    name, values, options = read_line(line)
    machine = load("cell.wsa", text=cell, values=values, print=None if name else print, **options)
    warnings = machine.program.symbols["warnings"]
    if warnings:
        print(warnings, end="")
    if name is None:
        return machine.run()
    namespace[name] = machine
    print(f"{name}: {summary(machine)}")
    return None


def load_ipython_extension(shell: Any) -> None:
    """Brings `%%wsa` into a notebook: `%load_ext wsevm`. What is wrong with a cell is told without a traceback."""
    from IPython.core.error import UsageError  # a notebook has it; nobody else needs it

    def magic(line: str, cell: str) -> Optional[Record]:
        try:
            return wsa(line, cell, shell.user_ns)
        except (BadInput, EndedBadly) as error:
            raise UsageError(str(error)) from None
        except Interrupted as error:
            raise KeyboardInterrupt(str(error)) from None

    magic.__doc__ = wsa.__doc__
    shell.register_magic_function(magic, "cell", "wsa")
