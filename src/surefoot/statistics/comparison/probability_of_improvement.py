"""Probability of improvement: how often a run of X beats a run of Y on a task (Agarwal et al. 2021, section 4.3).

P(X > Y) is the mean over tasks of the fraction of pairs of runs in which X scores more, where ties count half. For each
task, it is the Mann-Whitney statistic (1947) divided by the number of pairs. Scores that differ only by rounding are
ties (see `statistics.arrays`).

Limits are computed without resamples, from placements or matched runs. The placement of a run of X is the fraction of
runs of Y that it beats, where ties count half, so P(X > Y) on a task is the mean placement of X. The variance of this
mean is estimated by s_X^2 / N + s_Y^2 / K, from the sample variances of the placements of both algorithms (Brunner and
Munzel, Biometrical Journal 42, 2000). The variance of the mean over tasks follows from the sum over tasks, with
Satterthwaite's degrees of freedom. The limits are symmetric on the scale log(P / (1 - P)): with 3 tasks and 20 runs,
they missed P = .99 in 2.5 % of simulated studies, and limits that are symmetric on the scale of P missed it in 20 %.

Two or three runs of a task often have equal placements, so that the error of the task would be close to 0. With 2 runs
on one of two tasks and 20 on the other, equal algorithms differed significantly in 35 % of 400 simulated data sets, and
with 2 runs on one of eight tasks and 20 on the others in 9 %. So the variance of a task with fewer runs than others is
at least the pooled variance of the placements of all tasks. With 2, 3 or 4 and 20 runs of two to eight tasks, equal
algorithms then differed significantly in 0 to 6 % of data sets.

If tasks share runs, the placements of a run on all tasks belong together, and the variance is the jackknife's, which
leaves out one run of all tasks at a time. With 3, 5 and 10 runs of 5 and 26 tasks, correlations of .3 and .5 between
tasks, and P = .5 and .8, the error rate was at most 6.5 % in 200 normal data sets of each kind, even if
`shared_run_findings.shared_runs` decides whether runs are shared. Treating the tasks as independent led to error rates
of up to 22 % (5 tasks) and 57 % (26 tasks).

With a single task, or if all placements are equal, placements do not show how uncertain P is, but matched runs do. If
runs of X are matched one to one with runs of Y, and ties are decided at random, the number of wins on a task is
binomial with the P of the task. The sum over tasks is at least as close to its mean as a binomial variate with the mean
P (Hoeffding, Annals of Mathematical Statistics 27, 1956), so the limits of `pbp_matchings` are valid for it with any
number of runs.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit
from scipy.special import expit, logit, stdtrit

from surefoot.statistics.arrays import RELATIVE, Floats, Integers, score_places
from surefoot.statistics.intervals.payoff_limits import hit_law, lower_limits
from surefoot.statistics.metrics.metric_catalogue import BLOCK
from surefoot.statistics.metrics.metric_kernels import add_counts
from surefoot.statistics.resampling.array_draws import worth_compiling
from surefoot.statistics.resampling.jackknife import whole_run_errors
from surefoot.statistics.resampling.resampling_kernels import draw_counts, greatest
from surefoot.statistics.resampling.stratified_bootstrap import blocks_together, few_counts, in_threads, resampling_keys
from surefoot.statistics.runs.samples import Scores, score_pool, task_columns
from surefoot.streams import stream_key


@njit(cache=True, nogil=True, error_model="numpy")
def improvement_replicates(
    places: tuple[Any, ...],
    x_sizes: Integers,
    y_sizes: Integers,
    x_keys: npt.NDArray[np.uint64],
    y_keys: npt.NDArray[np.uint64],
    block: int,
    found: Floats,
) -> None:
    """Fill `found`, float64[replicates], with P(X > Y) of the first replicates of a block.

    places : the ranks of `task_places`, concatenated over tasks, as one array for x and one for y
    x_sizes, y_sizes : int64[M], numbers of runs of each task
    x_keys, y_keys : results of `resampling_keys`
    """
    x_counts = np.empty((greatest(x_sizes), BLOCK), np.uint8)
    y_counts = np.empty((greatest(y_sizes), BLOCK), np.uint8)
    wins = np.empty(BLOCK)
    found[:] = 0.0
    x_end = y_end = 0
    for m in range(x_sizes.size):
        n = x_sizes[m]
        k = y_sizes[m]
        x_end = x_end + n
        y_end = y_end + k
        draw_counts(x_keys[m], block, n, n, x_counts[:n])
        draw_counts(y_keys[m], block, k, k, y_counts[:k])
        _twice_wins(places[0][x_end - n : x_end], places[1][y_end - k : y_end], x_counts, y_counts, wins)
        for r in range(found.size):
            found[r] += wins[r] / (2.0 * n * k)
    found /= x_sizes.size


@njit(cache=True, nogil=True, error_model="numpy")
def _twice_wins(
    x: npt.NDArray[Any], y: npt.NDArray[Any], x_counts: npt.NDArray[Any], y_counts: npt.NDArray[Any], wins: Floats
) -> None:
    """Fill `wins`, float64[BLOCK], with twice the number of pairs of drawn runs that x wins, where ties count half."""
    below = np.zeros(wins.size, np.int32)
    equal = np.empty(wins.size, np.int32)
    wins[:] = 0.0
    seen = 0
    for run in range(x.size):
        while seen < y.size and y[seen] < x[run]:
            add_counts(y_counts[seen], below)
            seen += 1
        if run == 0 or x[run] != x[run - 1]:
            equal[:] = 0
            tied = seen
            while tied < y.size and y[tied] == x[run]:
                add_counts(y_counts[tied], equal)
                tied += 1
        for r in range(wins.size):
            wins[r] += np.float64(x_counts[run, r]) * np.float64(2 * below[r] + equal[r])


class Improvement(NamedTuple):
    """The probability of improvement of X over Y.

    probability : P(X > Y), mean over tasks
    ties : fraction of pairs of runs that are tied, mean over tasks
    by_task : float64[M], P(X > Y) on each task
    """

    probability: float
    ties: float
    by_task: Floats


def probability_of_improvement(x: Scores, y: Scores, decimals: int | str | None = RELATIVE) -> Improvement:
    """Compute the probability of improvement P(X > Y), overall and on each task.

    Parameters
    ----------
    x, y : scores of two algorithms on the same tasks, float64[runs, tasks] each or one array per task
    decimals : precision at which scores tie; see `arrays.score_places`
    """
    by_task = []
    ties = []
    for a, b in task_places((x, y), decimals):
        below = np.searchsorted(b, a, side="left")
        equal = np.searchsorted(b, a, side="right") - below
        by_task.append((2 * below.sum() + equal.sum()) / (2 * a.size * b.size))
        ties.append(equal.sum() / (a.size * b.size))
    return Improvement(float(np.mean(by_task)), float(np.mean(ties)), np.array(by_task))


def replicate_improvement(
    x: Scores,
    y: Scores,
    n_resamples: int = 2_000,
    seed: int = 0,
    names: tuple[str, str] = ("x", "y"),
    tasks: Sequence[Any] | None = None,
    decimals: int | str | None = RELATIVE,
    threads: int = 1,
) -> Floats:
    """Return P(X > Y) of resamples, float64[replicates], which are drawn independently for each algorithm and task.

    See `probability_of_improvement` and `replicate_metrics` for the other parameters and errors. The two names must
    differ, since they identify the random streams. With the same seed and names, `replicate_metrics` uses the same
    resamples.
    """
    pools = [score_pool(scores, tasks) for scores in (x, y)]
    places = tuple(
        np.concatenate(column).astype(np.uint32) for column in zip(*task_places((x, y), decimals), strict=True)
    )
    keys = [resampling_keys(pool, seed, name) for pool, name in zip(pools, names, strict=True)]
    probabilities = np.empty(n_resamples)
    if not worth_compiling("improvement", sum(len(one) for one in places), n_resamples):

        def few(first: int, last: int) -> None:
            drawn = [
                np.split(few_counts(pool, pool.sizes, own, "runs", first, last).astype(np.float64), pool.starts[1:])
                for pool, own in zip(pools, keys, strict=True)
            ]
            probabilities[first:last] = _few_replicates(task_places((x, y), decimals), *drawn)

        in_threads(few, blocks_together(pools[0].scores.size, n_resamples), threads)
        return probabilities

    def part(first: int) -> None:
        rows = probabilities[first : first + BLOCK]
        improvement_replicates(places, pools[0].sizes, pools[1].sizes, keys[0], keys[1], first // BLOCK, rows)

    in_threads(part, range(0, n_resamples, BLOCK), threads)
    return probabilities


def _few_replicates(
    places: Sequence[Sequence[Integers]], x_counts: Sequence[Floats], y_counts: Sequence[Floats]
) -> Floats:
    """Return P(X > Y) of replicates with given draws, float64[replicates].

    Parameters
    ----------
    places : result of `task_places`
    x_counts, y_counts : float64[runs, replicates] of each task, how often each run was drawn
    """
    total = np.zeros(x_counts[0].shape[1])
    for (x, y), of_x, of_y in zip(places, x_counts, y_counts, strict=True):
        twice_wins = 2.0 * (x[:, None] > y) + (x[:, None] == y)
        # Whole numbers, so the order of additions does not matter.
        total += (of_x * (twice_wins @ of_y)).sum(axis=0) / (2.0 * x.size * y.size)
    return total / len(places)


def task_places(scores: Sequence[Scores], decimals: int | str | None) -> list[list[Integers]]:
    """Rank the sorted scores of each algorithm on each task; see `arrays.score_places`."""
    by_task = zip(*(score_pool(one).task_scores() for one in scores), strict=True)
    return [score_places(samples, decimals) for samples in by_task]


RunNames = Sequence[Sequence[Any]]
_COINS = 16
"""Number of random tie-breaks."""
_FEWEST_PAIRS = 4
"""Smallest number of pairs of runs on a task for which placements are used."""


class PlacementBounds(NamedTuple):
    """Input of `improvement_limits` for limits from placements.

    value : the estimated probability P
    error, degrees : standard error of log(P / (1 - P)), and its degrees of freedom
    """

    value: float
    error: float
    degrees: float


class MatchedBounds(NamedTuple):
    """Input of `improvement_limits` for limits from matched runs.

    laws : distributions of the number of wins, one for each way to split the runs; the final limits enclose the limits
        from each distribution
    value : a value that the limits must also enclose, or NaN
    """

    laws: Sequence[Floats]
    value: float


Bounds = PlacementBounds | MatchedBounds


def improvement_limits(bounds: Sequence[Bounds], confidence_levels: npt.ArrayLike) -> Floats:
    """Return limits (low, high) of probabilities of improvement, float64[bounds, 2].

    Parameters
    ----------
    bounds : results of `improvement_bounds` or `paired_improvement_bounds`
    confidence_levels : a number, or one number for each of the bounds
    """
    levels = np.broadcast_to(np.asarray(confidence_levels, np.float64), len(bounds))
    limits = np.empty((len(bounds), 2))
    laws: list[Floats] = []
    owners: list[int] = []
    for place, one in enumerate(bounds):
        if isinstance(one, MatchedBounds):
            limits[place] = one.value
            laws += one.laws
            owners += [place] * len(one.laws)
        else:
            reach = stdtrit(one.degrees, 0.5 + levels[place] / 2.0) * one.error
            limits[place] = expit(logit(one.value) - reach), expit(logit(one.value) + reach)
    if laws:
        beyond = (1.0 - levels[owners]) / 2.0
        np.fmin.at(limits[:, 0], owners, lower_limits(laws, beyond))
        np.fmax.at(limits[:, 1], owners, 1.0 - lower_limits([law[::-1] for law in laws], beyond))
    return limits


def improvement_bounds(
    x: Scores,
    y: Scores,
    decimals: int | str | None = RELATIVE,
    shared: tuple[RunNames | None, RunNames | None] = (None, None),
) -> Bounds:
    """Prepare the limits of the probability of improvement; `improvement_limits` computes them from the result.

    Matched runs are used if there is one task, a task with a single run, or no variance, otherwise placements. See
    `probability_of_improvement` for the other parameters and errors.

    shared : for x and for y, the names of the runs of each task, in the order of the scores, if tasks share the runs;
        else None. The variance is then the jackknife's, which leaves out one run of all tasks at a time, with N - 1
        degrees of freedom for N runs that all tasks have
    """
    places = task_places((x, y), decimals)
    of_x = [_placements(*pair) for pair in places]
    of_y = [_placements(b, a) for a, b in places]
    fewest = min(one.size for one in of_x + of_y)
    parts = [
        _own_runs(placements) if names is None else _whole_runs(placements, _in_order_of_scores(scores, names))
        for placements, scores, names in zip((of_x, of_y), (x, y), shared, strict=True)
    ]
    variances, freedom = (np.concatenate(part) for part in zip(*parts, strict=True))
    value = float(np.mean([one.mean() for one in of_x]))
    total = variances.sum()
    if len(places) == 1 or fewest == 1 or total == 0.0:
        if shared == (None, None):
            return _matched_bounds([places])
        # Tasks that share runs carry no more information than one of them.
        return _matched_bounds([[min(places, key=lambda pair: min(map(len, pair)))]], value)
    return _placement_bounds(value, variances, freedom, len(places))


def paired_improvement_bounds(
    x: Scores,
    y: Scores,
    decimals: int | str | None = RELATIVE,
    shared: RunNames | None = None,
) -> Bounds:
    """Prepare the limits of the probability of improvement for paired runs, such as runs with a common seed.

    The variance is computed from the placement of each run of X minus the placement of its partner (Konietschke and
    Pauly, Statistics and Computing 24, 2014), with Student's distribution and the degrees of freedom of paired t tests.
    Matched runs (X from one half of the pairs, Y from the other half) are used instead if all differences of placements
    are equal, or if there are at most three pairs on one task (or on tasks that share runs). Three pairs have so few
    possible placements that limits from the variance missed in up to 21 % of simulated data sets.

    Parameters
    ----------
    x, y : scores on the same tasks, one array per task, in the order of the pairs
    shared : names of the pairs of each task if tasks share the runs, else None
    """
    of_tasks = [score_places(pair, decimals) for pair in zip(task_columns(x), task_columns(y), strict=True)]
    differences = [_placements(a, b) - _placements(b, a) for a, b in of_tasks]
    value = float(np.mean([_placements(a, b).mean() for a, b in of_tasks]))
    variances, freedom = _own_runs(differences) if shared is None else _whole_runs(differences, shared)
    alone = len(of_tasks) == 1 or shared is not None
    few = alone and min(one.size for one in differences) < _FEWEST_PAIRS
    if not few and variances.sum() > 0.0 and 0.0 < value < 1.0:
        return _placement_bounds(value, variances, freedom, len(of_tasks))
    several = [pair for pair in of_tasks if pair[0].size > 1]
    if not several:
        return PlacementBounds(0.5, np.inf, 1.0)
    several = several if shared is None else [min(several, key=lambda pair: pair[0].size)]
    halves = [[(np.sort(a[one::2]), np.sort(b[other::2])) for a, b in several] for one, other in ((0, 1), (1, 0))]
    return _matched_bounds(halves, value)


def _placement_bounds(value: float, variances: Floats, freedom: Floats, tasks: int) -> PlacementBounds:
    """Return bounds computed from variances of independent mean placements and from their degrees of freedom."""
    total = variances.sum()
    degrees = total**2 / np.sum(variances**2 / freedom)
    return PlacementBounds(value, np.sqrt(total) / tasks / (value * (1.0 - value)), degrees)


def _own_runs(placements: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the variance of the mean placement on each task, and its degrees of freedom.

    For tasks with fewer runs than others, the variance is at least the pooled variance of all placements; see the
    module docstring.
    """
    sizes = np.array([one.size for one in placements])
    freedom = np.maximum(sizes - 1.0, 1.0)
    separate = np.array([one.var() for one in placements]) / freedom
    pooled = (separate * sizes) @ freedom / freedom.sum() / sizes
    raised = (sizes < sizes.max()) & (separate < pooled)
    return np.where(raised, pooled, separate), np.where(raised, freedom.sum(), freedom)


