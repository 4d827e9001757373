"""Charts and summary sentences for learning curves.

They show metrics over training, differences between algorithms, single runs, and the steps needed to reach a score.
"""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.curve_layout import at_step, curve_chart, steps_axis, steps_title
from surefoot.charts.names import METRICS, Titles, named, spoken_metric, titles_of
from surefoot.charts.selection import against, lower_is_better, lower_scores
from surefoot.charts.sentences import most_places, percent, remarks_of, sharing_of
from surefoot.errors import counted
from surefoot.rounding import column_format, joined, written
from surefoot.runs.protocol_card import SHORT_RUNS
from surefoot.statistics.runs.score_arrays import step_column
from surefoot.statistics.runs.shared_run_findings import PARTLY, SHARED


def sample_efficiency_chart(
    table: pd.DataFrame, *, titles: Titles = None, axis: str = "score", steps_in_percent: bool = False
) -> alt.TopLevelMixin:
    """Draw metrics against steps of training.

    Parameters
    ----------
    table : result of `sample_efficiency`
    titles : titles of algorithms by name
    axis : title of the score axis
    steps_in_percent : True if steps are in percent of the training
    """
    labels = titles_of(table["algorithm"], titles)
    steps = step_column(table)
    unit = steps_title(steps, steps_in_percent)
    data = table[["algorithm", steps, "estimate", "low", "high"]].assign(panel=named(METRICS, table["metric"]))
    y = alt.Y("estimate:Q", title=axis)
    first = table["metric"].iloc[0]
    last = table[(table["metric"] == first) & (table[steps] == table[steps].max())]
    best = last.sort_values("estimate", ascending=lower_is_better(first) or lower_scores(table), kind="stable")[
        "algorithm"
    ]
    by = f"{METRICS.get(first, first)} at the end"
    chart = curve_chart(data, labels, steps_axis(steps, unit), y, best_first=best, by=by)
    return theme.finish(chart, f"Scores by {'steps' if unit == 'step' else unit} of training")


def sample_efficiency_finding(
    table: pd.DataFrame, *, titles: Titles = None, steps_in_percent: bool = False, band: str = "simultaneous"
) -> str:
    """State what the bands cover, and the values at the last step, highest first.

    The bands are for single algorithms over the whole training; they do not compare algorithms.
    """
    steps = step_column(table)
    first = table["metric"].iloc[0]
    table = table[table["metric"] == first]
    labels = titles_of(table["algorithm"], titles)
    last = table[table[steps] == table[steps].max()].sort_values("estimate", ascending=False, kind="stable")
    form = column_format(last["estimate"].to_numpy())
    values = [f"{labels[row.algorithm]} {written(row.estimate, form)}" for row in last.itertuples()]
    place = at_step(last[steps].iloc[0], steps, steps_in_percent)
    simultaneous = band == "simultaneous"
    about = f"The {spoken_metric(first)} along training"
    if table["low"].notna().any():
        about += f", with bands that cover {'whole curves' if simultaneous else 'each step separately'}"
    remarks = remarks_of_bands(table, "student" if simultaneous else "percentile")
    return f"{about}. At {place} it is {joined(values)}.{remarks}"


def remarks_of_bands(table: pd.DataFrame, method: str = "student") -> str:
    """Return all remarks on bands around curves, including whether tasks share runs, with a leading space.

    method : "student" for simultaneous bands, which allow for shared runs, else "percentile"
    """
    if "shared_runs" not in table:  # older records
        return ""
    others = table[~table["shared_runs"].isin((*SHARED, PARTLY)) | table["low"].isna()]
    return sharing_of(table, method, "bands") + remarks_of(others)


def curve_differences_chart(
    table: pd.DataFrame, *, titles: Titles = None, steps_in_percent: bool = False
) -> alt.TopLevelMixin:
    """Draw the lead of the algorithm with the highest last value over each of the others, by training step.

    With a baseline, draw the lead of each other algorithm over it.
    """
    labels = titles_of([*table["algorithm"], *table["baseline"]], titles)
    steps = step_column(table)
    metric = METRICS.get(table["metric"].iloc[0], table["metric"].iloc[0])
    if "comparisons" in table:
        data = table
        by = "the difference at the end"
        title = f"{metric} minus that of {labels[table['baseline'].iloc[0]]}"
    else:
        ahead = _ahead(table)
        data = ahead.assign(algorithm=ahead["other"])
        by = "closeness"
        title = f"{metric} of {labels[ahead['best'].iloc[0]]} minus that of others"
    last = data[data[steps] == data[steps].max()]
    order = last.sort_values("estimate", ascending="comparisons" not in table, kind="stable")["algorithm"]
    others = {name: labels[name] for name in order}
    x = steps_axis(steps, steps_title(steps, steps_in_percent))
    y = alt.Y("estimate:Q", title=title)
    data = data[["algorithm", steps, "estimate", "low", "high"]]
    look: dict[str, Any] = {"best_first": order, "by": by, "among": sorted(labels)}
    chart = curve_chart(data, others, x, y, reference=0.0, **look)
    finding = curve_differences_finding(table, titles=titles, steps_in_percent=steps_in_percent)
    return theme.finish(chart, finding)


