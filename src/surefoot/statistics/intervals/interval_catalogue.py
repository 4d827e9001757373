r"""Catalogue of interval methods for aggregate scores, and remarks on their intervals.

The methods are performance bound propagation (PBP, Jordan et al. 2020), as published and with narrower limits, and the
bootstrap.

This module is imported to plan jobs, so it does not import modules that compute.

pbp_matchings
    about : Proven for any scores and one or more runs, and the narrowest proven method: runs are matched one to one.
    formula : Over all one-to-one matchings of runs of $i$ and $k$, equally likely, the e-value is $e(\theta) =
        \sum_{l=1}^3 w_l\, h_l / b_l$ with $h_l = P(S \ge s_l)$ for the number $S$ of matched pairs in which $i$ scores
        at least as much, and $b_l = P(\mathrm{Bin}(K, \theta) \ge s_l)$ for the smaller number $K$ of runs. The lower
        limit of the payoff is the least $\theta$ with $e(\theta) < 1 / \varepsilon$, $\varepsilon = \delta / (2P)$.
        Here $w = (0.7, 0.2, 0.1)$, $s_1$ is the least number with $b_1 \le 0.7\, \varepsilon$, and $s_2$ and $s_3$ are
        the least with $b_2 \le 0.02\, \varepsilon$ and $b_3 \le 0.0001\, \varepsilon$ at the greatest $\theta$ with the
        same $s_1$; no $s_l$ exceeds $K$. The upper limit is 1 minus such a limit for the pairs in which $k$ scores
        more.
    assumes : Runs in an environment are independent, within and between algorithms; nothing about their distributions.
    not for : Hundreds of runs, with which asymptotic limits are narrower.
    source : Jordan et al. 2020, section 5; Vovk and Wang 2021; Clopper and Pearson 1934

pbp
    about : Proven for any scores and one or more runs: bands around whole distributions, as in the paper.
    formula : The least and the greatest payoff of distributions within bands $\mp \sqrt{\ln(2 / \delta') / (2 N)}$,
        $\delta' = \delta / (nm)$, around both empirical ones: $Z^- = \int_0^{1-\varepsilon}\, \max(F_k(x(u)) -
        \varepsilon', 0)\, du$ and $Z^+ = \varepsilon + \int_\varepsilon^1\, \min(F_k(x(u)) + \varepsilon', 1)\, du$,
        with the $u$-quantile $x(u)$ of $i$'s runs, the share $F_k(x)$ of $k$'s runs that score at most $x$, and half
        widths $\varepsilon$ of $i$'s and $\varepsilon'$ of $k$'s band, at most 1.
    assumes : The runs of an algorithm in an environment are independent; nothing about their distributions.
    not for : Few runs: it is the widest of the proven methods.
    source : Jordan et al. 2020, section 5 and appendix C; Dvoretzky et al. 1956; Massart 1990; Anderson 1969

pbp_t
    about : Student's t for each payoff: for many runs, if no algorithm nearly always beats another.
    formula : $z \mp t\, \sqrt{a + b}$ of each payoff $z$, clipped to 0 and 1: $N a$ is the variance over the $N$ runs
        of $i$ of the share of $k$'s runs that score at most as much, $K b$ is the variance over the $K$ runs of $k$ of
        the share of $i$'s runs that score at least as much, and $t$ is Student's $1 - \delta / (2P)$ quantile with $(a
        + b)^2 / \left( a^2 / (N - 1) + b^2 / (K - 1) \right)$ degrees of freedom. As published, $b = 0$, $nm$ replaces
        $P$, and limits are not clipped.
    assumes : Runs in an environment are independent; the errors of payoffs, divided by their standard errors, follow
        Student's distribution.
    not for : Fewer than 100 runs, ties, or algorithms of which one nearly always wins: with 1,000 runs it still missed
        in up to 55 % of simulated cases.
    source : Jordan et al. 2020, section 6.3 and appendix G; Welch 1947; DeLong et al. 1988; Brunner and Munzel 2000

bootstrap
    about : Runs are resampled and the game is solved again.
    formula : The $\delta / (2n)$ and $1 - \delta / (2n)$ quantiles of each score over games with the runs of each
        algorithm in each environment drawn with replacement; as published, $\delta / (2nm)$.
    assumes : Runs are independent, within and between algorithms and environments.
    not for : Fewer than 100 runs, or algorithms of which one nearly always wins.
    source : Jordan et al. 2020, section 6.3 and appendix G; Efron and Tibshirani 1993
"""

from collections.abc import Iterable
from typing import NamedTuple

from surefoot.registry import Registry

FEW_RUNS = 100
"""Number of runs of an algorithm in an environment below which asymptotic methods miss far more often than stated (see
`surefoot.validation.intervals`).
"""

