"""Scores at finite alpha beside their limit (Appendix B), and what reports of tuned results would claim (section 3)."""

from collections.abc import Mapping

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.selection import rounded, table_or_empty, titles, with_titles
from surefoot.charts.sentences import counted, item, joined
from surefoot.statistics.exploits import AS_RUN, reversals

Tables = Mapping[str, pd.DataFrame]
JUMPS = {"damped": "with jumps, as the scores are made", "none": "without jumps, as in the original"}
_SIGN = "\N{GREEK SMALL LETTER ALPHA}"
_ALPHA = "aggregate/alpha_rank"
_TUNING = "aggregate/best_of_candidates"
_NO_ALPHA = "This study does not ask for the scores at finite alpha."
_NO_TUNING = "This study does not ask what reports of the best of several trials would claim."


def figure_alpha_rank(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Score of each algorithm at several alpha and at the limit, with and without jumps.

    Columns alpha, alpha_title, jumps, algorithm, title, score, rank; score and rank are empty where there is none.
    """
    description = "Aggregate score of each algorithm by alpha, with and without random jumps"
    columns = ["alpha", "jumps", "algorithm", "score", "rank"]
    numbers = with_titles(table_or_empty(tables, _ALPHA, columns), settings)
    numbers.insert(1, "alpha_title", numbers["alpha"].map(_alpha_title))
    if numbers.empty:
        return theme.finish(theme.message(_NO_ALPHA), description), numbers
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
        _curves(base, data, names, 1.4, 40)
        .properties(width=(theme.WIDTH - 110) // 2, height=250)
        .facet(alt.Facet("panel:N", sort=panels, title=None), columns=2)
    )
    return theme.finish(chart, description), numbers


def figure_tuning(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Expected best of k trials of each algorithm by k, a panel an environment; k = 1 is complete data collection.

    Columns candidates, environment, environment_title, algorithm, title, value, rank.
    """
    description = "Expected best of k trials of each algorithm in each environment, by k"
    columns = ["candidates", "environment", "algorithm", "value", "rank"]
    numbers = with_titles(table_or_empty(tables, _TUNING, columns), settings)
    if numbers.empty:
        return theme.finish(theme.message(_NO_TUNING), description), numbers
    names = dict(zip(numbers["algorithm"], numbers["title"], strict=True))
    panels = list(dict.fromkeys(numbers["environment_title"]))
    counts = [str(k) for k in dict.fromkeys(numbers["candidates"])]
    data = rounded(numbers.assign(k=numbers["candidates"].astype(str))[["k", "environment_title", "title", "value"]])
    across = min(3, len(panels))
    base = alt.Chart().encode(
        x=alt.X("k:O", sort=counts, title="best of so many trials", axis=alt.Axis(labelAngle=0)),
        y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=4)),
        tooltip=[
            alt.Tooltip("title:N", title="algorithm"),
            alt.Tooltip("k:O", title="best of"),
            alt.Tooltip("value:Q", title="expected average return"),
        ],
    )
    chart = (
        _curves(base, data, names, 1.3, 22)
        .properties(width=(theme.WIDTH - 60) // across - 45, height=130)
        .facet(alt.Facet("environment_title:N", sort=panels, title=None), columns=across)
        .resolve_scale(y="independent")
        .resolve_axis(x="independent", y="independent")
    )
    return theme.finish(chart, description), numbers


def _curves(
    base: alt.Chart, data: pd.DataFrame, names: Mapping[str, str], line_width: float, mark_size: float
) -> alt.LayerChart:
    """A line and marks for each algorithm, with a legend below; `base` has the axes and tooltips."""
    scales = theme.scales(names)
    legend = alt.Legend(orient="bottom", columns=6, title=None, symbolSize=80, symbolStrokeWidth=0)
    base = base.encode(color=alt.Color("title:N", scale=scales.colour, title=None, legend=legend))
    lines = base.mark_line(strokeWidth=line_width).encode(
        strokeDash=alt.StrokeDash("title:N", scale=scales.dash, legend=None)
    )
    marks = base.mark_point(filled=True, size=mark_size).encode(
        shape=alt.Shape("title:N", scale=scales.shape, title=None, legend=legend)
    )
    return alt.layer(lines, marks, data=data)


def procedure_items(tables: Tables, settings: Mapping) -> list[dict]:
    """Rows `alpha_rank` and `tuning`: how much of the ranking depends on alpha, and on a report of the best trial."""
    return [
        item("alpha_rank", _alpha_sentence(tables) if _ALPHA in tables else _NO_ALPHA),
        item("tuning", _tuning_sentence(tables, settings) if _TUNING in tables else _NO_TUNING),
    ]


def _alpha_sentence(tables: Tables) -> str:
    """Pairs of algorithms that each alpha orders otherwise than the limit with jumps, which the scores are."""
    table = tables[_ALPHA]
    missing = table[table["score"].isna()]
    reference = np.isinf(table["alpha"]) & (table["jumps"] == "damped")
    places = table.groupby(["alpha", "jumps"]).ngroup()
    settings = dict(zip(places, zip(table["alpha"], table["jumps"], strict=True), strict=True))
    scenario = places.astype(object).mask(reference, AS_RUN)
    rows = table.assign(scenario=scenario, normalization="score", value=table["score"]).dropna(subset=["score"])
    count = table["algorithm"].nunique()
    turned = reversals(rows)
    told = []
    for row in turned[turned["reversed_pairs"] > 0].itertuples():
        told.append(f"{row.reversed_pairs} at {_setting(*settings[row.scenario])}")
    pairs = counted(count * (count - 1) // 2, "pair")
    if told:
        text = f"Of {pairs} of algorithms, so many are ordered otherwise than by the limit with jumps: {joined(told)}."
    else:
        text = f"Of {pairs} of algorithms, no setting orders any otherwise than the limit with jumps does."
    if len(missing):
        settings = dict.fromkeys(zip(missing["alpha"], missing["jumps"], strict=True))
        text += f" At {joined([_setting(*pair) for pair in settings])} the game falls apart and gives no scores."
    return text


def _setting(alpha: float, jumps: str) -> str:
    return f"{_SIGN} = {_alpha_title(alpha)} {'with' if jumps == 'damped' else 'without'} jumps"


def _tuning_sentence(tables: Tables, settings: Mapping) -> str:
    """In how many environments a report of the best of the most trials ranks otherwise than one of all trials."""
    table = tables[_TUNING]
    table = table[table["environment"].isin(table.loc[table["candidates"] == table["candidates"].max(), "environment"])]
    fewest, most = int(table["candidates"].min()), int(table["candidates"].max())
    if fewest == most:
        return f"Only one number of trials is asked for, {most}: there is nothing to compare."
    ends = table[table["candidates"].isin((fewest, most))]
    scenario = np.where(ends["candidates"] == fewest, AS_RUN, "tuned")
    turned = reversals(ends.assign(scenario=scenario, normalization=ends["environment"])).set_index("normalization")
    leaders = ends[ends["rank"] == 1].groupby(["candidates", "environment"])["algorithm"].agg(set)
    places = list(turned.index)
    changed = [place for place in places if turned.loc[place, "reversed_pairs"] > 0]
    other = [place for place in places if not leaders[fewest, place] & leaders[most, place]]
    count = table["algorithm"].nunique()
    what = "the mean of all trials" if fewest == 1 else f"the best of {fewest}"
    where = "" if not other else f", in {_places(other, settings)} with another best algorithm"
    pairs = int(turned["reversed_pairs"].sum())
    all_pairs = count * (count - 1) // 2 * len(places)
    return (
        f"Beside {what}, the best of {most} trials turns pairs of algorithms round in {len(changed)} of the "
        f"{counted(len(places), 'environment')} that {'has' if len(places) == 1 else 'have'} as many trials{where}: "
        f"{pairs} of {counted(all_pairs, 'pair')} in all."
    )


def _places(environments: list[str], settings: Mapping) -> str:
    if len(environments) > 3:
        return str(len(environments))
    names = titles(environments, settings, "environment")
    return joined([names[name] for name in environments])


def _alpha_title(alpha: float) -> str:
    return "∞" if np.isinf(alpha) else f"{alpha:g}"
