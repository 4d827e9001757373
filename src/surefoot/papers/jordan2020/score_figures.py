"""Figures and tables of this paper: aggregate scores, mean returns, rates of coverage, and joint tests.

The module reproduces Figure 5, Tables 1 and 5, and Appendix I.
"""

import math

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.forms import row_chart
from surefoot.charts.names import Titles, titles_of, with_titles
from surefoot.charts.published_numbers import published_chart, z_chart
from surefoot.charts.selection import (
    METHOD_TITLES,
    coverage_rows,
    published_values,
    recorded_coverage,
    recorded_scores,
    remarks,
    score_intervals,
)
from surefoot.charts.sentences import separated_pairs
from surefoot.charts.subsample_charts import coverage_figure, with_method_titles
from surefoot.papers.jordan2020.evidence import is_published_selection
from surefoot.simulation.simulation_registry import ENVIRONMENTS
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS
from surefoot.statistics.reproduction.items import item_parts, item_texts, of_quantity, quantities, read_item
from surefoot.statistics.reproduction.joint_tests import ALL, joint_summary, joint_tests
from surefoot.statistics.reproduction.published_comparison import critical_value, of_more_runs

_RANKS = ("rank", "rank_low", "rank_high")
REACH = 2
"""Length of bars to each side, as a multiple of the standard error of the difference from the published number."""
CLAIMED = ("sarsa_parl2", "q_parl2")
"""Algorithms that are better than all others according to the paper (section 6.3)."""


def shown_scores(
    points: pd.DataFrame, published: pd.DataFrame, intervals: pd.DataFrame | None, record: pd.DataFrame | None
) -> tuple[pd.DataFrame, bool]:
    """Return the aggregate scores to display, for every method, and True if they are from the record of the large run.

    The record is used if it has more trials than this run.
    """
    recorded = recorded_scores(points, record)
    if recorded is None or not is_published_selection(points, published, recorded):
        return score_intervals(points, intervals), False
    return recorded, True


def figure_5_numbers(
    points: pd.DataFrame,
    published: pd.DataFrame,
    intervals: pd.DataFrame | None = None,
    record: pd.DataFrame | None = None,
    run_compared: pd.DataFrame | None = None,
    record_compared: pd.DataFrame | None = None,
    *,
    titles: Titles = None,
) -> pd.DataFrame:
    """Tabulate the aggregate scores and the published ones, best first.

    The scores come from the run with more trials, this one or the large one.

    The published score (column published) and its rank by PBP (published_rank, published_rank_low and
    published_rank_high) are included only if the study has the published algorithms and environments, because the score
    of an algorithm depends on all of them. The column z is the difference from the published score divided by its
    standard error, and source is "large run" or "this run".
    """
    shown, recorded = shown_scores(points, published, intervals, record)
    quoted = shown[shown["method"] == shown["method"].iloc[0]]
    numbers = quoted.sort_values("rank", kind="stable").drop(columns="n_resamples")
    numbers = numbers.assign(source="large run" if recorded else "this run")
    comparable = is_published_selection(points, published, shown)
    scores = published_values(published, "game_score", ["algorithm"]).set_index("algorithm")["estimate"]
    numbers["published"] = numbers["algorithm"].map(scores) if comparable else None
    for rank in _RANKS:
        values = published_values(published, f"game_score_{rank}", ["method", "algorithm"])
        values = values[values["method"] == "pbp"].set_index("algorithm")["estimate"]
        numbers[f"published_{rank}"] = numbers["algorithm"].map(values) if comparable else None
    sides = [side for side in (run_compared, record_compared) if side is not None]
    judged = of_quantity(of_more_runs(sides[0], sides[-1]), "game_score").set_index("item")["z"] if sides else {}
    numbers["z"] = item_texts("game_score", numbers["algorithm"]).map(judged).astype(float)
    return with_titles(numbers, titles)


def figure_5(
    points: pd.DataFrame,
    published: pd.DataFrame,
    intervals: pd.DataFrame | None = None,
    record: pd.DataFrame | None = None,
    run_compared: pd.DataFrame | None = None,
    record_compared: pd.DataFrame | None = None,
    *,
    titles: Titles = None,
) -> alt.TopLevelMixin:
    """Draw the aggregate scores minus the published ones, in standard errors, best first (Figure 5, Table 1).

    Scores without a published value are drawn with their intervals.
    """
    numbers = figure_5_numbers(points, published, intervals, record, run_compared, record_compared, titles=titles)
    if numbers["z"].isna().any():
        data = numbers.assign(low=numbers["low"].clip(lower=0.0), high=numbers["high"].clip(upper=1.0))
        chart = published_chart(data, "aggregate score (performance percentile; higher is better)")
        return theme.finish(chart, "Aggregate score of each algorithm with its interval, best first")
    ends = {"estimate": numbers["z"], "low": numbers["z"] - REACH, "high": numbers["z"] + REACH}
    colours = theme.colours(dict(zip(numbers["algorithm"], numbers["title"], strict=True)))
    data = numbers[["title"]].assign(**ends, colour=numbers["title"].map(colours))
    beside = {"published": numbers["published"].map("{:.3f}".format), "ours": numbers["estimate"].map("{:.3f}".format)}
    axis = "ours minus the published score, in standard errors"
    chart = row_chart(data, list(numbers["title"]), axis, reference=0.0, beside=beside)
    return theme.finish(chart, "Aggregate score of each algorithm minus the published one, in standard errors")