RECOMMENDED = "pbp_matchings"
"""The recommended method, for any data: of the methods that always keep their level, it had the narrowest limits in
`surefoot.validation.intervals`.
"""


class IntervalMethod(NamedTuple):
    """A method that computes intervals for aggregate scores.

    title : title in sentences and legends
    function : "module:name" of a function(samples, options, variant) that returns limits (low, high) of the payoffs,
        float64[n, m, n] each; but see `of_scores`
    guarantee : guarantee of the corrected variant, with its source
    assumption : clause on pages about what the method assumes
    proven : True if the corrected variant keeps its level for any distributions and any number of runs
    min_runs : smallest number of runs of each algorithm in each environment that the method needs
    resamples : True if the method uses resamples
    of_scores : True for a function(samples, options, variants) that returns (low, high, standard error) of the
        aggregate scores by variant. Otherwise, the limits of the payoffs are propagated through the game
    as_published : limitation of the published variant; empty if the method was not published
    """

    title: str
    function: str
    guarantee: str
    assumption: str
    proven: bool
    min_runs: int = 1
    resamples: bool = False
    of_scores: bool = False
    as_published: str = ""


class Options(NamedTuple):
    """Options of a method; see `surefoot.statistics.intervals.estimation.estimate`, where delta is 1 - confidence."""

    delta: float
    seed: int = 0
    n_resamples: int = 10_000
    threads: int = 1


_HERE = "surefoot.statistics.intervals"
_ANY = "theorem: any distributions, any number of runs"
INTERVAL_METHODS = Registry(
    "interval_methods",
    {
        "pbp_matchings": IntervalMethod(
            title="matching-based PBP",
            function=f"{_HERE}.payoff_limits:pbp_matchings",
            guarantee=_ANY + " (binomial tests averaged over all matchings of runs, as e-values)",
            assumption="matching-based PBP holds for any distributions and any number of runs",
            proven=True,
        ),
        "pbp": IntervalMethod(
            title="PBP",
            function=f"{_HERE}.payoff_limits:pbp",
            guarantee=_ANY + "; no range of the scores is assumed (Dvoretzky, Kiefer and Wolfowitz; Massart; Anderson)",
            assumption="PBP is distribution-free",
            proven=True,
            as_published="without a guarantee as published: the range of the scores is taken from the runs themselves",
        ),
        "pbp_t": IntervalMethod(
            title="PBP-t",
            function=f"{_HERE}.payoff_limits:pbp_t",
            guarantee="asymptotic: Student's t interval whose variance includes the contributions of both samples",
            assumption="PBP-t relies on Student's t, which needs many runs",
            proven=False,
            min_runs=2,
            as_published="without a guarantee as published, even with many runs: the opponent's distribution is taken "
            "as known",
        ),
        "bootstrap": IntervalMethod(
            title="percentile bootstrap",
            function=f"{_HERE}.bootstrap:bootstrap",
            guarantee="asymptotic at best: the runs at hand are treated as all possible runs",
            assumption="the percentile bootstrap treats the runs at hand as all possible runs, which fails if they are "
            "few",
            proven=False,
            min_runs=2,
            resamples=True,
            of_scores=True,
            as_published="asymptotic at best: the runs at hand are treated as all possible runs",
        ),
    },
)
"""Interval methods, in the order of tables and legends. Pages quote the first one that was used. Add new methods here.
"""
INTERVAL_METHODS.complete()

_FUNCTIONS = {name: method.function for name, method in INTERVAL_METHODS.items()} | {
    "anderson": f"{_HERE}.distribution_bands:anderson",
    "dkw": f"{_HERE}.distribution_bands:dkw",
}
ESTIMATORS = {name: function.partition(":")[0] for name, function in _FUNCTIONS.items()}
"""The module of each method, including the methods for means and distributions."""


def leading(methods: Iterable[str]) -> str:
    """Return the method to quote, which is the one that comes first in INTERVAL_METHODS."""
    return min(methods, key=list(INTERVAL_METHODS).index)


def remark(method: str, variant: str, runs: int, ties: bool) -> str:
    """Return a remark on the intervals of a method, worded to follow "PBP-t is"; empty if their level is proven.

    Parameters
    ----------
    method : one of INTERVAL_METHODS
    variant : "as_published" or "corrected"; ignored for methods that were not published
    runs : the smallest number of runs of any algorithm in any environment
    ties : True if two runs in one environment have the same score
    """
    description = INTERVAL_METHODS[method]
    if variant == "as_published" and description.as_published:
        return description.as_published
    if description.proven:
        return ""
    if runs < FEW_RUNS:
        return f"asymptotic: with fewer than {FEW_RUNS} runs (here {runs:,}), the truth is missed far too often"
    if ties:
        return "asymptotic: where scores tie, as here, the truth may be missed too often even with many runs"
    return "asymptotic: where one algorithm nearly always wins, the truth may be missed too often even with many runs"
