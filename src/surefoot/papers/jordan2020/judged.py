"""Which of the published numbers are judged, and why the others are not."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.charts.entries import RECORD, RUN
from surefoot.charts.selection import published_values
from surefoot.charts.sentences import counted
from surefoot.papers.jordan2020.recorded import KINDS
from surefoot.papers.jordan2020.spreads import TRIALS
from surefoot.result_tables import Tables
from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.comparison.ranks import ranks
from surefoot.statistics.reproduction.comparison import FEWEST_RUNS
from surefoot.statistics.reproduction.items import item_texts, quantities

_RANKS = ("rank", "rank_low", "rank_high")
_METHODS = ("pbp", "pbp_t", "bootstrap")
_NOT_JUDGED = {
    "mean": "pairs that this study does not have",
    "mean_low": f"pairs of fewer than {FEWEST_RUNS} trials, and those of the record, which keeps no single trials",
    "mean_high": f"pairs of fewer than {FEWEST_RUNS} trials, and those of the record, which keeps no single trials",
    "game_score": "they need all algorithms and environments of the paper, and the bootstrap",
    "cdf": "pairs that this study does not have",
    "quantile": "pairs that this study does not have",
    "coverage": "numbers of trials that this study does not draw",
    "episodes": "environments that this study does not have; the record keeps none",
    "claim": "what they are about is not in this study, or not in the record",
}


def table_judged(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How many of the published rows of each group are judged by this run and by the record, and why others are not.

    Columns group, rows, judged, record_judged, reason (empty where all rows are judged by both).
    """
    published = quantities(tables["published"]["item"])
    ours, record = (quantities(table["item"]) for table in (tables[RUN], tables[RECORD]))
    found = []
    for kind, title in KINDS.items():
        rows = int((published == kind).sum())
        judged, recorded = int((ours == kind).sum()), int((record == kind).sum())
        reason = _NOT_JUDGED[kind] if min(judged, recorded) < rows else ""
        found.append((title, rows, judged, recorded, reason))
    limits = published.isin(("game_score_low", "game_score_high"))
    wide = f"their width depends on the number of trials: only runs of {TRIALS:,} trials can be compared with them"
    found.append(("limits of aggregate scores (Figure 5)", int(limits.sum()), 0, 0, wide))
    for prefix, title in (("mean", "ranks of means (Appendix I)"), ("game_score", "ranks of scores (Table 1)")):
        checked = rank_check(tables["published"], prefix)
        found.append((title, len(checked), 0, 0, _rank_reason(checked)))
    columns = ["group", "rows", "judged", "record_judged", "reason"]
    return None, pd.DataFrame(found, columns=columns)


def _rank_reason(checked: pd.DataFrame) -> str:
    same = checked["ours"] == checked["published"]
    equal = int(same.sum())
    rounded = int((~same & checked["published"].between(checked["lowest"], checked["highest"])).sum())
    off = len(checked) - equal - rounded
    every = equal == len(checked)
    text = "they follow from other printed numbers, which our formula turns into "
    text += f"{'all' if every else f'{equal} of'} {counted(len(checked), 'rank')}"
    told = [f"{rounded} more {_lie(rounded)} within what the rounding of those leaves open"] if rounded else []
    told += [f"{off} {_lie(off)} outside what that rounding leaves open"] if off else []
    return "; ".join([text, *told])


def _lie(count: int) -> str:
    return "lies" if count == 1 else "lie"


def rank_check(published: pd.DataFrame, prefix: str) -> pd.DataFrame:
    """Printed ranks beside those that our formula makes of the printed numbers and limits.

    Returns
    -------
    columns item, published, ours, and lowest and highest: the ranks that numbers may have which are printed so
    """
    rounding = 0.05 if prefix == "mean" else 0.0
    parts = []
    for place in _places(published, prefix):
        values, low, high = (_printed(published, name, place) for name in _sources(prefix))
        names = values.index
        low, high = low[names].to_numpy(), high[names].to_numpy()
        values = values.to_numpy()
        found = ranks(values, low, high)
        span = {
            "rank": (_rank(values, 2 * rounding), _rank(values, -2 * rounding)),
            "rank_low": (_pessimistic(low + rounding, high - rounding), _pessimistic(low - rounding, high + rounding)),
            "rank_high": (_optimistic(low - rounding, high + rounding), _optimistic(low + rounding, high - rounding)),
        }
        for name, ours in zip(_RANKS, found, strict=True):
            items = item_texts(f"{prefix}_{name}", place, names)
            parts.append(pd.DataFrame({"item": items, "ours": ours, "lowest": span[name][0], "highest": span[name][1]}))
    table = pd.concat(parts, ignore_index=True)
    printed = published.set_index("item")["published"]
    return table.assign(published=table["item"].map(printed))[["item", "published", "ours", "lowest", "highest"]]


def _places(published: pd.DataFrame, prefix: str) -> list[str]:
    """What stands in items between the name and the algorithm: the environment of a mean, the method of a limit."""
    if prefix == "game_score":
        return list(_METHODS)
    return list(published_values(published, "mean", ["environment", "algorithm"])["environment"].unique())


def _sources(prefix: str) -> tuple[str, str, str]:
    return prefix, f"{prefix}_low", f"{prefix}_high"


def _printed(published: pd.DataFrame, quantity: str, place: str) -> pd.Series:
    """Printed numbers by algorithm; a score is of no method."""
    if quantity == "game_score":
        return published_values(published, quantity, ["algorithm"]).set_index("algorithm")["value"]
    rows = published_values(published, quantity, ["place", "algorithm"])
    return rows[rows["place"] == place].set_index("algorithm")["value"]


def _rank(values: Floats, slack: float) -> Integers:
    """Rank of each number if all others are that much lower (or, below 0, higher) beside it."""
    above = values[None, :] > values[:, None] + slack
    np.fill_diagonal(above, False)
    return 1 + above.sum(axis=1)


def _pessimistic(low: Floats, high: Floats) -> Integers:
    surely = low[:, None] > high[None, :]
    np.fill_diagonal(surely, False)
    return low.size - surely.sum(axis=1)


def _optimistic(low: Floats, high: Floats) -> Integers:
    maybe = high[:, None] >= low[None, :]
    np.fill_diagonal(maybe, True)
    return low.size + 1 - maybe.sum(axis=1)
