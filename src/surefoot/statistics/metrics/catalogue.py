r"""Metrics: one number for all scores of an algorithm (Agarwal et al. 2021, sections 2 and 4.1 to 4.3, appendix A.7).

With M tasks, N_m runs of task m and all R scores x; equal to a threshold but for rounding is not above it (see
`statistics.arrays`).

Weighting "runs" gives each score the same weight, so that tasks with more runs count for more; with "tasks" a score of
task m has weight 1 / (M N_m), and cuts go through the scores at them, as in exact_iqm.

The methods page says of each metric:

mean
    about : The mean of the task means.
    formula : $\frac1M \sum_m \bar x_m$.
    assumes : Scores are on one scale.
    guarantee : Unbiased, whatever the distribution of the scores.
    not for : Heavy tails: one task or run can decide it.
    source : agarwal2021, section 2

median
    about : The median of the task means.
    formula : The middle one of the $\bar x_m$, or the mean of the middle two.
    assumes : Scores are on one scale.
    guarantee : Outliers in fewer than half of the tasks cannot move it far.
    not for : Few runs, for which it is biased and varies much. Nearly half of the tasks may score 0 without changing
        it.
    source : agarwal2021, sections 2 and 3

iqm
    about : The interquartile mean: the mean of the middle half of all scores.
    formula : The mean of the $R$ scores without the $\lfloor R / 4 \rfloor$ lowest and the $\lfloor R / 4 \rfloor$
        highest.
    assumes : Scores are on one scale; each run counts the same, so tasks with more runs count for more.
    guarantee : Outliers move it less than the mean, and its intervals are usually narrower than the median's.
    not for : Where failures or the hardest tasks are the question: the lowest quarter is left out.
    source : agarwal2021, section 4.3

exact_iqm
    about : The IQM with exactly a quarter cut at each end.
    formula : As the IQM, but scores at the cuts count in part, so that a quarter of the mass is cut at each end.
    assumes : As the IQM.
    guarantee : No score enters or leaves it whole as runs are added.
    not for : Comparing with published values, which cut whole scores.
    source : agarwal2021, section 4.3

trimmed_mean
    about : The mean of all scores without a fraction at each end.
    formula : The mean of the $R$ scores without the $\lfloor p R \rfloor$ lowest and highest: the mean of all for $p =
        0$, their median for $p = 1/2$.
    assumes : As the IQM.
    guarantee : A fraction below $p$ of outliers at either end cannot move it far.
    not for : Choosing $p$ after seeing the results.
    source : agarwal2021, section 4.3 and figure A.16

run_median
    about : The median of all scores, not of task means.
    formula : The trimmed mean with $p = 1/2$.
    assumes : As the IQM.
    guarantee : Fewer than half of the scores cannot move it far.
    not for : Two groups of tasks, easy and hard: it may jump from one to the other.
    source : agarwal2021, section 4.3

optimality_gap
    about : How far scores fall short of a target, on average; lower is better.
    formula : The mean of $\max(\gamma - x, 0)$ over all scores.
    assumes : Beyond the target $\gamma$, such as the score of a human player, more is not wanted. Each run counts the
        same.
    guarantee : What exceeds the target cannot make up for what falls short of it.
    not for : Scales on which $\gamma$ has no meaning.
    source : agarwal2021, section 4.3

difficulty_progress
    about : The mean of the lowest scores, by default of a quarter of them.
    formula : The mean of the $\lfloor p R \rfloor$ lowest scores.
    assumes : As the IQM.
    guarantee : What happens on the easiest tasks cannot change it.
    not for : Few runs, of which it uses only the worst.
    source : agarwal2021, appendix A.7

probability_above
    about : The fraction of all scores above a threshold.
    formula : The share of the $R$ scores with $x > t$; one that equals $t$ but for rounding is not above.
    assumes : The threshold $t$ is a meaningful score, such as that of a human player. Each run counts the same.
    guarantee : Unbiased, whatever the distribution of the scores.
    not for : How far above: it is one point of the performance profile.
    source : agarwal2021, appendix A.7
"""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from surefoot.errors import HintedError, shortened
from surefoot.registry import Registry
from surefoot.statistics.arrays import Booleans, Floats, check_choice, with_margin

TASK_MEAN, TASK_MEDIAN, CUT, LOWEST, MASS, TABLE = range(6)
"""How a metric is computed: the mean or the median of the task means; the mean of the scores without the fraction `low`
of them at each end, or of the lowest `low`; the mean of the mass between `low` and `high`; the mean of what each score
counts for."""
Step = tuple[int, float, float]
"""(how, low, high)."""


