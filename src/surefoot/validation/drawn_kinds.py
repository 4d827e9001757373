"""Coverage of the default intervals, on randomly drawn kinds of studies.

The kinds are drawn by `kind` with the seed of the study. The intervals and remarks are those that the questions return
by default: Student's intervals of metrics; simultaneous Student's intervals of the pairwise differences of three equal
algorithms; the simultaneous band of performance profiles; the probability of improvement of two equal algorithms; and
the success rate of runs of one task, where each run has 20 trials with the run's score, clipped to [0, 1], as the
success probability. For comparison, there are percentile intervals of the metrics, which are those of rliable. Results
are quantiles over the kinds (see `kind_quantiles`).

Since kinds are drawn with a seed, nobody chooses the test set of an interval. Intervals are developed on the kinds of
seed 1. The published record uses another seed, which is not used in development, and anybody may use a third. Kind
number k of a seed does not depend on how many kinds are drawn.

A kind consists of a number of tasks (1, 2 to 5, 10 or 26) with 3, 5 or 10 runs each, or with different numbers of runs,
and a distribution for each task. The distributions are normal, lognormal (sigma 0.3 to 1.5), Student's t (2 to 5
degrees of freedom), beta (including U-shaped ones), mixtures of two normals, or successes (0 or 1), whose level and
spread may differ between tasks. In some kinds, a fraction of the runs collapse, score zero, or have equal scores, and
in some kinds a fraction of the tasks is saturated at 1. In most kinds, scores of a run on different tasks are
independent; in the other kinds, each run has an effect on all tasks, by a Gaussian copula that leaves the distribution
of each task unchanged.
"""

import functools
from collections.abc import Iterator
from inspect import unwrap
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri
from scipy.stats import binom

from surefoot.questions.aggregates import aggregate_metrics
from surefoot.questions.differences import pairwise_differences
from surefoot.questions.improvement import probability_of_improvement
from surefoot.questions.profiles import performance_profiles
from surefoot.statistics.arrays import Floats, exceeds, typical_magnitude
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Outcome, Study, failure_table, tally, usual
from surefoot.statistics.coverage.simulated_scores import Part, from_mixture, uniform_numbers
from surefoot.statistics.intervals.rate_limits import rate_limits
from surefoot.streams import stream_key

LAWS = ("normal", "lognormal", "t", "beta", "two normals", "successes")
_NODES = 2_000
_REACH = 8.3


class TaskLaw(NamedTuple):
    """Distribution of the scores of a task: a mixture whose values are clipped at `ceiling`."""

    parts: tuple[Part, ...]
    ceiling: float = np.inf


@functools.lru_cache(maxsize=64)
def points(law: TaskLaw) -> tuple[Floats, Floats]:
    """Represent the distribution of a task by scores and weights, float64[n] each.

    A score is a function of a standard normal variable z. Each component is evaluated at equally spaced z from -8.3 to
    8.3, with weights proportional to the normal density, which is also accurate in the tails.
    """
    z = np.linspace(-_REACH, _REACH, _NODES)
    density = np.exp(-0.5 * z * z)
    # Quantiles would be infinite for probabilities that round to 1.
    uniforms = np.minimum(ndtr(z), 1.0 - 2.0**-53)
    scores = np.concatenate([part.quantiles(uniforms) for part in law.parts])
    weights = np.concatenate([part.weight * density / density.sum() for part in law.parts])
    return np.minimum(scores, law.ceiling), weights