def _whole_runs(placements: Sequence[Floats], names: RunNames) -> tuple[Floats, Floats]:
    """Return the jackknife variance of the sum of mean placements if tasks share runs, and its degrees of freedom."""
    moved: dict[Any, float] = {}
    for one, runs in zip(placements, names, strict=True):
        for name, placement in zip(runs, one, strict=True):
            moved[name] = moved.get(name, 0.0) + (one.mean() - placement) / max(one.size - 1.0, 1.0)
    error = whole_run_errors(np.array([*moved.values()])[:, None])
    return error**2, np.array([max(len(set.intersection(*map(set, names))) - 1.0, 1.0)])


def _in_order_of_scores(scores: Scores, names: RunNames) -> list[list[Any]]:
    """Return the names of the runs of each task in ascending order of their scores, like placements."""
    return [
        [runs[place] for place in np.argsort(column, kind="stable")]
        for column, runs in zip(task_columns(scores), names, strict=True)
    ]


def _matched_bounds(ways: Sequence[Sequence[Sequence[Integers]]], value: float = np.nan) -> MatchedBounds:
    """Return bounds from matched runs.

    Parameters
    ----------
    ways : for each way to split the runs before matching, the ranks of the runs of X and of Y on each task (see
        `arrays.score_places`)
    value : a value that the limits must also enclose, or NaN
    """
    laws = []
    for places in ways:
        tied = any(np.intersect1d(x, y).size for x, y in places)
        law = _law_of_hits(places, _COINS if tied else 1)
        if tied:
            # Average with the reversed law of Y against X, so that the limits of P(Y > X) mirror those of P(X > Y).
            law = (law + _law_of_hits([(y, x) for x, y in places], _COINS)[::-1]) / 2.0
        laws.append(law)
    return MatchedBounds(laws, value)


