"""Pickled mappings of arrays, read without letting them run anything.

A pickle may name any function, and may give any object any state: the flags of a dtype, for one, say whether the bytes
of an array are pointers. So nothing that a pickle names is called. What rebuilds an array has a stand-in here, which
takes plain types and checks that sizes fit.
"""

import pickle
import re
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from surefoot.build.errors import InputError
from surefoot.build.given_files import refuse_special

_PLAIN = re.compile(r"[<>|=]?(?:\?|b1|[bBhHiIlLqQefd]|[iu][1248]|f[248]|[OSU]\d{0,9})")
"""Codes of the types that an array may have: truth values, numbers, texts, and lists of any of these."""
_MOST_VALUES = 50_000_000


class _Kind:
    """Stands for numpy.dtype: only its code and its byte order are heard."""

    def __init__(self, code: object, *_: object):
        if not isinstance(code, str) or not _PLAIN.fullmatch(code):
            raise pickle.UnpicklingError(f"arrays of the type {str(code)[:80]!r} are not read")
        self.type = np.dtype(code)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if state[1] in ("<", ">", "="):
            self.type = self.type.newbyteorder(state[1])


class _Array(np.ndarray):
    """An array whose state is checked before it is taken over."""

    def __setstate__(self, state: Any) -> None:
        _, shape, kind, fortran, data = state
        # Numpy checks that the data are as many as the shape says, and a list where they are objects.
        super().__setstate__((1, _shape(shape), kind.type, bool(fortran), data))  # type: ignore[arg-type]


def _shape(shape: object) -> tuple[int, ...]:
    if not isinstance(shape, tuple) or not all(type(size) is int and 0 <= size < 1 << 40 for size in shape):
        raise pickle.UnpicklingError("the shape of an array is no tuple of sizes")
    return shape


# The interpreter's reader in C makes room for as many remembered objects as a file names a number; this one does not.
class _ArrayUnpickler(pickle._Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        stands_for = {
            ("_codecs", "encode"): self._encoded,
            ("numpy", "dtype"): _Kind,
            ("numpy", "ndarray"): None,
            ("numpy.core.numeric", "_frombuffer"): self._from_buffer,
            ("numpy.core.multiarray", "_reconstruct"): lambda *_: _Array(0),
            ("numpy.core.multiarray", "scalar"): self._scalar,
        }
        known = (str(module).replace("numpy._core", "numpy.core"), str(name))
        if known not in stands_for:
            raise pickle.UnpicklingError(f"{module}.{name} is not needed to rebuild an array")
        return stands_for[known]

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
    """(shape, type) of the array in a .npy file that is open at its beginning, and then at the array's data."""
    read = npy.read_array_header_1_0 if npy.read_magic(file) == (1, 0) else npy.read_array_header_2_0
    shape, _, kind = read(file)
    return shape, kind


def read_pickled(path: Path) -> Mapping[str, Any]:
    """The mapping in a pickle of it, of arrays, numbers, texts and lists of them, or in a .npy file of that one object.

    Raises
    ------
    InputError
        for a file that is not a pickle, is not whole, or holds anything else, and for lists in it that repeat each
        other into more values than memory may hold
    """
    refuse_special(path, str(path))
    with path.open("rb") as file:
        try:
            if path.suffix == ".npy":
                npy_header(file)
            content = _ArrayUnpickler(file).load()
            if isinstance(content, np.ndarray) and content.shape == ():
                content = content.item()
            values = _size(content, {})
        except Exception as error:  # a damaged pickle raises whatever its broken instructions lead to
            what = f"not read, and nothing in it was run: {error}"
            hint = "a pickled mapping of arrays; save other objects as Parquet, CSV or .npz"
            raise InputError(str(path), what, hint) from error
    if not isinstance(content, Mapping):
        raise InputError(str(path), f"it holds a {type(content).__name__} and no mapping", "{name: array}")
    if values > _MOST_VALUES:
        raise InputError(str(path), f"more than {_MOST_VALUES:,} values in lists", "save arrays instead of lists")
    return content


def _size(value: object, known: dict[int, int]) -> int:
    """How many values a value is made of, in lists and mappings, each as often as it is repeated."""
    if not isinstance(value, Mapping | list | tuple):
        return 1
    if id(value) not in known:
        known[id(value)] = _MOST_VALUES + 1  # of one that is in itself
        known[id(value)] = 1 + sum(
            _size(part, known) for part in (value.values() if isinstance(value, Mapping) else value)
        )
    return known[id(value)]
