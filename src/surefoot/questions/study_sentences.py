"""Sentences of a study's page that draw on several questions."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.aggregates import aggregates_caption, aggregates_finding, task_means_caption, task_means_finding
from surefoot.charts.differences import pairwise_differences_finding
from surefoot.charts.drawing import OTHER_RUNS, OTHERWISE
from surefoot.charts.multiple_comparisons import multiple_comparisons_finding
from surefoot.charts.names import METHODS, titles_of
from surefoot.charts.profiles import profiles_finding
from surefoot.charts.selection import numbers_of_analysis, score_intervals
from surefoot.charts.sentences import QUESTION, failure_item, item, percent, remarks_of, run_items, score_items
from surefoot.columns.run_tables import UNFINISHED, unfinished_runs
from surefoot.errors import listed
from surefoot.protocol import SHORT_RUNS
from surefoot.result_tables import ACCOUNT_SUMMARY, LEFT_OUT, REMARKS, Tables
from surefoot.sources.checks import single_runs


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Return sentences and counts for the page, with columns item, text, value."""
    rows = [item("confidence", percent(settings["confidence"]), settings["confidence"])]
    scales = settings.get("scales", {})
    alike = len(set(scales.values())) == 1
    scale_notes = dict.fromkeys(text if alike else f"{name}: {text}" for name, text in scales.items())
    texts = {
        "question": settings["question"] or QUESTION,
        "direction": " ".join(settings.get("directions", ())),
        "scale_note": " ".join(scale_notes),
        "single_runs": _single_runs(tables, settings),
        "short_runs": _short_runs(tables, settings),
    }
    if "collect/runs" in tables:
        rows += run_items(tables["collect/runs"])
        texts |= {key: " ".join(tables["collect/runs"].attrs.get(key, ())) for key in (LEFT_OUT, REMARKS)}
        texts["account"] = tables["collect/runs"].attrs.get(ACCOUNT_SUMMARY, {}).get("sentence", "")
    if {"collect/runs", "aggregate/game_scores"} <= tables.keys():
        rows += score_items(score_intervals(tables), settings)
    if "estimate/task_means" in tables:
        texts["table_caption"] = task_means_caption(tables["estimate/task_means"])
    if "collect/plays" in tables:
        rows.append(failure_item(tables["collect/plays"]))
    texts |= _metric_texts(tables, settings)
    return None, pd.DataFrame([*rows, *(item(name, text) for name, text in texts.items() if text)])


def _single_runs(tables: Tables, settings: Mapping[str, Any]) -> str:
    """Return the algorithm with the highest means and the limits of single runs, if a study asks only for means."""
    if "collect/runs" not in tables or "estimate/task_means" not in tables:
        return ""
    if any(name.startswith("numbers/") for name in tables):
        return ""
    runs = tables["collect/runs"].replace({"algorithm": settings["algorithm_titles"]})
    said = single_runs(runs)
    is_said = said or runs["algorithm"].nunique() == 1
    return f"{task_means_finding(tables['estimate/task_means'], settings)} {said}".rstrip() if is_said else ""


_OTHER_POLICY = {"drop": "With these left out", "worst_score": "With the worst score of the environment in their place"}
"""How the second source of a report treats runs that ended early or left no score."""


def _short_runs(tables: Tables, settings: Mapping[str, Any]) -> str:
    """Return a sentence on runs that ended early or left no score, and on their treatment; "" if there are none.

    If the study asks, it says if the verdict changes with the worst score in their place, or without it.
    """
    own_runs = tables.get("collect/runs")
    unfinished = [] if own_runs is None else own_runs.attrs.get(UNFINISHED, [])
    if own_runs is None or not unfinished:
        return ""
    other_runs = tables.get(f"collect/{OTHER_RUNS}", own_runs)
    algorithms, environments = (
        titles_of(dict.fromkeys(column), settings, kind)
        for column, kind in zip(list(zip(*unfinished, strict=True))[:2], ("algorithm", "environment"), strict=True)
    )
    policy = _policy(settings["sources"].get("runs", {}))
    total = max(len(own_runs), len(other_runs))
    became = SHORT_RUNS.get(policy, "")
    texts = []
    for happened, runs in unfinished_runs(own_runs.attrs).items():
        names = [f"{algorithms[one]} in {environments[where]}, run {run}" for one, where, run in runs]
        texts.append(f"{len(names):,} of {total:,} runs {happened} ({listed(names, separator='; ')})")
    text = f"{'; '.join([*texts, became])}."
    own, other = (tables.get(f"numbers/{name}") for name in ("multiple_comparisons", OTHERWISE))
    if own is None or other is None:
        return text
    otherwise = _OTHER_POLICY[_policy(settings["sources"][OTHER_RUNS])]
    if _verdicts(own) == _verdicts(other):
        return f"{text} {otherwise}, the verdict is the same."
    return f"{text} {otherwise}, the verdict is another: {multiple_comparisons_finding(other, settings, alone=True)}"


def _policy(source: Mapping[str, Any]) -> str:
    """Return how a source treats runs that ended early or left no score."""
    return str(source.get("short_runs", source.get("failed_runs", "error")))


def _verdicts(compared: pd.DataFrame) -> dict[str, Any]:
    column = "tied_with_best" if "tied_with_best" in compared else "verdict"
    return dict(zip(compared["algorithm"], compared[column], strict=True))


def _metric_texts(tables: Tables, settings: Mapping[str, Any]) -> dict[str, str]:
    """Return texts of a page for the questions that are asked.

    They are `metrics_best`, `metrics_caption`, `metrics_method` (the intervals that are drawn), `differences_caption`
    and `dominance`; `metrics_best` summarizes the comparisons, or else the differences, if these are asked for.
    """
    kinds = ("aggregates", "pairwise_differences", "multiple_comparisons", "profiles")
    aggregates, apart, compared, profiles = (numbers_of_analysis(tables, kind) for kind in kinds)
    texts = {}
    if aggregates is not None:
        texts["metrics_best"] = aggregates_finding(aggregates, settings)
        texts["metrics_caption"] = aggregates_caption(aggregates, tables.get("collect/runs"))
        texts["metrics_method"] = METHODS.get(aggregates["method"].iloc[0], "")
    if apart is not None:
        texts["metrics_best"] = pairwise_differences_finding(apart, settings)
        texts["differences_caption"] = remarks_of(apart)
    if compared is not None:
        texts["metrics_best"] = multiple_comparisons_finding(compared, settings)
    if profiles is not None:
        texts["dominance"] = profiles_finding(profiles, settings)
    return texts
