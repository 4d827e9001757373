"""Coverage of intervals of metrics and of the evaluation game, by number of runs.

Tasks are fixed, as in a benchmark, and the truth is computed from the distributions of the tasks.

metric_intervals : intervals for one algorithm, with the same resamples for all methods. The method "percentile" is the
    interval of rliable, which is the stratified bootstrap with percentile limits (Agarwal et al. 2021, appendix A.5).
payoff_limits : limits of the payoffs of the evaluation game, and intervals of its aggregate scores, for normal, skewed,
    tied and nearly deterministic scores. There are four algorithms in two environments. The payoffs of each case are
    known in closed form (`true_payoffs`). A method fails on a data set if any of its limits misses.

A distribution of `payoff_limits` is a mixture of `simulated_scores.Part`. Payoffs depend only on the order of scores. A
mixture contains either normal components and points, or exponential components, which start at 0, and points below 0.
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy.special import log_ndtr

from surefoot.statistics.arrays import Floats, exceeds, typical_magnitude
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Outcome, Study, failure_table, tally
from surefoot.statistics.coverage.metric_coverage import limits_of_metrics
from surefoot.statistics.coverage.simulated_scores import (
    TASK_LAWS,
    Part,
    from_mixture,
    scores_of,
    true_values,
    uniform_numbers,
)
from surefoot.statistics.game.evaluation_game import play
from surefoot.statistics.intervals.bootstrap import bootstrap
from surefoot.statistics.intervals.estimation import limits_of_scores
from surefoot.statistics.intervals.interval_catalogue import RECOMMENDED, Options, remark
from surefoot.statistics.intervals.payoff_limits import pbp, pbp_matchings, pbp_t
from surefoot.statistics.metrics.metric_catalogue import FOUR_METRICS
from surefoot.statistics.resampling.interval_remarks import metric_remark
from surefoot.statistics.resampling.jackknife import standard_errors
from surefoot.statistics.resampling.replicate_intervals import METHODS
from surefoot.statistics.resampling.stratified_bootstrap import metric_values, replicate_metrics
from surefoot.statistics.runs.samples import Samples, assemble
from surefoot.streams import open_uniforms, stream_key

_RECOMMENDED = "student"
_THREE_LAWS = ("alike", "skewed", "failures")
_SIZES: list[tuple[int, int, tuple[str, ...]]] = [(runs, 10, TASK_LAWS) for runs in (2, 3, 5, 10)]
_SIZES += [(30, 10, _THREE_LAWS), (3, 26, ("different",)), (10, 26, ("different",))]
_SIZES += [(runs, 1, _THREE_LAWS) for runs in (3, 5, 10)]
_METRIC_CELLS = [
    {"name": f"{law}, {runs} runs of {tasks}", "law": law, "runs": runs, "tasks": tasks}
    for runs, tasks, laws in _SIZES
    for law in laws
]
"""Cases with ten tasks and each distribution, and with 26 tasks and one task for some distributions."""


def _cover_metrics(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count failures of each method and metric, and store the most frequent remark.

    Additional columns: remarked and failures_unremarked of `tally`.
    """
    subject = "metric intervals"
    shape = (cell["runs"], cell["tasks"])
    truth = true_values(cell["law"], cell["tasks"], FOUR_METRICS)
    outcomes = []
    for number in range(datasets):
        scores = scores_of(cell["law"], uniform_numbers(shape, seed, cell["name"], number))
        resample_seed = int(stream_key(seed, "trust", subject, cell["name"], number)[0])
        values = metric_values(scores, FOUR_METRICS)
        drawn = replicate_metrics(scores, FOUR_METRICS, n_resamples, resample_seed)
        errors = standard_errors(scores, FOUR_METRICS, "runs", drawn)
        scale = typical_magnitude(scores)
        for method in METHODS:
            limits = limits_of_metrics(method, scores, FOUR_METRICS, values, drawn, errors, [CONFIDENCE])[:, 0]
            for k, metric in enumerate(FOUR_METRICS):
                low, high = limits[k]
                # An interval that does not exist counts as a miss.
                missed = np.isnan(low) or exceeds(low, truth[k], scale) or exceeds(truth[k], high, scale)
                remark = metric_remark(method, metric, list(scores.T), CONFIDENCE, high - low)
                outcomes.append(Outcome(method, metric, missed, high - low, remark))
    rows = tally(outcomes, lambda row: row["method"] == _RECOMMENDED and not row["remark"], unremarked=True)
    return failure_table(subject, cell, datasets, rows, data=cell["law"], algorithms=1)


metric_intervals = Study(_METRIC_CELLS, _cover_metrics)


Law = list[Part]


def true_payoffs(laws: list[list[Law]]) -> Floats:
    """Compute the true payoffs, float64[n, m, n]: P(Y <= X) for X from laws[i][j] and Y from laws[k][j].

    The payoff of an algorithm against itself is 0.5.
    """
    n = len(laws)
    m = len(laws[0])
    z = np.full((n, m, n), 0.5)
    for i, j, k in np.ndindex(n, m, n):
        if k != i:
            parts = [(x, y) for x in laws[i][j] for y in laws[k][j]]
            z[i, j, k] = sum(x.weight * y.weight * _at_most(y, x) for x, y in parts)
    return z


