"""Tables and figures that compare scores: all scores, the best agents, z-scores, and joint tests.

Our scores are compared with published ones, and with scores of the authors' program.
"""

import altair as alt
import numpy as np
import pandas as pd

from surefoot.bayesian.bayesian_registry import EXPERIMENTS
from surefoot.charts import theme
from surefoot.charts.names import Titles, titles_of
from surefoot.charts.published_numbers import published_chart, with_labels, z_chart
from surefoot.papers.castronovo2016.comparison import CLAIM, LIBRARY, MEAN, raised_by_selection, scored_agents
from surefoot.statistics.arrays import Booleans, Floats
from surefoot.statistics.comparison.metric_differences import student_pairs
from surefoot.statistics.comparison.paired_plays import NORMAL_QUANTILE
from surefoot.statistics.comparison.simultaneous_comparisons import compare_estimates, not_worse
from surefoot.statistics.reproduction.items import of_quantity, quantities, read_item
from surefoot.statistics.reproduction.joint_tests import joint_summary, shared_error_tests
from surefoot.statistics.reproduction.published_comparison import contradicted_first, critical_value, of_more_runs

LABELS = {MEAN: "{2}, {1}, {0} case", LIBRARY: "The authors' program: {2}, {1}, {0} case"}


def compared_scores(
    published: pd.DataFrame,
    run: pd.DataFrame,
    record: pd.DataFrame,
    titles: Titles = None,
    environment_titles: Titles = None,
) -> pd.DataFrame:
    """Return every published score with ours, which is from the record or from this run, whichever has more MDPs.

    Rows are in the published order; claims are left out.

    The columns are those returned by `compare`, corrected and corrected_trials (from the record), choices (number of
    settings from which the paper selected the best score; missing without selection), environment, environment_title,
    algorithm, title and agent (the title with the parameters).
    """
    rows = of_quantity(of_more_runs(run, record), MEAN, LIBRARY)
    place = {name: number for number, name in enumerate(published["item"])}
    rows = rows.sort_values("item", key=lambda items: items.map(place), ignore_index=True)
    names = scored_agents(rows["item"])
    names["environment_title"] = names["environment"].map(titles_of(names["environment"], environment_titles))
    names["title"] = names["algorithm"].map(titles_of(names["algorithm"], titles))
    shown = names["parameters"].str.removeprefix("formula=")
    names["agent"] = names["title"] + ("(" + shown + ")").where(shown != "", "")
    rows["choices"] = rows["item"].map(published.set_index("item")["choices"])
    columns = ["environment", "environment_title", "algorithm", "title", "agent"]
    return rows.join(names[columns])


def table_reproduction(
    published: pd.DataFrame,
    run: pd.DataFrame,
    record: pd.DataFrame,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
) -> pd.DataFrame:
    """Return the scores of `compared_scores` and the claims, with labels; contradicted claims come first."""
    rows = compared_scores(published, run, record, titles, environment_titles)
    named = {**(environment_titles or {}), **(titles or {})}
    named |= {name: experiment.title for name, experiment in EXPERIMENTS.items()}
    named |= {read_item(item).of[-1]: agent for item, agent in zip(rows["item"], rows["agent"], strict=True)}
    claims = of_quantity(of_more_runs(run, record), CLAIM)
    parts = [part for part in (rows, claims) if len(part)] or [rows]
    judged = contradicted_first(pd.concat(parts, ignore_index=True))
    return with_labels(judged, LABELS, named, published)


def figure_best_numbers(
    published: pd.DataFrame,
    run: pd.DataFrame,
    record: pd.DataFrame,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
) -> pd.DataFrame:
    """Return our scores of the paper's agents in each environment.

    `among_best` marks agents tied with the best of their environment, by simultaneous 95 % intervals for all pairs.
    Agents play the same MDPs, but are compared as if they played different ones, which is conservative.

    Returns
    -------
    DataFrame
        Columns environment, environment_title, algorithm, title, agent, estimate, low, high (of 95 % intervals), runs,
        published, among_best.
    """
    table = of_quantity(compared_scores(published, run, record, titles, environment_titles), MEAN)
    printed = published.set_index("item")
    spread = table["item"].map(printed["standard_error"]).fillna(0.0) * table["item"].map(printed["runs"]) ** 0.5
    error = spread.astype(float) / table["runs"].astype(float) ** 0.5
    table = table.assign(estimate=table["ours"].astype(float), error=error)
    table["low"], table["high"] = (table["estimate"] + side * NORMAL_QUANTILE * error for side in (-1, 1))
    degrees = np.maximum(table["item"].map(printed["runs"]).astype(float) - 1.0, 1.0)
    table["among_best"] = False
    for _, part in table.assign(degrees=degrees).groupby("environment", sort=False):
        table.loc[part.index, "among_best"] = _tied(*part[["estimate", "error", "degrees"]].to_numpy().T)
    order = {name: place for place, name in enumerate(environment_titles or {})}
    table = table.assign(place=table["environment"].map(order)).sort_values("place", kind="stable", ignore_index=True)
    columns = ["environment", "environment_title", "algorithm", "title", "agent", "estimate", "low", "high", "runs"]
    return table[[*columns, "published", "among_best"]]


