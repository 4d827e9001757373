"""Comparison of published numbers with ours, and verdicts on them.

Each published number stands beside ours with the standard error of the difference and a tolerance. Let d be the
difference between our number and the published one, and let the *tolerance* be what chance and rounding leave open
(four standard errors of d, unless the number is exact and has a tolerance of its own). The *detectable* difference is
the smallest true difference that the runs would have noticed, |d| > tolerance, with probability 0.9: tolerance + 1.2816
standard errors. *matters* is a yardstick: the smallest difference worth noticing.

reproduced
    |d| is within the tolerance, the detectable difference is within the yardstick (a difference that matters would have
    been noticed), and the tolerance is at most a quarter of the published number, unless that is 0.
limited
    No difference was noticed, but the agreement says little: one that matters could well have gone unnoticed, or the
    tolerance exceeds a quarter of the published number. `limited_by` says whether more runs of ours would settle it
    ("our runs"), or the published number itself is too uncertain ("the paper").
explained
    |d| is beyond the tolerance, a known reason says why, and |d| is within the largest difference that this reason
    *allows* (in the direction in which it works).
differs
    All other rows. No reason, and no small number of runs, protects a row whatever its difference: each row has a
    difference beyond which it differs.
"""

import math
from statistics import NormalDist

import numpy as np
import pandas as pd
from scipy.special import ndtr, stdtrit

from surefoot.errors import HintedError
from surefoot.statistics.reproduction.items import item_texts

VERDICTS = ("reproduced", "explained", "limited", "differs")
WIDEST = 0.25
"""The largest tolerance, as a share of the published number, with which a number is called reproduced."""
POWER = 0.9
"""Probability with which the detectable difference is noticed."""

STANDARD_ERRORS = 4.0
"""How many standard errors wide a tolerance is that they decide."""

NOTICED = STANDARD_ERRORS + NormalDist().inv_cdf(POWER)
"""Standard errors of the smallest difference that is noticed with probability POWER."""


def judge(table: pd.DataFrame) -> pd.DataFrame:
    """The rows with the columns detectable and verdict, and the reason where it explains the difference.

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
        detectable (the smallest difference that would have been noticed, where the caller knows it better, as that of a
        claim)

    Returns
    -------
    The table with detectable, verdict and all optional columns; reason is kept in explained rows alone, allowed in
    these and in those that differ although there is a reason

    Raises
    ------
    ValueError : a reason without `allowed`, or a side that is none
    """
    numbers, texts = ["allowed", "matters", "detectable"], ["reason", "side"]
    columns = dict.fromkeys((*table.columns, *numbers, *texts, "undecided"))
    table = table.reset_index(drop=True).reindex(columns=list(columns)).astype(dict.fromkeys(numbers, float))
    table[texts] = table[texts].astype(object).where(table[texts].notna(), "")
    _check(table)
    difference = table["ours"] - table["published"]
    within = difference.abs() <= table["tolerance"]
    noticed = table["tolerance"] + NormalDist().inv_cdf(POWER) * table["standard_error"].fillna(0.0)
    table["detectable"] = table["detectable"].fillna(noticed)
    undecided = table["undecided"].where(table["undecided"].notna(), within)
    # An infinite detectable difference exceeds any yardstick, a missing one included.
    blind = (table["detectable"] > table["matters"]) | np.isinf(table["detectable"])
    direction = table["side"].map({"lower": -1.0, "higher": 1.0}).fillna(0.0)
    right_way = (direction == 0) | (np.sign(difference) == direction)
    excused = (table["reason"] != "") & right_way & (difference.abs() <= table["allowed"])
    wide = within & (table["published"] != 0) & (table["tolerance"] > WIDEST * table["published"].abs())
    limited = wide | (undecided.astype(bool) & blind)
    table["verdict"] = np.select([limited, within, excused], ["limited", "reproduced", "explained"], "differs")
    unreasoned = table["reason"] == ""
    table["reason"] = table["reason"].where(table["verdict"] == "explained", "")
    table["allowed"] = table["allowed"].mask(unreasoned | table["verdict"].isin(("reproduced", "limited")))
    return table


def verdict_counts(verdicts: pd.Series) -> dict[str, int]:
    """How many of each of VERDICTS."""
    return {verdict: int((verdicts == verdict).sum()) for verdict in VERDICTS}


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
    *("detectable", "allowed", "verdict", "reason", "limited_by", "runs"),
)
"""The columns of the table that `compare` makes."""

_NUMBERS = (
    *("published", "runs", "standard_deviation", "standard_error", "rounding", "tolerance"),
    *("slack", "allowed", "matters"),
)
_TEXTS = ("reason", "side")
_OVERRIDING = ("reason", "allowed", "side", "matters")


