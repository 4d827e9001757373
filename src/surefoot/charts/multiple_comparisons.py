"""Charts and findings. Which algorithms are best or tied with the best, and which pairs differ."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import best_of_many, with_count
from surefoot.charts.intervals import row_axis
from surefoot.charts.names import METRIC_NAMES, shown
from surefoot.charts.selection import numbers_of_analysis, rounded
from surefoot.charts.sentences import counted, joined, percent, remarks_of
from surefoot.charts.theme import headline, of_classes
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.resampling.interval_remarks import equal_runs_remark
from surefoot.statistics.runs.sharing import sharing_sentence

_LONGEST_TITLE = 90
_ROW = 22  # pixels
_BEST, _TIED, _WORSE = "best", "tied with the best", "worse than the best"
_COLOURS = {_BEST: theme.STRONG, _TIED: "#3a78e0", _WORSE: theme.LINE}


@origin.of_analysis
def multiple_comparisons_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Rows of algorithms, the best estimate first, with their letters and the interval of the difference to the best of
    the others; what is worse than the best is grey."""
    titles = shown(numbers["algorithm"], settings)
    drawn = best_of_many(numbers["algorithm"])
    own = numbers[numbers["algorithm"].isin(drawn)]
    data = rounded(own[["estimate", "difference_to_best", "low", "high"]])
    data = data.assign(
        title=own["algorithm"].map(titles),
        label=own["algorithm"].map(titles) + "\u2002" + own["letters"],
        standing=_standing(numbers)[own.index],
        ranks=[_span(low, high) for low, high in own[["rank_low", "rank_high"]].to_numpy()],
    )
    marks = alt.Chart(data).encode(
        y=alt.Y("label:N", sort=list(data["label"]), title=None, axis=row_axis()),
        color=alt.Color(
            "standing:N",
            title=None,
            scale=alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values())),
            legend=alt.Legend(orient="top", values=[one for one in _COLOURS if (data["standing"] == one).any()]),
        ),
        tooltip=[
            alt.Tooltip("label:N", title="algorithm and letters"),
            *(alt.Tooltip(f"{name}:Q", title=name.replace("_", " "), format=".3f") for name in _NUMBERS),
            alt.Tooltip("ranks:N", title="ranks"),
        ],
    )
    x = alt.X("low:Q", title=f"difference in {_name(numbers)} from the best other", axis=alt.Axis(tickCount=6))
    if numbers["metric"].iloc[0] == "improvement":
        x = alt.X("low:Q", title="least probability of improvement, less one half", axis=alt.Axis(tickCount=6))
    bands = marks.mark_bar(height=11, opacity=0.6).encode(x=x, x2="high:Q")
    ticks = marks.mark_tick(thickness=2.5, size=15).encode(x="difference_to_best:Q")
    none = alt.Chart(data).mark_rule(color=theme.NEUTRAL, strokeDash=[4, 3]).encode(x=alt.datum(0.0))
    chart = alt.layer(bands, ticks, none).properties(width=theme.WIDTH - 200, height=_ROW * len(data))
    chart = with_count(chart, len(drawn), len(titles), _name(numbers))
    bars = f"Bars: {percent(settings['confidence'])} intervals of the difference to the best other"
    titled = headline(of_classes(chart), multiple_comparisons_title(numbers, settings))
    return titled, f"{multiple_comparisons_finding(numbers, settings)} {bars}", numbers


def table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """What `surefoot.multiple_comparisons` gives, with the titles of the algorithms."""
    numbers = numbers_of_analysis(tables, settings["analysis"])
    if numbers is None:
        return None, pd.DataFrame()
    return None, numbers.assign(title=numbers["algorithm"].map(shown(numbers["algorithm"], settings)))


_NUMBERS = ("estimate", "difference_to_best", "low", "high")


def multiple_comparisons_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which algorithms may be best, which tasks this is about, how small a difference would have been seen, what is
    within the margin, and whether tasks share runs."""
    random, tied = table["tasks"].iloc[0] == "random", table["tied_with_best"].astype(bool)
    where = "On average over tasks like these" if random else "On these tasks"
    text = f"{where}, {_standings(table, settings)}"
    if tied.sum() > 1:
        detectable = table.loc[tied, "detectable"].max()
        if pd.notna(detectable):
            text += f" A difference of {written(detectable, '.2g')} would have been shown four times out of five."
        text += _within_margin(table[tied], settings)
    text += remarks_of(table[table["remark"] == equal_runs_remark(float("nan"))])
    said = "" if random else sharing_sentence(table["shared_runs"], int(table["runs"].min()))
    return f"{text} {said}".strip()


def multiple_comparisons_title(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which algorithms may be best, in at most 90 characters: by name if there is room, else how many."""
    titles, tied = shown(table["algorithm"], settings), table["tied_with_best"].astype(bool)
    few = [titles[name] for name in table.loc[tied, "algorithm"]]
    if len(few) == 1:
        title = f"{few[0]} is best by {_name(table)}"
        return title if len(title) <= _LONGEST_TITLE else f"One algorithm is best by {_name(table)}"
    title = f"{joined(few)} are tied for the best {_name(table)}"
    short = f"{len(few)} of {counted(len(table), 'algorithm')} are tied for the best {_name(table)}"
    return title if few and len(title) <= _LONGEST_TITLE else short


def _standings(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Who is best, tied, and worse."""
    titles, tied = shown(table["algorithm"], settings), table["tied_with_best"].astype(bool)
    few, others = ([titles[name] for name in table.loc[which, "algorithm"]] for which in (tied, ~tied))
    behind = f"; {joined(others)} {'is' if len(others) == 1 else 'are'} worse" if others else ""
    name, level = _name(table), percent(settings["confidence"])
    if not few:
        return f"no algorithm is unbeaten by {name} (comparisons with the best, {level})."
    if len(few) == 1:
        return f"{few[0]} is better than {_all_others(len(others))} by {name} (comparisons with the best, {level})."
    if not others:
        everybody = "both" if len(few) == 2 else f"all {len(few)}"
        return f"{everybody} algorithms are tied for the best {name} (comparisons with the best, {level})."
    return f"{joined(few)} are tied for the best {name}{behind} (comparisons with the best, {level})."


def _all_others(count: int) -> str:
    return {1: "the other algorithm", 2: "both other algorithms"}.get(count, f"all {count} other algorithms")


def _within_margin(tied: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which of the tied are shown to be within the margin of the best."""
    questions = settings.get("questions", {})  # a record has none
    asked = questions.get(settings.get("analysis", "multiple_comparisons"), {})
    if tied["within_margin"].isna().any() or not asked.get("margin"):
        return ""
    titles, margin = shown(tied["algorithm"], settings), f"{asked['margin']:g}"
    close = [titles[name] for name in tied.loc[tied["within_margin"].astype(bool), "algorithm"]]
    if not close:
        return f" None is shown to be within {margin} of the best."
    return f" Shown to be within {margin} of the best: {joined(close)}."


def _standing(table: pd.DataFrame) -> pd.Series:
    tied = table["tied_with_best"].astype(bool)
    return tied.map({True: _TIED if tied.sum() > 1 else _BEST, False: _WORSE})


def _name(table: pd.DataFrame) -> str:
    """What is compared, within a sentence."""
    metric = table["metric"].iloc[0]
    name = METRIC_NAMES.get(metric, "probability of improvement")
    return name if name.isupper() else name.lower()


def _span(low: float, high: float) -> str:
    return f"{low:.0f}" if low == high else f"{low:.0f} to {high:.0f}"
