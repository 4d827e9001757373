"""Figures and tables of Jordan et al., Evaluating the Performance of Reinforcement Learning Algorithms, ICML 2020."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.figures import theme
from surefoot.figures.distributions import distribution_chart
from surefoot.figures.intervals import PUBLISHED, score_chart
from surefoot.figures.selection import (
    METHOD_TITLES,
    bands,
    mean_intervals,
    published_values,
    score_intervals,
    titles,
    with_titles,
)
from surefoot.figures.sentences import caption_items, counted, item, joined, run_items, score_items, those_of
from surefoot.figures.z_values import z_chart
from surefoot.statistics.reproduction import STANDARD_ERRORS, compare, items

Tables = Mapping[str, pd.DataFrame]
_POINTS = "aggregate/performance_percentile"
_CLAIMED = ("sarsa_parl2", "q_parl2")


def figure_5(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Aggregate scores with their intervals (Figure 5).

    The published ones stand below ours where the study has the published algorithms and environments, because the
    score of an algorithm depends on all of them.
    """
    numbers = score_intervals(tables).assign(source="this study")
    if comparable(tables):
        numbers = pd.concat([numbers, _published_scores(tables["published"], numbers)], ignore_index=True)
    numbers = with_titles(numbers, settings)
    chart = score_chart(numbers, "aggregate score (performance percentile; higher is better)")
    return theme.finish(chart, "Aggregate score of each algorithm, best first, with three kinds of intervals"), numbers


def table_1(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Aggregate score and rank by PBP, best first (Table 1), with the published score where it can be compared."""
    numbers = score_intervals(tables)
    numbers = numbers[numbers["method"] == numbers["method"].iloc[0]].sort_values("rank", kind="stable")
    scores = published_values(tables["published"], "game_score", ["algorithm"]).set_index("algorithm")["value"]
    known = comparable(tables)
    published = [scores[name] if known else None for name in numbers["algorithm"]]
    return None, with_titles(numbers.drop(columns="replicates").assign(published=published), settings)


def figure_appendix(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Distributions of performance with DKW bands in the environments of `settings["group"]` (Appendix I)."""
    group = settings["group"]
    numbers = bands(tables)
    numbers = numbers[numbers["environment"].str.startswith(f"{group}_")].reset_index(drop=True)
    description = f"Distribution of average returns of each algorithm in each {group}"
    if numbers.empty:
        chart = theme.message(f"This study has no distributions in any {group}.")
    else:
        chart = distribution_chart(numbers, settings, "average return", columns=2, height=220)
    return theme.finish(chart, description), numbers


def table_environment(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Mean return and rank in `settings["environment"]`, best first, with the published mean (Appendix I).

    No rows where the study does not have that environment.
    """
    numbers = mean_intervals(tables)
    numbers = numbers[numbers["environment"] == settings["environment"]].sort_values("rank", kind="stable")
    published = published_values(tables["published"], "mean", ["environment", "algorithm"])
    published = published.rename(columns={"value": "published"})
    numbers = numbers.merge(published, on=["environment", "algorithm"], how="left", validate="1:1")
    return None, with_titles(numbers, settings)


def reproduction(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Every published mean beside ours, and a chart of their differences in standard errors.

    A number that the paper prints for two names of one sample (an algorithm and its scaled variant, on discrete
    environments) is one point of the chart.
    """
    numbers = _comparison(tables)
    description = "Differences between our and the published means in standard errors"
    points = numbers[numbers["z"].notna()].drop_duplicates(["published", "ours", "standard_error"])
    if points.empty:
        return theme.finish(theme.message("No pair has enough runs to say how far it is off."), description), numbers
    names = points["item"].str.split("/", expand=True)
    points = with_titles(points.assign(environment=names[1], algorithm=names[2]), settings)
    return theme.finish(z_chart(points, STANDARD_ERRORS), description), numbers


def verdict(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Sentences and counts for the page: columns item, text, value."""
    intervals = score_intervals(tables)
    rows = run_items(tables["collect/runs"], "trial") + score_items(intervals, settings)
    rows += caption_items(tables, intervals, settings, "trial")
    rows += _claim_items(intervals, settings) + _reproduction_items(_comparison(tables))
    rows += [item("variant", settings["estimate"]["variant"].replace("_", " "))]
    return None, pd.DataFrame(rows)


def comparable(tables: Tables) -> bool:
    """Whether the study has exactly the published algorithms and environments."""
    points = tables[_POINTS]
    ours = points[points["aggregate"] == "mean"]
    published = published_values(tables["published"], "mean", ["environment", "algorithm"])
    return all(set(ours[column]) == set(published[column]) for column in ("algorithm", "environment"))


def _published_scores(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Published scores and limits in the rows (method, algorithm) of ours."""
    value = published_values(published, "game_score", ["algorithm"])
    rows = ours[["method", "algorithm"]].assign(source=PUBLISHED).merge(value, on="algorithm", validate="m:1")
    for limit in ("low", "high"):
        limits = published_values(published, f"game_score_{limit}", ["method", "algorithm"])
        rows = rows.merge(limits.rename(columns={"value": limit}), on=["method", "algorithm"], validate="1:1")
    return rows


def _comparison(tables: Tables) -> pd.DataFrame:
    """Published means beside ours, in our order.

    Scores are left out: they depend on which algorithms and environments take part.
    """
    points = tables[_POINTS]
    ours = items(points[points["aggregate"] == "mean"])
    order = {name: position for position, name in enumerate(ours["item"])}
    return compare(tables["published"], ours).sort_values("item", key=lambda names: names.map(order), ignore_index=True)


def _claim_items(intervals: pd.DataFrame, settings: Mapping) -> list[dict]:
    """Rows `claim` and `claim_verdict`: do both algorithms of the paper's claim (section 6.3) lie above all others?"""
    method = intervals["method"].iloc[0]
    table = intervals[intervals["method"] == method]
    names = titles(table["algorithm"], settings, "algorithm")
    claimed = table["algorithm"].isin(_CLAIMED)
    leaders, others = table[claimed], table[~claimed]
    if len(leaders) < len(_CLAIMED) or others.empty or table["low"].isna().any():
        text = "This study lacks an algorithm of the claim, or the intervals, and cannot test it."
        return [item("claim", text), item("claim_verdict", "not tested")]
    pairs = len(leaders) * len(others)
    above = sum(int((others["high"] < low).sum()) for low in leaders["low"])
    below = sum(int((others["low"] > high).sum()) for high in leaders["high"])
    whose = f"the {METHOD_TITLES[method]} intervals of {joined([names[name] for name in leaders['algorithm']])}"
    if above == pairs:
        text = f"T{whose[1:]} lie above {those_of(others, names, 'all {} other algorithms')}."
        return [item("claim", text, above), item("claim_verdict", "confirmed")]
    text = f"Of the {pairs} comparisons with other algorithms, {whose} lie above in {above} and below in {below}."
    return [
        item("claim", text, above),
        item("claim_verdict", "contradicted" if below else "not settled by these trials"),
    ]


def _reproduction_items(comparison: pd.DataFrame) -> list[dict]:
    """Rows `published`, `reproduced`, `explained`, `differs`: how many published means; how many of each verdict."""
    counts = {name: int((comparison["verdict"] == name).sum()) for name in ("reproduced", "explained", "differs")}
    total = item("published", counted(len(comparison), "published mean"), len(comparison))
    return [total, *(item(name, f"{count}", count) for name, count in counts.items())]
