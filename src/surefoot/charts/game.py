"""Charts and findings. Scores of the two-player game of algorithms and environments (Jordan et al. 2020)."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import marked_curves
from surefoot.charts.distributions import distribution_chart, highest_medians
from surefoot.charts.intervals import mean_chart, rank_texts, score_chart
from surefoot.charts.selection import (
    METHOD_TITLES,
    bands,
    mean_intervals,
    remarks,
    rounded,
    score_intervals,
    titles,
    with_titles,
)
from surefoot.charts.sentences import counted, joined, most_places, score_headline
from surefoot.charts.theme import headline
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.game.exploits import AS_RUN, reversals

_HALF = 0.5 - 1e-9  # of all weights, however they are summed


def game_scores_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Aggregate scores with the intervals that the study asks for, and a remark where these runs let a method's promise
    down."""
    numbers = with_titles(score_intervals(tables), settings)
    remarked = remarks(numbers, settings)
    numbers["remark"] = [remarked.get(method, "") for method in numbers["method"]]
    chart = score_chart(numbers, "aggregate score (performance percentile; higher is better)")
    titled = headline(chart, score_headline(numbers, settings))
    return theme.finish(titled, "Aggregate score of each algorithm, best first, with intervals"), numbers


def ranks_table(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Scores, best first, and for each method the rank with the worst and the best that its intervals allow."""
    numbers = with_titles(score_intervals(tables), settings)
    numbers["ranks"] = rank_texts(numbers)
    methods = {method: METHOD_TITLES.get(method, "rank") for method in dict.fromkeys(numbers["method"])}
    ranks = numbers.pivot(index="title", columns="method", values="ranks")[list(methods)].rename(columns=methods)
    first = numbers[numbers["method"] == next(iter(methods))].sort_values("rank", kind="stable")
    shown = first[["title", "value"]].rename(columns={"title": "algorithm", "value": "score"})
    return None, shown.join(ranks, on="algorithm").reset_index(drop=True)


def weights_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Weight of each environment and opponent in the aggregate score, as a table of coloured cells."""
    numbers = with_titles(tables["aggregate/game_scores_weights"], settings)
    opponents = titles(numbers["opponent"], settings, "algorithm")
    numbers["opponent_title"] = numbers["opponent"].map(opponents)
    environments = list(dict.fromkeys(numbers["environment_title"]))
    data = rounded(numbers, 4).assign(written=[written(weight, ".3f") for weight in numbers["weight"]])
    base = alt.Chart(data).encode(
        x=alt.X(
            "opponent_title:N",
            sort=list(opponents.values()),
            title="measured against",
            axis=alt.Axis(orient="top", labelAngle=-35),
        ),
        y=alt.Y("environment_title:N", sort=environments, title=None),
    )
    colour = alt.Color("weight:Q", scale=alt.Scale(range=["white", theme.INK], domainMin=0), legend=None)
    cells = base.mark_rect(stroke=theme.PALE).encode(
        color=colour,
        tooltip=theme.tooltip(environment_title="environment", opponent_title="measured against", weight="weight"),
    )
    dark = alt.datum.weight > 0.5 * float(numbers["weight"].max())
    text = (
        base.transform_filter(alt.datum.weight >= 0.0005)
        .mark_text(fontSize=theme.TEXT)
        .encode(
            text="written:N",
            color=alt.condition(dark, alt.value("white"), alt.value(theme.INK)),
        )
    )
    width, height = min(theme.WIDTH - theme.LABEL, 70 * len(opponents)), 22 * len(environments)
    chart = headline(alt.layer(cells, text).properties(width=width, height=height), weights_finding(numbers))
    return theme.finish(chart, "Weight of each environment and opponent in the aggregate score"), numbers


def weights_finding(numbers: pd.DataFrame) -> str:
    """Which pairs of an environment and an opponent make up half of the score, or more, and how many there are.

    numbers : columns environment_title, opponent_title, weight
    """
    heaviest = numbers.sort_values("weight", ascending=False, kind="stable")
    so_far = heaviest["weight"].cumsum()
    half = int((so_far < _HALF * so_far.iloc[-1]).sum()) + 1
    share = written(100 * so_far.iloc[half - 1] / so_far.iloc[-1], ".0f")
    first = heaviest.iloc[0]
    most = f"{first['opponent_title']} in {first['environment_title']}"
    if half == 1:
        return f"One cell, {most}, makes up {share} % of the score"
    return f"{half} of {counted(len(numbers), 'cell')} make up {share} % of the score, above all {most}"


_OF_ENVIRONMENTS = {"estimate/anderson", "estimate/dkw"}


def game_intervals_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The scores of the game with the intervals of each method; else means, else distributions."""
    numbers = tables[f"estimate/{settings['analysis']}"]
    of_methods = {f"estimate/{method}": rows for method, rows in numbers.groupby("method", sort=False)}
    if of_methods.keys() == {"estimate/dkw"}:
        return distributions_chart(of_methods, settings)
    return (means_chart if of_methods.keys() <= _OF_ENVIRONMENTS else game_scores_chart)(of_methods, settings)


def means_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Mean score of each algorithm in each environment, with Anderson's limits."""
    numbers = with_titles(mean_intervals(tables), settings)
    chart = headline(mean_chart(numbers, "mean score", columns=_panel_columns(numbers)), means_finding(numbers))
    return theme.finish(chart, "Mean score of each algorithm in each environment, with intervals"), numbers


def means_finding(numbers: pd.DataFrame) -> str:
    """Who has the highest mean in how many environments, and in how many of these its interval lies above all others.

    numbers : columns environment, title, value, low, high, rank
    """
    best, places = numbers[numbers["rank"] == 1], numbers["environment"].nunique()
    told = f"Highest mean score: {most_places(best, places)}"
    if numbers["low"].isna().all() or numbers["algorithm"].nunique() < 2:
        return told
    above = sum(_is_above(rows) for _, rows in numbers.groupby("environment", sort=False))
    if places == 1:
        return f"{told}; its interval {'lies above all others' if above else 'overlaps with others'}"
    where = "none" if not above else "all" if above == places else above
    return f"{told}; in {where} of them its interval lies above all others"


def _is_above(rows: pd.DataFrame) -> bool:
    """Whether the interval of the highest mean of an environment has no point in common with another, and lies above;
    not so where an interval is missing."""
    first = rows["rank"] == 1
    return bool(first.sum() == 1 and (rows.loc[~first, "high"] < rows.loc[first, "low"].iloc[0]).all())


def distributions_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distribution of scores of each algorithm in each environment, with DKW bands."""
    description = "Distribution of scores of each algorithm in each environment, with bands"
    numbers = bands(tables)
    columns = _panel_columns(numbers)
    chart = distribution_chart(numbers, settings, "score", columns=columns, height=220 if columns < 3 else 150)
    said = f"Highest median score: {highest_medians(numbers, settings)}"
    return theme.finish(headline(chart, said), description), numbers


def _panel_columns(numbers: pd.DataFrame) -> int:
    environments = numbers["environment"].nunique()
    return 1 if environments == 1 else 2 if environments <= 8 else 3


_COLUMNS = ("algorithm", "mean", "quantile_05", "quantile_25", "quantile_50", "quantile_75", "quantile_95")


@origin.of_table("aggregate/run_percentiles", "the percentiles of single runs")
def run_percentiles_chart(rows: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """How the percentiles of each algorithm's runs are distributed: 5 to 95 %, 25 to 75 %, median and mean.

    Columns algorithm, title, mean, and the quantiles.
    """
    numbers = with_titles(rows, settings).sort_values("mean", ascending=False, kind="stable", ignore_index=True)
    style = theme.styles(["sarsa"])["sarsa"]
    axis: dict[str, Any] = {"title": "performance percentile of a run", "scale": alt.Scale(domain=[0, 1])}
    base = alt.Chart(rounded(numbers)).encode(
        y=alt.Y("title:N", sort=list(numbers["title"]), title=None),
        tooltip=theme.tooltip(
            title="algorithm", mean="mean", **{name: f"{name[-2:]} % of the runs below" for name in _COLUMNS[2:]}
        ),
    )
    chart = alt.layer(
        base.mark_rule(strokeWidth=1.5, color=style.colour).encode(
            x=alt.X("quantile_05:Q", **axis), x2="quantile_95:Q"
        ),
        base.mark_bar(height=9, color=style.colour, opacity=0.45).encode(x="quantile_25:Q", x2="quantile_75:Q"),
        base.mark_tick(thickness=2, size=13, color=theme.INK).encode(x="quantile_50:Q"),
        base.mark_point(filled=True, size=45, opacity=1, color="#d7500f", shape="diamond").encode(x="mean:Q"),
    ).properties(width=theme.WIDTH - 130, height=24 * len(numbers))
    description = "Distribution of the performance percentiles of the runs of each algorithm, best mean first"
    return chart, description, numbers


def run_percentiles_finding(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """How far the runs of the best algorithm lie apart, and how many others are mostly below all of them."""
    names = titles(numbers["algorithm"], settings, "algorithm")
    first = numbers.sort_values("mean", ascending=False, kind="stable").iloc[0]
    below = int((numbers["quantile_95"] < first["quantile_05"]).sum())
    others = counted(len(numbers) - 1, "other algorithm")
    many = f"{below or 'none'} {'has' if below < 2 else 'have'}"
    return (
        f"Half of the runs of {names[first['algorithm']]}, the best, have a percentile between "
        f"{written(first['quantile_25'], '.2f')} and {written(first['quantile_75'], '.2f')}, and one in twenty at most "
        f"{written(first['quantile_05'], '.2f')}. Of {others}, {many} 95 % of the runs below even that."
    )


JUMPS = {"damped": "with jumps, as the scores are made", "none": "without jumps, as in the original"}


_SIGN = "\N{GREEK SMALL LETTER ALPHA}"


@origin.of_table("aggregate/alpha_rank", "the scores at finite alpha")
def alpha_rank_chart(rows: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Score of each algorithm at several alpha and at the limit, with and without jumps.

    Columns alpha, alpha_title, jumps, algorithm, title, score, rank; score and rank are empty where there is none.
    """
    numbers = with_titles(rows, settings)
    numbers.insert(1, "alpha_title", numbers["alpha"].map(_alpha_title))
    names = dict(zip(numbers["algorithm"], numbers["title"], strict=True))
    order = list(dict.fromkeys(numbers["alpha_title"]))
    data = numbers.assign(panel=numbers["jumps"].map(JUMPS)).dropna(subset=["score"])
    data = rounded(data[["alpha_title", "panel", "title", "score", "rank"]].astype({"rank": float}))
    panels = [title for title in JUMPS.values() if title in set(data["panel"])]
    base = alt.Chart().encode(
        x=alt.X("alpha_title:O", sort=order, title=_SIGN, scale=alt.Scale(domain=order), axis=alt.Axis(labelAngle=0)),
        y=alt.Y("score:Q", title="aggregate score"),
        tooltip=theme.tooltip(title="algorithm", alpha_title=_SIGN, score="score", rank="rank"),
    )
    chart = (
        marked_curves(base, data, names, 1.4, 40)
        .properties(width=(theme.WIDTH - 110) // 2, height=250)
        .facet(alt.Facet("panel:N", sort=panels, title=None), columns=2)
    )
    return chart, "Aggregate score of each algorithm by alpha, with and without random jumps", numbers


def alpha_rank_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Pairs of algorithms that each alpha orders otherwise than the limit with jumps, which the scores are."""
    missing = table[table["score"].isna()]
    reference = np.isinf(table["alpha"]) & (table["jumps"] == "damped")
    places = table.groupby(["alpha", "jumps"]).ngroup()
    places_of = dict(zip(places, zip(table["alpha"], table["jumps"], strict=True), strict=True))
    scenario = places.astype(object).mask(reference, AS_RUN)
    rows = table.assign(scenario=scenario, normalization="score", value=table["score"]).dropna(subset=["score"])
    count = table["algorithm"].nunique()
    turned = reversals(rows)
    told = []
    for row in turned[turned["reversed_pairs"] > 0].itertuples():
        told.append(f"{row.reversed_pairs} at {_setting(*places_of[row.scenario])}")
    pairs = counted(count * (count - 1) // 2, "pair")
    if told:
        text = f"Of {pairs} of algorithms, a finite {_SIGN} or the lack of jumps reverses {joined(told)}."
    else:
        text = f"Every setting ranks all {pairs} of algorithms as the limit with jumps does."
    if len(missing):
        lacking = dict.fromkeys(zip(missing["alpha"], missing["jumps"], strict=True))
        text += f" At {joined([_setting(*pair) for pair in lacking])} the game falls apart and gives no scores."
    return text


def _setting(alpha: float, jumps: str) -> str:
    return f"{_SIGN} = {_alpha_title(alpha)} {'with' if jumps == 'damped' else 'without'} jumps"


def _alpha_title(alpha: float) -> str:
    return "∞" if np.isinf(alpha) else f"{alpha:g}"