def curve_differences_finding(table: pd.DataFrame, *, titles: Titles = None, steps_in_percent: bool = False) -> str:
    """Report from which step on the bands of differences from the leader, or from the baseline, exclude 0.

    The leader is the algorithm with the highest last value. If a band includes 0, nothing is concluded: simultaneous
    bands for all steps and pairs are stricter than a comparison of final scores.
    """
    labels = titles_of([*table["algorithm"], *table["baseline"]], titles)
    if "comparisons" in table:
        leads = table.assign(other=table["algorithm"])
        about = f"Differences between each algorithm and {labels[table['baseline'].iloc[0]]}"
        family = "all steps of these comparisons"
    else:
        leads = _ahead(table)
        best = labels[leads["best"].iloc[0]]
        about = f"Differences between {best}, which is highest at the last step, and each other algorithm"
        family = "all steps and pairs"
    if leads["low"].isna().all():
        return f"{about}.{remarks_of_bands(table)}"
    apart = _apart_since(leads, labels, steps_in_percent, says_where="comparisons" in table)
    verdict = f"exclude 0 {joined(apart)}" if apart else "include 0 at the last step"
    return f"{about}. Bands for {family} at once {verdict}.{remarks_of_bands(table)}"


def _apart_since(leads: pd.DataFrame, labels: Mapping[str, str], steps_in_percent: bool, says_where: bool) -> list[str]:
    """Describe from which step on the band of each algorithm excludes 0.

    Algorithms whose band includes 0 at the last step are left out.

    says_where : True to state whether a band is above or below 0
    """
    steps = step_column(leads)
    apart = []
    for name, rows in leads.groupby("other", sort=False):
        # A band of zero width is not evidence about other runs.
        has_width = rows["high"] > rows["low"]
        is_above = rows["estimate"].iloc[-1] > 0
        within = ~((rows["low"] > 0 if is_above else rows["high"] < 0) & has_width).to_numpy()
        if not within[-1]:
            since = rows[steps].iloc[np.flatnonzero(within)[-1] + 1 if within.any() else 0]
            where = f" ({'above' if is_above else 'below'} it)" if says_where else ""
            apart.append(f"for {labels[name]} from {at_step(since, steps, steps_in_percent)} on{where}")
    return apart


def _ahead(numbers: pd.DataFrame) -> pd.DataFrame:
    """Return the lead of the algorithm with the highest last value over each of the others.

    Returns
    -------
    columns best, other, estimate, low, high, and the column of steps
    """
    steps = step_column(numbers)
    last = numbers[numbers[steps] == numbers[steps].max()]
    worst = pd.concat(
        [
            last.groupby("algorithm", sort=False)["estimate"].min(),
            -last.groupby("baseline", sort=False)["estimate"].max(),
        ]
    )
    best = worst.groupby(level=0, sort=False).min().idxmax()
    behind = against(numbers, best)
    return behind.assign(best=best, estimate=-behind["estimate"], low=-behind["high"], high=-behind["low"])


def run_curves_chart(
    table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None
) -> alt.TopLevelMixin:
    """Draw the learning curves of single runs and their means, one panel per environment with separate axes.

    Single runs are thin and faint lines; the mean over the runs of an algorithm is a thick line, with pointwise
    intervals as a band.
    """
    places = titles_of(table["environment"], environment_titles)
    data = table[["algorithm", "step"]].assign(
        estimate=table["score"],
        low=table["low"],
        high=table["high"],
        panel=table["environment"].map(places),
        run=table["run_name"].astype(str).where(table["curve"] == "run", ""),
    )
    drawn = titles_of(table["algorithm"], titles)
    x = steps_axis("step")
    y = alt.Y("estimate:Q", title="score", scale=alt.Scale(zero=False))
    ends = table[table["curve"] == "mean"].drop_duplicates(["environment", "algorithm"], keep="last")
    ranks = ends.groupby("environment")["score"].rank(ascending=False).groupby(ends["algorithm"], sort=False).mean()
    best = ranks.sort_values(kind="stable").index
    by = "the mean of the ranks at the end"
    chart = curve_chart(data, drawn, x, y, height=190, independent=("x", "y"), best_first=best, by=by)
    description = f"Learning curves of single runs and their means, of {', '.join(drawn.values())}, in "
    return theme.finish(chart, description + counted(len(places), "environment"))


