"""Metrics: one number for all scores of an algorithm (Agarwal et al. 2021, sections 4.1 to 4.3, A.3, A.4).

What each is stands in `metrics.entries`; M is the number of tasks and N_m that of the runs of task m.

Weighting "runs" gives each score the same weight, so that tasks with more runs count for more; with "tasks" a score of
task m has weight 1 / (M N_m), and cuts go through the scores at them, as in exact_iqm.
"""

import math
import re
from typing import NamedTuple

from surefoot.errors import HintedError, shortened
from surefoot.statistics.choices import check_choice
from surefoot.statistics.metrics.entries import METRICS
from surefoot.statistics.metrics.entry import MetricEntry

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
