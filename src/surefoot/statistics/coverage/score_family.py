"""A family of kinds of studies, drawn by a seed: whoever proposes an interval does not choose its test set.

Intervals are developed on the kinds of seed 1, the published record is of another, which development never looks at,
and anybody may draw a third. Kind number k of a seed is always the same, however many are drawn.

A kind is a number of tasks (1, 2 to 5, 10 or 26) with 3, 5 or 10 runs each, or 3 to 10 that differ between tasks, and
a distribution for each task. It is one of normal, lognormal (sigma 0.3 to 1.5), Student's t (2 to 5 degrees of
freedom), beta (also U-shaped), two normals, or successes (0 or 1), whose level and spread may differ between tasks. To
some kinds a share of collapsed runs is added, of zeros, or of scores that are one number, and in some a share of the
tasks is saturated at 1. Scores of a run on different tasks are independent in most kinds; in the others they have a
Gaussian copula, through what a run shares across tasks, which leaves each task's distribution as it is.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import betaincinv, ndtr, ndtri, stdtrit

from surefoot.statistics.arrays import Floats
from surefoot.statistics.coverage.simulated_scores import uniform_numbers
from surefoot.statistics.metrics.catalogue import FOUR_METRICS

LAWS = ("normal", "lognormal", "t", "beta", "two normals", "successes")
_NODES = 2_000
_REACH = 8.3


class Part(NamedTuple):
    """A component of a mixture: location + scale times a number of the distribution `law` with parameters `shape`."""

    weight: float
    law: str
    location: float
    scale: float = 0.0
    shape: tuple[float, ...] = ()

    def quantiles(self, uniforms: Floats) -> Floats:
        """Scores of the component from uniform numbers in (0, 1)."""
        if self.law == "point":
            return np.full(np.shape(uniforms), self.location)
        if self.law == "normal":
            standard = ndtri(uniforms)
        elif self.law == "lognormal":
            standard = np.exp(self.shape[0] * ndtri(uniforms))
        elif self.law == "t":
            standard = stdtrit(self.shape[0], uniforms)
        else:
            standard = betaincinv(*self.shape, uniforms)
        return self.location + self.scale * standard


class TaskLaw(NamedTuple):
    """The distribution of a task's scores: a mixture, of which all above `ceiling` is at it."""

    parts: tuple[Part, ...]
    ceiling: float = np.inf


@functools.lru_cache(maxsize=64)
def points(law: TaskLaw) -> tuple[Floats, Floats]:
    """Scores and weights, float64[n] each, that stand for a task's distribution.

    Each component is represented at equal steps of the normal number behind a score, from -8.3 to 8.3: the trapezoidal
    rule, which is accurate in the tails, too.
    """
    z = np.linspace(-_REACH, _REACH, _NODES)
    density = np.exp(-0.5 * z * z)
    # At the largest double below 1 and beyond, quantiles would be infinite.
    uniforms = np.minimum(ndtr(z), 1.0 - 2.0**-53)
    scores = np.concatenate([part.quantiles(uniforms) for part in law.parts])
    weights = np.concatenate([part.weight * density / density.sum() for part in law.parts])
    return np.minimum(scores, law.ceiling), weights


class Kind(NamedTuple):
    """A kind of study: `sizes[m]` runs of task m, whose scores follow `laws[m]`.

    correlation : between tasks, of the normal numbers behind the scores of a run
    described : what it is, for tables
    """

    number: int
    seed: int
    sizes: tuple[int, ...]
    laws: tuple[TaskLaw, ...]
    correlation: float
    described: str

    def samples(self, seed: int, name: str, number: int) -> list[Floats]:
        """Data set `number` of the algorithm `name`, float64[runs] of each task; run n of one task is run n of all."""
        runs, tasks = max(self.sizes), len(self.sizes)
        drawn = uniform_numbers((2, runs, tasks + 1), seed, f"family {self.seed}, {self.number}, {name}", number)
        shared = np.sqrt(self.correlation) * ndtri(drawn[..., :1])
        uniforms = ndtr(shared + np.sqrt(1.0 - self.correlation) * ndtri(drawn[..., 1:]))
        # Which component a score is of and where in it are independent, so that the task's distribution is the mixture.
        return [
            _scores(law, uniforms[0, :size, m], uniforms[1, :size, m])
            for m, (law, size) in enumerate(zip(self.laws, self.sizes, strict=True))
        ]

    def true_values(self, metrics: Sequence[str] = FOUR_METRICS) -> Floats:
        """The metrics of the distributions, float64[metrics], of mean, median, iqm, optimality_gap.

        Mean and median are those of the tasks' means; in the others, each task counts by its number of runs.
        """
        represented = [points(law) for law in self.laws]
        means = [weights @ scores for scores, weights in represented]
        shares = np.array(self.sizes) / sum(self.sizes)
        scores = np.concatenate([scores for scores, _ in represented])
        weights = np.concatenate([share * weights for share, (_, weights) in zip(shares, represented, strict=True)])
        known = {
            "mean": np.mean(means),
            "median": np.median(means),
            "iqm": weighted_iqm(scores, weights),
            "optimality_gap": weights @ np.maximum(1.0 - scores, 0.0),
        }
        return np.array([known[metric] for metric in metrics])


