r"""Bound propagation (Jordan et al. 2020), as published and with tighter limits, and the bootstrap.

pbp_matchings
    about : Proven for any scores from one run on, and the narrowest such: runs are matched one to one.
    formula : Over all one-to-one matchings of runs of $i$ and $k$, equally likely, the e-value is $e(\theta) =
        \sum_{l=1}^3 w_l\, h_l / b_l$ with $h_l = P(S \ge s_l)$ for the number $S$ of matched pairs in which $i$ scores
        at least as much, and $b_l = P(\mathrm{Bin}(K, \theta) \ge s_l)$ for the smaller number $K$ of runs. The lower
        limit of the payoff is the least $\theta$ with $e(\theta) < 1 / \varepsilon$, $\varepsilon = \delta / (2P)$.
        Here $w = (0.7, 0.2, 0.1)$, $s_1$ is the least number with $b_1 \le 0.7\, \varepsilon$, and $s_2$ and $s_3$ are
        those with $b_2 \le 0.02\, \varepsilon$ and $b_3 \le 0.0001\, \varepsilon$ at the greatest $\theta$ that has the
        same $s_1$; none exceeds $K$. The upper limit is 1 minus such a limit for the pairs in which $k$ scores more.
    assumes : Runs in an environment are independent, within and between algorithms; nothing about their distributions.
    not for : Hundreds of runs, with which asymptotic limits are narrower.
    source : jordan2020, section 5; vovk2021; clopper1934

pbp_u_statistic
    about : Proven for any scores from one run on: payoffs are bounded as U-statistics.
    formula : The lower limit of a payoff $U$ is the $\theta$ that solves $\min_{r < U}\, \mathrm{E}\, \max(V - r, 0) /
        (U - r) = \delta / (2P)$, where $K V$ is binomial with $\theta$ and the smaller number $K$ of runs; 0 for
        $U = 0$. Trying only a few whole numbers $r K$ widens the distance from $U$ by 0.4 % at most. The upper limit is
        1 minus the lower one of $1 - U$.
    assumes : As matching-based PBP.
    not for : Most cases: matching-based limits are usually narrower, and hardly ever more than 1 % wider.
    source : hoeffding1963; jordan2020, section 5

pbp
    about : Proven for any scores from one run on: bands of whole distributions, as in the paper.
    formula : The least and the greatest payoff of distributions within bands $\mp \sqrt{\ln(2 / \delta') / (2 N)}$,
        $\delta' = \delta / (nm)$, around both empirical ones: $Z^- = \int_0^{1-\varepsilon}\, \max(F_k(x(u)) -
        \varepsilon', 0)\, du$ and $Z^+ = \varepsilon + \int_\varepsilon^1\, \min(F_k(x(u)) + \varepsilon', 1)\, du$,
        with the $u$-quantile $x(u)$ of $i$'s runs, the share $F_k(x)$ of $k$'s runs that score at most $x$, and half
        widths $\varepsilon$ of $i$'s and $\varepsilon'$ of $k$'s band, at most 1.
    assumes : The runs of an algorithm in an environment are independent; nothing about their distributions.
    not for : Few runs: it is the widest of the proven methods.
    source : jordan2020, section 5 and appendix C; dvoretzky1956; massart1990; anderson1969

pbp_t
    about : Student's t for each payoff: for many runs that often fall either way.
    formula : $z \mp t\, \sqrt{a + b}$ of each payoff $z$, cut at 0 and 1: $N a$ is the variance over the $N$ runs of
        $i$ of the share of $k$'s runs that score at most as much, $K b$ that over the $K$ runs of $k$ of the share of
        $i$'s runs that score at least as much, and $t$ is Student's $1 - \delta / (2P)$ quantile with $(a + b)^2 /
        \left( a^2 / (N - 1) + b^2 / (K - 1) \right)$ degrees of freedom. As published, $b = 0$, $nm$ stands for $P$,
        and limits are not cut.
    assumes : Runs in an environment are independent; errors of payoffs over their standard errors follow Student's
        distribution.
    not for : Fewer than 100 runs, ties, or runs that nearly always fall the same way: with 1,000 runs it still missed
        in up to 55 % of simulated cases.
    source : jordan2020, section 6.3 and appendix G; welch1947; delong1988; brunner2000

bootstrap
    about : Runs are resampled and the game is played again.
    formula : The $\delta / (2n)$ and $1 - \delta / (2n)$ quantiles of each score over games with the runs of each
        algorithm in each environment drawn with replacement; as published, $\delta / (2nm)$.
    assumes : Runs are independent, within and between algorithms and environments.
    not for : Fewer than 100 runs, or runs that nearly always fall the same way.
    source : jordan2020, section 6.3 and appendix G; efron1993

pbp_known_bounds
    about : PBP where scores have bounds that were known beforehand.
    formula : As PBP, with distributions that cannot leave the bounds. It differs from PBP only where runs score exactly
        at a bound.
    assumes : As PBP, and no score can leave the bounds, known before the runs.
    not for : Ranges read off the runs, which void the guarantee.
    source : jordan2020, theorem 1

pbp_max_t
    about : PBP-t at a level that uses the correlation of payoffs.
    formula : As PBP-t, with $t$ the $1 - \beta / 2$ quantile for $\beta = 2\, \Phi(-c)$, at least Bonferroni's $\delta
        / P$; $c$ is the $1 - \delta$ quantile of the largest absolute error over its standard error among all payoffs,
        of errors that are normal with the covariances estimated from the runs. A payoff whose runs all fall the same
        way has the limits of the U-statistic.
    assumes : Runs are independent, and errors of payoffs are nearly normal.
    not for : Fewer than 100 runs, or payoffs near 0 or 1: with 1,000 runs it still missed in up to 40 % of simulated
        cases.
    source : chernozhukov2013; konietschke2012; brunner2000
"""

