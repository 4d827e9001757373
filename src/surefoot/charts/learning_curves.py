"""Charts and findings of learning curves: metrics along training, differences, single runs, and steps to a score."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import origin, theme
from surefoot.charts.curves import at_step, curve_chart, steps_axis, steps_title
from surefoot.charts.names import METRICS, colour_order, named, titles_of
from surefoot.charts.selection import against, lower_is_better
from surefoot.charts.sentences import most_places, percent, remarks_of, sharing_of
from surefoot.protocol import SHORT_RUNS
from surefoot.result_tables import Tables
from surefoot.rounding import column_format, counted, joined, written
from surefoot.statistics.runs.run_effects import SHARED
from surefoot.statistics.runs.tables import step_column


@origin.of_analysis
def sample_efficiency_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Draw metrics against steps of training; `settings` may contain `axis` (title of the scores)."""
    titles = titles_of(numbers["algorithm"], settings)
    steps = step_column(numbers)
    unit = steps_title(steps, settings)
    data = numbers[["algorithm", steps, "value", "low", "high"]].assign(panel=named(METRICS, numbers["metric"]))
    y = alt.Y("value:Q", title=settings.get("axis", "score"))
    first = numbers["metric"].iloc[0]
    last = numbers[(numbers["metric"] == first) & (numbers[steps] == numbers[steps].max())]
    best = last.sort_values("value", ascending=lower_is_better(first), kind="stable")["algorithm"]
    by = f"{METRICS.get(first, first)} at the end"
    chart = curve_chart(data, titles, steps_axis(steps, unit), y, best_first=best, by=by)
    return chart, f"Scores by {'steps' if unit == 'step' else unit} of training", numbers


def sample_efficiency_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Report what the bands cover, and the values at the last step, highest first.

    The bands are for single algorithms along the whole training; they do not compare algorithms.
    """
    steps = step_column(table)
    first = table["metric"].iloc[0]
    table = table[table["metric"] == first]
    titles = titles_of(table["algorithm"], settings)
    last = table[table[steps] == table[steps].max()].sort_values("value", ascending=False, kind="stable")
    form = column_format(last["value"].to_numpy())
    values = [f"{titles[row.algorithm]} {written(row.value, form)}" for row in last.itertuples()]
    place = at_step(last[steps].iloc[0], steps, settings)
    simultaneous = settings["questions"].get(settings["analysis"], {}).get("band", "simultaneous") == "simultaneous"
    about = f"The {METRICS.get(first, first)} along training"
    if table["low"].notna().any():
        about += f", with bands that cover {'whole curves' if simultaneous else 'each step separately'}"
    remarks = remarks_of_bands(table, "student" if simultaneous else "percentile")
    return f"{about}. At {place} it is {joined(values)}.{remarks}"


def remarks_of_bands(table: pd.DataFrame, method: str = "student") -> str:
    """Return remarks on bands around curves, with a leading space: whether tasks share runs, and other remarks.

    method : "student" for simultaneous bands, which allow for shared runs, else "percentile"
    """
    if "shared_runs" not in table:  # older records
        return ""
    others = table[~table["shared_runs"].isin(SHARED) | table["low"].isna()]
    return sharing_of(table, method, "bands") + remarks_of(others)


@origin.of_analysis
def curve_differences_chart(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> origin.Described:
    """Draw the lead of the algorithm with the highest last value over each other one, by steps of training."""
    titles = titles_of([*numbers["x"], *numbers["y"]], settings)
    ahead = _ahead(numbers)
    steps = step_column(numbers)
    nearest = ahead[ahead[steps] == ahead[steps].max()].sort_values("value", kind="stable")["other"]
    others = {name: titles[name] for name in nearest}
    metric = METRICS.get(numbers["metric"].iloc[0], numbers["metric"].iloc[0])
    best = titles[ahead["best"].iloc[0]]
    x = steps_axis(steps, steps_title(steps, settings))
    y = alt.Y("value:Q", title=f"{metric} of {best} minus that of others")
    data = ahead.rename(columns={"other": "algorithm"})[["algorithm", steps, "value", "low", "high"]]
    look: dict[str, Any] = {"best_first": nearest, "by": "closeness", "among": colour_order(titles)}
    chart = curve_chart(data, others, x, y, reference=0.0, **look)
    return chart, curve_differences_finding(numbers, settings), numbers


def curve_differences_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Report from which step on the bands of the algorithm with the highest last value exclude 0.

    Simultaneous bands for all steps and pairs are stricter than a comparison of scores, so nothing else is reported.
    """
    titles = titles_of([*table["x"], *table["y"]], settings)
    ahead = _ahead(table)
    steps = step_column(table)
    best = titles[ahead["best"].iloc[0]]
    about = f"Differences between {best}, which is highest at the last step, and each other algorithm"
    if ahead["low"].isna().all():
        return f"{about}.{remarks_of_bands(table)}"
    above = []
    for name, rows in ahead.groupby("other", sort=False):
        # A band of zero width is not evidence about other runs.
        within = ~((rows["low"] > 0) & (rows["high"] > rows["low"])).to_numpy()
        if not within[-1]:
            since = rows[steps].iloc[np.flatnonzero(within)[-1] + 1 if within.any() else 0]
            above.append(f"for {titles[name]} from {at_step(since, steps, settings)} on")
    verdict = f"exclude 0 {joined(above)}" if above else "include 0 at the last step"
    return f"{about}. Bands for all steps and pairs at once {verdict}.{remarks_of_bands(table)}"


