"""Performance profiles: the fraction of runs, or of tasks, that score above each threshold."""

from collections.abc import Collection
from itertools import permutations
from typing import Annotated, Literal

import numpy as np
import pandas as pd
from pydantic import Field

from surefoot.errors import HintedError
from surefoot.questions._framework.checking import check_scores_with_spread
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result, Sets, grid, refuse_single_runs
from surefoot.questions._framework.types import (
    Algorithms,
    Checked,
    Confidence,
    Items,
    ItemsOnce,
    Replicates,
    Resampled,
    Seed,
    SharedRuns,
    Threads,
    Thresholds,
)
from surefoot.statistics.arrays import Floats
from surefoot.statistics.profiles.dolan_more import dominates, profile_table, time_ratios
from surefoot.statistics.runs.score_arrays import algorithms_of, runs_of, scores_of, tasks_of

_OF_SHARED_RUNS = {
    "pointwise": "tasks share runs, or seem to, which percentile limits do not allow for",
    "simultaneous": "tasks share runs, or seem to, so the band is of whole runs",
}
"""Notes on the bands of algorithms whose tasks share runs, which replace other notes."""
_OF_UNKNOWN = (
    "tasks may share runs, which this band does not allow for; the simultaneous band of run_scores with "
    "shared_runs=True does"
)


