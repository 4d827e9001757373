"""Bound propagation (Jordan et al. 2020), as published and with tighter limits, and the bootstrap."""

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
        bar=(14, 0.4),
        preference=1,
    ),
    "pbp_u_statistic": IntervalMethod(
        title="PBP, U-statistic bounds",
        module=f"{_ESTIMATES}.u_statistic",
        guarantee=_ANY + " (Hoeffding's argument for U-statistics, with a binomial bound)",
        assumption="PBP with U-statistic bounds holds for any distributions and any number of runs",
        proven=True,
        bar=(15, 0.32),
        preference=2,
    ),
    "pbp": IntervalMethod(
        title="PBP",
        module=f"{_ESTIMATES}.bound_propagation",
        guarantee=_ANY + "; no range of the scores is assumed (Dvoretzky, Kiefer and Wolfowitz; Massart; Anderson)",
        assumption="PBP is distribution-free",
        proven=True,
        bar=(17, 0.28),
        preference=4,
        as_published="without a guarantee as published: the range of the scores is taken from the runs themselves",
    ),
    "pbp_t": IntervalMethod(
        title="PBP-t",
        module=f"{_ESTIMATES}.student_t",
        guarantee="asymptotic: Student's t of both samples' shares of the error",
        assumption="PBP-t trusts Student's t",
        proven=False,
        bar=(10, 0.5),
        preference=6,
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
        preference=7,
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
        preference=3,
    ),
    "pbp_max_t": IntervalMethod(
        title="PBP, max-t",
        module=f"{_ESTIMATES}.max_t",
        guarantee="asymptotic: the normal maximum over all payoffs, which uses their correlation",
        assumption="PBP with max-t trusts that errors of payoffs are nearly normal",
        proven=False,
        bar=(8, 0.6),
        preference=5,
        fewest_runs=2,
        resamples=True,
    ),
}
