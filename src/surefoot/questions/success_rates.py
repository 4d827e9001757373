"""Success rates of runs with several trials, and differences between policies or training runs."""

import math
from collections.abc import Sequence
from itertools import combinations
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, InputError, shown
from surefoot.questions._framework.checking import check_algorithms
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import Algorithms, Confidence
from surefoot.runs.columns.argument_names import names_checked
from surefoot.statistics.arrays import check_confidence

_ROUNDING = 1e-9  # largest amount by which the sum of a rate and a difference may exceed 1, because of rounding


def check_success_rates(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if no run has several trials."""
    if (table["trials"] == 1).all():
        what = "no run has more than one trial"
        hint = "give all trials of a run the same number; success_rate_differences compares policies by single trials"
        raise InputError(where, what, hint)


@question(
    stage="estimate",
    needs="outcomes",
    finding="surefoot.charts.difference_charts:success_rates_finding",
    check=check_success_rates,
)
def success_rates(
    runs: pd.DataFrame,
    *,
    confidence_level: Confidence = 0.95,
) -> Result:
    r"""Estimate the success rate of each algorithm in each environment, from runs with several trials each.

    Trials of one run resemble each other, so the intervals are for the mean success rate of independent runs.

    There are two intervals. `low` and `high` assume that the rates of the observed runs vary as much as the rates of
    all runs. `distribution_free_low` and `distribution_free_high` assume nothing about the rates: they allow for runs
    that collapse, even if none of the observed runs did.

    Parameters
    ----------
    runs : DataFrame
        Outcomes of trials, several rows per run: a table with the columns algorithm, environment, run, score, which is
        1 for a success and 0 for a failure; or one row per run with its success rate, and a column trials.
    confidence_level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    Result
        `table()` has columns algorithm, environment, runs, trials (of all runs), rate (mean of the rates of the runs),
        low, high (interval from the spread of the rates, for each mean separately), distribution_free_low,
        distribution_free_high (interval for rates of any distribution), overdispersion (correlation of two trials of a
        run: 0 if trials are practically independent, 1 if all trials of a run have the same outcome; NaN if it cannot
        be estimated).

    Notes
    -----
    formula : The mean $\bar x$ of the runs' rates $x_i$. Its variance is $s^2 / n$ for $n$ runs with the variance $s^2$
        of their rates, or the binomial variance of their trials if that is larger (at the pooled rate with one success
        and one failure added). The limits are Clopper and Pearson's for $m \bar x$ successes in $m$ trials, where $m$
        is $\bar x (1 - \bar x) n / s^2 \cdot (z / t_{n-1})^2$, at most the number of trials, or $n$ where all trials
        succeed or all fail. The distribution-free lower limit is the $\alpha/2$ quantile of $\sum_{i=0}^n W_i x_i$ with
        $x_0 = 0$ and weights $W$ distributed uniformly on the simplex, which is computed exactly. The upper limit
        follows in the same way from the fractions of failures. The first interval is clipped to the distribution-free
        interval. The overdispersion is the analysis-of-variance estimate of the correlation of two trials of a run.
    assumes : Runs are independent; trials of one run need not be. The first interval assumes that the observed runs are
        typical; the distribution-free interval does not.
    guarantee : For each rate separately. At 95 %, the first interval missed the mean rate in 3.8 % of simulated
        experiments on average over 100 designs of 3 to 20 runs with 20 trials each. At worst it missed in 16 % with
        beta-distributed rates, and in 32 % if one run in ten collapses: it misses if no observed run has collapsed.
        The distribution-free interval has at least the stated confidence with one trial per run (Clopper and Pearson).
        With more trials, this is a conjecture for any number of runs, to which no counterexample is known: the interval
        missed in at most 2.5 % of 400 experiments in each of 19 simulated designs with 3 to 50 runs, some of which
        collapse, or have beta-distributed rates.
    interval : limits of Korn and Graubard for rates of clustered trials, and distribution-free limits
    not for : A single run, which cannot show how much runs differ.

    References
    ----------
    Korn and Graubard 1998; Gaffke 2005; Learned-Miller and Thomas 2019; Clopper and Pearson 1934

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import success_rates
    >>> rows = [("a", "maze", run, success) for run in range(3) for success in (1, 0, 1, 1)]
    >>> outcomes = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    >>> success_rates(outcomes).table()[["algorithm", "runs", "trials", "rate"]]
      algorithm  runs  trials  rate
    0         a     3      12  0.75
    """
    from surefoot.statistics.intervals.rate_limits import mean_rate_variance, rate_limits, training_limits

    rows = []
    tail = (1.0 - confidence_level) / 2.0
    for (algorithm, environment), own in runs.groupby(["algorithm", "environment"], sort=False):
        # Rates are negative if lower rates are better.
        rates = own["score"].abs().to_numpy(np.float64)
        trials = own["trials"].to_numpy(np.float64)
        successes = np.round(rates * trials)
        free = rate_limits(successes, trials, confidence_level)
        low = free.low
        high = free.high
        if len(own) > 1:
            of_runs = training_limits(successes, trials, mean_rate_variance(successes, trials), len(own) - 1.0, tail)
            low = max(low, of_runs[0])
            high = min(high, of_runs[1])
        rows.append((algorithm, environment, len(own), int(trials.sum()), rates.mean(), low, high, *free))
    columns = ["algorithm", "environment", "runs", "trials", "rate", "low", "high"]
    columns += ["distribution_free_low", "distribution_free_high", "overdispersion"]
    return Result(pd.DataFrame(rows, columns=columns))


_ALL = "all environments"
ROLLOUT = "rollout"
START = "start"
TRAINING = "training"
"""Units of replication: single trials of a policy, starts that all policies share, or training runs."""


def trials_in_common(table: pd.DataFrame, settings: Any, where: str) -> pd.DataFrame:
    """Return the trials of the compared algorithms, or raise an InputError if none have an environment in common."""
    chosen = check_algorithms(table, settings, where, fewest=2)
    trials = table[table["algorithm"].isin(chosen)]
    if trials.groupby("environment")["algorithm"].nunique().max() < 2:
        what = f"no environment has trials of at least two of {', '.join(chosen)}"
        raise InputError(where, what, "add trials of several policies in the same environment")
    return trials


def check_success_rate_differences(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if trials or settings do not allow `success_rate_differences`."""
    trials = trials_in_common(table, settings, where)
    runs = trials.groupby(["algorithm", "environment"], sort=False).size()
    if settings.same_starts:
        if trials["trials"].max() > 1:
            what = f"paired trials need one row each, but a run has {trials['trials'].max()} trials"
            raise InputError(where, what, "give each trial a row, with its start as run, or set same_starts: false")
        for environment, rows in trials.groupby("environment", sort=False):
            without = rows.pivot(index="run", columns="algorithm", values="trials").isna()
            if without.any(axis=None):
                name = without.any().idxmax()
                what = f"{name} has no trial in {environment} from the start {without[name].idxmax()}, unlike others"
                raise InputError(
                    where, what, "use trials of all algorithms from the same starts, or set same_starts: false"
                )
    elif trials["trials"].max() > 1 and runs.min() == 1 < runs.max():
        fewest, most = (" / ".join(map(str, pair)) for pair in (runs.idxmin(), runs.idxmax()))
        what = f"{fewest} has one run, but {most} has {runs.max()}"
        raise InputError(where, what, "use one run of each, to compare their trials, or several runs of each")
    totals = trials.pivot_table(index="algorithm", columns="environment", values="trials", aggfunc="sum", fill_value=0)
    if settings.pool_environments and (totals.nunique() > 1).any():
        place = totals.nunique().idxmax()
        what = f"algorithms have {totals[place].min()} to {totals[place].max()} trials in {place}"
        hint = "use equal numbers of trials, since the pooled rate depends on them, or set pool_environments: false"
        raise InputError(where, what, hint)


@question(
    stage="estimate",
    needs="outcomes",
    chart="surefoot.charts.difference_charts:success_rate_differences_chart",
    finding="surefoot.charts.difference_charts:success_rate_differences_finding",
    check=check_success_rate_differences,
)
def success_rate_differences(
    runs: pd.DataFrame,
    *,
    same_starts: bool = False,
    pool_environments: bool = False,
    algorithms: Algorithms | None = None,
    confidence_level: Confidence = 0.95,
) -> Result:
    r"""Compute differences between the success rates of policies, with intervals and exact tests.

    All pairs of algorithms are compared, and p-values are adjusted for all pairs.

    The unit of replication determines what the result is about. If each algorithm has one run (one checkpoint) with
    many trials, or each row is a run with a single trial, trials are independent, and the result is about these
    policies. If each algorithm has several runs with several trials, runs are the independent units, since trials of
    one run resemble each other, and the result is about the training algorithm. `separated` then assumes that the
    rates of the observed runs vary as much as the rates of all runs. `distribution_free_separated` is True only if the
    pair is also separated without any assumption about the rates, which allows for runs that collapse even if none of
    the observed ones did.

    Parameters
    ----------
    runs : DataFrame
        Outcomes of trials: a table with the columns algorithm, environment, run, score, which is 1 for a success and 0
        for a failure; or one row per run with the columns successes and trials, or score, its success rate, and trials.
    same_starts : bool, default False
        If True, trials of all algorithms with the same environment and run begin at the same start: each row is one
        trial, and its run identifies the start.
    pool_environments : bool, default False
        If True, trials of all environments count together, with a single rate. Otherwise each environment is compared
        separately.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    confidence_level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    Result
        `table()` has columns environment, algorithm, baseline, algorithm_rate, baseline_rate, estimate (algorithm_rate
        minus baseline_rate), low, high (each interval separately), p_value, p_adjusted (for all rows together),
        separated (True if p_adjusted is at most 1 - confidence_level), test ("boschloo", "pooled z", "mcnemar" or
        "limits of trainings"), unit (unit of replication: "rollout", "start" or "training"), algorithm_units,
        baseline_units (numbers of units), algorithm_trials, baseline_trials. For training runs, it also has columns
        distribution_free_low, distribution_free_high (interval for rates of any distribution),
        distribution_free_separated (by this interval, adjusted for all rows together), smallest_separable (smallest
        difference that would have been separated with this spread; empty if there is none).

    Raises
    ------
    ValueError
        If there are fewer than two algorithms, if one algorithm has a single run and another several, if `same_starts`
        but algorithms have different starts, or if `pool_environments` but algorithms have different numbers of trials
        in an environment.

    Notes
    -----
    formula : With the limits $(l, u)$ of the rates $x$ and $y$: $x - y - \sqrt{(x - l_x)^2 + (u_y - y)^2}$ to $x - y +
        \sqrt{(u_x - x)^2 + (y - l_y)^2}$. For single trials, the limits are Wilson's (so that the interval is
        Newcombe's), and the test is Boschloo's: twice the largest probability, over all common rates, of outcomes whose
        one-sided p-value by Fisher's test is at most the observed one. For more than a million possible outcomes (about
        1,000 trials each), it is the z test with the pooled rate. For trials from the same starts, $b$ of which succeed
        only for x and $c$ only for y, the interval is Tango's: all $\delta$ with $|b - c - n\delta| \le z_{1 -
        \alpha/2} \sqrt{n(2q + \delta(1 - \delta))}$, where $q$ is the most likely probability of a success of y alone,
        given $\delta$; and the test is McNemar's, which compares $b$ of $b + c$ with tosses of a fair coin. For several
        training runs, the limits are computed as in [success_rates](#sec-question-success_rates), with the degrees of
        freedom of Welch's test, the larger one of Welch's variance and the pooled variance of the difference, and
        $\alpha$ in place of $\alpha/2$ for the limit of a rate of 0 or 1; the p-value is $1$ minus the confidence level
        at which the interval begins to include 0, and at least $2 n_x^{n_x} n_y^{n_y} / (n_x + n_y)^{n_x + n_y}$ for
        $n_x$ and $n_y$ training runs. The distribution-free interval combines the distribution-free limits in the same
        way, and the first interval is never wider. p-values are adjusted for all rows by Holm's method.
    assumes : Trials of a policy are independent, with one rate in each environment; where different environments are
        pooled, successes vary less than that, and intervals are wider than necessary. Several training runs are
        independent and typical; their trials need not be independent.
    guarantee : The tests by Boschloo and McNemar never reject equal rates more often than stated: at 5 %, Boschloo's
        did in at most 4.9 % with 10 to 120 trials each, by exact enumeration over 103 rates. The intervals are
        approximate. Newcombe's missed in 4.5 to 4.8 % on average over all pairs of 103 rates from .001 to .999. For
        rates from .05 to .95 it missed at worst in 11.6 % with 10 trials each, 8.7 % with 20 and 6.6 % with 50; for one
        rate within .02 of 0 and the other within .02 of 1, in up to 14.0 %, 12.0 % and 10.5 %. Tango's missed in 3.5 to
        4.9 % on average with 10 to 50 starts, at worst 10.0 %, 7.3 % and 7.8 % with 10, 20 and 50. By the intervals
        from the spread of training runs, equal algorithms were separated in 1.3 % on average over 120 simulated designs
        of 3 to 20 training runs with constant, beta-distributed or collapsing rates, at worst in 5 %. Algorithms with
        equal mean rates but different distributions were separated in 8 % on average over 28 designs, at worst in 37 %,
        if one training run in ten collapses but none of the observed ones did. With the distribution-free intervals,
        these rates were 0.4 % (at worst 3 %) and 0.2 % (at worst 2 %).
    interval : score intervals of the difference
    not for : How good an algorithm is, from a single checkpoint: the result is then about this policy only. Judging
        several pairs by the intervals alone: each interval is computed separately.

    References
    ----------
    Newcombe 1998; Boschloo 1970; Tango 1998; McNemar 1947; Zou and Donner 2008; Holm 1979

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import success_rate_differences
    >>> rows = [("diffusion", "all", 0, 74, 80), ("transformer", "all", 0, 91, 120)]
    >>> rollouts = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "successes", "trials"])
    >>> found = success_rate_differences(rollouts).table()
    >>> found[["algorithm", "baseline", "estimate", "low", "high", "p_value"]].round(4)
       algorithm     baseline  estimate     low    high  p_value
    0  diffusion  transformer    0.1667  0.0625  0.2596    0.002
    """
    from surefoot.statistics.comparison.simultaneous_comparisons import holm

    names = list(algorithms or dict.fromkeys(runs["algorithm"]))
    counted, unit = _counted(runs[runs["algorithm"].isin(names)], same_starts, pool_environments)
    pairs = []
    for environment, own in counted.groupby("environment", sort=False):
        of = dict(iter(own.groupby("algorithm", sort=False)))
        for x, y in combinations([name for name in names if name in of], 2):
            pairs.append((environment, x, of[x], y, of[y]))
    rows = []
    of_trainings = []
    for environment, x, own_x, y, own_y in pairs:
        if unit == TRAINING:
            found = _training_difference(own_x, own_y, confidence_level, len(pairs))
            of_trainings.append(found)
            difference = found.difference
        else:
            difference = _difference(own_x, own_y, unit, confidence_level)
        units = [int(own["units"].sum()) for own in (own_x, own_y)]
        trials = [int(own["trials"].sum()) for own in (own_x, own_y)]
        rows.append((environment, x, y, *difference, unit, *units, *trials))
    columns = [
        "environment",
        "algorithm",
        "baseline",
        "algorithm_rate",
        "baseline_rate",
        "estimate",
        "low",
        "high",
        "p_value",
        "test",
    ]
    columns += ["unit", "algorithm_units", "baseline_units", "algorithm_trials", "baseline_trials"]
    table = pd.DataFrame(rows, columns=columns)
    adjusted = holm(table["p_value"].to_numpy())
    table.insert(columns.index("test"), "p_adjusted", adjusted)
    table.insert(columns.index("test") + 1, "separated", adjusted <= 1.0 - confidence_level)
    if unit == TRAINING:
        free = pd.DataFrame([one.distribution_free for one in of_trainings])
        table["distribution_free_low"] = free["low"]
        table["distribution_free_high"] = free["high"]
        table["distribution_free_separated"] = holm(free["p_value"].to_numpy()) <= 1.0 - confidence_level
        table["smallest_separable"] = [one.smallest_separable for one in of_trainings]
    return Result(table)


def _counted(runs: pd.DataFrame, same_starts: bool, pool_environments: bool) -> tuple[pd.DataFrame, str]:
    """Return the unit of replication, and a table of the successes and trials of each unit.

    Returns
    -------
    table : columns algorithm, environment, run, successes, trials, units; for the unit "rollout", all trials of an
        algorithm are in one row
    unit : "rollout", "start" or "training"
    """
    successes = np.round(runs["score"].abs() * runs["trials"])
    if "direction" in runs:  # for failure rates, where lower is better
        successes = successes.where(runs["direction"] > 0, runs["trials"] - successes)
    counted = runs.assign(successes=successes.astype(np.int64), units=1)
    several = counted.groupby(["algorithm", "environment"]).size().max() > 1
    unit = START if same_starts else TRAINING if several and counted["trials"].max() > 1 else ROLLOUT
    if pool_environments:
        starts = counted["environment"].astype(str) + "/" + counted["run"].astype(str)
        counted = counted.assign(environment=_ALL, run=starts if unit == START else counted["run"])
    keys = ["algorithm", "environment"] + ([] if unit == ROLLOUT else ["run"])
    totals = counted.groupby(keys, sort=False)[["successes", "trials"]].sum().reset_index()
    return totals.assign(units=totals["trials"] if unit == ROLLOUT else 1), unit


def _difference(x: pd.DataFrame, y: pd.DataFrame, unit: str, confidence_level: float) -> Sequence[Any]:
    """Compare single trials of two algorithms; return a `RateDifference`."""
    from surefoot.statistics.comparison.success_rate_differences import independent_trials, paired_trials

    if unit == START:
        matched = x.merge(y, on="run", suffixes=("_x", "_y"))
        won = matched["successes_x"]
        also = matched["successes_y"]
        both = int((won & also).sum())
        return paired_trials(int(won.sum()) - both, int(also.sum()) - both, both, len(matched), confidence_level)
    (won_x, trials_x), (won_y, trials_y) = (own[["successes", "trials"]].iloc[0].tolist() for own in (x, y))
    return independent_trials(won_x, trials_x, won_y, trials_y, confidence_level)


def _training_difference(x: pd.DataFrame, y: pd.DataFrame, confidence_level: float, comparisons: int) -> Any:
    """Compare several training runs of two algorithms; return a `TrainingDifference`."""
    from surefoot.statistics.comparison.success_rate_differences import trainings_with_trials

    successes_x, trials_x = x[["successes", "trials"]].to_numpy(np.float64).T
    successes_y, trials_y = y[["successes", "trials"]].to_numpy(np.float64).T
    return trainings_with_trials(successes_x, trials_x, successes_y, trials_y, confidence_level, comparisons)


@names_checked
def rollouts_sample_size(rate: float, difference: float, power: float = 0.8, confidence_level: float = 0.95) -> int:
    """Compute how many rollouts of each of two policies are needed to detect a difference in success rates.

    No pilot is needed. The result is the smallest number with which Boschloo's two-sided test, as used by
    `success_rate_differences`, detects the difference with the given power, by exact enumeration. Beyond 200 rollouts,
    the usual formula for the z test is used. It is accurate to 3 %, but up to 15 % too large if a rate is 0 or 1. For p
    pairs of policies, use the confidence level 1 - 0.05 / p.

    Parameters
    ----------
    rate : float
        Success rate of one policy, from 0 to 1.
    difference : float
        Success rate of the other policy minus `rate`.
    power : float, default 0.8
        Probability of detecting the difference.
    confidence_level : float, default 0.95
        Confidence level of the test.

    Returns
    -------
    int
        Number of rollouts of each policy.

    Raises
    ------
    ValueError
        If one of the two rates is not from 0 to 1, if there is no difference, or if the power or the confidence level
        is not between 0 and 1.

    Examples
    --------
    >>> from surefoot import rollouts_sample_size
    >>> rollouts_sample_size(0.6, 0.2)
    81
    """
    from scipy.special import ndtri

    from surefoot.statistics.comparison.success_rate_differences import MOST_TRIALS
    from surefoot.statistics.comparison.success_rate_differences import power as power_of

    # Check first: huge whole numbers would raise errors below.
    if not all(isinstance(number, Real) and abs(number) <= 1 for number in (rate, difference)):
        what = f"got a rate of {shown(rate)} and a difference of {shown(difference)}"
        raise HintedError("rollouts_sample_size", what, "pass fractions, for example rollouts_sample_size(0.6, 0.2)")
    check_confidence("rollouts_sample_size: confidence_level", confidence_level)
    check_confidence("rollouts_sample_size: power", power)
    other = rate + difference
    if difference == 0.0 or not (0.0 <= rate <= 1.0 and 0.0 <= other <= 1.0 + _ROUNDING):
        what = f"got rates of {rate:g} and {other:g}"
        raise HintedError("rollouts_sample_size", what, "use two different rates from 0 to 1")
    other = min(other, 1.0)
    mean = rate + difference / 2.0
    of_level = ndtri((1.0 + confidence_level) / 2.0)
    of_power = ndtri(power)
    spread = math.sqrt(2.0 * mean * (1.0 - mean)), math.sqrt(rate * (1.0 - rate) + other * (1.0 - other))
    approximate = float(((of_level * spread[0] + of_power * spread[1]) / difference) ** 2)
    if approximate > MOST_TRIALS:
        return math.ceil(approximate)
    trials = max(int(0.85 * approximate) - 1, 1)  # the smallest ratio to the formula is 0.88, for rates of 0 and 1
    while power_of(trials, rate, other, confidence_level) < power:
        trials += 1
    return trials