class Kind(NamedTuple):
    """Kind of study with sizes[m] runs of task m, whose scores have the distribution laws[m].

    number, seed : number of the kind, and seed with which it was drawn
    correlation : correlation between tasks in the Gaussian copula of the scores of a run
    described : description for tables
    """

    number: int
    seed: int
    sizes: tuple[int, ...]
    laws: tuple[TaskLaw, ...]
    correlation: float
    described: str

    def samples(self, seed: int, name: str, number: int) -> list[Floats]:
        """Draw data set `number` of the algorithm `name`, float64[runs] for each task; runs are matched by index."""
        runs = max(self.sizes)
        tasks = len(self.sizes)
        drawn = uniform_numbers((2, runs, tasks + 1), seed, f"family {self.seed}, {self.number}, {name}", number)
        shared = np.sqrt(self.correlation) * ndtri(drawn[..., :1])
        uniforms = ndtr(shared + np.sqrt(1.0 - self.correlation) * ndtri(drawn[..., 1:]))
        # The component of a score is independent of the position within it, so the distribution is the mixture.
        samples = []
        for m, (law, size) in enumerate(zip(self.laws, self.sizes, strict=True)):
            samples.append(np.minimum(from_mixture(law.parts, *uniforms[:, :size, m]), law.ceiling))
        return samples

    def true_values(self) -> dict[str, float]:
        """Return the true values of mean, median, iqm and optimality_gap; all tasks have the same weight."""
        represented = [points(law) for law in self.laws]
        means = [weights @ scores for scores, weights in represented]
        scores = np.concatenate([scores for scores, _ in represented])
        weights = np.concatenate([weights / len(self.sizes) for _, weights in represented])
        # The mean of the middle half of the mass.
        order = np.argsort(scores, kind="stable")
        ends = np.concatenate([[0.0], np.cumsum(weights[order])])
        inner = np.diff(np.clip(ends / ends[-1], 0.25, 0.75))
        return {
            "mean": float(np.mean(means)),
            "median": float(np.median(means)),
            "iqm": float(2.0 * inner @ scores[order]),
            "optimality_gap": float(weights @ np.maximum(1.0 - scores, 0.0)),
        }


class _Draws:
    """Random numbers that determine a kind, drawn one by one."""

    def __init__(self, seed: int, number: int) -> None:
        self._left: Iterator[float] = iter(uniform_numbers((1_000,), seed, "score family", number))

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * next(self._left)

    def chance(self, probability: float) -> bool:
        return next(self._left) < probability

    def one_of(self, *choices: Any) -> Any:
        return choices[int(len(choices) * next(self._left))]

    def normal(self) -> float:
        return float(ndtri(next(self._left)))


def kind(seed: int, number: int) -> Kind:
    """Draw the kind of study with a given seed and number."""
    draws = _Draws(seed, number)
    tasks = draws.one_of(1, int(draws.between(2, 6)), 10, 26)
    runs = draws.one_of(3, 5, 10)
    unequal = draws.chance(0.2) and tasks > 1
    sizes = [draws.one_of(3, 5, 10) for _ in range(tasks)] if unequal else [runs] * tasks
    law = draws.one_of(*LAWS)
    level_spread = draws.one_of(0.0, 1.0, 3.0)
    noise_spread = draws.one_of(0.0, 0.5, 1.0)
    location = draws.between(0.2, 1.2)
    scale = draws.between(0.1, 0.5)
    shape = (draws.between(0.3, 1.5), draws.between(2.0, 5.0), draws.between(0.2, 3.0), draws.between(0.2, 3.0))
    addition = draws.one_of("", "", "", "collapsed", "zero", "tied")
    share = draws.between(0.05, 0.35)
    saturated = draws.between(0.2, 0.8) if draws.chance(0.15) else 0.0
    correlation = draws.between(0.1, 0.5) if tasks > 1 and draws.chance(0.25) else 0.0
    laws = []
    for _ in range(tasks):
        level = location + level_spread * scale * draws.normal()
        noise = scale * np.exp(noise_spread * draws.normal())
        parts = _parts(law, level, noise, shape)
        fallen = {"collapsed": level - 6.0 * noise, "zero": 0.0, "tied": level}
        if addition:
            parts = [Part(share, "point", fallen[addition])] + [
                part._replace(weight=(1.0 - share) * part.weight) for part in parts
            ]
        laws.append(TaskLaw(tuple(parts), 1.0 if draws.chance(saturated) else np.inf))
    names = {"lognormal": f"lognormal({shape[0]:.2f})", "t": f"t({shape[1]:.1f})"}
    names["beta"] = f"beta({shape[2]:.1f}, {shape[3]:.1f})"
    described = [names.get(law, law)]
    described += [f"{100 * share:.0f} % {addition}"] if addition else []
    described += ["saturated tasks"] if any(np.isfinite(law.ceiling) for law in laws) else []
    described += ["tasks differ"] if level_spread and tasks > 1 else []
    described += ["unequal noise"] if noise_spread and tasks > 1 else []
    described += ["unequal numbers of runs"] if len(set(sizes)) > 1 else []
    described += [f"correlation {correlation:.2f}"] if correlation else []
    return Kind(number, seed, tuple(sizes), tuple(laws), correlation, ", ".join(described))


