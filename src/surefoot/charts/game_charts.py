"""Charts and summary sentences for scores of the evaluation game of Jordan et al. (2020)."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.curve_layout import curve_chart
from surefoot.charts.forms import heat_table, interval_panels, row_chart
from surefoot.charts.names import Titles, titles_of, with_titles
from surefoot.charts.selection import METHOD_TITLES, distribution_bands, mean_intervals, remarks, score_intervals
from surefoot.charts.sentences import most_places, score_items
from surefoot.charts.theme import headline
from surefoot.rounding import written
from surefoot.statistics.comparison.paired_plays import VIEWS

LowerIsBetter = bool | Sequence[str]
"""Environments in which lower scores are better, or True for all environments."""


def evaluation_game_scores_numbers(
    points: pd.DataFrame, intervals: pd.DataFrame | None = None, *, titles: Titles = None, variant: str = "corrected"
) -> pd.DataFrame:
    """Return aggregate scores with the intervals of each method, titles, and a remark on the method."""
    return _with_remarks(score_intervals(points, intervals), titles, variant)


def _with_remarks(intervals: pd.DataFrame, titles: Titles, variant: str) -> pd.DataFrame:
    """Add titles and remarks to the rows of `selection.score_intervals`."""
    numbers = with_titles(intervals, titles)
    remarked = remarks(numbers, variant)
    numbers["remark"] = [remarked.get(method, "") for method in numbers["method"]]
    return numbers


def evaluation_game_scores_chart(
    points: pd.DataFrame, intervals: pd.DataFrame | None = None, *, titles: Titles = None, variant: str = "corrected"
) -> alt.TopLevelMixin:
    """Draw aggregate scores, best first, with one panel per interval method.

    A method gets a remark if its guarantee does not hold for the given runs.

    Parameters
    ----------
    points : result of `evaluation_game_scores`
    intervals : result of `evaluation_game_intervals`
    titles : titles of algorithms by name
    variant : variant of the intervals, "as_published" or "corrected"
    """
    return _scores_drawn(
        evaluation_game_scores_numbers(points, intervals, titles=titles, variant=variant), titles, variant
    )


def _scores_drawn(numbers: pd.DataFrame, titles: Titles, variant: str) -> alt.TopLevelMixin:
    """Draw the rows of `_with_remarks`."""
    titled = headline(score_chart(numbers), score_items(numbers, titles=titles, variant=variant)[0]["text"])
    return theme.finish(titled, "Aggregate score of each algorithm, best first, with intervals")


def score_chart(intervals: pd.DataFrame) -> alt.LayerChart | alt.FacetChart:
    """Draw aggregate scores of algorithms, best first, with one panel per interval method.

    intervals : columns method, algorithm, title, estimate, low, high, rank, rank_low, rank_high, confidence_level,
        runs
    """
    first = intervals[intervals["method"] == intervals["method"].iloc[0]].sort_values("rank", kind="stable")
    names = dict(zip(first["algorithm"], first["title"], strict=True))
    data = intervals[["title", "estimate", "low", "high"]]
    data = data.assign(colour=data["title"].map(theme.colours(names)))
    data[["low", "high"]] = data[["low", "high"]].clip(0.0, 1.0)  # the range of all scores
    if intervals["method"].nunique() > 1:
        data["panel"] = intervals["method"].map(METHOD_TITLES)
        return row_chart(data, [*names.values()], "aggregate score", columns=3, shared=True)
    scores = [written(value, ".3f") for value in data["estimate"]]
    beside = {"score": scores, "rank (best to worst)": rank_texts(intervals)}
    axis = "aggregate score (performance percentile; higher is better)"
    return row_chart(data, [*names.values()], axis, beside=beside)


def ranks_table(points: pd.DataFrame, intervals: pd.DataFrame | None = None, *, titles: Titles = None) -> pd.DataFrame:
    """Tabulate scores, best first, with the rank and its limits by each method."""
    numbers = with_titles(score_intervals(points, intervals), titles)
    numbers["ranks"] = rank_texts(numbers)
    methods = {method: METHOD_TITLES.get(method, "rank") for method in dict.fromkeys(numbers["method"])}
    ranks = numbers.pivot(index="title", columns="method", values="ranks")[list(methods)].rename(columns=methods)
    first = numbers[numbers["method"] == next(iter(methods))].sort_values("rank", kind="stable")
    shown = first[["title", "estimate"]].rename(columns={"title": "algorithm", "estimate": "score"})
    return shown.join(ranks, on="algorithm").reset_index(drop=True)


def weights_numbers(table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None) -> pd.DataFrame:
    """Return the table with titles of algorithms, environments and opponents."""
    numbers = with_titles(table, titles, environment_titles)
    return numbers.assign(opponent_title=numbers["opponent"].map(titles_of(numbers["opponent"], titles)))


def weights_chart(
    table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None
) -> alt.TopLevelMixin:
    """Draw the weight of each environment and opponent in the aggregate score, as a table of coloured cells."""
    numbers = weights_numbers(table, titles=titles, environment_titles=environment_titles)
    texts = [written(weight, ".3f") if weight >= 0.0005 else "" for weight in numbers["weight"]]
    cells = pd.DataFrame({"row": numbers["environment_title"], "column": numbers["opponent_title"]})
    cells = cells.assign(estimate=numbers["weight"], written=texts)
    heaviest = numbers.groupby("environment_title", sort=False)["weight"].sum().sort_values(ascending=False)
    chart = heat_table(
        cells,
        list(heaviest.index),
        list(dict.fromkeys(numbers["opponent_title"])),
        "weight of {row} against {column}",
        heading="measured against",
    )
    first = numbers.loc[numbers["weight"].idxmax()]
    titled = headline(chart, f"{first['opponent_title']} in {first['environment_title']} weighs most")
    return theme.finish(titled, "Weight of each environment and opponent in the aggregate score")


_OF_ENVIRONMENTS = {"anderson", "dkw"}


def evaluation_game_intervals_numbers(
    table: pd.DataFrame,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
    lower_is_better: LowerIsBetter = (),
    variant: str = "corrected",
) -> pd.DataFrame:
    """Return game scores with the intervals of each method, or means or distributions if there are no game scores."""
    methods = set(table["method"])
    if methods == {"dkw"}:
        return distributions_numbers(table)
    if methods <= _OF_ENVIRONMENTS:
        return _with_own_signs(mean_intervals(None, table), titles, environment_titles, lower_is_better)
    return _with_remarks(score_intervals(None, table), titles, variant)


def evaluation_game_intervals_chart(
    table: pd.DataFrame,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
    lower_is_better: LowerIsBetter = (),
    variant: str = "corrected",
) -> alt.TopLevelMixin:
    """Draw game scores with the intervals of each method, or means or distributions if there are no game scores.

    Parameters
    ----------
    table : result of `evaluation_game_intervals`
    titles, environment_titles : titles of algorithms and environments by name
    lower_is_better : environments in which lower scores are better, or True for all
    variant : variant of the intervals, "as_published" or "corrected"
    """
    look: dict[str, Any] = {"environment_titles": environment_titles, "lower_is_better": lower_is_better}
    methods = set(table["method"])
    if methods == {"dkw"}:
        return distributions_chart(table, titles=titles, **look)
    numbers = evaluation_game_intervals_numbers(table, titles=titles, variant=variant, **look)
    if methods <= _OF_ENVIRONMENTS:
        return _means_drawn(numbers, titles)
    return _scores_drawn(numbers, titles, variant)


def means_numbers(
    points: pd.DataFrame,
    intervals: pd.DataFrame | None = None,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """Return the mean score of each algorithm in each environment, in its own units, with limits and titles."""
    return _with_own_signs(mean_intervals(points, intervals), titles, environment_titles, lower_is_better)


def _with_own_signs(
    means: pd.DataFrame, titles: Titles, environment_titles: Titles, lower_is_better: LowerIsBetter
) -> pd.DataFrame:
    """Add titles to the rows of `selection.mean_intervals`, and negate means of negated scores again."""
    numbers = with_titles(means, titles, environment_titles)
    lower = is_lower_better(numbers["environment"], lower_is_better)
    ends = numbers[["estimate", "high", "low"]].set_axis(["estimate", "low", "high"], axis="columns")
    numbers[["estimate", "low", "high"]] = numbers[["estimate", "low", "high"]].mask(lower, -ends)
    return numbers


def means_chart(
    points: pd.DataFrame,
    intervals: pd.DataFrame | None = None,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
    lower_is_better: LowerIsBetter = (),
) -> alt.TopLevelMixin:
    """Draw the mean score of each algorithm in each environment, with Anderson's limits.

    Parameters
    ----------
    points : result of `evaluation_game_scores`
    intervals : result of `evaluation_game_intervals`, with the method "anderson"
    titles, environment_titles : titles of algorithms and environments by name
    lower_is_better : environments in which lower scores are better, or True for all
    """
    look: dict[str, Any] = {"environment_titles": environment_titles, "lower_is_better": lower_is_better}
    return _means_drawn(means_numbers(points, intervals, titles=titles, **look), titles)


def _means_drawn(numbers: pd.DataFrame, titles: Titles) -> alt.TopLevelMixin:
    """Draw the rows of `_with_own_signs`."""
    best = numbers.groupby("algorithm", sort=False)["rank"].mean().sort_values(kind="stable").index
    data = numbers.assign(panel=numbers["environment_title"])
    columns = _panel_columns(numbers)
    chart = interval_panels(data, best, columns, "the mean of the ranks", "mean score", titles=titles)
    # Without intervals, no other algorithm is known to be tied.
    tied = numbers["rank_high"].fillna(numbers["rank"]) == 1
    best = most_places(numbers[tied].sort_values("rank", kind="stable"), numbers["environment"].nunique())
    titled = headline(chart, f"Best mean score, or tied with it. Counted by environment: {best}")
    return theme.finish(titled, "Mean score of each algorithm in each environment, with intervals")


def is_lower_better(environments: pd.Series, lower_is_better: LowerIsBetter) -> "pd.Series[bool]":
    """Return a mask of the environments in which lower scores are better. Tables contain their negated scores."""
    named = lower_is_better if isinstance(lower_is_better, Sequence) else []
    return environments.isin(environments if lower_is_better is True else named)


def rank_texts(data: pd.DataFrame) -> list[str]:
    """Format ranks with their best and worst limits, if any: "4 (3 to 9)"."""
    return [
        f"{rank:.0f}" if pd.isna(low) else f"{rank:.0f} ({high:.0f} to {low:.0f})"
        for rank, low, high in zip(data["rank"], data["rank_low"], data["rank_high"], strict=True)
    ]


distributions_numbers = distribution_bands


def distributions_chart(
    table: pd.DataFrame,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
    lower_is_better: LowerIsBetter = (),
) -> alt.TopLevelMixin:
    """Draw the distribution of scores of each algorithm in each environment, with DKW bands."""
    numbers = distributions_numbers(table)
    chart = distribution_chart(
        numbers,
        "score",
        columns=min(2, _panel_columns(numbers)),
        height=220,
        titles=titles,
        environment_titles=environment_titles,
        lower_is_better=lower_is_better,
    )
    medians = {name: _first_scores(numbers, name) for name in ("low", "high")}
    # The upper band of the distribution reaches one half at the lower limit of the median.
    of_best = medians["high"].groupby("environment").transform("max")
    best = medians["low"][medians["low"] >= of_best].sort_values(ascending=False).reset_index()
    best = best.assign(title=best["algorithm"].map(titles_of(best["algorithm"], titles)))
    highest = most_places(best, numbers["environment"].nunique())
    titled = headline(chart, f"Best median score, or tied with it. Counted by environment: {highest}")
    return theme.finish(titled, "Share of runs above each score in each environment, with bands")


def _first_scores(numbers: pd.DataFrame, column: str) -> pd.Series:
    """Return, per environment and algorithm, the lowest score at which a limit of the distribution is at least 0.5.

    The score is infinite if the limit never reaches 0.5.
    """
    reached = numbers["score"].where(numbers[column] >= 0.5, np.inf)
    return reached.groupby([numbers["environment"], numbers["algorithm"]], sort=False).min()


def _panel_columns(numbers: pd.DataFrame) -> int:
    environments = numbers["environment"].nunique()
    return 1 if environments == 1 else 2 if environments <= 8 else 3


def distribution_chart(
    bands: pd.DataFrame,
    axis_title: str,
    columns: int,
    height: int,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
    lower_is_better: LowerIsBetter = (),
) -> alt.TopLevelMixin:
    """Draw the share of runs above each score, one panel per environment and one curve with a band per algorithm.

    The farther to the right a curve is, the better.

    Parameters
    ----------
    bands : columns algorithm, environment, probability, score, low, high
    axis_title : title of the score axis
    columns : panels per row
    height : height of a panel, in pixels
    titles, environment_titles : titles of algorithms and environments by name
    lower_is_better : environments in which lower scores are better, or True for all
    """
    names = titles_of(bands["algorithm"], titles)
    environments = titles_of(bands["environment"], environment_titles)
    lower = is_lower_better(pd.Series(list(environments)), lower_is_better)
    environments = {
        name: f"{title} (negated)" if is_lower else title
        for (name, title), is_lower in zip(environments.items(), lower, strict=True)
    }
    data = from_zero(bands)
    data = data.assign(panel=data["environment"].map(environments), estimate=1 - data["probability"])
    data = data.assign(low=1 - data["high"], high=1 - data["low"])
    means = bands.groupby(["environment", "algorithm"], sort=False)["score"].mean().groupby("environment").rank()
    best = means.groupby("algorithm", sort=False).mean().sort_values(ascending=False, kind="stable").index
    x = alt.X("score:Q", title=axis_title, scale=alt.Scale(zero=False, nice=False), axis=alt.Axis(tickCount=5))
    y = alt.Y("estimate:Q", title="share of runs above", scale=alt.Scale(domain=[0, 1]))
    return curve_chart(
        data[["algorithm", "panel", "score", "estimate", "low", "high"]],
        names,
        x,
        y,
        columns,
        height,
        step=True,
        independent=("x",),
        best_first=best,
        by="the mean of the ranks",
    )


def from_zero(bands: pd.DataFrame) -> pd.DataFrame:
    """Add a first point at probability 0 to each curve, so that it starts with a step at the lowest score."""
    first = bands.drop_duplicates(["environment", "algorithm"]).assign(probability=0.0)
    return pd.concat([first, bands], ignore_index=True)


def views_numbers(table: pd.DataFrame, *, titles: Titles = None) -> pd.DataFrame:
    """Return the table with titles of algorithms."""
    return with_titles(table, titles)


def views_chart(table: pd.DataFrame, *, titles: Titles = None) -> alt.TopLevelMixin:
    """Draw the IQM and the probability of improvement of each algorithm, one panel each, in the order of the first."""
    numbers = views_numbers(table, titles=titles)
    panels = numbers["view"].map({VIEWS[1]: "IQM", VIEWS[2]: "probability of improvement"})
    data = numbers.assign(panel=panels, place=numbers["view"].map(VIEWS.index))
    data = data.sort_values(["place", "rank"], kind="stable")
    chart = interval_panels(data, list(data["algorithm"]), 2, "the first view", titles=titles)
    description = f"{' and '.join(data['panel'].unique())} of each algorithm, with percentile intervals"
    return theme.finish(headline(chart, description), description)
