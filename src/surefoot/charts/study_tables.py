"""Tables of any study: its runs, its protocol, further results, and its comparison with published numbers.

The module also has the ledger, which lists the published numbers of all papers next to ours.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from surefoot.charts.input_tables import read_arguments
from surefoot.charts.names import Titles, titles_of, with_titles
from surefoot.charts.sentences import item
from surefoot.registry import function_named
from surefoot.runs.protocol_card import (
    OF_LOGS,
    REMARK,
    TITLES,
    UNSTATED,
    UNSTATED_IN_LOGS,
    Counts,
    cards,
    counts_of,
    methods_sentence,
    selection_sentence,
    told_rule,
    told_value,
    unfinished,
    unlike_remark,
)
from surefoot.runs.result_tables import ACCOUNT_SUMMARY, read_table, write_table
from surefoot.statistics.reproduction.verdicts import EXCEPTIONS, OTHERS
from surefoot.workflow.runner import Task

_OF_LEDGER = (
    *("study", "paper", "headline", "address", "item", "label", "claim", "published", "ours", "tolerance"),
    *("verdict", "undecided_by", "reason", "detectable", "matters", "allowed"),
)


def ledger(
    reproductions: Mapping[str, pd.DataFrame] | None = None, *, studies: Sequence[Mapping[str, str]]
) -> pd.DataFrame:
    """Tabulate every judged number and claim of all papers, contradicted claims first.

    The columns are study, paper, headline (the paper's main claim), address (of the row on the page of the
    ledger), and those of `published_numbers.table_reproduction`.

    Parameters
    ----------
    reproductions : the tables of published numbers next to ours on the pages of the studies, by study
    studies : keys study, label and claim of each study, in order
    """
    tables = reproductions or {}
    parts = [
        tables[entry["study"]].assign(study=entry["study"], paper=entry["label"], headline=entry["claim"])
        for entry in studies
        if entry["study"] in tables
    ]
    rows = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["study", "item", "verdict"])
    rows["address"] = (rows["study"] + "-" + rows["item"]).str.lower().str.replace(r"[^a-z0-9.+]+", "-", regex=True)
    order = {verdict: place for place, verdict in enumerate((*EXCEPTIONS, *OTHERS))}
    rows = rows.sort_values("verdict", key=lambda verdicts: verdicts.map(order), kind="stable")
    return rows.reindex(columns=list(_OF_LEDGER))


def table_runs(runs: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None) -> pd.DataFrame:
    """Count the runs of each algorithm (columns, by title) in each environment (rows, by title)."""
    titled = with_titles(runs, titles, environment_titles)
    numbers = pd.crosstab(titled["environment_title"], titled["title"])
    numbers = numbers.reindex(index=titled["environment_title"].unique(), columns=titled["title"].unique())
    numbers = numbers.rename_axis(index="environment", columns=None)
    return numbers.rename(columns={"environment": "environment (algorithm)"}).reset_index()


def agents_table(table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None) -> pd.DataFrame:
    """Tabulate all agents with scores and times, as in Castronovo et al. 2016 (table of all results, section 5.2).

    Times of single decisions are included if the study keeps them.
    """
    agents = table.copy()
    for column in ("decision_mean", "decision_longest"):
        agents[column] = agents.get(column, np.nan)
    agents.insert(0, "title", agents["algorithm"].map(titles_of(agents["algorithm"], titles)))
    places = titles_of(agents["environment"], environment_titles)
    agents.insert(0, "environment_title", agents["environment"].map(places))
    agents["variant_title"] = agents["variant"].str.replace("_", " ")
    return agents


def answer_table(table: pd.DataFrame) -> pd.DataFrame:
    """Return the result of a question, unchanged."""
    return table


def protocol_sentences(
    runs: pd.DataFrame | None = None,
    *,
    protocol: Mapping[str, Any],
    titles: Titles = None,
    environment_titles: Titles = None,
    hyperparameters: Sequence[str] = (),
) -> pd.DataFrame:
    """Return sentences on the protocol for the page: columns item, text, value.

    `methods` defines a score, `selection` describes the effect of selection on scores, `early` counts the runs that
    ended early or left no score. If protocols differ, `remark` is a remark for the top of the page and `mark` one for
    every caption. Items that do not apply are empty.
    """
    names = _algorithm_titles(runs, protocol, titles)
    remark = unlike_remark(protocol, names)
    rows = [
        item(
            "methods",
            methods_sentence(
                protocol, names, None if runs is None else counts(runs, environment_titles, hyperparameters)
            ),
        ),
        item("selection", selection_sentence(protocol)),
        item("remark", remark),
        item("early", unfinished(protocol, names)),
        item("mark", REMARK if remark else ""),
    ]
    return pd.DataFrame(rows)


def protocol_table(
    runs: pd.DataFrame | None = None,
    *,
    protocol: Mapping[str, Any],
    titles: Titles = None,
    environment_titles: Titles = None,
    hyperparameters: Sequence[str] = (),
) -> pd.DataFrame:
    """Return the protocol card: columns what, algorithms, value, origin.

    Algorithms are listed by title, and share a row if they have the same value.

    If there are no logs, fields that only logs have are left out. Fields that are not stated for any algorithm share a
    row.
    """
    names = _algorithm_titles(runs, protocol, titles)
    cards_by_name = {name: card for name, card in cards(protocol, names).items() if name in names}
    rows = []
    unstated = []
    for field, title in TITLES.items():
        origins = {card[field].origin for card in cards_by_name.values()}
        if field in OF_LOGS and origins == {UNSTATED}:
            continue
        if origins <= {UNSTATED, UNSTATED_IN_LOGS}:
            unstated.append(title)
            continue
        by_value: dict[tuple[str, str], list[str]] = {}
        for name, card in cards_by_name.items():
            value = told_rule(card) if field == "rule" else told_value(card, field)
            by_value.setdefault((value, card[field].origin), []).append(names[name])
        for (value, origin), shown in by_value.items():
            rows.append((title, "all" if len(shown) == len(cards_by_name) else ", ".join(shown), value, origin))
    run_counts = None if runs is None else counts(runs, environment_titles, hyperparameters)
    if run_counts is not None:
        number = f"{run_counts.fewest:,}"
        if run_counts.fewest != run_counts.most:
            number = f"{number} to {run_counts.most:,}"
        rows.append(("Runs (seeds) in each environment", "all", number, "counted in the scores"))
    if unstated:
        rows.append(("Not stated", "all", "; ".join(unstated), ""))
    return pd.DataFrame(rows, columns=["what", "algorithms", "value", "origin"])


def account_table(runs: pd.DataFrame) -> pd.DataFrame:
    """Tabulate, by outcome, the files from which runs were read.

    The columns are outcome, meaning, reason, kind, files, rows and which (the first files); without rows for runs that
    were not read from logs.
    """
    columns = ["outcome", "meaning", "reason", "kind", "files", "rows", "which"]
    summary = runs.attrs.get(ACCOUNT_SUMMARY, {})
    rows = pd.DataFrame(summary.get("rows", []), columns=columns)
    return rows.astype({"files": "Int64", "rows": "Int64"})


def counts(runs: pd.DataFrame, environment_titles: Titles, hyperparameters: Sequence[str]) -> Counts:
    """Count the runs of a study."""
    environments = list(titles_of(runs["environment"], environment_titles).values())
    return counts_of(runs, environments, hyperparameters)


def _algorithm_titles(runs: pd.DataFrame | None, protocol: Mapping[str, Any], titles: Titles) -> dict[str, str]:
    """Return the titles of the algorithms of the runs, or else of those named by the protocol."""
    named = cards(protocol)
    algorithms = named if runs is None else runs["algorithm"]
    return titles_of(map(str, algorithms), titles)


def compare(task: Task) -> None:
    """Compare our results with published numbers, as a job.

    The columns of the output include item, published, ours, standard_error and verdict.
    """
    write_table(compared(task.settings, task.inputs), task.outputs["comparison"])


def compared(settings: Mapping[str, Any], paths: Mapping[str, Path]) -> pd.DataFrame:
    """Return the comparison with published numbers, computed from the input tables of a job.

    Parameters
    ----------
    settings : function, its keywords, and the names of the tables of its arguments
    paths : path of each table by name
    """
    tables = read_arguments(settings["tables"], paths, read_table)
    table: pd.DataFrame = function_named(settings["function"])(**tables, **settings["keywords"])
    return table


def analyses_table(*, analyses: Sequence[Sequence[Any]]) -> pd.DataFrame:
    """Tabulate where the numbers of each analysis come from.

    Parameters
    ----------
    analyses : for each analysis, its name, the day of its record (None for numbers of this run), the number of
        resamples, and the number of subsamples (None if the analysis draws none)
    """
    table = pd.DataFrame(analyses, columns=["analysis", "recorded", "n_resamples", "datasets"])
    return table.astype({"n_resamples": "Int64", "datasets": "Int64"})
