r"""Bound propagation (Jordan et al. 2020), as published and with tighter limits, and the bootstrap.

pbp_matchings
    formula : Of all one-to-one matchings of runs of algorithms $i$ and $k$, the e-value $e(\theta) = \sum_{l=1}^3 w_l\,
        h_l / b_l$ with $h_l = P_\pi(S \ge s_l)$, $S$ the number of matched pairs of which $i$'s run scores at least as
        much, and $b_l = P(\mathrm{Bin}(K, \theta) \ge s_l)$, $K$ the smaller number of runs; the lower limit of a
        payoff is the least $\theta$ with $e(\theta) < 1 / \varepsilon$, where $\varepsilon = \delta / (2P)$ for $P$
        payoffs. The weights are $w = (0.7, 0.2, 0.1)$; $s_1$ is the least number with $b_1 \le 0.7\, \varepsilon$, and
        $s_2$ and $s_3$ those with $b_2 \le 0.02\, \varepsilon$ and $b_3 \le 0.0001\, \varepsilon$ at the greatest
        $\theta$ that has the same $s_1$; none is above $K$. The upper limit is 1 less that of the matched pairs of
        which $k$'s run scores more. Limits of payoffs are propagated to scores.
    assumes : Runs are independent within each pair of algorithm and environment; nothing of their distributions.
    not for : Nothing known except that it is wide: with hundreds of runs, asymptotic limits are narrower.
    source : jordan2020, section 5; vovk2021; clopper1934

pbp_u_statistic
    formula : The lower limit of a payoff $U$ is the $\theta$ that solves $\min_{r < U} E \max(V - r, 0) / (U - r) =
        \delta / (2P)$ for $P$ payoffs, where $K V$ is binomial with $K$, the smaller number of runs, and $\theta$; it
        is 0 for $U = 0$. Only a few whole numbers $r K$ are tried, which makes limits wider by 0.4 % at most. The upper
        limit is 1 less that of $1 - U$.
    assumes : As matching-based PBP.
    not for : Cases where the matching-based limits are available, which are nearly always narrower.
    source : hoeffding1963; jordan2020, section 5

pbp
    formula : Bands $\mp \sqrt{\ln(2 / \delta') / (2 N)}$ around both algorithms' distribution functions, $\delta' =
        \delta / (nm)$ for $n$ algorithms in $m$ environments, and the least and the greatest payoff that distributions
        within them have: $Z^- = \int_0^{1-\varepsilon} \max(F_k(x(u)) - \varepsilon', 0)\, du$ and $Z^+ = \varepsilon +
        \int_\varepsilon^1 \min(F_k(x(u)) + \varepsilon', 1)\, du$, with $x(u)$ the $u$-quantile of $i$'s runs, $F_k$
        the share of $k$'s runs that score at most so much, and the widths $\varepsilon$ of $i$'s band and
        $\varepsilon'$ of $k$'s, which are at most 1.
    assumes : As matching-based PBP; no range of the scores is needed.
    not for : Few runs: it is the widest of the proven methods.
    source : jordan2020, section 5 and appendix C; dvoretzky1956; massart1990; anderson1969

pbp_t
    formula : $z \mp t\, \sqrt{s_i^2 / N + s_k^2 / K}$ of each payoff $z$, cut at 0 and 1: $s_i^2$ is the variance over
        the $N$ runs of $i$ of the share of $k$'s runs that score at most as much, $s_k^2$ that over the $K$ runs of
        $k$ of the share of $i$'s runs that score at least as much, and $t$ the $1 - \delta / (2 n (n - 1) m)$ quantile
        of Student's distribution with Welch's degrees of freedom, $(a + b)^2 / \left( a^2 / (N - 1) + b^2 / (K - 1)
        \right)$ for $a = s_i^2 / N$ and $b = s_k^2 / K$.
    assumes : Runs are independent within each pair, and the errors of payoffs over their standard errors follow
        Student's distribution.
    not for : Fewer than 100 runs, ties, or runs that nearly always fall the same way: it then misses the truth far too
        often.
    source : jordan2020, section 6.3 and appendix G; delong1988; brunner2000

bootstrap
    formula : Runs of each algorithm in each environment are drawn with replacement and the game is played again; the
        limits are the $\delta / (2n)$ and $1 - \delta / (2n)$ quantiles of each of the $n$ scores.
    assumes : Runs are independent within each pair and stand for all runs, which few do not.
    not for : Fewer than 100 runs, or runs that nearly always fall the same way: replicates cannot show what no run has
        shown.
    source : jordan2020, section 6.3 and appendix G; efron1993

pbp_known_bounds
    formula : As PBP, with a range that the scores of an environment cannot leave.
    assumes : As matching-based PBP; no score can leave the bounds, which were known before the runs.
    not for : Ranges read off the runs, which void the guarantee.
    source : jordan2020, theorem 1

pbp_max_t
    formula : As PBP-t, with $t$ at $1 - \beta / 2$, where $\beta = 2\, \Phi(-c)$ is the level of one payoff at the $1 -
        \delta$ quantile $c$ of the largest $|\text{error}| / \text{standard error}$ over all payoffs, of errors that
        are normal with the covariances of the runs' parts; never below Bonferroni's. A payoff whose runs all fall
        the same way has the limits of the U-statistic.
    assumes : Runs are independent within each pair, and the errors of payoffs are nearly normal.
    not for : Fewer than 100 runs, or payoffs near 0 or 1: it then misses the truth far too often.
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
