"""Distributions of performance: Figures 3 and 4, and figures of Appendix I."""

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.curve_layout import curve_chart
from surefoot.charts.game_charts import LowerIsBetter, distribution_chart, from_zero
from surefoot.charts.names import Titles, titles_of
from surefoot.charts.selection import distribution_bands, published_values
from surefoot.charts.sentences import most_places
from surefoot.rounding import joined

GROUPS = {
    "classic_control": ("acrobot", "cart_pole", "mountain_car"),
    "pinball": ("pinball_box", "pinball_empty", "pinball_medium", "pinball_single"),
    "gridworld": tuple(f"gridworld_{n}_{kind}" for n in (10, 5) for kind in ("deterministic", "stochastic")),
    "chain": tuple(f"chain_{n}_{kind}" for n in (10, 50) for kind in ("deterministic", "stochastic")),
}
"""Environments of the figures of Appendix I."""
FEWEST = 50
"""Smallest number of trials for which a distribution is drawn. With fewer, its curve is a staircase in a band that
covers most of the figure.
"""
_SHOWN = ("sarsa_parl2", "sarsa", "ac")
_CURVE = ["algorithm", "environment", "probability", "score", "low", "high"]


def figure_3_numbers(
    published: pd.DataFrame, bands: pd.DataFrame | None = None, record: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Tabulate distribution functions in cart-pole, from the large run's record or else from this run.

    The table contains the curves, and points that were read off the paper's figure, which have only a probability and a
    score. The column quantity is "band" or "published".
    """
    recorded = _recorded(record, "dkw")
    curves = recorded if len(recorded) else distribution_bands(bands)
    curves = curves[(curves["environment"] == "cart_pole") & curves["algorithm"].isin(_SHOWN)][_CURVE]
    printed = published_values(published, "cdf", ["environment", "algorithm", "score"])
    printed = printed.astype({"score": float}).rename(columns={"estimate": "probability"})
    printed = printed[printed["algorithm"].isin(curves["algorithm"])]
    parts = {"band": theme.rounded(curves, 6), "published": printed}
    return pd.concat([part.assign(quantity=name) for name, part in parts.items() if len(part)] or [curves])


def figure_3(
    published: pd.DataFrame,
    bands: pd.DataFrame | None = None,
    record: pd.DataFrame | None = None,
    *,
    titles: Titles = None,
) -> alt.TopLevelMixin:
    """Draw distribution functions in cart-pole (Figure 3), from the large run's record or else from this run."""
    numbers = figure_3_numbers(published, bands, record)
    description = "Cumulative distribution of average returns in cart-pole, with points of the paper's figure"
    if numbers.empty:
        text = "This study has no distributions of Sarsa-Parl2, Sarsa(λ) or AC in cart-pole."
        return theme.finish(theme.message(text), description)
    names = titles_of([name for name in _SHOWN if name in set(numbers["algorithm"])], titles)
    data = from_zero(numbers[numbers["quantity"] == "band"]).rename(columns={"probability": "estimate"})
    x = alt.X("score:Q", title="average return", scale=alt.Scale(zero=False))
    y = alt.Y("estimate:Q", title="cumulative probability", scale=alt.Scale(domain=[0, 1]))
    curves = curve_chart(data[["algorithm", "score", "estimate", "low", "high"]], names, x, y, step=True, height=300)
    printed = numbers.loc[numbers["quantity"] == "published", ["algorithm", "score", "probability"]]
    printed = printed.assign(title=printed["algorithm"].map(names))
    tooltip = {"title": "algorithm", "score": "return", "probability": "share printed in the paper"}
    printed = theme.with_tooltips(printed, tooltip).rename(columns={"probability": "estimate"})
    rings = alt.Chart(theme.chart_data(printed))
    rings = rings.mark_point(size=60, strokeWidth=1.8, opacity=1, aria=True).encode(
        x=x,
        y=y,
        color=alt.Color("title:N", scale=theme.colour_scale(names), legend=None),
        **theme.TOOLTIP,
    )
    return theme.finish(alt.layer(curves, rings), description)


def _recorded(record: pd.DataFrame | None, method: str) -> pd.DataFrame:
    """Return curves from the record of the large run: bands of all trials ("dkw"), or of samples ("subsamples")."""
    if record is None:
        return pd.DataFrame(columns=["method", *_CURVE, "size", "runs"])
    return record[record["method"] == method].reset_index(drop=True)


def figure_4_numbers(record: pd.DataFrame | None = None) -> pd.DataFrame:
    """Tabulate the distribution of AC in acrobot by the number of trials, from the large run's record.

    Samples are drawn with replacement; the last one contains all trials. Samples of more than half of all trials are
    left out, since they look like all trials. The columns are algorithm, environment, size, probability, score, low,
    high, runs.
    """
    samples = _recorded(record, "subsamples")
    whole = samples["size"] == samples["runs"]
    numbers = theme.rounded(samples.loc[whole | (2 * samples["size"] <= samples["runs"]), [*_CURVE, "size", "runs"]], 6)
    return numbers.reset_index(drop=True)


def figure_4(
    record: pd.DataFrame | None = None,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
    lower_is_better: LowerIsBetter = (),
) -> alt.TopLevelMixin:
    """Draw the distribution of AC in acrobot by the number of trials (Figure 4), from the large run's record."""
    numbers = figure_4_numbers(record)
    description = "Distribution of average returns of AC in acrobot from samples of several sizes, with bands"
    if numbers.empty:
        return theme.finish(theme.message("There is no record of AC in acrobot."), description)
    panels = [f"{size:,.0f} trials" for size in numbers["size"]]
    chart = distribution_chart(
        numbers[_CURVE].assign(environment=panels),
        "average return",
        columns=3,
        height=190,
        titles=titles,
        environment_titles=environment_titles,
        lower_is_better=lower_is_better,
    )
    reach = (numbers["high"] - numbers["low"]).groupby(numbers["size"]).max()
    texts = [f"{reach[size]:.2f} wide with {size:,.0f} trials" for size in sorted({reach.index[0], reach.index[-1]})]
    return theme.finish(theme.headline(chart, f"The band is at most {joined(texts)}"), description)


def figure_appendix_numbers(runs: pd.DataFrame, bands: pd.DataFrame | None = None, *, group: str) -> pd.DataFrame:
    """Tabulate this run's distributions with DKW bands in a group of environments.

    Environments in which some algorithm has fewer than `FEWEST` trials are left out.
    """
    order = _large_enough(runs, group)
    numbers = distribution_bands(bands)
    numbers = numbers[numbers["environment"].isin(order)]
    numbers = numbers.sort_values("environment", key=lambda names: names.map(order.index), kind="stable")
    return theme.rounded(numbers.reset_index(drop=True), 6)


def _large_enough(runs: pd.DataFrame, group: str) -> list[str]:
    """Return the environments of a group in which each algorithm has at least `FEWEST` trials."""
    sizes = runs.groupby(["environment", "algorithm"], sort=False).size().groupby("environment").min()
    return [name for name in GROUPS[group] if sizes.get(name, 0) >= FEWEST]


def figure_appendix(
    runs: pd.DataFrame,
    bands: pd.DataFrame | None = None,
    *,
    group: str,
    titles: Titles = None,
    environment_titles: Titles = None,
    lower_is_better: LowerIsBetter = (),
) -> alt.TopLevelMixin:
    """Draw this run's distributions with DKW bands in a group of environments (Appendix I).

    Environments in which some algorithm has fewer than `FEWEST` trials are left out.
    """
    numbers = figure_appendix_numbers(runs, bands, group=group)
    name = group.replace("_", " ")
    if numbers.empty:
        text = f"This study has no {name} environment with {FEWEST} trials of each algorithm."
        return theme.finish(theme.message(text), text)
    chart = distribution_chart(
        numbers,
        "average return",
        columns=2,
        height=220,
        titles=titles,
        environment_titles=environment_titles,
        lower_is_better=lower_is_better,
    )
    medians = numbers[numbers["probability"] >= 0.5].drop_duplicates(["environment", "algorithm"])
    is_best = medians["score"] == medians.groupby("environment")["score"].transform("max")
    best = medians[is_best].assign(title=lambda rows: rows["algorithm"].map(titles_of(rows["algorithm"], titles)))
    finding = f"Highest median return: {most_places(best, len(_large_enough(runs, group)))}"
    described = f"Distribution of average returns of each algorithm, {name} environments"
    return theme.finish(theme.headline(chart, finding), described)
