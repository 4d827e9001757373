"""Published numbers of the post beside ours, and the sentences of the page."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.entries import RUN
from surefoot.charts.not_judged import not_judged, not_judged_item
from surefoot.charts.origin import origin_item
from surefoot.charts.published_labels import with_labels
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import item, joined, verdict_items
from surefoot.papers.recht2018.comparison import CURVES, PAIRS, comparison, count_crossings, points_higher
from surefoot.papers.recht2018.labels import LABELS, NAMES
from surefoot.result_tables import Tables


def reproduction(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Every published number of the post beside ours, as `surefoot.statistics.reproduction.comparison` has it, with the
    columns of `published_labels.with_labels`."""
    return None, with_labels(tables[RUN], LABELS, settings, NAMES)


def table_not_judged(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The published numbers that have no counterpart here, and why: columns item, label, claim, published,
    reason."""
    reason = "neither this run nor the record has the scores"
    missing = not_judged(tables["published"], tables[RUN], lambda item: reason)
    return None, with_labels(missing, LABELS, settings, NAMES)


def verdict(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    compared = tables[RUN]
    rows = [item("paper_claim", settings["claim"]), origin_item(tables, settings), *verdict_items(compared)]
    settled = len(compared) and (compared["verdict"] == "reproduced").all()
    rows.append(item("claim_verdict", "reproduced, with the notebook's formula" if settled else "not settled"))
    _, missing = table_not_judged(tables, settings)
    rows += [not_judged_item(missing, tables["published"]), _formula_item(tables)]
    rows += [_curves_item(tables), _differences_item(tables), _runs_item(tables), *_title_items(tables, settings)]
    return None, pd.DataFrame(rows)


def _formula_item(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Row `formula`: which published numbers can tell the formula of the notebook from the right one, and which would
    come out by either."""
    right = comparison(tables, "welch")
    if right.empty:
        return item("formula", "Neither this run nor a record has the scores.", 0)
    told = int((right["verdict"] == "differs").sum())
    return item(
        "formula",
        f"With Welch's degrees of freedom, {told} would differ; either formula reproduces the others.",
        told,
    )


def _curves_item(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Row `curves/figure_r1`: which curve is higher where, by either formula."""
    key = "figure_r1"
    first, second = PAIRS[key]
    counts = [points_higher(tables, key, formula) for formula in _FORMULAS]
    if None in counts:
        return item(f"curves/{key}", "Neither this run nor a record has the scores.")
    published, welch = (count for count in counts if count is not None)
    return item(
        f"curves/{key}",
        f"Of the 100 points, {first} is higher at {published[0]} and {second} at {published[1]}; with Welch's degrees "
        f"of freedom, at {welch[0]} and {welch[1]}.",
    )


def _title_items(tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `title/<figure>`: what each figure shows; empty where its numbers are missing."""
    rows = [item(f"title/{key}", _crossings(tables, key)) for key in CURVES]
    rows.append(item("title/figure_all_four", _best_at_the_left_end(numbers_of_analysis(tables, "figure_all_four"))))
    return [*rows, item("title/figure_runs", _best_by_runs(numbers_of_analysis(tables, "figure_runs"), settings))]


def _crossings(tables: Mapping[str, pd.DataFrame], key: str) -> str:
    """How often the two curves of a figure cross, by either formula."""
    if numbers_of_analysis(tables, key) is None:
        return ""
    published, welch = (count_crossings(tables, key, formula) for formula in _FORMULAS)
    if published == welch == 0:
        first, second, _ = points_higher(tables, key, "notebook") or (0, 0, 0)
        above, below = CURVES[key] if first >= second else CURVES[key][::-1]
        return f"{above} is nowhere below {below}, by either formula"
    told = [f"{_times(number)} {how}" for number, how in ((published, "as published"), (welch, _BY_WELCH))]
    return f"The curves cross {joined(told)}"


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _best_at_the_left_end(table: pd.DataFrame | None) -> str:
    """On how many games each method has the highest mean, where that is most."""
    if table is None:
        return ""
    ends = table[table["degrees_of_freedom"] == "welch"].sort_values("threshold").drop_duplicates("method")
    best = ends.loc[ends["count"].idxmax()]
    return f"Of the four, {best['method']} has the highest mean most often, on {int(best['count'])} games"


def _best_by_runs(table: pd.DataFrame | None, settings: Mapping[str, Any]) -> str:
    """Which two agents have the highest mean most often."""
    if table is None:
        return ""
    best = _counts_at(table, "best").iloc[:2]
    names = best["method"].map(lambda name: settings["algorithm_titles"].get(name, name))
    told = joined([f"{name} on {count}" for name, count in zip(names, best["count"], strict=True)])
    return f"Highest mean, of {int(best['problems'].iloc[0])} games: {told}"


def _counts_at(table: pd.DataFrame, place: str) -> pd.DataFrame:
    """Each method's row at a threshold of _AT, the highest count first."""
    rows = table[table["threshold"].sub(_AT[place]).abs() < 0.011].drop_duplicates("method")
    return rows.sort_values("count", ascending=False, kind="stable")


def _differences_item(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Row `differences`: what the right formula changes."""
    table = numbers_of_analysis(tables, "differences")
    if table is None:
        return item("differences", "Neither this run nor a record has the scores.")
    table = table.set_index(["level", "degrees_of_freedom", "method"])["count"].sort_index()
    parts = []
    for level in (0.001, 0.05):
        published, welch = table[level, "notebook", ""], table[level, "welch", ""]
        parts.append(f"{welch} at p < {level:g} (published: {published})")
    return item("differences", f"Welch's formula also finds differences on many more of the 60 games: {joined(parts)}.")


def _runs_item(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Row `runs`: which agent a test at 5 % cannot tell from the best most often."""
    table = numbers_of_analysis(tables, "figure_runs")
    if table is None:
        return item("runs", "Neither this run nor a record has the scores.")
    close = _counts_at(table, "close").iloc[0]
    return item(
        "runs",
        f"At the 5 % level, {close['method']} is most often the best or not significantly worse, on {close['count']} "
        "games.",
    )


_AT = {"best": 0.02, "close": 1.3}
"""Thresholds at which counts are told."""
_FORMULAS = ("notebook", "welch")
_BY_WELCH = "with Welch's degrees of freedom"
