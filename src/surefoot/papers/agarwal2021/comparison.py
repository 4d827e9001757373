"""Comparison of published numbers and claims with ours, and known reasons for some differences.

Our values are computed from the numbers in the figures. The value of a claim is 1 if our numbers agree and 0 if they do
not. Claims based on subsamples have a margin, the distance by which our numbers support them, with a Monte Carlo error.
If the margin is less than `critical_value` errors from 0 (all claims of the paper are one family), the subsamples do
not decide the claim.

The largest difference that a reason explains follows from the printed numbers or the number of runs, never from our own
numbers.
"""

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pandas as pd

from surefoot.statistics.reproduction.items import CLAIM, item_parts, item_text, of_quantity
from surefoot.statistics.reproduction.published_comparison import COLUMNS, compare, critical_value, detectable_effect

PUBLIC_RUNS = 100
"""Number of public runs of each algorithm on Atari 100k; the paper used as many."""
COVERAGE_RUNS = 200
"""Number of runs of DER from which the paper drew samples to study coverage (its figures 6 and A.18)."""
_NORMAL = NormalDist()

_OTHER_RUNS = "the text does not say which 100 runs it used; another 100 would shift the whole range"
_ROUNDED = "the paper divides by an improvement that it rounds to 0.08"
_WIDTH = "the printed 20 % seems to be the width of the range of lifts, whose upper end would be half of that"
_KNOWN_POPULATION = (
    f"samples without replacement contain a larger part of the {PUBLIC_RUNS} public runs than of the paper's "
    f"{COVERAGE_RUNS} runs, which raises the coverage"
)


