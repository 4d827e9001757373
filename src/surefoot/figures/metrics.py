"""Sentences on the metrics of named sets of scores."""

from collections.abc import Mapping

import pandas as pd

from surefoot.figures.names import METRIC_NAMES, shown
from surefoot.figures.score_profiles import dominance
from surefoot.figures.selection import numbers_of_analysis
from surefoot.figures.sentences import item, joined
from surefoot.rounding import written
from surefoot.statistics.metrics import metric as known_metric

Tables = Mapping[str, pd.DataFrame]


def metric_items(tables: Tables, settings: Mapping) -> list[dict]:
    """Rows `metrics_best`, `metrics_caption` and `dominance` of a page, of the questions that are asked."""
    rows = []
    found = numbers_of_analysis(tables, "aggregates")
    if found is not None:
        rows += [item("metrics_best", best_sentence(settings, found)), item("metrics_caption", _caption(found))]
    found = numbers_of_analysis(tables, "profiles")
    if found is not None:
        rows.append(item("dominance", dominance_sentence(settings, found)))
    return rows


def _caption(found: pd.DataFrame) -> str:
    low, high = found["runs"].min(), found["runs"].max()
    runs = f"{low}" if low == high else f"{low} to {high}"
    tasks, replicates = found["tasks"].iloc[0], found["replicates"].iloc[0]
    text = f"{runs} runs of each of {tasks} tasks at least, {replicates:,} resamples."
    shown_first = found[found["method"] == _preferred(found["method"], "percentile")]
    # Tables that were recorded before there were remarks have none.
    for remark in shown_first.get("remark", pd.Series(dtype=str)).dropna().unique():
        text += f" {remark[:1].upper()}{remark[1:]}." if remark else ""
    return text


def best_sentence(settings: Mapping, table: pd.DataFrame) -> str:
    """Which algorithm is best, which is next, and whether their intervals overlap."""
    metric, method = (_preferred(table[key], name) for key, name in (("metric", "iqm"), ("method", "percentile")))
    smaller_is_better = known_metric(metric).entry.lower_is_better
    own = table[(table["metric"] == metric) & (table["method"] == method)]
    own = own.sort_values("value", ascending=smaller_is_better, kind="stable")
    names = shown(own["algorithm"], settings)
    # Joined and not filled in by a format: an algorithm may be called ppo{lr=1}.
    parts = [
        (names[row.algorithm], f"{written(row.value, '.3f')} ({written(row.low, '.3f')} to {written(row.high, '.3f')})")
        for row in own.iloc[:2].itertuples()
    ]
    title = METRIC_NAMES.get(metric, metric)
    by = f"By {title if title.isupper() else title.lower()} "
    if len(parts) == 1:
        return f"{by}{' has '.join(parts[0])}."
    first, second = own.iloc[0], own.iloc[1]
    apart = second["high"] < first["low"] or first["high"] < second["low"]
    return (
        f"{by}{' leads with '.join(parts[0])}, before {' with '.join(parts[1])}; the intervals "
        f"{'do not overlap' if apart else 'overlap'}."
    )


def dominance_sentence(settings: Mapping, table: pd.DataFrame) -> str:
    """Which profiles are at least as high as others everywhere."""
    names = shown(table["algorithm"], settings)
    above: dict[str, list[str]] = {}
    for x, y in dominance(table):
        above.setdefault(names[x], []).append(names[y])
    if not above:
        return "No profile is at least as high as another one everywhere: none dominates."
    parts = [f"{name} that of {joined(below)}" for name, below in sorted(above.items(), key=lambda pair: -len(pair[1]))]
    return f"Stochastic dominance, at least as high everywhere on the grid: {'; '.join(parts)}."


def _preferred(column: pd.Series, name: str) -> str:
    """The name if the column has it, else the first that it has."""
    return name if (column == name).any() else column.iloc[0]
