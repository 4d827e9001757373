"""Learning curves in a file: scores of runs by a rule, and curves on a common grid of steps."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from surefoot.errors import HintedError, InputError, listed, shortened
from surefoot.runs.columns.numbers import counts, remarks_on_times, with_steps
from surefoot.runs.columns.run_names import RUN, refuse_other_kinds
from surefoot.runs.columns.run_tables import SHORT_RUNS, UNFINISHED, WITHOUT_SCORE
from surefoot.runs.curves.alignment import align_curves
from surefoot.runs.curves.rules import RULES
from surefoot.runs.curves.scores import higher_is_better, scored_curves
from surefoot.runs.result_tables import ACCOUNT_SUMMARY, LEFT_OUT, REMARKS
from surefoot.runs.sources.score_tables import (
    failed_runs,
    named,
    ordered,
    read_table,
    with_valid_scores,
    with_worst_scores,
    without_missing_cells,
)
from surefoot.runs.sources.source_settings import CURVES, EVALUATIONS, RUNS
from surefoot.runs.sources.tables import LearningCurves

_RUN = [*RUN]


def read(settings: LearningCurves, files: Mapping[str, Path]) -> dict[str, pd.DataFrame]:
    """Return the scores of the runs, the curves on a common grid, and the original curves.

    Parameters
    ----------
    settings : settings with the rules
    files : CSV, Parquet or JSON (records) file, as {"file": path}

    Returns
    -------
    a dict with the tables "runs" (columns algorithm, environment, run, score), "curves" (with a column step:
    environment steps, or percentages of them, common to all runs) and "evaluations" (with the columns step, different
    for each run, and episodes)

    Raises
    ------
    InputError
        if a file, row or score is unusable; scores have several kinds; a run has a step twice; there are short runs,
        which are listed; or the curves do not allow the rule
    """
    path = files["file"]
    where = str(path)
    given = read_table(path, where)
    curves, failed = _curves(given, settings, where)
    ends = curves.groupby("environment", sort=False)["step"].max()
    if settings.along == "steps" and ends.min() < ends.max() * (1.0 - settings.tolerance):
        hint = "set along: percent to compare them at the same percentage of their steps"
        which = listed([f"{shortened(str(one))} at {end:,.0f}" for one, end in ends.sort_values().items()])
        raise InputError(where, f"environments end at different steps: {which}", hint)
    lengths: dict[str, Any] = {"short_runs": settings.short_runs, "tolerance": settings.tolerance}
    along = curves
    if settings.along == "percent":
        along = curves.assign(step=100.0 * curves["step"] / curves["environment"].map(ends))
    try:
        run_scores = scored_curves(curves, settings.rule, settings.rule_argument, **lengths)
        aligned = align_curves(along, settings.grid, **lengths)
    except HintedError as error:  # arguments of functions are keys of the source
        raise InputError(where, error.what, re.sub(r'(\w+)=("?)([\w.]+)\2', r"\1: \3", error.hint)) from None
    scores = higher_is_better(run_scores, curves) if RULES[settings.rule].lower_is_better else run_scores
    without_score = failed[_RUN].drop_duplicates().astype(str).to_numpy().tolist()
    unfinished = [*run_scores.attrs.get(UNFINISHED, ()), *without_score]
    # The step of a score is the last step of its run, which differs for runs that ended early.
    scores = with_worst_scores(scores[[*_RUN, "score"]], failed, settings.short_runs)
    aligned = with_worst_scores(aligned, failed, settings.short_runs)
    # All runs of an algorithm in an environment may have ended early.
    scores = without_missing_cells(scores, settings.missing_cells, where)
    left_out = [*curves.attrs.get(LEFT_OUT, ()), *scores.attrs.get(LEFT_OUT, ())]
    aligned = aligned.merge(scores[_RUN], on=_RUN)
    runs = ordered(scores[[*_RUN, "score"]])
    remarks = [*given.attrs.get(REMARKS, ()), *run_scores.attrs.get(REMARKS, ()), *remarks_on_times(curves["score"])]
    attributes = {LEFT_OUT: left_out, REMARKS: remarks, UNFINISHED: unfinished, WITHOUT_SCORE: without_score}
    attributes[ACCOUNT_SUMMARY] = given.attrs.get(ACCOUNT_SUMMARY, {})
    runs.attrs = {key: texts for key, texts in attributes.items() if texts}
    evaluations = ordered(curves[[*_RUN, "step", "score", "episodes"]])
    evaluations.attrs = {UNFINISHED: unfinished, SHORT_RUNS: lengths}
    return {RUNS: runs, CURVES: ordered(aligned[[*_RUN, "step", "score"]]), EVALUATIONS: evaluations}


def _curves(given: pd.DataFrame, settings: LearningCurves, where: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Check the cells of a table; return the curves of one kind and metric, and the rows of runs without a score."""
    given = _chosen(given, "kind", settings.score_kind, "score_kind", where)
    given = _chosen(given, "metric", settings.metric, "metric", where)
    columns: dict[str, Any] = dict(settings.columns)
    wanted = columns | {name: name for name in ("episodes", "kind") if name in given.columns}
    table = named(given, wanted, where)
    if table.empty:
        raise InputError(where, "the table has no rows", "use one row for each run and step")
    for column in ("step", "score"):
        refuse_other_kinds(where, table[column], columns[column])
    failed = failed_runs(table) if settings.short_runs != "error" else table[:0]
    table = with_valid_scores(table.drop(index=failed.index), where, "correct these cells, or leave the rows out")
    episodes = counts(where, table["episodes"]) if "episodes" in table else 1
    table = with_steps(f"{where}: {columns['step']}", table.assign(episodes=episodes))
    if failed.empty or settings.short_runs != "worst_score":
        table = without_missing_cells(table, settings.missing_cells, where)
    return table, failed


def _chosen(given: pd.DataFrame, column: str, asked: str | None, key: str, where: str) -> pd.DataFrame:
    """Return the rows of the requested kind or metric; all rows if there is a single kind or metric."""
    if column not in given.columns:
        return given
    counts = given[column].astype(str).value_counts(sort=False)
    if asked is None and len(counts) > 1:
        several = listed([f"{shortened(str(one))} ({count:,} rows)" for one, count in counts.items()])
        raise InputError(where, f"there are scores of several {column}s: {several}", f"choose one with {key}")
    if asked is not None and asked not in counts:
        there = listed([shortened(str(one)) for one in counts.index])
        raise InputError(where, f'no scores for the {column} "{asked}"', f"choose {key} from {there}")
    return given if asked is None else given[given[column].astype(str) == asked].reset_index(drop=True)
