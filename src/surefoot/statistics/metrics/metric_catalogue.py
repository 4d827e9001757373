r"""Metrics, which summarize all scores of an algorithm in one number (Agarwal et al. 2021, sections 2 and 4, A.7).

There are M tasks, N_m runs of task m, and R scores x in all. A score that equals a threshold up to rounding is not
above it (see `statistics.arrays`).

Every task has the same weight in every metric: a score of task m weighs 1 / (M N_m). If all tasks have N runs, these
weights are equal, and metrics that cut a fraction p of the scores cut floor(p M N) whole scores, as in the paper and in
rliable. If tasks have unequal numbers of runs, these metrics cut the fraction floor(p M N) / (M N) of the weight, where
N is now the largest N_m, and scores at a cut count in part. With equal numbers of runs, both rules agree. Since the cut
depends only on the tasks and on the largest number of runs, an algorithm that lost a few runs can still be compared
with others. The cut is also the same in all resamples, and if a run is left out.

If the largest numbers of runs of algorithms differ, comparisons cut exactly the fraction p for each of them
(`cut_alike`). Cutting whole scores would remove different fractions: on five tasks with different levels, an algorithm
with 3 runs differed significantly from an equal one with 10 runs in 34 to 100 of 100 simulated data sets.

Weighting "runs" gives each score the same weight instead, so that tasks with more runs weigh more: this is what rliable
computes from pooled scores of tasks with unequal numbers of runs. With equal numbers, both weightings agree.

The methods page states for each metric:

mean
    about : The mean of the task means.
    formula : $\frac1M \sum_m \bar x_m$.
    assumes : Scores are on one scale.
    guarantee : Unbiased, whatever the distribution of the scores.
    not for : Heavy tails: one task or run can dominate it.
    source : Agarwal et al. 2021, section 2

median
    about : The median of the task means.
    formula : The middle value of the $\bar x_m$, or the mean of the two middle values.
    assumes : Scores are on one scale.
    guarantee : Outliers in fewer than half of the tasks cannot move it far.
    not for : Few runs, for which it is biased and varies much. Nearly half of the tasks may score 0 without changing
        it.
    source : Agarwal et al. 2021, sections 2 and 3

iqm
    about : The interquartile mean: the mean of the middle half of all scores.
    formula : The mean of the $R$ scores without the $\lfloor R / 4 \rfloor$ lowest and the $\lfloor R / 4 \rfloor$
        highest. If tasks have unequal numbers of runs, a score of task $m$ weighs $1 / (M N_m)$, and the fraction
        $\lfloor M N / 4 \rfloor / (M N)$ of the weight is cut at each end, where $N$ is the largest number of runs of a
        task. Comparisons of algorithms whose largest numbers of runs differ use the exact IQM: whole scores would cut
        different parts of their tasks.
    assumes : Scores are on one scale. Every task has the same weight.
    guarantee : Outliers move it less than the mean, and its intervals are usually narrower than the median's.
    not for : Questions about failures or the hardest tasks: the lowest quarter is left out.
    source : Agarwal et al. 2021, section 4.3

exact_iqm
    about : The IQM with exactly a quarter cut at each end.
    formula : Like the IQM, but scores at the cuts count in part, so that a quarter of the weight is cut at each end.
    assumes : As for the IQM.
    guarantee : It changes gradually as runs are added: no whole score enters or leaves it at once.
    not for : Comparisons with published values, which cut whole scores.
    source : Agarwal et al. 2021, section 4.3

trimmed_mean
    about : The mean of all scores without a fraction at each end.
    formula : The mean of the $R$ scores without the $\lfloor p R \rfloor$ lowest and highest: the mean of all scores
        for $p = 0$, their median for $p = 1/2$. Unequal numbers of runs are weighted as in the IQM.
    assumes : As for the IQM.
    guarantee : A fraction below $p$ of outliers at either end cannot move it far.
    not for : Choosing $p$ after seeing the results.
    source : Agarwal et al. 2021, section 4.3 and figure A.16

run_median
    about : The median of all scores, not of task means.
    formula : The trimmed mean with $p = 1/2$.
    assumes : As for the IQM.
    guarantee : Fewer than half of the scores cannot move it far.
    not for : Two groups of tasks, easy and hard: it may jump from one to the other.
    source : Agarwal et al. 2021, section 4.3

optimality_gap
    about : How far scores fall short of a target, on average; lower is better.
    formula : The mean over tasks of the mean of $\max(\gamma - x, 0)$ over the runs of a task.
    assumes : Scores above the target $\gamma$, such as the score of a human player, have no additional value. Every
        task has the same weight.
    guarantee : Scores above the target cannot compensate for scores below it.
    not for : Scales on which $\gamma$ has no meaning.
    source : Agarwal et al. 2021, section 4.3

difficulty_progress
    about : The mean of the lowest scores, by default the lowest quarter.
    formula : The mean of the $\lfloor p R \rfloor$ lowest scores. Unequal numbers of runs are weighted as in the IQM.
    assumes : As for the IQM.
    guarantee : Scores on the easiest tasks do not change it.
    not for : Few runs: it uses only the worst ones.
    source : Agarwal et al. 2021, appendix A.7

probability_above
    about : The fraction of all scores above a threshold.
    formula : The mean over tasks of the fraction of the runs of a task with $x > t$; a score equal to $t$ up to
        rounding is not above it.
    assumes : The threshold $t$ is a meaningful score, such as that of a human player. Every task has the same weight.
    guarantee : Unbiased, whatever the distribution of the scores.
    not for : How far scores are above $t$: it is only one point of the performance profile.
    source : Agarwal et al. 2021, appendix A.7
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from surefoot.errors import HintedError, shortened
from surefoot.registry import Registry
from surefoot.statistics.arrays import Booleans, Floats, check_choice, with_margin

BLOCK = 64
"""Number of resamples in a block, which are computed together."""
TASK_MEAN, TASK_MEDIAN, CUT, LOWEST, MASS, TABLE = range(6)
"""Kinds of metrics.

