"""How scores at finite alpha are shown, beside their limit."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.headline import headline
from surefoot.charts.marked_curves import marked_curves
from surefoot.charts.selection import rounded, table_or_empty, with_titles
from surefoot.charts.sentences import counted, joined
from surefoot.result_tables import Tables
from surefoot.statistics.game.exploits import AS_RUN, reversals

JUMPS = {"damped": "with jumps, as the scores are made", "none": "without jumps, as in the original"}

_SIGN = "\N{GREEK SMALL LETTER ALPHA}"

TABLE = "aggregate/alpha_rank"

NOT_ASKED = "This study does not ask for the scores at finite alpha."


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Score of each algorithm at several alpha and at the limit, with and without jumps.

    Columns alpha, alpha_title, jumps, algorithm, title, score, rank; score and rank are empty where there is none.
    """
    description = "Aggregate score of each algorithm by alpha, with and without random jumps"
    columns = ["alpha", "jumps", "algorithm", "score", "rank"]
    numbers = with_titles(table_or_empty(tables, TABLE, columns), settings)
    numbers.insert(1, "alpha_title", numbers["alpha"].map(_alpha_title))
    if numbers.empty:
        return theme.finish(theme.message(NOT_ASKED), description), numbers
    names = dict(zip(numbers["algorithm"], numbers["title"], strict=True))
    order = list(dict.fromkeys(numbers["alpha_title"]))
    data = numbers.assign(panel=numbers["jumps"].map(JUMPS)).dropna(subset=["score"])
    data = rounded(data[["alpha_title", "panel", "title", "score", "rank"]].astype({"rank": float}))
    panels = [title for title in JUMPS.values() if title in set(data["panel"])]
    base = alt.Chart().encode(
        x=alt.X("alpha_title:O", sort=order, title=_SIGN, scale=alt.Scale(domain=order), axis=alt.Axis(labelAngle=0)),
        y=alt.Y("score:Q", title="aggregate score"),
        tooltip=[
            alt.Tooltip("title:N", title="algorithm"),
            alt.Tooltip("alpha_title:N", title=_SIGN),
            alt.Tooltip("score:Q", title="score"),
            alt.Tooltip("rank:Q", title="rank"),
        ],
    )
    chart = (
        marked_curves(base, data, names, 1.4, 40)
        .properties(width=(theme.WIDTH - 110) // 2, height=250)
        .facet(alt.Facet("panel:N", sort=panels, title=None), columns=2)
    )
    said = finding(tables[TABLE], settings)
    return theme.finish(headline(chart, said), f"{said} {description}."), numbers


def finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Pairs of algorithms that each alpha orders otherwise than the limit with jumps, which the scores are."""
    missing = table[table["score"].isna()]
    reference = np.isinf(table["alpha"]) & (table["jumps"] == "damped")
    places = table.groupby(["alpha", "jumps"]).ngroup()
    places_of = dict(zip(places, zip(table["alpha"], table["jumps"], strict=True), strict=True))
    scenario = places.astype(object).mask(reference, AS_RUN)
    rows = table.assign(scenario=scenario, normalization="score", value=table["score"]).dropna(subset=["score"])
    count = table["algorithm"].nunique()
    turned = reversals(rows)
    told = []
    for row in turned[turned["reversed_pairs"] > 0].itertuples():
        told.append(f"{row.reversed_pairs} at {_setting(*places_of[row.scenario])}")
    pairs = counted(count * (count - 1) // 2, "pair")
    if told:
        text = f"Of {pairs} of algorithms, a finite {_SIGN} or the lack of jumps reverses {joined(told)}."
    else:
        text = f"Every setting ranks all {pairs} of algorithms as the limit with jumps does."
    if len(missing):
        lacking = dict.fromkeys(zip(missing["alpha"], missing["jumps"], strict=True))
        text += f" At {joined([_setting(*pair) for pair in lacking])} the game falls apart and gives no scores."
    return text


def _setting(alpha: float, jumps: str) -> str:
    return f"{_SIGN} = {_alpha_title(alpha)} {'with' if jumps == 'damped' else 'without'} jumps"


def _alpha_title(alpha: float) -> str:
    return "∞" if np.isinf(alpha) else f"{alpha:g}"
