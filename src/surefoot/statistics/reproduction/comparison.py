"""Comparison of published numbers with ours, and verdicts on them.

Each published number stands next to ours with the standard error of their difference d and a tolerance. Of all numbers
of a paper that are judged by standard errors, Holm's procedure finds those that differ: if both sides have the same
true values, it finds any in at most 5 % of comparisons (`LEVEL`). The *tolerance* is the difference at which it stops.
Numbers that are printed exactly have the tolerance that their file states. The *detectable* difference is the smallest
true difference that exceeds the tolerance with probability 0.9: tolerance + 1.2816 standard errors. The smallest
difference that *matters* is, by default, the standard deviation of the printed numbers of all algorithms, since the
purpose of a number is to show how algorithms differ; unlike a share of the number, it does not depend on the zero of
the scores.

reproduced
    d is within the tolerance, and a difference that matters would have been detected. Of a claim, our numbers say the
    same.
explained
    d is beyond the tolerance, a known reason says why, and d is within the largest difference that this reason
    *allows* (in the direction in which it works).
undecided
    No difference was detected, but one that matters could have been missed. `undecided_by` says whether more runs of
    ours would settle it ("our runs"), or the published number itself is too uncertain ("the paper").
contradicted
    A claim that came out the other way, however few the runs. `reason` says why.
differs
    All other numbers. Neither a reason nor a small number of runs excuses an arbitrary difference: each has a
    difference beyond which it differs.
"""

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from surefoot.errors import HintedError
from surefoot.statistics.comparison.multiple_comparisons import holm
from surefoot.statistics.reproduction.items import CLAIM, item_texts, quantities, read_item
from surefoot.statistics.reproduction.verdicts import TOO_FEW

LEVEL = 0.05
"""Probability that any number of a paper is found to differ if none does."""
POWER = 0.9
"""Probability with which the detectable difference is detected."""
_POWER_ERRORS = NormalDist().inv_cdf(POWER)

AGAINST = "our runs decide against it"
OURS = "our runs"
THEIRS = "the paper"
"""Whose runs leave a number undecided."""


def critical_value(count: int) -> float:
    """Return how many standard errors any of `count` normal differences exceeds with probability `LEVEL` (Bonferroni).

    Examples
    --------
    >>> round(critical_value(1), 3), round(critical_value(100), 3)
    (1.96, 3.481)
    """
    return NormalDist().inv_cdf(1.0 - LEVEL / (2.0 * max(count, 1)))


def detectable_effect(critical: float, error: Any) -> Any:
    """Return the effect that lies `critical` standard errors from 0 with probability `POWER`."""
    return (critical + _POWER_ERRORS) * error