def _at_most(y: Part, x: Part) -> float:
    """Compute P(Y <= X) for independent variates of two components."""
    laws = (y.law, x.law)
    if laws == ("point", "point"):
        return float(y.location <= x.location)
    if laws == ("exponential", "exponential"):
        return x.scale / (x.scale + y.scale)
    if "exponential" in laws:
        return float(y.law == "point")  # points are below 0, where exponential components start
    return float(np.exp(log_ndtr((x.location - y.location) / np.hypot(y.scale, x.scale))))


def draw_samples(laws: list[list[Law]], sizes: list[list[int]], seed: int, name: str, number: int) -> Samples:
    """Draw data set `number` of the case `name`, with sizes[i][j] scores from laws[i][j].

    Each sample has its own random stream, identified by the seed, the name of the case, i, j and the data set.
    """
    n = len(laws)
    m = len(laws[0])

    def scores(i: int, j: int) -> Floats:
        uniforms = open_uniforms(stream_key(seed, "trust", name, i, j), number, 2 * sizes[i][j])
        return from_mixture(laws[i][j], *uniforms.reshape(2, -1))

    pairs = [[scores(i, j) for j in range(m)] for i in range(n)]
    names = [f"algorithm {i}" for i in range(n)], [f"environment {j}" for j in range(m)]
    return assemble(*names, pairs, np.arange(n * m).reshape(n, m))


NOMINAL = 0.05
PAYOFFS = "all payoffs"
SCORES = "all scores"
_ROUNDING = 1e-12  # rounding error of payoffs near 0 and 1, which limits may reach
_MANY = 1000  # number of runs from which only a tenth of the data sets are drawn
_UNEQUAL = ((5, 1), (1, 2), (5, 1), (1, 2))


def _normal(mean: float, deviation: float = 1.0) -> Law:
    return [Part(1.0, "normal", mean, deviation)]


def _levels(*probabilities: float) -> Law:
    """Return a distribution of the scores 0, 1, ... with the given probabilities."""
    return [Part(probability, "point", score) for score, probability in enumerate(probabilities) if probability > 0]


def _success(probability: float) -> Law:
    return _levels(1.0 - probability, probability)


def _failing(mean: float, probability: float, deviation: float | None = None) -> Law:
    """Return a distribution of normal scores with failed runs, whose mean score is -10.

    deviation : standard deviation of failed runs; 0 by default
    """
    failed = Part(probability, "point" if deviation is None else "normal", -10.0, deviation or 0.0)
    return [failed, Part(1.0 - probability, "normal", mean, 1.0)]


LAWS: dict[str, list[list[Law]]] = {
    "normal": [[_normal(a), _normal(b)] for a, b in ((0, 0), (0.3, 0), (0.6, 0.5), (1, 0))],
    "unequal spreads": [[_normal(m, s), _normal(s, m + 0.1)] for m, s in ((0, 0.1), (0.2, 1), (0.4, 5), (0.6, 0.3))],
    "skewed": [
        [[Part(1.0, "exponential", 0.0, 1.0 / rate)] for rate in rates]
        for rates in ((1, 1), (0.8, 1), (0.5, 3), (0.2, 0.9))
    ],
    "ties": [
        [_levels(0.4, 0.3, 0.3), _levels(0.5, 0.5)],
        [_levels(0.3, 0.4, 0.3), _levels(0.3, 0.3, 0.4)],
        [_levels(0.2, 0.3, 0.5), _levels(0.1, 0.8, 0.1)],
        [_levels(0.1, 0.3, 0.6), _levels(0.2, 0.2, 0.6)],
    ],
    "two-point": [[_success(a), _success(b)] for a, b in ((0.5, 0.9), (0.6, 0.95), (0.8, 0.9), (0.9, 0.7))],
    "10 % failures": [[_failing(mean, 0.1), _failing(mean, 0.1)] for mean in (0, 0.5, 1, 2)],
    "1 to 5 % failures": [
        [_failing(mean, share, 1.0), _failing(-mean, share)]
        for mean, share in ((0, 0.01), (1, 0.02), (3, 0.05), (6, 0.01))
    ],
    "mixtures": [
        [
            [Part(weight, "normal", 0.0, 0.1), Part(1.0 - weight, "normal", 5.0, 1.0)],
            [Part(1.0 - weight, "normal", 0.0, 1.0), Part(weight, "normal", 3.0, 0.1)],
        ]
        for weight in (0.5, 0.3, 0.1, 0.9)
    ],
    "far apart": [[_normal(a), _normal(b)] for a, b in ((0, 0), (2, 1.5), (4, 3), (6, 4.5))],
    "nearly deterministic": [
        [_levels(0, 1), _levels(0, 0, 1)],
        [_success(0.99), _levels(0, 0.97, 0.03)],
        [_success(0.95), _levels(0, 0.5, 0.5)],
        [_success(0), _levels(0, 0.02, 0.98)],
    ],
    "deterministic": [
        [_levels(0, 1), _levels(1)],
        [_levels(0, 1), _levels(0, 1)],
        [_levels(1), _levels(0, 0, 1)],
        [_levels(0, 0, 1), _levels(0, 0, 1)],
    ],
}
"""Distributions of the scores, as LAWS[kind of data][algorithm][environment]."""