def weighted_iqm(scores: Floats, weights: Floats) -> float:
    """The mean of the middle half of the mass; weights add up to 1."""
    order = np.argsort(scores, kind="stable")
    ends = np.concatenate([[0.0], np.cumsum(weights[order])])
    inner = np.diff(np.clip(ends / ends[-1], 0.25, 0.75))
    return float(2.0 * inner @ scores[order])


def _scores(law: TaskLaw, component: Floats, within: Floats) -> Floats:
    ends = np.cumsum([part.weight for part in law.parts])
    chosen = np.minimum(np.searchsorted(ends, component * ends[-1], side="right"), len(law.parts) - 1)
    found = np.empty(within.size)
    for place, part in enumerate(law.parts):
        found[chosen == place] = part.quantiles(within[chosen == place])
    return np.minimum(found, law.ceiling)


class _Draws:
    """Uniform numbers of one kind, one after the other."""

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


def kinds(seed: int, count: int) -> list[Kind]:
    """The first kinds of a seed."""
    return [kind(seed, number) for number in range(count)]


def kind(seed: int, number: int) -> Kind:
    """Kind `number` of a seed."""
    draws = _Draws(seed, number)
    tasks = draws.one_of(1, int(draws.between(2, 6)), 10, 26)
    runs = draws.one_of(3, 5, 10)
    unequal = draws.chance(0.2) and tasks > 1
    sizes = [draws.one_of(3, 5, 10) for _ in range(tasks)] if unequal else [runs] * tasks
    law = draws.one_of(*LAWS)
    level_spread, noise_spread = draws.one_of(0.0, 1.0, 3.0), draws.one_of(0.0, 0.5, 1.0)
    location, scale = draws.between(0.2, 1.2), draws.between(0.1, 0.5)
    shape = (draws.between(0.3, 1.5), draws.between(2.0, 5.0), draws.between(0.2, 3.0), draws.between(0.2, 3.0))
    addition, share = draws.one_of("", "", "", "collapsed", "zero", "tied"), draws.between(0.05, 0.35)
    saturated = draws.between(0.2, 0.8) if draws.chance(0.15) else 0.0
    correlation = draws.between(0.1, 0.5) if tasks > 1 and draws.chance(0.25) else 0.0
    laws = []
    for _ in range(tasks):
        level, noise = location + level_spread * scale * draws.normal(), scale * np.exp(noise_spread * draws.normal())
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
    described += [f"correlation {correlation:.2f}"] if correlation else []
    return Kind(number, seed, tuple(sizes), tuple(laws), correlation, ", ".join(described))


def _parts(law: str, level: float, noise: float, shape: tuple[float, ...]) -> list[Part]:
    """The components of a task's distribution, whose weights add up to 1, before anything is added to it."""
    if law == "successes":
        rate = float(np.clip(level, 0.02, 0.98))
        return [Part(1.0 - rate, "point", 0.0), Part(rate, "point", 1.0)]
    if law == "two normals":
        return [Part(0.3, "normal", level - 2.0 * noise, noise), Part(0.7, "normal", level, 0.5 * noise)]
    if law == "beta":
        return [Part(1.0, "beta", level - noise, 2.0 * noise, shape[2:])]
    used = {"normal": (), "lognormal": shape[:1], "t": shape[1:2]}
    return [Part(1.0, law, level, noise, used[law])]
