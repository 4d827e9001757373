"""Tables of any study: its runs, its protocol, other answers, and its comparison with published numbers.

Also tabulates the verdicts of all papers.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from surefoot.charts.arguments import read_arguments
from surefoot.charts.names import Tabulated, Titles, titles_of, with_titles
from surefoot.charts.sentences import item
from surefoot.registry import function_named
from surefoot.runs.protocol import (
    OF_LOGS,
    REMARK,
    TITLES,
    UNSTATED,
    UNSTATED_IN_LOGS,
    Counts,
    cards,
    counts_of,
    ended_early,
    methods_sentence,
    selection_sentence,
    told_rule,
    told_value,
    unlike_remark,
)
from surefoot.runs.result_tables import ACCOUNT_SUMMARY, read_table, write_table
from surefoot.statistics.reproduction.verdicts import VERDICTS, contradictions, verdict_counts
from surefoot.workflow.runner import Task

LARGE, RECORDED, SMALL = "large run", "published scores", "this run"
"""Source of judged numbers: a record of simulations, a record computed from published scores, or this run."""
_COUNTS = ("published", *VERDICTS, "not_judged")


def table_verdicts(
    runs: Mapping[str, pd.DataFrame] | None = None,
    records: Mapping[str, pd.DataFrame] | None = None,
    published: Mapping[str, pd.DataFrame] | None = None,
    *,
    studies: Sequence[Mapping[str, str]],
    recorded_studies: Collection[str] = (),
) -> Tabulated:
    """Tabulate the verdicts on the published numbers of each study.

    Each study has a row for its large run, if any, and one for this run; without published numbers, a single row
    without counts.

    Columns study, title, label, claim (or question, if the study reproduces no paper), run, contradictions (in words),
    published (total number), one per verdict, not_judged.

    Parameters
    ----------
    runs, records : comparisons of this run and of the records of large runs, by study
    published : published numbers by study
    studies : study, title, label and claim of each, in order
    recorded_studies : studies whose scores this run does not have, and whose numbers come from a record computed from
        published scores
    """
    columns = ["study", "item", "verdict", "reason"]
    small = _of_studies(runs, columns).assign(run=SMALL)
    small["run"] = small["run"].mask(small["study"].isin(recorded_studies), RECORDED)
    compared = pd.concat([_of_studies(records, columns).assign(run=LARGE), small], ignore_index=True)
    rows = []
    printed = _of_studies(published, ["study", "item"])
    for entry in studies:
        of_study = compared[compared["study"] == entry["study"]]
        total = len(set(printed.loc[printed["study"] == entry["study"], "item"]) | set(of_study["item"]))
        compared_runs = [run for run in (LARGE, RECORDED, SMALL) if (of_study["run"] == run).any()]
        for run in compared_runs or [""]:
            judged = of_study[of_study["run"] == run]
            counts = verdict_counts(judged["verdict"]) | {"published": total, "not_judged": total - len(judged)}
            row = {**entry, "run": run, "contradictions": contradictions(judged)}
            rows.append(row | (counts if total else dict.fromkeys(_COUNTS)))
    table = pd.DataFrame(rows, columns=["study", "title", "label", "claim", "run", "contradictions", *_COUNTS])
    return None, table.astype(dict.fromkeys(_COUNTS, "Int64"))


def _of_studies(tables: Mapping[str, pd.DataFrame] | None, columns: list[str]) -> pd.DataFrame:
    """Return the rows of all tables with the column `study`."""
    parts = [table.assign(study=study) for study, table in (tables or {}).items()]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def table_runs(runs: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None) -> Tabulated:
    """Count the runs in each environment (rows) of each algorithm (columns), both by title."""
    titled = with_titles(runs, titles, environment_titles)
    numbers = pd.crosstab(titled["environment_title"], titled["title"])
    numbers = numbers.reindex(index=titled["environment_title"].unique(), columns=titled["title"].unique())
    numbers = numbers.rename_axis(index="environment", columns=None)
    return None, numbers.rename(columns={"environment": "environment (algorithm)"}).reset_index()


def agents_table(agents: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None) -> Tabulated:
    """Tabulate all agents with scores and times, as in the full table of the library (section 5.2).

    Times of single decisions are included if the study keeps them.
    """
    agents = agents.copy()
    for column in ("decision_mean", "decision_longest"):
        agents[column] = agents.get(column, np.nan)
    agents.insert(0, "title", agents["algorithm"].map(titles_of(agents["algorithm"], titles)))
    places = titles_of(agents["environment"], environment_titles)
    agents.insert(0, "environment_title", agents["environment"].map(places))
    agents["variant_title"] = agents["variant"].str.replace("_", " ")
    return None, agents


def answer_table(table: pd.DataFrame) -> Tabulated:
    """Return the answer of a question, unchanged."""
    return None, table


def protocol_sentences(
    runs: pd.DataFrame | None = None,
    *,
    protocol: Mapping[str, Any],
    titles: Titles = None,
    environment_titles: Titles = None,
    hyperparameters: Sequence[str] = (),
) -> Tabulated:
    """Return sentences on the protocol for the page: columns item, text, value.

    `methods` defines a score, `selection` describes the effect of selection on scores, `early` counts the runs that
    ended early. If protocols differ, `remark` is a remark for the top of the page and `mark` one for every caption.
    Items that do not apply are empty.
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
        item("early", ended_early(protocol, names)),
        item("mark", REMARK if remark else ""),
    ]
    return None, pd.DataFrame(rows)


