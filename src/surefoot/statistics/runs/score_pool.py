"""The scores of one algorithm as the resampling kernels take them: task by task, and pooled in ascending order."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers


class ScorePool(NamedTuple):
    """Scores of one algorithm on M tasks, n in all.

    tasks : the tasks' names
    scores : float64[n], task after task; ascending within a task unless the order of the runs was to be kept
    ranks : uint32[n], where each of the scores stands among `values`
    values : float64[n], all scores, ascending
    starts, sizes : int64[M], where the scores of a task begin, and how many there are
    """

    tasks: tuple[Any, ...]
    scores: Floats
    ranks: npt.NDArray[np.uint32]
    values: Floats
    starts: Integers
    sizes: Integers

    def task_scores(self) -> list[Floats]:
        """The scores of each task, float64[N_m] each."""
        return np.split(self.scores, self.starts[1:])

    def task_weights(self, draws: Integers | None = None) -> Floats:
        """float64[n] in the order of `values`: 1 / (M N_m) for a score of task m, of which N_m are drawn."""
        weights = np.empty(self.scores.size)
        drawn = self.sizes if draws is None else draws
        weights[self.ranks] = np.repeat(1.0 / (self.sizes.size * drawn), self.sizes)
        return weights


Scores = Floats | Sequence[Floats]
GREATEST = 1e150
"""Sums of squares of many greater scores are no finite numbers."""


def score_pool(scores: Scores, tasks: Sequence[Any] | None = None, keep_order: bool = False) -> ScorePool:
    """The scores of one algorithm, ready to be resampled.

    Parameters
    ----------
    scores : float64[runs, tasks], or for each task an array of its scores, whose lengths may differ
    tasks : their names; their numbers if None
    keep_order : draws are numbers of runs as given, so that two pools can be resampled alike; if not, of the runs in
        ascending order of score, so that the order in which they are given changes nothing

    Raises
    ------
    ValueError : no task, a score that is not finite or beyond GREATEST; masked or complex scores
    """
    columns = task_columns(scores)
    tasks = tuple(range(len(columns))) if tasks is None else tuple(tasks)
    for name, column in zip(tasks, columns, strict=True):
        if not np.isfinite(column).all():
            raise HintedError(
                "scores",
                f"task {name}: run {int(np.flatnonzero(~np.isfinite(column))[0])} has the score "
                f"{column[~np.isfinite(column)][0]}",
                "drop the run or give it a value; scores are finite",
            )
        refuse_too_great(f"scores: task {name}", column)
    if not keep_order:
        columns = [np.sort(column) for column in columns]
    joined = np.concatenate(columns) + 0.0  # + 0.0 makes -0.0 and 0.0 the same bytes
    sizes = np.array([column.size for column in columns], np.int64)
    order = np.argsort(joined, kind="stable")
    ranks = np.empty(joined.size, np.uint32)
    ranks[order] = np.arange(joined.size, dtype=np.uint32)
    return ScorePool(tasks, joined, ranks, joined[order], np.cumsum(sizes) - sizes, sizes)


def as_array(given: Any) -> Any:
    """A NumPy array of what defines `__array__`, such as an array of JAX, PyTorch or xarray; anything else as it is.

    NumPy's own arrays, masked ones included, are left as they are, as are tables and columns of pandas.
    """
    if isinstance(given, np.ndarray) or not hasattr(given, "__array__") or type(given).__module__.startswith("pandas"):
        return given
    return np.asarray(given)


def task_columns(scores: Scores) -> list[Floats]:
    """The scores of each task, float64[runs] each, from a table of runs x tasks or from one array a task."""
    scores = as_array(scores)
    refuse_masked_or_complex("scores", scores)
    if isinstance(scores, np.ndarray):
        if scores.ndim != 2 or scores.shape[1] == 0:
            raise HintedError(
                "scores", f"an array of shape {scores.shape}", "runs x tasks, so a single task is scores[:, None]"
            )
        return list(np.asarray(scores, np.float64).T)
    columns = [np.asarray(column, np.float64) for column in scores]
    if not columns or any(column.ndim != 1 for column in columns):
        raise HintedError("scores", "not one list of scores a task", "an array runs x tasks, or one list a task")
    return columns


def refuse_too_great(where: str, scores: Floats, names: Sequence[Any] | None = None) -> None:
    """Raise a ValueError where a score, float64[runs], is so great that statistics of it overflow.

    names : of the runs; their numbers if None
    """
    beyond = np.flatnonzero(np.abs(scores) > GREATEST)
    if beyond.size:
        run = int(beyond[0]) if names is None else names[beyond[0]]
        raise HintedError(
            where,
            f"run {run} has the score {scores[beyond[0]]:g}, which overflows (at most {GREATEST:g})",
            "divide all scores by a power of ten, or correct what is not a score",
        )


def refuse_masked_or_complex(where: str, scores: Any) -> None:
    """Raise a ValueError where an array of numbers, or one of a list of arrays, has masked or complex values.

    NumPy would turn them into plain numbers: a masked value into what is below the mask, a complex one into its real
    part.
    """
    parts = scores if isinstance(scores, list | tuple) else [scores]
    for part in parts:
        if np.ma.is_masked(part):
            raise HintedError(
                where,
                f"{int(np.ma.getmaskarray(part).sum())} of {np.size(part)} values are masked",
                "a run without a score is left out, with one array per task such as column.compressed(); a run that "
                "failed needs the score it deserves",
            )
        unreal = _complex_value(part)
        if unreal is not None:
            raise HintedError(where, f"complex numbers such as {unreal}", "scores are real, such as scores.real")


def _complex_value(part: Any) -> Any:
    """A complex number among numbers, or None."""
    if isinstance(part, np.ndarray):
        return part.flat[0] if part.dtype.kind == "c" and part.size else None
    members = part if isinstance(part, list | tuple) else [part]
    return next((value for value in members if isinstance(value, complex | np.complexfloating)), None)
