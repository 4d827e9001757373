"""Read sources from files (CSV, Parquet or JSON), and check and normalize user-supplied score tables.

Nothing is guessed or silently dropped: unusable cells are listed in an error, unless the configuration specifies how to
treat them.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import InputError, listed, nearest, shortened, shown
from surefoot.registry import function_named
from surefoot.runs.columns.csv_text import parse_csv
from surefoot.runs.columns.numbers import as_floats, remarks_on_times
from surefoot.runs.columns.run_names import RUN, refuse_absent, refuse_bad_names, refuse_other_kinds
from surefoot.runs.columns.run_tables import UNFINISHED, WITHOUT_SCORE, directed, refuse_clusters
from surefoot.runs.given_files import MOST_JSON, guarded, parse_json, read_text, refuse_special
from surefoot.runs.result_tables import ACCOUNT_SUMMARY, LEFT_OUT, REMARKS, write_table
from surefoot.runs.setting_errors import SettingError, check_known, within
from surefoot.runs.sources.checks import check_table, curves_found, left_out, runs_of_outcomes
from surefoot.runs.sources.source_settings import RUNS, SourceSettings
from surefoot.runs.sources.tables import ScoreTable
from surefoot.statistics.runs.samples import GREATEST
from surefoot.statistics.runs.score_arrays import natural_order, plain_names
from surefoot.workflow.runner import Task

_LISTED = 8
_CORRECTED = "correct them, or assign failed runs an explicit score, such as the worst possible"
_CELL_POLICIES = "add runs, or set missing_cells to drop_algorithm or drop_environment"
_WHOLE_NUMBER = r"-?\d{1,18}"


def collect(task: Task) -> None:
    """Write the tables of a source that is read from files; the run table also gets a column cell (the algorithm).

    Raises
    ------
    SettingError
        If the file is unusable, its rows do not look like runs, or it lacks an algorithm of the study's protocol; the
        keys are relative to the study.
    """
    given = task.settings | {key: str(path) for key, path in task.inputs.items()}
    model = function_named(given.pop("model"))
    stated = given.pop("stated", ())
    settings = model.model_validate(given)
    where = str(next(iter(task.inputs.values())))
    with within("sources", task.outputs[RUNS].stem):
        tables = tables_read(settings, task.inputs)
        check_table(tables[RUNS], settings, where)
    known = list(tables[RUNS]["algorithm"].unique())
    for name in stated:
        check_known(name, known, ["protocol", "algorithms", name], f'no algorithm "{name}" in {where}')
    tables[RUNS] = tables[RUNS].assign(cell=tables[RUNS]["algorithm"])
    for name, path in task.outputs.items():
        write_table(tables[name], path)


def tables_read(settings: SourceSettings, files: Mapping[str, Path]) -> dict[str, pd.DataFrame]:
    """Return the tables of a source by the suffixes of their names; "runs" is the run table.

    Raises
    ------
    InputError
        If a file is unusable.
    """
    tables: pd.DataFrame | dict[str, pd.DataFrame] = import_module(settings.reads).read(settings, files)
    return {RUNS: tables} if isinstance(tables, pd.DataFrame) else tables


_SUFFIXES = (".csv", ".parquet", ".json")


def read_table(path: Path, where: str) -> pd.DataFrame:
    """Read a table from a file; cells of a CSV are strings.

    Parameters
    ----------
    path : a CSV, Parquet or JSON (records) file
    where : name of the file in error messages

    Raises
    ------
    InputError
        If the file is missing or unreadable, or has an unsupported type.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in _SUFFIXES:
        raise InputError(where, f'unsupported file type "{suffix}"', f"use one of {', '.join(_SUFFIXES)}")
    refuse_special(path, where)
    try:
        with guarded(where, "is the file complete?"):
            if suffix == ".csv":
                return _read_csv(read_text(path, where), where)
            if suffix == ".parquet":
                return pd.read_parquet(path)
            content = parse_json(read_text(path, where, MOST_JSON), where)
            if isinstance(content, list | dict):
                return pd.DataFrame(content)
    except FileNotFoundError:
        raise InputError(where, "no such file", "paths are relative to the folder in which snakemake runs") from None
    records = '[{"algorithm": "a", "environment": "e", "run": 0, "score": 1.5}, ...]'
    what = f"the file contains only {shown(content)}, not a table"
    raise InputError(where, what, f"write a list of records: {records}")


def _read_csv(text: str, where: str) -> pd.DataFrame:
    """Return cells as strings, without the empty rows that spreadsheets leave."""
    cells = parse_csv(text, where, texts=None)
    if not len(cells.columns):
        raise InputError(where, "the file is empty", "write a header and one row for each run")
    return cells[cells.apply(lambda column: column.str.strip() != "").any(axis="columns")]


