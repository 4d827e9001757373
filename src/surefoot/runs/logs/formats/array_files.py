"""Arrays in files: rliable's dictionaries, and arrays of learning curves.

A dictionary is {algorithm: runs x tasks [x steps]}. An array of learning curves has the shape runs x points and belongs
to one algorithm in one environment, as saved by vectorized training (JAX).
"""

import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import InputError, conjugated, counted
from surefoot.runs.columns.numbers import score_array
from surefoot.runs.columns.run_names import STEPS
from surefoot.runs.logs.log_files import head, read_json, read_npz
from surefoot.runs.logs.logged_curves import Curve, Floats, Place, Reading
from surefoot.runs.logs.metrics import chosen_metrics, returns_among, says_kind, steps_among
from surefoot.runs.logs.run_formats import run_format
from surefoot.runs.pickled_arrays import npy_header, read_pickled

_RUNS_AND_POINTS = 2
_OF_ONE_RUN = re.compile(r".+_.+_\d+")
"""Name of an array with one run, such as TD3_HalfCheetah-v2_0."""


def _is_dictionary(path: Path, given: bool) -> bool:
    if path.suffix == ".json":
        return head(path).lstrip()[:1] == b"{" and b"[" in head(path) and _has_arrays(read_json(path, Reading(path)))
    if path.suffix == ".npz" and path.name != "evaluations.npz":
        dimensions = _dimensions_of_arrays(path)
        return (given and not _is_of_curves(path)) or (bool(dimensions) and dimensions <= {2, 3})
    return given and path.suffix in (".pkl", ".pickle", ".npy") and not _is_of_curves(path)


def _dimensions_of_arrays(path: Path) -> set[int]:
    """Return the numbers of dimensions of the arrays in a .npz or .npy file, and 0 for arrays that are not numeric."""
    return {len(shape) if kind.kind in "fiu" else 0 for shape, kind in _headers(path).values()}


def other_types(path: Path) -> list[str]:
    """Return the names and types of the arrays in a .npz or .npy file that are not of real numbers."""
    return [f"{name} of the type {kind}" for name, (_, kind) in _headers(path).items() if kind.kind not in "fiu"]


def is_damaged(path: Path) -> bool:
    """Return True if a .npz or .npy file has no readable array."""
    return not _headers(path)


def _headers(path: Path) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
    """Return (shape, type) of the arrays in a file without loading them; {} for a damaged file."""
    try:
        if path.suffix == ".npy":
            with path.open("rb") as array:
                return {path.stem: npy_header(array)}
        with zipfile.ZipFile(path) as file:
            return {name.removesuffix(".npy"): npy_header(file.open(name)) for name in file.namelist()}
    except PermissionError:
        raise
    except Exception:  # a damaged archive may raise any error
        return {}


def _has_arrays(found: object) -> bool:
    if not isinstance(found, Mapping) or not found:
        return False
    try:
        arrays = [value if isinstance(value, np.ndarray) else np.asarray(value, np.float64) for value in found.values()]
        return all(array.ndim in (2, 3) for array in arrays)
    except (TypeError, ValueError):
        return False