def run_curves_finding(
    table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None, confidence_level: float = 0.95
) -> str:
    """Describe the lines and bands, and state how many runs are drawn if not all are."""
    counts = table.drop_duplicates(["algorithm", "environment"])
    runs = int(counts["runs"].sum())
    drawn = len(table.loc[table["curve"] == "run", ["algorithm", "environment", "run_name"]].drop_duplicates())
    names = titles_of(table["algorithm"], titles)
    more = _unfinished(counts, titles, environment_titles)
    if drawn < runs:
        more += f" Drawn: {drawn:,} of the {runs:,} runs, the first of each algorithm."
    if len(names) == 1:
        return f"Learning curves of {counted(runs, 'run')} of {joined(list(names.values()))}.{more}"
    if table["low"].isna().all():
        return f"Learning curves of single runs. No interval shows whether their differences are chance.{more}"
    level = percent(confidence_level)
    return f"Mean scores of each algorithm in each environment, with {level} intervals at each step.{more}"


def _unfinished(counts: pd.DataFrame, titles: Titles, environment_titles: Titles) -> str:
    """Report how many runs ended early or left no score, and how the mean treats them.

    Parameters
    ----------
    counts : one row per algorithm and environment
    """
    policy = counts["short_runs"].iloc[0]
    without = counts["no_score"] if policy == "worst_score" else 0
    counts = counts.assign(early=counts["ended_early"] + without, all=counts["runs"] + without)
    counts["all"] += counts["ended_early"] if policy == "drop" else 0
    early = counts[counts["early"] > 0]
    if early.empty:
        return ""
    names = titles_of(early["algorithm"], titles)
    places = titles_of(early["environment"], environment_titles)
    which = [
        f"{row.early:,} of {counted(row.all, 'run')} of {names[row.algorithm]} in {places[row.environment]}"
        for row in early.itertuples()
    ]
    what = "Ended early or left no score" if counts["no_score"].any() else "Ended early"
    return f" {what}: {joined(which)}. In the mean as in the scores, {SHORT_RUNS[policy]}."


_FEW = 20
"""Smallest number of runs for which limits are drawn. With fewer runs, they would fill the panel, and are only in the
table.
"""


def steps_to_threshold_chart(
    table: pd.DataFrame, curves: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None
) -> alt.TopLevelMixin:
    """Draw the share of runs that have reached the score, by steps, one panel per environment."""
    named = titles_of(table["algorithm"], titles)
    places = titles_of(table["environment"], environment_titles)
    best = curves.groupby("algorithm", sort=False)["share"].mean().sort_values(ascending=False, kind="stable").index
    bands = [] if table["runs"].min() < _FEW else ["low", "high"]
    data = curves[["algorithm", "step", *bands]].assign(
        estimate=curves["share"], panel=curves["environment"].map(places)
    )
    x = steps_axis("step")
    y = alt.Y("estimate:Q", title="share of runs that reached the score", scale=alt.Scale(domain=[0, 1]))
    look: dict[str, Any] = {"height": 190, "step": True, "independent": ["x"]}
    chart = curve_chart(data, named, x, y, best_first=best, by="the mean share", **look)
    description = f"Share of runs that reached a score by steps, of {', '.join(named.values())}"
    return theme.finish(chart, description)


def steps_to_threshold_finding(table: pd.DataFrame, *, titles: Titles = None) -> str:
    """Report in how many environments each algorithm needed the fewest steps, and how many runs reached the score."""
    names = titles_of(table["algorithm"], titles)
    counts = table.groupby("algorithm", sort=False)[["reached", "runs"]].sum()
    reached = [f"{row.reached:,} of {row.runs:,} runs of {names[row.Index]}" for row in counts.itertuples()]
    reached_by = f"It was reached by {joined(reached)}."
    with_median = table.dropna(subset="median")
    if with_median.empty:
        return f"In no environment did half of the runs reach the score. {reached_by}"
    soonest = with_median[with_median["median"] == with_median.groupby("environment")["median"].transform("min")]
    soonest = soonest.assign(title=soonest["algorithm"].map(names))
    first = most_places(soonest, table["environment"].nunique())
    return f"Fewest steps to the score, by medians: {first}. {reached_by}"
