"""Plan the number of runs of a study from a pilot."""

from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field

from surefoot.errors import HintedError, InputError
from surefoot.questions._framework.checking import check_algorithms, check_metrics_of, run_counts
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import (
    Algorithms,
    Checked,
    Confidence,
    DataSets,
    ItemsOnce,
    Metrics,
    Seed,
)
from surefoot.runs.sections import SeveralRuns
from surefoot.statistics.runs.score_arrays import algorithms_of, matched_scores, scores_of

_ASSUMPTIONS = (
    "Plans are for studies with fresh runs. To add runs to the pilot and test again, use sequential_comparison. New "
    "runs are assumed to be like those of the pilot, with the same program and tasks. A lift multiplies every score. "
    "The band (low, high) allows for the error of the pilot, as far as its runs show it: the band of a mean is too "
    "narrow if scores are skewed or failures are rare, and failures that do not occur in the pilot are not foreseen."
)


def leader(table: pd.DataFrame) -> str:
    """Return the algorithm with the highest mean score over all tasks; the first one in case of ties.

    table : columns algorithm, environment, score
    """
    means = table.groupby(["algorithm", "environment"], observed=True, sort=False)["score"].mean()
    return str(means.groupby("algorithm", observed=True, sort=False).mean().idxmax())


def check_run_plans(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if runs are too few or too low for `plan_runs`."""
    from surefoot.statistics.run_planning import check_raised

    check_algorithms(table, settings, where)
    pilots = settings.algorithms or (leader(table),)
    counts = run_counts(table, pilots)
    if counts.min() < 2:
        what = f"{' / '.join(map(str, counts.idxmin()))} has one run, so the pilot shows no spread"
        raise InputError(where, what, "use at least two runs of each task, preferably ten")
    check_metrics_of(counts, settings.metrics, where)
    for algorithm in pilots:
        try:
            check_raised(scores_of(table, algorithm), settings.metrics, settings.lifts)
        except HintedError as error:
            raise InputError(
                f"{where}.lifts", f"{algorithm}: {error.sentence}", f"{error.hint}; or set lifts: [0]"
            ) from None


@question(
    stage="cover",
    group="how_many_runs",
    chart="surefoot.charts.run_numbers:plan_runs_chart",
    finding="surefoot.charts.run_numbers:plan_runs_finding",
    check=check_run_plans,
)
def plan_runs(
    runs: pd.DataFrame,
    *,
    algorithms: Algorithms | None = None,
    metrics: Metrics = ("iqm", "median"),
    sizes: ItemsOnce[Annotated[int, Field(ge=2, le=1_000_000)]] = (3, 5, 10, 20, 50),
    lifts: ItemsOnce[Annotated[float, Field(ge=0)]] = (0, 10, 25, 50),
    datasets: DataSets = 200,
    n_resamples: SeveralRuns = 300,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    skip_checks: Checked = False,
) -> Result:
    r"""Predict from a pilot how wide intervals are, and how often improvements are found, with other numbers of runs.

    The runs of each named algorithm are a pilot. If none is named, the pilot is the algorithm with the highest mean
    score. The result shows how many runs are needed to detect a lift, which is an improvement by a given percentage.

    The predicted studies consist of fresh runs. If runs are instead added to the pilot and tested again, the error rate
    is higher than stated. Use `sequential_comparison` in this case.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}.
    algorithms : list of str, optional
        Algorithms to use as pilots, each separately. Default: the algorithm with the highest mean score.
    metrics : list of str, default ["iqm", "median"]
        Metrics whose intervals are simulated, by name.
    sizes : list of int, default [3, 5, 10, 20, 50]
        Numbers of runs per task of the simulated studies.
    lifts : list of float, default [0, 10, 25, 50]
        Improvements to detect, in percent. 0 shows how often an improvement is found although there is none.
    datasets : int, default 200
        Number of simulated studies for each number of runs.
    n_resamples : int, default 300
        Number of resamples of each interval.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns algorithm, metric, runs, quantity ("width" of the interval, or "chance" of detecting a
        lift), lift_percent (0 for widths), estimate (mean over the simulated studies), low, high (95 % band that allows
        for the error of the pilot), inner_low, inner_high (for a width, the 10 % and 90 % quantiles over the studies;
        for a chance, the estimate minus and plus two standard errors of the simulation), pilot_low, pilot_high
        (smallest and largest number of runs of a task in the pilot), tasks, effect, inflation, inflation_high, effect_p
        (result of `surefoot.shared_run_test` for the pilot: finding, inflation with its upper limit, and p-value).

    Raises
    ------
    ValueError
        If a task has a single run, if a size is below 2, or if scores are negative, so that a lift would lower them.

    Notes
    -----
    formula : Studies of $N$ runs per task are drawn with replacement from the pilot, with the distances of scores from
        their task's mean multiplied by $\sqrt{N_m / (N_m - 1)}$, and analysed like real studies. The results are the
        mean width of the intervals, and how often the interval of the difference to a second study, raised by $l$
        percent, is above 0 (below, if lower is better).
    assumes : The pilot's runs are representative of all runs of the same program and tasks; a lift multiplies every
        score.
    guarantee : The band is close to its nominal level for normal and two-valued scores. For the mean of skewed scores
        or with occasional failures, it misses the width in 8 to 12 % of cases instead of 5 %. Studies with the number
        of fresh runs planned for a power of 80 % had a power of 68 to 76 % on average after pilots of 3, 5 and 10 runs
        of one task with normal scores (25 pilots each), and of 79 to 81 % on five tasks. With the number planned by the
        pessimistic end of the band, the power was 87 to 91 % and 96 to 98 %. Over 16 kinds of pilots of 3 to 20 runs of
        five tasks, with normal, skewed or two-valued scores or with failures, the planned studies had a power of 78 %
        for the IQM and of 81 % for the mean.
    interval : [Student's](#sec-interval-student) intervals, of differences as in
        [pairwise_differences](#sec-question-pairwise_differences)
    not for : Pilots of two or three runs, and failures too rare to occur in the pilot. Adding runs to the pilot and
        testing again: use `sequential_comparison`.

    References
    ----------
    Colas et al. 2018; Efron and Tibshirani 1993

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import plan_runs
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> plans = plan_runs(scores, metrics=["mean"], sizes=[3], lifts=[25], datasets=20, n_resamples=50)
    >>> plans.table()[["algorithm", "runs", "quantity", "lift_percent"]]
      algorithm  runs quantity  lift_percent
    0         a     3    width           0.0
    1         a     3   chance          25.0
    """
    from surefoot.statistics.run_planning import plan

    parts = []
    notes = [_ASSUMPTIONS]
    for algorithm in algorithms_of(runs, algorithms) if algorithms else [leader(runs)]:
        scores = scores_of(runs, algorithm)
        widths, chances = plan(scores, metrics, sizes, lifts, confidence_level, datasets, n_resamples, seed)
        if (widths["width"] == 0).any():
            notes.append(f"Some intervals of {algorithm} have no width, since its runs differ too little for a plan.")
        reach = 2 * chances["standard_error"]
        chances = chances.rename(columns={"chance": "estimate"})
        chances["inner_low"] = (chances["estimate"] - reach).clip(lower=0)
        chances["inner_high"] = (chances["estimate"] + reach).clip(upper=1)
        names = {"width": "estimate", "narrow": "inner_low", "wide": "inner_high"}
        widths = widths.rename(columns=names).assign(lift_percent=0.0)
        counts = list(map(len, scores))
        pilot = {"pilot_low": min(counts), "pilot_high": max(counts), "tasks": len(counts)}
        both = pd.concat([widths.assign(quantity="width"), chances.assign(quantity="chance")])
        parts.append(both.assign(algorithm=algorithm, **pilot, **_effect(runs, algorithm, seed)))
    columns = ["algorithm", "metric", "runs", "quantity", "lift_percent", "estimate"]
    columns += ["low", "high", "inner_low", "inner_high"]
    columns += ["pilot_low", "pilot_high", "tasks", "effect", "inflation", "inflation_high", "effect_p"]
    return Result(pd.concat(parts, ignore_index=True)[columns], reservations=pd.DataFrame({"note": notes}))


def _effect(table: pd.DataFrame, algorithm: str, seed: int) -> dict[str, Any]:
    """Return the columns effect, inflation, inflation_high and effect_p for an algorithm, by name."""
    from surefoot.statistics.runs.shared_run_test import CANNOT_TELL, run_effect

    scores = matched_scores(table, algorithm)
    if scores.size == 0:
        return {"effect": CANNOT_TELL, "inflation": np.nan, "inflation_high": float(scores.shape[1]), "effect_p": 1.0}
    effect = run_effect(scores, seed=seed)
    shown = {"inflation": effect.inflation, "inflation_high": effect.inflation_high, "effect_p": effect.p_value}
    return {"effect": effect.finding} | shown
