"""Checks that runs can answer a question, which are made before any job starts.

This module has the checks that several questions share.
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from surefoot.errors import HintedError, InputError, nearest
from surefoot.questions._framework.question_settings import Question, QuestionSettings
from surefoot.questions._framework.results import refuse_single_runs
from surefoot.statistics.metrics.metric_catalogue import checked_step, metric


def check_runs(table: pd.DataFrame, settings: Question, where: str) -> None:
    """Raise an InputError if runs cannot answer a question.

    Parameters
    ----------
    table : runs; for a question about scores, on one of its scales
    where : name of the question in errors
    """
    if settings.check is not None:
        settings.check(table, settings, where)
    elif isinstance(settings, QuestionSettings):
        check_scores(table, settings, where)


def check_scores(table: pd.DataFrame, settings: QuestionSettings, where: str, fewest: int = 1) -> pd.Series:
    """Return the result of `run_counts` for the algorithms of a question.

    Raise an InputError if an algorithm has no scores, or too few runs for the metrics of the question.

    Parameters
    ----------
    table : runs, on one of the scales of the question
    where : name of the question in errors
    fewest : smallest number of algorithms
    """
    chosen = check_algorithms(table, settings, where, fewest)
    if settings.one_algorithm and len(chosen) > 1:
        what = f"{settings.kind} takes one algorithm, but got {len(chosen)}"
        raise InputError(where, what, f"set algorithms: [{chosen[0]!r}]")
    counts = run_counts(table, chosen)
    if settings.equal_runs and counts.groupby("algorithm").nunique().max() > 1:
        what = f"{settings.kind} draws the same runs on all tasks, but these have {counts.min()} to {counts.max()} runs"
        raise InputError(where, what, "give each task the same number of runs, or set max_runs on the scale")
    check_metrics_of(counts, settings.metric_names(), where)
    return counts


def check_scores_with_spread(table: pd.DataFrame, settings: Any, where: str, fewest: int = 1) -> pd.Series:
    """Do the same as `check_scores`, and raise an InputError if an algorithm has a single run on every task."""
    counts = check_scores(table, settings, where, fewest)
    check_spread(counts, settings, where)
    return counts


def check_algorithms(table: pd.DataFrame, settings: Question, where: str, fewest: int = 1) -> list[str]:
    """Return the algorithms that a question names, by default all of the table; raise an InputError for others.

    fewest : smallest number of algorithms
    """
    present = list(dict.fromkeys(table["algorithm"]))
    chosen = list(getattr(settings, "algorithms", None) or present)
    named = [("algorithms", name, present) for name in chosen]
    named += [("pairs", name, chosen) for pair in getattr(settings, "pairs", None) or () for name in pair]
    if (baseline := getattr(settings, "baseline", None)) is not None:
        named.append(("baseline", baseline, chosen))
    for key, name, allowed in named:
        if name not in allowed:
            raise InputError(f"{where}.{key}", f'no scores for "{name}"', nearest(name, allowed))
    if len(chosen) < fewest:
        what = f"a comparison needs at least two algorithms, but got only {chosen[0]}"
        raise InputError(where, what, "add another algorithm")
    return chosen


def check_paired_runs(table: pd.DataFrame, counts: pd.Series, settings: Question, where: str) -> None:
    """Raise an InputError if runs are declared as paired, but algorithms have different runs on a task.

    counts : result of `run_counts`
    """
    if not getattr(settings, "paired", False):
        return
    chosen = table[table["algorithm"].isin(counts.index.unique("algorithm"))]
    for task, rows in chosen.groupby("environment", sort=False):
        names = {algorithm: set(runs) for algorithm, runs in rows.groupby("algorithm", sort=False)["run"]}
        (first, of_first), *others = names.items()
        for other, of_other in others:
            if of_first != of_other:
                what = f"{first} and {other} have different runs in {task}"
                raise InputError(where, what, "give paired runs the same name, or set paired: false")


def run_counts(table: pd.DataFrame, algorithms: Sequence[str]) -> pd.Series:
    """Return the number of runs of each algorithm in each environment, as a Series with both as the index."""
    rows = table[table["algorithm"].isin(algorithms)]
    return rows.groupby(["algorithm", "environment"], sort=False).size()


def check_spread(counts: pd.Series, settings: Any, where: str) -> None:
    """Raise an InputError if an algorithm has a single run on every task (or, if tasks are resampled, one task).

    counts : result of `run_counts`
    """
    of_tasks = getattr(settings, "resample", "runs") == "tasks_and_runs"
    for algorithm, runs in counts.groupby("algorithm", sort=False):
        if not of_tasks:
            refuse_single_runs(str(algorithm), list(runs), where)
        elif len(runs) < 2:
            what = f"tasks are resampled, but {algorithm} has only one"
            raise InputError(where, what, 'add tasks, or set resample to "runs"')


def check_drawn(sizes: Sequence[int], counts: pd.Series, where: str) -> None:
    """Raise an InputError if a size exceeds the number of runs, so that it cannot be drawn without replacement."""
    if max(sizes) > counts.min():
        what = f"{max(sizes)} runs cannot be drawn without replacement from {counts.min()}"
        raise InputError(f"{where}.sizes", what, f"use at most {counts.min()}")


def check_metrics_of(counts: pd.Series, metrics: Sequence[str], where: str) -> None:
    """Raise an InputError if an algorithm has too few runs for a metric.

    counts : result of `run_counts`
    """
    for written in metrics:
        for algorithm, runs in counts.groupby("algorithm", sort=False):
            try:
                chosen = metric(written)
                checked_step(chosen, int(runs.max()) * runs.size if chosen.weighting == "tasks" else int(runs.sum()))
            except HintedError as error:
                raise InputError(where, f"{algorithm}: {error.sentence}", error.hint) from None
