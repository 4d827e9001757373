"""Published numbers on pages and in papers: what each is called, those beside ours, and those that are not judged."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.entries import RUN
from surefoot.charts.names import METRIC_NAMES
from surefoot.charts.selection import METHOD_TITLES
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.items import item_text, read_item

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
    """Every published number beside ours, as `surefoot.statistics.reproduction.comparison` has it, with the columns of
    `with_labels`. `settings` may have `labels` of items, and `item_names` of what else they name."""
    return None, with_labels(tables[RUN], settings.get("labels", {}), settings, settings.get("item_names"))


def table_not_judged(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The published numbers that have no counterpart here: columns item, label, claim, published, reason.

    `settings` has the `reason`, and `labels` and `item_names` as for `table_reproduction`.
    """
    published = tables["published"]
    missing = published.loc[~published["item"].isin(tables[RUN]["item"]), ["item", "published"]]
    missing = missing.assign(reason=settings["reason"])
    return None, with_labels(missing, settings.get("labels", {}), settings, settings.get("item_names"))