@question(
    stage="estimate",
    sets="several",
    chart="surefoot.charts.profile_charts:performance_profiles_chart",
    finding="surefoot.charts.profile_charts:performance_profiles_finding",
    check=check_scores_with_spread,
)
def performance_profiles(
    runs: Sets,
    *,
    thresholds: Thresholds | None = None,
    algorithms: Algorithms | None = None,
    ticks: Items[float] = (),
    distributions: ItemsOnce[Literal["run_scores", "average_scores"]] = ("run_scores",),
    resample: Resampled = "runs",
    shared_runs: SharedRuns = "auto",
    n_resamples: Replicates = 1000,
    confidence_level: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    skip_checks: Checked = False,
) -> Result:
    r"""Compute performance profiles: the fraction of runs, or of tasks, above each threshold.

    Profiles have pointwise and simultaneous bands. The finding says which profiles are at least as high as others at
    every threshold.

    Parameters
    ----------
    runs : DataFrame or dict
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}; or several such sets by name, {name: runs}.
    thresholds : array or dict, optional
        Ascending thresholds, or a grid. Default: 101 thresholds from the lowest to the highest score.
    algorithms : list of str, optional
        Algorithms to include. Default: all.
    ticks : list of float, optional
        Thresholds to mark on the non-linear axis of a profile.
    distributions : list of str, default ["run_scores"]
        Kinds of profiles: "run_scores", the fraction of runs above each threshold; "average_scores", the fraction of
        tasks whose mean score is above the threshold.
    resample : {"runs", "whole_runs", "tasks_and_runs"}, default "runs"
        What to resample: "runs" of each task separately; "whole_runs", the same runs of all tasks; or "tasks_and_runs",
        tasks and then runs of each task.
    shared_runs : {"auto", True, False}, default "auto"
        True if one training run or evaluated checkpoint covers all tasks; False if every task has separate runs.
        With "auto", runs count as shared if scores of runs with the same name correlate significantly across tasks.
    n_resamples : int, default 1000
        Number of bootstrap resamples.
    confidence_level : float, default 0.95
        Confidence level of the intervals.
    seed : int, default 0
        Seed of all random numbers.
    threads : int, default 1
        Maximum number of threads. The numbers do not depend on it.
    skip_checks : bool, default False
        If True, skip the checks for transposed arrays, episodes passed as runs, and scores without a common scale.

    Returns
    -------
    Result
        `table()` has columns scores, profile ("run_scores" or "average_scores"), algorithm, threshold, position (on a
        non-linear axis), estimate, low, high (pointwise band), band_low, band_high (simultaneous band), shared_runs
        (see `aggregate_metrics`). Rows without an algorithm have the positions of `ticks` on the non-linear axis.
        `tables()["dominance"]` has one row for each pair of algorithms in which the profile of the first is at least as
        high at every threshold and higher at some, with the columns scores, profile, algorithm, baseline.

    Raises
    ------
    ValueError
        If thresholds do not ascend, if every task has a single run, or if `resample` is "whole_runs" and tasks have
        unequal numbers of runs.

    Notes
    -----
    formula : $F(t) = \frac1M \sum_m \frac{1}{N_m} \sum_n \mathbf 1[x_{mn} > t]$, or $\frac1M \sum_m \mathbf 1[\bar x_m
        > t]$ for average scores. The pointwise band has percentile limits. The limits of the simultaneous band of run
        scores are the smallest and the greatest mean of fractions $p_m$ with $\sum_m n_m\, \mathrm{KL}(f_m, p_m) \le
        b$, where $f_m$ is the fraction of task $m$'s runs above $t$, $n_m$ their effective number, and $b$ a budget for
        all thresholds together. The simultaneous band of average scores counts the tasks whose Student's limits lie
        above $t$; these are simultaneous for all tasks, with variances moderated across tasks.
    assumes : Runs are independent, within a task and across tasks. Where runs are [shared by
        tasks](#sec-question-shared_run_test), the simultaneous band of run scores assumes instead that whole runs are
        independent.
    guarantee : The pointwise band is asymptotic, for one threshold at a time; with 3 to 10 runs per task, the 95 % band
        of run scores contained the value at a threshold in 43 to 95 % of simulated tables, and the band of average
        scores in 79 to 93 % if tasks are alike, in 93 to 100 % if they differ as much as runs or more. The simultaneous
        band contained the whole curve in 92 to 100 %, but the band of average scores only in 50 to 94 % if a tenth of
        the runs collapse.
    interval : pointwise percentile bands, and simultaneous bands, shown in the chart
    not for : Profiles of average scores from few runs, which are biased.

    References
    ----------
    Agarwal et al. 2021, section 4.2 and appendix A.6; Dolan and Moré 2002; Owen 1995; Smyth 2004

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import performance_profiles
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> curves = performance_profiles(scores, thresholds=[0.5, 0.75]).table()
    >>> curves[["algorithm", "threshold", "estimate", "band_low", "band_high"]].round(2)
      algorithm  threshold  estimate  band_low  band_high
    0         a       0.50      1.00      0.53       1.00
    1         a       0.75      0.50      0.10       0.90
    2         b       0.50      0.17      0.00       0.67
    3         b       0.75      0.00      0.00       0.46
    """
    from surefoot.statistics.profiles.bands import profile_band, profile_remark
    from surefoot.statistics.profiles.performance_profiles import (
        nonlinear_positions,
        profile,
        replicate_profiles,
    )
    from surefoot.statistics.runs.shared_run_findings import RESAMPLED, SHARED, unit_of_errors
    from surefoot.statistics.runs.shared_run_findings import shared_runs as find_shared_runs
    from surefoot.statistics.runs.shared_run_test import CANNOT_TELL

    points = _usual_thresholds(runs.values()) if thresholds is None else grid(thresholds)
    parts = []
    notes = []
    above = []
    for name, table in runs.items():
        chosen = algorithms_of(table, algorithms)
        tasks = tasks_of(table)
        samples = {algorithm: scores_of(table, algorithm) for algorithm in chosen}
        by_task = resample == "runs"
        sharing = find_shared_runs(table, shared_runs, seed) if by_task else dict.fromkeys(chosen, RESAMPLED)
        for kind in distributions:
            values = {algorithm: profile(scores, points, kind) for algorithm, scores in samples.items()}
            positions = nonlinear_positions(list(values.values()))
            above += [(name, kind, x, y) for x, y in permutations(values, 2) if dominates(values[x], values[y])]
            for algorithm, scores in samples.items():
                if resample != "tasks_and_runs":
                    refuse_single_runs(algorithm, list(map(len, scores)))
                drawn = replicate_profiles(
                    scores, points, kind, n_resamples, seed, f"{name}/{algorithm}", tasks, resample, threads
                )
                unit = unit_of_errors(resample, sharing[algorithm])
                run_names = runs_of(table, algorithm) if unit == "whole_runs" else None
                if resample == "whole_runs":  # runs are then matched by number instead of name
                    run_names = [list(range(len(column))) for column in scores]
                limits: dict[str, Floats] = {}
                for band, ends in (("pointwise", ("low", "high")), ("simultaneous", ("band_low", "band_high"))):
                    both = profile_band(
                        scores, points, kind, band, confidence_level, drawn, run_names, unit == "tasks_and_runs"
                    )
                    limits |= dict(zip(ends, both, strict=True))
                    note = profile_remark(scores, kind, band, unit)
                    if sharing[algorithm] in SHARED and (band, kind) != ("simultaneous", "average_scores"):
                        note = _OF_SHARED_RUNS[band]
                    elif sharing[algorithm] == CANNOT_TELL:
                        note = "; ".join(filter(None, [note, _OF_UNKNOWN]))
                    notes.append((name, kind, algorithm, band, note))
                found = pd.DataFrame({"threshold": points, "estimate": values[algorithm]} | limits)
                about = {"scores": name, "profile": kind, "algorithm": algorithm, "shared_runs": sharing[algorithm]}
                parts.append(found.assign(**about, position=positions))
            if ticks:
                places = nonlinear_positions([profile(scores, np.array(ticks), kind) for scores in samples.values()])
                rows = pd.DataFrame({"threshold": np.array(ticks, np.float64), "position": places})
                parts.append(rows.assign(scores=name, profile=kind, algorithm="", shared_runs=""))
    columns = ["scores", "profile", "algorithm", "threshold", "position", "estimate", "low", "high"]
    answer = pd.concat(parts, ignore_index=True)[[*columns, "band_low", "band_high", "shared_runs"]]
    of_notes = pd.DataFrame(notes, columns=["scores", "profile", "algorithm", "band", "note"])
    dominance = pd.DataFrame(above, columns=["scores", "profile", "algorithm", "baseline"])
    return Result(answer, {"dominance": dominance}, of_notes[of_notes["note"] != ""].reset_index(drop=True))


