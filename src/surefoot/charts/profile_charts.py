"""Charts and summary sentences for performance profiles: the fraction of runs or tasks above each threshold."""

from itertools import permutations
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.curve_layout import curve_chart
from surefoot.charts.names import PROFILES, SCORES, Titles, named, titles_of
from surefoot.charts.sentences import briefly
from surefoot.statistics.profiles.dolan_more import dominates
from surefoot.statistics.runs.shared_run_findings import SHARED

_Y = "fraction of runs with score > t"


_BANDS = ["low", "high", "band_low", "band_high"]


def performance_profiles_chart(
    table: pd.DataFrame,
    *,
    titles: Titles = None,
    axis: str = "normalized score",
    step: bool = False,
    pointwise: bool = False,
) -> alt.TopLevelMixin:
    """Draw performance profiles with simultaneous bands, one panel per kind or set of scores.

    Parameters
    ----------
    table : result of `performance_profiles`
    titles : titles of algorithms by name
    axis : title of the score axis
    step : draw step functions
    pointwise : also draw bands for single thresholds, which are too narrow for few runs
    """
    curves = table[table["algorithm"] != ""]
    several = [pair for pair in (("profile", PROFILES), ("scores", SCORES)) if curves[pair[0]].nunique() > 1]
    data = curves[["algorithm", "threshold", "estimate", *_BANDS]]
    if not pointwise:
        ends = {end: data[f"band_{end}"].fillna(data[end]) for end in ("low", "high")}
        data = data.assign(**ends).drop(columns=["band_low", "band_high"])
    if several:
        column, names = several[0]
        data = data.assign(panel=named(names, curves[column]))
    labels = titles_of(data["algorithm"], titles)
    area = data.groupby("algorithm", sort=False)["estimate"].mean().sort_values(ascending=False, kind="stable")
    title = f"{axis} t"
    ticks = alt.Axis(tickCount=6 if several else 10)
    x = alt.X("threshold:Q", title=title, scale=alt.Scale(nice=False), axis=ticks)
    y = alt.Y("estimate:Q", title=_Y, scale=alt.Scale(domain=[0, 1]))
    look: dict[str, Any] = {"best_first": area.index, "by": "the mean height of the profile"}
    chart = curve_chart(data, labels, x, y, step=step, **look)
    return theme.finish(chart, f"Performance profiles of {', '.join(labels.values())}")


def performance_profiles_finding(table: pd.DataFrame, *, titles: Titles = None) -> str:
    """Report which profiles are never below others, and whether tasks share runs."""
    kind = "run_scores" if (table["profile"] == "run_scores").any() else table["profile"].iloc[0]
    names = titles_of(table["algorithm"], titles)
    above: dict[str, list[str]] = {}
    of_kind = table[(table["profile"] == kind) & (table["algorithm"] != "")].sort_values("threshold")
    curves = {name: part["estimate"].to_numpy() for name, part in of_kind.groupby("algorithm")}
    for x, y in permutations(curves, 2):
        if dominates(curves[x], curves[y]):
            above.setdefault(names[x], []).append(names[y])
    text = "No profile lies above another throughout."
    if above:
        most = max(above.values(), key=len)
        first = [name for name, below in above.items() if below == most]
        verb = "scores" if len(first) == 1 else "score"
        text = f"At every threshold, {briefly(first)} {verb} at least as high as {briefly(most, 'other algorithm')}."
        if len(first) < len(above):
            text += f" In all, {len(above)} of {len(names)} profiles are nowhere below that of some other algorithm."
    # Older records have no such column.
    findings = set(table.get("shared_runs", ()))
    if kind == "run_scores" and findings & {*SHARED}:
        where = (
            "Tasks share runs, or seem to, so the" if findings <= {*SHARED} else "Where tasks seem to share runs, the"
        )
        text += f" {where} simultaneous bands take whole runs."
    return text
