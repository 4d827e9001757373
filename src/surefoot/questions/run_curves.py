"""Learning curves of single runs with their mean, and the number of steps until runs reach a score."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from pydantic import Field, FiniteFloat

from surefoot.errors import InputError, listed, nearest, shortened
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result
from surefoot.questions._framework.types import (
    Confidence,
)
from surefoot.runs.columns.run_names import RUN
from surefoot.runs.columns.run_tables import SHORT_RUNS, UNFINISHED
from surefoot.runs.curves.alignment import (
    Group,
    RunCurve,
    evaluated_steps,
    first_reached,
    groups_of_runs,
    thinned,
    value_at,
)
from surefoot.runs.curves.rules import TOLERANCE
from surefoot.statistics.arrays import Booleans, Floats

_FEWEST = 10
_MOST = 100
"""Minimum and maximum number of points of a curve."""


@question(
    stage="aggregate",
    needs="evaluations",
    digits=10,
    chart="surefoot.charts.learning_curve_charts:run_curves_chart",
    finding="surefoot.charts.learning_curve_charts:run_curves_finding",
)
def run_curves(
    runs: pd.DataFrame,
    *,
    points: Annotated[
        int,
        Field(ge=100, le=1_000_000),
    ] = 5000,
    short_runs: Literal["worst_score", "drop", "carry_forward", "truncate_to_shortest"] | None = None,
    confidence_level: Confidence = 0.95,
) -> Result:
    r"""Compute the learning curves of single runs, and the mean curve of each algorithm in each environment.

    Curves of single runs are at the steps of the run. Mean curves have Student's interval at each step.

    Between two evaluations, a run has the score of the earlier one. The mean begins as soon as all runs of the
    algorithm have a score, and ends with the longest run. `short_runs` determines how it treats runs that ended early.
    Each interval is valid separately, and is clipped to the lowest and the highest score of any run in the environment.

    Parameters
    ----------
    runs : DataFrame
        Learning curves, each run at its own steps: a table with the columns algorithm, environment, run, step, score,
        as `surefoot.read_runs` returns it.
    points : int, default 5000
        Approximate number of points of all curves together, to keep pages small. If this leaves fewer than 10 points
        per curve, only curves of the first runs of each algorithm are returned. The mean is always over all runs.
    short_runs : {"worst_score", "drop", "carry_forward", "truncate_to_shortest"}, optional
        How the mean treats a run that ends before the longest run of the environment. "worst_score": after its end, the
        run has the worst score of any run in the environment at each step; a run without any score has it from the
        beginning. "drop": the run is left out. "carry_forward": the run keeps its last score. "truncate_to_shortest":
        the mean ends with the shortest run. Default: the policy of the source, or else "worst_score".
    confidence_level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    Result
        `table()` has columns algorithm, environment, curve ("run" or "mean"), run_name (missing for means), step,
        score, low, high (of the mean; missing for single runs, and where all runs have the same score), runs (number of
        runs of the algorithm in the environment), ended_early (number of runs that ended early, including those that
        were left out), no_score (number of runs without any score), short_runs (the policy).

    Notes
    -----
    formula : The score of each run at its own steps, kept between evaluations, and the mean $\bar x$ of an algorithm's
        $n$ runs, with $\bar x \mp t_{n-1} s / \sqrt n$.
    assumes : Runs are independent, and their scores at a step nearly normal.
    guarantee : The guarantee of Student's interval, for one step of one algorithm in one environment; whole curves
        leave such bands more often. At 95 %, with 3 to 10 runs, the interval missed the mean in 5 % of 20,000 simulated
        steps of normal scores, in 9 to 13 % of exponential ones, and in 11 to 31 % where a fifth of the runs fail.
    interval : Student's intervals at each step
    not for : Comparing algorithms over all steps: use `curve_differences`.

    References
    ----------
    Student 1908; Jordan et al. 2020, section 5.2

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import run_curves
    >>> rows = [("a", "maze", run, step, run + step) for run in range(6) for step in (1, 2, 3)]
    >>> curves = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    >>> table = run_curves(curves).table()
    >>> table[table["curve"] == "mean"][["algorithm", "step", "score", "low", "high", "runs"]].round(2)
       algorithm  step  score   low  high  runs
    18         a   1.0    3.5  1.54  5.46     6
    19         a   2.0    4.5  2.54  6.46     6
    20         a   3.0    5.5  3.54  7.46     6
    """
    of_source = runs.attrs.get(SHORT_RUNS, {})
    policy = short_runs or of_source.get("short_runs", "worst_score")
    tolerance = of_source.get("tolerance", TOLERANCE)
    groups = groups_of_runs("run_curves", runs, policy, tolerance, by_environment=True)
    scored = set(runs[[*RUN]].drop_duplicates().astype(str).itertuples(index=False, name=None))
    failed = Counter(tuple(names[:2]) for names in runs.attrs.get(UNFINISHED, ()) if tuple(names) not in scored)
    cells = [(group, curves) for group in groups for curves in _by_cell(group.curves).values()]
    each, drawn = _sizes(points, [len(curves) for _, curves in cells])
    ends = runs.groupby("environment", observed=True)["score"].agg(["min", "max"])
    parts: list[pd.DataFrame] = []
    for group, curves in cells:
        cell = curves[0].names[:2]
        without_score = failed[str(cell[0]), str(cell[1])]
        counts = {"runs": len(curves), "ended_early": _ended_early(group, curves), "no_score": without_score}
        for curve in curves[:drawn]:
            kept = thinned(curve.steps.size, each)
            parts.append(_rows(curve, "run", curve.names[2], curve.steps[kept], curve.scores[kept], counts))
        steps, scores = _behind_the_mean(group, curves, without_score, policy, each)
        if steps.size:
            low, high = _student_limits(scores, confidence_level, tuple(ends.loc[cell[1]]))
            mean = _rows(curves[0], "mean", None, steps, scores.mean(axis=0), counts)
            parts.append(mean.assign(low=low, high=high))
    found = pd.concat(parts, ignore_index=True).assign(short_runs=policy)
    return Result(found.assign(run_name=found["run_name"].convert_dtypes()))  # a type with missing values


def _by_cell(curves: Sequence[RunCurve]) -> dict[tuple[object, object], list[RunCurve]]:
    """Group the curves by algorithm and environment."""
    cells: dict[tuple[object, object], list[RunCurve]] = {}
    for curve in curves:
        cells.setdefault((curve.names[0], curve.names[1]), []).append(curve)
    return cells


def _sizes(most: int, runs: Sequence[int]) -> tuple[int, int]:
    """Return the number of points per curve, and the largest number of runs per algorithm and environment.

    most : number of points of all curves together
    runs : number of runs of each algorithm in each environment
    """
    each = most // (sum(runs) + len(runs))
    if each >= _FEWEST:
        return min(each, _MOST), max(runs)
    return _FEWEST, max(most // (_FEWEST * len(runs)) - 1, 1)


def _ended_early(group: Group, curves: Sequence[RunCurve]) -> int:
    """Count the runs of an algorithm that ended before its longest run, including runs that were left out."""
    kept = {curve.names: curve.steps[-1] for curve in curves}
    longest = max(kept.values())
    early = [names for names in group.early if names[0] == curves[0].names[0]]
    return sum(kept.get(names, 0.0) < longest for names in early)


def _behind_the_mean(
    group: Group, curves: Sequence[RunCurve], without_score: int, policy: str, points: int
) -> tuple[Floats, Floats]:
    """Return the steps of a mean curve, and the scores of the runs at these steps, float64[runs, steps].

    Parameters
    ----------
    group : all runs of the environment
    curves : the curves of one algorithm
    without_score : number of runs of the algorithm without a curve
    policy : policy for runs that ended early
    points : largest number of steps
    """
    first = max(curve.steps[0] for curve in curves)
    last = max(curve.steps[-1] for curve in curves)
    if policy == "truncate_to_shortest" and group.end is not None:
        last = min(last, group.end)
    steps = evaluated_steps(curves, first, last) if first <= last else np.empty(0)
    steps = steps[thinned(steps.size, points)]
    scores = np.array([value_at(curve, steps) for curve in curves])
    if policy != "worst_score":
        return steps, scores
    begun = [np.where(curve.steps[0] <= steps, value_at(curve, steps), np.inf) for curve in group.curves]
    worst = np.min(begun, axis=0)
    ended = [(curve.names in group.early) & (curve.steps[-1] < steps) for curve in curves]
    return steps, np.vstack([np.where(ended, worst, scores), *[worst] * without_score])


def _student_limits(scores: Floats, confidence_level: float, seen: tuple[float, float]) -> tuple[Floats, Floats]:
    """Return Student's limits (low, high) of the mean at each step; NaN if there is one run, or all scores are equal.

    Parameters
    ----------
    scores : float64[runs, steps]
    seen : the lowest and the highest possible limit
    """
    from scipy.special import stdtrit

    from surefoot.statistics.arrays import exceeds, typical_magnitude

    count = len(scores)
    mean = scores.mean(axis=0)
    if count == 1:
        return np.full(mean.shape, np.nan), np.full(mean.shape, np.nan)
    differ = exceeds(np.ptp(scores, axis=0), 0.0, typical_magnitude(scores))
    error = np.where(differ, scores.std(axis=0, ddof=1) / np.sqrt(count), np.nan)
    reach = stdtrit(count - 1, 0.5 + confidence_level / 2.0) * error
    return np.maximum(mean - reach, seen[0]), np.minimum(mean + reach, seen[1])


def _rows(
    curve: RunCurve, kind: str, run: object, steps: Floats, scores: Floats, counts: Mapping[str, int]
) -> pd.DataFrame:
    named = {"algorithm": curve.names[0], "environment": curve.names[1], "curve": kind}
    names = np.full(steps.size, run, object)
    limits = dict.fromkeys(("low", "high"), np.full(steps.size, np.nan))
    return pd.DataFrame({**named, "run_name": names, "step": steps, "score": scores, **limits, **counts})


def check_steps_to_threshold(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if thresholds name unknown environments, or if an environment has no threshold."""
    if not isinstance(settings.threshold, dict):
        return
    place = f"{where}.threshold"
    environments = [str(name) for name in dict.fromkeys(table["environment"])]
    for name in settings.threshold:
        if name not in environments:
            raise InputError(place, f'no curves for the environment "{shortened(name)}"', nearest(name, environments))
    missing = [name for name in environments if name not in settings.threshold]
    if missing:
        what = f"no threshold for {listed(missing)}"
        hint = f"add a threshold for {shortened(missing[0])}, or use one number for all environments"
        raise InputError(place, what, hint)


