"""What goes wrong, as exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._record import Record


class Error(Exception):
    """Anything that wsevm refuses. Its text has the place and a remedy; `code` is that of wsevm.h."""

    code = 7


class BadInput(Error, ValueError):
    """A program with errors (the text is the assembler's), a name, a shape, a file, a value."""

    code = 2


class Exhausted(Error, MemoryError):
    """The host has no more memory or disk."""

    code = 3


class EndedBadly(Error, RuntimeError):
    """A run that trapped, is deadlocked, came to its limit of cycles or failed an `.expect`.

    `record` tells all about it, and the machine can still be read.
    """

    code = 1

    def __init__(self, text: str, record: "Optional[Record]" = None) -> None:
        super().__init__(text)
        self.record = record


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a run. The machine has stopped between two cycles: `record` tells how far it is, arrays can be read,
    and it can continue."""

    code = 130

    def __init__(self, text: str, record: "Optional[Record]" = None) -> None:
        super().__init__(text)
        self.record = record