_CASES = [(data, runs, False, PAYOFFS) for data in LAWS for runs in (5, 10, 30, 100)]
_CASES += [(data, runs, False, PAYOFFS) for data in ("normal", "two-point", "1 to 5 % failures") for runs in (2, 3)]
_CASES += [(data, _MANY, False, PAYOFFS) for data in ("normal", "two-point", "1 to 5 % failures", "far apart")]
_CASES += [(data, runs, True, PAYOFFS) for data in ("normal", "two-point", "10 % failures") for runs in (5, 30)]
_CASES += [(data, 10, False, SCORES) for data in ("normal", "two-point", "10 % failures")]
_CELLS = [
    {
        "name": f"{target}: {data}, {runs}{' to ' + str(5 * runs) if unequal else ''} runs",
        "data": f"{data}, unequal numbers of runs" if unequal else data,
        "law": data,
        "runs": runs,
        "unequal": unequal,
        "target": target,
    }
    for data, runs, unequal, target in _CASES
]
"""Cases with different kinds of data, numbers of runs, and targets of the limits."""


def _cover(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count failures of each method, and average the widths of its limits.

    Only a tenth of the data sets are drawn for 1,000 runs, and a quarter for intervals of aggregate scores.
    """
    laws = LAWS[cell["law"]]
    runs = cell["runs"]
    of_scores = cell["target"] == SCORES
    datasets = max(datasets // (10 if runs >= _MANY else 4 if of_scores else 1), 1)
    sizes = [[runs * times for times in row] if cell["unequal"] else [runs, runs] for row in _UNEQUAL]
    drawn = [draw_samples(laws, sizes, seed, cell["name"], number) for number in range(datasets)]
    truth = true_payoffs(laws)
    limits_by_method = _score_limits(drawn, n_resamples, seed) if of_scores else _payoff_limits(drawn)
    truth = play(truth).scores if of_scores else truth
    compared = np.ones(truth.shape, bool) if of_scores else ~drawn[0].shared()
    rows = []
    for method, (low, high) in limits_by_method.items():
        missed = ((low > truth + _ROUNDING) | (high < truth - _ROUNDING)).reshape(datasets, -1).any(axis=1)
        row = {"method": method, "target": cell["target"], "failures": int(missed.sum())}
        row |= {"width": float((high - low)[:, compared].mean()), "recommended": method == RECOMMENDED}
        rows.append(row | {"remark": remark(method, "corrected", runs, drawn[0].tied())})
    about = {"data": cell["data"], "tasks": 2, "algorithms": 4, "nominal": NOMINAL}
    return failure_table("payoff limits", cell, datasets, rows, **about)


def _payoff_limits(drawn: list[Samples]) -> dict[str, tuple[Floats, Floats]]:
    """Compute limits (low, high) of the payoffs in each data set, float64[data sets, n, m, n] each, by method.

    All data sets are processed in one call, as further environments. Since delta is divided equally among environments,
    it is multiplied by the number of data sets, so that each data set has the nominal level.
    """
    n, m = drawn[0].sizes.shape
    pairs = [[samples.pair(i, j) for samples in drawn for j in range(m)] for i in range(n)]
    cells = np.arange(n * m * len(drawn)).reshape(n, m * len(drawn))
    joint = assemble(drawn[0].algorithms, tuple(map(str, range(m * len(drawn)))), pairs, cells)
    limits_by_method = {}
    for limits in (pbp_matchings, pbp, pbp_t):
        low, high = limits(joint, Options(NOMINAL * len(drawn)), "corrected")
        shape = n, len(drawn), m, n
        limits_by_method[limits.__name__] = low.reshape(shape).swapaxes(0, 1), high.reshape(shape).swapaxes(0, 1)
    return limits_by_method


def _score_limits(drawn: list[Samples], n_resamples: int, seed: int) -> dict[str, tuple[Floats, Floats]]:
    """Compute limits (low, high) of the aggregate scores in each data set, float64[data sets, n] each, by method."""
    limits_by_method = {}
    # Referring to the functions, instead of their names, makes their code part of the fingerprint.
    for method in (pbp_matchings.__name__, bootstrap.__name__):
        limits = [
            limits_of_scores(samples, method, Options(NOMINAL, seed + number, n_resamples), ("corrected",))["corrected"]
            for number, samples in enumerate(drawn)
        ]
        limits_by_method[method] = np.array([low for low, *_ in limits]), np.array([high for _, high, *_ in limits])
    return limits_by_method


payoff_limits = Study(_CELLS, _cover)
