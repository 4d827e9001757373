"""What is known of a metric beside its formula."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from surefoot.statistics.arrays import Floats

TASK_MEAN, TASK_MEDIAN, CUT, LOWEST, MASS, TABLE, MIDDLE = range(7)
"""How a metric is computed: the mean or the median of the task means; the mean of the scores without the fraction `low`
of them at each end, or of the lowest `low`; the mean of the mass between `low` and `high`; the mean of what each score
counts for; the quantile `low` of the mass."""
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
    counts_for : counts_for(values, parameter) is what each of the scores counts for, float64[n] of values float64[n]
        ascending: a constant or monotone function of the score, whose mean is the metric
    step : step(parameter, weighted) says how else it is computed, where scores are weighted by tasks or are not

    The parameter of both is a float where the metric has one and None where it has none.
    """

    title: str = ""
    parameter: str = ""
    usual: float | None = None
    greatest: float | None = None
    lower_is_better: bool = False
    homogeneous: bool = True
    counts_for: "Callable[[Floats, Any], Floats] | None" = None
    step: Callable[[Any, bool], Step] | None = None
