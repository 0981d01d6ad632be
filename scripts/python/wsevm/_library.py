"""The C library: where it is, what it takes, and its errors as exceptions. `wsevm.h` documents the functions."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ._errors import BadInput, EndedBadly, Error, Exhausted, Interrupted

NAME = "libwsevm.so.0"
TO_THE_END = 2**64 - 1
ENDED_BADLY, BAD_INPUT, EXHAUSTED, INTERRUPTED = 1, 2, 3, 130


class Rectangle(ctypes.Structure):
    _fields_ = [("x", c_uint32), ("y", c_uint32), ("width", c_uint32), ("height", c_uint32)]


class Elements(ctypes.Structure):
    _fields_ = [("first", c_uint32), ("count", c_uint32)]


class Array(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_char * 8),
        ("dtype", ctypes.c_char * 8),
        ("element_bytes", c_uint32),
        ("place", Rectangle),
        ("count", c_uint32),
        ("dimensions", c_uint32),
        ("extents", c_uint32 * 4),
    ]


class Numbers(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_char * 8), ("bytes", c_size_t), ("dimensions", c_uint32), ("extents", c_uint64 * 5)]


PRINT = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)

_TEXTS = POINTER(c_char_p)
_HANDLE = POINTER(c_uint64)
_OUT = POINTER(c_void_p)  # a text that wsevm_free() frees

_FUNCTIONS: Dict[str, Tuple[Any, ...]] = {
    "wsevm_profiles": (_OUT,),
    "wsevm_program_load": (c_char_p, c_char_p, c_char_p, _TEXTS, _HANDLE),
    "wsevm_layout_run": (c_char_p, c_char_p, _TEXTS, c_uint64, PRINT, c_void_p, _HANDLE),
    "wsevm_program_free": (c_uint64,),
    "wsevm_program_symbols": (c_uint64, _OUT),
    "wsevm_program_text": (c_uint64, _OUT),
    "wsevm_program_listing": (c_uint64, _OUT),
    "wsevm_machine_new": (c_uint64, _TEXTS, _HANDLE),
    "wsevm_machine_free": (c_uint64,),
    "wsevm_on_print": (c_uint64, PRINT, c_void_p),
    "wsevm_array_info": (c_uint64, c_char_p, POINTER(Array)),
    "wsevm_write": (c_uint64, c_char_p, POINTER(Rectangle), POINTER(Elements), c_void_p, c_size_t),
    "wsevm_read": (c_uint64, c_char_p, POINTER(Rectangle), POINTER(Elements), c_void_p, c_size_t),
    "wsevm_symbol_set": (c_uint64, c_uint32, c_uint32, c_char_p, c_void_p, c_size_t),
    "wsevm_symbol_get": (c_uint64, c_uint32, c_uint32, c_char_p, c_void_p, c_size_t),
    "wsevm_run_until": (c_uint64, c_uint64, POINTER(c_int)),
    "wsevm_launch": (c_uint64, c_char_p, POINTER(c_double), c_size_t, POINTER(Rectangle), POINTER(c_int)),
    "wsevm_prepare": (c_uint64, c_char_p, POINTER(c_double), c_size_t, POINTER(Rectangle)),
    "wsevm_send": (c_uint64, c_char_p, c_void_p, c_size_t),
    "wsevm_receive": (c_uint64, c_char_p, c_void_p, c_size_t),
    "wsevm_arrived": (c_uint64, c_char_p, POINTER(c_size_t)),
    "wsevm_launches": (c_uint64, _OUT),
    "wsevm_interrupt": (c_uint64,),
    "wsevm_cycle": (c_uint64, _HANDLE),
    "wsevm_checkpoint_write": (c_uint64, c_char_p),
    "wsevm_restore": (c_uint64, c_char_p),
    "wsevm_record_json": (c_uint64, _OUT),
    "wsevm_profile_names": (c_uint64, _OUT),
    "wsevm_profile_array": (c_uint64, c_char_p, POINTER(Numbers), c_void_p, c_size_t),
    "wsevm_profile_write": (c_uint64, c_char_p),
    "wsevm_report_write": (_HANDLE, c_size_t, _TEXTS, c_char_p, c_char_p),
    "wsevm_run_file": (c_char_p, _TEXTS, _TEXTS, PRINT, c_void_p, _HANDLE, _OUT),
}


def _places() -> List[str]:
    """Where the library may be: named by WSEVM_LIBRARY; in the build folder of a checkout; where the system looks."""
    chosen = os.environ.get("WSEVM_LIBRARY")
    if chosen:
        return [chosen]
    here = Path(__file__).resolve().parent
    places = [str(here / NAME)]
    if len(here.parents) > 2 and (here.parents[2] / "vm" / "library" / "wsevm.h").exists():
        places.append(str(here.parents[2] / "build" / NAME))
    return [place for place in places if os.path.exists(place)] + [NAME]


def _open() -> ctypes.CDLL:
    errors = []
    for place in _places():
        try:
            return ctypes.CDLL(place)
        except OSError as error:
            errors.append(str(error))
    raise ImportError(
        f"cannot load {NAME}: {'; '.join(errors)}. Install the package wsevm, or name the file in WSEVM_LIBRARY"
    )


_LIB = _open()
for _name, _types in _FUNCTIONS.items():
    getattr(_LIB, _name).argtypes = _types
    getattr(_LIB, _name).restype = c_int
_LIB.wsevm_version.restype = c_char_p
_LIB.wsevm_error_text.restype = c_char_p
_LIB.wsevm_free.argtypes = (c_void_p,)
_LIB.wsevm_free.restype = None


def encoded(text: str) -> bytes:
    """The text for C. Errors: BadInput for a zero in it, at which C would end it."""
    data = os.fsencode(text) if isinstance(text, os.PathLike) else str(text).encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise BadInput(f"{text!r} has a zero character in it; names and texts have none")
    return data


def decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def raw(name: str, *arguments: Any) -> Tuple[int, str]:
    """Calls a function; returns its code and the text of its error."""
    code = getattr(_LIB, name)(*arguments)
    return code, "" if code == 0 else decoded(_LIB.wsevm_error_text())


def exception(code: int, text: str) -> BaseException:
    if code == BAD_INPUT:
        return BadInput(text)
    if code == EXHAUSTED:
        return Exhausted(text)
    if code == ENDED_BADLY:
        return EndedBadly(text)
    if code == INTERRUPTED:
        return Interrupted(text)
    error = Error(text)
    error.code = code
    return error


def call(name: str, *arguments: Any) -> None:
    """Calls a function. Errors: the exception of its code."""
    code, text = raw(name, *arguments)
    if code != 0:
        raise exception(code, text)


def taken(pointer: c_void_p) -> str:
    """The text that a function handed out, which is freed."""
    if not pointer:
        return ""
    text = decoded(ctypes.string_at(pointer.value or 0))
    _LIB.wsevm_free(pointer)
    return text


def text_of(name: str, *arguments: Any) -> str:
    """Calls a function whose last argument gets a text, and returns that."""
    out = c_void_p()
    call(name, *arguments, byref(out))
    return taken(out)


def texts(pairs: Mapping[str, Any]) -> Any:
    """An array of "name=value" up to a NULL."""
    items = [encoded(f"{name}={_word(value)}") for name, value in pairs.items()]
    return (c_char_p * (len(items) + 1))(*items, None)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(value)


def optional(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else encoded(text)


def version() -> str:
    """The version of the library."""
    return decoded(_LIB.wsevm_version())


def profiles() -> List[str]:
    """The names of the machines' profiles, such as "wse2" and "wse3"."""
    return text_of("wsevm_profiles").split()
