"""Scores as people have them: a tidy table, or a dict of arrays; read and checked."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, shown
from surefoot.library.guards import (
    named_by_text,
    numbers,
    refuse_ambiguous_list,
    refuse_missing_columns,
    refuse_missing_names,
)
from surefoot.library.labelled_arrays import pandas_table, without_labels
from surefoot.library.plausibility import check_axes
from surefoot.statistics.run_order import natural_order, plain_names
from surefoot.statistics.score_pool import refuse_masked_or_complex, refuse_too_great, task_columns

COLUMNS = ("algorithm", "environment", "run", "score")
_LISTED = 5


class ScoreTables(NamedTuple):
    """algorithms, tasks : names; scores : for each algorithm, for each task, its scores in the order of the runs;
    runs : their names likewise, or None where scores came as arrays."""

    algorithms: tuple[str, ...]
    tasks: tuple
    scores: dict[str, list[np.ndarray]]
    runs: dict[str, list[np.ndarray]] | None

    def name(self, algorithm) -> str:
        """The name of an algorithm, which is a text even where scores came with a number for it."""
        if str(algorithm) not in self.scores:
            raise HintedError("scores", f'no algorithm "{algorithm}"', f"one of {', '.join(self.algorithms)}")
        return str(algorithm)

    def of(self, algorithm) -> list[np.ndarray]:
        """The scores of an algorithm, one array a task."""
        return self.scores[self.name(algorithm)]

    def run_counts(self, algorithm) -> str:
        """How many runs of a task there are, such as "10" or "3 to 5"."""
        sizes = sorted({column.size for column in self.of(algorithm)})
        return str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"


def read_scores(scores: pd.DataFrame | Mapping, checked: bool = False) -> ScoreTables:
    """Read and check scores.

    Parameters
    ----------
    scores : a table with the columns algorithm, environment, run, score, one row per run (with a column episode too,
        the episodes of a run are averaged), or a dict {algorithm: array of runs x tasks, or, for a single task, one
        array of scores, or, where numbers of runs differ, a list of one array of scores a task}. Runs of a table are
        ordered by `natural_order` of their names; names of algorithms and tasks become texts. The tasks of pandas or
        polars tables in a dict are matched by the names of their columns, those of xarray arrays by dimension and
        coordinate
    checked : the axes are as they should be, even if they do not look so; see `plausibility.check_axes`

    Raises
    ------
    ValueError : a column or a name is missing; two names are written alike; there are no scores; a score, or that of
        an episode, is not a finite number; a score is masked, complex or so great that statistics of it overflow; a run
        occurs twice; an algorithm lacks a task; a list whose members, as many scores each, may be runs or tasks; the
        axes look swapped, or rows look like episodes of the same runs, as far as this can be seen
    """
    scores = pandas_table(scores)
    if isinstance(scores, pd.DataFrame):
        tables = _from_table(scores)
    elif isinstance(scores, Mapping):
        tables = _from_arrays(scores)
    else:
        raise HintedError(
            "scores",
            f"a {type(scores).__name__}",
            f"a pandas table with the columns {', '.join(COLUMNS)}, or a dict {{algorithm: array of runs x tasks}}",
        )
    for algorithm in tables.algorithms:
        for task, column in zip(tables.tasks, tables.scores[algorithm], strict=True):
            if not np.isfinite(column).all():
                run = int(np.flatnonzero(~np.isfinite(column))[0])
                name = run if tables.runs is None else tables.runs[algorithm][tables.tasks.index(task)][run]
                raise HintedError(
                    "scores",
                    f"{algorithm} in {task}: run {name} has the score {column[run]}",
                    "drop the run, or give it the score that it deserves; scores are finite numbers",
                )
            names = None if tables.runs is None else tables.runs[algorithm][tables.tasks.index(task)]
            refuse_too_great(f"scores: {algorithm} in {task}", column, names)
        if not checked:
            check_axes("scores", algorithm, tables.scores[algorithm])
    return tables


def _from_arrays(scores):
    if not scores:
        raise HintedError("scores", "an empty dict", "{algorithm: array of runs x tasks}")
    found = {}
    arrays, names = without_labels("scores", named_by_text("scores", scores), ("runs", "tasks"))
    for name, table in arrays.items():
        if not hasattr(table, "__len__") or len(table) == 0 or isinstance(table, str | Mapping):
            raise HintedError("scores", f"{name} has no scores but {shown(table)}", "an array of runs x tasks")
        found[name] = _columns(name, table)
        for task, column in enumerate(found[name]):
            if column.size == 0:
                raise HintedError("scores", f"no runs of {name} in {task}", "at least one run of each task")
    _refuse_other_tasks(found)
    tasks = names or tuple(range(len(next(iter(found.values())))))
    return ScoreTables(tuple(found), tasks, found, None)


def _columns(name, table):
    """The scores of each task, from an array, a list of one array a task, or the scores of a single task."""
    refuse_masked_or_complex(f"scores: {name}", table)
    if isinstance(table, np.ndarray) and table.ndim == 3:
        raise HintedError(
            "scores",
            f"{name} has an array of shape {table.shape}",
            "runs x tasks; average the episodes of a run first, or take `sample_efficiency` for scores along the "
            "training",
        )
    if isinstance(table, np.ndarray) and table.dtype == object and table.ndim == 1 and hasattr(table[0], "__len__"):
        raise HintedError(
            "scores",
            f"{name} has an array of {len(table)} lists, not a table",
            "runs x tasks; where numbers of runs differ, a list of one array of scores a task",
        )
    if isinstance(table, np.ndarray) and not np.issubdtype(table.dtype, np.number):
        raise HintedError("scores", f"{name} has values of type {table.dtype}", "scores are numbers")
    refuse_ambiguous_list("scores", name, table)
    try:
        return [np.asarray(table, np.float64)] if np.ndim(table[0]) == 0 else task_columns(table)
    except HintedError:
        raise
    except (TypeError, ValueError) as problem:
        raise HintedError("scores", f"{name}: {problem}", "scores are numbers") from problem


def _refuse_other_tasks(found):
    counts = {algorithm: len(columns) for algorithm, columns in found.items()}
    if len(set(counts.values())) == 1:
        return
    listed = ", ".join(f"{algorithm} {count}" for algorithm, count in list(counts.items())[:_LISTED])
    runs = {column.size for columns in found.values() for column in columns}
    swapped = "rows are runs and columns are tasks; these look like the transposed arrays" if len(runs) == 1 else ""
    raise HintedError("scores", f"numbers of tasks differ: {listed}", swapped or "all algorithms need the same tasks")


def _from_table(table):
    refuse_missing_columns("scores", table, COLUMNS)
    refuse_missing_names("scores", table, COLUMNS[:3])
    table = table.assign(score=numbers("scores", table["score"]), run=plain_names(table["run"]))
    keys = [*COLUMNS[:3], "episode"] if "episode" in table.columns else list(COLUMNS[:3])
    twice = table.duplicated(keys, keep=False)
    if twice.any():
        row = table[twice].iloc[0]
        count = int((table[keys] == row[keys]).all(axis=1).sum())
        raise HintedError(
            "scores",
            f"{row['algorithm']} in {row['environment']}: run {row['run']} occurs {count} times",
            "a run is one training; where these are its episodes, number them in a column episode and they are "
            "averaged",
        )
    if "episode" in table.columns:
        _refuse_bad_episodes(table)
        table = table.groupby(keys[:3], sort=False, observed=True)["score"].mean().reset_index()
    return _sorted_by_run(table)


def _refuse_bad_episodes(table):
    """Their mean would leave a missing score out, which is often that of a run that failed."""
    bad = ~np.isfinite(table["score"])
    if bad.any():
        row = table[bad].iloc[0]
        raise HintedError(
            "scores",
            f"{row['algorithm']} in {row['environment']}: run {row['run']} has the score {row['score']} in "
            f"episode {row['episode']}",
            "drop the episode, or give it the score that it deserves; scores are finite numbers",
        )


def _sorted_by_run(table):
    names = table[["algorithm", "environment"]].astype(str)
    algorithms, tasks = (tuple(dict.fromkeys(names[name])) for name in names)
    scores, runs = {a: [None] * len(tasks) for a in algorithms}, {a: [None] * len(tasks) for a in algorithms}
    for (algorithm, task), rows in table.groupby([names["algorithm"], names["environment"]], sort=False):
        ordered = rows.sort_values("run", key=natural_order)
        scores[algorithm][tasks.index(task)] = ordered["score"].to_numpy()
        runs[algorithm][tasks.index(task)] = ordered["run"].to_numpy()
    lacking = [f"{a} in {t}" for a in algorithms for t, column in zip(tasks, scores[a], strict=True) if column is None]
    if lacking:
        more = f" and {len(lacking) - _LISTED} more" if len(lacking) > _LISTED else ""
        raise HintedError(
            "scores",
            f"no runs of {', '.join(lacking[:_LISTED])}{more}",
            "leave out the environment or the algorithm; metrics are compared on the same tasks",
        )
    return ScoreTables(algorithms, tasks, scores, runs)