from surefoot.statistics.intervals.entry import IntervalMethod

_ANY = "theorem: any distributions, any number of runs"
_ESTIMATES = "surefoot.statistics.intervals.methods"
INTERVAL_METHODS = {
    "pbp_matchings": IntervalMethod(
        title="matching-based PBP",
        module=f"{_ESTIMATES}.matchings",
        guarantee=_ANY + " (binomial tests averaged over all matchings of runs, as e-values)",
        assumption="matching-based PBP holds for any distributions and any number of runs",
        proven=True,
        bar=(12, 0.42),
        preference=1,
    ),
    "pbp_u_statistic": IntervalMethod(
        title="PBP, U-statistic bounds",
        module=f"{_ESTIMATES}.u_statistic",
        guarantee=_ANY + " (Hoeffding's argument for U-statistics, with a binomial bound)",
        assumption="PBP with U-statistic bounds holds for any distributions and any number of runs",
        proven=True,
        bar=(13, 0.38),
        preference=2,
    ),
    "pbp": IntervalMethod(
        title="PBP",
        module=f"{_ESTIMATES}.bound_propagation",
        guarantee=_ANY + "; no range of the scores is assumed (Dvoretzky, Kiefer and Wolfowitz; Massart; Anderson)",
        assumption="PBP is distribution-free",
        proven=True,
        bar=(17, 0.2),
        preference=4,
        as_published="without a guarantee as published: the range of the scores is taken from the runs themselves",
    ),
    "pbp_t": IntervalMethod(
        title="PBP-t",
        module=f"{_ESTIMATES}.student_t",
        guarantee="asymptotic: Student's t of both samples' shares of the error",
        assumption="PBP-t relies on Student's t, which needs many runs",
        proven=False,
        bar=(8, 0.6),
        preference=6,
        fewest_runs=2,
        as_published="without a guarantee as published, even with many runs: the opponent's distribution is taken as "
        "known",
    ),
    "bootstrap": IntervalMethod(
        title="percentile bootstrap",
        module=f"{_ESTIMATES}.resampling",
        guarantee="asymptotic at best: the runs at hand are treated as all possible runs",
        assumption="the percentile bootstrap treats the runs at hand as all possible runs, which fails if they are few",
        proven=False,
        bar=(4, 1.0),
        preference=7,
        fewest_runs=2,
        resamples=True,
        as_published="asymptotic at best: the runs at hand are treated as all possible runs",
    ),
    "pbp_known_bounds": IntervalMethod(
        title="PBP, known bounds",
        module=f"{_ESTIMATES}.bound_propagation",
        guarantee=_ANY + ", if no score can leave the known bounds (Theorem 1 of the paper)",
        assumption="PBP with known bounds is distribution-free if no score can leave the bounds",
        proven=True,
        bar=(15, 0.26),
        preference=3,
    ),
    "pbp_max_t": IntervalMethod(
        title="PBP, max-t",
        module=f"{_ESTIMATES}.max_t",
        guarantee="asymptotic: the normal maximum over all payoffs, which uses their correlation",
        assumption="PBP with max-t assumes that errors of payoffs are nearly normal",
        proven=False,
        bar=(6, 0.8),
        preference=5,
        fewest_runs=2,
        resamples=True,
    ),
}
