"""Programs and machines."""

from __future__ import annotations

import json
import os
import weakref
from ctypes import byref, c_double, c_int, c_size_t, c_uint64, c_void_p
from functools import cached_property
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _library as lib
from ._errors import BadInput, EndedBadly
from ._notebook import listing_html
from ._record import Record
from ._values import fitting, place_of, sent, u32, u64
from ._waiting import Printer, interruptible

Rect = Tuple[int, int, int, int]
Path = Union[str, "os.PathLike[str]"]


class ArrayInfo(NamedTuple):
    """An exported array: its dtype, the rectangle of its PEs (x, y, width, height), the shape at each PE."""

    dtype: np.dtype
    rect: Rect
    shape: Tuple[int, ...]


class Program:
    """A program: what machines are made of. It never changes."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self._finalizer = weakref.finalize(self, lib.raw, "wsevm_program_free", handle)

    @property
    def text(self) -> str:
        """The text that was assembled."""
        return lib.text_of("wsevm_program_text", self.handle)

    @property
    def listing(self) -> str:
        """What the assembler made of each line, and what every instruction costs: `wsevm asm --list`."""
        return lib.text_of("wsevm_program_listing", self.handle)

    def __repr__(self) -> str:
        return "<wsevm program: {} x {} PEs>".format(*self.symbols["grid"])

    def _repr_html_(self) -> str:
        return listing_html(self.listing)

    @cached_property
    def symbols(self) -> Dict[str, Any]:
        """What is in it: grid, warnings, and of each program its symbols and tasks."""
        return json.loads(lib.text_of("wsevm_program_symbols", self.handle))

    def machine(self, *, print: Optional[Callable[[str], Any]] = None, **options: Any) -> "Machine":
        """A machine of its own for this program; options as load() has them."""
        return Machine(self, options, print)


class Machine:
    """A machine in the hand: arrays by name, runs, launches. `load()` and `layout()` make it.

    One thread at a time uses a machine; different machines run in different threads at once.
    """

    def __init__(
        self, program: Program, options: Mapping[str, Any], print: Optional[Callable[[str], Any]] = None
    ) -> None:
        given = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
        given.setdefault("profile", True)
        handle = c_uint64()
        lib.call("wsevm_machine_new", program.handle, lib.texts(given), byref(handle))
        self.program = program
        self.handle: int = handle.value
        self._profiled = str(given["profile"]) in ("1", "True")
        self._finalizer = weakref.finalize(self, lib.raw, "wsevm_machine_free", self.handle)
        self._printer = Printer(print)
        self._ticket = 0  # changes whenever the machine continues
        lib.call("wsevm_on_print", self.handle, self._printer.callback, None)

    # ---- arrays

    def info(self, name: str) -> ArrayInfo:
        """Describes an exported array. Errors: BadInput if there is none."""
        array = lib.Array()
        lib.call("wsevm_array_info", self.handle, lib.encoded(name), byref(array))
        place = array.place
        return ArrayInfo(
            np.dtype(array.dtype.decode()),
            (place.x, place.y, place.width, place.height),
            tuple(array.extents[: array.dimensions]),
        )

    def get(
        self, name: str, rect: Optional[Rect] = None, elements: Optional[Tuple[int, int]] = None
    ) -> np.ndarray:
        """Reads an exported array, as a new array that the caller owns.

        rect: PEs (x, y, width, height), else all that have the array. elements: (first, end) of the array of each PE, flat.
        Returns [height, width, *shape], without the last part for a scalar; [height, width, end - first] of elements.
        Errors: BadInput for a name, PEs or elements that do not exist.
        """
        info, place, part, shape = self._part(name, rect, elements)
        array: np.ndarray = np.empty(shape, dtype=info.dtype)
        data = array.ctypes.data_as(c_void_p)
        lib.call("wsevm_read", self.handle, lib.encoded(name), place, part, data, array.nbytes)
        return array

    def put(
        self,
        name: str,
        value: Any,
        rect: Optional[Rect] = None,
        elements: Optional[Tuple[int, int]] = None,
    ) -> None:
        """Writes an exported array; rect and elements as for get().

        value: an array of that shape and of the array's dtype, which is read where it lies if it is in C order; or a number,
        which goes everywhere; or lists of numbers. Errors: BadInput for another shape or dtype; nothing is written then.
        """
        info, place, part, shape = self._part(name, rect, elements)
        array = fitting(name, value, info.dtype, shape)
        data = array.ctypes.data_as(c_void_p)
        lib.call("wsevm_write", self.handle, lib.encoded(name), place, part, data, array.nbytes)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.get(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self.put(name, value)

    @property
    def arrays(self) -> List[str]:
        """The names of the exported arrays."""
        names: Dict[str, None] = {}
        for program in self.program.symbols["programs"]:
            names.update((symbol["name"], None) for symbol in program["symbols"] if symbol["exported"])
        return list(names)

    def symbol(self, x: int, y: int, name: str) -> np.ndarray:
        """Reads any symbol of the program at PE (x, y), exported or not: an array, of no dimension for a scalar."""
        array = self._symbol_array(name)
        data = array.ctypes.data_as(c_void_p)
        lib.call("wsevm_symbol_get", self.handle, u32(x, "x"), u32(y, "y"), lib.encoded(name), data, array.nbytes)
        return array

    def set_symbol(self, x: int, y: int, name: str, value: Any) -> None:
        """Writes any symbol of the program at PE (x, y): all of its elements, as put() takes them."""
        like = self._symbol_array(name)
        array = fitting(name, value, like.dtype, like.shape)
        data = array.ctypes.data_as(c_void_p)
        lib.call("wsevm_symbol_set", self.handle, u32(x, "x"), u32(y, "y"), lib.encoded(name), data, array.nbytes)

    # ---- runs

    def run(self, until_cycle: Optional[int] = None) -> Record:
        """Runs to quiet, or does the cycles before `until_cycle`. The first run is that of task main.

        Errors: EndedBadly, with the record, for a trap, a deadlock, a limit of cycles, a failed `.expect`;
        Interrupted for Ctrl-C.
        """
        until = lib.TO_THE_END if until_cycle is None else u64(until_cycle, "until_cycle")
        return self._go("wsevm_run_until", until, byref(c_int()))

    def launch(self, task: str, *arguments: float, on: Optional[Rect] = None) -> Record:
        """Launches a task that the program exports at the PEs `on` (all that have it), and runs to quiet.

        Returns the record of this launch alone. Errors: BadInput for a task, arguments or PEs that do not fit; those of run().
        """
        numbers = (c_double * max(1, len(arguments)))(*arguments)
        return self._go("wsevm_launch", lib.encoded(task), numbers, len(arguments), place_of(on), byref(c_int()))

    def prepare(self, task: str, *arguments: float, on: Optional[Rect] = None) -> None:
        """Launches without running: several tasks can so begin in one cycle, with the next run()."""
        numbers = (c_double * max(1, len(arguments)))(*arguments)
        self._ticket += 1
        code, text = interruptible(
            lambda: lib.raw("wsevm_prepare", self.handle, lib.encoded(task), numbers, len(arguments), place_of(on)),
            lambda: self.handle,
        )
        self._end(code, text)

    # ---- streams

    @property
    def streams(self) -> Dict[str, str]:
        """The streams of the program: "in" for one that enters, "out" for one that leaves, by name."""
        return {row["name"]: "in" if row["enters"] else "out" for row in self.program.symbols["streams"]}

    def send(self, stream: str, values: Any) -> None:
        """Sends elements to a stream that enters; they do so while run() or launch() runs.

        values: [height, width, n], n elements for each PE of the stream, of its dtype; or numbers of Python. [n] is enough
        for a stream at one PE. In a machine streams have no length, whatever they declare. A machine that has not run
        runs main first. Errors: BadInput for no such stream, one that leaves, another shape or dtype; those of run().
        """
        info = self._stream(stream)
        array = sent(stream, values, info.dtype, (info.rect[3], info.rect[2]))
        data = array.ctypes.data_as(c_void_p)
        self._ticket += 1
        code, text = interruptible(
            lambda: lib.raw("wsevm_send", self.handle, lib.encoded(stream), data, array.nbytes), lambda: self.handle
        )
        self._end(code, text)

    def receive(self, stream: str, n: Optional[int] = None) -> np.ndarray:
        """Takes the first n elements of each PE that have left through a stream; else as many as each PE has.

        Returns [height, width, n]. Errors: BadInput for no such stream, one that enters, fewer than n; none is taken then.
        """
        info = self._stream(stream)
        count = self.arrived(stream) if n is None else u32(n, "n")
        if n is not None and count > (there := self.arrived(stream)):
            raise BadInput(f"of stream '{stream}' {there} elements of each PE have left, not {count}")
        array: np.ndarray = np.empty((info.rect[3], info.rect[2], count), dtype=info.dtype)
        data = array.ctypes.data_as(c_void_p)
        lib.call("wsevm_receive", self.handle, lib.encoded(stream), data, array.nbytes)
        return array

    def arrived(self, stream: str) -> int:
        """How many elements of each PE receive() takes at most. Errors: BadInput for no such stream, one that enters."""
        count = c_size_t()
        lib.call("wsevm_arrived", self.handle, lib.encoded(stream), byref(count))
        return count.value

    @property
    def launches(self) -> Dict[str, List[str]]:
        """What can be launched: the types of the arguments by the names of the tasks."""
        rows = json.loads(lib.text_of("wsevm_launches", self.handle))
        return {row["name"]: row["arguments"] for row in rows}

    @property
    def cycle(self) -> int:
        """The cycles that are done."""
        cycles = c_uint64()
        lib.call("wsevm_cycle", self.handle, byref(cycles))
        return cycles.value

    @property
    def record(self) -> Record:
        """The record of the last launch, or of the run so far. Errors: nothing has run."""
        return Record(lib.text_of("wsevm_record_json", self.handle), self, self._ticket)

    def checkpoint(self, file: Path) -> None:
        """Writes the machine, as it is between two cycles, to a file; restore() takes it up.

        Errors: planes move its wavelets (give transport="stepper"); EndedBadly if it has ended so.
        """
        lib.call("wsevm_checkpoint_write", self.handle, lib.encoded(os.fspath(file)))

    def restore(self, file: Path) -> None:
        """Continues from a file of checkpoint(): of a machine with this program, its values and these options.

        Only before anything has run. Errors: BadInput, which says what differs; the machine is as it was.
        """
        self._ticket += 1
        lib.call("wsevm_restore", self.handle, lib.encoded(os.fspath(file)))

    def interrupt(self) -> None:
        """Ends the run of another thread at its next cycle."""
        lib.call("wsevm_interrupt", self.handle)

    def close(self) -> None:
        """Gives the machine's memory back. Anything but close() is an error then."""
        self._ticket += 1
        self._finalizer()

    def __enter__(self) -> "Machine":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        state = f"cycle {self.cycle}" if self._finalizer.alive else "closed"
        return f"<wsevm machine: {state}>"

    # ---- parts

    def _go(self, name: str, *arguments: Any) -> Record:
        self._ticket += 1
        code, text = interruptible(lambda: lib.raw(name, self.handle, *arguments), lambda: self.handle)
        self._end(code, text)
        return self.record

    def _end(self, code: int, text: str) -> None:
        """Raises what a call that may have run has ended in."""
        self._printer.check()
        if code == 0:
            return
        error = lib.exception(code, text)
        if code in (lib.ENDED_BADLY, lib.INTERRUPTED):
            error.record = self.record  # type: ignore[attr-defined]
        raise error

    def _stream(self, name: str) -> ArrayInfo:
        if name not in self.streams:
            raise BadInput(f"there is no stream '{name}'; the program has {', '.join(self.streams) or 'none'}")
        return self.info(name)

    def _part(
        self, name: str, rect: Optional[Rect], elements: Optional[Tuple[int, int]]
    ) -> Tuple[ArrayInfo, Any, Any, Tuple[int, ...]]:
        info = self.info(name)
        _, _, width, height = info.rect
        place = place_of(rect)
        if place is not None:
            width, height = place.width, place.height
        if elements is None:
            return info, place, None, (height, width, *info.shape)
        try:
            first, end = elements
        except (TypeError, ValueError):
            raise BadInput(f"elements is {elements!r}; (first, end) is wanted") from None
        count = u32(end, "end") - u32(first, "first")
        most = int(np.prod(info.shape, dtype=np.int64))
        if count <= 0 or end > most:
            raise BadInput(f"elements is {elements!r}, but array '{name}' has elements 0 to {most - 1} at each PE")
        # The library checks the rectangle; nothing is made for one that is larger than the array's.
        return info, place, lib.Elements(first, count), (height, width, count)

    def _symbol_array(self, name: str) -> np.ndarray:
        for program in self.program.symbols["programs"]:
            for symbol in program["symbols"]:
                if symbol["name"] == name:
                    return np.zeros(tuple(symbol["shape"]), dtype=symbol["dtype"])
        raise BadInput(f"no program has a symbol '{name}'")


__all__ = ["ArrayInfo", "EndedBadly", "Machine", "Program"]