def table_methods(
    points: pd.DataFrame,
    published: pd.DataFrame,
    intervals: pd.DataFrame | None = None,
    record: pd.DataFrame | None = None,
    *,
    variant: str = "corrected",
) -> pd.DataFrame:
    """Return the width of each method's intervals on these runs, the number of separated pairs, and the guarantee.

    The columns are method, title, mean_width, separated, pairs, guarantee, remark (a restriction for the given runs,
    unless the guarantee states it already), proven (True if the method has a guarantee), and for the comparisons in the
    paper's claim, claim_pairs, claim_above and claim_below (missing if the study has other algorithms or environments).
    If there are no intervals, there is a single row without a width.
    """
    shown, _ = shown_scores(points, published, intervals, record)
    comparable = is_published_selection(points, published, shown)
    remarked = remarks(shown, variant)
    as_published = variant == "as_published"
    rows = []
    for method, limits in shown.groupby("method", sort=False):
        has_limits = limits["low"].notna().all()
        about = INTERVAL_METHODS.get(method)
        guarantee = ""
        if has_limits and about:
            guarantee = (about.as_published if as_published else "") or about.guarantee
        remark = remarked.get(method, "")
        row = {
            "method": method,
            "title": METHOD_TITLES.get(method, "no intervals"),
            "mean_width": (limits["high"] - limits["low"]).mean(),
            "separated": separated_pairs(limits) if has_limits else None,
            "pairs": len(limits) * (len(limits) - 1) // 2,
            "guarantee": guarantee,
            "remark": "" if remark == guarantee else remark,
            "proven": bool(has_limits and about and about.proven),
        }
        if comparable and has_limits:
            claimed = limits["algorithm"].isin(CLAIMED)
            leaders = limits[claimed]
            others = limits[~claimed]
            row["claim_pairs"] = len(leaders) * len(others)
            row["claim_above"] = sum(int((others["high"] < low).sum()) for low in leaders["low"])
            row["claim_below"] = sum(int((others["low"] > high).sum()) for high in leaders["high"])
        rows.append(row)
    columns = ["method", "title", "mean_width", "separated", "pairs", "guarantee", "remark", "proven"]
    claimed_columns = ["claim_pairs", "claim_above", "claim_below"]
    table = pd.DataFrame(rows).reindex(columns=columns + claimed_columns)
    return table.astype(dict.fromkeys(("separated", *claimed_columns), "Int64"))


def figure_means_numbers(
    run: pd.DataFrame, record: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None
) -> pd.DataFrame:
    """Tabulate the mean returns and the published ones.

    The means come from the record or this run, whichever has more trials. The columns are environment,
    environment_title, algorithm, title, estimate, low, high (`REACH` standard errors from the estimate), published,
    runs.
    """
    means = _mean_returns(run, record)
    numbers = item_parts(means["item"], "environment", "algorithm").assign(estimate=means["ours"])
    reach = REACH * means["standard_error"]
    numbers = numbers.assign(low=numbers["estimate"] - reach, high=numbers["estimate"] + reach)
    return with_titles(numbers.assign(published=means["published"], runs=means["runs"]), titles, environment_titles)


def _mean_returns(run: pd.DataFrame, record: pd.DataFrame) -> pd.DataFrame:
    """Return the comparison of the means, from the record or from this run, whichever has more trials."""
    return of_quantity(of_more_runs(run, record), "mean").reset_index(drop=True)


def figure_means(
    run: pd.DataFrame, record: pd.DataFrame, *, titles: Titles = None, environment_titles: Titles = None
) -> alt.TopLevelMixin:
    """Draw how far each mean return is from the published one, in standard errors, one row per environment."""
    numbers = figure_means_numbers(run, record, titles=titles, environment_titles=environment_titles)
    described = "Difference of each mean return from the published one, in standard errors"
    if numbers.empty:
        return theme.finish(theme.message("No pair of the paper was run."), described)
    columns = ["z", "standard_error", "verdict", "ours"]
    means = _mean_returns(run, record)[columns].astype({"z": float})
    chart = z_chart(numbers.join(means), critical_value(len(numbers)))
    return theme.finish(chart, described)


