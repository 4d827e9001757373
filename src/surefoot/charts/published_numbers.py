"""Published numbers on pages and in papers: what each is called, those beside ours, those that are not judged, how many
of each kind agree, and charts of them beside ours and of the differences in standard errors.
"""

import math
from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.drawing import RECORD, RUN
from surefoot.charts.forms import dashed_rule, row_axis, row_chart
from surefoot.charts.names import METRIC_NAMES
from surefoot.charts.selection import METHOD_TITLES
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import VERDICTS, of_more_runs, verdict_counts
from surefoot.statistics.reproduction.items import item_text, quantities, read_item

Labels = Mapping[str, str]
"""By the beginning of an item, such as "mean" or "claim/best", a sentence in which {0}, {1}, ... are the rest of it."""


def label(text: str, labels: Labels, titles: Mapping[str, str]) -> str:
    """What the item is called; its quantity and names where nothing is said of it.

    Parameters
    ----------
    text : the item
    labels : the longest beginning that fits decides
    titles : what names are called, by name
    """
    item = read_item(text)
    parts = (item.quantity, *item.of)
    for length in range(len(parts), 0, -1):
        template = labels.get(item_text(*parts[:length]))
        if template is not None:
            said = template.format(*(_title(name, titles) for name in parts[length:]))
            return f"{said[:1].upper()}{said[1:]}"
    of = [_title(name, titles) for name in item.of]
    said = ": ".join(filter(None, (_title(item.quantity, METRIC_NAMES), ", ".join(of))))
    return f"{said[:1].upper()}{said[1:]}"


