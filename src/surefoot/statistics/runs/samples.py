"""The runs of a study as arrays: one sample of scores for every pair of an algorithm and an environment."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, listed
from surefoot.statistics.arrays import Booleans, Floats, Integers
from surefoot.statistics.ties import merge_ties

_LISTED = 5


class Samples(NamedTuple):
    """Samples of n algorithms in m environments.

    algorithms, environments : their names, in the order of their first appearance in the runs
    scores : float64, the scores of all pairs, those of one pair together and ascending; scores of an environment that
        are equal but for rounding are made equal to the last bit, so that whatever compares them sees the same ties
    starts : int64[n, m], where the scores of a pair begin
    sizes : int64[n, m], how many there are
    cells : int64[n, m], label of what really ran; algorithms with equal labels in an environment share one sample
    """

    algorithms: tuple[str, ...]
    environments: tuple[str, ...]
    scores: Floats
    starts: Integers
    sizes: Integers
    cells: Integers

    def pair(self, algorithm: int, environment: int) -> Floats:
        """Scores of algorithm number `algorithm` in environment number `environment`, ascending."""
        start = self.starts[algorithm, environment]
        return self.scores[start : start + self.sizes[algorithm, environment]]

    def smallest_size(self) -> int:
        """Number of runs of the pair that has the fewest."""
        return int(self.sizes.min())

    def tied(self) -> bool:
        """Whether any two runs in one environment have the same score; a shared sample counts once."""
        for j, distinct in enumerate(self.distinct_cells().T):
            scores = np.concatenate([self.pair(int(i), j) for i in np.flatnonzero(distinct)])
            if np.unique(scores).size < scores.size:
                return True
        return False

    def shared(self) -> Booleans:
        """bool[n, m, n]: is the sample of algorithm i in environment j the same as that of algorithm k?"""
        return self.cells[:, :, None] == self.cells.T[None, :, :]

    def distinct_cells(self) -> Booleans:
        """bool[n, m]: is the algorithm the first of those that share its sample in this environment?"""
        earlier = np.arange(len(self.algorithms))[:, None, None] > np.arange(len(self.algorithms))[None, None, :]
        return ~np.any(self.shared() & earlier, axis=2)

    def ordered_pairs(self) -> int:
        """Number of ordered pairs of distinct samples in all environments, each of which has a payoff."""
        distinct = self.distinct_cells().sum(axis=0)
        return int((distinct * (distinct - 1)).sum())


def score_range(samples: Samples, environment: int) -> tuple[float, float]:
    """Lowest and highest score of any algorithm in environment number `environment`."""
    scores = [samples.pair(i, environment) for i in range(len(samples.algorithms))]
    return min(x[0] for x in scores), max(x[-1] for x in scores)


def assemble(
    algorithms: Sequence[str], environments: Sequence[str], pairs: Sequence[Sequence[Floats]], cells: Integers
) -> Samples:
    """Samples from arrays.

    Parameters
    ----------
    algorithms, environments : n and m names
    pairs : pairs[i][j] are the scores of algorithm i in environment j, float64, in any order
    cells : int64[n, m], as in `Samples`
    """
    n, m = cells.shape
    sizes = np.array([pairs[i][j].size for j in range(m) for i in range(n)], np.int64)
    ends = np.cumsum(sizes)
    scores = np.empty(ends[-1])
    for j in range(m):
        for i in range(n):
            pair = scores[ends[j * n + i] - sizes[j * n + i] : ends[j * n + i]]
            pair[:] = pairs[i][j]
            pair.sort()
    return Samples(
        algorithms=tuple(algorithms),
        environments=tuple(environments),
        scores=_merged(scores, sizes.reshape(m, n)),
        starts=np.ascontiguousarray((ends - sizes).reshape(m, n).T),
        sizes=np.ascontiguousarray(sizes.reshape(m, n).T),
        cells=cells,
    )


def samples_from_runs(runs: pd.DataFrame) -> Samples:
    """Sort a run table into samples.

    Parameters
    ----------
    runs : one row per run, with columns algorithm, environment, score (finite numbers) and cell (the algorithm that
        really ran: two algorithms with the same cell in an environment are one sample)

    Raises
    ------
    ValueError : a score is not finite, a pair has no run, or algorithms that
        share a cell have different scores
    """
    algorithm, algorithms = pd.factorize(runs["algorithm"])
    environment, environments = pd.factorize(runs["environment"])
    score = runs["score"].to_numpy(np.float64)
    n, m = len(algorithms), len(environments)
    pair = environment.astype(np.int64) * n + algorithm
    names = [f"{a} in {e}" for e in environments for a in algorithms]
    _refuse(names, np.unique(pair[~np.isfinite(score)]), "scores that are not finite numbers")
    sizes = np.bincount(pair, minlength=n * m)
    _refuse(names, np.flatnonzero(sizes == 0), "no run")
    starts = np.cumsum(sizes) - sizes
    ascending = score[np.lexsort((score, pair))] + 0.0  # + 0.0 makes -0.0 and 0.0 the same bytes
    samples = Samples(
        algorithms=tuple(map(str, algorithms)),
        environments=tuple(map(str, environments)),
        scores=_merged(ascending, sizes.reshape(m, n)),
        starts=np.ascontiguousarray(starts.reshape(m, n).T),
        sizes=np.ascontiguousarray(sizes.reshape(m, n).T).astype(np.int64),
        cells=_cell_labels(runs, pair, names).reshape(m, n).T.copy(),
    )
    _check_shared(samples)
    return samples


def _merged(scores: Floats, sizes: Integers) -> Floats:
    """The scores of all pairs, environment after environment, with the ties of each environment merged.

    sizes : int64[m, n], numbers of runs. As merging keeps the order, the scores of a pair stay ascending.
    """
    ends = np.cumsum(sizes.sum(axis=1))[:-1]
    return np.concatenate([merge_ties(of_environment) for of_environment in np.split(scores, ends)])


def _cell_labels(runs: pd.DataFrame, pair: Integers, names: pd.Series) -> Integers:
    """int64[pairs]: number of the cell's name, the same in all runs of a pair."""
    label = pd.factorize(runs["cell"])[0].astype(np.int64)
    labels = np.empty(len(names), np.int64)
    labels[pair] = label
    _refuse(names, np.unique(pair[labels[pair] != label]), "more than one cell")
    return labels


def _check_shared(samples: Samples) -> None:
    first = samples.distinct_cells()
    for i, j in np.argwhere(~first):
        k = int(np.flatnonzero(samples.cells[:, j] == samples.cells[i, j])[0])
        if not np.array_equal(samples.pair(i, j), samples.pair(k, j)):
            names = f"{samples.algorithms[k]} and {samples.algorithms[i]} in {samples.environments[j]}"
            raise HintedError(
                "runs",
                f"{names} have the same cell but different scores",
                "a cell is one sample, shown under several names; give different samples different cells",
            )


def _refuse(names: Sequence[str], pairs: Any, what: str) -> None:
    if len(pairs):
        pairs_listed = listed([names[p] for p in pairs], _LISTED)
        raise HintedError("runs", f"{pairs_listed}: {what}", "every algorithm needs finite scores in every environment")