def table_5(published: pd.DataFrame) -> pd.DataFrame:
    """Return the environments and the episodes per trial (Table 5), with the printed number of episodes.

    The columns are environment, title, state_space, episodes, published.
    """
    printed = published_values(published, "episodes", ["environment"]).set_index("environment")["estimate"]
    rows = [
        (name, environment.title, environment.kind, environment.episodes, printed.get(name))
        for name, environment in ENVIRONMENTS.items()
    ]
    return pd.DataFrame(rows, columns=["environment", "title", "state_space", "episodes", "published"])


def figure_coverage_numbers(
    as_published: pd.DataFrame | None = None, corrected: pd.DataFrame | None = None, record: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Tabulate misses, separated pairs and widths of all methods.

    They come from the record if it has more data sets than this run.
    """
    recorded = recorded_coverage(record)
    run = coverage_rows({"as_published": as_published, "corrected": corrected})
    of_record = len(recorded) > 0 and (run.empty or recorded["datasets"].min() > run["datasets"].min())
    return with_method_titles(recorded if of_record else run)


def figure_coverage(
    published: pd.DataFrame,
    as_published: pd.DataFrame | None = None,
    corrected: pd.DataFrame | None = None,
    record: pd.DataFrame | None = None,
    *,
    confidence_level: float = 0.95,
) -> alt.TopLevelMixin:
    """Draw misses, separated pairs and widths of all methods next to the published ones (Table 2)."""
    numbers = figure_coverage_numbers(as_published, corrected, record)
    printed = published_values(published, "coverage", ["method", "size", "measure"])
    return coverage_figure(numbers, confidence_level, printed.astype({"size": int}))


def table_joint(run: pd.DataFrame, record: pd.DataFrame, *, environment_titles: Titles = None) -> pd.DataFrame:
    """Test the differences of the means jointly, from the record or from this run, whichever has more trials.

    The columns are title (of the environment, or "all environments") and the columns of `joint_tests`.
    """
    means = of_quantity(of_more_runs(run, record), "mean")
    table = joint_tests(means, item_parts(means["item"], "environment", "algorithm")["environment"])
    shown = titles_of([name for name in table["group"].unique() if name != ALL], environment_titles)
    table.insert(0, "title", table["group"].map(shown | {ALL: "all environments"}))
    return table


RATES = "failure and significance rates"
OTHERS = "means, limits, scores and distributions"


def table_summary(run: pd.DataFrame, record: pd.DataFrame) -> pd.DataFrame:
    """Summarize the z-scores of all published numbers, with the rates of Table 2 as a group; see `joint_summary`."""
    rows = of_more_runs(run, record)
    groups = (quantities(rows["item"]) == "coverage").map({True: RATES, False: OTHERS})
    return joint_summary(rows["z"].astype(float), groups)


def table_seeds(
    published: pd.DataFrame,
    record: pd.DataFrame,
    other_seeds: pd.DataFrame | None = None,
    *,
    titles: Titles = None,
    environment_titles: Titles = None,
) -> pd.DataFrame:
    """Tabulate how far the means of additional trials, run with different seeds, are from the published means.

    The columns are environment, environment_title, algorithm, title, seeds, trials, distance, runs and z. Columns
    seeds, trials and distance describe the additional trials; runs and z describe all our trials. Means are left out if
    the record does not include the additional trials.
    """
    means = of_quantity(record, "mean").set_index("item")
    printed_numbers = published.set_index("item")
    rows = []
    seeds_of_means = pd.DataFrame({"item": []}) if other_seeds is None else other_seeds
    for name, seeds in seeds_of_means.groupby("item"):
        trials = seeds["trials"].sum()
        if name not in means.index or means["runs"][name] < trials:
            continue
        mean = (seeds["ours"] * seeds["trials"]).sum() / trials
        variance = (seeds["standard_deviation"] ** 2 * seeds["trials"]).sum() / trials
        printed = printed_numbers.loc[name]
        error = math.sqrt(variance * (1.0 / trials + 1.0 / printed["runs"]) + printed["rounding"] ** 2 / 3.0)
        distance = (mean - printed["published"]) / error
        rows.append((*read_item(name).of, len(seeds), trials, distance, means["runs"][name], means["z"][name]))
    columns = ["environment", "algorithm", "seeds", "trials", "distance", "runs", "z"]
    return with_titles(pd.DataFrame(rows, columns=columns), titles, environment_titles)