def _parts(law: str, level: float, noise: float, shape: tuple[float, ...]) -> list[Part]:
    """Return the components of the distribution of a task, without added runs; their weights sum to 1."""
    if law == "successes":
        rate = float(np.clip(level, 0.02, 0.98))
        return [Part(1.0 - rate, "point", 0.0), Part(rate, "point", 1.0)]
    if law == "two normals":
        return [Part(0.3, "normal", level - 2.0 * noise, noise), Part(0.7, "normal", level, 0.5 * noise)]
    if law == "beta":
        return [Part(1.0, "beta", level - noise, 2.0 * noise, shape[2:])]
    used = {"normal": (), "lognormal": shape[:1], "t": shape[1:2]}
    return [Part(1.0, law, level, noise, used[law])]


_SUBJECT = "drawn kinds"
KINDS = 300
_NAMES = ("a", "b", "c")
_THRESHOLDS = 31
_TRIALS = 20
_DISCRETE = 1e-3
"""Largest error of a true profile, which is computed from the discrete distribution `points`."""


_CELLS = [{"name": f"kind {number}", "number": number} for number in range(KINDS)]
"""One case per random kind of data set."""


def _cover(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count failures of each interval; only every fourth data set has comparisons, since they take most of the time.

    Additional columns: remarked and failures_unremarked of `tally`; no_width (number of data sets in which the interval
    has zero width); no_width_unremarked (the same without a remark); and relative_width (mean width, divided by the
    width of a normal interval with the standard deviation of the estimate over data sets; NaN if this is 0 or unknown).
    """
    drawn = kind(seed, cell["number"])
    truths = drawn.true_values()
    grid, profile = _profile(drawn)
    several = [
        [drawn.samples(seed, name, number) for name in _NAMES[: 1 + 2 * (number % 4 == 0)]]
        for number in range(datasets)
    ]
    question_seed = int(stream_key(seed, "trust", _SUBJECT, cell["name"])[0] % 2**31)
    outcomes: list[Outcome] = []
    values: dict[tuple[str, str], list[float]] = {}
    # The undecorated function of a question takes validated tables by name. Each has separate random streams and a
    # separate test for shared runs.
    sets = {f"{number}": _table(samples[:1]) for number, samples in enumerate(several)}
    intervals = unwrap(aggregate_metrics)(
        sets, methods=("student", "percentile"), n_resamples=n_resamples, seed=question_seed
    )
    for row in intervals.table().to_dict("records"):
        scale = typical_magnitude(np.concatenate(several[int(row["scores"])][0]))
        missed = _misses(row, truths[row["metric"]], scale)
        width = row["high"] - row["low"]
        outcomes.append(Outcome(row["method"], row["metric"], missed, width, row["remark"]))
        values.setdefault((row["method"], row["metric"]), []).append(row["estimate"])
    bands = unwrap(performance_profiles)(sets, thresholds=tuple(grid), n_resamples=2, seed=question_seed)
    remarks = dict(bands.notes().query("band == 'simultaneous'")[["scores", "note"]].to_numpy())
    for name, band in bands.table().groupby("scores", sort=False):
        missed = bool(((profile < band["band_low"] - _DISCRETE) | (profile > band["band_high"] + _DISCRETE)).any())
        width = float((band["band_high"] - band["band_low"]).mean())
        outcomes.append(Outcome("simultaneous", "whole profile", missed, width, remarks.get(name, "")))
    scores, weights = points(drawn.laws[0])
    rate = float(weights @ np.clip(scores, 0.0, 1.0))
    for number, samples in enumerate(several):
        uniforms = uniform_numbers((drawn.sizes[0],), seed, cell["name"], number)
        successes = binom.ppf(uniforms, _TRIALS, np.clip(samples[0][0], 0.0, 1.0))
        low, high, _ = rate_limits(successes, np.full(successes.size, float(_TRIALS)), CONFIDENCE)
        missed = bool(rate < low or rate > high)
        outcomes.append(Outcome("Gaffke", "success rate", missed, high - low, ""))
        if len(samples) > 1:
            outcomes += _compared(f"{number}", _table(samples), n_resamples, question_seed)
    rows = tally(outcomes, lambda row: row["method"] != "percentile", unremarked=True)
    by_interval = pd.DataFrame(outcomes).groupby(["method", "target"], sort=False)
    for row, (key, group) in zip(rows, by_interval, strict=True):
        empty = group["width"].to_numpy() <= 0.0
        row |= {"datasets": len(group), "tasks": 1 if row["target"] == "success rate" else len(drawn.sizes)}
        row |= {"algorithms": {"P(X > Y)": 2}.get(row["target"], 3 if "differences" in row["target"] else 1)}
        row |= {"no_width": int(empty.sum()), "no_width_unremarked": int((empty & (group["remark"] == "")).sum())}
        estimates = values.get(key, [])
        oracle = 2.0 * 1.959964 * float(np.std(estimates, ddof=1)) if len(estimates) > 1 else np.nan
        row["relative_width"] = row["width"] / oracle if oracle > 1e-12 else np.nan
    return failure_table(_SUBJECT, cell, datasets, rows, data=drawn.described, runs=min(drawn.sizes))


def _compared(name: str, table: pd.DataFrame, n_resamples: int, seed: int) -> list[Outcome]:
    """Compare three equal algorithms."""
    scale = typical_magnitude(table["score"].to_numpy())
    sets = {name: table}
    pairs = unwrap(pairwise_differences)(sets, metrics=("iqm", "mean"), n_resamples=n_resamples, seed=seed)
    outcomes: list[Outcome] = []
    for metric, rows in pairs.table().groupby("metric"):
        missed = any(_misses(row, 0.0, scale) for row in rows.to_dict("records"))
        # The most frequent remark on any pair, and the smallest width, to notice intervals without width.
        remark = usual([text for text in rows["remark"] if text] or [""])
        width = (rows["high"] - rows["low"]).min()
        outcomes.append(Outcome("student", f"{metric} differences", missed, width, remark))
    result = unwrap(probability_of_improvement)(sets, pairs=(_NAMES[:2],), n_resamples=n_resamples, seed=seed)
    (row,) = result.table().to_dict("records")
    remark = "; ".join(result.notes()["note"])
    width = row["high"] - row["low"]
    return [*outcomes, Outcome("default", "P(X > Y)", _misses(row, 0.5, 1.0), width, remark)]


def _misses(row: dict[str, Any], truth: float, scale: float) -> bool:
    """Return True if an interval misses the truth; a missing interval, which has a remark, does not."""
    return bool(exceeds(row["low"], truth, scale) or exceeds(truth, row["high"], scale))


def _table(several: list[list[Floats]]) -> pd.DataFrame:
    """Create a table of runs from scores, float64[runs] for each task of each algorithm."""
    parts = [
        pd.DataFrame({"algorithm": name, "environment": f"{task}", "run": range(len(scores)), "score": scores})
        for name, tasks in zip(_NAMES, several, strict=False)
        for task, scores in enumerate(tasks)
    ]
    return pd.concat(parts, ignore_index=True)


def _profile(drawn: Kind) -> tuple[Floats, Floats]:
    """Return thresholds between the 2 % and 98 % quantiles of all scores, and the true profile at the thresholds."""
    represented = [points(law) for law in drawn.laws]
    scores, weights = (np.concatenate(part) for part in zip(*represented, strict=True))
    order = np.argsort(scores)
    mass = np.cumsum(weights[order]) / len(represented)
    low, high = scores[order][np.searchsorted(mass, [0.02, 0.98])]
    # Shifted slightly, since many runs may have the same score.
    grid = np.linspace(low, high, _THRESHOLDS + 2)[1:-1] + 1e-6 * (high - low)
    return grid, np.mean([[weights[scores > at].sum() for at in grid] for scores, weights in represented], axis=0)


drawn_kinds = Study(_CELLS, _cover)