def items(aggregated: pd.DataFrame) -> pd.DataFrame:
    """Our side of a comparison, from the table of point values that `tables.aggregate` makes.

    Returns
    -------
    columns item ("mean/<environment>/<algorithm>" or "game_score/<algorithm>"), ours, standard_error, runs
    """
    quantity, place, algorithm = (aggregated[name] for name in ("aggregate", "environment", "algorithm"))
    somewhere = place.fillna("") != ""
    table = aggregated[["standard_error", "runs"]].copy()
    table.insert(0, "item", item_texts(quantity, place, algorithm).where(somewhere, item_texts(quantity, algorithm)))
    table.insert(1, "ours", aggregated["value"])
    return table


def distribution_items(runs: pd.DataFrame, wanted: pd.DataFrame) -> pd.DataFrame:
    """Our side of a comparison of points of distribution functions; the pairs that have no runs are left out.

    Parameters
    ----------
    runs : columns algorithm, environment, score
    wanted : columns item, quantity, environment, algorithm, at. The quantity "cdf" is the proportion of runs with a
        score of at most `at`, "quantile" the lowest score that at least the proportion `at` of the runs does not exceed

    Returns
    -------
    columns item, ours, standard_error, runs; the standard error of a proportion is the binomial one with two runs
    more on either side (Agresti and Coull 1998), so that it is not 0 where all runs are on one; that of a quantile is
    half the distance between the quantiles a binomial standard error of the proportion above and below
    """
    scores = {pair: np.sort(rows.to_numpy()) for pair, rows in runs.groupby(["environment", "algorithm"])["score"]}
    rows = []
    for row in wanted.itertuples(index=False):
        sample = scores.get((row.environment, row.algorithm))
        if sample is not None:
            at, size = row.at, sample.size
            if row.quantity == "cdf":
                count = np.searchsorted(sample, at, side="right")
                share = (count + 2.0) / (size + 4.0)
                value, error = count / size, math.sqrt(share * (1.0 - share) / (size + 4.0))
            else:
                around = math.sqrt(at * (1.0 - at) / size)
                # A product such as 0.1 * 30 may come out a bit above the whole number that it stands for.
                ranks = [math.ceil(one * size - 1e-9) for one in (at, at - around, at + around)]
                value, low, high = sample[np.clip(ranks, 1, size) - 1]
                error = (high - low) / 2.0
            rows.append({"item": row.item, "ours": value, "standard_error": error, "runs": size})
    return pd.DataFrame(rows, columns=["item", "ours", "standard_error", "runs"])


