"""Metrics: one number for all scores of an algorithm (Agarwal et al. 2021, sections 4.1 to 4.3, A.3, A.4).

With M tasks, N_m runs of task m, and v all n scores, ascending:

mean, median : of the task means
iqm : mean of v without the lowest and the highest floor(n / 4), the interquartile mean
exact_iqm : the same with exactly a quarter of the mass cut on each side, the scores at the cuts in part
trimmed_mean(p) : as iqm, floor(p n) on each side; 0 is the mean of v, 0.5 its median
run_median : the median of v
optimality_gap(gamma) : mean of max(gamma - v, 0); 1 unless said otherwise. Lower is better
difficulty_progress(p) : mean of the lowest floor(p n) of v; 0.25 unless said otherwise
probability_above(t) : fraction of v above t by more than rounding (see `ties`); 1 unless said otherwise, the superhuman
    probability

Weighting "runs" gives each score the same weight, so that tasks with more runs count for more; with "tasks" a score of
task m has weight 1 / (M N_m), and cuts go through the scores at them, as in exact_iqm.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from surefoot.errors import HintedError, shortened
from surefoot.statistics.choices import check_choice
from surefoot.statistics.ties import with_margin

_PARAMETERS = {
    "mean": None,
    "median": None,
    "iqm": None,
    "exact_iqm": None,
    "trimmed_mean": 0.25,
    "run_median": None,
    "optimality_gap": 1.0,
    "difficulty_progress": 0.25,
    "probability_above": 1.0,
}
METRICS = tuple(_PARAMETERS)
FOUR_METRICS = ("median", "iqm", "mean", "optimality_gap")
WEIGHTINGS = ("runs", "tasks")
TASK_MEAN, TASK_MEDIAN, CUT, LOWEST, MASS, TABLE, MIDDLE = range(7)
# A product such as 0.35 * 260 may fall just below a whole number; it is meant to be one.
SLACK = 1e-9
_WRITTEN = re.compile(r"\s*(\w+)\s*(?:\(([^()]*)\))?(?:\s+weighted by (\w+))?\s*")


class Metric(NamedTuple):
    """A metric: its name, its parameter (None where it has none) and the weighting of the scores."""

    name: str
    parameter: float | None = None
    weighting: str = "runs"

    def __str__(self):
        default = self.parameter is None or self.parameter == _PARAMETERS.get(self.name)
        written = self.name if default else f"{self.name}({self.parameter:g})"
        return written if self.weighting == "runs" else f"{written} weighted by {self.weighting}"

    @property
    def lower_is_better(self) -> bool:
        return self.name == "optimality_gap"


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
            f"a {type(written).__name__} is no metric",
            f'metrics are named, such as "iqm" for rliable\'s aggregate_iqm; there are {", ".join(METRICS)}',
        )
    if isinstance(written, Metric):
        name, parameter, weighting = written
    else:
        match = _WRITTEN.fullmatch(written)
        name, parameter, weighting = match.groups() if match else (written, None, None)
        weighting = weighting or "runs"
    check_choice("weighting", weighting, WEIGHTINGS)
    check_choice("metric", name, METRICS)
    usual = _PARAMETERS[name]
    if parameter is None:
        return Metric(name, usual, weighting)
    if usual is None:
        raise HintedError("metric", f'"{shortened(str(written))}" has a parameter', f"{name} takes none")
    return Metric(name, _checked_parameter(name, parameter), weighting)


def _checked_parameter(name, parameter):
    try:
        number = float(parameter)
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        text = shortened(str(parameter).strip())
        raise HintedError(
            "metric", f'"{text}" is no parameter of {name}', f"a number, such as {name}({_PARAMETERS[name]:g})"
        )
    greatest = {"trimmed_mean": 0.5, "difficulty_progress": 1.0}.get(name)
    if greatest is not None and not 0.0 <= number <= greatest:
        raise HintedError("metric", f'"{name}({number:g})" cuts a fraction of {number:g}', f"it is 0 to {greatest:g}")
    return number


class Recipe(NamedTuple):
    """Metrics as the kernels take them: kinds int64[k], lows and highs float64[k], and for the kind TABLE the rows of
    tables, float64[k, n], what each pooled score counts for."""

    kinds: np.ndarray
    lows: np.ndarray
    highs: np.ndarray
    tables: np.ndarray
    weighted: np.ndarray

    def needs_means(self) -> bool:
        return bool((self.kinds <= TASK_MEDIAN).any())

    def needs_counts(self) -> bool:
        return bool((self.kinds > TASK_MEDIAN).any())


def recipe(metrics: Sequence[Metric], values: np.ndarray, drawn: int) -> Recipe:
    """The recipe of the metrics for the pooled scores `values`, ascending, of which at least `drawn` are drawn.

    Raises
    ------
    ValueError : no metric; too few are drawn for the lowest fraction of them to contain one
    """
    if not metrics:
        raise HintedError("metric", "none was asked for", f"some of {', '.join(METRICS)}")
    for metric in metrics:
        if _step(metric)[0] == LOWEST and np.floor(metric.parameter * drawn + SLACK) < 1:
            raise HintedError(
                "metric",
                f"{metric}: the lowest {metric.parameter:g} of {drawn} scores is less than one",
                "take more runs, or a larger fraction",
            )
    steps = [_step(metric) for metric in metrics]
    tables = np.zeros((len(metrics), values.size))
    for row, metric in zip(tables, metrics, strict=True):
        if metric.name == "optimality_gap":
            row[:] = np.maximum(metric.parameter - values, 0.0)
        elif metric.name == "probability_above":
            row[:] = values > with_margin(metric.parameter, values)
    kinds, lows, highs = (np.array(column) for column in zip(*steps, strict=True))
    weighted = np.array([metric.weighting == "tasks" for metric in metrics])
    return Recipe(kinds, lows.astype(np.float64), highs.astype(np.float64), tables, weighted)


def _step(metric):
    """(kind, low, high) of a metric."""
    name, parameter, weighted = metric.name, metric.parameter, metric.weighting == "tasks"
    cut = {"iqm": 0.25, "run_median": 0.5, "trimmed_mean": parameter}.get(name)
    if name == "exact_iqm":
        return MASS, 0.25, 0.75
    if cut is not None:
        if not weighted:
            return CUT, cut, 0.0
        return (MIDDLE, 0.5, 0.0) if cut == 0.5 else (MASS, cut, 1.0 - cut)
    if name == "difficulty_progress":
        return (MASS, 0.0, parameter) if weighted else (LOWEST, parameter, 0.0)
    return {"mean": TASK_MEAN, "median": TASK_MEDIAN}.get(name, TABLE), 0.0, 0.0
