"""Checks, made before any job runs, that scores can answer a question.

This module has the checks that many questions share; a check for a single question is in the question's module.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError, InputError, nearest
from surefoot.questions._framework.results import refuse_single_runs
from surefoot.questions._framework.settings import Question, QuestionSettings
from surefoot.statistics.metrics.catalogue import metric, recipe


def check_runs(table: pd.DataFrame, settings: Question, where: str) -> None:
    """Check that runs can answer a question, with the question's `check` if it has one, else with `check_scores`.

    Parameters
    ----------
    table : the runs; for a question about scores, on one of its scales
    where : name of the question in errors

    Raises
    ------
    InputError
    """
    if settings.check is not None:
        settings.check(table, settings, where)
    elif isinstance(settings, QuestionSettings):
        check_scores(table, settings, where)


def check_scores(table: pd.DataFrame, settings: QuestionSettings, where: str, fewest: int = 1) -> None:
    """Check that the named algorithms exist, with enough runs for the metrics and intervals.

    Parameters
    ----------
    table : the runs, on the scale that the question names
    where : name of the question in errors

    Raises
    ------
    InputError
    """
    chosen = check_algorithms(table, settings, where, fewest)
    if settings.one_algorithm and len(chosen) > 1:
        what = f"{settings.kind} takes one algorithm, but got {len(chosen)}"
        raise InputError(where, what, f"algorithms: [{chosen[0]!r}]")
    counts = run_counts(table, chosen)
    if settings.equal_runs and counts.groupby("algorithm").nunique().max() > 1:
        what = f"{settings.kind} draws whole runs, but tasks have {counts.min()} to {counts.max()} runs"
        raise InputError(where, what, "give each task the same number of runs, or set max_runs on the scale")
    check_metrics_of(table[table["algorithm"].isin(chosen)], settings.metric_names(), where)


def check_scores_with_spread(table: pd.DataFrame, settings: Any, where: str, fewest: int = 1) -> None:
    """Raise an InputError if a question that resamples runs has too few algorithms (`fewest`) or runs, or no spread."""
    check_scores(table, settings, where, fewest)
    check_spread(table, settings, where)


def check_algorithms(table: pd.DataFrame, settings: Question, where: str, fewest: int = 1) -> list[str]:
    """Return the named algorithms of a question, or all if it names none, and check that they have scores.

    Raises
    ------
    InputError
        if an algorithm has no scores, or there are fewer than `fewest`
    """
    present = list(dict.fromkeys(table["algorithm"]))
    chosen = algorithms_asked(table, settings)
    named = [(name, present) for name in chosen]
    named += [(name, chosen) for pair in getattr(settings, "pairs", None) or () for name in pair]
    if (baseline := getattr(settings, "baseline", None)) is not None:
        named.append((baseline, chosen))
    for name, allowed in named:
        if name not in allowed:
            raise InputError(where, f'no scores for "{name}"', nearest(name, allowed))
    if len(chosen) < fewest:
        raise InputError(where, f"a comparison needs at least two algorithms, but got only {chosen[0]}", "add another")
    return chosen


def algorithms_asked(table: pd.DataFrame, settings: Question) -> list[str]:
    """Return the named algorithms of a question, or all if it names none."""
    return list(getattr(settings, "algorithms", None) or dict.fromkeys(table["algorithm"]))


def check_paired_runs(table: pd.DataFrame, settings: Question, where: str) -> None:
    """Raise an InputError if runs are declared as paired, but algorithms have different runs on a task."""
    if not getattr(settings, "paired", False):
        return
    chosen = table[table["algorithm"].isin(algorithms_asked(table, settings))]
    for task, rows in chosen.groupby("environment", sort=False):
        names = {algorithm: set(runs) for algorithm, runs in rows.groupby("algorithm", sort=False)["run"]}
        (first, of_first), *others = names.items()
        for other, of_other in others:
            if of_first != of_other:
                what = f"{first} and {other} have different runs in {task}"
                raise InputError(where, what, "give paired runs the same name; or set paired: false")


def run_counts(table: pd.DataFrame, algorithms: Sequence[str]) -> pd.Series:
    """Return the number of runs by algorithm and environment."""
    rows = table[table["algorithm"].isin(algorithms)]
    return rows.groupby(["algorithm", "environment"], sort=False).size()


def check_spread(table: pd.DataFrame, settings: Any, where: str) -> None:
    """Raise an InputError if every task of an algorithm has a single run, but runs are resampled."""
    if getattr(settings, "resample", "runs") == "tasks_and_runs":
        if table["environment"].nunique() < 2:
            what = f"tasks are resampled, but {table['algorithm'].iloc[0]} has only one"
            raise InputError(where, what, 'add tasks, or set resample to "runs"')
        return
    for algorithm, counts in run_counts(table, algorithms_asked(table, settings)).groupby("algorithm", sort=False):
        refuse_single_runs(str(algorithm), list(counts), where)


def check_drawn(sizes: Sequence[int], counts: pd.Series, where: str) -> None:
    """Raise an InputError if more runs are to be drawn without replacement than exist."""
    if max(sizes) > counts.min():
        what = f"{max(sizes)} runs cannot be drawn without replacement from {counts.min()}"
        raise InputError(f"{where}.sizes", what, f"use at most {counts.min()}")


def check_metrics_of(table: pd.DataFrame, metrics: Sequence[str], where: str) -> None:
    """Raise an InputError if a metric is not defined for an algorithm's number of runs."""
    for written in metrics:
        for algorithm, rows in table.groupby("algorithm", sort=False):
            scores = np.sort(rows["score"].to_numpy(np.float64))
            sizes = rows.groupby("environment").size()
            try:
                recipe([metric(written)], scores, scores.size, np.ones(scores.size), int(sizes.max()) * sizes.size)
            except HintedError as error:
                raise InputError(where, f"{algorithm}: {error.sentence}", error.hint) from None
