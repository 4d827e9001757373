"""Arrays of the scores of a study.

`Samples` holds one sample of scores for each pair of algorithm and environment. `ScorePool` holds the scores of one
algorithm in the layout that the resampling kernels use.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import HintedError, listed
from surefoot.statistics.arrays import Booleans, Floats, Integers, merge_ties


class Samples(NamedTuple):
    """Samples of scores of n algorithms in m environments.

    algorithms, environments : names, in order of first appearance in the runs
    scores : scores[j][i] holds the ascending scores of algorithm i in environment j, float64. Scores of an environment
        that are equal up to rounding are bitwise equal, so that all comparisons have the same ties
    sizes : int64[n, m], sample sizes
    cells : int64[n, m], labels of samples; algorithms with equal labels in an environment share one sample, because
        only one of them was run
    """

    algorithms: tuple[str, ...]
    environments: tuple[str, ...]
    scores: tuple[list[Floats], ...]
    sizes: Integers
    cells: Integers

    def pair(self, algorithm: int, environment: int) -> Floats:
        """Return the scores of algorithm number `algorithm` in environment number `environment`, ascending."""
        return self.scores[environment][algorithm]

    def tied(self) -> bool:
        """Return True if two different runs in one environment have the same score."""
        for scores, distinct in zip(self.scores, self.distinct_cells().T, strict=True):
            distinct_scores = np.concatenate([one for one, first in zip(scores, distinct, strict=True) if first])
            if np.unique(distinct_scores).size < distinct_scores.size:
                return True
        return False

    def shared(self) -> Booleans:
        """Return bool[n, m, n]; entry [i, j, k] is True if algorithms i and k share their sample in environment j."""
        return self.cells[:, :, None] == self.cells.T[None, :, :]

    def distinct_cells(self) -> Booleans:
        """Return bool[n, m]; False for algorithms that share the sample of an earlier algorithm in an environment."""
        earlier = np.arange(len(self.algorithms))[:, None, None] > np.arange(len(self.algorithms))[None, None, :]
        return ~np.any(self.shared() & earlier, axis=2)


def score_range(samples: Samples, environment: int) -> tuple[float, float]:
    """Return the lowest and highest score of any algorithm in environment number `environment`."""
    scores = samples.scores[environment]
    return min(x[0] for x in scores), max(x[-1] for x in scores)


def assemble(
    algorithms: Sequence[str], environments: Sequence[str], pairs: Sequence[Sequence[Floats]], cells: Integers
) -> Samples:
    """Build `Samples` from arrays.

    Parameters
    ----------
    algorithms, environments : sequence of str
        n and m names.
    pairs : pairs[i][j] is float64[runs]
        Scores of algorithm i in environment j, in any order.
    cells : int64[n, m]
        As in `Samples`.
    """
    sizes = np.array([[scores.size for scores in row] for row in pairs], np.int64)
    # Merging ties keeps the order, so the scores of a pair stay ascending. Adding 0.0 turns -0.0 into 0.0.
    merged = [merge_ties(np.concatenate([*map(np.sort, column)]) + 0.0) for column in zip(*pairs, strict=True)]
    scores = tuple(np.split(of_all, np.cumsum(ends)[:-1]) for of_all, ends in zip(merged, sizes.T, strict=True))
    return Samples(tuple(map(str, algorithms)), tuple(map(str, environments)), scores, sizes, cells)


def samples_from_runs(runs: pd.DataFrame) -> Samples:
    """Convert a run table to `Samples`.

    Parameters
    ----------
    runs : DataFrame
        One row per run, with columns algorithm, environment, score (finite numbers) and cell (name of the sample;
        algorithms with the same cell in an environment share one sample).

    Raises
    ------
    ValueError
        If a score is not finite, a pair has no run, or algorithms that share a cell have different scores.
    """
    algorithm, algorithms = pd.factorize(runs["algorithm"])
    environment, environments = pd.factorize(runs["environment"])
    score = runs["score"].to_numpy(np.float64)
    n = len(algorithms)
    m = len(environments)
    pair = environment.astype(np.int64) * n + algorithm
    names = [f"{a} in {e}" for e in environments for a in algorithms]
    _refuse(names, np.unique(pair[~np.isfinite(score)]), "some scores are not finite numbers")
    sizes = np.bincount(pair, minlength=n * m)
    _refuse(names, np.flatnonzero(sizes == 0), "there are no runs")
    label = pd.factorize(runs["cell"])[0].astype(np.int64)
    labels = np.empty(n * m, np.int64)
    labels[pair] = label
    _refuse(names, np.unique(pair[labels[pair] != label]), "the runs have more than one cell")
    by_pair = np.split(score[np.argsort(pair, kind="stable")], np.cumsum(sizes)[:-1])
    pairs = [by_pair[i::n] for i in range(n)]
    samples = assemble(algorithms, environments, pairs, labels.reshape(m, n).T.copy())
    first = samples.distinct_cells()
    for i, j in np.argwhere(~first):
        k = int(np.flatnonzero(samples.cells[:, j] == samples.cells[i, j])[0])
        if not np.array_equal(samples.pair(i, j), samples.pair(k, j)):
            both = f"{samples.algorithms[k]} and {samples.algorithms[i]} in {samples.environments[j]}"
            raise HintedError(
                "runs",
                f"{both} have the same cell but different scores",
                "algorithms with the same cell share one sample; give different samples different cells",
            )
    return samples


def _refuse(names: Sequence[str], pairs: Any, what: str) -> None:
    if len(pairs):
        pairs_listed = listed([names[p] for p in pairs])
        hint = "every algorithm needs runs of one cell with finite scores in every environment"
        raise HintedError("runs", f"{pairs_listed}: {what}", hint)


class ScorePool(NamedTuple):
    """The n scores of one algorithm on M tasks.

    tasks : names of the tasks
    scores : float64[n], task after task; ascending within a task, unless the order of runs was kept
    ranks : uint32[n], position of each score in `values`
    values : float64[n], all scores in ascending order
    starts, sizes : int64[M], index of the first score of each task, and number of scores of each task
    """

    tasks: tuple[Any, ...]
    scores: Floats
    ranks: npt.NDArray[np.uint32]
    values: Floats
    starts: Integers
    sizes: Integers

    def task_scores(self) -> list[Floats]:
        """Return the scores of each task m, float64[N_m]."""
        return np.split(self.scores, self.starts[1:])

    def task_weights(self, draws: Integers | None = None) -> Floats:
        """Return the weight of each score, float64[n], in the order of `values`.

        The weight is 1 / (M N_m) for a score of task m, where N_m is the number of scores drawn from the task (by
        default, the number of its scores).
        """
        weights = np.empty(self.scores.size)
        drawn = self.sizes if draws is None else draws
        weights[self.ranks] = np.repeat(1.0 / (self.sizes.size * drawn), self.sizes)
        return weights


Scores = Floats | Sequence[Floats]
GREATEST = 1e150
"""Largest allowed absolute score; sums of squares of larger scores would overflow."""


def score_pool(scores: Scores, tasks: Sequence[Any] | None = None, keep_order: bool = False) -> ScorePool:
    """Prepare the scores of one algorithm for resampling.

    Parameters
    ----------
    scores : float64[runs, tasks] or sequence of float64[runs]
        A table, or one array per task; their lengths may differ.
    tasks : sequence, optional
        Names of the tasks. Default: their numbers.
    keep_order : bool, default False
        If True, draws are indices of runs in the given order, so that two pools can be resampled with the same runs. If
        False, runs are sorted by score, so that the result does not depend on their order.

    Raises
    ------
    ValueError
        If there is no task, or a score is not finite or beyond GREATEST.
    """
    columns = task_columns(scores)
    tasks = tuple(range(len(columns))) if tasks is None else tuple(tasks)
    for name, column in zip(tasks, columns, strict=True):
        bad = np.flatnonzero(~(np.abs(column) <= GREATEST))
        if bad.size:
            raise HintedError(
                "scores",
                f"task {name}: run {bad[0]} has the score {column[bad[0]]:g}",
                f"scores must be finite and at most {GREATEST:g}: drop the run, set a score, or divide all scores",
            )
    if not keep_order:
        columns = [np.sort(column) for column in columns]
    joined = np.concatenate(columns) + 0.0  # turns -0.0 into 0.0
    sizes = np.array([column.size for column in columns], np.int64)
    order = np.argsort(joined, kind="stable")
    ranks = np.empty(joined.size, np.uint32)
    ranks[order] = np.arange(joined.size, dtype=np.uint32)
    return ScorePool(tasks, joined, ranks, joined[order], np.cumsum(sizes) - sizes, sizes)


def task_columns(scores: Scores) -> list[Floats]:
    """Return the scores of each task, float64[runs] each, from a table of runs x tasks or one array per task.

    Raises
    ------
    ValueError
        If the scores do not have either form.
    """
    if hasattr(scores, "__array__"):  # also arrays of JAX, PyTorch or xarray
        scores = np.asanyarray(scores)
        if scores.ndim != 2 or scores.shape[1] == 0:
            raise HintedError(
                "scores", f"got an array of shape {scores.shape}", "use runs x tasks; a single task is scores[:, None]"
            )
        return list(np.asarray(scores, np.float64).T)
    columns = [np.asarray(column, np.float64) for column in scores]
    if not columns or any(column.ndim != 1 for column in columns):
        raise HintedError(
            "scores", "expected one list of scores per task", "use an array of runs x tasks, or one list per task"
        )
    return columns