@question(
    stage="estimate",
    needs="evaluations",
    more=("curves",),
    chart="surefoot.charts.learning_curve_charts:steps_to_threshold_chart",
    finding="surefoot.charts.learning_curve_charts:steps_to_threshold_finding",
    check=check_steps_to_threshold,
)
def steps_to_threshold(
    runs: pd.DataFrame,
    *,
    threshold: Annotated[
        FiniteFloat | dict[str, FiniteFloat],
        Field(examples=["475"]),
    ],
    confidence_level: Confidence = 0.95,
) -> Result:
    r"""Compute the number of steps after which runs reach a score, in each environment.

    A run reaches the threshold at its first evaluation with at least this score. A run that ends before it reaches the
    threshold is censored.

    The share of runs that have reached the threshold is the Kaplan-Meier estimate. The median is the step by which half
    of the runs have reached it, and is missing if fewer than half have. Runs that never reach the threshold are
    included in both. The limits are exact, however runs end, for each algorithm and environment separately. If the runs
    do not determine the limits of the median, as with up to five runs at 95 %, the lower limit is 0 and the upper limit
    is missing.

    Parameters
    ----------
    runs : DataFrame
        Learning curves, each run at its own steps: a table with the columns algorithm, environment, run, step, score,
        as `surefoot.read_runs` returns it.
    threshold : float or dict
        Score to reach, in the units of the curves: one number, or one for each environment.
    confidence_level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    Result
        `table()` has columns algorithm, environment, threshold, runs, reached (number of runs that reached the
        threshold), share (at the last step), low, high (limits of the share), median (steps), median_low, median_high,
        last_step (of the longest run). `tables()["curves"]` has the share and its limits at each step.

    Notes
    -----
    formula : The share of runs that have reached the score by step $t$, $1 - \prod_{t_i \le t} (1 - d_i / n_i)$, where
        $d_i$ of the $n_i$ runs that have not ended reach it at step $t_i$. The limits are Clopper and Pearson's for a
        share of all runs: the lower limit counts the runs that have reached the score by step $t$, and the upper limit
        also counts the runs that have ended. The median and its limits are the steps at which the share and its limits
        reach 1/2.
    assumes : Runs are independent. The share and the median (but not their limits) also assume that the end of a run
        does not depend on how soon it would have reached the score.
    guarantee : At least the stated confidence with any number of runs, for one step, or the median, of one algorithm in
        one environment. At 95 %, five runs or fewer do not bound the median.
    not for : The mean number of steps of the runs that reached the score, which flatters unreliable algorithms.

    References
    ----------
    Kaplan and Meier 1958; Clopper and Pearson 1934; Brookmeyer and Crowley 1982

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import steps_to_threshold
    >>> rows = [("a", "maze", run, step, run + step) for run in range(6) for step in (1, 2, 3)]
    >>> curves = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "step", "score"])
    >>> steps_to_threshold(curves, threshold=5).table()[["algorithm", "runs", "reached", "median"]]
      algorithm  runs  reached  median
    0         a     6        4     2.0
    """
    rows = []
    parts = []
    (group,) = groups_of_runs("steps_to_threshold", runs, "carry_forward", 0.0, by_environment=False)
    for key, curves in _by_cell(group.curves).items():
        algorithm, environment = map(str, key)
        score = threshold[environment] if isinstance(threshold, dict) else threshold
        firsts = [first_reached(curve, score) for curve in curves]
        steps, reached = (np.array(column) for column in zip(*firsts, strict=True))
        end = max(float(curve.steps[-1]) for curve in curves)
        share = share_reached(steps, reached, end, confidence_level)
        at_end = {name: getattr(share, name)[-1] for name in ("share", "low", "high")}
        named = {"algorithm": algorithm, "environment": environment}
        numbers = {"threshold": score, "runs": len(curves), "reached": int(reached.sum())}
        median = dict(zip(("median", "median_low", "median_high"), share.median(), strict=True))
        rows.append({**named, **numbers, **at_end, **median, "last_step": end})
        parts.append(pd.DataFrame({**named, **share._asdict()}).rename(columns={"steps": "step"}))
    return Result(pd.DataFrame(rows), {"curves": pd.concat(parts, ignore_index=True)})


