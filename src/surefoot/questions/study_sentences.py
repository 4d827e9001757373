"""What the page of a study says, of several questions."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.names import METHODS
from surefoot.charts.selection import (
    numbers_of_analysis,
    score_intervals,
)
from surefoot.charts.sentences import (
    QUESTION,
    caption_items,
    failure_item,
    item,
    percent,
    run_items,
    score_headline,
    score_items,
)
from surefoot.questions.aggregates import show as aggregates
from surefoot.questions.pairwise_differences import show as pairwise_differences
from surefoot.questions.profiles import show as profiles
from surefoot.result_tables import Tables


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    rows = [
        item("question", settings["question"] or QUESTION),
        item("confidence", percent(settings["confidence"]), settings["confidence"]),
    ]
    rows += [item("direction", text) for text in [" ".join(settings.get("directions", ()))] if text]
    rows += [item("scale_note", text) for text in [_scale_note(settings.get("scales", {}))] if text]
    if "collect/runs" in tables:
        rows += run_items(tables["collect/runs"], "run")
    if {"collect/runs", "aggregate/game_scores"} <= tables.keys():
        intervals = score_intervals(tables)
        rows += score_items(intervals, settings) + caption_items(tables, intervals, settings, "run")
        rows.append(item("headline", score_headline(intervals, settings)))
    rows += _metric_items(tables, settings)
    if "collect/plays" in tables:
        rows.append(failure_item(tables["collect/plays"]))
    return None, pd.DataFrame(rows)


def _scale_note(scales: Mapping[str, str]) -> str:
    """What the scales are, each by its name where there are several."""
    if len(set(scales.values())) == 1:
        return next(iter(scales.values()))
    return " ".join(f"{name}: {text}" for name, text in scales.items())


def _metric_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `metrics_best`, `metrics_caption`, `metrics_method` (the intervals that are drawn), `differences_title`,
    `differences_caption` and `dominance` of a page, of the questions that are asked; `metrics_best` says what the
    differences settle, where these are asked for."""
    rows = []
    found = numbers_of_analysis(tables, "aggregates")
    if found is not None:
        rows.append(item("metrics_caption", aggregates.caption(found)))
        rows.append(item("metrics_method", METHODS.get(found["method"].iloc[0], "")))
    apart = numbers_of_analysis(tables, "pairwise_differences")
    if apart is not None:
        level = percent(settings["confidence"])
        rows.append(item("metrics_best", pairwise_differences.finding(apart, settings)))
        rows.append(item("differences_title", pairwise_differences.title(apart, settings)))
        rows.append(item("differences_caption", pairwise_differences.caption(apart, level)))
    elif found is not None:
        rows.append(item("metrics_best", aggregates.finding(found, settings)))
    found = numbers_of_analysis(tables, "profiles")
    if found is not None:
        rows.append(item("dominance", profiles.finding(found, settings)))
    return rows
