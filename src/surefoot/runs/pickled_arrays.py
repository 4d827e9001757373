"""Read pickled mappings of arrays without executing anything.

A pickle may name any function, and may give any object any state: for example, the flags of a dtype determine whether
the bytes of an array are pointers. Therefore, no function named in a pickle is called. The functions that rebuild
arrays are replaced by substitutes, which accept only plain types and check that sizes agree.
"""

import io
import pickle
import pickletools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from surefoot.errors import InputError
from surefoot.runs.given_files import refuse_special

_PLAIN = re.compile(r"[<>|=]?(?:\?|b1|[bBhHiIlLqQefd]|[iu][1248]|f[248]|[OSU]\d{0,9})")
"""Codes of the allowed types of arrays: booleans, numbers, strings, and lists of them."""
_MOST_VALUES = 50_000_000


class _Kind:
    """Substitute for numpy.dtype that uses only its type code and byte order."""

    def __init__(self, code: object, *_: object):
        if not isinstance(code, str) or not _PLAIN.fullmatch(code):
            raise pickle.UnpicklingError(f"arrays of the type {str(code)[:80]!r} are not read")
        self.type = np.dtype(code)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if state[1] in ("<", ">", "="):
            self.type = self.type.newbyteorder(state[1])


class _Array(np.ndarray):
    """Array that validates its pickled state."""

    def __setstate__(self, state: Any) -> None:
        _, shape, kind, fortran, data = state
        # Numpy checks that the size of the data matches the shape, and that objects are in a list.
        super().__setstate__((1, _shape(shape), kind.type, bool(fortran), data))  # type: ignore[arg-type]


def _shape(shape: object) -> tuple[int, ...]:
    if not isinstance(shape, tuple) or not all(type(size) is int and 0 <= size < 1 << 40 for size in shape):
        raise pickle.UnpicklingError("the shape of an array is not a tuple of sizes")
    return shape


class _ArrayUnpickler(pickle.Unpickler):
    """Unpickler that can only rebuild arrays, using the substitutes of this module."""

    def find_class(self, module: str, name: str) -> Any:
        stands_for = {
            ("_codecs", "encode"): self._encoded,
            ("numpy", "dtype"): _Kind,
            ("numpy", "ndarray"): None,
            ("numpy.core.numeric", "_frombuffer"): self._from_buffer,
            ("numpy.core.multiarray", "_reconstruct"): lambda *_: _Array(0),
            ("numpy.core.multiarray", "scalar"): self._scalar,
        }
        key = (str(module).replace("numpy._core", "numpy.core"), str(name))
        if key not in stands_for:
            raise pickle.UnpicklingError(f"{module}.{name} is not needed to rebuild an array")
        return stands_for[key]

    def _encoded(self, text: str, encoding: str = "latin1") -> bytes:
        if encoding not in ("latin1", "bytes"):
            raise pickle.UnpicklingError(f"the encoding {encoding!r} is not needed to rebuild an array")
        return text.encode("latin1")

    def _from_buffer(self, data: bytes, kind: _Kind, shape: object, order: str) -> npt.NDArray[Any]:
        return np.frombuffer(bytes(data), kind.type).reshape(_shape(shape), order="F" if order == "F" else "C").copy()

    def _scalar(self, kind: _Kind, data: bytes) -> Any:
        (value,) = np.frombuffer(data, kind.type)
        return value


def npy_header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return (shape, type) of the array in a .npy file, leaving the file at the beginning of the data."""
    read = npy.read_array_header_1_0 if npy.read_magic(file) == (1, 0) else npy.read_array_header_2_0
    shape, _, kind = read(file)
    return shape, kind


def read_pickled(path: Path) -> Mapping[str, Any]:
    """Read a pickled mapping of arrays, numbers, strings and lists from a pickle, or from a .npy file of one object.

    Raises
    ------
    InputError
        if the file is not a pickle, is incomplete, contains anything else, or has nested lists too large for memory
    """
    refuse_special(path, str(path))
    with path.open("rb") as file:
        try:
            if path.suffix == ".npy":
                npy_header(file)
            pickled = file.read()
            _refuse_large_memo(pickled)
            content = _ArrayUnpickler(io.BytesIO(pickled)).load()
            if isinstance(content, np.ndarray) and content.shape == ():
                content = content.item()
            values = _size(content, {})
        except Exception as error:  # a damaged pickle may raise any error
            what = f"not read, and nothing in it was run: {error}"
            hint = "use a pickled mapping of arrays; save other objects as Parquet, CSV or .npz"
            raise InputError(str(path), what, hint) from error
    if not isinstance(content, Mapping):
        raise InputError(str(path), f"it has a {type(content).__name__} instead of a mapping", "save {name: array}")
    if values > _MOST_VALUES:
        raise InputError(str(path), f"more than {_MOST_VALUES:,} values in lists", "save arrays instead of lists")
    return content


def _refuse_large_memo(pickled: bytes) -> None:
    """Raise an UnpicklingError for a memo index larger than the number of bytes, and thus of possible objects.

    The unpickler would allocate memory for all indices up to it.
    """
    for operation, argument, _ in pickletools.genops(pickled):
        if operation.name in ("PUT", "LONG_BINPUT") and isinstance(argument, int) and argument > len(pickled):
            raise pickle.UnpicklingError(f"it numbers an object {argument:,} and has {len(pickled):,} bytes")


def _size(value: object, sizes: dict[int, int]) -> int:
    """Return the number of values in nested lists and mappings, counting repetitions."""
    if not isinstance(value, Mapping | list | tuple):
        return 1
    if id(value) not in sizes:
        sizes[id(value)] = _MOST_VALUES + 1  # a value that contains itself exceeds the limit
        sizes[id(value)] = 1 + sum(
            _size(part, sizes) for part in (value.values() if isinstance(value, Mapping) else value)
        )
    return sizes[id(value)]
