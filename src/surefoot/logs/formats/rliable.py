"""Dictionaries as rliable has them: {algorithm: runs x tasks}, or runs x tasks x steps, in .npz, JSON or a pickle."""

import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from surefoot.build.errors import InputError
from surefoot.build.given_files import MOST_JSON, read_text
from surefoot.logs.curves import Curve, Notes, Place
from surefoot.logs.data_files import head, read_json, read_npz
from surefoot.logs.listing import below
from surefoot.pickled_arrays import read_pickled_arrays, read_pickled_mapping

DESCRIPTION = "dictionaries as rliable has them ({algorithm: runs x tasks [x steps]} in .npz, .json, .npy, .pkl)"
CONTAINS: tuple[str, ...] = ()
_PICKLES = (".pkl", ".pickle")
_HEADER = 100_000
"""Bytes of an array of which its header takes the first; numpy reads none that is as long."""


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A file with a mapping of arrays; a pickle, which is not opened for this, only if it is given itself."""
    return [Place(below(root, path.with_suffix("")), (path,)) for path in files if _is_dictionary(path, path == root)]


def _is_dictionary(path: Path, given: bool) -> bool:
    if path.suffix == ".json":
        return head(path).lstrip()[:1] == b"{" and b"[" in head(path) and _has_arrays(_json(path))
    if path.suffix == ".npz":
        return path.name != "evaluations.npz" and (given or _has_arrays_of_runs(path))
    if path.suffix in (*_PICKLES, ".npy"):
        return given
    return False


def _json(path: Path) -> object:
    try:
        return json.loads(read_text(path, str(path), MOST_JSON))
    except (ValueError, RecursionError):
        return None


def _has_arrays_of_runs(path: Path) -> bool:
    dimensions = dimensions_of_arrays(path)
    return bool(dimensions) and dimensions <= {2, 3}


def dimensions_of_arrays(path: Path) -> set[int]:
    """Of the arrays in a .npz or .npy file, by their headers, since they may be large; 0 of one that is not of numbers.
    None of a file that is damaged."""
    try:
        if path.suffix == ".npy":
            return {_dimensions(head(path))}
        with zipfile.ZipFile(path) as file:
            found = set()
            for name in file.namelist():
                with file.open(name) as member:
                    found.add(_dimensions(member.read(_HEADER)))
            return found
    except PermissionError:
        raise
    except Exception:  # a damaged archive raises whatever its broken parts lead to
        return set()


def _dimensions(begin: bytes) -> int:
    array = io.BytesIO(begin)
    read = npy.read_array_header_1_0 if npy.read_magic(array) == (1, 0) else npy.read_array_header_2_0
    shape, _, kind = read(array)
    return len(shape) if kind.kind in "fiu" else 0


def _has_arrays(found: object) -> bool:
    if not isinstance(found, Mapping) or not found:
        return False
    try:
        return all(np.asarray(value, np.float64).ndim in (2, 3) for value in found.values())
    except (TypeError, ValueError):
        return False


def _mapping(path: Path, shown: str, notes: Notes) -> Mapping[str, Any] | None:
    if path.suffix == ".json":
        found = read_json(path, shown, notes)
        return found if isinstance(found, Mapping) else None
    if path.suffix == ".npz":
        return read_npz(path, shown, notes)
    return read_pickled_arrays(path) if path.suffix == ".npy" else read_pickled_mapping(path)


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """A curve for each algorithm, task and run. Runs are numbered; where there are steps, these are numbered too.

    The arrays name no tasks, and their axes cannot be told apart by their shape: the names that are given say how many
    columns are tasks.
    """
    (path,) = place.paths
    found = _mapping(path, below(root, path), notes)
    if found is None:
        return
    if not _has_arrays(found):
        what = "it holds no mapping of arrays of two or three dimensions"
        raise InputError(str(path), what, "{algorithm: array of runs x tasks}")
    arrays = {str(name): np.asarray(value, np.float64) for name, value in found.items()}
    first, array = next(iter(arrays.items()))
    tasks = place.tasks
    if not tasks:
        what = f"its arrays name no tasks; that of {first} has the shape {array.shape}, of runs x tasks"
        raise InputError(str(path), what, f"--environment and the names of {array.shape[1]} tasks, separated by commas")
    for name, array in arrays.items():
        if array.shape[1] != len(tasks):
            swapped = array.shape[0] == len(tasks)
            what = f"{len(tasks)} tasks are named, and {name} has an array of shape {array.shape}, of runs x tasks"
            hint = "rows are runs and columns tasks: transpose it" if swapped else "a name for each column"
            raise InputError(str(path), what, hint)
        for task, environment in enumerate(tasks):
            for run, scores in enumerate(np.atleast_3d(array)[:, task]):
                told = {"algorithm": name, "environment": environment, "run": str(run)}
                steps = np.arange(scores.size, dtype=np.float64) if array.ndim == 3 else np.empty(0)
                episodes = np.ones(scores.size, np.int64)
                notes.kind_is_guessed = notes.points_are_numbered = True
                yield Curve(f"{place.name}/{name}", path, "eval", "score", steps, scores, episodes, told)
