"""Published numbers of the post beside ours, and the sentences of the page."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from surefoot.charts.entries import RUN
from surefoot.charts.not_judged import not_judged, not_judged_item
from surefoot.charts.origin import origin_item
from surefoot.charts.published_labels import with_labels
from surefoot.charts.selection import numbers_of_analysis
from surefoot.charts.sentences import counted, item, joined, verdict_items
from surefoot.papers.recht2018.comparison import PAIRS, comparison, count_crossings, points_higher
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
    rows = [item("question", settings["question"]), origin_item(tables, settings), *verdict_items(compared)]
    settled = len(compared) and (compared["verdict"] == "reproduced").all()
    rows.append(item("claim_verdict", "reproduced, with the formula of the notebook" if settled else "not settled"))
    _, missing = table_not_judged(tables, settings)
    rows += [not_judged_item(missing, tables["published"]), _formula_item(tables)]
    rows += [_curves_item(tables, key) for key in PAIRS] + [_differences_item(tables), _runs_item(tables)]
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
        f"With Welch's degrees of freedom {told} of these {len(right)} would differ: only these can tell which formula "
        f"the post used; the other {len(right) - told} come out by either.",
        told,
    )


def _curves_item(tables: Mapping[str, pd.DataFrame], key: str) -> dict[str, Any]:
    """Row `curves/<figure>`: which curve is higher where, by either formula."""
    names = PAIRS[key]
    parts = []
    for formula, whose in (("notebook", "as published"), ("welch", "with Welch's degrees of freedom")):
        higher = points_higher(tables, key, formula)
        if higher is None:
            return item(f"curves/{key}", "Neither this run nor a record has the scores.")
        first, second, _ = higher
        crossings = counted(count_crossings(tables, key, formula), "crossing")
        parts.append(
            f"{whose}, {names[0]} is higher at {first} of the 100 points and {names[1]} at {second}, with {crossings}"
        )
    return item(f"curves/{key}", _sentence(parts))


def _sentence(parts: Sequence[str]) -> str:
    text = "; ".join(parts) + "."
    return text[0].upper() + text[1:]


def _differences_item(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Row `differences`: what the right formula changes."""
    table = numbers_of_analysis(tables, "differences")
    if table is None:
        return item("differences", "Neither this run nor a record has the scores.")
    table = table.set_index(["level", "degrees_of_freedom", "method"])["count"].sort_index()
    parts = []
    for level in (0.001, 0.05):
        published, welch = table[level, "notebook", ""], table[level, "welch", ""]
        parts.append(f"p < {level:g} on {welch} of 60 games in place of {published}")
    names = [name for name in table.loc[0.05, "welch"].index if name]
    better = joined([f"{name} the better one on {table[0.05, 'welch', name]}" for name in names])
    return item("differences", f"With Welch's degrees of freedom {joined(parts)} ({better}).")


def _runs_item(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Row `runs`: which agent is best most often, and how often it cannot be told from the best at 5 %."""
    table = numbers_of_analysis(tables, "figure_runs")
    if table is None:
        return item("runs", "Neither this run nor a record has the scores.")
    at = {name: table[table["threshold"].sub(place).abs() < 0.011].drop_duplicates("method") for name, place in _AT}
    best = at["best"].sort_values("count", ascending=False, kind="stable").iloc[:2]
    told = joined([f"{row.method} on {row.count_}" for row in best.rename(columns={"count": "count_"}).itertuples()])
    close = at["close"].sort_values("count", ascending=False, kind="stable").iloc[0]
    return item(
        "runs",
        f"By runs, {told} of the {best['problems'].iloc[0]} games have the highest mean; at the 5 % level of the rank "
        f"test {close['method']} is not told from the best on {close['count']}.",
    )


_AT = (("best", 0.02), ("close", 1.3))