def compare(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """One row for each published number that we have a counterpart of, in the published order.

    Parameters
    ----------
    published : columns item, published, and optionally
        runs (number behind it; without it the number is taken for exact),
        standard_deviation (of single runs, known better than from our runs: from the paper, or a larger run's record),
        standard_error (of the published number, where it is known),
        rounding (how far the printed number may lie from the exact one, such as 0.05 with one decimal printed; taken
        for uniform, and so rounding/sqrt(3) of the standard error),
        tolerance (the allowed difference, instead of STANDARD_ERRORS standard errors),
        slack (a difference that is known to be possible beside chance, added to the tolerance),
        reason, allowed, side (why a larger difference is to be expected, how large it may be, and in which direction),
        matters (the smallest difference worth noticing; by default the published number's own size where standard
        errors decide, and none where a tolerance was given)
    ours : columns item, ours, standard_error, runs, as `items` makes them, and optionally undecided and detectable, as
        of `verdicts.judge`, and reason, allowed, side and matters, which come before those of the published table

    Returns
    -------
    columns item, published, ours, standard_error, z, tolerance, detectable, allowed, verdict, reason, limited_by ("our
    runs" or "the paper" where the verdict is limited, else empty) and runs (of ours). standard_error is the joint one
    of both numbers, z the difference in it; z is empty where ours comes from fewer than 200 runs, both are empty for
    exact numbers. detectable, allowed, verdict and reason are those of
    `verdicts.judge`. Where nothing but fewer than 200 runs of ours shows their spread, the tolerance is the quantile of
    Student's t that is exceeded as often as the normal exceeds STANDARD_ERRORS; it is infinite for a single run. Such
    a row rarely notices anything, and then is limited.

    Raises
    ------
    ValueError : no item in common, an item that occurs twice, an exact number without a tolerance, or a reason without
        the largest difference that it allows
    """
    table = _pair(published, ours)
    rounding = table["rounding"].fillna(0.0) / math.sqrt(3.0)
    # Of single runs: as it is known, or as our runs show it, of which there must be two.
    shown = (table["standard_error"] * np.sqrt(table["runs"])).where(table["runs"] > 1)
    deviation = table["standard_deviation"].fillna(shown)
    # The standard error that the published number leaves between it and infinitely many runs of ours; 0 where it is
    # not known.
    sampling = table["published_error"].fillna(deviation / np.sqrt(table["published_runs"])).fillna(0.0)
    printed = np.hypot(sampling, rounding)
    # That of the difference: sd sqrt(1/N published + 1/N ours), or ours beside the published one, with the rounding;
    # NaN where either number is exact.
    ours_alone = (table["standard_deviation"] / np.sqrt(table["runs"])).fillna(table["standard_error"])
    joint = deviation * np.sqrt(1.0 / table["published_runs"] + 1.0 / table["runs"])
    joint = joint.mask(table["published_error"].notna(), np.hypot(table["published_error"], ours_alone))
    table["standard_error"] = np.hypot(joint, rounding)
    exact = table["tolerance"].notna()
    least = table["tolerance"].fillna(STANDARD_ERRORS * printed)
    # So many standard errors; Student's quantile where few runs of ours alone show their spread, infinite for one.
    own = table["standard_deviation"].isna()
    few = own & table["runs"].between(2, FEWEST_RUNS, inclusive="left")
    quantile = -stdtrit((table["runs"] - 1).where(few), ndtr(-STANDARD_ERRORS))
    by_errors = (quantile.where(few, STANDARD_ERRORS) * table["standard_error"]).mask(
        own & (table["runs"] == 1), np.inf
    )
    table["tolerance"] = table["tolerance"].fillna(by_errors) + table["slack"].fillna(0.0)
    unknown = table["item"][table["tolerance"].isna()].tolist()
    if unknown:
        raise HintedError("compare", f"{', '.join(unknown[:5])}: no tolerance", "exact numbers need one")
    size = table["published"].abs()
    table["matters"] = table["matters"].fillna(size.mask(exact | (size == 0)))
    known = (table["runs"] >= FEWEST_RUNS) & (table["standard_error"] > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        table["z"] = ((table["ours"] - table["published"]) / table["standard_error"]).where(known)
    table = judge(table)
    hopeless = (least > WIDEST * size) | (least + NormalDist().inv_cdf(POWER) * printed > table["matters"])
    limit = hopeless.map({True: "the paper", False: "our runs"})
    table["limited_by"] = limit.where(table["verdict"] == "limited", "")
    return table[list(COLUMNS)]


def of_more_runs(run: pd.DataFrame, record: pd.DataFrame) -> pd.DataFrame:
    """The rows of two comparisons, of each published number the one with more runs of ours, and of equal ones that of
    the record; those of the record first. Both have the columns of `compare`, and `record` may have more."""
    both = [part for part in (record, run) if len(part)]
    if not both:
        return run
    rows = pd.concat(both, ignore_index=True)
    more = rows["runs"].astype(float).fillna(0.0).sort_values(ascending=False, kind="stable").index
    return rows.loc[rows.loc[more].drop_duplicates("item").index.sort_values()].reset_index(drop=True)


def recorded_deviations(record: pd.DataFrame, published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """The published table with the column standard_deviation of `compare`, out of a large run's comparison.

    It is given where the record has more runs than ours: a few runs of a heavy-tailed distribution rarely show its
    tail, and then their own standard deviation is far too small.

    Parameters
    ----------
    record : columns item, standard_error (joint, as `compare` makes it) and trials (number of our runs)
    published : columns item and runs, and optionally rounding
    ours : columns item and runs
    """
    known = record.set_index("item")
    joint, trials = (published["item"].map(known[column]) for column in ("standard_error", "trials"))
    rounding = published["rounding"].fillna(0.0) if "rounding" in published else 0.0
    sampling = (joint**2 - rounding**2 / 3.0).clip(lower=0.0)
    deviation = np.sqrt(sampling / (1.0 / published["runs"] + 1.0 / trials)).astype(float)
    runs = published["item"].map(ours.set_index("item")["runs"]).astype(float)
    return published.assign(standard_deviation=deviation.where(trials > runs))


def expected_greatest(count: int) -> float:
    """What one may expect of the greatest of this many independent standard normal numbers (Blom 1958; error below 2 %
    for 10 and more)."""
    return NormalDist().inv_cdf((count - 0.375) / (count + 0.25))


def _pair(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """One row an item that both sides have, with all columns of both; what is not given is NaN, the reason empty."""
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
