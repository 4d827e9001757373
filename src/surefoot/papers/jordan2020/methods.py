"""Our scores under every method of intervals, how wide each is, and what each guarantees."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.selection import METHOD_TITLES, remarks, rounded, with_titles, within_scores
from surefoot.charts.sentences import separated_pairs
from surefoot.papers.jordan2020.scores import settled, shown_scores
from surefoot.papers.jordan2020.selection import scores_are_of_published_selection
from surefoot.result_tables import Tables
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS


def figure_methods(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Aggregate scores with the intervals of every method, a line each, of the run that Figure 5 shows."""
    description = "Aggregate score of each algorithm, best first, with the interval of each method"
    numbers = with_titles(shown_scores(tables)[0], settings)
    if numbers["low"].isna().all():
        return theme.finish(theme.message("This study asks for no intervals of the scores."), description), numbers
    columns = ["method", "title", "value", "low", "high", "from", "to"]
    data = rounded(within_scores(numbers)[columns].assign(interval=numbers["method"].map(METHOD_TITLES)))
    shown = {name: METHOD_TITLES[name] for name in dict.fromkeys(numbers["method"])}
    best_first = numbers[numbers["method"] == numbers["method"].iloc[0]].sort_values("rank", kind="stable")
    legend = alt.Legend(orient="top", columns=3, title=None, symbolType="square", symbolStrokeWidth=0)
    scale = alt.Scale(zero=False)
    base = alt.Chart(data).encode(
        y=alt.Y(
            "title:N",
            sort=list(best_first["title"]),
            title=None,
            axis=alt.Axis(grid=True, tickBand="extent", ticks=False, domain=False),
            scale=alt.Scale(paddingInner=0.25),
        ),
        yOffset=alt.YOffset("interval:N", sort=list(shown.values())),
        tooltip=[
            alt.Tooltip("title:N", title="algorithm"),
            alt.Tooltip("interval:N", title="interval"),
            alt.Tooltip("value:Q", title="score"),
            alt.Tooltip("low:Q", title="low"),
            alt.Tooltip("high:Q", title="high"),
        ],
    )
    title = "aggregate score (performance percentile; higher is better)"
    bars = base.mark_bar(height=4).encode(
        x=alt.X("from:Q", title=title, scale=scale),
        x2="to:Q",
        color=alt.Color(
            "interval:N",
            scale=theme.scales(shown, list(METHOD_TITLES)).colour,
            sort=list(shown.values()),
            legend=legend,
        ),
    )
    points = base.mark_tick(orient="vertical", thickness=1.5, size=6, color=theme.INK).encode(
        x=alt.X("value:Q", title=title, scale=scale)
    )
    height = (7 * len(shown) + 8) * len(best_first)
    chart = alt.layer(bars, points).properties(width=theme.WIDTH - 130, height=height)
    return theme.finish(chart, description), numbers


def table_methods(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How wide the intervals of each method are on these runs, what they separate, and what they guarantee.

    Columns method, title, mean_width, separated, pairs, guarantee, remark (what these runs do not let it keep, where
    the guarantee does not say so already), proven (whether it has a guarantee), and of the comparisons that the paper's
    claim is about claim_pairs, claim_above and claim_below (missing where the algorithms or environments are others); a
    single row with no width where there is none.
    """
    rows, (intervals, _) = [], shown_scores(tables)
    told = settled(intervals) if scores_are_of_published_selection(tables, intervals) else {}
    remarked = remarks(intervals, settings)
    for method, limits in intervals.groupby("method", sort=False):
        count = len(limits)
        known = limits["low"].notna().all()
        guarantee, remark = _guarantee(method, settings["variant"]) if known else "", remarked.get(method, "")
        rows.append(
            {
                "method": method,
                "title": METHOD_TITLES.get(method, "no intervals"),
                "mean_width": (limits["high"] - limits["low"]).mean(),
                "separated": separated_pairs(limits) if known else None,
                "pairs": count * (count - 1) // 2,
                "guarantee": guarantee,
                "remark": "" if remark == guarantee else remark,
                "proven": known and INTERVAL_METHODS[method].proven,
            }
            | ({f"claim_{name}": count for name, count in told[method]._asdict().items()} if told and known else {})
        )
    columns = ["method", "title", "mean_width", "separated", "pairs", "guarantee", "remark", "proven"]
    claimed = ["claim_pairs", "claim_above", "claim_below"]
    table = pd.DataFrame(rows).reindex(columns=columns + claimed)
    return None, table.astype(dict.fromkeys(("separated", *claimed), "Int64"))


def _guarantee(method: str, variant: str) -> str:
    known = INTERVAL_METHODS[method]
    return known.as_published if variant == "as_published" and known.as_published else known.guarantee
