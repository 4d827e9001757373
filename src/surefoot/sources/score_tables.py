"""Anybody's score table: read, checked cell by cell, and brought into the shape of a run table.

Nothing is guessed and nothing is dropped in silence: what cannot be used is an error that lists the offending cells,
unless the configuration names a policy for it.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.columns import as_floats, refuse_absent, refuse_bad_names, refuse_other_kinds
from surefoot.errors import HintedError, listed, shortened, shown
from surefoot.result_tables import LEFT_OUT, REMARKS
from surefoot.sources.checks import curves_found, left_out, runs_of_outcomes
from surefoot.sources.settings import is_lower_better
from surefoot.sources.table_files import read_table
from surefoot.sources.tables import ScoreTable
from surefoot.statistics.runs.samples import GREATEST
from surefoot.statistics.runs.tables import natural_order, plain_names

LISTED = 8
_POLICIES = "correct them, or set invalid_scores to drop or floor"
_CELL_POLICIES = "add runs, or set missing_cells to drop_algorithm or drop_environment"
_WHOLE_NUMBER = r"-?\d{1,18}"


def read(settings: ScoreTable, files: Mapping[str, Path], name: str | None = None) -> pd.DataFrame:
    """The run table of a score table: columns algorithm, environment, run, score, of which higher is better, those of
    hyperparameters, and, where some scores were negated for that, direction (-1 for these, else 1); of binary outcomes
    also trials, whose success rate is the score.

    Parameters
    ----------
    settings : what its columns are called, and what becomes of runs that cannot be used
    files : its CSV, Parquet or JSON (records) file, as {"file": path}
    name : how errors name the file

    Raises
    ------
    InputError
        that lists the offending cells
    """
    path = files["file"]
    where, columns = name or str(path), dict(settings.columns)
    given = read_table(path, where)
    table = named(given, columns, where)
    if table.empty:
        raise InputError(where, "the table has no rows", "one row for each run: algorithm, environment, run, score")
    if settings.outcomes == "binary":
        try:
            table = runs_of_outcomes(table)
        except HintedError as error:
            raise InputError(where, error.what, error.hint) from None
    elif found := curves_found(table, given.drop(columns=list(settings.hyperparameters or ()), errors="ignore")):
        raise InputError(where, found, "kind: learning_curves, with a rule that makes a score of each, such as window")
    remarks = given.attrs.get(REMARKS, ())
    table = _with_hyperparameters(table, given, settings.hyperparameters or (), where)
    del given  # of a large table, a third of the memory
    table = _without_duplicates(table, settings.duplicate_runs, where, settings.hyperparameters or ())
    refuse_other_kinds(where, table["score"], settings.columns.score)
    refuse_absent(f"{where}: lower_is_better", "environment", settings.negated_environments(), table)
    table = table.assign(
        direction=[-1 if is_lower_better(name, settings.lower_is_better) else 1 for name in table["environment"]]
    )
    table = with_valid_scores(table, settings.invalid_scores, where)
    table = without_missing_cells(table, settings.missing_cells, where)
    if not settings.hyperparameters:
        refuse_single_algorithm(table, where)
    runs = ordered(table if settings.lower_is_better else table.drop(columns="direction"))
    if remarks:
        runs.attrs[REMARKS] = remarks
    return runs


def refuse_single_algorithm(table: pd.DataFrame, where: str) -> None:
    """Raise an InputError where there is nothing to compare."""
    if table["algorithm"].nunique() < 2:
        only = shortened(", ".join(map(str, table["algorithm"].unique())))
        raise InputError(where, f"a comparison needs two algorithms, and the table has {only}", "add runs of another")


def named(table: pd.DataFrame, columns: Mapping[str, str | None], where: str) -> pd.DataFrame:
    """The columns that are wanted, by the names that they have here; names of runs are texts.

    Parameters
    ----------
    columns : what each is called in the table; the environment is None where there is a single one

    Raises
    ------
    InputError
        a column that is missing or there twice, a row without a name
    """
    table = table.set_axis([str(column) for column in table.columns], axis="columns")
    given = {wanted: column for wanted, column in columns.items() if column is not None}
    for wanted, column in given.items():
        count = list(table.columns).count(column)
        if count == 0:
            what = f'no column "{shortened(column)}" for {wanted}'
            raise InputError(where, what, f"{nearest(column, table.columns)} (columns.{wanted} names it)")
        if count > 1:
            hint = f"rename the others, or name the right one with columns.{wanted}"
            raise InputError(where, f'{count} columns are called "{shortened(column)}"', hint)
    kept = [wanted for wanted in columns if wanted in given or wanted == "environment"]
    found = {wanted: table[given[wanted]] if wanted in given else "environment" for wanted in kept}
    named = pd.DataFrame(found, index=table.index)
    for wanted in ("algorithm", "environment", "run"):
        refuse_other_kinds(where, named[wanted], str(columns[wanted]), "names or numbers")
        present = named[wanted].notna()
        named[wanted] = named[wanted].astype(str).str.strip().where(present)
        refuse_bad_names(where, wanted, named[wanted])
    return named.assign(run=plain_names(named["run"]))


def _listed(table: pd.DataFrame, with_score: bool = False) -> str:
    """The first few offending cells, and how many more there are."""
    cells = [f"{row.algorithm} / {row.environment} / run {row.run}" for row in table.itertuples()]
    if "step" in table:
        cells = [f"{cell}, step {step}" for cell, step in zip(cells, table["step"], strict=True)]
    return few(cells, [f": {shown(score)}" for score in table["score"].head(LISTED)] if with_score else ())


def few(cells: Sequence[str], remarks: Sequence[str] = ()) -> str:
    """The first few cells, each with its remark where there are any, and how many more there are."""
    texts = [shortened(cell) + remark for cell, remark in zip_longest(cells[:LISTED], remarks, fillvalue="")]
    return listed([*texts, *cells[LISTED:]], LISTED, "; ")


def _with_hyperparameters(table: pd.DataFrame, given: pd.DataFrame, names: Sequence[str], where: str) -> pd.DataFrame:
    """The table with columns of hyperparameters, as numbers where all of their values are."""
    for name in names:
        if name not in given:
            what = f'no column "{shortened(name)}"'
            raise InputError(f"{where}: hyperparameters", what, nearest(name, given.columns))
        values = pd.to_numeric(given[name], errors="coerce")
        table = table.assign(**{name: given[name] if values.isna().any() else values})
    return table


def _without_duplicates(
    table: pd.DataFrame, policy: str, where: str, hyperparameters: Sequence[str] = ()
) -> pd.DataFrame:
    keys = ["algorithm", "environment", "run", *hyperparameters]
    again = table.duplicated(keys)
    if again.any() and policy == "error":
        raise InputError(
            where,
            f"duplicate runs ({int(again.sum())}): {_listed(table[again])}",
            "a run has one score (and 1, 01 and 1.0 are one run): average its episodes, number the runs apart, or set "
            "duplicate_runs: drop",
        )
    return table[~again]


def with_valid_scores(table: pd.DataFrame, policy: str, where: str, hint: str = _POLICIES) -> pd.DataFrame:
    """The table with scores that are finite numbers, by the policy for others; `hint` says what helps.

    Raises
    ------
    InputError
    """
    scores = as_floats(table["score"])
    invalid = ~np.isfinite(scores)
    too_great = ~invalid & (scores.abs() > GREATEST)
    smaller = "divide all scores by a power of ten, or correct what is not a score"
    for bad, what, remedy in (
        (invalid, "scores that are not finite numbers", hint),
        (too_great, f"scores beyond ±{GREATEST:g}", smaller),
    ):
        if bad.any() and policy == "error":
            raise InputError(where, f"{what} ({int(bad.sum())}): {_listed(table[bad], with_score=True)}", remedy)
    invalid |= too_great
    if "direction" in table:
        scores = scores * table["direction"]
    table = table.assign(score=scores)
    if policy == "floor":
        lowest = table[~invalid].groupby("environment")["score"].min()
        unknown = sorted(set(table.loc[invalid, "environment"]) - set(lowest.index))
        if unknown:
            what = f"{few(unknown)} without a single valid score, so there is no lowest one"
            raise InputError(where, what, "leave the environment out, or set invalid_scores: drop")
        return table.assign(score=scores.mask(invalid, table["environment"].map(lowest)))
    if invalid.all():
        raise InputError(where, "no valid score is left", "is columns.score the right column?")
    return table[~invalid]


def without_missing_cells(table: pd.DataFrame, policy: str, where: str, hint: str = _CELL_POLICIES) -> pd.DataFrame:
    """The table with runs of every algorithm in every environment, by the policy for others.

    Its `attrs` say who is left out.

    Raises
    ------
    InputError
    """
    cells = table[["algorithm", "environment"]].drop_duplicates()
    if len(cells) == cells["algorithm"].nunique() * cells["environment"].nunique():
        return table
    counts = pd.crosstab(table["algorithm"], table["environment"])
    missing = [(a, e) for a in counts.index for e in counts.columns if counts.loc[a, e] == 0]
    if policy == "error":
        listing = few([f"{algorithm} / {environment}" for algorithm, environment in missing])
        raise InputError(where, f"cells without a run ({len(missing)}): {listing}", hint)
    column, position = ("algorithm", 0) if policy == "drop_algorithm" else ("environment", 1)
    left = table[~table[column].isin({pair[position] for pair in missing})]
    if left.empty:
        raise InputError(where, f"missing_cells: {policy} leaves nothing", "choose another policy")
    left.attrs = table.attrs | {LEFT_OUT: [*table.attrs.get(LEFT_OUT, ()), *left_out(table, left)]}
    return left


def ordered(table: pd.DataFrame) -> pd.DataFrame:
    """Rows by algorithm and environment in order of first appearance, runs in the order of their names, and those of a
    run by its steps where there are such."""
    steps = ["step"] if "step" in table else []
    order = table.assign(
        first=pd.Categorical(table["algorithm"], pd.unique(table["algorithm"])).codes,
        second=pd.Categorical(table["environment"], pd.unique(table["environment"])).codes,
        third=natural_order(table["run"]),
    ).sort_values(["first", "second", "third", *steps], kind="stable")
    if order["run"].str.fullmatch(_WHOLE_NUMBER).all():
        order = order.astype({"run": np.int64})
    columns = [name for name in order if name not in ("first", "second", "third")]
    return order[columns].reset_index(drop=True)
