"""Sets of scores as the statistics take them: for each algorithm an array of scores a task, in one order of tasks."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, shortened
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.run_order import natural_order


def algorithms_of(table: pd.DataFrame, asked: Sequence[str] | None) -> list[str]:
    """The algorithms that are asked for, else all of them, in their order.

    Raises
    ------
    ValueError : one that has no scores
    """
    known = table["algorithm"].unique().tolist()
    chosen = known if asked is None else asked
    for name in chosen:
        if name not in known:
            raise HintedError("algorithms", f'no scores of "{shortened(name)}"', ", ".join(known))
    return list(chosen)


def tasks_of(table: pd.DataFrame) -> list[Any]:
    """The tasks, sorted by name, or by number where they have no names."""
    return sorted(table["environment"].unique().tolist())


def scores_of(table: pd.DataFrame, algorithm: str) -> list[Floats]:
    """Scores of an algorithm, float64[runs] for each task of the table, in the order of the runs."""
    rows = table[table["algorithm"] == algorithm].sort_values("run", key=natural_order, kind="stable")
    found = {task: scores.to_numpy(np.float64) for task, scores in rows.groupby("environment")["score"]}
    missing = [task for task in tasks_of(table) if task not in found]
    if missing:
        raise HintedError(
            "scores", f"{algorithm} has no scores in {', '.join(missing[:5])}", "compare on the same tasks"
        )
    return [found[task] for task in tasks_of(table)]


def runs_of(table: pd.DataFrame, algorithm: str) -> list[list[Any]]:
    """Names of the runs of an algorithm on each task, in the order of `scores_of`."""
    rows = table[table["algorithm"] == algorithm].sort_values("run", key=natural_order, kind="stable")
    found = {task: runs.tolist() for task, runs in rows.groupby("environment")["run"]}
    return [found[task] for task in tasks_of(table)]


def mean_scores(table: pd.DataFrame) -> pd.DataFrame:
    """One score a run of learning curves, its mean over all steps, in the order in which runs first appear."""
    return table.groupby(["algorithm", "environment", "run"], sort=False)["score"].mean().reset_index()


def step_column(table: pd.DataFrame) -> str:
    """The name of the column that says when along the training a score was taken: frames, else step."""
    return "frames" if "frames" in table.columns else "step"


def curves_of(table: pd.DataFrame, algorithm: str) -> tuple[list[Any], list[Floats]]:
    """The steps, ascending, and the scores of an algorithm along them: float64[runs, steps] for each task, in the order
    of the tasks and of the runs. All runs have the same steps."""
    axis = step_column(table)
    rows, steps = table[table["algorithm"] == algorithm], sorted(set(table[axis]))
    wide = rows.pivot(index=["environment", "run"], columns=axis, values="score")[steps]
    by_task = [
        runs.droplevel("environment").sort_index(key=natural_order).to_numpy(np.float64)
        for _, runs in wide.groupby(level="environment")
    ]
    return steps, by_task


def matched_scores(table: pd.DataFrame, algorithm: str) -> Floats:
    """Scores of the runs of an algorithm that all tasks have, matched by name: float64[runs, tasks], in their order."""
    rows = table[table["algorithm"] == algorithm]
    wide = rows.pivot(index="run", columns="environment", values="score").reindex(columns=tasks_of(table)).dropna()
    return wide.sort_index(key=natural_order).to_numpy(np.float64)
