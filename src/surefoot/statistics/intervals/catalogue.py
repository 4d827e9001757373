"""Which method of intervals to quote, and what to say of it.

Light on purpose: planning imports it, so it imports neither numpy nor a method's module.
"""

from collections.abc import Iterable

from surefoot.statistics.intervals.entries import INTERVAL_METHODS

FEW_RUNS = 100
"""Below this number of runs of some pair, the asymptotic methods miss far more often than they promise (see
`surefoot.statistics.coverage.trust.payoff_limits`)."""

ESTIMATORS = {name: method.module for name, method in INTERVAL_METHODS.items()} | {
    "anderson": "surefoot.statistics.intervals.methods.means",
    "dkw": "surefoot.statistics.intervals.methods.distributions",
}
"""The module of every method of `surefoot.statistics.intervals.estimation.estimate`."""

RECOMMENDED = "pbp_matchings"
"""Of the methods that keep their level whatever the data, the one whose limits were the narrowest in most cases of
`surefoot.statistics.coverage.trust.payoff_limits`; in the others they were at most 0.8 % wider than those of
pbp_u_statistic. The choice needs no look at the data."""


def leading(methods: Iterable[str]) -> str:
    """The method to quote among those that are there: the recommended one, else one that is proven, else any.

    The order of preference is fixed: the choice never depends on what the intervals say.
    """
    return min(methods, key=lambda name: INTERVAL_METHODS[name].preference)


def remark(method: str, variant: str, runs: int, ties: bool) -> str:
    """What a reader must know of a method's intervals on such data, as what follows "PBP-t is" or "both are"; empty
    where they keep their promise.

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
        return f"asymptotic: with fewer than {FEW_RUNS} runs (here {runs:,}), the truth is missed far too often"
    if ties:
        return "asymptotic: where scores tie, as here, the truth may be missed too often even with many runs"
    return (
        "asymptotic: where runs nearly always fall the same way, the truth may be missed too often even with many runs"
    )
