"""Arrays of learning curves, runs x points, of one algorithm in one environment a file, as vectorized trainings (JAX)
leave them: .npz with a key of steps, or .npy."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from surefoot.build.errors import InputError
from surefoot.logs.curves import STEPS, Curve, Notes, Place, chosen_metrics, returns_among, says_kind
from surefoot.logs.data_files import read_npz
from surefoot.logs.formats.rliable import dimensions_of_arrays
from surefoot.logs.listing import below

DESCRIPTION = "arrays of curves, runs x points (.npz with a key of steps, or .npy), of one algorithm and environment"
CONTAINS: tuple[str, ...] = ()
FALLBACK = STEPS_BY_NAME = True
_RUNS_AND_POINTS = 2


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A .npz with an array of two dimensions and one of one dimension, or a .npy of two dimensions, of numbers."""
    return [Place(below(root, path.with_suffix("")), (path,)) for path in files if _is_of_curves(path)]


def _is_of_curves(path: Path) -> bool:
    if path.suffix == ".npy":
        return dimensions_of_arrays(path) == {_RUNS_AND_POINTS}
    return (
        path.suffix == ".npz" and path.name != "evaluations.npz" and dimensions_of_arrays(path) >= {1, _RUNS_AND_POINTS}
    )


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """A curve for each row; without steps, points are numbered."""
    (path,) = place.paths
    arrays = read_npz(path, below(root, path), notes) if path.suffix == ".npz" else _single(path)
    if arrays is None:
        return
    steps = _steps(path, arrays, place.step, notes)
    curves = {name: array for name, array in arrays.items() if array.ndim == _RUNS_AND_POINTS}
    known = returns_among(curves)
    if len(curves) == 1 and not any(known.values()):
        known = {"train": tuple(curves)}
    for metric, kind in chosen_metrics(curves, asked, known, notes):
        array = curves[metric].astype(np.float64)
        at = np.arange(array.shape[1], dtype=np.float64) if steps is None else steps
        if array.shape[1] != at.size:
            what = f"{metric} has the shape {array.shape}, and there are {at.size} steps"
            hint = "rows are runs: transpose it" if array.shape[0] == at.size else "runs x steps"
            raise InputError(str(path), what, hint)
        notes.kind_is_guessed |= not says_kind(metric)
        for run, scores in enumerate(array):
            episodes = np.ones(at.size, np.int64)
            yield Curve(place.name, path, kind, metric, at, scores, episodes, {"run": str(run)})


def _single(path: Path) -> Mapping[str, npt.NDArray[Any]]:
    """The array of a .npy file, and the steps that a file beside it has, such as timesteps.npy."""
    try:
        found = {"score": np.load(path, allow_pickle=False)}
        named = [path.with_name(f"{name}.npy") for name in STEPS if "/" not in name]
        beside = next((file for file in named if file.is_file()), None)
        return found if beside is None else found | {beside.stem: np.load(beside, allow_pickle=False)}
    except (ValueError, EOFError):
        raise InputError(str(path), "not readable as an array", "is the file whole?") from None


def _steps(
    path: Path, arrays: Mapping[str, npt.NDArray[Any]], asked: str | None, notes: Notes
) -> npt.NDArray[np.float64] | None:
    lines = {name: array for name, array in arrays.items() if array.ndim == 1}
    if asked is not None and asked not in lines:
        what = f'no array "{asked}" of one dimension among {", ".join(arrays)}'
        raise InputError(str(path), what, f"--step one of {', '.join(lines)}" if lines else "leave --step out")
    name = asked or next((name for name in STEPS if name in lines), None)
    if name is None and lines:
        raise InputError(str(path), f"no array of steps among {', '.join(arrays)}", "name it by --step")
    if name is None:
        notes.remark("the arrays have no steps: points are numbered from 0")
        notes.points_are_numbered = True
        return None
    return lines[name].astype(np.float64)