def read(settings: ScoreTable, files: Mapping[str, Path]) -> pd.DataFrame:
    """Return the run table of a score table.

    The columns are algorithm, environment, run, score (higher is better), and hyperparameters. If some scores were
    negated, there is a column direction: -1 for negated scores, otherwise 1. For binary outcomes, score is the success
    rate, and a column trials has the number of trials.

    Parameters
    ----------
    settings : names of columns, and policies for unusable runs
    files : CSV, Parquet or JSON (records) file, as {"file": path}

    Raises
    ------
    InputError
        if cells are invalid; the message lists them
    """
    path = files["file"]
    where = str(path)
    tuned = list(settings.hyperparameters or ())
    given = read_table(path, where)
    table = named(given, dict(settings.columns), where)
    if table.empty:
        hint = "write one row for each run: algorithm, environment, run, score"
        raise InputError(where, "the table has no rows", hint)
    refuse_clusters(where, given, [*tuned, *dict(settings.columns).values()])
    table = table.assign(**{column: _hyperparameter(given, column, where) for column in tuned})
    if settings.outcomes == "binary":
        table = runs_of_outcomes(table, where)
    elif description := curves_found(table, given.drop(columns=tuned)):
        hint = "use kind: learning_curves, with a rule that reduces each curve to a score, such as window"
        raise InputError(where, description, hint)
    remarks = list(given.attrs.get(REMARKS, ()))
    account = given.attrs.get(ACCOUNT_SUMMARY)
    del given  # a third of the memory, if the table is large
    _refuse_repeated_runs(table, [*RUN, *tuned], where)
    refuse_other_kinds(where, table["score"], settings.columns.score)
    with within("lower_is_better"):
        refuse_absent(where, "environment", settings.negated_environments(), table)
    failed = failed_runs(table) if settings.failed_runs != "error" else table[:0]
    table = with_valid_scores(table.drop(index=failed.index), where)
    remarks += remarks_on_times(table["score"])
    table = directed(table, settings.lower_is_better) if settings.lower_is_better else table
    table = with_worst_scores(table, failed, settings.failed_runs)
    table = without_missing_cells(table, settings.missing_cells, where)
    runs = ordered(table)
    runs.attrs |= {REMARKS: remarks} if remarks else {}
    runs.attrs |= {ACCOUNT_SUMMARY: account} if account else {}
    without_score = failed[list(RUN)].astype(str).to_numpy().tolist()
    runs.attrs |= {UNFINISHED: without_score, WITHOUT_SCORE: without_score} if without_score else {}
    return runs


def _hyperparameter(given: pd.DataFrame, column: str, where: str) -> pd.Series:
    """Return a column of hyperparameters, as numbers if all of its cells are numbers.

    Raises
    ------
    InputError
        if the table lacks the column
    """
    if column not in given:
        what = f'{where}: no column "{shortened(column)}"'
        raise SettingError(["hyperparameters"], what, nearest(column, given.columns))
    values = pd.to_numeric(given[column], errors="coerce")
    return given[column] if values.isna().any() else values


def _refuse_repeated_runs(table: pd.DataFrame, names: Sequence[str], where: str) -> None:
    """Raise an InputError if two rows have the same names."""
    again = table.duplicated(list(names))
    if again.any():
        what = f"duplicate runs ({int(again.sum())}): {_listed(table[again])}"
        hint = (
            "a run has one score (1, 01 and 1.0 are the same run): average its episodes, or number the runs differently"
        )
        raise InputError(where, what, hint)


def failed_runs(table: pd.DataFrame) -> pd.DataFrame:
    """Return all rows of runs without any score.

    Parameters
    ----------
    table : columns algorithm, environment, run, score, and step if there are several rows per run
    """
    names = table.columns.difference(["score", "step", "episodes"], sort=False)
    missing = as_floats(table["score"]).isna()
    return table[missing.groupby([table[name] for name in names], observed=True).transform("all")]


def with_worst_scores(scores: pd.DataFrame, failed: pd.DataFrame, policy: str) -> pd.DataFrame:
    """Give each failed run the worst score of its environment, if the policy is "worst_score".

    Parameters
    ----------
    scores : columns algorithm, environment, run, score (higher is better); with a column step, one row per step
    failed : rows from `failed_runs`
    """
    if policy != "worst_score" or failed.empty:
        return scores
    per = ["environment", *(["step"] if "step" in scores else [])]
    worst = scores.groupby(per, as_index=False, observed=True)["score"].min()
    names = failed.columns.difference(["score", "step", "episodes"], sort=False)
    rows = failed[names].drop_duplicates().merge(worst, on="environment")
    together = pd.concat([scores, rows.reindex(columns=scores.columns)], ignore_index=True)
    together.attrs = scores.attrs
    return together