class Share(NamedTuple):
    """The share of runs that have reached a score, as a function of the step.

    steps : float64[points], ascending: 0, the steps at which a run reached the score or ended, and the last step
    share, low, high : float64[points], share from each step until the next one, with limits for each step separately
    """

    steps: Floats
    share: Floats
    low: Floats
    high: Floats

    def median(self) -> tuple[float, float, float]:
        """Return the median number of steps until runs reach the score, and its limits, as (median, low, high).

        The limits are the steps at which the limits of the share reach 1/2 (Brookmeyer and Crowley, Biometrics 38,
        1982). If no run ends early, they are the limits of the sign test. The median is NaN if fewer than half of the
        runs have reached the score. The lower limit is 0 if all earlier steps are possible, as with up to five runs at
        95 %, and the last step if half of the runs certainly take longer. The upper limit is NaN if all later steps are
        possible.
        """
        crossings = (np.flatnonzero(share >= 0.5) for share in (self.share, self.high, self.low))
        value, low, high = (float(self.steps[places[0]]) if places.size else np.nan for places in crossings)
        return value, float(self.steps[-1]) if np.isnan(low) else low, high


def share_reached(steps: Floats, reached: Booleans, end: float, confidence_level: float) -> Share:
    """Return the share of runs that have reached a score by each step (Kaplan and Meier, JASA 53, 1958).

    The estimate assumes that the end of a run is independent of the step at which it would have reached the score. If
    runs crash, it is too high. The limits do not need this assumption. They are exact limits of a share of all runs
    (Clopper and Pearson, Biometrika 26, 1934). For the lower limit, runs that end without the score count as never
    reaching it; for the upper limit, as reaching it as soon as they end.

    Parameters
    ----------
    steps : float64[runs], step at which each run reached the score or ended
    reached : bool[runs], True if the run reached the score
    end : last step of the longest run
    confidence_level : confidence level of the limits at each step separately
    """
    from surefoot.statistics.coverage.failure_rates import binomial_limits

    at = np.unique(np.concatenate([[0.0], steps, [end]]))
    came = np.array([np.sum(reached & (steps == step)) for step in at], np.float64)
    at_risk = np.array([np.sum(steps >= step) for step in at], np.float64)
    left = np.cumprod(1.0 - came / np.maximum(at_risk, 1.0))
    # A run that ended at the last step had not reached the score by then; later steps are not considered.
    ended = np.array([np.sum(~reached & (steps <= step) & (steps < end)) for step in at])
    least = np.cumsum(came)
    most = least + ended
    tail = (1.0 - confidence_level) / 2.0
    low, _ = binomial_limits(least, len(steps) - least, tail)
    _, high = binomial_limits(most, len(steps) - most, tail)
    return Share(at, np.asarray(1.0 - left, np.float64), low, high)