def judge(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with the columns detectable and verdict, and the reason of explained or contradicted rows.

    Parameters
    ----------
    table : columns
        item, published, ours;
        standard_error (of their difference; NaN for exact numbers);
        tolerance (largest |difference| that counts as reproduced; infinite where the runs show no spread);
        and optionally
        reason (why a difference is to be expected; empty or NaN without one),
        allowed (largest |difference| that the reason explains, computed from it),
        side ("lower" or "higher": the reason explains only that ours is lower, or higher, than the published number;
        empty: both),
        matters (smallest difference worth noticing; NaN: none, the row is testable whatever it could have noticed),
        undecided (bool: the runs do not decide the row; by default where |difference| is within the tolerance. For a
        claim, published as 1 or 0, the difference says nothing about how near the runs were to deciding it),
        detectable (the smallest difference that would have been noticed, if the caller knows it better, as for a claim)

    Returns
    -------
    The table with detectable, verdict, all optional columns and blind (bool: undecided by runs that would have missed
    what matters). reason is kept only in explained and contradicted rows, and says of each contradicted one why;
    allowed is kept in explained rows and in those that differ although there is a reason

    Raises
    ------
    ValueError : a reason without `allowed`, or an unknown side
    """
    numbers = ["allowed", "matters", "detectable"]
    texts = ["reason", "side"]
    columns = dict.fromkeys((*table.columns, *numbers, *texts, "undecided"))
    table = table.reset_index(drop=True).reindex(columns=list(columns)).astype(dict.fromkeys(numbers, float))
    table[texts] = table[texts].astype(object).where(table[texts].notna(), "")
    _check(table)
    claim = quantities(table["item"]) == CLAIM
    difference = table["ours"] - table["published"]
    within = difference.abs() <= table["tolerance"]
    noticed = table["tolerance"] + _POWER_ERRORS * table["standard_error"].fillna(0.0)
    table["detectable"] = table["detectable"].fillna(noticed)
    undecided = table["undecided"].where(table["undecided"].notna(), within).astype(bool)
    # An infinite detectable difference exceeds any yardstick, a missing one included.
    missed = (table["detectable"] > table["matters"]) | np.isinf(table["detectable"])
    table["blind"] = undecided & missed
    direction = table["side"].map({"lower": -1.0, "higher": 1.0}).fillna(0.0)
    right_way = (direction == 0) | (np.sign(difference) == direction)
    has_reason = table["reason"] != ""
    excused = has_reason & right_way & (difference.abs() <= table["allowed"])
    conditions = [claim & ~within, table["blind"], within, excused]
    table["verdict"] = np.select(conditions, ["contradicted", "undecided", "reproduced", "explained"], "differs")
    contradicted = table["verdict"] == "contradicted"
    table["reason"] = table["reason"].where(excused & (contradicted | (table["verdict"] == "explained")), "")
    unexplained = contradicted & (table["reason"] == "")
    table.loc[unexplained, "reason"] = [_why(row) for row in table[unexplained].itertuples()]
    table["allowed"] = table["allowed"].where(has_reason & table["verdict"].isin(("explained", "differs")))
    return table


def _why(row: Any) -> str:
    """Return the reason why a claim without a known reason is contradicted."""
    if not row.blind:
        return AGAINST
    printed = f", and the paper's is {row.matters:.2g}" if row.matters > 0 else ""
    return f"{TOO_FEW}: an effect from {row.detectable:.2g} on would have been noticed{printed}"


def contradicted_first(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with the contradicted ones first, otherwise in their order."""
    return table.sort_values(
        "verdict", key=lambda verdicts: verdicts != "contradicted", kind="stable", ignore_index=True
    )


def _check(table: pd.DataFrame) -> None:
    unlimited = ((table["reason"] != "") & ~(table["allowed"] >= 0)) | np.isinf(table["allowed"])
    if unlimited.any():
        row = table[unlimited].iloc[0]
        raise HintedError(
            "verdicts",
            f"{row['item']}: the reason '{row['reason']}' has no limit",
            "give in `allowed` the largest difference that it explains, a number of 0 or more",
        )
    unknown = ~table["side"].isin(("", "lower", "higher"))
    if unknown.any():
        row = table[unknown].iloc[0]
        hint = "a reason explains that ours is 'lower', 'higher', or (empty) either"
        raise HintedError("verdicts", f"{row['item']}: side {row['side']!r}", hint)


FEWEST_RUNS = 200

COLUMNS = (
    *("item", "published", "ours", "standard_error", "z", "tolerance"),
    *("detectable", "matters", "allowed", "verdict", "reason", "undecided_by", "runs"),
)
"""The columns of the table that `compare` makes."""

_NUMBERS = (
    *("published", "runs", "standard_deviation", "standard_error", "rounding", "tolerance"),
    *("allowed", "matters"),
)
_TEXTS = ("reason", "side")
_OVERRIDING = ("reason", "allowed", "side", "matters")


def items(aggregated: pd.DataFrame) -> pd.DataFrame:
    """Return our side of a comparison, from the table of point values of `tables.aggregate`.

    Returns
    -------
    columns item ("mean/<environment>/<algorithm>" or "game_score/<algorithm>"), ours, standard_error, runs
    """
    quantity, place, algorithm = (aggregated[name] for name in ("aggregate", "environment", "algorithm"))
    somewhere = place.fillna("") != ""
    table = aggregated[["standard_error", "runs"]].copy()
    table.insert(0, "item", item_texts(quantity, place, algorithm).where(somewhere, item_texts(quantity, algorithm)))
    table.insert(1, "ours", aggregated["estimate"])
    return table


def distribution_items(runs: pd.DataFrame, wanted: pd.DataFrame) -> pd.DataFrame:
    """Return our side of a comparison of points of distribution functions; pairs without runs are left out.

    Parameters
    ----------
    runs : columns algorithm, environment, score
    wanted : columns item, quantity, environment, algorithm, at. The quantity "cdf" is the proportion of runs with a
        score of at most `at`, "quantile" the lowest score that at least the proportion `at` of the runs does not exceed

    Returns
    -------
    columns item, ours, standard_error, runs; the standard error of a proportion is the binomial one with two runs
    more on either side (Agresti and Coull 1998), so that it is not 0 if all runs are on one side; for a quantile it is
    half the distance between the quantiles a binomial standard error of the proportion above and below
    """
    scores = {pair: np.sort(rows.to_numpy()) for pair, rows in runs.groupby(["environment", "algorithm"])["score"]}
    rows = []
    for row in wanted.itertuples(index=False):
        sample = scores.get((row.environment, row.algorithm))
        if sample is not None:
            at = row.at
            size = sample.size
            if row.quantity == "cdf":
                count = np.searchsorted(sample, at, side="right")
                share = (count + 2.0) / (size + 4.0)
                value = count / size
                error = math.sqrt(share * (1.0 - share) / (size + 4.0))
            else:
                around = math.sqrt(at * (1.0 - at) / size)
                # A product such as 0.1 * 30 may come out a bit above the whole number that it stands for.
                ranks = [math.ceil(one * size - 1e-9) for one in (at, at - around, at + around)]
                value, low, high = sample[np.clip(ranks, 1, size) - 1]
                error = (high - low) / 2.0
            rows.append({"item": row.item, "ours": value, "standard_error": error, "runs": size})
    return pd.DataFrame(rows, columns=["item", "ours", "standard_error", "runs"])


def compare(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each published number that has a counterpart among ours, in the published order.

    Parameters
    ----------
    published : columns item, published, and optionally
        runs (number behind it; without it the number is treated as exact),
        standard_deviation (of single runs, known better than from our runs: from the paper, or a larger run's record),
        standard_error (of the published number, where it is known),
        rounding (how far the printed number may lie from the exact one, such as 0.05 with one decimal printed; taken
        for uniform, and so rounding/sqrt(3) of the standard error),
        tolerance (the allowed difference of an exact number; with a standard_error, what is allowed besides chance),
        reason, allowed, side (why a larger difference is to be expected, how large it may be, and in which direction),
        matters (the smallest difference worth noticing; by default `printed_spread` where standard errors decide, and
        none for exact numbers)
    ours : columns item, ours, standard_error, runs, as `items` makes them, and optionally undecided and detectable, as
        in `judge`, and reason, allowed, side and matters, which override those of the published table

    Returns
    -------
    columns item, published, ours, standard_error, z, tolerance, detectable, matters, allowed, verdict, reason,
    undecided_by ("our runs" or "the paper" where the runs leave the row undecided, else empty) and runs (of ours).
    standard_error is the joint one of both numbers, z the difference in it; z is empty where ours comes from fewer than
    200 runs, both are empty for exact numbers. detectable, allowed, verdict and reason are those of `judge`. If the
    spread is known only from fewer than 200 runs of ours, Student's t replaces the normal distribution; the tolerance
    of a single run is infinite. Such a row rarely notices anything, and then is undecided.

    Raises
    ------
    ValueError : no item in common, an item that occurs twice, an exact number without a tolerance, or a reason without
        the largest difference that it allows
    """
    table = _pair(published, ours)
    rounding = table["rounding"].fillna(0.0) / math.sqrt(3.0)
    # Standard deviation of single runs: the known one, or the one that our runs show, which needs two runs.
    shown = (table["standard_error"] * np.sqrt(table["runs"])).where(table["runs"] > 1)
    deviation = table["standard_deviation"].fillna(shown)
    # Standard error between the published number and infinitely many runs of ours; 0 if it is unknown.
    sampling = table["published_error"].fillna(deviation / np.sqrt(table["published_runs"])).fillna(0.0)
    printed = np.hypot(sampling, rounding)
    # Standard error of the difference: sd sqrt(1/N published + 1/N ours), or ours combined with the published one, with
    # the rounding; NaN if either number is exact.
    ours_alone = (table["standard_deviation"] / np.sqrt(table["runs"])).fillna(table["standard_error"])
    joint = deviation * np.sqrt(1.0 / table["published_runs"] + 1.0 / table["runs"])
    joint = joint.mask(table["published_error"].notna(), np.hypot(table["published_error"], ours_alone))
    table["standard_error"] = np.hypot(joint, rounding)
    sampled = table["tolerance"].isna() | (table["published_error"].notna() & table["standard_error"].notna())
    from_our_runs = table["standard_deviation"].isna()
    degrees = (table["runs"] - 1).where(from_our_runs & table["runs"].between(1, FEWEST_RUNS, inclusive="left"), np.inf)
    allowed = table["tolerance"].fillna(0.0)
    error = table["standard_error"].where(sampled, 0.0)
    single = sampled & (degrees == 0)
    critical = _holm_critical_values((table["ours"] - table["published"]).abs() - allowed, error.mask(single), degrees)
    table["tolerance"] = (allowed + critical * error).mask(single, np.inf)
    unknown = table["item"][table["tolerance"].isna()].tolist()
    if unknown:
        raise HintedError("compare", f"{', '.join(unknown[:5])}: no tolerance", "exact numbers need one")
    spread = table["item"].map(printed_spread(published.set_index("item")["published"]))
    table["matters"] = table["matters"].fillna(spread.where(sampled))
    has_z = (table["runs"] >= FEWEST_RUNS) & (table["standard_error"] > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        table["z"] = ((table["ours"] - table["published"]) / table["standard_error"]).where(has_z)
    least = allowed + detectable_effect(critical.min(), printed.where(sampled, 0.0))
    table = judge(table)
    side = (least > table["matters"]).map({True: THEIRS, False: OURS})
    table["undecided_by"] = side.where(table["blind"], "")
    return table[list(COLUMNS)]


def _holm_critical_values(excess: pd.Series, error: pd.Series, degrees: pd.Series) -> pd.Series:
    """Return how many standard errors a difference may be if Holm's procedure at `LEVEL` is not to reject it.

    Parameters
    ----------
    excess : |difference| beyond what is allowed besides chance
    error : standard error of the difference; 0 for exact numbers, which are not tested, NaN where it is unknown
    degrees : of freedom of Student's t; infinite for the normal distribution
    """
    tested = error > 0
    t = -(excess / error.where(tested)).clip(lower=0.0)
    p_values = 2.0 * np.where(np.isinf(degrees), ndtr(t), stdtr(degrees, t))
    family = int((tested | error.isna()).sum())  # an unknown spread rejects nothing, and counts
    p_values = np.append(p_values[tested], np.ones(family - int(tested.sum())))
    rejected = int((holm(p_values) <= LEVEL).sum()) if family else 0
    tail = LEVEL / (2.0 * max(family - rejected, 1))
    return pd.Series(-np.where(np.isinf(degrees), ndtri(tail), stdtrit(degrees, tail)), index=excess.index)


def printed_spread(published: pd.Series) -> pd.Series:
    """Return the standard deviation of the printed numbers whose items differ from a number's only in the last name.

    For ``mean/acrobot/sarsa``, it is taken over the means of all algorithms in acrobot. A number without such company
    has its absolute value instead; 0 has none.

    Parameters
    ----------
    published : printed numbers by item
    """
    parsed = [read_item(item) for item in published.index]
    spread = published.groupby([item._replace(of=item.of[:-1]).text for item in parsed]).transform("std")
    return spread.where(spread > 0, published.abs().mask(published == 0))


def of_more_runs(run: pd.DataFrame, record: pd.DataFrame) -> pd.DataFrame:
    """Return, for each published number, the row with more runs of ours out of two comparisons.

    Ties go to the record, whose rows come first. Both have the columns of `compare`, and `record` may have more.
    """
    both = [part for part in (record, run) if len(part)]
    if not both:
        return run
    rows = pd.concat(both, ignore_index=True)
    more = rows["runs"].astype(float).fillna(0.0).sort_values(ascending=False, kind="stable").index
    return rows.loc[rows.loc[more].drop_duplicates("item").index.sort_values()].reset_index(drop=True)


def recorded_deviations(record: pd.DataFrame, published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Return the published table with the column standard_deviation of `compare`, from a large run's comparison.

    The value is set if the record has more runs than ours: a few runs of a heavy-tailed distribution rarely show its
    tail, so that their standard deviation is far too small.

    Parameters
    ----------
    record : columns item, standard_error (joint, as `compare` makes it) and trials (number of our runs)
    published : columns item and runs, and optionally rounding
    ours : columns item and runs
    """
    recorded = record.set_index("item")
    joint, trials = (published["item"].map(recorded[column]) for column in ("standard_error", "trials"))
    rounding = published["rounding"].fillna(0.0) if "rounding" in published else 0.0
    sampling = (joint**2 - rounding**2 / 3.0).clip(lower=0.0)
    deviation = np.sqrt(sampling / (1.0 / published["runs"] + 1.0 / trials)).astype(float)
    runs = published["item"].map(ours.set_index("item")["runs"]).astype(float)
    return published.assign(standard_deviation=deviation.where(trials > runs))


def expected_greatest(count: int) -> float:
    """Return the expected greatest of `count` independent standard normal numbers (Blom 1958).

    The error is below 2 % for 10 and more.
    """
    return NormalDist().inv_cdf((count - 0.375) / (count + 0.25))


def _pair(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Return one row per common item, with all columns of both; missing values are NaN or an empty reason."""
    for side, table in (("published", published), ("ours", ours)):
        twice = table["item"][table["item"].duplicated()].tolist()
        if twice:
            raise HintedError("compare", f"{side} has {', '.join(twice[:5])} twice", "an item names one number")
    published = published.reindex(columns=["item", *_NUMBERS, *_TEXTS]).astype(dict.fromkeys(_NUMBERS, np.float64))
    numbers = ["ours", "standard_error", "runs", "detectable"]
    ours = ours.reindex(columns=["item", *numbers, "undecided", *_OVERRIDING])
    ours = ours.astype(dict.fromkeys(numbers, np.float64)).rename(columns={name: f"our_{name}" for name in _OVERRIDING})
    published = published.rename(columns={"runs": "published_runs", "standard_error": "published_error"})
    table = published.merge(ours, on="item", how="inner")
    if len(table) == 0:
        raise HintedError(
            "compare",
            "no published item is among ours",
            f"published items look like {published['item'].iloc[0]}, ours like {ours['item'].iloc[0]}",
        )
    for name in _OVERRIDING:
        mine = table.pop(f"our_{name}")
        table[name] = mine.where(mine.notna(), table[name]).infer_objects()
    return table
