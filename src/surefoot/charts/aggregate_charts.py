"""Charts and summary sentences for aggregate metrics over all tasks, and for the mean of each task."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.forms import interval_panels
from surefoot.charts.names import METHODS, METRICS, SCORES, Titles, named, spoken_metric, titles_of
from surefoot.charts.selection import best_first, first_metric, lower_scores
from surefoot.charts.sentences import (
    by_whole_runs,
    capitalised,
    counted,
    estimate,
    percent,
    remarks_of,
    sharing_of,
)
from surefoot.errors import conjugated, listed


def aggregate_metrics_chart(
    table: pd.DataFrame, *, titles: Titles = None, confidence_level: float = 0.95
) -> alt.TopLevelMixin:
    """Draw each metric with its intervals by the first method, one panel per metric and set of scores.

    Parameters
    ----------
    table : result of `aggregate_metrics`
    titles : titles of algorithms by name
    confidence_level : confidence level of the intervals
    """
    data = _of_first_method(table)
    first = first_metric(table)
    best = best_first(data)["algorithm"]
    data = data.sort_values("metric", key=lambda names: names != first, kind="stable")
    several = data["scores"].nunique() > 1
    panels = named(METRICS, data["metric"]) + (", " + named(SCORES, data["scores"]) if several else "")
    chart = interval_panels(
        data.assign(panel=panels), best, data["metric"].nunique(), spoken_metric(first), titles=titles
    )
    description = f"{', '.join(dict.fromkeys(panels))} of each algorithm with {percent(confidence_level)} intervals"
    return theme.finish(chart, description)


def methods_table(table: pd.DataFrame, *, titles: Titles = None) -> pd.DataFrame:
    """Tabulate every interval of each metric.

    The columns are algorithm, title, metric_title, estimate, and the lower and upper limit of each method.
    """
    keys = ["metric", "algorithm", "estimate"]
    rows = table[keys].drop_duplicates()
    for method, limits in table.groupby("method", sort=False)[[*keys, "low", "high"]]:
        ends = {end: f"{method}_{end}" for end in ("low", "high")}
        rows = rows.merge(limits.rename(columns=ends), on=keys, how="left")
    columns = [f"{method}_{end}" for method in METHODS for end in ("low", "high") if f"{method}_{end}" in rows]
    first, second = (rows[key].map(list(dict.fromkeys(rows[key])).index) for key in ("metric", "algorithm"))
    rows = rows.iloc[np.lexsort((second, first))].reset_index(drop=True)
    rows["title"] = rows["algorithm"].map(titles_of(rows["algorithm"], titles))
    rows["metric_title"] = named(METRICS, rows["metric"])
    return rows[["algorithm", "title", "metric_title", "estimate", *columns]]


def aggregate_metrics_caption(intervals: pd.DataFrame, runs_of_study: pd.DataFrame | None = None) -> str:
    """Return the numbers of runs, tasks and resamples, followed by remarks on the intervals of the first method.

    The table of intervals only contains the smallest number of runs per task of each algorithm. The largest number is
    counted in `runs_of_study`, the table of runs.
    """
    low = int(intervals["runs"].min())
    high = int(intervals["runs"].max())
    if runs_of_study is not None:
        own = runs_of_study[runs_of_study["algorithm"].isin(intervals["algorithm"])]
        counts = own.groupby(["algorithm", "environment"], observed=True).size()
        high = max(high, int(counts.max())) if counts.min() == low else high
    tasks = intervals["tasks"].iloc[0]
    n_resamples = intervals["n_resamples"].iloc[0]
    runs = counted(low, "run") if low == high else f"{low:,} to {high:,} runs"
    text = f"{capitalised(runs)} of each algorithm on each of {counted(tasks, 'task')}, {n_resamples:,} resamples."
    return text + remarks_of(_of_first_method(intervals))


def aggregate_metrics_finding(table: pd.DataFrame, *, titles: Titles = None) -> str:
    """Report the first metric of each algorithm with its interval, and name the question that compares them."""
    ordered = best_first(_of_first_method(table))
    names = titles_of(ordered["algorithm"], titles)
    estimates = [(names[row.algorithm], estimate(row.estimate, row.low, row.high)) for row in ordered.itertuples()]
    whole_runs = by_whole_runs(ordered.iloc[0], f"the interval of {estimates[0][0]}")
    shown = ordered.iloc[[0, -1]]
    remark = sharing_of(ordered) + whole_runs + remarks_of(shown[shown["low"] == shown["high"]])
    return _first_and_last(f"The {spoken_metric(first_metric(table))}", estimates, "multiple_comparisons") + remark


def _first_and_last(what: str, estimates: Sequence[tuple[str, str]], question: str) -> str:
    """Return a sentence that gives the first and the last estimate.

    The sentence does not call any algorithm the best. It refers to a question that compares the algorithms.

    Parameters
    ----------
    what : name of the estimated quantity, as the subject of the sentence
    estimates : (title of the algorithm, formatted estimate), in order
    question : name of the question
    """
    (first, of_first), (last, of_last) = estimates[0], estimates[-1]
    if len(estimates) == 1:
        return f"{what} of {first} is {of_first}."
    others = len(estimates) - 2
    count = "one" if others == 1 else others
    between = f" The other {count} {conjugated('are', others)} in between." if others > 0 else ""
    return f"{what} is {of_first} for {first} and {of_last} for {last}.{between} Ask `{question}` which differ."


def _of_first_method(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the first method in the table, the one that summary sentences report."""
    return table[table["method"] == table["method"].iloc[0]]