def named(table: pd.DataFrame, columns: Mapping[str, str | None], where: str) -> pd.DataFrame:
    """Return the requested columns under their standard names; names of runs are strings.

    Parameters
    ----------
    columns : standard name of each requested column, mapped to its name in the table; None for the environment if the
        table has a single one and no such column

    Raises
    ------
    InputError
        if a column is missing or occurs twice, or a row has no name
    """
    table = table.set_axis([str(column) for column in table.columns], axis="columns")
    columns_by_role = {wanted: column for wanted, column in columns.items() if column is not None}
    for wanted, column in columns_by_role.items():
        count = list(table.columns).count(column)
        if count == 0:
            what = f'no column "{shortened(column)}" for {wanted}'
            raise InputError(where, what, f"{nearest(column, table.columns)} (columns.{wanted} names it)")
        if count > 1:
            hint = f"rename all but one of them, or give another name in columns.{wanted}"
            raise InputError(where, f'{count} columns are called "{shortened(column)}"', hint)
    kept = [wanted for wanted in columns if wanted in columns_by_role or wanted == "environment"]
    selected = {
        wanted: table[columns_by_role[wanted]] if wanted in columns_by_role else "environment" for wanted in kept
    }
    named = pd.DataFrame(selected, index=table.index)
    for wanted in RUN:
        refuse_other_kinds(where, named[wanted], str(columns[wanted]), "names or numbers")
        present = named[wanted].notna()
        named[wanted] = named[wanted].astype(str).where(present)
        refuse_bad_names(where, wanted, named[wanted])
        named[wanted] = named[wanted].str.strip()
    return named.assign(run=plain_names(named["run"]))


def _listed(table: pd.DataFrame, with_score: bool = False) -> str:
    """List the first few invalid cells, and the number of remaining cells."""
    cells = []
    for row in table.to_dict("records"):
        run = f" / run {row['run']}" if "run" in row else ""
        step = f", step {row['step']}" if "step" in row else ""
        score = f": {shown(row['score'])}" if with_score else ""
        cells.append(shortened(f"{row['algorithm']} / {row['environment']}{run}{step}{score}"))
    return listed(cells, _LISTED, "; ")


def with_valid_scores(table: pd.DataFrame, where: str, hint: str = _CORRECTED) -> pd.DataFrame:
    """Return the table with scores as float64; `hint` is the remedy for invalid scores.

    Raises
    ------
    InputError
        if scores are not finite numbers, or so large that statistics of them overflow
    """
    scores = as_floats(table["score"])
    too_great = scores.abs().between(GREATEST, np.inf, inclusive="neither")
    smaller = "divide all scores by a power of ten, or correct invalid values"
    for bad, what, remedy in (
        (~np.isfinite(scores), "scores that are not finite numbers", hint),
        (too_great, f"scores beyond ±{GREATEST:g}", smaller),
    ):
        if bad.any():
            raise InputError(where, f"{what} ({int(bad.sum())}): {_listed(table[bad], with_score=True)}", remedy)
    return table.assign(score=scores)


def without_missing_cells(table: pd.DataFrame, policy: str, where: str, hint: str = _CELL_POLICIES) -> pd.DataFrame:
    """Return the table, treating algorithms without runs in some environment as the policy requests.

    The `attrs` of the result list the algorithms or environments that are left out.

    Raises
    ------
    InputError
        If runs are missing and the policy is "error", or if nothing is left.
    """
    names = ["algorithm", "environment"]
    counts = table.groupby(names, observed=True).size().unstack(fill_value=0).stack()
    missing = counts[counts == 0].index.to_frame()
    if missing.empty:
        return table
    if policy == "error":
        raise InputError(where, f"cells without a run ({len(missing)}): {_listed(missing)}", hint)
    column = policy.removeprefix("drop_")
    left = table[~table[column].isin(missing[column])]
    if left.empty:
        raise InputError(where, f"nothing is left with missing_cells: {policy}", "choose another policy")
    left.attrs = table.attrs | {LEFT_OUT: [*table.attrs.get(LEFT_OUT, ()), *left_out(table, left)]}
    return left


def ordered(table: pd.DataFrame) -> pd.DataFrame:
    """Sort rows by first appearance of algorithm and environment, by name of run, and by step, if any."""

    def places(column: pd.Series) -> Any:
        if column.name == "step":
            return column
        return natural_order(column) if column.name == "run" else pd.factorize(column)[0]

    columns = [name for name in (*RUN, "step") if name in table]
    order = table.sort_values(columns, key=places, kind="stable", ignore_index=True)
    return order.astype({"run": np.int64}) if order["run"].str.fullmatch(_WHOLE_NUMBER).all() else order
