"""What is known of a method of intervals for the aggregate scores."""

from typing import NamedTuple


class IntervalMethod(NamedTuple):
    """A method of intervals for the aggregate scores.

    title : as it stands in sentences and legends
    module : that computes it
    guarantee : what the corrected variant promises, and whose theorem it is
    assumption : a clause for the page
    proven : whether the corrected variant keeps its level for any distributions and any number of runs
    bar : (pixels, opacity) of its bar in a chart of several methods
    fewest_runs : of each pair, without which it cannot be computed
    resamples : whether it depends on a number of replicates
    preference : its place where one of several is quoted; the least goes first
    as_published : what the published variant's promise lacks; empty where there is no such variant
    """

    title: str
    module: str
    guarantee: str
    assumption: str
    proven: bool
    bar: tuple[int, float]
    fewest_runs: int = 1
    resamples: bool = False
    preference: int = 99
    as_published: str = ""
