"""The environments (Table 5), mean returns in each (Appendix I), and distributions in cart-pole (Figure 3)."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.distributions import from_zero
from surefoot.charts.drawing import RECORD, RUN
from surefoot.charts.published_numbers import published_chart
from surefoot.charts.selection import bands, published_values, rounded, titles, with_titles
from surefoot.result_tables import Tables
from surefoot.simulation.registry import ENVIRONMENTS
from surefoot.statistics.reproduction.comparison import of_more_runs
from surefoot.statistics.reproduction.items import item_parts, of_quantity

REACH = 2
"""How far the bars of means reach to each side, in standard errors of the difference from the published mean."""
_SHOWN = ("sarsa_parl2", "sarsa", "ac")
_CURVE = ["algorithm", "environment", "probability", "score", "low", "high"]


def figure_means(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean return of each algorithm beside the published one, a panel an environment, of the record or of this run,
    whichever has more trials.

    Columns environment, environment_title, algorithm, title, value, low, high, published, runs; bars of `REACH`.
    """
    means = of_quantity(of_more_runs(tables[RUN], tables[RECORD]), "mean").reset_index(drop=True)
    described = "Mean return of each algorithm in each environment, with the published means"
    numbers = item_parts(means["item"], "environment", "algorithm").assign(value=means["ours"])
    reach = REACH * means["standard_error"]
    numbers = numbers.assign(low=numbers["value"] - reach, high=numbers["value"] + reach)
    numbers = with_titles(numbers.assign(published=means["published"], runs=means["runs"]), settings)
    if numbers.empty:
        return theme.finish(theme.message("No pair of the paper was run."), described), numbers
    data = numbers.assign(row=numbers["title"], panel=numbers["environment_title"])
    return theme.finish(published_chart(data, "mean return", columns=3), described), numbers


def table_5(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The environments and the episodes of a trial (Table 5), with the printed number of episodes.

    Columns environment, title, state_space, episodes, published.
    """
    printed = published_values(tables["published"], "episodes", ["environment"]).set_index("environment")["value"]
    rows = [
        (name, environment.title, environment.kind, environment.episodes, printed.get(name))
        for name, environment in ENVIRONMENTS.items()
    ]
    return None, pd.DataFrame(rows, columns=["environment", "title", "state_space", "episodes", "published"])


def figure_3(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distribution functions in cart-pole (Figure 3), of the large run's record or else of this run.

    The numbers are those of the curves, and of the points that were read off the paper's picture, which have a
    probability and a score alone; column quantity is "band" or "published".
    """
    record = tables.get("record_distributions", pd.DataFrame(columns=["method", *_CURVE]))
    record = record[record["method"] == "dkw"]
    curves = record if len(record) else bands(tables)
    curves = curves[(curves["environment"] == "cart_pole") & curves["algorithm"].isin(_SHOWN)][_CURVE]
    printed = published_values(tables["published"], "cdf", ["environment", "algorithm", "score"])
    printed = printed.astype({"score": float}).rename(columns={"value": "probability"})
    printed = printed[printed["algorithm"].isin(curves["algorithm"])]
    parts = {"band": rounded(curves, 6), "published": printed}
    numbers = pd.concat([part.assign(quantity=name) for name, part in parts.items() if len(part)] or [curves])
    description = "Cumulative distribution of average returns in cart-pole, with points of the paper's figure"
    if curves.empty:
        text = "This study has no distributions of Sarsa-Parl2, Sarsa(λ) or AC in cart-pole."
        return theme.finish(theme.message(text), description), numbers
    names = titles([name for name in _SHOWN if name in set(curves["algorithm"])], settings, "algorithm")
    scales = theme.scales(names)
    legend = theme.curve_legend(names.values())
    data = rounded(from_zero(parts["band"]))
    data, printed = (table.assign(curve=table["algorithm"].map(names)) for table in (data, printed))
    x = alt.X("score:Q", title="average return", scale=alt.Scale(zero=False))
    y: dict[str, Any] = {"title": "cumulative probability", "scale": alt.Scale(domain=[0, 1])}
    colour = alt.Color("curve:N", scale=scales.colour, legend=legend)
    dash = alt.StrokeDash("curve:N", scale=scales.dash, legend=legend)
    base = alt.Chart(data[["curve", "score", "probability", "low", "high"]]).encode(x=x, color=colour)
    area = base.mark_area(interpolate="step-after", opacity=0.22, line=False)
    line = base.mark_line(interpolate="step-after", strokeWidth=1.8)
    rings = alt.Chart(printed[["curve", "score", "probability"]]).mark_point(size=60, strokeWidth=1.8, opacity=1)
    tooltip = theme.tooltip(curve="algorithm", score="return", probability="share printed in the paper")
    chart = alt.layer(
        area.encode(y=alt.Y("low:Q", **y), y2="high:Q"),
        line.encode(y=alt.Y("probability:Q", **y), order="probability:Q", strokeDash=dash),
        rings.encode(x=x, y=alt.Y("probability:Q", **y), color=colour, tooltip=tooltip),
    )
    return theme.finish(chart.properties(width=theme.WIDTH - 80, height=300), description), numbers
