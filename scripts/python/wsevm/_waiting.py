"""Runs that Ctrl-C stops between two cycles, and what programs print meanwhile."""

from __future__ import annotations

import threading
from typing import Any, Callable, Dict, List, Optional

from . import _library as lib

# What wsevm_interrupt() takes, of each run of the moment.
_running: Dict[int, Callable[[], int]] = {}
_lock = threading.Lock()


def interrupt_all() -> None:
    """Ends all runs of the moment."""
    with _lock:
        for number in _running.values():
            lib.raw("wsevm_interrupt", number())


class _Call(threading.Thread):
    """A call of the library in a thread of its own, so that the main thread hears signals."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self.work = work
        self.result: Any = None
        self.error: Optional[BaseException] = None
        self.over = threading.Event()

    def run(self) -> None:
        try:
            self.result = self.work()
        except BaseException as error:  # pylint: disable=broad-except
            self.error = error
        finally:
            self.over.set()


def interruptible(work: Callable[[], Any], number: Callable[[], int]) -> Any:
    """Returns work(), which calls the library. Ctrl-C interrupts the run `number()`; what work() returns then is returned."""
    if threading.current_thread() is not threading.main_thread():
        return _noted(work, number)
    call = _Call(lambda: _noted(work, number))
    call.start()
    asked = False
    while not call.over.is_set():
        try:
            call.over.wait()
        except KeyboardInterrupt:
            asked = True
            while number() == 0 and not call.over.wait(0.01):
                pass  # the run is about to begin
            lib.raw("wsevm_interrupt", number())
    call.join()
    if call.error is not None:
        raise call.error
    if asked and not (isinstance(call.result, tuple) and call.result[0] == lib.INTERRUPTED):
        raise KeyboardInterrupt  # too late for the run
    return call.result


def _noted(work: Callable[[], Any], number: Callable[[], int]) -> Any:
    key = threading.get_ident()
    with _lock:
        _running[key] = number
    try:
        return work()
    finally:
        with _lock:
            del _running[key]


class Printer:
    """Hands lines to a function of Python; what it raises waits until the call is over."""

    def __init__(self, function: Optional[Callable[[str], Any]]) -> None:
        self._function = function
        self._errors: List[BaseException] = []
        self.callback = lib.PRINT(self._take) if function is not None else lib.PRINT(0)

    def _take(self, _user: Any, line: bytes) -> None:
        if self._errors or self._function is None:
            return
        try:
            self._function(lib.decoded(line))
        except BaseException as error:  # pylint: disable=broad-except
            self._errors.append(error)

    def check(self) -> None:
        """Raises what the function raised."""
        if self._errors:
            raise self._errors.pop()
