"""Verdicts on published numbers: what each says, and when.

Let d be the difference between our number and the published one, and let the *tolerance* be what chance and rounding
leave open (four standard errors of d, unless the number is exact and has a tolerance of its own). The *detectable*
difference is the smallest true difference that the runs would have noticed, |d| > tolerance, with probability 0.9:
tolerance + 1.2816 standard errors. *matters* is a yardstick: the smallest difference worth noticing.

reproduced
    |d| is within the tolerance, and the detectable difference is within the yardstick: a difference that matters would
    have been noticed.
not testable
    No difference was noticed, but one that matters could well have gone unnoticed: detectable > matters. More runs of
    ours can settle it, unless the published number itself is too uncertain.
explained
    |d| is beyond the tolerance, a known reason says why, and |d| is within the largest difference that this reason
    *allows* (in the direction in which it works).
differs
    All other rows. No reason, and no small number of runs, protects a row whatever its difference: each row has a
    difference beyond which it differs.
"""

from statistics import NormalDist

import numpy as np
import pandas as pd

from surefoot.errors import HintedError

VERDICTS = ("reproduced", "explained", "not testable", "differs")
POWER = 0.9
"""Probability with which the detectable difference is noticed."""

STANDARD_ERRORS = 4.0
"""Of a tolerance that standard errors decide."""

NOTICED = STANDARD_ERRORS + NormalDist().inv_cdf(POWER)
"""Standard errors of the smallest difference that is noticed with probability POWER."""

SIDES = ("", "lower", "higher")


def judge(table: pd.DataFrame) -> pd.DataFrame:
    """The rows with the columns detectable and verdict, and the reason where it explains the difference.

    Parameters
    ----------
    table : columns
        published, ours;
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
    The table with detectable and verdict; reason is kept in explained rows alone, allowed in these and in those that
    differ although there is a reason

    Raises
    ------
    ValueError : a reason without `allowed`, or a side that is none
    """
    table = table.reset_index(drop=True)
    for name, missing in (("reason", ""), ("side", "")):
        given = table[name] if name in table else pd.Series(missing, index=table.index)
        table[name] = given.astype(object).where(given.notna(), missing)
    for name in ("allowed", "matters", "detectable"):
        table[name] = table[name].astype(float) if name in table else np.nan
    _check(table)
    difference = table["ours"] - table["published"]
    within = difference.abs() <= table["tolerance"]
    noticed = table["tolerance"] + NormalDist().inv_cdf(POWER) * table["standard_error"].fillna(0.0)
    table["detectable"] = table["detectable"].fillna(noticed)
    undecided = table["undecided"].where(table["undecided"].notna(), within) if "undecided" in table else within
    # An infinite detectable difference exceeds any yardstick, a missing one included.
    blind = (table["detectable"] > table["matters"]) | np.isinf(table["detectable"])
    direction = table["side"].map({"lower": -1.0, "higher": 1.0}).fillna(0.0)
    right_way = (direction == 0) | (np.sign(difference) == direction)
    excused = (table["reason"] != "") & right_way & (difference.abs() <= table["allowed"])
    untestable = undecided.astype(bool) & blind
    table["verdict"] = np.select([untestable, within, excused], ["not testable", "reproduced", "explained"], "differs")
    unreasoned = table["reason"] == ""
    table["reason"] = table["reason"].where(table["verdict"] == "explained", "")
    table["allowed"] = table["allowed"].mask(unreasoned | table["verdict"].isin(("reproduced", "not testable")))
    return table


def verdict_counts(verdicts: pd.Series) -> dict[str, int]:
    """How many of each of VERDICTS."""
    return {verdict: int((verdicts == verdict).sum()) for verdict in VERDICTS}


def _check(table: pd.DataFrame) -> None:
    names = table["item"] if "item" in table else table.index.to_series().map("row {}".format)
    unlimited = ((table["reason"] != "") & ~(table["allowed"] >= 0)) | np.isinf(table["allowed"])
    if unlimited.any():
        row = table[unlimited].iloc[0]
        raise HintedError(
            "verdicts",
            f"{names[unlimited].iloc[0]}: the reason '{row['reason']}' has no limit",
            "give in `allowed` the largest difference that it explains, a number of 0 or more",
        )
    unknown = ~table["side"].isin(SIDES)
    if unknown.any():
        raise HintedError(
            "verdicts",
            f"{names[unknown].iloc[0]}: side {table['side'][unknown].iloc[0]!r}",
            "a reason explains that ours is 'lower', 'higher', or (empty) either",
        )