def comparison(published: pd.DataFrame, answers: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Compare the published numbers with ours, as far as ours are available in this run or the record."""
    return judged(published, our_items(published, answers), answers)


def judged(published: pd.DataFrame, ours: pd.DataFrame, answers: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Compare published numbers with the items of `our_items`."""
    ours = ours[ours["item"].isin(published["item"])].drop_duplicates("item")
    if ours.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    ours = ours.merge(known_reasons(published, answers.get("figure_a18")), on="item", how="left").set_index("item")
    # A number is judged if a difference that matters would be noticed despite the Monte Carlo error. For a claim that
    # the subsamples leave undecided, any difference matters, so it stays undecided.
    ours["matters"] = published.set_index("item")["matters"].reindex(ours.index)
    ours.loc[ours["undecided"].eq(True), "matters"] = 0.0
    with_errors = published.assign(standard_error=0.0 * published["item"].map(ours["error"]))
    ours = ours.rename(columns={"error": "standard_error"}).assign(runs=float("nan")).reset_index()
    return compare(with_errors, ours)


def known_reasons(published: pd.DataFrame, coverage: pd.DataFrame | None) -> pd.DataFrame:
    """Return known reasons for differences.

    The columns are item, reason, allowed (the largest difference that the reason explains) and side.
    """
    published = published.set_index("item")
    rows = [*_other_runs(published), *_known_population(published, coverage)]
    item = item_text("bias_percent_of_improvement", "SPR")
    if item in published.index:
        # The printed improvement of 0.08 may be anything from 0.075 to 0.085.
        row = published.loc[item]
        rows.append((item, _ROUNDED, row["tolerance"] + row["published"] * 0.005 / 0.08, ""))
    item = item_text("lift_percent_possible", "median", 100)
    if item in published.index:
        # The published number may be the width of the range of lifts instead of its upper end, which would be half as
        # large. So ours may be lower by up to half of the published number.
        row = published.loc[item]
        rows.append((item, _WIDTH, row["published"] / 2.0 + row["tolerance"], "lower"))
    return pd.DataFrame(rows, columns=["item", "reason", "allowed", "side"])


def _other_runs(published: pd.DataFrame) -> Iterator[tuple[str, str, float, str]]:
    """Yield the differences that are allowed because the paper may have used 100 other runs.

    An allowed difference is `critical_value` standard errors of the difference of two means of 100 runs. The standard
    deviation of a single run is inferred from the published range of 5 runs.
    """
    ends = of_quantity(published.reset_index(), "difference_of_5")
    ends = ends.join(item_parts(ends["item"], "algorithm", "baseline", "end"))
    for _, rows in ends.groupby(["algorithm", "baseline"]):
        at = rows.set_index("end")["published"]
        spread_of_5 = (at["high"] - at["low"]) / (2.0 * _NORMAL.inv_cdf(0.975))
        moved = critical_value(len(ends)) * spread_of_5 * math.sqrt(2.0 * 5 / PUBLIC_RUNS)
        for item, tolerance in zip(rows["item"], rows["tolerance"], strict=True):
            yield item, _OTHER_RUNS, tolerance + moved, ""


def _known_population(published: pd.DataFrame, coverage: pd.DataFrame | None) -> Iterator[tuple[str, str, float, str]]:
    """Yield the allowed difference of a claim that would be true in samples from the paper's larger set of runs.

    The error of a mean of n out of N runs, drawn without replacement, is sqrt(1 - n/N) times the error for an infinite
    set, so an interval that reaches z errors in one set reaches z sqrt((1 - n/N) / (1 - n/N')) errors in another.
    """
    item = item_text("claim", "games_below_95")
    if item not in published.index or coverage is None:
        return
    size = coverage["size"].max()
    ratio = math.sqrt((1.0 - size / PUBLIC_RUNS) / (1.0 - size / COVERAGE_RUNS))
    rates = coverage.loc[coverage["size"] == size, "estimate"]
    reach = [_NORMAL.inv_cdf((1.0 + min(value, 1.0 - 1e-9)) / 2.0) for value in rates]
    holds = sum(2.0 * _NORMAL.cdf(ratio * z) - 1.0 < 0.95 for z in reach) >= MANY_GAMES
    yield item, _KNOWN_POPULATION, float(holds), "lower"


class Value(NamedTuple):
    """Our value of a published number or claim.

    error : Monte Carlo standard error of a number; NaN for exact numbers and for claims
    margin, margin_error : distance by which the numbers support a claim that is based on subsamples, and its Monte
        Carlo standard error; NaN for all other items
    """

    item: str
    ours: float
    error: float = math.nan
    margin: float = math.nan
    margin_error: float = math.nan


Numbers = Mapping[str, pd.DataFrame]
"""Numbers of the available analyses, by name."""
Values = Iterator[Value]
_STEPS = {"dm_control_100k": "100k", "dm_control_500k": "500k"}
"""Training steps as written in the names of published numbers, such as "100k", by set of scores."""
_OF_A_QUANTILE = math.sqrt(0.025 * 0.975) / NormalDist().pdf(NormalDist().inv_cdf(0.025))
"""Standard error of a 2.5 % sample quantile relative to the standard error of the mean, for a normal distribution."""


def our_items(published: pd.DataFrame, numbers: Numbers) -> pd.DataFrame:
    """Return our values for all available analyses.

    Returns
    -------
    DataFrame
        Columns of `Value`, and for claims that are based on subsamples, undecided (bool) and detectable (the smallest
        true margin that would have been noticed); NaN for all other items.
    """
    parts = (_single_numbers, _subsamples, _coverage, _profiles, _aggregates)
    rows = [item._replace(ours=float(item.ours)) for part in parts for item in part(numbers)]
    table = pd.DataFrame(rows, columns=Value._fields)
    critical = critical_value(len(of_quantity(published, CLAIM)))
    undecided = table["margin"].abs() <= critical * table["margin_error"]
    table["undecided"] = undecided.astype(object).where(table["margin_error"].notna())
    table["detectable"] = detectable_effect(critical, table["margin_error"])
    return table


def _claim(name: str, margin: float, error: float) -> Value:
    """Return a claim that is true if the margin is above 0."""
    return _says(name, margin > 0)._replace(margin=margin, margin_error=error)


def _says(claim: str, holds: bool, *of: str) -> Value:
    """Return a claim, such as "pisac_highest" for "100k", with the value 1 if our numbers agree, else 0."""
    return Value(item_text("claim", claim, *of), holds)


def _single_numbers(numbers: Numbers) -> Values:
    """Yield our values of the numbers that are printed in tables of the paper."""
    if (table := numbers.get("all_runs")) is not None:
        shown = table[table["metric"].isin(["median", "mean"])].drop_duplicates(["algorithm", "metric"])
        for row in shown.itertuples():
            yield Value(item_text(row.metric, row.algorithm), row.estimate)
    if (table := numbers.get("figure_11c")) is not None:
        for row in table[table["environment"] == ""].itertuples():
            yield Value(item_text("rank_percent", _STEPS[row.scores], row.algorithm, row.rank), 100 * row.estimate)
    for analysis in ("figure_12_right", "figure_a29"):
        for row in numbers.get(analysis, pd.DataFrame()).itertuples():
            yield Value(item_text("probability_of_improvement", row.algorithm, row.baseline), row.estimate)
    if (table := numbers.get("figure_5")) is not None:
        last = table.sort_values("size").drop_duplicates(["protocol", "metric"], keep="last")
        for row in last[last["metric"] == "median"].itertuples():
            yield Value(item_text("protocol", "median", row.protocol), row.estimate)
    if (table := numbers.get("figure_a15")) is not None:
        for row in table[(table["metric"] == "median") & (table["size"] == 5)].itertuples():
            yield Value(item_text("difference_of_5", row.algorithm, row.baseline, "low"), row.low)
            yield Value(item_text("difference_of_5", row.algorithm, row.baseline, "high"), row.high)


def _subsamples(numbers: Numbers) -> Values:
    """Yield our values of the numbers and claims about results with fewer runs."""
    if (table := numbers.get("figure_2_left")) is not None:
        yield _says("medians_overlap", _neighbours_overlap(table))
    if (table := numbers.get("figure_4")) is not None:
        yield from _lifts(table)
    if (table := numbers.get("subsample_metrics")) is not None:
        yield from _biases_and_ranges(table)
    if (table := numbers.get("figure_a16")) is not None:
        yield from _trimmed(table)


def _biases_and_ranges(table: pd.DataFrame) -> Values:
    means = table.set_index(["algorithm", "metric", "size"]).sort_index()
    ends = [means.loc[("SPR", "median", size)] for size in (5, 100)]
    bias = ends[1]["estimate"] - ends[0]["estimate"]
    error = math.hypot(ends[0]["mean_error"], ends[1]["mean_error"])
    gain = means.loc[("SPR", "median", 100), "whole"] - means.loc[("DrQ(eps)", "median", 100), "whole"]
    yield Value(item_text("bias", "median", "SPR"), bias, error)
    yield Value(item_text("bias_percent_of_improvement", "SPR"), 100 * bias / gain, abs(100 * error / gain))
    iqm = table[table["metric"] == "iqm"]
    largest = iqm.loc[(iqm["estimate"] - iqm["whole"]).abs().idxmax()]
    yield _claim("iqm_flat", 0.01 - abs(largest["estimate"] - largest["whole"]), largest["mean_error"])
    ranges = table.assign(width=table["high"] - table["low"], error=math.sqrt(2) * _OF_A_QUANTILE * table["mean_error"])
    ranges = ranges.drop_duplicates(["algorithm", "size", "metric"]).set_index(["algorithm", "metric"])
    at_10 = ranges[ranges["size"] == 10][["width", "error"]].unstack("metric")
    narrower = at_10["width", "median"] - at_10["width", "iqm"]
    errors = np.hypot(at_10["error", "median"], at_10["error", "iqm"])
    yield _claim("iqm_narrower_at_10", narrower.min(), errors[narrower.idxmin()])
    at_50 = ranges[ranges["size"] == 50].xs("median", level="metric")
    widest = at_50.loc[at_50["width"].idxmax()]
    yield _claim("median_uncertain_at_50", widest["width"] - 0.05, widest["error"])


def _neighbours_overlap(densities: pd.DataFrame) -> bool:
    """Return True if the central 99 % intervals of the densities overlap for neighbouring algorithms."""
    ranges = []
    for _, curve in densities.groupby("algorithm"):
        mass = np.cumsum(curve["estimate"]) / curve["estimate"].sum()
        ranges.append((curve["score"][mass >= 0.005].iloc[0], curve["score"][mass >= 0.995].iloc[0]))
    return all(lower[1] > upper[0] for lower, upper in pairwise(sorted(ranges)))


def _lifts(table: pd.DataFrame) -> Values:
    for (metric, lift), rows in table.sort_values("size").groupby(["metric", "lift"]):
        if lift > 0:
            clear = (rows["low"] > 0)[::-1].cummin()[::-1]
            # If no tested size suffices, the required number is larger than all of them.
            needed = rows["size"][clear].min() if clear.any() else math.inf
            yield Value(item_text("runs_needed", metric, f"{lift:g}"), needed)
            yield Value(item_text("lift_low", metric, f"{lift:g}", rows["size"].iloc[-1]), rows["low"].iloc[-1])
        else:
            last = rows.iloc[-1]
            possible = max(abs(last["low"]), abs(last["high"]))
            yield Value(item_text("lift_percent_possible", metric, f"{last['size']:g}"), possible)


def _trimmed(table: pd.DataFrame) -> Values:
    """Yield the percentage by which the smallest error with 10 to 30 % cut exceeds the overall smallest error."""
    for (algorithm, resample), rows in table.groupby(["algorithm", "resample"]):
        least = rows.loc[rows["estimate"].idxmin()]
        cut = rows[rows["fraction"].between(0.0999, 0.3001)]
        inside = cut.loc[cut["estimate"].idxmin()]
        excess = 100 * (inside["estimate"] / least["estimate"] - 1)
        error = 100 * math.hypot(inside["estimate_error"], least["estimate_error"]) / least["estimate"]
        yield Value(item_text("excess_error_percent", resample, algorithm), excess, error)


MANY_GAMES = 3
"""Smallest number of games that counts as "many"."""


def _coverage(numbers: Numbers) -> Values:
    """Yield the claims about the coverage of intervals from few runs."""
    if (table := numbers.get("figure_a18")) is not None:
        most = table[table["size"] == table["size"].max()]
        # The claim depends on the game with the third lowest coverage.
        third = most.sort_values("estimate").iloc[MANY_GAMES - 1]
        yield _claim("games_below_95", 0.95 - third["estimate"], third["estimate_error"])
    if (table := numbers.get("coverage")) is None:
        return
    usual = table[table["level"].sub(0.95).abs() < 1e-9]
    fair = usual[usual["replacement"].astype(bool)].set_index(["metric", "size", "method"]).sort_index()
    yield _percentile_best(fair, "median")
    yield _percentile_best(fair, "iqm")
    iqm, median = (fair.loc[(metric, 10, "percentile")] for metric in ("iqm", "median"))
    yield _claim("percentile_right_for_iqm_at_10", iqm["estimate"] - 0.9, iqm["estimate_error"])
    few = fair.loc[("iqm", 3, "percentile")]
    yield _claim("too_narrow_at_3", 0.93 - few["estimate"], few["estimate_error"])
    error = math.hypot(median["width_error"], iqm["width_error"])
    yield _claim("iqm_interval_narrower", median["width"] - iqm["width"], error)


def _percentile_best(coverage: pd.DataFrame, metric: str) -> Value:
    """Return the claim that the percentile interval's coverage at 10 runs is the closest to 95 %."""
    at_10 = coverage.loc[(metric, 10)]
    distances = (at_10["estimate"] - 0.95).abs()
    rival = distances.drop("percentile").idxmin()
    error = math.hypot(at_10.loc["percentile", "estimate_error"], at_10.loc[rival, "estimate_error"])
    return _claim(f"percentile_best_for_{metric}_at_10", distances[rival] - distances["percentile"], error)


def _profiles(numbers: Numbers) -> Values:
    """Yield claims about the order of the curves in figures 7, 10 and 11."""
    if (table := numbers.get("figure_7")) is not None:
        single = table[(table["profile"] == "run_scores") & (table["algorithm"] != "")]
        yield _says("spr_highest", single.groupby("algorithm")["estimate"].mean().idxmax() == "SPR")
        width = (table["high"] - table["low"]).groupby(table["profile"]).mean()
        yield _says("average_bands_wider", width["average_scores"] > width["run_scores"])
    if (table := numbers.get("figure_10_left")) is not None:
        curves = table[table["algorithm"] != ""].pivot(index="threshold", columns="algorithm", values="estimate")
        over = curves["IQN"] - curves["Rainbow"]
        yield _says("iqn_over_rainbow_from_2", (over[over.index >= 2] > 0).mean() > 0.95)
        yield _says("rainbow_over_iqn_below_2", (over[(over.index >= 0.75) & (over.index < 1.9)] < 0).mean() > 0.95)
        # Curves with similar starts and ends nearly always cross slightly, so a crossing counts only outside the bands.
        limits = table[table["algorithm"].isin(["DreamerV2", "M-IQN"])]
        limits = limits.pivot(index="threshold", columns="algorithm", values=["low", "high"])
        above = [
            (limits["low", a] > limits["high", b]).any() for a, b in (("DreamerV2", "M-IQN"), ("M-IQN", "DreamerV2"))
        ]
        yield _says("dreamer_crosses_m_iqn", all(above))
    if (table := numbers.get("figure_11b")) is not None:
        for scores, rows in table[table["algorithm"] != ""].groupby("scores"):
            area = rows.groupby("algorithm")["estimate"].mean()
            steps = _STEPS[scores]
            yield _says("pisac_highest", area.idxmax() == "PISAC", steps)
            yield _says("sac_ae_lowest", area.idxmin() == "SAC+AE", steps)


def _aggregates(numbers: Numbers) -> Values:
    """Yield claims about the leading algorithm by each metric, and about other samples and scales."""
    if (table := numbers.get("figure_a20")) is not None:
        early = table[(table["frames"] == 10) & (table["metric"] == "iqm")].set_index("algorithm")["estimate"]
        yield _says("iqn_leads_at_10_million", early.idxmax() == "IQN")
    if (table := numbers.get("figure_a25")) is not None:
        best = table.loc[table.groupby("metric")["estimate"].idxmax()].set_index("metric")
        yield _says("iqn_best_difficulty_progress", best.loc["difficulty_progress", "algorithm"] == "IQN")
        yield _says("rainbow_best_superhuman", best.loc["probability_above", "algorithm"] == "Rainbow")
        yield Value(item_text("best", "difficulty_progress"), best.loc["difficulty_progress", "estimate"])
        yield Value(item_text("best", "probability_above"), best.loc["probability_above", "estimate"])
    if {"figure_a22", "figure_9"} <= numbers.keys():
        both = numbers["figure_a22"].merge(numbers["figure_9"], on=["algorithm", "metric"], suffixes=("", "_runs"))
        ratio = (both["high"] - both["low"]) / (both["high_runs"] - both["low_runs"])
        yield _says("tasks_widen_intervals", (ratio > 1).all() and ratio.median() > 2)
    if (table := numbers.get("figure_a31")) is not None:
        wide = table.pivot(index=["scores", "algorithm"], columns="metric", values="estimate")
        yield _says("gap_is_one_minus_mean", abs(wide["optimality_gap"] + wide["mean"] - 1).max() < 1e-5)
    if (table := numbers.get("figure_a32")) is not None:
        wide = table.pivot(index=["scores", "algorithm"], columns="metric", values="estimate")
        ppo, min_max = (wide.loc[scores] for scores in ("procgen_ppo", "procgen_min_max"))
        excess = [float((part["mean"] / part["iqm"]).drop("PPO").mean()) for part in (ppo, min_max)]
        yield _says("ppo_normalized_mean_inflated", excess[0] > excess[1])
