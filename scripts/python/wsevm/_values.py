"""What callers give, as the library takes it: arrays, whole numbers, rectangles."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import numpy as np

from . import _library as lib
from ._errors import BadInput


def fitting(name: str, value: Any, dtype: np.dtype, shape: Tuple[int, ...]) -> np.ndarray:
    """A value for an array, in C order. Errors: BadInput for another shape or dtype."""
    if not isinstance(value, (np.ndarray, np.generic)):
        value = converted(name, value, dtype)
    if value.dtype != dtype:
        raise BadInput(f"dtype {value.dtype}, but '{name}' is {dtype}; convert it with .astype('{dtype}')")
    if value.shape == ():
        value = np.broadcast_to(value, shape)
    if value.shape != shape and value.shape != (*shape, 1):
        raise BadInput(f"shape {value.shape}, but '{name}' needs {shape}")
    return np.ascontiguousarray(value)


def sent(name: str, values: Any, dtype: np.dtype, pes: Tuple[int, int]) -> np.ndarray:
    """Elements for a stream at [height, width] PEs, in C order. Errors: BadInput for another shape or dtype."""
    if not isinstance(values, (np.ndarray, np.generic)):
        values = converted(name, values, dtype)
    if values.ndim == 1 and pes == (1, 1):
        values = values.reshape(1, 1, -1)
    if values.ndim != 3 or values.shape[:2] != pes:
        raise BadInput(f"shape {values.shape}, but stream '{name}' needs ({pes[0]}, {pes[1]}, n)")
    return fitting(name, values, dtype, values.shape)


def converted(name: str, value: Any, dtype: np.dtype) -> np.ndarray:
    """Numbers of Python as an array; whole ones for arrays of integers. Errors: BadInput."""
    try:
        given = np.asarray(value)
        if given.dtype.kind not in "biuf":
            raise TypeError(f"these are {given.dtype}")
        with np.errstate(all="ignore"):
            array = given.astype(dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadInput(f"'{name}' takes numbers: {error}") from None
    if dtype.kind in "iu" and not np.array_equal(array, given):
        raise BadInput(f"'{name}' is {dtype}, and not all of the numbers given are such")
    return array


def u32(value: int, what: str) -> int:
    return _unsigned(value, what, 32)


def u64(value: int, what: str) -> int:
    return _unsigned(value, what, 64)


def _unsigned(value: int, what: str, bits: int) -> int:
    try:
        number = value.__index__()
    except AttributeError:
        raise BadInput(f"{what} is {value!r}; a whole number is wanted") from None
    if not 0 <= number < 2**bits:
        raise BadInput(f"{what} is {number}; 0 to 2^{bits} - 1 is wanted")
    return number


def place_of(rect: Optional[Sequence[int]]) -> Optional[lib.Rectangle]:
    if rect is None:
        return None
    try:
        x, y, width, height = rect
    except (TypeError, ValueError):
        raise BadInput(f"rect is {rect!r}; (x, y, width, height) is wanted") from None
    return lib.Rectangle(u32(x, "x"), u32(y, "y"), u32(width, "width"), u32(height, "height"))