_LISTED = 4
"""Largest number of environments whose means are named in a sentence."""
_FEW = 30
"""Number of runs per task below which Student's interval may miss the mean in half of all studies, if scores are skewed
or failures are rare.
"""


def task_means_table(table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None) -> pd.DataFrame:
    """Tabulate the mean of each algorithm in each environment, in the order of the study.

    The columns are environment and algorithm (titles), runs, mean, low, high.
    """
    names = titles_of(table["algorithm"], titles)
    places = titles_of(table["environment"], environment_titles)
    order = pd.MultiIndex.from_product([places, names], names=["environment", "algorithm"])
    ordered = table.set_index(["environment", "algorithm"])[["runs", "mean", "low", "high"]]
    ordered = ordered.loc[order[order.isin(ordered.index)]].reset_index()
    return ordered.assign(environment=ordered["environment"].map(places), algorithm=ordered["algorithm"].map(names))


def task_means_chart(
    table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None, confidence_level: float = 0.95
) -> alt.TopLevelMixin:
    """Draw the mean of each algorithm with its interval, one panel per environment.

    Parameters
    ----------
    table : result of `task_means`
    titles, environment_titles : titles of algorithms and of environments by name
    confidence_level : confidence level of the intervals
    """
    places = titles_of(table["environment"].astype(str), environment_titles)
    data = table.assign(estimate=table["mean"], panel=table["environment"].astype(str).map(places))
    # Ranks are comparable between environments; means in their own units are not.
    ranks = data.groupby("environment", sort=False)["mean"].rank(ascending=lower_scores(table))
    best = ranks.groupby(data["algorithm"], sort=False).mean().sort_values(kind="stable").index
    chart = interval_panels(data, list(best), 3, "the mean rank", titles=titles)
    description = f"Mean score of each algorithm in each environment, with {percent(confidence_level)} intervals"
    return theme.finish(chart, description)


def task_means_finding(table: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None) -> str:
    """Report the highest and the lowest mean, if there is a single environment.

    For a single algorithm, report its mean in every environment. For several algorithms in several environments, only
    report how many there are.
    """
    names = titles_of(table["algorithm"], titles)
    if len(names) == 1:
        where = titles_of(table["environment"], environment_titles)
        title = next(iter(names.values()))
        means = [f"{estimate(row.mean, row.low, row.high)} in {where[row.environment]}" for row in table.itertuples()]
        return f"The mean score of {title} is {listed(means, _LISTED)}.{task_means_caption(table)}"
    places = table["environment"].nunique()
    if places > 1:
        counts = f"{counted(len(names), 'algorithm')} in {counted(places, 'environment')}"
        ask = "`pairwise_differences` with per_task says which differ."
        return f"Means of {counts}. {ask}{task_means_caption(table)}"
    lower = lower_scores(table)
    rows = table.sort_values("mean", ascending=lower, kind="stable").itertuples()
    estimates = [(names[row.algorithm], estimate(row.mean, row.low, row.high)) for row in rows]
    return _first_and_last("The mean", estimates, "pairwise_differences") + task_means_caption(table)


def task_means_caption(means: pd.DataFrame) -> str:
    """Return a caveat on Student's intervals for few runs, and the number of intervals with zero width."""
    text = ""
    fewest = int(means["runs"].min())
    if 1 < fewest < _FEW:
        text += f" With {fewest} runs, an interval is right only if scores are nearly normal, without rare failures."
    if count := int((means["low"] == means["high"]).sum()):
        whose = "1 interval that has" if count == 1 else f"{count:,} intervals that have"
        text += f" Runs with equal scores give {whose} no width, which says nothing about other runs."
    return text
