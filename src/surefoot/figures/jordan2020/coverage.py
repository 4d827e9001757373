"""Table 2: failure rates and significance rates of three methods of intervals by number of trials."""

from collections.abc import Mapping

import pandas as pd

from surefoot.figures.coverage import coverage_rows
from surefoot.figures.jordan2020.comparison import coverage_items
from surefoot.figures.selection import METHOD_TITLES
from surefoot.statistics.reproduction import compare

Tables = Mapping[str, pd.DataFrame]
_RATES = ("failure_rate", "significance")


def table_2(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Published rates beside this study's and the record's, all as published (Table 2).

    Columns size, method, title, and for each rate `<rate>_published`, `<rate>`, `<rate>_error`, `<rate>_verdict`, the
    same three with the prefix `record_`, and datasets and record_datasets; empty where a study has no such size.
    """
    published = tables["published"]
    names = published["item"].str.split("/", expand=True)
    printed = names[names[0] == "coverage"].assign(value=published["published"])
    table = printed.pivot(index=[1, 2], columns=3, values="value").rename(columns="{}_published".format)
    table = table.rename_axis(["method", "size"]).rename_axis(columns=None).reset_index().astype({"size": int})
    for prefix, record in (("", False), ("record_", True)):
        table = table.merge(_side(tables, prefix, record), on=["method", "size"], how="left")
    order = {name: place for place, name in enumerate(METHOD_TITLES)}
    table = table.sort_values(
        ["size", "method"], key=lambda column: column.map(order) if column.name == "method" else column
    )
    table.insert(2, "title", table["method"].map(METHOD_TITLES))
    return None, table.reset_index(drop=True)


def _side(tables, prefix, record):
    rows = coverage_rows(tables, "as_published", record)
    columns = ["datasets", *(name + end for name in _RATES for end in ("", "_error"))]
    side = rows[["method", "size", *columns]].astype({"size": int})
    compared = coverage_items(rows) if len(rows) else pd.DataFrame({"item": []})
    if compared["item"].isin(tables["published"]["item"]).any():
        verdicts = compare(tables["published"], compared).set_index("item")["verdict"]
    else:
        verdicts = pd.Series(dtype=object)
    for rate in _RATES:
        items = [f"coverage/{row.method}/{row.size}/{rate}" for row in side.itertuples()]
        side[f"{rate}_verdict"] = [verdicts.get(item) for item in items]
    return side.rename(columns=lambda name: name if name in ("method", "size") else prefix + name)