class MetricEntry(NamedTuple):
    """A metric, given by what each score counts for, or by its step.

    title : as it stands in figures and tables; its name where this is empty
    parameter : how the reference calls its parameter; empty where it has none
    usual : the parameter where none is given
    greatest : of a parameter that is a fraction; none of others
    lower_is_better : whether a lower value is the better one
    homogeneous : whether it is multiplied by what all scores are multiplied by
    is_share : whether it is a share of the scores, from 0 to 1, whatever their unit
    counts_for : counts_for(values, parameter) is what each of the scores counts for, float64[n] of values float64[n]
        ascending: a constant or monotone function of the score, whose mean is the metric
    step : step(parameter) says how else it is computed

    The parameter of both is a float where the metric has one and None where it has none.
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
        "exact_iqm": MetricEntry(step=lambda _: (MASS, 0.25, 0.75)),
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
"""By name; add yours here."""


FOUR_METRICS = ("median", "iqm", "mean", "optimality_gap")
WEIGHTINGS = ("runs", "tasks")
_WRITTEN = re.compile(r"\s*(\w+)\s*(?:\(([^()]*)\))?(?:\s+weighted by (\w+))?\s*")


class Metric(NamedTuple):
    """A metric: its name, its parameter (None where it has none) and the weighting of the scores."""

    name: str
    parameter: float | None = None
    weighting: str = "runs"

    def __str__(self) -> str:
        default = self.parameter is None or self.parameter == self.entry.usual
        written = self.name if default else f"{self.name}({self.parameter:g})"
        return written if self.weighting == "runs" else f"{written} weighted by {self.weighting}"

    @property
    def entry(self) -> MetricEntry:
        """What is known of it."""
        return METRICS[self.name]

    def magnitude(self, of_scores: float) -> float:
        """What its rounding is relative to; of_scores : the typical magnitude of the scores."""
        return 1.0 if self.entry.is_share else of_scores


def metric(written: str | Metric) -> Metric:
    """The metric that a text such as "iqm", "optimality_gap(0.5)" or "iqm weighted by tasks" names.

    Parameters
    ----------
    written : such a text, or a Metric; a parameter of None is the usual one, and scores are weighted by runs unless
        the text says otherwise

    Raises
    ------
    ValueError : not a text or Metric; an unknown name or weighting; a parameter where there is none, that is not a
        finite number, or a fraction outside the allowed ones
    """
    if not isinstance(written, str | Metric):
        raise HintedError(
            "metric",
            f"a {type(written).__name__} is not a metric",
            f'metrics are named, such as "iqm" for rliable\'s aggregate_iqm; there are {", ".join(METRICS)}',
        )
    parameter: float | str | None
    if isinstance(written, Metric):
        name, parameter, weighting = written
    else:
        match = _WRITTEN.fullmatch(written)
        name, parameter, weight = match.groups() if match else (written, None, None)
        weighting = weight or "runs"
    check_choice("weighting", weighting, WEIGHTINGS)
    if name not in METRICS and (plain := re.sub(r"[\s-]+", "_", name.strip().lower())) in METRICS:
        raise HintedError("metric", f'"{shortened(name)}" is not known', f'"{plain}"')
    check_choice("metric", name, METRICS)
    usual = METRICS[name].usual
    if parameter is None:
        return Metric(name, usual, weighting)
    if usual is None:
        raise HintedError("metric", f'"{shortened(str(written))}" has a parameter', f"{name} takes none")
    return Metric(name, _checked_parameter(name, parameter), weighting)


def _checked_parameter(name: str, parameter: float | str) -> float:
    try:
        number = float(parameter)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        text = shortened(str(parameter).strip())
        raise HintedError(
            "metric", f'"{text}" is not a parameter of {name}', f"a number, such as {name}({METRICS[name].usual:g})"
        )
    greatest = METRICS[name].greatest
    if greatest is not None and not 0.0 <= number <= greatest:
        raise HintedError("metric", f'"{name}({number:g})" cuts a fraction of {number:g}', f"it is 0 to {greatest:g}")
    return number


# A product such as 0.35 * 260 may fall just below a whole number; it is meant to be one.
SLACK = 1e-9


class Recipe(NamedTuple):
    """Metrics as the kernels take them: kinds int64[k], lows and highs float64[k], and for the kind TABLE the rows of
    tables, float64[k, n], what each pooled score counts for; which are weighted by tasks, bool[k], and the weights of
    the pooled scores then, float64[n]."""

    kinds: Floats
    lows: Floats
    highs: Floats
    tables: Floats
    weighted: Booleans
    weights: Floats


def recipe(metrics: Sequence[Metric], values: Floats, weights: Floats, drawn: int) -> Recipe:
    """The recipe of the metrics for the pooled scores `values`, ascending, of which at least `drawn` are drawn.

    weights : of the scores where they are weighted by tasks

    Raises
    ------
    ValueError : too few are drawn for the lowest fraction of them to contain one
    """
    steps, tables = [], np.zeros((len(metrics), values.size))
    for row, metric in zip(tables, metrics, strict=True):
        entry, by_tasks = metric.entry, metric.weighting == "tasks"
        step = (TABLE, 0.0, 0.0) if entry.step is None else entry.step(metric.parameter)
        kind, low, high = _through_scores(*step) if by_tasks else step
        if kind == LOWEST and np.floor(low * drawn + SLACK) < 1:
            raise HintedError(
                "metric",
                f"{metric}: the lowest {low:g} of {drawn} scores is less than one",
                "take more runs, or a larger fraction",
            )
        if entry.counts_for is not None:
            row[:] = entry.counts_for(values, metric.parameter)
        steps.append((kind, low, high))
    weighted = np.array([metric.weighting == "tasks" for metric in metrics])
    kinds, lows, highs = (np.array(column) for column in zip(*steps, strict=True))
    return Recipe(kinds, lows.astype(np.float64), highs.astype(np.float64), tables, weighted, weights)


def _through_scores(kind: int, low: float, high: float) -> Step:
    """The step of scores that are weighted: cuts go through the scores at them, and nothing is left of a half at each
    end but the median."""
    if kind == LOWEST:
        return MASS, 0.0, low
    return (MASS, low, 1.0 - low) if kind == CUT else (kind, low, high)


METRICS.complete()
