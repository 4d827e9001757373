"""Aggregate scores and ranks of the paper (Figure 5 and Table 1), by every method of intervals, and what these settle
of its claim.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.intervals import PUBLISHED, score_chart
from surefoot.charts.selection import (
    METHOD_TITLES,
    published_values,
    recorded_scores,
    remarks,
    rounded,
    score_intervals,
    with_titles,
    within_scores,
)
from surefoot.charts.sentences import separated_pairs
from surefoot.papers.jordan2020.evidence import scores_are_of_published_selection
from surefoot.result_tables import Tables
from surefoot.statistics.intervals.catalogue import INTERVAL_METHODS

_RANKS = ("rank", "rank_low", "rank_high")
_PRINTED = ("pbp", "pbp_t", "bootstrap")
CLAIMED = ("sarsa_parl2", "q_parl2")
"""The algorithms that are better than all others (section 6.3 of the paper)."""


class Settled(NamedTuple):
    """Comparisons of the claim's algorithms with others: how many there are, and in how many of them the intervals of a
    method put the claim's algorithm above, and below."""

    pairs: int
    above: int
    below: int


def shown_scores(tables: Tables) -> tuple[pd.DataFrame, bool]:
    """The aggregate scores to show, by every method: those of the large run where it has more trials, else those of
    this run; and whether they are of the large run."""
    record = recorded_scores(tables)
    if record is None or not scores_are_of_published_selection(tables, record):
        return score_intervals(tables), False
    return record, True


def settled(intervals: pd.DataFrame) -> dict[str, Settled]:
    """What the intervals of each method settle of the claim, the method to quote first.

    intervals : columns method, algorithm, low, high, of all algorithms of the paper
    """
    found = {}
    for method, rows in intervals.groupby("method", sort=False):
        claimed = rows["algorithm"].isin(CLAIMED)
        leaders, others = rows[claimed], rows[~claimed]
        above = sum(int((others["high"] < low).sum()) for low in leaders["low"])
        below = sum(int((others["low"] > high).sum()) for high in leaders["high"])
        found[method] = Settled(len(leaders) * len(others), above, below)
    return found


def figure_5(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Aggregate scores with their intervals (Figure 5), of the large run where it has more trials than this one.

    The published ones stand below ours where the study has the published algorithms and environments, because the
    score of an algorithm depends on all of them.
    """
    intervals, recorded = shown_scores(tables)
    return _score_figure(tables, settings, intervals, "the large run" if recorded else "this study")


def figure_5_run(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The same of this run, where Figure 5 is of the large one; no rows where that is not so, or where the intervals
    that this study would quote tell no two algorithms apart."""
    own = score_intervals(tables)
    if not shown_scores(tables)[1] or not separated_pairs(quoted_method(own)):
        text = "The trials of this run separate no two algorithms."
        return theme.finish(theme.message(text), text), own.head(0)
    return _score_figure(tables, settings, own, "this study")


def _score_figure(
    tables: Tables, settings: Mapping[str, Any], intervals: pd.DataFrame, source: str
) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    numbers = shown_methods(intervals).assign(source=source)
    if scores_are_of_published_selection(tables, intervals):
        numbers = pd.concat([numbers, _published_scores(tables["published"], numbers)], ignore_index=True)
    numbers = with_titles(numbers, settings)
    chart = score_chart(numbers, "aggregate score (performance percentile; higher is better)")
    return theme.finish(chart, "Aggregate score of each algorithm with its intervals, best first"), numbers


def table_1(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Aggregate score, interval and rank by the method to quote, best first (Table 1), of the run that `figure_5`
    shows, with the published score and its rank by PBP where they can be compared."""
    shown, _ = shown_scores(tables)
    numbers = quoted_method(shown).sort_values("rank", kind="stable")
    scores = published_values(tables["published"], "game_score", ["algorithm"]).set_index("algorithm")["value"]
    known = scores_are_of_published_selection(tables, shown)
    published = [scores[name] if known else None for name in numbers["algorithm"]]
    numbers = numbers.drop(columns="replicates").assign(published=published)
    for rank in _RANKS:
        values = published_values(tables["published"], f"game_score_{rank}", ["method", "algorithm"])
        values = values[values["method"] == "pbp"].set_index("algorithm")["value"]
        numbers[f"published_{rank}"] = [values[name] if known else None for name in numbers["algorithm"]]
    return None, with_titles(numbers, settings)


def printed_methods(intervals: pd.DataFrame) -> pd.DataFrame:
    """The rows of the methods that the paper shows, PBP first; all rows where the study has none of these methods."""
    printed = intervals[intervals["method"].isin(_PRINTED)]
    return intervals if printed.empty else printed.reset_index(drop=True)


def shown_methods(intervals: pd.DataFrame) -> pd.DataFrame:
    """The rows of the method to quote, whose ranks are written, and those of `printed_methods`."""
    quoted = quoted_method(intervals)
    printed = printed_methods(intervals)
    return pd.concat([quoted, printed[~printed["method"].isin(quoted["method"])]], ignore_index=True)


def quoted_method(intervals: pd.DataFrame) -> pd.DataFrame:
    """The rows of the method to quote, the first."""
    return intervals[intervals["method"] == intervals["method"].iloc[0]]


def _published_scores(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Published scores and limits in the rows (method, algorithm) of ours."""
    value = published_values(published, "game_score", ["algorithm"])
    rows = ours[["method", "algorithm"]].assign(source=PUBLISHED).merge(value, on="algorithm", validate="m:1")
    for limit in ("low", "high"):
        limits = published_values(published, f"game_score_{limit}", ["method", "algorithm"])
        rows = rows.merge(limits.rename(columns={"value": limit}), on=["method", "algorithm"], validate="1:1")
    return rows


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
        tooltip=theme.tooltip(title="algorithm", interval="interval", value="score", low="low", high="high"),
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