def with_labels(
    table: pd.DataFrame, labels: Labels, settings: Mapping[str, Any], names: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """The table, with a column item, with label and claim behind it: what each published number is called, and whether
    it says that something is so (1) or not (0).

    Parameters
    ----------
    settings : of the drawing, with the titles of algorithms and environments
    names : titles of what else items name
    """
    titles = METHOD_TITLES | settings["environment_titles"] | settings["algorithm_titles"] | dict(names or {})
    table = table.drop(columns=["label", "claim"], errors="ignore").reset_index(drop=True)
    claims = table["item"].map(lambda text: read_item(text).quantity == "claim").astype(bool)
    place = table.columns.get_loc("item") + 1
    table.insert(place, "label", pd.Series([label(text, labels, titles) for text in table["item"]], dtype=object))
    table.insert(place + 1, "claim", claims)
    return table


def _title(name: str, titles: Mapping[str, str]) -> str:
    if name.isdecimal():
        return format(int(name), ",")
    return titles.get(name, name.replace("_", " "))


def table_reproduction(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Every published number beside ours, of this run or of the record of a large one, whichever has more runs: the
    columns of a comparison and of `with_labels`. `settings` may have `labels` of items, and `item_names` of what else
    they name."""
    rows = of_more_runs(tables[RUN], tables.get(RECORD, tables[RUN].head(0)))
    return None, with_labels(rows, settings.get("labels", {}), settings, settings.get("item_names"))


def table_kinds(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How many numbers of each quantity are published and judged, and how many have which verdict: columns quantity,
    published, judged and one a verdict, of the rows of `table_reproduction`."""
    compared = of_more_runs(tables[RUN], tables.get(RECORD, tables[RUN].head(0)))
    judged = compared["verdict"].groupby(quantities(compared["item"]))
    counts = {quantity: {"judged": len(rows)} | verdict_counts(rows) for quantity, rows in judged}
    printed = quantities(tables["published"]["item"]).value_counts(sort=False)
    rows = [{"quantity": name, "published": count} | counts.get(name, {}) for name, count in printed.items()]
    columns = ["quantity", "published", "judged", *VERDICTS]
    return None, pd.DataFrame(rows).reindex(columns=columns).fillna(0).astype(dict.fromkeys(columns[1:], int))


def published_chart(numbers: pd.DataFrame, axis_title: str, columns: int = 1) -> alt.TopLevelMixin:
    """Our values with their intervals, and rings at the published ones: a row each, a panel each group of them.

    Parameters
    ----------
    numbers : columns row (its name), panel, value, low and high (equal to the value where it is exact), published (NaN:
        no ring) and optionally emphasised (bool; the others are grey)
    axis_title : of the values; panels have an axis each, without the title where they stand in several lines
    columns : panels beside each other
    """
    data = numbers.reindex(columns=["row", "panel", "value", "low", "high", "published", "emphasised"])
    data = data.assign(title=data["row"], emphasised=data["emphasised"].isna() | data["emphasised"].eq(True))
    panels = list(dict.fromkeys(data["panel"]))
    several = {"panel": "panel"} if len(panels) > 1 else {}
    tooltip = {"title": "name", **several, "value": "ours", "low": "low", "high": "high", "published": "published"}
    title = axis_title if len(panels) <= columns else None
    order = list(dict.fromkeys(data["title"]))
    return row_chart(
        data.drop(columns="row"), order, None, title, tooltip, panels=panels if several else (), columns=columns
    )


_BIN = 0.5
_NORMAL_WIDTH = 1 / math.sqrt(2 * math.pi)


def z_chart(comparison: pd.DataFrame, limit: float) -> alt.VConcatChart:
    """Above, how many differences lie where, beside the standard normal; below, each of them.

    Parameters
    ----------
    comparison : columns title, environment_title, z, published, ours, standard_error, verdict; one row a published
        number
    limit : |z| up to which a number counts as reproduced
    """
    columns = ["title", "environment_title", "z", "published", "ours", "standard_error", "verdict"]
    data = comparison[columns]
    farthest = max(limit + _BIN, math.ceil(data["z"].abs().max()))
    step = max(_BIN, math.ceil(farthest / 10) * _BIN)  # some 40 bars, however far off a number is
    scale = alt.Scale(domain=[-farthest, farthest])
    panels = list(dict.fromkeys(data["environment_title"]))
    x = alt.X("z:Q", scale=scale, title="difference from the published number, in standard errors")
    tooltip = {"title": "algorithm", "environment_title": "environment", "published": "published mean"}
    tooltip |= {"ours": "our mean", "standard_error": "standard error of the difference"}
    tooltip |= {"z": "difference in standard errors", "verdict": "verdict"}
    rows = alt.Y("environment_title:N", sort=panels, title=None, axis=row_axis(grid=True))
    points = alt.Chart(theme.chart_data(data)).mark_point(filled=True, size=60, opacity=0.6, color=theme.STRONG)
    below = alt.layer(
        *(dashed_rule(x=alt.datum(end)) for end in (-limit, 0.0, limit)),
        points.encode(x=x, y=rows, tooltip=theme.tooltip(**tooltip)),
    )
    counts = alt.Chart(theme.chart_data(data)).mark_bar(color=theme.PALE)
    counts = counts.encode(
        x=alt.X("z:Q", bin=alt.Bin(step=step), scale=scale, title=None), y=alt.Y("count():Q", title="published numbers")
    )
    above = alt.layer(counts, _expected(step * len(data), scale))
    heights = ((above, 150), (below, 26 * len(panels)))
    return alt.vconcat(
        *(part.properties(width=theme.WIDTH - 190, height=height) for part, height in heights), spacing=14
    )


def _expected(area: float, scale: alt.Scale) -> alt.Chart:
    """What the standard normal lets one expect in a bar; `area` is that of all bars."""
    z = np.arange(-40, 41) / 10
    curve = pd.DataFrame({"z": z, "expected": (area * _NORMAL_WIDTH * np.exp(-(z**2) / 2)).round(4)})
    base = alt.Chart(curve).encode(x=alt.X("z:Q", scale=scale), y="expected:Q")
    name = base.transform_filter(alt.datum.z == 1.2).mark_text(text="standard normal", align="left", dx=6, dy=-4)
    return base.mark_line(color=theme.INK, strokeWidth=1.5, clip=True) + name
