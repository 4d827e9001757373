"""Comparison of published numbers with ours, and verdicts on them.

Each published number stands next to ours with the standard error of their difference d and a tolerance. Among all
numbers of a paper that are judged by standard errors, Holm's procedure finds those that differ: if both sides have the
same true values, it finds one or more with a probability of at most 5 % (`LEVEL`). The *tolerance* is the difference at
which it stops. Numbers that are printed exactly have the tolerance that their file states. The *detectable* difference
is the smallest true difference that exceeds the tolerance with probability 0.9: tolerance + 1.2816 standard errors. The
smallest difference that *matters* is, by default, the standard deviation of the printed numbers of all algorithms,
since the purpose of a number is to show how algorithms differ; unlike a share of the number, it does not depend on the
zero of the scores.

reproduced
    d is within the tolerance, and a difference that matters would have been detected. For a claim, our numbers agree
    with it.
explained
    d is beyond the tolerance, but has a known reason, and is within the largest difference that this reason
    *allows* (in the direction in which it works).
undecided
    No difference was detected, but one that matters could have been missed. `undecided_by` says whether more runs of
    ours would decide it ("our runs"), or the published number is too uncertain ("the paper").
contradicted
    A claim with which our numbers disagree, however few the runs. `reason` says why.
differs
    All other numbers. Neither a reason nor a small number of runs excuses arbitrarily large differences: beyond some
    difference, the verdict is always "differs".
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
"""Probability that one or more numbers of a paper are found to differ if none does."""
POWER = 0.9
"""Probability with which the detectable difference is detected."""
_POWER_ERRORS = NormalDist().inv_cdf(POWER)

AGAINST = "our runs decide against it"
OURS = "our runs"
THEIRS = "the paper"
"""Values of `undecided_by`: the side (our runs, or the paper's) that has too few runs to decide."""


def critical_value(count: int) -> float:
    """Return how many standard errors any of `count` normal differences exceeds with probability `LEVEL` (Bonferroni).

    Examples
    --------
    >>> round(critical_value(1), 3), round(critical_value(100), 3)
    (1.96, 3.481)
    """
    return NormalDist().inv_cdf(1.0 - LEVEL / (2.0 * max(count, 1)))


def detectable_effect(critical: float, error: Any) -> Any:
    """Return the effect whose estimate exceeds `critical` standard errors with probability `POWER`."""
    return (critical + _POWER_ERRORS) * error


def judge(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with the columns detectable and verdict, and with reasons for explained or contradicted rows.

    Parameters
    ----------
    table : columns
        item, published, ours;
        standard_error (of their difference; NaN for exact numbers);
        tolerance (largest |difference| that counts as reproduced; infinite if the runs have no spread);
        and optionally
        reason (why a difference is to be expected; empty or NaN without one),
        allowed (largest |difference| that the reason explains, computed from it),
        side ("lower" or "higher": the reason explains only that ours is lower, or higher, than the published number;
        empty: both),
        matters (smallest difference worth noticing; NaN if there is none, so that any row is testable),
        undecided (bool: the runs do not decide the row; by default if |difference| is within the tolerance. For a
        claim, published as 1 or 0, the difference does not show how near the runs were to deciding it), detectable (the
        smallest difference that would have been noticed, if known to the caller, as for a claim)

    Returns
    -------
    The table with detectable, verdict, all optional columns and blind (bool: undecided, with runs that would have
    missed a difference that matters). reason is kept only in explained rows, and in contradicted rows, which always
    have one; allowed is kept in explained rows and in rows that differ in spite of a reason

    Raises
    ------
    ValueError : for a reason without `allowed`, or an unknown side
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
    # An infinite detectable difference is larger than any difference that matters, even an unknown one.
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
    """Return the reason for the contradiction of a claim, if no other reason is known."""
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
            "set `allowed` to the largest difference that it explains, at least 0",
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
"""Columns of the table returned by `compare`."""

_NUMBERS = (
    *("published", "runs", "standard_deviation", "standard_error", "rounding", "tolerance"),
    *("allowed", "matters"),
)
_TEXTS = ("reason", "side")
_OVERRIDING = ("reason", "allowed", "side", "matters")


def items(aggregated: pd.DataFrame) -> pd.DataFrame:
    """Return our side of a comparison, from the table of point values returned by `percentile.aggregate`.

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
    """Return our side of a comparison of distribution functions at some points; pairs without runs are left out.

    Parameters
    ----------
    runs : columns algorithm, environment, score
    wanted : columns item, quantity, environment, algorithm, at. The quantity "cdf" is the proportion of runs with a
        score of at most `at`; "quantile" is the lowest observed score such that at least the proportion `at` of the
        runs have at most this score

    Returns
    -------
    columns item, ours, standard_error, runs; the standard error of a proportion is binomial, with two runs added on
    either side (Agresti and Coull 1998), so that it is not 0 if all runs are on one side; for a quantile, it is half
    the distance between the quantiles at a proportion one binomial standard error higher and lower
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
        runs (number of runs behind it; without it, the number is treated as exact),
        standard_deviation (of single runs, if known better than from our runs: from the paper, or from a larger study),
        standard_error (of the published number, if known),
        rounding (largest rounding error of the printed number, such as 0.05 for one printed decimal; the error is
        assumed to be uniform, and contributes rounding/sqrt(3) to the standard error), tolerance (the allowed
        difference of an exact number; with a standard_error, the difference allowed in addition to chance), reason,
        allowed, side (why a larger difference is to be expected, how large it may be, and in which direction), matters
        (the smallest difference worth noticing; by default `printed_spread` if standard errors decide, and none for
        exact numbers)
    ours : columns item, ours, standard_error, runs, as returned by `items`, and optionally undecided and detectable, as
        in `judge`, and reason, allowed, side and matters, which override those of the published table

    Returns
    -------
    columns item, published, ours, standard_error, z, tolerance, detectable, matters, allowed, verdict, reason,
    undecided_by ("our runs" or "the paper" if the runs leave the row undecided, else empty) and runs (ours).
    standard_error is that of the difference, and z is the difference in standard errors; z is empty if ours has fewer
    than 200 runs, and both are empty for exact numbers. detectable, allowed, verdict and reason are those of `judge`.
    If the spread is known only from fewer than 200 runs of ours, Student's t replaces the normal distribution; the
    tolerance of a single run is infinite. Such a row has little power, and is then undecided.

    Raises
    ------
    ValueError : if there is no item in common, an item occurs twice, an exact number has no tolerance, or a reason
        lacks the largest difference that it allows
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
        raise HintedError("compare", f"{', '.join(unknown[:5])}: no tolerance", "give exact numbers a tolerance")
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
    """Return, for each difference, the critical value of Holm's procedure at `LEVEL`, in standard errors.

    Parameters
    ----------
    excess : |difference| minus the difference allowed in addition to chance
    error : standard error of the difference; 0 for exact numbers, which are not tested, NaN if unknown
    degrees : degrees of freedom of Student's t; infinite for the normal distribution
    """
    tested = error > 0
    t = -(excess / error.where(tested)).clip(lower=0.0)
    p_values = 2.0 * np.where(np.isinf(degrees), ndtr(t), stdtr(degrees, t))
    family = int((tested | error.isna()).sum())  # includes differences of unknown spread, which are never rejected
    p_values = np.append(p_values[tested], np.ones(family - int(tested.sum())))
    rejected = int((holm(p_values) <= LEVEL).sum()) if family else 0
    tail = LEVEL / (2.0 * max(family - rejected, 1))
    return pd.Series(-np.where(np.isinf(degrees), ndtri(tail), stdtrit(degrees, tail)), index=excess.index)


def printed_spread(published: pd.Series) -> pd.Series:
    """Return the standard deviation of the printed numbers whose items equal a number's except for the last name.

    For ``mean/acrobot/sarsa``, it is taken over the means of all algorithms in acrobot. If there are no others, it is
    the absolute value of the number, or NaN if that is 0.

    Parameters
    ----------
    published : printed numbers by item
    """
    parsed = [read_item(item) for item in published.index]
    spread = published.groupby([item._replace(of=item.of[:-1]).text for item in parsed]).transform("std")
    return spread.where(spread > 0, published.abs().mask(published == 0))


def of_more_runs(run: pd.DataFrame, record: pd.DataFrame) -> pd.DataFrame:
    """Return, for each published number, the row with more of our runs, from either of two comparisons.

    Ties go to the record, whose rows come first. Both have the columns of `compare`, and `record` may have more.
    """
    both = [part for part in (record, run) if len(part)]
    if not both:
        return run
    rows = pd.concat(both, ignore_index=True)
    more = rows["runs"].astype(float).fillna(0.0).sort_values(ascending=False, kind="stable").index
    return rows.loc[rows.loc[more].drop_duplicates("item").index.sort_values()].reset_index(drop=True)


def recorded_deviations(record: pd.DataFrame, published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Return the published table with the column standard_deviation, taken from the comparison of a larger study.

    The value is set if the record has more runs than ours: a few runs of a heavy-tailed distribution rarely include its
    tail, so that their standard deviation is far too small.

    Parameters
    ----------
    record : columns item, standard_error (of the difference, as returned by `compare`) and trials (number of our runs)
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
    """Return the expected maximum of `count` independent standard normal numbers (Blom 1958).

    The error is below 2 % for ten or more numbers.
    """
    return NormalDist().inv_cdf((count - 0.375) / (count + 0.25))


def _pair(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Return one row per common item, with all columns of both tables; missing values are NaN or an empty reason."""
    for side, table in (("published", published), ("ours", ours)):
        twice = table["item"][table["item"].duplicated()].tolist()
        if twice:
            raise HintedError("compare", f"{side} has {', '.join(twice[:5])} twice", "give each number its own item")
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
