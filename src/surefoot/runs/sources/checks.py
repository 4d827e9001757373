"""Checks of user-supplied rows: tasks, episodes, trials or steps passed as runs, and missing cells.

Runs of a task are independent repetitions: a run is not systematically good on all tasks, or similar to another run.
Two mistakes violate this and give intervals that are far too narrow or have zero width: an array of tasks x runs, and
episodes of a few runs passed as runs, either run after run or interleaved. The first is only checked for arrays, since
a table names its columns. A correct array is rejected about once in 100,000 times if runs have nothing in common across
tasks.

If runs are good on all tasks or bad on all tasks, a correct array looks like a transposed one. It is rejected only if
nearly all tasks rank the runs alike and the runs do not rank the tasks alike, both for one algorithm and for all
algorithms with the same number of rows together. Rejection rates of correct arrays (1,000 normal tables each, of tasks
that do not differ otherwise) depend on the correlation between tasks: with 0.3, none are rejected for 10 runs on 10 to
30 tasks; with 0.5, 1 to 2 % (8 % for 5 runs on 10 tasks); with 0.6, 8 to 10 %; with 0.9, 95 %. For two algorithms with
a correlation of 0.9, 1 to 9 % are rejected, and for three algorithms none of 200. For one algorithm whose tasks differ
as much as runs, none are rejected with 10 runs on 26 tasks, and 9 % with 10 runs on 5 tasks. To accept a correct array
that is rejected, pass `skip_checks=True`, or `shared_runs=True` if the function has this argument.

An incorrect array may be accepted: with few runs and tasks the axes cannot be distinguished, and tasks that differ no
more than runs look like runs that cover all tasks. They are then treated as shared runs (see
`shared_run_findings.shared_runs`), and the interval is wide rather than false. If tasks differ three times as much as
runs, transposed tables are detected in no case with five runs and three tasks, in 93 % with ten runs and ten tasks, and
in 99 % with ten runs and 26 tasks. For two algorithms with ten runs and 26 tasks, 98 % are detected if the algorithms
differ on a task as much as runs do, and 74 % if they differ twice as much. Episodes are not detected in fewer than 30
rows, or in irregular order.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from surefoot.errors import InputError, conjugated, counted, listed, shown
from surefoot.runs.columns.numbers import as_floats
from surefoot.runs.columns.run_names import RUN, STEPS, named_run
from surefoot.runs.sources.source_settings import SourceSettings
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.score_arrays import scores_of

_LEVEL = 1e-5
_SHARED = 0.7
"""Mean rank correlation between columns above which rows look like tasks instead of runs that cover all tasks."""
FEWEST_EPISODES = 30
"""Smallest number of rows that are checked for episodes."""
_ALIKE = 6.0
_AS_GIVEN = "set check_axes: false at its source in the study"


def check_table(runs: pd.DataFrame, settings: SourceSettings, where: str) -> None:
    """Check that the rows of a run table from a file look like runs, unless its source turns this check off.

    Parameters
    ----------
    runs : DataFrame
        Columns algorithm, environment, run and score.
    settings : SourceSettings
        Settings of the source.
    where : str
        Name of the file in error messages.

    Raises
    ------
    InputError
        If the names of runs and environments look swapped, or rows look like episodes of the same run.
    """
    # Runs of different hyperparameter settings may have the same names.
    if getattr(settings, "check_axes", True) and not getattr(settings, "hyperparameters", None):
        check_names(runs, where)
        scores = {name: scores_of(runs, name) for name in runs["algorithm"].unique()}
        check_axes(where, scores, otherwise=_AS_GIVEN)


def check_names(runs: pd.DataFrame, where: str) -> None:
    """Raise an InputError if environments are numbered and runs are not."""
    if _are_numbers(runs["environment"]) and not _are_numbers(runs["run"]):
        what = f"environments are numbered ({runs['environment'].iloc[0]}) and runs are named ({runs['run'].iloc[0]})"
        raise InputError(where, what, f"are the columns run and environment swapped? If not, {_AS_GIVEN}")


def _are_numbers(names: pd.Series) -> bool:
    return bool(pd.to_numeric(names, errors="coerce").notna().all())


def check_axes(
    where: str,
    scores: Mapping[str, Sequence[Floats]],
    transposed: str | None = None,
    otherwise: str = "pass `skip_checks=True`",
) -> None:
    """Raise an InputError if rows look like tasks or episodes instead of runs.

    Only algorithms with the same number of runs on every task are checked.

    Parameters
    ----------
    where : name of the argument in error messages
    scores : float64[runs] of each task, by algorithm. If rows were tasks, algorithms with the same number of rows would
        have the same tasks and should rank them alike; runs of different algorithms are unrelated
    transposed : hint if rows look like tasks; None if the axes are named and cannot be swapped
    otherwise : end of the hint if rows look like episodes: what to do if they are runs
    """
    tables = {
        name: np.array(columns).T for name, columns in scores.items() if len({column.size for column in columns}) == 1
    }
    for name, table in tables.items():
        together = np.hstack([other for other in tables.values() if len(other) == len(table)])
        if transposed is not None and looks_transposed(table) and looks_transposed(together):
            what = f"{name}: its {table.shape[0]} runs of {table.shape[1]} tasks differ as much as tasks usually do"
            right = "if the axes are right, pass `skip_checks=True`, or `shared_runs=True` if the function has it"
            raise InputError(where, what, f"{transposed}; {right}")
        apart = alike_rows(table)
        if apart is not None:
            which = "the one before it" if apart == 1 else f"the one {apart} rows before it"
            what = f"{name}: each of its {len(table)} runs is more like {which} than by chance"
            hint = "average the episodes of a run first, since runs must be independent; if these rows are ordered runs"
            raise InputError(where, f"{what}, like episodes of the same run", f"{hint}, {otherwise}")


def looks_transposed(table: Floats) -> bool:
    """Return True if the rows of float64[rows, columns] look like tasks rather than runs.

    They do if nearly all columns rank the rows alike, while the rows rank the columns no more alike than by chance.
    """
    if min(table.shape) < 2:
        return False
    rows, probability = _agreement(table)
    _, columns_probability = _agreement(table.T)
    count = table.shape[1]
    correlation = (count * rows - 1.0) / (count - 1.0)
    return bool(probability < _LEVEL <= columns_probability and correlation > _SHARED)


def _agreement(table: Floats) -> tuple[float, float]:
    """Return Kendall's W, the agreement of columns in ranking the rows, and Friedman's p-value."""
    from scipy.special import chdtrc

    rows, columns = table.shape
    ranks = pd.DataFrame(table).rank().to_numpy()
    spread = rows**2 - 1
    w = 12.0 * np.mean((ranks.mean(axis=1) - (rows + 1) / 2) ** 2) / spread
    return w, float(chdtrc(rows - 1, w * columns * (rows - 1)))


def alike_rows(table: Floats) -> int | None:
    """Return the smallest distance at which rows are more similar than by chance (six standard errors).

    The rows of float64[rows, tasks] are compared at distances up to half their number. Returns None if there is no such
    distance, or if there are fewer than 30 rows.

    The similarity of two rows is the sum over tasks of the products of their ranks. Its variance under a random
    order of rows is computed from all pairs of rows, so it is also correct if a run is good on many tasks at once.
    Tasks in which more than half of the rows have the same score, such as rare successes, are left out: otherwise, a
    single pair of other scores would look like a pattern.
    """
    rows = table.shape[0]
    if rows < FEWEST_EPISODES:
        return None
    ordered = np.sort(table, axis=0)
    table = table[:, (ordered[: rows - rows // 2] != ordered[rows // 2 :]).all(axis=0)]
    ranks = pd.DataFrame(table).rank().to_numpy() - (rows + 1) / 2
    power = (np.abs(np.fft.rfft(ranks, 2 * rows, axis=0)) ** 2).sum(axis=1)
    apart = np.arange(1, rows // 2 + 1)
    likeness = np.fft.irfft(power)[apart]
    self_products = (ranks**2).sum(axis=1)
    pairs = rows * (rows - 1)
    mean = -self_products.sum() / pairs
    variance = (((ranks.T @ ranks) ** 2).sum() - (self_products**2).sum()) / pairs - mean**2
    if variance <= 1e-9 * max(mean**2, 1.0):
        return None
    errors = (likeness - (rows - apart) * mean) / np.sqrt((rows - apart) * variance)
    distances = apart[errors > _ALIKE]
    return int(distances[0]) if distances.size else None


_HINT = (
    "use 1 for a success and 0 for a failure; if the score is already a rate, add a column trials with the number of "
    "trials (a study can name another column in columns: {trials: ...})"
)
_WHOLE = 0.05
"""Tolerance within which a rate times the number of trials must be a whole number, since rates may be rounded."""


def runs_of_outcomes(outcomes: pd.DataFrame, where: str = "outcomes") -> pd.DataFrame:
    """Aggregate trials, or success rates of several trials, to one row per run.

    Parameters
    ----------
    outcomes : columns algorithm, environment, run, score (1 or true for a success, 0 or false for a failure); with a
        column trials, score is the success rate over this number of trials

    Returns
    -------
    a table with the columns algorithm, environment, run, score (the rate) and trials, and the other columns from the
    first row of each run

    Raises
    ------
    InputError
        if outcomes are neither 0 nor 1, or rates are impossible for their numbers of trials
    """

    def refuse(bad: "pd.Series[bool]", column: str, hint: str) -> None:
        for row in outcomes[bad][:1].astype(object).to_dict("records"):
            what = f"{named_run(row)}: {column} {shown(row[column])} ({int(bad.sum())} such rows)"
            raise InputError(where, what, hint)

    is_numeric = isinstance(outcomes["score"].dtype, np.dtype) and outcomes["score"].dtype.kind in "iuf"
    scores = as_floats(outcomes["score"] if is_numeric else outcomes["score"].map(_as_number))
    if "trials" in outcomes:
        trials = as_floats(outcomes["trials"])
        refuse(~(np.isfinite(trials) & (trials >= 1) & (trials % 1 == 0)), "trials", "use a whole number from 1")
        successes = np.round(scores * trials)
        right = scores.between(0, 1) & ((scores * trials - successes).abs() <= _WHOLE)
        refuse(~right, "score", "use the rate of successes in the trials of the row, from 0 to 1")
    else:
        refuse(~scores.isin([0.0, 1.0]), "score", _HINT)
        trials = pd.Series(1.0, index=outcomes.index)
        successes = scores
    counted = outcomes.assign(trials=trials.astype(np.int64), successes=successes.astype(np.int64))
    groups = counted.groupby(list(RUN), sort=False)
    totals = groups[["trials", "successes"]].sum()
    runs = groups.first().drop(columns=["score", "trials", "successes"])
    return runs.assign(score=totals["successes"] / totals["trials"], trials=totals["trials"]).reset_index()


def _as_number(value: object) -> object:
    if isinstance(value, str):
        return {"true": 1, "false": 0}.get(value.strip().lower(), value)
    if isinstance(value, complex | np.complexfloating):
        return np.nan
    return int(value) if isinstance(value, bool | np.bool_) else value


_COUNTS = ("step_count", "num_timesteps", "iteration", "iterations", "epoch", "update")
"""Names of counters during training, in addition to names of steps; TensorBoard puts them after a slash."""


def curves_found(runs: pd.DataFrame, given: pd.DataFrame) -> str:
    """Describe rows that are steps of runs instead of runs; empty if rows are runs.

    Parameters
    ----------
    runs : columns algorithm, environment, run
    given : the same rows with all their original columns
    """
    if not runs.duplicated(list(RUN)).any():
        return ""
    for column in given.columns:
        if str(column).lower().rsplit("/", 1)[-1] in (*STEPS, *_COUNTS) and str(column) not in RUN:
            steps = runs[list(RUN)].assign(step=given[column].to_numpy())
            count = len(runs.drop_duplicates(list(RUN)))
            if len(steps.drop_duplicates()) > count:
                return f"{len(runs):,} rows of {counted(count, 'run')} with a column {column} are learning curves"
    return ""


def left_out(given: pd.DataFrame, kept: pd.DataFrame) -> list[str]:
    """Return sentences that name the algorithms and environments left out of a comparison.

    Parameters
    ----------
    given, kept : runs before and after, with columns algorithm and environment
    """
    sentences = []
    for column, other, lack in (("algorithm", "environment", "no run in"), ("environment", "algorithm", "no run of")):
        cells = pd.crosstab(given[column], given[other])
        reasons = []
        for name in given[column].unique():
            if name not in set(kept[column]):
                missing = [str(one) for one in cells.columns[cells.loc[name] == 0]]
                where = listed(missing) if missing else "some environments once short runs are dropped"
                reasons.append(f"{name} ({lack} {where})")
        if reasons:
            sentences.append(f"Left out, since runs are missing: {listed(reasons)}.")
    return sentences


def single_runs(runs: pd.DataFrame) -> str:
    """Return a warning for algorithms with only one run in each environment, or "" if there are none.

    Parameters
    ----------
    runs : columns algorithm and environment, one row per run
    """
    most = runs.groupby(["algorithm", "environment"], sort=False).size().groupby("algorithm", sort=False).max()
    single = [str(name) for name in most.index[most == 1]]
    if not single:
        return ""
    have = conjugated("have", len(single))
    who = "Each algorithm has" if len(single) == len(most) > 1 else f"{listed(single)} {have}"
    alone = "" if len(most) == 1 else ", and no difference between algorithms is more than a difference between runs"
    return (
        f"{who} a single run (seed) in each environment. A second run might score quite differently, and single runs "
        f"cannot show by how much: there are no intervals here{alone}."
    )