def protocol_table(
    runs: pd.DataFrame | None = None,
    *,
    protocol: Mapping[str, Any],
    titles: Titles = None,
    environment_titles: Titles = None,
    hyperparameters: Sequence[str] = (),
) -> Tabulated:
    """Return the protocol card: columns what, algorithms, value, origin.

    Algorithms are listed by title, and share a row if they have the same value.

    Fields that only logs have are left out without logs. Fields that are unstated for all algorithms share a row.
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
    return None, pd.DataFrame(rows, columns=["what", "algorithms", "value", "origin"])


def account_table(runs: pd.DataFrame) -> Tabulated:
    """Tabulate the files that runs were read from by outcome.

    Columns outcome, meaning, reason, kind, files, rows and which (the first files); without rows for runs that were
    not read from logs.
    """
    columns = ["outcome", "meaning", "reason", "kind", "files", "rows", "which"]
    summary = runs.attrs.get(ACCOUNT_SUMMARY, {})
    rows = pd.DataFrame(summary.get("rows", []), columns=columns)
    return None, rows.astype({"files": "Int64", "rows": "Int64"})


def counts(runs: pd.DataFrame, environment_titles: Titles, hyperparameters: Sequence[str]) -> Counts:
    """Count the runs of a study."""
    environments = list(titles_of(runs["environment"], environment_titles).values())
    return counts_of(runs, environments, hyperparameters)


def _algorithm_titles(runs: pd.DataFrame | None, protocol: Mapping[str, Any], titles: Titles) -> dict[str, str]:
    """Return the titles of the algorithms of the runs, or else of those that the protocol names."""
    named = cards(protocol)
    algorithms = named if runs is None else runs["algorithm"]
    return titles_of(map(str, algorithms), titles)


def compare(task: Task) -> None:
    """Write the comparison made by the function in the settings: item, published, ours, standard_error, verdict, ..."""
    write_table(compared(task.settings, task.inputs), task.outputs["comparison"])


def compared(settings: Mapping[str, Any], paths: Mapping[str, Path]) -> pd.DataFrame:
    """Return the comparison that a job makes of the tables at some paths.

    Parameters
    ----------
    settings : function, its keywords, and the names of the tables of its arguments
    paths : path of each table by name
    """
    tables = read_arguments(settings["tables"], paths, read_table)
    table: pd.DataFrame = function_named(settings["function"])(**tables, **settings["keywords"])
    return table