_COUNT = 101
"""Default number of thresholds of a profile."""


def _usual_thresholds(tables: Collection[pd.DataFrame]) -> Floats:
    """Return equally spaced thresholds that cover all scores."""
    low = min(float(table["score"].min()) for table in tables)
    high = max(float(table["score"].max()) for table in tables)
    unit = 10.0 ** np.floor(np.log10((high - low) or 1.0)) / 10.0
    first = np.floor(low / unit)
    last = max(np.ceil(high / unit), first + 1.0)
    return np.linspace(first * unit, last * unit, _COUNT).round(12)


def _usual_factors(ratios: Floats) -> Floats:
    """Return default thresholds for ratios of times, from just above 1 to the largest finite ratio."""
    finite = ratios[np.isfinite(ratios)]
    return np.linspace(1.0, max(2.0, 1.05 * float(finite.max(initial=1.0))), _COUNT)[1:]


@question(stage="estimate", needs="times")
def time_profiles(
    runs: pd.DataFrame,
    *,
    thresholds: Annotated[
        Thresholds,
        Field(examples=['{"from": 1.1, "to": 8, "count": 70}']),
    ]
    | None = None,
    algorithms: Algorithms | None = None,
) -> Result:
    r"""Compute how often each method is within a factor of the fastest (Dolan and Moré 2002).

    A profile is the share of problems on which a method takes less than a factor times the time of the fastest method,
    as a function of the factor. The times of several runs on a problem are averaged. A missing or infinite time means
    that the method did not solve the problem.

    Parameters
    ----------
    runs : DataFrame or dict
        Times: a table of problems x methods, or a dict {method: times of the problems}.
    thresholds : array or dict, optional
        Ascending factors of at least 1, or a grid. Default: 100 factors up to the largest ratio of times.
    algorithms : list of str, optional
        Algorithms to include. Default: all.

    Returns
    -------
    Result
        `table()` has columns method, threshold (the factor), count (number of problems), fraction.

    Raises
    ------
    ValueError
        If a time is not positive, or if a factor is below 1.

    Notes
    -----
    formula : $\rho_m(\tau)$, the fraction of problems on which method $m$ takes less than $\tau$ times the fastest
        method's time.
    assumes : Times of one problem are comparable; a missing time is a failure.
    guarantee : None: it describes the given problems.
    not for : Ranking methods below the best: removing one method changes the curves of the others.

    References
    ----------
    Dolan and Moré 2002

    Examples
    --------
    >>> from surefoot import time_profiles
    >>> times = {"fast": [1.0, 2.0, 4.0], "slow": [2.0, 2.0, 16.0]}
    >>> time_profiles(times, thresholds=[1.5, 3.0]).table()[["method", "threshold", "fraction"]].round(2)
      method  threshold  fraction
    0   fast        1.5      1.00
    1   fast        3.0      1.00
    2   slow        1.5      0.33
    3   slow        3.0      0.67
    """
    methods = algorithms_of(runs, algorithms)
    wide = runs.groupby(["environment", "algorithm"], sort=False)["score"].mean().unstack()[methods]
    ratios = time_ratios(wide.to_numpy(np.float64))
    factors = _usual_factors(ratios) if thresholds is None else grid(thresholds)
    if not (factors >= 1.0).all():
        raise HintedError("thresholds", f"got a factor of {np.min(factors):g}", "use factors of at least 1")
    profile = profile_table(ratios, methods, np.log2(factors))
    return Result(profile.assign(threshold=np.tile(factors, len(methods))))
