"""What the page of a study says, of several questions."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.aggregates import aggregates_caption, aggregates_finding, task_means_caption, task_means_finding
from surefoot.charts.differences import (
    pairwise_differences_finding,
    pairwise_differences_title,
)
from surefoot.charts.drawing import OTHER_RUNS, OTHERWISE
from surefoot.charts.multiple_comparisons import multiple_comparisons_finding
from surefoot.charts.names import METHODS, titles_of
from surefoot.charts.profiles import profiles_finding
from surefoot.charts.selection import numbers_of_analysis, score_intervals
from surefoot.charts.sentences import QUESTION, failure_item, item, percent, remarks_of, run_items, score_items
from surefoot.errors import listed
from surefoot.result_tables import LEFT_OUT, REMARKS, Tables
from surefoot.sources.checks import single_runs

_RUN = ["algorithm", "environment", "run"]
_LISTED = 5
_BECAME = {
    "carry_forward": ("keeps its last score to the end", "keep their last scores to the end"),
    "truncate_to_shortest": ("all are scored where it ended", "all are scored where the shortest ended"),
}
"""What became of one run that ended early, and of several, where none is left out."""


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    rows = [
        item("question", settings["question"] or QUESTION),
        item("confidence", percent(settings["confidence"]), settings["confidence"]),
    ]
    rows += [item("direction", text) for text in [" ".join(settings.get("directions", ()))] if text]
    rows += [item("scale_note", text) for text in [_scale_note(settings.get("scales", {}))] if text]
    if "collect/runs" in tables:
        rows += run_items(tables["collect/runs"])
        attrs = tables["collect/runs"].attrs
        rows += [item(key, " ".join(attrs[key])) for key in (LEFT_OUT, REMARKS) if attrs.get(key)]
    if {"collect/runs", "aggregate/game_scores"} <= tables.keys():
        rows += score_items(score_intervals(tables), settings)
    rows += [item("single_runs", text) for text in [_single_runs(tables, settings)] if text]
    if "estimate/task_means" in tables and (text := task_means_caption(tables["estimate/task_means"])):
        rows.append(item("table_caption", text))
    rows += _metric_items(tables, settings)
    rows += [item("short_runs", text) for text in [_short_runs(tables, settings)] if text]
    if "collect/plays" in tables:
        rows.append(failure_item(tables["collect/plays"]))
    return None, pd.DataFrame(rows)


def _scale_note(scales: Mapping[str, str]) -> str:
    """What the scales are, each by its name where there are several."""
    if len(set(scales.values())) == 1:
        return next(iter(scales.values()))
    return " ".join(f"{name}: {text}" for name, text in scales.items())


def _single_runs(tables: Tables, settings: Mapping[str, Any]) -> str:
    """Which algorithm has the highest means, and what single runs cannot say, where a study asks for means alone."""
    if "collect/runs" not in tables or "estimate/task_means" not in tables:
        return ""
    if any(name.startswith("numbers/") for name in tables):
        return ""
    said = single_runs(tables["collect/runs"].replace({"algorithm": settings["algorithm_titles"]}))
    return f"{task_means_finding(tables['estimate/task_means'], settings)} {said}" if said else ""


def _short_runs(tables: Tables, settings: Mapping[str, Any]) -> str:
    """Which runs ended early, what became of them, and whether another policy for them changes the verdict; "" where
    there are none, or the study does not ask."""
    needed = ("numbers/multiple_comparisons", f"numbers/{OTHERWISE}", "collect/runs", f"collect/{OTHER_RUNS}")
    if not tables.keys() >= {*needed}:
        return ""
    *numbers, own_runs, other_runs = (tables[name] for name in needed)
    dropped = settings["sources"]["runs"].get("short_runs") == "drop"
    whole, left = (other_runs, own_runs) if dropped else (own_runs, other_runs)
    both = whole.merge(left[_RUN].drop_duplicates(), on=_RUN, how="left", indicator=True)
    short = both[both["_merge"] == "left_only"]
    if short.empty:
        return ""
    algorithms, environments = (titles_of(short[column], settings, column) for column in ("algorithm", "environment"))
    names = [
        f"{algorithms[row.algorithm]} in {environments[row.environment]}, run {row.run}" for row in short.itertuples()
    ]
    became = ("is left out", "are left out") if dropped else _BECAME[settings["sources"]["runs"]["short_runs"]]
    several = len(short) > 1
    text = f"{len(short):,} of {len(whole):,} runs ended early ({listed(names, _LISTED, '; ')}) and {became[several]}."
    it = ("its last score", "their last scores") if dropped else ("it left out", "them left out")
    otherwise = f"With {it[several]}{' carried to the end' if dropped else ''}"
    own, other = (set(table.loc[table["tied_with_best"].astype(bool), "algorithm"]) for table in numbers)
    if own == other:
        return f"{text} {otherwise}, the verdict is the same."
    return f"{text} {otherwise}, the verdict is another: {multiple_comparisons_finding(numbers[1], settings)}"


def _metric_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `metrics_best`, `metrics_caption`, `metrics_method` (the intervals that are drawn), `differences_title`,
    `differences_caption` and `dominance` of a page, of the questions that are asked; `metrics_best` says what the
    differences settle, where these are asked for."""
    rows = []
    found = numbers_of_analysis(tables, "aggregates")
    if found is not None:
        rows.append(item("metrics_caption", aggregates_caption(found)))
        rows.append(item("metrics_method", METHODS.get(found["method"].iloc[0], "")))
    compared = numbers_of_analysis(tables, "multiple_comparisons")
    if compared is not None:
        rows.append(item("metrics_best", multiple_comparisons_finding(compared, settings)))
    apart = numbers_of_analysis(tables, "pairwise_differences")
    if apart is not None:
        if compared is None:
            rows.append(item("metrics_best", pairwise_differences_finding(apart, settings)))
        rows.append(item("differences_title", pairwise_differences_title(apart, settings)))
        rows.append(item("differences_caption", remarks_of(apart)))
    elif compared is None and found is not None:
        rows.append(item("metrics_best", aggregates_finding(found, settings)))
    found = numbers_of_analysis(tables, "profiles")
    if found is not None:
        rows.append(item("dominance", profiles_finding(found, settings)))
    return rows
