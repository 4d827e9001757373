"""Table 2: failure rates and significance rates of three methods of intervals by number of trials."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts.coverage import coverage_chart
from surefoot.charts.coverage_rows import coverage_rows
from surefoot.charts.selection import METHOD_TITLES, published_values
from surefoot.result_tables import Tables

_RATES = ("failure_rate", "significance")


def figure_coverage(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Failures, pairs told apart and widths of all methods: of the record where it has more data sets than this run."""
    chart, numbers = coverage_chart(tables, dict(settings) | {"source": "record" if of_record(tables) else "run"})
    return chart, numbers


def of_record(tables: Tables) -> bool:
    """Whether the record's studies of coverage have more data sets than this run's."""
    record, own = (coverage_rows(tables, record=recorded) for recorded in (True, False))
    return len(record) > 0 and (own.empty or record["datasets"].min() > own["datasets"].min())


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
    return side.rename(columns=lambda name: name if name in ("method", "size") else prefix + name)