@run_format(
    "rliable",
    "rliable's dictionaries ({algorithm: runs x tasks [x steps]} in .npz, .json, .npy, .pkl)",
    # Matches a file with a mapping of arrays. Pickles are not opened here, so one counts only if the user names it.
    lambda reading, files: reading.single_places(path for path in files if _is_dictionary(path, path == reading.root)),
)
def read_dictionary(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield a curve for each algorithm, task and run; runs and steps are numbered.

    The arrays do not name tasks, and their shape does not identify the axes, so the user must name the tasks, one for
    each column of the arrays.
    """
    (path,) = place.paths
    found: Any
    if path.suffix == ".npz":
        found = read_npz(path, reading)
    else:
        found = read_json(path, reading) if path.suffix == ".json" else read_pickled(path)
    if found is None:
        return
    if not _has_arrays(found):
        what = "it has no mapping of arrays with two or three dimensions"
        raise InputError(str(path), what, "save {algorithm: array of runs x tasks}")
    arrays = {str(name): score_array(str(path), str(name), value) for name, value in found.items()}
    first, array = next(iter(arrays.items()))
    tasks = reading.tasks
    if not tasks:
        what = f"its arrays do not name tasks; the array of {first} has the shape {array.shape}, of runs x tasks"
        raise InputError(
            str(path), what, f"use --environment with the names of {array.shape[1]} tasks, separated by commas"
        )
    for name, array in arrays.items():
        if array.shape[1] != len(tasks):
            swapped = array.shape[0] == len(tasks)
            what = f"{counted(len(tasks), 'task')} {conjugated('are', len(tasks))} named, but {name} has an array of "
            what += f"shape {array.shape}, of runs x tasks"
            hint = "rows must be runs and columns tasks: transpose it" if swapped else "give one name per column"
            raise InputError(str(path), what, hint)
        for task, environment in enumerate(tasks):
            for run, scores in enumerate(np.atleast_3d(array)[:, task]):
                labels = {"algorithm": name, "environment": environment, "run": str(run)}
                points = pd.DataFrame({"score": scores} | ({"step": range(scores.size)} if array.ndim == 3 else {}))
                reading.kind_is_guessed = reading.points_are_numbered = True
                yield Curve(f"{place.name}/{name}", path, "eval", "score", points, labels)


def _is_of_curves(path: Path) -> bool:
    """Return True if a file has learning curves, judged by the dimensions and names of its arrays.

    A .npy file has a two-dimensional array, or a one-dimensional array and the name of a run. A .npz file has arrays of
    both dimensions, or belongs to one run: then all arrays are one-dimensional, and one has a usual name for steps.
    """
    dimensions = _dimensions_of_arrays(path) if path.suffix in (".npy", ".npz") else set()
    if path.suffix == ".npz" and dimensions == {1}:
        return len(_headers(path)) > 1 and not set(STEPS).isdisjoint(_headers(path))
    if path.suffix == ".npy":
        return dimensions == {_RUNS_AND_POINTS} or (dimensions == {1} and bool(_OF_ONE_RUN.fullmatch(path.stem)))
    return path.name != "evaluations.npz" and dimensions >= {1, _RUNS_AND_POINTS}


@run_format(
    "run_arrays",
    "arrays of curves, runs x points (.npz with a key of steps, or .npy), of one algorithm and environment, or a .npy "
    "for each run, as TD3's authors write it",
    # Recognized by the dimensions of their arrays; files of single runs by their names.
    lambda reading, files: reading.single_places(path for path in files if _is_of_curves(path)),
    fallback=True,
    steps_by_name=True,
)
def read_run_arrays(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield a curve for each row; without steps, points are numbered."""
    (path,) = place.paths
    arrays = read_npz(path, reading) if path.suffix == ".npz" else _array_with_steps(path)
    if arrays is None:
        return
    is_of_one_run = _dimensions_of_arrays(path) == {1}
    steps = _steps_of_arrays(arrays, path, reading)
    curves = {name: array for name, array in arrays.items() if array.ndim == _RUNS_AND_POINTS}
    if is_of_one_run and not curves and steps is not None:
        curves = {name: array[None] for name, array in arrays.items() if array.size == steps.size and name not in STEPS}
    known = returns_among(curves)
    if len(curves) == 1 and not any(known.values()):
        known = {"train": tuple(curves)}
    for metric, kind in chosen_metrics(curves, reading, known):
        array = score_array(str(path), metric, curves[metric])
        reading.kind_is_guessed |= not says_kind(metric)
        if steps is not None:
            _refuse_other_length(array, steps, metric, path)
        for run, scores in enumerate(array):
            points = pd.DataFrame({"step": range(scores.size) if steps is None else steps, "score": scores})
            yield Curve(place.name, path, kind, metric, points, {} if is_of_one_run else {"run": str(run)})


def _refuse_other_length(array: Floats, steps: Floats, metric: str, path: Path) -> None:
    """Raise an InputError unless an array of runs x points has one point per step."""
    if array.shape[1] != steps.size:
        what = f"{metric} has the shape {array.shape}, and there are {steps.size} steps"
        hint = "rows must be runs: transpose it" if array.shape[0] == steps.size else "use an array of runs x steps"
        raise InputError(str(path), what, hint)


def _array_with_steps(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Read a .npy file as an array of runs x points, and files of steps next to it, such as timesteps.npy."""
    beside = [path.with_name(f"{name}.npy") for name in STEPS if "/" not in name]
    arrays: dict[str, npt.NDArray[Any]] = {
        file.stem: np.load(file, allow_pickle=False) for file in beside if file.is_file()
    }
    return arrays | {"score": np.atleast_2d(np.load(path, allow_pickle=False))}


def _steps_of_arrays(arrays: Mapping[str, npt.NDArray[Any]], path: Path, reading: Reading) -> Floats | None:
    """Return the steps of all curves, or None with a remark if points are numbered instead."""
    lines = {name: array for name, array in arrays.items() if array.ndim == 1}
    if lines or reading.step is not None:
        axis = steps_among(list(lines), reading, str(path))
        return score_array(str(path), axis, lines[axis])
    reading.remark("the arrays have no steps: points are numbered from 0")
    reading.points_are_numbered = True
    return None