TASK_MEAN, TASK_MEDIAN : mean or median of the task means
CUT : mean of the scores without the fraction `low` at each end
LOWEST : mean of the lowest fraction `low` of the scores
MASS : mean of the scores between the fractions `low` and `high` of the total weight
TABLE : mean of the contributions of the scores
"""
Step = tuple[int, float, float]
"""(kind, low, high), where kind is one of the kinds above."""


class MetricEntry(NamedTuple):
    """A metric, defined by the contribution of each score or by a `Step`.

    title : title in figures and tables; the name if empty
    parameter : name of the parameter in the documentation; empty if there is none
    usual : default of the parameter
    greatest : upper bound of a parameter that is a fraction, else None
    lower_is_better : True if lower values are better
    homogeneous : True if scaling all scores scales the metric by the same factor
    is_share : True if the metric is a share of the scores, from 0 to 1, whatever their unit
    counts_for : function counts_for(values, parameter) that returns the contribution of each of the ascending scores,
        float64[n], whose mean is the metric; it must be a constant or monotone function of the score
    step : function step(parameter) that returns the `Step`; needed if there is no `counts_for`

    Both functions get the parameter as a float, or None if the metric has no parameter.
    """

    title: str = ""
    parameter: str = ""
    usual: float | None = None
    greatest: float | None = None
    lower_is_better: bool = False
    homogeneous: bool = True
    is_share: bool = False
    counts_for: Callable[[Floats, Any], Floats] | None = None
    step: Callable[[Any], Step] | None = None


METRICS = Registry(
    "metrics",
    {
        "mean": MetricEntry("Mean", step=lambda _: (TASK_MEAN, 0.0, 0.0)),
        "median": MetricEntry("Median", step=lambda _: (TASK_MEDIAN, 0.0, 0.0)),
        "iqm": MetricEntry("IQM", step=lambda _: (CUT, 0.25, 0.0)),
        "exact_iqm": MetricEntry("Exact IQM", step=lambda _: (MASS, 0.25, 0.75)),
        "trimmed_mean": MetricEntry(parameter="p", usual=0.25, greatest=0.5, step=lambda p: (CUT, p, 0.0)),
        "run_median": MetricEntry(step=lambda _: (CUT, 0.5, 0.0)),
        "optimality_gap": MetricEntry(
            "Optimality gap",
            parameter="gamma",
            usual=1.0,
            lower_is_better=True,
            homogeneous=False,
            counts_for=lambda values, gamma: (gamma - values).clip(min=0.0),
        ),
        "difficulty_progress": MetricEntry(
            "Difficulty progress (DP-25)", parameter="p", usual=0.25, greatest=1.0, step=lambda p: (LOWEST, p, 0.0)
        ),
        "probability_above": MetricEntry(
            "Superhuman probability",
            parameter="t",
            usual=1.0,
            homogeneous=False,
            is_share=True,
            counts_for=lambda values, threshold: (values > with_margin(threshold, values)).astype(float),
        ),
    },
)
"""The metrics by name. Add new metrics here."""


FOUR_METRICS = ("median", "iqm", "mean", "optimality_gap")
IQMS = ("iqm", "exact_iqm")
"""The two forms of the interquartile mean, which share remarks and methods."""
WEIGHTINGS = ("tasks", "runs")
"""Units with equal weights; the first is the default."""
_WRITTEN = re.compile(r"\s*(\w+)\s*(?:\(([^()]*)\))?(?:\s+weighted by (\w+))?\s*")


class Metric(NamedTuple):
    """A metric.

    name : name in `METRICS`
    parameter : parameter of the metric; None if it has none
    weighting : weighting of the scores, one of `WEIGHTINGS`
    exact : True if scores at a cut count in part, so that the same fraction is cut for different numbers of runs
    """

    name: str
    parameter: float | None = None
    weighting: str = WEIGHTINGS[0]
    exact: bool = False

    def __str__(self) -> str:
        """Return the name of the metric, with the parameter and the weighting if they are not the defaults."""
        default = self.parameter is None or self.parameter == self.entry.usual
        written = self.name if default else f"{self.name}({self.parameter:g})"
        return written if self.weighting == WEIGHTINGS[0] else f"{written} weighted by {self.weighting}"

    @property
    def entry(self) -> MetricEntry:
        """Return the catalogue entry of the metric."""
        return METRICS[self.name]

    def magnitude(self, of_scores: float) -> float:
        """Return the magnitude to which rounding errors of the metric are relative: 1 for a share, else `of_scores`."""
        return 1.0 if self.entry.is_share else of_scores


def metric(written: str | Metric) -> Metric:
    """Return the metric named by a string such as "iqm", "optimality_gap(0.5)" or "iqm weighted by runs".

    Parameters
    ----------
    written : a string or a `Metric`; a missing parameter means the default, and tasks have equal weights unless the
        string says otherwise

    Raises
    ------
    ValueError : for another type, an unknown name or weighting, or an invalid parameter
    """
    if not isinstance(written, str | Metric):
        raise HintedError(
            "metric",
            f"got {type(written).__name__} instead of a metric",
            f'pass a name, such as "iqm" for rliable\'s aggregate_iqm; the names are {", ".join(METRICS)}',
        )
    parameter: float | str | None
    exact = False
    if isinstance(written, Metric):
        name, parameter, weighting, exact = written
    else:
        match = _WRITTEN.fullmatch(written)
        name, parameter, weight = match.groups() if match else (written, None, None)
        weighting = weight or WEIGHTINGS[0]
    check_choice("weighting", weighting, WEIGHTINGS)
    if name not in METRICS and (plain := re.sub(r"[\s-]+", "_", name.strip().lower())) in METRICS:
        raise HintedError("metric", f'"{shortened(name)}" is not known', f'did you mean "{plain}"?')
    check_choice("metric", name, METRICS)
    usual = METRICS[name].usual
    if parameter is None:
        return Metric(name, usual, weighting, exact)
    if usual is None:
        what = f'"{shortened(str(written))}" has a parameter, but {name} takes none'
        raise HintedError("metric", what, f'use "{name}"')
    return Metric(name, _checked_parameter(name, parameter), weighting, exact)


def _checked_parameter(name: str, parameter: float | str) -> float:
    try:
        number = float(parameter)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        text = shortened(str(parameter).strip())
        raise HintedError(
            "metric", f'"{text}" is not a parameter of {name}', f"use a number, such as {name}({METRICS[name].usual:g})"
        )
    greatest = METRICS[name].greatest
    if greatest is not None and not 0.0 <= number <= greatest:
        raise HintedError(
            "metric", f'"{name}({number:g})" cuts a fraction of {number:g}', f"use a fraction from 0 to {greatest:g}"
        )
    return number


# A product such as 0.35 * 260 may fall just below the whole number that it stands for.
SLACK = 1e-9


class Recipe(NamedTuple):
    """Instructions for computing k metrics of n pooled scores, in the form used by the kernels.

    kinds, lows, highs : int64[k], float64[k] and float64[k], the `Step` of each metric
    tables : float64[k, n], contribution of each pooled score to metrics of the kind TABLE
    weighted : bool[k], True if scores are weighted by `weights` instead of equally
    weights : float64[n], weight of each pooled score
    """

    kinds: Floats
    lows: Floats
    highs: Floats
    tables: Floats
    weighted: Booleans
    weights: Floats


def checked_step(metric: Metric, fewest: int) -> Step:
    """Return the `Step` of a metric, or raise a HintedError if a metric of the lowest scores would use less than one.

    fewest : the smallest number of scores
    """
    entry = METRICS[metric.name]
    step = (TABLE, 0.0, 0.0) if entry.step is None else entry.step(metric.parameter)
    kind, low, _ = step
    if kind == LOWEST and np.floor(low * fewest + SLACK) < 1:
        raise HintedError(
            "metric",
            f"{metric}: the lowest {low:g} of {fewest} scores is less than one",
            "use more runs, or a larger fraction",
        )
    return step


def recipe(
    metrics: Sequence[Metric], values: Floats, drawn: int, weights: Floats | None = None, balanced: int = 0
) -> Recipe:
    """Return the instructions for computing metrics of pooled scores.

    Parameters
    ----------
    values : float64[n], the pooled scores, ascending
    drawn : the smallest number of scores drawn from the pool
    weights : float64[n], weights of the scores if tasks have unequal numbers of runs, else None
    balanced : with weights, the number of scores if every task had the largest number of runs

    Raises
    ------
    ValueError : if a metric of the lowest fraction of the scores would use less than one score
    """
    steps = []
    tables = np.zeros((len(metrics), values.size))
    weighted = np.array([weights is not None and metric.weighting == "tasks" for metric in metrics])
    for row, metric, by_weights in zip(tables, metrics, weighted, strict=True):
        step = checked_step(metric, balanced if by_weights else drawn)
        if metric.entry.counts_for is not None:
            row[:] = metric.entry.counts_for(values, metric.parameter)
        steps.append(_of_weights(*step, 0 if metric.exact else balanced) if by_weights else step)
    kinds, lows, highs = (np.array(column) for column in zip(*steps, strict=True))
    of_scores = np.ones(values.size) if weights is None else weights
    return Recipe(kinds, lows.astype(np.float64), highs.astype(np.float64), tables, weighted, of_scores)


def _of_weights(kind: int, low: float, high: float, balanced: int) -> Step:
    """Convert a step that cuts a number of scores to one that cuts a fraction of the weight; other steps stay the same.

    Parameters
    ----------
    balanced : as in `recipe`; 0 to cut the fraction itself
    """
    if kind not in (CUT, LOWEST):
        return kind, low, high
    cut = np.floor(low * balanced + SLACK) / balanced if balanced else low
    if kind == LOWEST:
        return MASS, 0.0, cut
    # With half cut at each end, only the median is left.
    return (MASS, cut, 1.0 - cut) if cut < 0.5 - (0.5 / balanced if balanced else 0.0) else (MASS, 0.5, 0.5)


def reported_metric(names: Iterable[str]) -> str:
    """Return the metric that a summary reports: an IQM if there is one, otherwise the first metric."""
    ordered = list(names)
    return next((name for name in IQMS if name in ordered), ordered[0])


def cut_alike(metrics: Sequence[str | Metric], samples: Iterable[Sequence[Floats]]) -> list[Metric]:
    """Return the metrics with `exact` set if the algorithms differ in their largest number of runs of a task.

    Then the same fraction of the scores is cut for each algorithm.

    Parameters
    ----------
    samples : scores of each algorithm, float64[runs] of each task
    """
    differ = len({max(map(len, scores)) for scores in samples}) > 1
    return [metric(one)._replace(exact=differ) for one in metrics]


METRICS.complete()
