"""Read and check the inputs of questions.

Inputs are scores of runs and learning curves, as a tidy table or a dict of arrays; published means; times of methods on
problems; and named sets of any of these.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, counted
from surefoot.runs.columns.numbers import with_steps
from surefoot.runs.columns.run_names import FROM_A_FILE, RUN, named_run, refuse_missing_columns, with_usual_names
from surefoot.runs.given.given_arrays import (
    DROP_ROWS,
    arrays_by_task,
    named_rows,
    pandas_table,
    refuse_bad_scores,
    table_of_arrays,
    table_of_runs,
)
from surefoot.runs.result_tables import SCALE
from surefoot.runs.sources.checks import FEWEST_EPISODES, check_axes, curves_found, runs_of_outcomes
from surefoot.runs.sources.score_tables import with_valid_scores
from surefoot.runs.sources.source_settings import OUTCOMES
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.score_arrays import mean_scores, scores_of, step_column

COLUMNS = (*RUN, "score")


def read_scores(scores: pd.DataFrame | Mapping[str, Any], skip_checks: bool = False) -> pd.DataFrame:
    """Read and check scores.

    Parameters
    ----------
    scores : a table with the columns algorithm, environment, run, score, one row per run (with a column episode, the
        episodes of a run are averaged), or a dict {algorithm: array of runs x tasks; or, for a single task, an array of
        scores; or, if numbers of runs differ, a list with one array of scores per task}. Runs and tasks of arrays are
        numbered from 0
    skip_checks : skip the checks for swapped axes and for episodes passed as runs; see `check_axes`

    Returns
    -------
    a table with the columns algorithm, environment, run and score, one row per run; names of algorithms and tasks are
    strings, and tasks of arrays are integers

    Raises
    ------
    ValueError
        if a column or a name is missing; two names look the same; there are no scores; a score is not a finite real
        number, is masked, or is so large that statistics overflow; a run occurs twice; an algorithm lacks a task; it is
        ambiguous whether the members of a list are runs or tasks; axes look swapped; or rows look like episodes of the
        same runs
    """
    table, arrays = _read("scores", scores, COLUMNS, "runs x tasks", _from_table)
    if skip_checks:
        return table
    if arrays:
        check_axes("scores", arrays, "arrays are runs x tasks, so swap the first two axes (transpose)")
    elif table.groupby(["algorithm", "environment"], sort=False).size().max() >= FEWEST_EPISODES:
        check_axes("scores", {name: scores_of(table, name) for name in table["algorithm"].unique()})
    return table


def _read(
    what: str, given: Any, columns: Sequence[str], axes: str, from_table: Callable[[pd.DataFrame], pd.DataFrame]
) -> tuple[pd.DataFrame, dict[str, list[Floats]]]:
    """Convert the input to a table; return it with the result of `arrays_by_task`, or {} if the input is a table."""
    given = pandas_table(given)
    if isinstance(given, pd.DataFrame):
        return from_table(given), {}
    if isinstance(given, Mapping) and given:
        arrays = arrays_by_task(what, given, axes)
        return with_valid_scores(table_of_arrays(arrays), what, DROP_ROWS), arrays
    kind = "an empty dict" if isinstance(given, Mapping) else f"a {type(given).__name__}"
    if hasattr(given, "ndim"):
        raise HintedError(what, "an array does not name its algorithm", 'use {"my algorithm": scores}')
    hint = f"use a pandas table with the columns {', '.join(columns)}, or a dict {{algorithm: array of {axes}}}"
    if isinstance(given, str | PathLike):
        hint = FROM_A_FILE
    raise HintedError(what, f"got {kind}", hint)


def _from_table(table: pd.DataFrame) -> pd.DataFrame:
    table = named_rows("scores", table, COLUMNS[:3], COLUMNS[3:])
    if found := curves_found(table, table):
        hint = "surefoot.score_curves(table) reduces each curve to a score; surefoot.sample_efficiency takes curves"
        raise HintedError("scores", found, hint)
    keys = [*RUN, "episode"] if "episode" in table.columns else list(RUN)
    for row in table[table.duplicated(keys, keep=False)][:1].to_dict("records"):
        count = int((table[keys] == [row[key] for key in keys]).all(axis=1).sum())
        what = f"{named_run(row)} occurs {count} times"
        hint = "a run is one training; if these are episodes of a run, number them in a column episode to average them"
        raise HintedError("scores", what, hint)
    refuse_bad_scores("scores", table)  # before the mean, which would ignore missing scores of runs that failed
    if "episode" in table.columns:
        table = table.groupby(keys[:3], sort=False, observed=True)["score"].mean().reset_index()
    return table[list(COLUMNS)]


CURVE_COLUMNS = ("algorithm", "environment", "run", "step", "score")


def read_curves(curves: pd.DataFrame | Mapping[str, Any], skip_checks: bool = False) -> pd.DataFrame:
    """Read and check learning curves.

    Parameters
    ----------
    curves : a table with the columns algorithm, environment, run, step (or frames), score, or a dict {algorithm: array
        of runs x tasks x steps, or, if numbers of runs differ, a list with one array of runs x steps per task}; all
        runs have the same steps. Runs, tasks and steps of arrays are numbered from 0
    skip_checks : skip the checks for swapped axes and for episodes passed as runs; see `check_axes`, which is applied
        to the means of the runs over their steps

    Returns
    -------
    a table with the columns algorithm, environment, run, step (or frames) and score; names of algorithms and tasks are
    strings

    Raises
    ------
    ValueError
        if a column or a name is missing; two names look the same; a score is missing or not a finite number; a run
        lacks a step or has it twice; an algorithm lacks a task; every task has one run; or axes look swapped, or rows
        look like episodes of the same runs
    """
    table, arrays = _read("curves", curves, CURVE_COLUMNS, "runs x tasks x steps", _curves_from_table)
    counts = table.groupby(["algorithm", "environment"], sort=False)["run"].nunique()
    most = counts.groupby("algorithm", sort=False).max()
    for name in most.index[most == 1][:1]:
        what = f"{name} has one run of each of {counts[name].size} tasks, which cannot be resampled"
        hint = "pass several runs of a single task as array[:, None, :]; otherwise collect more runs"
        raise HintedError("curves", what, hint)
    if skip_checks:
        return table
    if arrays:
        means = {name: [runs.mean(axis=1) for runs in by_task] for name, by_task in arrays.items()}
        check_axes("curves", means, "arrays are runs x tasks x steps, so swap the first two axes (transpose)")
    elif counts.max() >= FEWEST_EPISODES:
        runs = mean_scores(table)
        check_axes("curves", {name: scores_of(runs, name) for name in most.index})
    return table


def _curves_from_table(table: pd.DataFrame) -> pd.DataFrame:
    axis = step_column(table)
    columns = [axis if name == "step" else name for name in CURVE_COLUMNS]
    table = named_rows("curves", table, columns[:3], columns[3:])[columns]
    table = with_steps("curves", table, axis, -np.inf)  # steps may be negative, as in training before step 0
    for row in table[table.duplicated(columns[:4])][:1].to_dict("records"):
        what = f"{named_run(row)} has step {row[axis]} twice"
        raise HintedError("curves", what, "average the episodes of a step first")
    wide = table.pivot(index=["algorithm", "environment", "run"], columns=axis, values="score")
    for (name, task, run), scores in wide[wide.isna().any(axis=1)][:1].iterrows():
        what = f"{name} in {task}: run {run} has no score at step {scores.index[scores.isna()][0]}"
        hint = (
            "evaluate all runs at the same steps; for a run that stopped early, its last score may be carried forward"
        )
        raise HintedError("curves", what, hint)
    refuse_bad_scores("curves", table)
    return table


def at_steps(table: pd.DataFrame, steps: Any) -> pd.DataFrame:
    """Replace step indices in a table made from arrays by actual steps.

    Raises
    ------
    ValueError : if the number of steps is wrong, or the steps do not ascend
    """
    given = np.asarray(steps)
    count = table[step_column(table)].nunique()
    if given.shape != (count,) or given.dtype.kind not in "iuf" or (np.diff(given) <= 0).any():
        values = f"got {counted(given.size, 'value')}, not ascending or not matching the {counted(count, 'step')}"
        hint = f"use {counted(count, 'ascending number')}, such as numpy.arange({count}) * 1000"
        raise HintedError("steps", f"{values} of the curves", hint)
    axis = step_column(table)
    return table.assign(**{axis: given[np.searchsorted(np.unique(table[axis]), table[axis])]})


def read_times(times: pd.DataFrame | Mapping[str, Any], skip_checks: bool = False) -> pd.DataFrame:
    """Read and check times of methods on problems.

    Parameters
    ----------
    times : a table of problems x methods, or a dict {method: times of the same problems, or array of runs x problems};
        positive; infinite or NaN where a method does not solve a problem
    skip_checks : has no effect, since there are no axes to check

    Returns
    -------
    a table with the columns algorithm (the method), environment (the number of the problem), run (0) and score (the
    time)

    Raises
    ------
    ValueError
        if methods have different numbers of problems, or times are masked or not real numbers
    """
    table = pandas_table(times)
    given = dict(table.items()) if isinstance(table, pd.DataFrame) else table
    if not isinstance(given, Mapping) or not given:
        hint = "use a table of problems x methods, or {method: times}"
        raise HintedError("times", f"got a {type(times).__name__}", hint)
    if isinstance(times, pd.DataFrame) and {"algorithm", "environment", "score"} <= set(given):
        given_names = dict(zip(with_usual_names(times).columns, times.columns, strict=True))
        index, columns, values = (given_names[name] for name in ("environment", "algorithm", "score"))
        hint = f"use a table of problems x methods: table.pivot_table({index=}, {columns=}, {values=})"
        raise HintedError("times", "got a table with one row per run", hint)
    found = table_of_arrays(arrays_by_task("times", given, "runs x tasks"))
    if found["environment"].nunique() > 1:
        return found
    problems = found.groupby("algorithm", sort=False).size()
    if problems.nunique() > 1:
        counts = ", ".join(f"{name} {count}" for name, count in problems.items())
        raise HintedError(
            "times", f"numbers of problems differ: {counts}", "use NaN for problems that a method does not solve"
        )
    return found.assign(environment=found["run"], run=0)


_OF_MEANS = ("algorithm", "environment", "score", "deviation", "runs")


def read_means(means: pd.DataFrame, skip_checks: bool = False) -> pd.DataFrame:
    """Read and check published means.

    Parameters
    ----------
    means : a table with the columns algorithm, environment, score (the mean of the runs), deviation (their standard
        deviation) and runs (their number), one row per algorithm and task
    skip_checks : has no effect, since means have no axes that could be swapped

    Raises
    ------
    ValueError : if the input is not a table; a column or a name is missing; a number is not finite; a row occurs twice;
        an algorithm lacks a task; there are fewer than two runs; or a deviation is negative
    """
    table = pandas_table(means)
    table = named_rows("means", table, _OF_MEANS[:2], _OF_MEANS[2:])[list(_OF_MEANS)]
    for bad, what, hint in (
        (~np.isfinite(table[list(_OF_MEANS[2:])]).all(axis=1), "a number that is not finite", "drop the row"),
        (table["deviation"] < 0, "a negative deviation", "use the standard deviation of the runs"),
        (table["runs"] < 2, "fewer than two runs", "a deviation needs at least two runs"),
        (table.duplicated(["algorithm", "environment"]), "a second row", "write one row per algorithm and task"),
    ):
        for row in table[bad][:1].itertuples():
            raise HintedError("means", f"{row.algorithm} in {row.environment} has {what}", hint)
    refuse_bad_scores("means", table)
    return table


def with_clusters(runs: Any, use_clusters: bool, where: str) -> Any:
    """Prefix environments (items of a benchmark) with their clusters, as in "text 3/question 1".

    Tables without a column cluster are unchanged.

    Raises
    ------
    HintedError : if there is a column cluster, and `use_clusters` is False
    """
    table = pandas_table(runs)
    if not isinstance(table, pd.DataFrame) or "cluster" not in table:
        return runs
    if not use_clusters:
        what = 'the column "cluster" has no effect without use_clusters=True'
        raise HintedError(f"{where}: use_clusters", what, 'pass use_clusters=True, or runs.drop(columns="cluster")')
    items = table["environment"].astype(str).str.replace("/", "|")
    return table.assign(environment=table["cluster"].astype(str) + "/" + items)


def read_settings(runs: pd.DataFrame, skip_checks: bool = False) -> pd.DataFrame:
    """Read and check runs of hyperparameter settings.

    Parameters
    ----------
    runs : a table with the columns algorithm, environment, run, score, and columns of hyperparameters
    skip_checks : has no effect, since settings may differ in any way

    Raises
    ------
    ValueError : if the input is not a table; a column or a name is missing; a score is not a finite number; or an
        algorithm lacks a task
    """
    if isinstance(runs, Mapping):
        hint = "use a table with the columns algorithm, environment, run, score, and one per hyperparameter"
        raise HintedError("runs", "arrays have no columns of hyperparameters", hint)
    table = named_rows("runs", pandas_table(runs), RUN, ["score"])
    refuse_bad_scores("runs", table)
    return table


ONLY_SET = "runs"
"""Default name of a single, unnamed set of runs. Most studies use it for their run table."""
_COLUMNS = {
    "plays": "algorithm variant parameters environment run score failed seconds_offline seconds_online decisions",
    "same_hyperparameters": "algorithm environment candidate run score",
    "evaluations": "algorithm environment run step score",
    OUTCOMES: "algorithm environment run score",
}
"""Required columns of run tables that are not read as plain scores, by kind of table."""
_READERS = {
    "scores": read_scores,
    "curves": read_curves,
    "means": read_means,
    "times": read_times,
    "settings": read_settings,
}


def read_sets(runs: Any, needs: str, skip_checks: bool = False) -> dict[str, pd.DataFrame]:
    """Read and check named sets of runs.

    Parameters
    ----------
    runs : one set of runs, or several by name, {name: set of runs}, if all members are tidy tables or dicts
    needs : kind of runs that the question needs; see `QuestionSettings.needs`
    skip_checks : skip the checks for swapped axes and for episodes passed as runs

    Raises
    ------
    ValueError
        if a set is invalid; see `read_scores` and the other readers
    """
    read = _READERS[needs]
    members = map(pandas_table, runs.values()) if isinstance(runs, Mapping) else ()
    is_set = [isinstance(one, Mapping) or "algorithm" in getattr(one, "columns", ()) for one in members]
    if not is_set or not all(is_set):
        return {ONLY_SET: read(runs, skip_checks)}
    if needs == "scores" and len(runs) > 1 and _by_environment(runs.values()):
        raise HintedError(
            "scores",
            "a dict of dicts of lists may be sets of algorithms, or algorithms in environments",
            "for algorithms in environments, use a table with the columns algorithm, environment, run, score; for "
            "several sets, use {set: {algorithm: array[runs, tasks]}}",
        )
    found = {}
    for name, one in runs.items():
        try:
            found[str(name)] = read(one, skip_checks)
        except HintedError as problem:
            raise HintedError(str(name), problem.sentence, problem.hint) from problem
    return found


def read_runs(runs: Any, takes: str, skip_checks: bool = False) -> pd.DataFrame:
    """Return a run table with unnormalized scores and a column cell; return tables of other kinds unchanged.

    Parameters
    ----------
    runs : scores as for `read_scores`; or, for other kinds, a table with the columns of the kind
    takes : kind of the table that the question takes
    skip_checks : skip the checks for swapped axes and for episodes passed as runs

    Raises
    ------
    ValueError : see `read_scores`; or if the input is not a table, or a column is missing
    """
    if takes == ONLY_SET:
        table = read_scores(runs, skip_checks)
        return table if "cell" in table else table.assign(cell=table["algorithm"])
    axes = {"evaluations": "runs x tasks x steps", OUTCOMES: "runs x tasks"}.get(takes)
    table = table_of_runs(takes, runs, axes) if axes else pandas_table(runs)
    if isinstance(runs, Mapping) and isinstance(table, pd.DataFrame):  # names of tasks from arrays are integers
        table = table.astype({"environment": str})
    if takes == OUTCOMES and {"successes", "trials"}.issubset(getattr(table, "columns", ())) and "score" not in table:
        table = table.assign(score=table["successes"] / table["trials"])
    refuse_missing_columns(takes, table, _COLUMNS[takes].split())
    return runs_of_outcomes(named_rows(takes, table, RUN, [])) if takes == OUTCOMES else table


def _by_environment(members: Iterable[Any]) -> bool:
    """Return True if all members are dicts of lists of scores, whose keys may be algorithms or environments."""
    return all(
        isinstance(member, Mapping)
        and len(member) > 1
        and all(isinstance(scores, Iterable) and np.ndim(next(iter(scores), 0)) == 0 for scores in member.values())
        for member in members
    )


_GREATEST_OF_A_SCALE = 100.0
"""Upper limit of most normalized scores, even in percent; returns in most environments exceed it."""
_GREATEST_OF_RATES = 1.0
_ALIKE = 1.25
"""Factor by which typical scores of tasks may differ before the largest scores dominate their mean."""
MIN_MAX_REMARK = (
    "Scores are normalized by the lowest and the highest score of these runs in each environment (min_max). Other runs "
    "would give a different lowest and highest score, which the intervals do not account for. Known reference scores "
    "have no such error."
)


def scale_remark(table: pd.DataFrame, given: Any) -> str:
    """Return a remark on the scale of the scores, or "".

    Scores from `surefoot.normalize_scores` are marked as such. Other scores count as unnormalized returns if they are
    above 1 and come from learning curves, or if a typical score is above 100 in half of the tasks. If typical scores of
    all tasks have the same sign and differ by at most a quarter, no task dominates.

    Parameters
    ----------
    table : checked table with the columns environment and score
    given : input from which the table was read
    """
    if table["environment"].nunique() == 1:
        return ""
    scale = getattr(given, "attrs", {}).get(SCALE)
    if scale is not None:
        return MIN_MAX_REMARK if scale == "min_max" else ""
    typical = table["score"].abs().groupby(table["environment"], sort=False).median()
    of_curves = isinstance(given, pd.DataFrame) and "rule" in given
    limit = _GREATEST_OF_RATES if of_curves else _GREATEST_OF_A_SCALE
    if (typical.max() if of_curves else typical.median()) <= limit:
        return ""
    medians = table["score"].groupby(table["environment"], sort=False).median()
    least = medians.idxmin()
    greatest = medians.idxmax()
    if medians[least] * medians[greatest] > 0.0 and typical.max() <= _ALIKE * typical.min():
        return ""
    return (
        f"Scores of {len(typical)} tasks are averaged without normalization. Typical scores range from "
        f"{medians[least]:,.3g} ({least}) to {medians[greatest]:,.3g} ({greatest}), so unless the tasks share a scale, "
        "the tasks with the largest scores dominate. surefoot.normalize_scores(scores) puts the scores on a common "
        "scale; skip_checks=True drops this remark."
    )
