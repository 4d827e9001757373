"""Pickled mappings of arrays, read without letting them run anything.

A pickle may name any function; this reader knows the ones that rebuild an array and refuses every other.
"""

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from surefoot.build.errors import InputError

_ALLOWED = {
    ("_codecs", "encode"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    *((f"numpy.{core}.numeric", "_frombuffer") for core in ("core", "_core")),
    *((f"numpy.{core}.multiarray", name) for core in ("core", "_core") for name in ("_reconstruct", "scalar")),
}


class _ArrayUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"{module}.{name} is not needed to rebuild an array")
        return super().find_class(module.replace("numpy.core", "numpy._core"), name)


def read_pickled_arrays(path: Path) -> Mapping[str, Any]:
    """The mapping in a .npy file of one object.

    Raises
    ------
    InputError
        where the file holds anything that an array is not made of, or no such object
    """
    with path.open("rb") as file:
        try:
            version = npy.read_magic(file)
            read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            shape, _, kind = read_header(file)
            if shape != () or kind != np.dtype(object):
                raise ValueError("it does not hold one mapping of arrays")
            content: npt.NDArray[Any] = _ArrayUnpickler(file).load()
        except (ValueError, EOFError, pickle.UnpicklingError) as error:
            raise InputError(str(path), f"not read: {error}", "compare its checksum with the published one") from None
    if content.shape != () or not isinstance(content.item(), Mapping):
        raise InputError(str(path), "it does not hold one mapping of arrays", "compare its checksum")
    mapping: Mapping[str, Any] = content.item()
    return mapping


def read_pickled_mapping(path: Path) -> Mapping[str, Any]:
    """The mapping in a file that is a pickle of it, of arrays, numbers, texts and lists of them.

    Raises
    ------
    InputError
        where the file holds anything else, is no pickle, or is not whole
    """
    with path.open("rb") as file:
        try:
            content = _ArrayUnpickler(file).load()
        except Exception as error:  # a damaged pickle raises whatever its broken instructions lead to
            what = f"not read, and nothing in it was run: {error}"
            hint = "a pickled mapping of arrays; save other objects as Parquet, CSV or .npz"
            raise InputError(str(path), what, hint) from None
    if not isinstance(content, Mapping):
        raise InputError(str(path), f"it holds a {type(content).__name__} and no mapping", "{name: array}")
    return content
