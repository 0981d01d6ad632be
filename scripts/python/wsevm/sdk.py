"""A host program as it is written for the vendor's runtime: the names and the order of arguments of SdkRuntime.

    from wsevm.sdk import MemcpyDataType, MemcpyOrder, SdkRuntime

    runner = SdkRuntime("gemv.wsa", machine="wse3", M=4)
    A = runner.get_id("A")
    runner.load()
    runner.run()                                        # task main of every PE, to quiet
    runner.memcpy_h2d(A, data, 0, 0, 1, 1, 24, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                      data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
    runner.launch("compute", nonblock=False)
    runner.stop()

What is copied are the exported arrays of the program, what is launched its `task ... exported`. With streaming=True it is a
`.stream` of the program, at all of its PEs: get_id() gives its number, too. What is copied into one enters while the machine runs,
which it does in the next launch or copy from it. Commands take effect in their order; one that is called with nonblock=True is
done when it returns, and its task can be waited for all the same. Beside the vendor's names, `runner.machine` is the machine
and `runner.record` the record of the last launch.
"""

from __future__ import annotations

import enum
import os
from pathlib import Path as FilePath
from typing import Any, Dict, List, Optional, Union

import numpy as np

from ._errors import BadInput
from ._load import load
from ._machine import Machine, Path, Rect
from ._record import Record

__all__ = ["MemcpyDataType", "MemcpyOrder", "SdkRuntime", "Task", "input_array_to_u32", "memcpy_view"]


class MemcpyDataType(enum.Enum):
    """The elements of a copy. Those of 16 bits lie in the low halves of 32-bit ones on the host: memcpy_view()."""

    MEMCPY_16BIT = 16
    MEMCPY_32BIT = 32


class MemcpyOrder(enum.Enum):
    """Where element k of PE (x, y) is on the host: ROW_MAJOR [y][x][k], COL_MAJOR [k][x][y]."""

    ROW_MAJOR = 0
    COL_MAJOR = 1


class Task:
    """A command that was given."""


def memcpy_view(array: np.ndarray, dtype: Any) -> np.ndarray:
    """The low halves of a 32-bit array, as 16-bit elements that can be written."""
    kind = np.dtype(dtype)
    if array.dtype.itemsize != 4 or kind.itemsize != 2 or not array.flags["C_CONTIGUOUS"]:
        raise BadInput("memcpy_view takes an array of 32-bit elements in C order and a dtype of 16 bits")
    return array.view(kind).reshape(*array.shape, 2)[..., 0]


def input_array_to_u32(
    np_arr: np.ndarray, sentinel: Optional[int] = None, fast_dim_sz: int = 1
) -> np.ndarray:
    """16-bit elements in 32-bit ones; with a sentinel, the high halves count through the fastest dimension."""
    halves = np_arr.ravel().view(np.uint16).astype(np.uint32)
    if sentinel is not None:
        halves |= (np.arange(halves.size, dtype=np.uint32) % np.uint32(fast_dim_sz)) << np.uint32(16)
    return halves


