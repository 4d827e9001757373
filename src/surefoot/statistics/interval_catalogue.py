"""What is known of each method of intervals, in one place: titles, guarantees, needs, and what its bars look like.

Light on purpose: planning imports it, so it imports neither numpy nor a method's module.
"""

from collections.abc import Iterable
from typing import NamedTuple

_ANY = "theorem: any distributions, any number of runs"
FEW_RUNS = 100
"""Below this number of runs of some pair, the asymptotic methods miss far more often than they promise (see
`surefoot.statistics.trust.payoff_limits`)."""


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
    as_published: str = ""


_ESTIMATES = "surefoot.statistics.estimates"
INTERVAL_METHODS = {
    "pbp_matchings": IntervalMethod(
        title="matching-based PBP",
        module=f"{_ESTIMATES}.matchings",
        guarantee=_ANY + " (binomial tests averaged over all matchings of runs, as e-values)",
        assumption="matching-based PBP holds for any distributions and any number of runs",
        proven=True,
        bar=(14, 0.4),
    ),
    "pbp_u_statistic": IntervalMethod(
        title="PBP, U-statistic bounds",
        module=f"{_ESTIMATES}.u_statistic",
        guarantee=_ANY + " (Hoeffding's argument for U-statistics, with a binomial bound)",
        assumption="PBP with U-statistic bounds holds for any distributions and any number of runs",
        proven=True,
        bar=(15, 0.32),
    ),
    "pbp": IntervalMethod(
        title="PBP",
        module=f"{_ESTIMATES}.bound_propagation",
        guarantee=_ANY + "; no range of the scores is assumed (Dvoretzky, Kiefer and Wolfowitz; Massart; Anderson)",
        assumption="PBP is distribution-free",
        proven=True,
        bar=(17, 0.28),
        as_published="without a guarantee as published: the range of the scores is taken from the runs themselves",
    ),
    "pbp_t": IntervalMethod(
        title="PBP-t",
        module=f"{_ESTIMATES}.student_t",
        guarantee="asymptotic: Student's t of both samples' shares of the error",
        assumption="PBP-t trusts Student's t",
        proven=False,
        bar=(10, 0.5),
        fewest_runs=2,
        as_published="without a guarantee as published, even with many runs: the opponent's law is taken for known",
    ),
    "bootstrap": IntervalMethod(
        title="percentile bootstrap",
        module=f"{_ESTIMATES}.resampling",
        guarantee="asymptotic at best: the runs stand for all runs, which few do not",
        assumption="the percentile bootstrap trusts that the runs stand for all runs, which few runs do not",
        proven=False,
        bar=(4, 1.0),
        fewest_runs=2,
        resamples=True,
        as_published="asymptotic at best: the runs stand for all runs, which few do not",
    ),
    "pbp_known_bounds": IntervalMethod(
        title="PBP, known bounds",
        module=f"{_ESTIMATES}.bound_propagation",
        guarantee=_ANY + ", if no score can leave the known bounds (Theorem 1 of the paper)",
        assumption="PBP with known bounds is distribution-free if no score can leave the bounds",
        proven=True,
        bar=(16, 0.28),
    ),
    "pbp_max_t": IntervalMethod(
        title="PBP, max-t",
        module=f"{_ESTIMATES}.max_t",
        guarantee="asymptotic: the normal maximum over all payoffs, which uses their correlation",
        assumption="PBP with max-t trusts that errors of payoffs are nearly normal",
        proven=False,
        bar=(8, 0.6),
        fewest_runs=2,
        resamples=True,
    ),
}
"""The methods in the order in which tables and legends list them."""

ESTIMATORS = {name: method.module for name, method in INTERVAL_METHODS.items()} | {
    "anderson": f"{_ESTIMATES}.means",
    "dkw": f"{_ESTIMATES}.distributions",
}
"""The module of every method of `surefoot.statistics.estimation.estimate`."""

RECOMMENDED = "pbp_matchings"
"""Of the methods that keep their level whatever the data, the one whose limits were the narrowest in most cases of
`surefoot.statistics.trust.payoff_limits`; in the others they were at most 0.8 % wider than those of pbp_u_statistic.
The choice needs no look at the data."""

_PREFERRED = (RECOMMENDED, "pbp_u_statistic", "pbp_known_bounds", "pbp", "pbp_max_t", "pbp_t", "bootstrap")


def leading(methods: Iterable[str]) -> str:
    """The method to quote among those that are there: the recommended one, else one that is proven, else any.

    The order of preference is fixed: the choice never depends on what the intervals say.
    """
    return min(methods, key=_PREFERRED.index)


def remark(method: str, variant: str, runs: int, ties: bool) -> str:
    """What a reader must know of a method's intervals on such data, as what follows "PBP-t is"; empty where they keep
    their promise.

    Parameters
    ----------
    method : one of INTERVAL_METHODS
    variant : "as_published" or "corrected"; the first is without effect on methods that have none
    runs : the fewest of any algorithm in any environment
    ties : whether different algorithms have runs with equal scores, or one algorithm has several
    """
    known = INTERVAL_METHODS[method]
    if variant == "as_published" and known.as_published:
        return known.as_published
    if known.proven:
        return ""
    if runs < FEW_RUNS:
        return f"asymptotic: with fewer than {FEW_RUNS} runs (here {runs:,}) it misses the truth far too often"
    if ties:
        return "asymptotic: where scores tie, as here, it may miss the truth too often even with many runs"
    return "asymptotic: where runs nearly always fall the same way, it may miss the truth too often even with many runs"