def _ahead(numbers: pd.DataFrame) -> pd.DataFrame:
    """Return the lead of the algorithm with the highest last value over each of the others.

    Returns
    -------
    columns best, other, value, low, high, and the column of steps
    """
    steps = step_column(numbers)
    last = numbers[numbers[steps] == numbers[steps].max()]
    worst = pd.concat([last.groupby("x", sort=False)["value"].min(), -last.groupby("y", sort=False)["value"].max()])
    best = worst.groupby(level=0, sort=False).min().idxmax()
    behind = against(numbers, best)
    return behind.assign(best=best, value=-behind["value"], low=-behind["high"], high=-behind["low"])


def run_curves_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Draw one panel per environment, each with its own axes.

    Single runs are thin and faint; the mean over the runs of an algorithm is strong, with pointwise intervals as a
    band.
    """
    numbers = tables["aggregate/run_curves"]
    places = titles_of(numbers["environment"], settings, "environment")
    data = numbers[["algorithm", "step"]].assign(
        value=numbers["score"],
        low=numbers["low"],
        high=numbers["high"],
        panel=numbers["environment"].map(places),
        run=numbers["run_name"].astype(str).where(numbers["curve"] == "run", ""),
    )
    drawn = titles_of(numbers["algorithm"], settings, "algorithm")
    x = steps_axis("step")
    y = alt.Y("value:Q", title="score", scale=alt.Scale(zero=False))
    ends = numbers[numbers["curve"] == "mean"].drop_duplicates(["environment", "algorithm"], keep="last")
    ranks = ends.groupby("environment")["score"].rank(ascending=False).groupby(ends["algorithm"], sort=False).mean()
    best = ranks.sort_values(kind="stable").index
    by = "the mean of the ranks at the end"
    chart = curve_chart(data, drawn, x, y, height=190, independent=("x", "y"), best_first=best, by=by)
    description = f"Learning curves of single runs and their means, of {', '.join(drawn.values())}, in "
    return theme.finish(chart, description + counted(len(places), "environment")), numbers


def run_curves_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Describe the lines and bands, and state how many runs are drawn if not all are."""
    counts = table.drop_duplicates(["algorithm", "environment"])
    runs = int(counts["runs"].sum())
    drawn = len(table.loc[table["curve"] == "run", ["algorithm", "environment", "run_name"]].drop_duplicates())
    names = titles_of(table["algorithm"], settings)
    more = _unfinished(counts, settings)
    if drawn < runs:
        more += f" Drawn: {drawn:,} of the {runs:,} runs, the first of each algorithm."
    if len(names) == 1:
        return f"Learning curves of {counted(runs, 'run')} of {joined(list(names.values()))}.{more}"
    if table["low"].isna().all():
        return f"Learning curves of single runs. No interval shows whether their differences are chance.{more}"
    level = percent(settings["confidence"])
    return f"Mean scores of each algorithm in each environment, with {level} intervals at each step.{more}"


def _unfinished(counts: pd.DataFrame, settings: Mapping[str, Any]) -> str:
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
    names, places = (titles_of(early[column], settings, column) for column in ("algorithm", "environment"))
    which = [
        f"{row.early:,} of {counted(row.all, 'run')} of {names[row.algorithm]} in {places[row.environment]}"
        for row in early.itertuples()
    ]
    what = "Ended early or left no score" if counts["no_score"].any() else "Ended early"
    return f" {what}: {joined(which)}. In the mean as in the scores, {SHORT_RUNS[policy]}."


_FEW = 20
"""Fewest runs whose limits are drawn; wider limits would fill the panel and are only in the table."""


def steps_to_threshold_chart(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Draw the share of runs that have reached the score, by steps, one panel per environment."""
    numbers, shares = (tables[f"estimate/steps_to_threshold{more}"] for more in ("", "_curves"))
    named = titles_of(numbers["algorithm"], settings, "algorithm")
    places = titles_of(numbers["environment"], settings, "environment")
    best = shares.groupby("algorithm", sort=False)["share"].mean().sort_values(ascending=False, kind="stable").index
    bands = [] if numbers["runs"].min() < _FEW else ["low", "high"]
    data = shares[["algorithm", "step", *bands]].assign(value=shares["share"], panel=shares["environment"].map(places))
    x = steps_axis("step")
    y = alt.Y("value:Q", title="share of runs that reached the score", scale=alt.Scale(domain=[0, 1]))
    look: dict[str, Any] = {"height": 190, "step": True, "independent": ["x"]}
    chart = curve_chart(data, named, x, y, best_first=best, by="the mean share", **look)
    description = f"Share of runs that reached a score by steps, of {', '.join(named.values())}"
    return theme.finish(chart, description), numbers


def steps_to_threshold_finding(table: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    """Report which algorithm needed the fewest steps where, and how many runs reached the score."""
    names = titles_of(table["algorithm"], settings)
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
