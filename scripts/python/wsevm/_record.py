"""Records of runs, and what each PE did."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping as MappingABC
from ctypes import byref, c_char_p, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _library as lib
from ._errors import BadInput
from ._notebook import record_html

if TYPE_CHECKING:
    from ._machine import Machine


class Profile(MappingABC):
    """Arrays by name: a number for each PE ([height, width]), link or line.

    `profile["busy"]` are the cycles in which each PE did something; `list(profile)` has the names. Arrays are copies. They
    can be had until the machine continues.
    """

    def __init__(self, machine: "Machine", ticket: int) -> None:
        self._machine = machine
        self._ticket = ticket
        self._arrays: Dict[str, np.ndarray] = {}

    def _handle(self) -> int:
        if self._machine._ticket != self._ticket:  # pylint: disable=protected-access
            raise BadInput("the machine has continued since; read a record's profile before the next run or launch")
        return self._machine.handle

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._arrays:
            if name not in self:
                raise KeyError(name)
            self._arrays[name] = self._read(name)
        return self._arrays[name]

    def _read(self, name: str) -> np.ndarray:
        numbers = lib.Numbers()
        key = lib.encoded(name)
        lib.call("wsevm_profile_array", self._handle(), key, byref(numbers), None, 0)
        shape = tuple(numbers.extents[: numbers.dimensions])
        array: np.ndarray = np.empty(shape, dtype=numbers.dtype.decode())
        if array.nbytes > 0:
            data = array.ctypes.data_as(c_void_p)
            lib.call("wsevm_profile_array", self._handle(), key, None, data, array.nbytes)
        return array

    def _names(self) -> List[str]:
        return lib.text_of("wsevm_profile_names", self._handle()).split()

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __contains__(self, name: object) -> bool:
        return name in self._arrays or name in self._names()

    @property
    def meta(self) -> Dict[str, Any]:
        """What the arrays belong to: program, machine, lines, marks."""
        return json.loads(self["meta"].tobytes())


class Record(MappingABC):
    """How a run or a launch ended and what it counted: the record of `wsevm run --json`, by its names.

    `r.cycles`, `r["fabric"]["hops"]`; `r.json` is the text.
    """

    def __init__(self, text: str, machine: "Optional[Machine]" = None, ticket: int = 0) -> None:
        self.json = text
        self._values: Dict[str, Any] = json.loads(text)
        self.machine = machine
        self._profile = None if machine is None else Profile(machine, ticket)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def status(self) -> str:
        """One of "halted", "deadlock", "trap", "cycle_limit", "interrupted", "error"."""
        return self._values["status"]

    @property
    def message(self) -> str:
        """What there is to say; empty if nothing."""
        return self._values["message"] or ""

    @property
    def cycles(self) -> int:
        """The latest cycle in which anything happened, plus 1, counted from the launch."""
        return self._values["cycles"]

    @property
    def user(self) -> Dict[str, Any]:
        """What a script has put into its record."""
        return self._values["user"]

    @property
    def runs(self) -> List[Dict[str, Any]]:
        """The records of all runs of a script."""
        return self._values["runs"]

    @property
    def profile(self) -> Profile:
        """What each PE did. Errors: the record of a script has none."""
        if self._profile is None:
            raise BadInput("the record of a script has no profile; wsevm.layout() gives the script's machine")
        return self._profile

    def report(self, file: str, title: Optional[str] = None) -> None:
        """Writes a page for a browser about the run. Errors: the place cannot be written."""
        report(file, [self], title=title)

    def write_profile(self, file: str) -> None:
        """Writes the profile as a zip of NumPy, FILE.npz."""
        lib.call("wsevm_profile_write", self.profile._handle(), lib.encoded(file))  # pylint: disable=protected-access

    def _repr_html_(self) -> str:
        return record_html(self)

    def __repr__(self) -> str:
        return f"<wsevm record: {self.status}, {self.cycles} cycles on {self['machine']}>"


def report(
    file: str, runs: Union[Mapping[str, Record], Sequence[Record]], title: Optional[str] = None
) -> None:
    """Writes a page about one or several runs, side by side.

    runs: records, or records by the names that the page shows. Each belongs to a machine of its own.
    Errors: BadInput for no record, a machine that has continued, a place that cannot be written.
    """
    named = dict(runs) if isinstance(runs, MappingABC) and not isinstance(runs, Record) else None
    records = list(named.values()) if named is not None else list(runs)  # type: ignore[arg-type]
    handles = [record.profile._handle() for record in records]  # pylint: disable=protected-access
    names = None
    if named is not None:
        names = (c_char_p * (len(named) + 1))(*[lib.encoded(name) for name in named], None)
    machines = (c_uint64 * max(1, len(handles)))(*handles)
    lib.call(
        "wsevm_report_write",
        ctypes.cast(machines, ctypes.POINTER(c_uint64)),
        len(handles),
        names,
        lib.optional(title),
        lib.encoded(file),
    )
