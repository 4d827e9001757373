"""Data of a study for comparison with the paper, and inferred standard deviations of the paper's trials.

If a bug affects some of our trials, their standard deviation grows, and a tolerance based on it hides the bug. If rare
bad trials happen to be missing in our sample, the standard deviation is too small. So the standard deviation used for
tolerances is clipped to the range that the printed numbers make plausible. Within this range, ours is used, because a
standard deviation inferred only from the printed limits is imprecise and would miss more errors.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from surefoot.charts.selection import (
    coverage_rows,
    distribution_bands,
    environments_of,
    mean_intervals,
    published_values,
    recorded_coverage,
    score_intervals,
)
from surefoot.simulation.simulation_registry import ENVIRONMENTS
from surefoot.statistics.intervals.distribution_bands import (
    PrintedIntervals,
    band_half_width,
    deviation_range,
    likely_deviation,
)
from surefoot.statistics.reproduction.items import CLAIM, item_parts, item_texts, of_quantity, quantities, read_item
from surefoot.statistics.reproduction.published_comparison import FEWEST_RUNS, critical_value, recorded_deviations

TRIALS = 10_000
"""Number of trials of each algorithm in each environment in the paper."""
_PAIR = ["environment", "algorithm"]
_ENDS = ("least", "greatest")
_ROUNDING = 0.05  # rounding of the means and limits, which are printed with one decimal
_FAILURE_RATE = 0.05  # nominal failure rate of the intervals; a difference of this size matters
_PAIRS_OF_TABLE_2 = 6
_MARGIN = 1.25
"""Largest allowed ratio of a pair's standard deviation to its likely value. No pair of the record has a known error,
and the ratios of its 165 pairs are 0.1 to 1.6. The value was chosen from four candidates on that record: with it, 6 of
100 tables of trials with other seeds raised an alarm, and without any limit, 3 of 100 did.
"""


def printed_half_width() -> float:
    """Return the half-width of the bands from which the printed limits of means were computed.

    There are 165 bands, one for each algorithm in each environment, from `TRIALS` trials each. The joint error rate is
    0.05.
    """
    return float(band_half_width(TRIALS, 0.05 / 165))


def printed_means(published: pd.DataFrame) -> pd.DataFrame:
    """Return printed means and limits: columns environment, algorithm, mean, mean_low, mean_high."""
    table = published_values(published, "mean", _PAIR).rename(columns={"estimate": "mean"})
    for name in ("mean_low", "mean_high"):
        table = table.merge(published_values(published, name, _PAIR).rename(columns={"estimate": name}), on=_PAIR)
    return table


def deviation_ranges(published: pd.DataFrame) -> pd.DataFrame:
    """Return the range of plausible standard deviations of single trials, by the item of the mean.

    The columns are least (compatible with the printed limits) and greatest (`_MARGIN` times the likely one, but
    compatible with the limits).
    """
    half_width = printed_half_width()
    parts = []
    for environment, rows in printed_means(published).groupby("environment", sort=False):
        mean, low, high = (rows[name].to_numpy() for name in ("mean", "mean_low", "mean_high"))
        smallest, greatest = ENVIRONMENTS[environment].returns
        printed = PrintedIntervals(mean, low, high, smallest, greatest, half_width, _ROUNDING)
        least, allowed = deviation_range(printed)
        ends = least, np.clip(_MARGIN * likely_deviation(printed), least, allowed)
        means = item_texts("mean", environment, rows["algorithm"])
        parts.append(pd.DataFrame(dict(zip(_ENDS, ends, strict=True)), index=means))
    return pd.concat(parts) if parts else pd.DataFrame(columns=_ENDS, dtype=float)


def with_spreads(published: pd.DataFrame, ours: pd.DataFrame, record: pd.DataFrame | None) -> pd.DataFrame:
    """Add two columns of `published_comparison.compare` to the published numbers: standard_deviation and matters.

    For a mean and its limits, the standard deviation comes from the record if it has more trials than ours, else from
    our trials if there are at least 200. It is clipped to the range of `deviation_ranges`: errors must not widen the
    tolerance, and samples without the rare trials of a long tail must not narrow it. With fewer trials, it is the
    largest value of that range. For a point of a distribution, it is computed from the printed distribution. For a
    score, it is ours if every pair has at least 200 trials, but at most the one that the printed interval implies.

    Parameters
    ----------
    published : DataFrame
        Columns item, published, runs, and standard_error (of scores), and rounding if a record is given.
    ours : DataFrame
        Columns item, standard_error, runs.
    record : DataFrame or None
        As in `reproduction.published_comparison.recorded_deviations`.
    """
    ranges = deviation_ranges(published)
    quantity = quantities(published["item"])
    pairs = item_parts(published["item"][quantity.isin(("mean", "mean_low", "mean_high"))], *_PAIR)
    # The item of the corresponding mean; missing for items that are neither a mean nor its limit.
    mean = item_texts("mean", *(pairs[name] for name in _PAIR)).reindex(published.index)
    errors = ours.set_index("item")[["standard_error", "runs"]].astype(float)
    mine = (errors["standard_error"] * np.sqrt(errors["runs"])).where(errors["runs"] >= FEWEST_RUNS)
    least, greatest = (mean.map(ranges[end]) for end in _ENDS)
    deviation = mean.map(mine).fillna(greatest)
    if record is not None:
        recorded = recorded_deviations(record, published, ours).set_index("item")["standard_deviation"]
        deviation = mean.map(recorded).fillna(deviation)
    deviation = deviation.clip(lower=least, upper=greatest)
    if "standard_error" in published:
        # For game scores, ours, but at most the printed one: the standard error times the root of the number of trials.
        printed = published["standard_error"] * np.sqrt(published["runs"].astype(float))
        printed = printed.where(quantity == "game_score")
        of_scores = published["item"].map(mine).fillna(np.inf).clip(upper=printed).where(printed.notna())
        deviation = deviation.fillna(of_scores)
    # For proportions: sqrt(p (1 - p)), with two successes and two failures added, so that it is not 0.
    share = (published["published"].where(quantity == "cdf") * TRIALS + 2.0) / (TRIALS + 4.0)
    deviation = deviation.fillna(np.sqrt(share * (1.0 - share))).fillna(_of_quantiles(published))
    return published.assign(standard_deviation=deviation, matters=yardsticks(published))


def _of_quantiles(published: pd.DataFrame) -> pd.Series:
    """Return the asymptotic standard deviation of each published quantile, times the root of the number of trials.

    It is sqrt(p (1 - p)) for the quantile at p, divided by the density, which is estimated from neighbouring quantiles.
    """
    deviation = pd.Series(np.nan, index=published.index)
    rows = of_quantity(published, "quantile")
    rows = rows.join(item_parts(rows["item"], *_PAIR, "at"))
    for _, group in rows.groupby(_PAIR):
        share = group["at"].astype(float).to_numpy()
        slope = np.gradient(group["published"].to_numpy(), share) if len(group) > 1 else np.full(1, np.nan)
        deviation[group.index] = np.sqrt(share * (1.0 - share)) * slope
    return deviation


def yardsticks(published: pd.DataFrame) -> pd.Series:
    """Return the smallest difference that matters for each published number; NaN if unknown.

    The purpose of scores, means and their limits is to show how algorithms differ. So for them, the smallest difference
    that matters is the standard deviation of the printed numbers of all algorithms (in the same environment, except for
    scores). For a point of a distribution, it is the standard deviation of the printed points in the same environment.
    For failure rates, it is the nominal failure rate of the intervals, and for separated pairs, one pair.
    """
    grouped = quantities(published["item"]).isin(("mean", "mean_low", "mean_high", "cdf", "quantile", "game_score"))
    parsed = [read_item(text) for text in published["item"]]
    places = [item._replace(of=() if item.quantity == "game_score" else item.of[:1]).text for item in parsed]
    spread = published["published"].groupby(places).transform("std").where(grouped)
    rates = item_parts(of_quantity(published, "coverage")["item"], "method", "size", "rate")["rate"]
    matters = rates.map({"failure_rate": _FAILURE_RATE, "significance": 1.0 / _PAIRS_OF_TABLE_2})
    return spread.fillna(matters)


def is_published_selection(points: pd.DataFrame, published: pd.DataFrame, scores: pd.DataFrame | None = None) -> bool:
    """Return True if scores refer to exactly the published algorithms and environments.

    This is necessary because each score depends on all of them.

    The scores come from the record, where they have a column `environments`, or from the study.
    """
    ours, printed = _pairs(points, published)
    algorithms = set(ours["algorithm"])
    environments = set(ours["environment"])
    if scores is not None and "environments" in scores:
        algorithms = set(scores["algorithm"])
        environments = environments_of(scores)
    return algorithms == set(printed["algorithm"]) and environments == set(printed["environment"])


def whole_environments(points: pd.DataFrame, published: pd.DataFrame) -> list[str]:
    """Return the published environments for which the study has exactly the published algorithms."""
    ours, printed = _pairs(points, published)
    algorithms = ours.groupby("environment", sort=False)["algorithm"].agg(set)
    published_environments = set(printed["environment"])
    everyone = set(printed["algorithm"])
    return [name for name, ours in algorithms.items() if name in published_environments and ours == everyone]


def _pairs(points: pd.DataFrame, published: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    printed = published_values(published, "mean", ["environment", "algorithm"])
    return points[points["aggregate"] == "mean"], printed


class Evidence(NamedTuple):
    """Data for checking claims; tables are empty if a run or record lacks them.

    printed : published values by item
    scores : aggregate scores with estimate, low, high and runs by (method, algorithm), with the narrowest method last
    means : estimate, error (standard error), low, high and runs by (environment, algorithm)
    bands : distributions, columns environment, algorithm, probability, score, low, high
    coverage : rates by (method, size)
    stored : recorded answers to claims about distributions, since a record has no distributions: columns ours and
        trials, by item
    """

    printed: pd.Series
    scores: pd.DataFrame
    means: pd.DataFrame
    bands: pd.DataFrame
    coverage: pd.DataFrame
    stored: pd.DataFrame

    @property
    def critical(self) -> float:
        """Critical value, in standard errors, for a claim; all claims of the paper are one family of tests."""
        return critical_value(sum(read_item(item).quantity == CLAIM for item in self.printed.index))


class Answer(NamedTuple):
    """Answer to a claim: `holds` is True if it is true for point values, and `decided` if the runs decide it.

    detectable : the smallest effect that the runs could have decided, in the units of the claim
    matters : the effect printed in the paper, or stated in the claim
    """

    holds: bool
    decided: bool
    detectable: float
    matters: float


def evidence_of_run(
    published: pd.DataFrame,
    points: pd.DataFrame,
    intervals: pd.DataFrame | None,
    means: pd.DataFrame | None,
    bands: pd.DataFrame | None,
    coverage: pd.DataFrame | None,
    deviations: pd.Series,
) -> Evidence:
    """Return the evidence of this run, as far as it is comparable with the paper.

    Means and distributions are restricted to `whole_environments`; scores are included only if
    `is_published_selection` is True. `deviations` are the standard deviations of single trials, by the item of their
    mean.
    """
    environments = whole_environments(points, published)
    values = points[(points["aggregate"] == "mean") & points["environment"].isin(environments)]
    deviation = item_texts("mean", values["environment"], values["algorithm"]).map(deviations)
    values = values.assign(error=deviation.astype(float) / values["runs"].astype(float) ** 0.5)
    limits = mean_intervals(points, means)[["environment", "algorithm", "low", "high"]]
    values = values[["environment", "algorithm", "estimate", "error", "runs"]].merge(
        limits, on=["environment", "algorithm"], how="left", validate="1:1"
    )
    curves = distribution_bands(bands)
    scores = score_intervals(points, intervals).dropna(subset=["low"])
    rates = coverage_rows({"as_published": coverage}, "as_published")
    return Evidence(
        printed=published.set_index("item")["published"],
        scores=_by_method(scores if is_published_selection(points, published) else scores.iloc[:0]),
        means=values.set_index(["environment", "algorithm"]),
        bands=curves[curves["environment"].isin(environments)],
        coverage=rates.set_index(["method", "size"]),
        stored=pd.DataFrame({"ours": [], "trials": []}, dtype=float),
    )


def evidence_of_record(
    published: pd.DataFrame, record: pd.DataFrame, intervals: pd.DataFrame | None, coverage: pd.DataFrame | None
) -> Evidence:
    """Return the evidence of the record of the large run.

    The record has means with standard errors, but neither intervals nor distributions. Intervals are assumed to have
    the widths of the printed ones, scaled by the square root of the number of trials; for distributions, the recorded
    answers are used.
    """
    rows = of_quantity(record, "mean").set_index("item")
    means = printed_means(published)
    means = means.set_index(item_texts("mean", means["environment"], means["algorithm"]))
    means = means[means.index.isin(rows.index)]
    wider = (TRIALS / rows["trials"].reindex(means.index).astype(float)) ** 0.5
    value = rows["ours"].reindex(means.index)
    # The joint standard error refers to both numbers; rounding contributes little to it.
    error = rows["standard_error"].reindex(means.index) / (1.0 + wider**-2) ** 0.5
    means = means.assign(
        estimate=value,
        error=error,
        runs=rows["trials"].reindex(means.index).astype(float),
        low=value - wider * (means["mean"] - means["mean_low"]),
        high=value + wider * (means["mean_high"] - means["mean"]),
    )
    algorithms = set(means["algorithm"])
    whole = means.groupby("environment")["algorithm"].transform("nunique") == len(algorithms)
    scores = pd.DataFrame(columns=["method", "algorithm"]) if intervals is None else intervals
    return Evidence(
        printed=published.set_index("item")["published"],
        scores=_by_method(scores),
        means=means[whole].set_index(["environment", "algorithm"]),
        bands=pd.DataFrame(columns=["environment", "algorithm"]),
        coverage=recorded_coverage(coverage, "as_published").set_index(["method", "size"]),
        stored=of_quantity(record, CLAIM).set_index("item")[["ours", "trials"]],
    )


_NARROWEST_LAST = ("pbp", "pbp_t", "bootstrap")


def _by_method(scores: pd.DataFrame) -> pd.DataFrame:
    """Index rows by method, in the order of `_NARROWEST_LAST`, and algorithm; other methods are left out."""
    paper_scores = scores[scores["method"].isin(_NARROWEST_LAST)]
    order = {name: place for place, name in enumerate(_NARROWEST_LAST)}
    paper_scores = paper_scores.sort_values("method", key=lambda names: names.map(order), kind="stable")
    return paper_scores.set_index(["method", "algorithm"])