def _law_of_hits(places: Sequence[Sequence[Integers]], coins: int) -> Floats:
    """Return the distribution of the total number of wins of matched runs, averaged over `coins` random tie-breaks."""
    rng = np.random.default_rng(stream_key(0, "ties of matched runs"))
    laws = []
    for _ in range(coins):
        of_tasks = []
        for x, y in places:
            a = x + 0.5 * rng.random(x.size)
            b = y + 0.5 * rng.random(y.size)
            of_tasks.append(hit_law(np.sort(a), np.sort(b)))
        laws.append(reduce(np.convolve, of_tasks))
    return np.mean(laws, axis=0)


def _placements(one: Integers, other: Integers) -> Floats:
    """Return the fraction of the other algorithm's runs that each run beats, where ties count half."""
    ordered = np.sort(other)
    below, up_to = (np.searchsorted(ordered, one, side) for side in ("left", "right"))
    return (below + up_to) / (2.0 * other.size)


def rank_distributions(scores: Sequence[Scores]) -> Floats:
    """Return the exact distribution of the rank of each algorithm on each task, if one run of each is drawn at random.

    Parameters
    ----------
    scores : for each of k algorithms, on the same M tasks, float64[runs, tasks] or one array per task

    Returns
    -------
    float64[M, k, k], entry [m, a, r] is the probability that algorithm a has rank r + 1 on task m; rows and columns sum
    to 1
    """
    return np.array([_task_distribution(samples) for samples in task_places(scores, RELATIVE)])


def _task_distribution(samples: list[Integers]) -> Floats:
    k = len(samples)
    distribution = np.zeros((k, k))
    for a, places in enumerate(samples):
        joint = np.zeros((places.size, k, k))  # by run, number of rivals above it, number tied with it
        joint[:, 0, 0] = 1.0
        for rival in samples[:a] + samples[a + 1 :]:
            lower = np.searchsorted(rival, places, side="left") / rival.size
            upper = np.searchsorted(rival, places, side="right") / rival.size
            lower, above, tied = (p[:, None, None] for p in (lower, 1.0 - upper, upper - lower))
            before = joint
            joint = joint * lower
            joint[:, 1:] += before[:, :-1] * above
            joint[:, :, 1:] += before[:, :, :-1] * tied
        mean = joint.mean(axis=0)
        for better in range(k):
            for ties in range(k - better):
                distribution[a, better : better + ties + 1] += mean[better, ties] / (ties + 1)
    return distribution