def _tied(values: Floats, errors: Floats, degrees: Floats) -> Booleans:
    """Return True for independent estimates that are tied with the best."""
    if len(values) < 2:
        return np.ones(len(values), dtype=bool)
    pairs = student_pairs(values, errors, degrees)
    return not_worse(pairs, compare_estimates(pairs, errors, degrees, 0.95))


def figure_best(
    published: pd.DataFrame,
    run: pd.DataFrame,
    record: pd.DataFrame,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
) -> alt.TopLevelMixin:
    """Draw our scores of agents and the published ones, one panel per environment, with the best emphasized."""
    numbers = figure_best_numbers(published, run, record, titles=titles, environment_titles=environment_titles)
    shown = numbers.assign(panel=numbers["environment_title"], emphasised=numbers["among_best"])
    chart = published_chart(shown, "mean return", columns=3)
    return theme.finish(chart, "Mean return of each agent in each environment, with the published ones")


figure_differences_numbers = compared_scores


def figure_differences(
    published: pd.DataFrame,
    run: pd.DataFrame,
    record: pd.DataFrame,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
) -> alt.TopLevelMixin:
    """Plot our scores minus the published ones, divided by the standard error of the difference.

    Scores without a standard error are omitted.
    """
    numbers = figure_differences_numbers(published, run, record, titles, environment_titles)
    points = numbers[numbers["z"].notna()].reset_index(drop=True)
    if points.empty:
        text = "No agent of the paper played 200 MDPs, the smallest number for a standard error."
        return theme.finish(theme.message(text), text)
    description = "Differences between our scores and the published ones, in standard errors"
    return theme.finish(z_chart(points, critical_value(len(numbers))), description)


def table_selection(selection: pd.DataFrame) -> pd.DataFrame:
    """Return how far our scores may be below the published ones because of selection.

    The table has a single row, with settings_correlation, agents_correlation, scores, shift and deviation, from
    `benchmarks/castronovo2016_selection.py`.
    """
    return selection


def table_summary(published: pd.DataFrame, run: pd.DataFrame, record: pd.DataFrame) -> pd.DataFrame:
    """Summarize the z-scores of published scores: differences from ours, divided by their standard errors.

    Published scores that are the best of several means are summarized separately from the others. The columns are those
    of `joint_summary`.
    """
    rows = compared_scores(published, run, record)
    groups = np.where(rows["choices"].notna(), "the best of several means", "others")
    return joint_summary(rows["z"].astype(float), pd.Series(groups, index=rows.index))


def table_joint(
    published: pd.DataFrame, run: pd.DataFrame, record: pd.DataFrame, *, environment_titles: Titles = None
) -> pd.DataFrame:
    """Compute joint tests of published scores for each distribution over MDPs, and of the authors' program.

    The columns are whose (source of the scores: "paper" or "authors' program"), environment_title, and the columns of
    `shared_error_tests`.
    """
    rows = compared_scores(published, run, record, environment_titles=environment_titles)
    rows = rows[rows["standard_error"].astype(float) > 0].reset_index(drop=True)
    program = quantities(rows["item"]) == LIBRARY
    published_rows = published.set_index("item").reindex(rows["item"]).reset_index()
    difference = (rows["ours"] - rows["published"]).astype(float) / rows["standard_error"].astype(float)
    raised = raised_by_selection(published_rows) / rows["standard_error"].astype(float)
    whose = program.map({True: "authors' program", False: "paper"})
    groups = list(zip(whose, rows["environment"], rows["environment_title"], strict=True))
    tests = shared_error_tests(pd.DataFrame({"group": groups, "z": difference, "raised": raised}))
    names = pd.DataFrame(tests.pop("group").tolist(), columns=["whose", "environment", "environment_title"])
    return pd.concat([names.drop(columns="environment"), tests], axis=1)
