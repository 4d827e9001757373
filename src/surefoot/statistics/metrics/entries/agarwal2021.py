r"""Metrics of Agarwal et al. 2021 (sections 2 and 4.3, appendix A.7).

With M tasks, N_m runs of task m and all R scores x; equal to a threshold but for rounding is not above it (see `ties`).

mean
    about : The mean of the task means.
    formula : $\frac1M \sum_m \bar x_m$.
    assumes : Scores are on one scale.
    guarantee : Unbiased, whatever the distribution of the scores.
    not for : Heavy tails: one task or run can decide it.
    source : agarwal2021, section 2

median
    about : The median of the task means.
    formula : The middle one of the $\bar x_m$, or the mean of the middle two.
    assumes : Scores are on one scale.
    guarantee : Outliers in fewer than half of the tasks cannot move it far.
    not for : Few runs, for which it is biased and varies much. Nearly half of the tasks may score 0 without changing
        it.
    source : agarwal2021, sections 2 and 3

iqm
    about : The interquartile mean: the mean of the middle half of all scores.
    formula : The mean of the $R$ scores without the $\lfloor R / 4 \rfloor$ lowest and the $\lfloor R / 4 \rfloor$
        highest.
    assumes : Scores are on one scale; each run counts the same, so tasks with more runs count for more.
    guarantee : Outliers move it less than the mean, and its intervals are usually narrower than the median's.
    not for : Where failures or the hardest tasks are the question: the lowest quarter is left out.
    source : agarwal2021, section 4.3

exact_iqm
    about : The IQM with exactly a quarter cut at each end.
    formula : As the IQM, but scores at the cuts count in part, so that a quarter of the mass is cut at each end.
    assumes : As the IQM.
    guarantee : No score enters or leaves it whole as runs are added.
    not for : Comparing with published values, which cut whole scores.
    source : agarwal2021, section 4.3

trimmed_mean
    about : The mean of all scores without a fraction at each end.
    formula : The mean of the $R$ scores without the $\lfloor p R \rfloor$ lowest and highest: the mean of all for $p =
        0$, their median for $p = 1/2$.
    assumes : As the IQM.
    guarantee : A fraction below $p$ of outliers at either end cannot move it far.
    not for : Choosing $p$ after seeing the results.
    source : agarwal2021, section 4.3 and figure A.16

run_median
    about : The median of all scores, not of task means.
    formula : The trimmed mean with $p = 1/2$.
    assumes : As the IQM.
    guarantee : Fewer than half of the scores cannot move it far.
    not for : Two groups of tasks, easy and hard: it may jump from one to the other.
    source : agarwal2021, section 4.3

optimality_gap
    about : How far scores fall short of a target, on average; lower is better.
    formula : The mean of $\max(\gamma - x, 0)$ over all scores.
    assumes : Beyond the target $\gamma$, such as the score of a human player, more is not wanted. Each run counts the
        same.
    guarantee : What exceeds the target cannot make up for what falls short of it.
    not for : Scales on which $\gamma$ has no meaning.
    source : agarwal2021, section 4.3

difficulty_progress
    about : The mean of the lowest scores, by default of a quarter of them.
    formula : The mean of the $\lfloor p R \rfloor$ lowest scores.
    assumes : As the IQM.
    guarantee : What happens on the easiest tasks cannot change it.
    not for : Few runs, of which it uses only the worst.
    source : agarwal2021, appendix A.7

probability_above
    about : The fraction of all scores above a threshold.
    formula : The share of the $R$ scores with $x > t$; one that equals $t$ but for rounding is not above.
    assumes : The threshold $t$ is a meaningful score, such as that of a human player. Each run counts the same.
    guarantee : Unbiased, whatever the distribution of the scores.
    not for : How far above: it is one point of the performance profile.
    source : agarwal2021, appendix A.7
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
