r"""Metrics of Agarwal et al. 2021 (sections 4.1 to 4.3, A.3, A.4).

With M tasks, N_m runs of task m and all n scores x; equal to a threshold but for rounding is not above it (see `ties`).

mean
    formula : $\frac1M \sum_m \bar x_m$, the mean of the task means.
    assumes : Scores are on one scale.
    guarantee : Unbiased for any scores.
    not for : Heavy tails: one task or run can decide it.
    source : agarwal2021, section 2

median
    formula : The median of the task means $\bar x_m$.
    assumes : Scores are on one scale.
    guarantee : Fewer than half of the tasks cannot move it far.
    not for : Few runs, for which it is biased and varies much; nearly half of the tasks may score 0 without changing
        it.
    source : agarwal2021, sections 2 and 3

iqm
    formula : The mean of all $n$ scores without the $\lfloor n / 4 \rfloor$ lowest and the $\lfloor n / 4 \rfloor$
        highest.
    assumes : Scores are on one scale, and all tasks count as one pool.
    guarantee : Less moved by outliers than the mean and with usually narrower intervals than the median.
    not for : Where failures and hardest tasks are the question: the lowest quarter is left out.
    source : agarwal2021, section 4.3

exact_iqm
    formula : As the IQM, but with exactly a quarter of the mass cut at each end, the scores at the cuts in part.
    assumes : As of the IQM.
    guarantee : No score enters or leaves it whole when runs are added.
    not for : Comparing with published values, which cut whole scores.
    source : agarwal2021, section 4.3

trimmed_mean
    formula : The mean of all $n$ scores without the $\lfloor p n \rfloor$ at each end; $p = 0$ is their mean, $p =
        1/2$ their median, between two scores their mean.
    assumes : Scores are on one scale.
    guarantee : A fraction below $p$ of outliers at either end cannot move it far.
    not for : Choosing $p$ after seeing the results.
    source : agarwal2021, section 4.3 and figure A.16

run_median
    formula : The median of all scores, not of task means.
    assumes : Scores are on one scale.
    guarantee : As of a trimmed mean with $p = 1/2$.
    not for : Two groups of tasks, easy and hard: it may jump from one to the other.
    source : agarwal2021, section 4.3

optimality_gap
    formula : The mean over all scores of $\max(\gamma - x, 0)$; lower is better.
    assumes : $\gamma$ is a score beyond which more is not wanted, such as that of a human player.
    guarantee : What exceeds the target cannot make up for what falls short of it.
    not for : Scales on which $\gamma$ has no meaning.
    source : agarwal2021, section 4.3

difficulty_progress
    formula : The mean of the $\lfloor p n \rfloor$ lowest of all $n$ scores.
    assumes : Scores are on one scale.
    guarantee : What happens on the easiest tasks cannot change it.
    not for : Few runs, of which it uses the worst alone.
    source : agarwal2021, figure A.25

probability_above
    formula : The fraction of all scores above $t$; equal to it but for rounding is not above.
    assumes : $t$ is a meaningful score, such as that of a human player.
    guarantee : Unbiased for any scores.
    not for : How far above: it is one point of the performance profile.
    source : agarwal2021, figure A.25
"""

from typing import TYPE_CHECKING

from surefoot.statistics.metrics.entry import CUT, LOWEST, MASS, MIDDLE, TASK_MEAN, TASK_MEDIAN, MetricEntry, Step

if TYPE_CHECKING:
    from surefoot.statistics.arrays import Floats


def _trimmed(fraction: float, weighted: bool) -> Step:
    if not weighted:
        return CUT, fraction, 0.0
    return (MIDDLE, 0.5, 0.0) if fraction == 0.5 else (MASS, fraction, 1.0 - fraction)


def _lowest(fraction: float, weighted: bool) -> Step:
    return (MASS, 0.0, fraction) if weighted else (LOWEST, fraction, 0.0)


def _gap(values: "Floats", gamma: float) -> "Floats":
    return (gamma - values).clip(min=0.0)


def _above(values: "Floats", threshold: float) -> "Floats":
    from surefoot.statistics.ties import with_margin

    return (values > with_margin(threshold, values)).astype(float)


METRICS = {
    "mean": MetricEntry("Mean", step=lambda _, weighted: (TASK_MEAN, 0.0, 0.0)),
    "median": MetricEntry("Median", step=lambda _, weighted: (TASK_MEDIAN, 0.0, 0.0)),
    "iqm": MetricEntry("IQM", step=lambda _, weighted: _trimmed(0.25, weighted)),
    "exact_iqm": MetricEntry(step=lambda _, weighted: (MASS, 0.25, 0.75)),
    "trimmed_mean": MetricEntry(parameter="p", usual=0.25, greatest=0.5, step=_trimmed),
    "run_median": MetricEntry(step=lambda _, weighted: _trimmed(0.5, weighted)),
    "optimality_gap": MetricEntry(
        "Optimality gap", parameter="gamma", usual=1.0, lower_is_better=True, homogeneous=False, counts_for=_gap
    ),
    "difficulty_progress": MetricEntry(
        "Difficulty progress (DP-25)", parameter="p", usual=0.25, greatest=1.0, step=_lowest
    ),
    "probability_above": MetricEntry(
        "Superhuman probability", parameter="t", usual=1.0, homogeneous=False, counts_for=_above
    ),
}
