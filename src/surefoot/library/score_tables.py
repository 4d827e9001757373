"""Scores as people have them: a tidy table, or a dict of arrays; read and checked."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from surefoot.library.plausibility import check_axes
from surefoot.statistics.run_order import plain_names
from surefoot.statistics.score_pool import task_columns

COLUMNS = ("algorithm", "environment", "run", "score")
_LISTED = 5


class ScoreTables(NamedTuple):
    """algorithms, tasks : names; scores : for each algorithm, for each task, its scores in the order of the runs;
    runs : their names likewise, or None where scores came as arrays."""

    algorithms: tuple[str, ...]
    tasks: tuple
    scores: dict[str, list[np.ndarray]]
    runs: dict[str, list[np.ndarray]] | None

    def of(self, algorithm: str) -> list[np.ndarray]:
        """The scores of an algorithm, one array a task."""
        if algorithm not in self.scores:
            raise ValueError(f'scores: no algorithm "{algorithm}". Hint: one of {", ".join(self.algorithms)}.')
        return self.scores[algorithm]

    def run_counts(self, algorithm: str) -> str:
        """How many runs of a task there are, such as "10" or "3 to 5"."""
        sizes = sorted({column.size for column in self.of(algorithm)})
        return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"


def read_scores(scores: pd.DataFrame | Mapping, checked: bool = False) -> ScoreTables:
    """Read and check scores.

    Parameters
    ----------
    scores : a table with the columns algorithm, environment, run, score, one row a run (with a further column episode,
        the episodes of a run are averaged), or a dict {algorithm: array of runs x tasks, or one array of scores a task,
        or, for a single task, one array of scores}
    checked : the axes are as they should be, even if they do not look so; see `plausibility.check_axes`

    Raises
    ------
    ValueError : a column is missing; there are no scores; a score is not a finite number; a run occurs twice; an
        algorithm lacks a task; the axes look swapped, or rows look like episodes of the same runs
    """
    if isinstance(scores, pd.DataFrame):
        tables = _from_table(scores)
    elif isinstance(scores, Mapping):
        tables = _from_arrays(scores)
    else:
        raise ValueError(
            f"scores: a {type(scores).__name__}. Hint: a pandas table with the columns {', '.join(COLUMNS)}, or a dict "
            "{algorithm: array of runs x tasks}."
        )
    for algorithm in tables.algorithms:
        for task, column in zip(tables.tasks, tables.scores[algorithm], strict=True):
            if not np.isfinite(column).all():
                run = int(np.flatnonzero(~np.isfinite(column))[0])
                name = run if tables.runs is None else tables.runs[algorithm][tables.tasks.index(task)][run]
                raise ValueError(
                    f"scores: {algorithm} in {task}: run {name} has the score {column[run]}. "
                    "Hint: drop the run, or give it the score that it deserves; scores are finite numbers."
                )
        if not checked:
            check_axes(algorithm, tables.scores[algorithm])
    return tables


def _from_arrays(scores):
    if not scores:
        raise ValueError("scores: an empty dict. Hint: {algorithm: array of runs x tasks}.")
    found = {}
    for algorithm, given in scores.items():
        table = given.to_numpy() if isinstance(given, pd.DataFrame | pd.Series) else given
        if not hasattr(table, "__len__") or len(table) == 0 or isinstance(table, str):
            raise ValueError(f"scores: {algorithm} has no scores but {given!r}. Hint: an array of runs x tasks.")
        if isinstance(table, np.ndarray) and table.ndim == 3:
            raise ValueError(
                f"scores: {algorithm} has an array of shape {table.shape}. Hint: runs x tasks; average the episodes "
                "of a run first, or take `sample_efficiency` for scores along the training."
            )
        if isinstance(table, np.ndarray) and not np.issubdtype(table.dtype, np.number):
            raise ValueError(f"scores: {algorithm} has values of type {table.dtype}. Hint: scores are numbers.")
        single = np.ndim(table[0]) == 0
        try:
            found[str(algorithm)] = [np.asarray(table, np.float64)] if single else task_columns(table)
        except (TypeError, ValueError) as problem:
            if "Hint: " in str(problem):
                raise
            raise ValueError(f"scores: {algorithm}: {problem}. Hint: scores are numbers.") from problem
        for task, column in enumerate(found[str(algorithm)]):
            if column.size == 0:
                raise ValueError(f"scores: no runs of {algorithm} in {task}. Hint: at least one run of each task.")
    _refuse_other_tasks(found)
    tasks = tuple(range(len(next(iter(found.values())))))
    return ScoreTables(tuple(found), tasks, found, None)


def _refuse_other_tasks(found):
    counts = {algorithm: len(columns) for algorithm, columns in found.items()}
    if len(set(counts.values())) == 1:
        return
    listed = ", ".join(f"{algorithm} {count}" for algorithm, count in list(counts.items())[:_LISTED])
    runs = {column.size for columns in found.values() for column in columns}
    swapped = "rows are runs and columns are tasks; these look like the transposed arrays." if len(runs) == 1 else ""
    raise ValueError(
        f"scores: numbers of tasks differ: {listed}. Hint: {swapped or 'all algorithms need the same tasks.'}"
    )


def _from_table(table):
    missing = [name for name in COLUMNS if name not in table.columns]
    if missing:
        raise ValueError(
            f"scores: column {', '.join(missing)} is missing. Hint: the columns are {', '.join(COLUMNS)}; rename "
            "yours, such as table.rename(columns={'task': 'environment'})."
        )
    if len(table) == 0:
        raise ValueError("scores: the table has no rows. Hint: one row a run.")
    _refuse_missing_names(table)
    table = table.assign(score=_numbers(table["score"]), run=plain_names(table["run"]))
    keys = [*COLUMNS[:3], "episode"] if "episode" in table.columns else list(COLUMNS[:3])
    twice = table.duplicated(keys, keep=False)
    if twice.any():
        row = table[twice].iloc[0]
        count = int((table[keys] == row[keys]).all(axis=1).sum())
        raise ValueError(
            f"scores: {row['algorithm']} in {row['environment']}: run {row['run']} occurs {count} times. Hint: a run "
            "is one training; where these are its episodes, number them in a column episode and they are averaged."
        )
    if "episode" in table.columns:
        table = table.groupby(keys[:3], sort=False, observed=True)["score"].mean().reset_index()
    return _sorted_by_run(table)


def _refuse_missing_names(table):
    for name in COLUMNS[:3]:
        if table[name].isna().any():
            row = int(np.flatnonzero(table[name].isna())[0])
            raise ValueError(
                f"scores: row {row} has no {name}. Hint: every row names its algorithm, environment and run."
            )


def _numbers(column):
    """float64 scores, or an error that names the first value that is no number."""
    numbers = pd.to_numeric(column, errors="coerce")
    bad = numbers.isna() & column.notna()
    if bad.any() or column.dtype == bool:
        value = column[bad].iloc[0] if bad.any() else column.iloc[0]
        raise ValueError(f'scores: the score "{value}" is no number. Hint: the column score holds numbers only.')
    return numbers.astype(np.float64)


def _sorted_by_run(table):
    names = table[["algorithm", "environment"]].astype(str)
    algorithms, tasks = (tuple(dict.fromkeys(names[name])) for name in names)
    scores, runs = {a: [None] * len(tasks) for a in algorithms}, {a: [None] * len(tasks) for a in algorithms}
    for (algorithm, task), rows in table.groupby([names["algorithm"], names["environment"]], sort=False):
        ordered = rows.sort_values("run", key=_sortable)
        scores[algorithm][tasks.index(task)] = ordered["score"].to_numpy()
        runs[algorithm][tasks.index(task)] = ordered["run"].to_numpy()
    lacking = [f"{a} in {t}" for a in algorithms for t, column in zip(tasks, scores[a], strict=True) if column is None]
    if lacking:
        more = f" and {len(lacking) - _LISTED} more" if len(lacking) > _LISTED else ""
        raise ValueError(
            f"scores: no runs of {', '.join(lacking[:_LISTED])}{more}. Hint: leave out the environment or the "
            "algorithm; metrics are compared on the same tasks."
        )
    return ScoreTables(algorithms, tasks, scores, runs)


def _sortable(runs):
    """Numbers of runs sort as numbers, names as texts."""
    return runs if pd.api.types.is_numeric_dtype(runs) else runs.astype(str)
