"""Table 2: failure rates and significance rates of three methods of intervals by number of trials."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts.coverage_rows import coverage_rows
from surefoot.charts.headline import headline
from surefoot.charts.selection import METHOD_TITLES, published_values
from surefoot.charts.sentences import capitalised, counted, item, joined
from surefoot.papers.jordan2020.comparison import MORE_REPLICATES, coverage_items, with_resamples
from surefoot.papers.jordan2020.spreads import yardsticks
from surefoot.questions.coverage.show import chart as coverage_chart
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.reproduction.comparison import compare
from surefoot.statistics.reproduction.items import item_text

_RATES = ("failure_rate", "significance")


def figure_coverage(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Failures, pairs told apart and widths of all methods: of the record where it has more data sets than this run."""
    chart, numbers = coverage_chart(tables, dict(settings) | {"source": "record" if of_record(tables) else "run"})
    if numbers.empty:
        return chart, numbers
    finding = coverage_finding(numbers, 1 - settings["confidence"])
    description = f"{finding}. Failures, pairs separated and width of each method's intervals by number of trials."
    return headline(chart, finding).properties(description=description), numbers


def of_record(tables: Tables) -> bool:
    """Whether the record's studies of coverage have more data sets than this run's."""
    record, own = (coverage_rows(tables, record=recorded) for recorded in (True, False))
    return len(record) > 0 and (own.empty or record["datasets"].min() > own["datasets"].min())


def coverage_finding(rows: pd.DataFrame, allowed: float) -> str:
    """Which methods miss the truth more often than they may, by more than two Monte Carlo standard errors."""
    size = rows["size"].min()
    few = rows[rows["size"] == size].dropna(subset=["failure_rate_truth"])
    far = few[few["failure_rate_truth"] - 2 * few["failure_rate_truth_error"] > allowed]
    which = list(dict.fromkeys(far["method"].map(METHOD_TITLES)))
    if not which:
        return f"With {counted(int(size), 'trial')}, no method misses the truth more often than it may"
    held = few["method"].nunique() - len(which)
    others = f"; the other {held} do not" if held > 1 else ""
    verb = "miss" if len(which) > 1 else "misses"
    return capitalised(f"{joined(which)} {verb} the truth too often with {counted(int(size), 'trial')}{others}")


def table_2(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Published rates beside this study's and the record's, all as published (Table 2).

    Columns size, method, title, and for each rate `<rate>_published`, `<rate>`, `<rate>_error`, `<rate>_verdict`, the
    same three with the prefix `record_`, and datasets and record_datasets; empty where a study has no such size.
    """
    published = tables["published"]
    printed = published_values(published, "coverage", ["method", "size", "rate"])
    table = printed.pivot(index=["method", "size"], columns="rate", values="value")
    table = table.rename(columns="{}_published".format).rename_axis(columns=None).reset_index().astype({"size": int})
    for prefix, record in (("", False), ("record_", True)):
        table = table.merge(_side(tables, prefix, record), on=["method", "size"], how="left")
    order = {name: place for place, name in enumerate(METHOD_TITLES)}
    table = table.sort_values(
        ["size", "method"], key=lambda column: column.map(order) if column.name == "method" else column
    )
    table.insert(2, "title", table["method"].map(METHOD_TITLES))
    return None, table.reset_index(drop=True)


def _side(tables: Mapping[str, pd.DataFrame], prefix: str, record: bool) -> pd.DataFrame:
    rows = coverage_rows(tables, "as_published", record)
    columns = ["datasets", *(name + end for name in _RATES for end in ("", "_error"))]
    side = rows[["method", "size", *columns]].astype({"size": int})
    compared = coverage_items(rows) if len(rows) else pd.DataFrame({"item": []})
    published = tables["published"].assign(matters=yardsticks(tables["published"]))
    if compared["item"].isin(published["item"]).any():
        verdicts = compare(published, with_resamples(compared, tables)).set_index("item")["verdict"]
    else:
        verdicts = pd.Series(dtype=object)
    for rate in _RATES:
        items = [item_text("coverage", row.method, row.size, rate) for row in side.itertuples()]
        side[f"{rate}_verdict"] = [verdicts.get(item) for item in items]
    return side.rename(columns=lambda name: name if name in ("method", "size") else prefix + name)


def replicates_items(tables: Tables) -> list[dict[str, Any]]:
    """Row `more_replicates` of the page's sentences: what the bootstrap makes of Table 2 with more replicates.

    None where the record has no such study.
    """
    more, fewer = (_recorded_bootstrap(tables, variant) for variant in (MORE_REPLICATES, "as_published"))
    names = tables["published"]["item"]
    shared = set(more["size"]) & set(fewer["size"])
    shared = {size for size in shared if all(_bootstrap_rate(size, rate) in set(names) for rate in _RATES)}
    more, fewer = (rows[rows["size"].isin(shared)] for rows in (more, fewer))
    if more.empty or fewer.empty:
        return []
    compared, with_fewer = (compare(tables["published"], coverage_items(rows)) for rows in (more, fewer))
    published = compared.set_index("item")["published"]
    told = {}
    for rate in _RATES:
        parts = []
        for row in more.to_dict("records"):
            ours = f"{written(row[rate], '.3f')} ± {written(row[f'{rate}_error'], '.3f')}"
            parts.append(f"{ours} (published {published[_bootstrap_rate(row['size'], rate)]:g})")
        told[rate] = joined(parts)
    near, near_with_fewer = (int((table["verdict"] == "reproduced").sum()) for table in (compared, with_fewer))
    sizes = joined([f"{size:,}" for size in more["size"]])
    text = (
        f"The bootstrap's limits depend on the number of resamples, which the paper does not state. With "
        f"{_replicates(more)} instead of {_replicates(fewer)}, {near} instead of {near_with_fewer} of these "
        f"{len(compared)} published rates are reproduced (data sets of {sizes} trials): failure rates "
        f"{told['failure_rate']}; pairs separated {told['significance']}."
    )
    return [item("more_replicates", text, near)]


def _bootstrap_rate(size: int, rate: str) -> str:
    return item_text("coverage", "bootstrap", size, rate)


def _recorded_bootstrap(tables: Mapping[str, pd.DataFrame], variant: str) -> pd.DataFrame:
    record = tables.get("record_coverage", pd.DataFrame(columns=["variant", "method", "size", "replicates"]))
    rows = record[(record["variant"] == variant) & (record["method"] == "bootstrap")]
    return rows.astype({"size": int}).sort_values("size")


def _replicates(rows: pd.DataFrame) -> str:
    return f"{int(rows['replicates'].min()):,}"