class SdkRuntime:
    """A machine with the vendor's calls.

    name: a .wsa or .wsb file, or a folder that holds just one. Further names are those of wsevm.load(): machine, engine,
    values of the program. Of the vendor's, simfab_numthreads are the threads of the machine; cmaddr, msg_level and
    suppress_simfab_trace are taken and not used.
    Errors: those of wsevm.load() and of the machine's functions, as wsevm.Error.
    """

    def __init__(
        self,
        name: Path,
        *,
        cmaddr: Optional[str] = None,
        suppress_simfab_trace: Optional[bool] = None,
        simfab_numthreads: Optional[int] = None,
        msg_level: Optional[str] = None,
        **options: Any,
    ) -> None:
        del cmaddr, suppress_simfab_trace, msg_level
        if simfab_numthreads is not None:
            options.setdefault("threads", simfab_numthreads)
        self._machine: Optional[Machine] = load(_program_in(name), **options)
        self._streams: Dict[str, str] = self._machine.streams
        self._names: List[str] = [*self._machine.arrays, *self._streams]
        self._numbers: Dict[str, int] = {symbol: number for number, symbol in enumerate(self._names)}
        self._has_run = False
        self._has_sent = False  # elements that the machine has not run for
        self.record: Optional[Record] = None

    @property
    def machine(self) -> Machine:
        """The machine. Errors: it was stopped."""
        if self._machine is None:
            raise BadInput("the runtime was stopped; make a new one")
        return self._machine

    def get_id(self, symbol: str) -> int:
        """The number of an exported array or of a stream. Errors: there is none."""
        if symbol not in self._numbers:
            raise BadInput(f"no program exports '{symbol}'; it exports {', '.join(self._names) or 'nothing'}")
        return self._numbers[symbol]

    def load(self) -> None:
        """Nothing is left to do: the machine has been made."""
        self.machine  # pylint: disable=pointless-statement

    def run(self) -> None:
        """Runs task main of every PE, to quiet."""
        self.record = self.machine.run()
        self._has_run = True

    def stop(self) -> None:
        """Gives the machine back. It is an error to copy or launch afterwards."""
        if self._machine is not None:
            self._machine.close()
        self._machine = None

    def launch(self, symbol: str, *args: Any, nonblock: bool) -> Task:
        """Launches an exported task at all PEs that have it, and runs to quiet."""
        del nonblock
        self._check_running("launch")
        self.record = self.machine.launch(symbol, *args)
        self._has_sent = False
        return Task()

    def memcpy_h2d(
        self,
        dest: int,
        src: np.ndarray,
        px: int,
        py: int,
        w: int,
        h: int,
        elem_per_pe: int,
        *,
        streaming: bool,
        data_type: MemcpyDataType,
        order: MemcpyOrder,
        nonblock: bool,
    ) -> Task:
        """Copies h * w * elem_per_pe elements of `src` to the array `dest` of PEs (px, py) to (px + w - 1, py + h - 1)."""
        del nonblock
        self._check_running("memcpy_h2d")
        name = self._name(dest, (px, py, w, h), "in" if streaming else "")
        dtype = self._dtype(name, data_type)
        flat = _host(src, w * h * elem_per_pe, "src")
        part = flat.reshape((h, w, elem_per_pe), order="C" if order == MemcpyOrder.ROW_MAJOR else "F")
        bits = np.ascontiguousarray(part)
        bits = np.ascontiguousarray(memcpy_view(bits, dtype) if dtype.itemsize == 2 else bits.view(dtype))
        if streaming:
            self.machine.send(name, bits)
            self._has_sent = True
        else:
            self._run_for_sent()
            self.machine.put(name, bits, (px, py, w, h), (0, elem_per_pe))
        return Task()

    def memcpy_d2h(
        self,
        dest: np.ndarray,
        src: int,
        px: int,
        py: int,
        w: int,
        h: int,
        elem_per_pe: int,
        *,
        streaming: bool,
        data_type: MemcpyDataType,
        order: MemcpyOrder,
        nonblock: bool,
    ) -> Task:
        """Copies them from the array `src` of these PEs into `dest`, which must be in C order."""
        del nonblock
        self._check_running("memcpy_d2h")
        name = self._name(src, (px, py, w, h), "out" if streaming else "")
        dtype = self._dtype(name, data_type)
        flat = _host(dest, w * h * elem_per_pe, "dest")
        if not np.shares_memory(flat, dest):
            raise BadInput("dest is not in C order; give np.zeros(n, dtype)")
        self._run_for_sent()
        if streaming:
            part = self.machine.receive(name, elem_per_pe)
        else:
            part = self.machine.get(name, (px, py, w, h), (0, elem_per_pe))
        bits = part.view(np.uint16).astype(np.uint32) if dtype.itemsize == 2 else part.view(np.uint32)
        flat.view(np.uint32)[:] = bits.ravel(order="C" if order == MemcpyOrder.ROW_MAJOR else "F")
        return Task()

    def task_wait(self, task: Task) -> None:
        """Waits for a command: it is done."""
        _check_task(task)

    def is_task_done(self, task: Task) -> bool:
        """Whether a command is done: it is."""
        _check_task(task)
        return True

    def _check_running(self, what: str) -> None:
        self.machine  # pylint: disable=pointless-statement
        if not self._has_run:
            raise BadInput(f"{what} comes before run(); call load() and run() first")

    def _run_for_sent(self) -> None:
        if self._has_sent:
            self._has_sent = False
            self.record = self.machine.run()

    def _name(self, number: int, rect: Rect, way: str) -> str:
        """The name of an array (way "") or of a stream that goes that way, at all of its PEs."""
        if not 0 <= number < len(self._names):
            raise BadInput(f"{number} is the number of no array or stream; get_id() gives them")
        name = self._names[number]
        kind = self._streams.get(name, "")
        if kind != way:
            wanted = {"": "an array; copy with streaming=False", "in": "a stream that enters; copy h2d with streaming=True"}
            raise BadInput(f"'{name}' is {wanted.get(kind, 'a stream that leaves; copy d2h with streaming=True')}")
        if way and rect != self.machine.info(name).rect:
            raise BadInput(f"stream '{name}' is at PEs {self.machine.info(name).rect} (px, py, w, h), not {rect}")
        return name

    def _dtype(self, name: str, data_type: MemcpyDataType) -> np.dtype:
        dtype = self.machine.info(name).dtype
        if dtype.itemsize * 8 != data_type.value:
            raise BadInput(f"'{name}' is {dtype}; MEMCPY_{dtype.itemsize * 8}BIT is wanted")
        return dtype


def _program_in(name: Path) -> Path:
    if not os.path.isdir(name):
        return name
    programs = sorted(str(file) for ending in ("*.wsa", "*.wsb") for file in FilePath(name).glob(ending))
    if len(programs) != 1:
        raise BadInput(f"{name} holds {len(programs)} programs; name one of them")
    return programs[0]


def _host(array: Union[np.ndarray, Any], count: int, what: str) -> np.ndarray:
    if not isinstance(array, np.ndarray) or array.dtype.itemsize != 4:
        raise BadInput(f"{what} must be an array of NumPy with 32-bit elements")
    if array.size != count:
        raise BadInput(f"{what} has {array.size} elements, h * w * elem_per_pe are {count}")
    return array.reshape(-1)


def _check_task(task: Task) -> None:
    if not isinstance(task, Task):
        raise BadInput("a task is what a command returns")
