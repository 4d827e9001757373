"""Our scores under every method of intervals, how wide each is, and what each guarantees."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.headline import headline
from surefoot.charts.selection import METHOD_TITLES, remarks, rounded, with_titles, within_scores
from surefoot.charts.sentences import capitalised, counted, separated_pairs
from surefoot.papers.jordan2020.claimed_scores import shown_scores
from surefoot.result_tables import Tables
from surefoot.rounding import written
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
    finding = methods_finding(numbers)
    return theme.finish(headline(chart, finding), f"{finding}. {description}."), numbers


def methods_finding(intervals: pd.DataFrame) -> str:
    """Which methods have the narrowest and the widest intervals, and how many pairs of algorithms they tell apart."""
    width = (intervals["high"] - intervals["low"]).groupby(intervals["method"], sort=False).mean()
    ends = {"narrowest": width.idxmin(), "widest": width.idxmax()}
    parts = []
    for (which, method), more in zip(ends.items(), ("wide on average", "wide"), strict=True):
        apart = separated_pairs(intervals[intervals["method"] == method])
        told = f"separate {counted(apart, 'pair')}" if apart else "separate no pair"
        parts.append(f"the {which} intervals ({METHOD_TITLES[method]}, {written(width[method], '.2f')} {more}) {told}")
    return capitalised(", ".join(parts if width.size > 1 else parts[:1]))


def table_methods(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """How wide the intervals of each method are on these runs, what they separate, and what they guarantee.

    Columns method, title, mean_width, separated, pairs, guarantee, remark (what these runs do not let it keep, where
    the guarantee does not say so already); a single row with no width where there is none.
    """
    rows, (intervals, _) = [], shown_scores(tables)
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
            }
        )
    return None, pd.DataFrame(rows).astype({"separated": "Int64"})


def _guarantee(method: str, variant: str) -> str:
    known = INTERVAL_METHODS[method]
    return known.as_published if variant == "as_published" and known.as_published else known.guarantee
