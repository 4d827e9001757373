"""How the learning curves of single runs are shown."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.axes import steps_axis
from surefoot.charts.many import best_of_many, with_count
from surefoot.charts.selection import rounded, titles
from surefoot.charts.sentences import counted, joined, most_places
from surefoot.result_tables import Tables

_COLUMNS = 2
_DIGITS = 4
_GAP = 70  # pixels between panels, with the labels of the axes
_RUN = ["algorithm", "environment", "run_name"]


def chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """A panel for each environment, with its own axes: the single runs thin and faint, the mean of an algorithm's runs
    strong."""
    everything = tables["aggregate/run_curves"]
    best = set(_best_first(everything))
    numbers = everything[everything["algorithm"].isin(best)]
    named = titles(numbers["algorithm"], settings, "algorithm")
    places = titles(numbers["environment"], settings, "environment")
    steps = numbers["step"]
    # Short names of columns and whole steps: they are written once for each point.
    data = pd.DataFrame(
        {
            "algorithm": numbers["algorithm"].map(named),
            "place": numbers["environment"].map(places),
            "run": numbers["run_name"].astype(str).where(numbers["curve"] == "run", ""),
            "step": steps.astype(int) if (steps % 1 == 0).all() else steps,
            "score": rounded(numbers[["score"]], _DIGITS)["score"],
        }
    )
    order = list(named.values())
    scales = theme.scales(named)
    chosen = alt.selection_point(name="chosen_run", fields=["algorithm"], bind="legend")
    legend = theme.curve_legend(named.values())
    base = alt.Chart().encode(
        x=steps_axis("step"),
        y=alt.Y("score:Q", title="score", scale=alt.Scale(zero=False)),
        color=alt.Color("algorithm:N", scale=scales.colour, legend=legend if len(order) > 1 else None, sort=order),
    )
    single = (
        base.transform_filter("datum.run != ''")
        .mark_line(strokeWidth=0.8, clip=True)
        .encode(detail="run:N", opacity=alt.condition(chosen, alt.value(0.3), alt.value(0.03)))
    )
    mean = (
        base.transform_filter("datum.run == ''")
        .mark_line(strokeWidth=2.2, clip=True)
        .encode(
            strokeDash=alt.StrokeDash("algorithm:N", scale=scales.dash, legend=None, sort=order),
            opacity=alt.condition(chosen, alt.value(1), alt.value(0.1)),
        )
    )
    across = min(_COLUMNS, len(places))
    width = (theme.WIDTH - _GAP * across) // across
    layers = alt.layer(single, mean.add_params(chosen), data=data).properties(width=width, height=190)
    found = layers.facet(
        facet=alt.Facet("place:N", title=None, sort=list(places.values())), columns=_COLUMNS
    ).resolve_scale(x="independent", y="independent")
    found = with_count(found, len(best), everything["algorithm"].nunique(), "the mean of the ranks at the end")
    description = f"Learning curves of single runs and their means, of {', '.join(order)}, in {len(places)} "
    description += "environment" if len(places) == 1 else "environments"
    return theme.finish(found, description), everything


def _best_first(numbers: pd.DataFrame) -> list[str]:
    """The algorithms to draw: those whose mean curves end highest, by the mean of their ranks in the environments."""
    ends = numbers[numbers["curve"] == "mean"].drop_duplicates(["environment", "algorithm"], keep="last")
    ranks = ends.groupby("environment")["score"].rank(ascending=False).groupby(ends["algorithm"], sort=False).mean()
    best = ranks.sort_values(kind="stable").index
    return best_of_many([*best, *numbers["algorithm"]])


def finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Whose mean is highest at the end in how many environments; then how many runs are drawn if not all are."""
    cells = table.groupby(["algorithm", "environment"], sort=False)
    runs, drawn = int(cells["runs"].first().sum()), len(table[table["curve"] == "run"][_RUN].drop_duplicates())
    names = titles(table["algorithm"], settings, "algorithm")
    few = "" if drawn == runs else f" Drawn: {drawn:,} of the {runs:,} runs, the first of each algorithm."
    ends = _ends_of_means(table[table["curve"] == "mean"])
    if ends.empty:
        return f"Learning curves of {counted(runs, 'run')} of {joined(list(names.values()))}.{few}"
    best = ends[ends["score"] == ends.groupby("environment")["score"].transform("max")]
    told = most_places(best.assign(title=best["algorithm"].map(names)), ends["environment"].nunique())
    return f"Highest mean at the last step that all runs reach: {told}. No interval shows whether this is chance.{few}"


def _ends_of_means(means: pd.DataFrame) -> pd.DataFrame:
    """The means of the algorithms of an environment at the last step that all of them reach; none of an environment
    with a single algorithm.

    means : columns algorithm, environment, step, score
    """
    last = means.groupby(["environment", "algorithm"], sort=False)["step"].transform("max")
    reached = means[means["step"] <= last.groupby(means["environment"]).transform("min")]
    ends = reached.sort_values("step", kind="stable").drop_duplicates(["environment", "algorithm"], keep="last")
    several = ends.groupby("environment")["algorithm"].transform("size") > 1
    return ends[several].sort_index()
