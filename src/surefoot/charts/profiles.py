"""Charts and findings. Performance profiles: the fraction of runs, or of tasks, that score above each threshold."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import origin
from surefoot.charts.curves import best_of_many, curve_chart, with_count
from surefoot.charts.names import PROFILES, SCORES, colour_order, named, shown
from surefoot.charts.sentences import joined
from surefoot.statistics.runs.sharing import FOUND, SHARED

_Y = "fraction of runs with score > t"


_BEST = "the mean height of the profile"


_TOLD = 8
"""Groups of profiles that lie nowhere below the same others: of more, only the first is told."""


_BANDS = ["low", "high", "band_low", "band_high"]


@origin.of_analysis
def profiles_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """The profiles of `settings["analysis"]` with both kinds of bands, a panel for each kind or set of scores.

    `settings` may have `axis` (what the scores are) and `step` (whether the curves are drawn as steps).
    """
    curves = numbers[numbers["algorithm"] != ""]
    titles = shown(curves["algorithm"], settings)
    drawn = _drawn(curves, titles)
    panels = [("profile", PROFILES), ("scores", SCORES)]
    column, names = next((pair for pair in panels if curves[pair[0]].nunique() > 1), (None, {}))
    data = curves[["algorithm", "threshold", "value", *_BANDS]]
    if column:
        data = data.assign(panel=named(names, curves[column]))
    title, ticks = f"{settings.get('axis', 'normalized score')} t", alt.Axis(tickCount=6 if column else 10)
    x = alt.X("threshold:Q", title=title, scale=alt.Scale(nice=False), axis=ticks)
    y = alt.Y("value:Q", title=_Y, scale=alt.Scale(zero=True))
    chart = curve_chart(data, drawn, x, y, among=colour_order(titles), step=settings.get("step", False))
    chart = with_count(chart, len(drawn), len(titles), _BEST)
    description = f"Performance profiles of {', '.join(titles.values())}"
    return chart, description, numbers


def _drawn(curves: pd.DataFrame, titles: Mapping[str, str]) -> dict[str, str]:
    """Titles of those that are drawn, in the order of all."""
    area = curves.groupby("algorithm", sort=False)["value"].mean().sort_values(ascending=False, kind="stable")
    best = set(best_of_many(area.index))
    return {name: title for name, title in titles.items() if name in best}


@origin.of_analysis
def nonlinear_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Profiles of run scores with a non-linear axis, on which distance is a fraction of runs."""
    own = numbers[numbers["profile"] == "run_scores"]
    curves, ticks = own[own["algorithm"] != ""], own[own["algorithm"] == ""]
    titles = shown(curves["algorithm"], settings)
    named = {f"{position:.6f}": f"{t:g}" for t, position in zip(ticks["threshold"], ticks["position"], strict=True)}
    labels = "".join(f"abs(datum.value - {position}) < 1e-5 ? '{name}' : " for position, name in named.items())
    axis = alt.Axis(values=[float(position) for position in named], labelExpr=f"{labels}''", grid=True)
    scale = alt.Scale(domain=[curves["position"].min() - 1e-6, curves["position"].max() + 1e-6], nice=False)
    score = settings.get("axis", "normalized score")
    x = alt.X("position:Q", title=f"{score} t, non-linear", scale=scale, axis=axis)
    data = curves[["algorithm", "position", "value", *_BANDS]]
    drawn = _drawn(curves, titles)
    chart = curve_chart(data, drawn, x, alt.Y("value:Q", title=_Y), among=colour_order(titles))
    chart = with_count(chart, len(drawn), len(titles), _BEST)
    description = f"Performance profiles of {', '.join(titles.values())} with a non-linear axis"
    return chart, description, numbers


def dominance(numbers: pd.DataFrame, profile: str = "run_scores") -> list[tuple[str, str]]:
    """Pairs of algorithms the first of which is at least as high everywhere and higher somewhere."""
    own = numbers[(numbers["profile"] == profile) & (numbers["algorithm"] != "")]
    curves = {name: part.sort_values("threshold")["value"].to_numpy() for name, part in own.groupby("algorithm")}
    return [
        (x, y)
        for x in curves
        for y in curves
        if x != y and (curves[x] >= curves[y]).all() and (curves[x] > curves[y]).any()
    ]


def profiles_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Which profiles are at least as high as others everywhere, and whether tasks share runs."""
    kind = "run_scores" if (table["profile"] == "run_scores").any() else table["profile"].iloc[0]
    # Tables that were recorded before do not say it.
    known = table["shared_runs"].unique() if "shared_runs" in table else []
    shared = [sharing for sharing in known if sharing in SHARED]
    if kind != "run_scores" or not shared:
        return _dominating(table, kind, settings)
    why = "runs do alike on all tasks" if FOUND in shared else "tasks share runs"
    return f"{_dominating(table, kind, settings)[:-1]}; {why}, so the simultaneous bands take whole runs."


def _dominating(table: pd.DataFrame, kind: str, settings: Mapping[str, Any]) -> str:
    names = shown(table["algorithm"], settings)
    above: dict[str, list[str]] = {}
    for x, y in dominance(table, kind):
        above.setdefault(names[x], []).append(names[y])
    if not above:
        return "Every profile falls below every other somewhere."
    alike: dict[tuple[str, ...], list[str]] = {}
    for name, below in sorted(above.items(), key=lambda pair: -len(pair[1])):
        alike.setdefault(tuple(below), []).append(name)
    (lower, higher), *others = alike.items()
    those = "that" if len(lower) == 1 else "those"
    verb, whose = ("lies", "profile") if len(higher) == 1 else ("lie", "profiles")
    told = f"The {whose} of {joined(higher)} {verb} nowhere below {those} of {joined(lower)}"
    if len(alike) > _TOLD:
        most = sum(map(len, alike.values()))
        return f"{told}. In all, {most} of {len(names)} profiles lie nowhere below some other."
    rest = [f"{joined(names)} nowhere below {joined(below)}" for below, names in others]
    return f"{'; '.join([told, *rest])}."
