"""Sentences and counts of the paper's page."""

from collections.abc import Mapping

import pandas as pd

from surefoot.figures.castronovo2016.bounds import table_orders
from surefoot.figures.castronovo2016.comparison import comparison, recorded
from surefoot.figures.castronovo2016.views import VIEW_TITLES, table_views, view_rows
from surefoot.figures.sentences import item
from surefoot.figures.study import verdict as study_verdict
from surefoot.statistics.reproduction import verdict_counts

Tables = Mapping[str, pd.DataFrame]


def verdict(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    _, rows = study_verdict(tables, settings)
    numbers = comparison(tables)
    more = [
        *_reproduced("published", numbers[numbers["item"].str.startswith("mean/")], "published scores"),
        *_reproduced("library", numbers[numbers["item"].str.startswith("library/")], "scores of the authors' program"),
    ]
    more += [
        _recorded("record", recorded(tables), tables["published"], "mean/", "published scores"),
        _recorded(
            "record_library", recorded(tables), tables["published"], "library/", "scores of the authors' program"
        ),
    ]
    plays = tables["collect/plays"]
    # Several jobs on one machine measure its clocks a bit differently.
    more.append(item("machine", plays["machine"].mode()[0]))
    if "estimate/views" in tables:
        more.append(_views(tables, settings))
    _, orders = table_orders(tables, settings)
    agree, named = int(orders["agree"].sum()), int(orders["named"].sum())
    more.append(item("orders", f"{agree} of the {named} lists that the text names come out here, in its order.", agree))
    return None, pd.concat([rows, pd.DataFrame(more)], ignore_index=True)


def _reproduced(name: str, numbers: pd.DataFrame, nouns: str) -> list[dict]:
    counts = verdict_counts(numbers["verdict"])
    text = (
        f"Of {len(numbers):,} {nouns} that this run can be held against: {counts['reproduced']} reproduced, "
        f"{counts['explained']} explained, {counts['differs']} not."
    )
    return [item(name, text, len(numbers)), item(f"{name}_reproduced", text, counts["reproduced"])]


def _views(tables: Tables, settings: Mapping) -> dict:
    """Whether the three views have the same best algorithm, and how many algorithms have one rank in all of them."""
    _, table = table_views(tables, settings)
    rows = view_rows(tables, settings)
    best = rows[rows["rank"] == 1].groupby("view", sort=False)["title"].agg(", ".join)
    same = int((table["agree"] == "yes").sum())
    if best.nunique() == 1:
        told = f"All three put {best.iloc[0]} first."
    else:
        told = "; ".join(f"{VIEW_TITLES[view]}: {name} first" for view, name in best.items()) + "."
    return item("views", f"{told} {same} of {len(table)} algorithms have the same rank in all three.", same)


def _recorded(name: str, record: pd.DataFrame, published: pd.DataFrame, kind: str, nouns: str) -> dict:
    """How many of all published numbers of a kind the large run's record has, and what became of them."""
    rows = record[record["item"].astype(str).str.startswith(kind)]
    total = int(published["item"].str.startswith(kind).sum())
    if rows.empty:
        return item(name, f"The large run has none of the {total} {nouns} yet.", 0)
    counts = verdict_counts(rows["verdict"])
    low, high = int(rows["trials"].min()), int(rows["trials"].max())
    mdps = f"{low:,} MDPs" if low == high else f"{low:,} to {high:,} MDPs"
    left = total - len(rows)
    text = (
        f"The large run has {len(rows)} of the {total} {nouns}, on {mdps} each: {counts['reproduced']} reproduced, "
        f"{counts['explained']} explained, {counts['differs']} not, and {left} still to be run."
    )
    return item(name, text, len(rows))
