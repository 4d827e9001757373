"""Tables of any study: its runs, its protocol, other answers, and its comparison with published numbers.

Also tabulates the verdicts of all papers.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.build.runner import Task
from surefoot.charts.names import titles_of, with_titles
from surefoot.charts.sentences import item
from surefoot.protocol import (
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
from surefoot.registry import function_named
from surefoot.result_tables import ACCOUNT_SUMMARY, Tables, read_tables, write_table
from surefoot.statistics.reproduction.verdicts import VERDICTS, contradictions, verdict_counts

LARGE, RECORDED, SMALL = "large run", "published scores", "this run"
"""Source of judged numbers: a record of simulations, a record computed from published scores, or this run."""
_COUNTS = ("published", *VERDICTS, "not_judged")


def table_verdicts(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Tabulate the verdicts on the published numbers of each study.

    Each study has a row for its large run, if any, and one for this run; without published numbers, a single row
    without counts.

    Columns study, title, label, claim (or question, if the study reproduces no paper), run, contradictions (in words),
    published (total number), one per verdict, not_judged. `settings["studies"]` holds study, title, label and claim of
    each, in the order of the configuration; `settings["recorded_studies"]` names studies whose scores this run does not
    have, and whose numbers come from a record computed from published scores.
    """
    columns = ["study", "item", "verdict", "reason"]
    empty = pd.DataFrame(columns=columns)
    small = tables.get("all_runs", empty)[columns].assign(run=SMALL)
    small["run"] = small["run"].mask(small["study"].isin(settings["recorded_studies"]), RECORDED)
    compared = pd.concat([tables.get("all_records", empty)[columns].assign(run=LARGE), small], ignore_index=True)
    rows = []
    published = tables.get("all_published", pd.DataFrame(columns=["study", "item"]))
    for entry in settings["studies"]:
        of_study = compared[compared["study"] == entry["study"]]
        total = len(set(published.loc[published["study"] == entry["study"], "item"]) | set(of_study["item"]))
        runs = [run for run in (LARGE, RECORDED, SMALL) if (of_study["run"] == run).any()]
        for run in runs or [""]:
            judged = of_study[of_study["run"] == run]
            counts = verdict_counts(judged["verdict"]) | {"published": total, "not_judged": total - len(judged)}
            row = {**entry, "run": run, "contradictions": contradictions(judged)}
            rows.append(row | (counts if total else dict.fromkeys(_COUNTS)))
    table = pd.DataFrame(rows, columns=["study", "title", "label", "claim", "run", "contradictions", *_COUNTS])
    return None, table.astype(dict.fromkeys(_COUNTS, "Int64"))


def table_runs(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Count the runs in each environment (rows) of each algorithm (columns), both by title."""
    runs = with_titles(tables["collect/runs"], settings)
    numbers = pd.crosstab(runs["environment_title"], runs["title"])
    numbers = numbers.reindex(index=runs["environment_title"].unique(), columns=runs["title"].unique())
    numbers = numbers.rename_axis(index="environment", columns=None)
    return None, numbers.rename(columns={"environment": "environment (algorithm)"}).reset_index()


def agents_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Tabulate all agents with scores and times, as in the full table of the library (section 5.2).

    Times of single decisions are included if the study keeps them. A study without agents gives no rows.
    """
    if "aggregate/agents" not in tables:
        return None, pd.DataFrame({"title": pd.Series(dtype=object)})
    agents = tables["aggregate/agents"].copy()
    for column in ("decision_mean", "decision_longest"):
        agents[column] = agents.get(column, np.nan)
    for kind, column in (("algorithm", "title"), ("environment", "environment_title")):
        agents.insert(0, column, agents[kind].map(titles_of(agents[kind], settings, kind)))
    agents["variant_title"] = agents["variant"].str.replace("_", " ")
    return None, agents


def answer_table(tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Return the answer that `settings["answer"]` names, unchanged."""
    return None, tables[settings["answer"]]


def protocol_sentences(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Return sentences on the protocol for the page: columns item, text, value.

    `methods` defines a score, `selection` describes the effect of selection on scores, `early` counts the runs that
    ended early. If protocols differ, `remark` is a remark for the top of the page and `mark` one for every caption.
    Items that do not apply are empty.
    """
    protocol = settings["protocol"]
    names = _algorithm_titles(tables, settings)
    remark = unlike_remark(protocol, names)
    rows = [
        item("methods", methods_sentence(protocol, names, counts(tables, settings))),
        item("selection", selection_sentence(protocol)),
        item("remark", remark),
        item("early", ended_early(protocol, names)),
        item("mark", REMARK if remark else ""),
    ]
    return None, pd.DataFrame(rows)


def protocol_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Return the protocol card: columns what, algorithms, value, origin.

    Algorithms are listed by title, and share a row if they have the same value.

    Fields that only logs have are left out without logs. Fields that are unstated for all algorithms share a row.
    """
    names = _algorithm_titles(tables, settings)
    cards_by_name = {name: card for name, card in cards(settings["protocol"], names).items() if name in names}
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
    run_counts = counts(tables, settings)
    if run_counts is not None:
        runs = (
            f"{run_counts.fewest:,}"
            if run_counts.fewest == run_counts.most
            else f"{run_counts.fewest:,} to {run_counts.most:,}"
        )
        rows.append(("Runs (seeds) in each environment", "all", runs, "counted in the scores"))
    if unstated:
        rows.append(("Not stated", "all", "; ".join(unstated), ""))
    return None, pd.DataFrame(rows, columns=["what", "algorithms", "value", "origin"])


def account_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Tabulate the files that runs were read from by outcome.

    Columns outcome, meaning, reason, kind, files, rows and which (the first files); without rows for runs that were
    not read from logs.
    """
    columns = ["outcome", "meaning", "reason", "kind", "files", "rows", "which"]
    summary = tables["collect/runs"].attrs.get(ACCOUNT_SUMMARY, {})
    rows = pd.DataFrame(summary.get("rows", []), columns=columns)
    return None, rows.astype({"files": "Int64", "rows": "Int64"})


def counts(tables: Tables, settings: Mapping[str, Any]) -> Counts | None:
    """Count the runs of a study, or return None if it has no table of runs."""
    if "collect/runs" not in tables:
        return None
    runs = tables["collect/runs"]
    environments = list(titles_of(runs["environment"], settings, "environment").values())
    return counts_of(runs, environments, settings["sources"].get("runs", {}).get("hyperparameters") or ())


def _algorithm_titles(tables: Tables, settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the titles of the algorithms of the runs, or else of those that the protocol names."""
    named = cards(settings["protocol"])
    algorithms = tables["collect/runs"]["algorithm"] if "collect/runs" in tables else named
    return titles_of(map(str, algorithms), settings, "algorithm")


def compare(task: Task) -> None:
    """Write the comparison made by the function in the settings: item, published, ours, standard_error, verdict, ..."""
    function = function_named(task.settings["function"])
    write_table(function(read_tables(task.inputs), task.settings), task.outputs["comparison"])
