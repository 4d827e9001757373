"""Comparison of published numbers with ours, and verdicts on them.

Each published number is compared with ours, using the standard error of the difference d and a tolerance. Of all
numbers of a paper that are judged by standard errors, Holm's procedure finds those that differ. If both sides have the
same true values, it finds any with a probability of at most 5 % (`LEVEL`). The *tolerance* is the difference at which
it stops. Numbers that are printed exactly have the tolerance that their file states. The *detectable* difference is the
smallest true difference that exceeds the tolerance with probability 0.9, which is tolerance + 1.2816 standard errors.
The smallest difference that *matters* is, by default, the standard deviation of the printed numbers of all algorithms,
since the purpose of a number is to show how algorithms differ. Unlike a share of the number, it does not depend on the
zero of the scores.

reproduced
    d is within the tolerance, and a difference that matters would have been detected. For a claim, our numbers agree
    with it.
explained
    d is beyond the tolerance, but has a known reason, and is within the largest difference that the reason *allows* (in
    the direction that it explains).
undecided
    No difference was detected, but a difference that matters could have been missed. `undecided_by` is "our runs" if
    more runs of ours would decide, or "the paper" if the published number is too uncertain.
contradicted
    A claim with which our numbers disagree. `reason` is a known cause, or says whether our runs are enough to decide
    against the claim.
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
from surefoot.statistics.comparison.simultaneous_comparisons import holm
from surefoot.statistics.reproduction.items import CLAIM, item_texts, quantities, read_item
from surefoot.statistics.reproduction.verdicts import TOO_FEW

LEVEL = 0.05
"""Probability that any number of a paper is found to differ although none does."""
POWER = 0.9
"""Probability with which the detectable difference is detected."""
_POWER_ERRORS = NormalDist().inv_cdf(POWER)

AGAINST = "our runs decide against it"
OURS = "our runs"
THEIRS = "the paper"
"""Values of `undecided_by`: the side that has too few runs to decide."""


def critical_value(count: int) -> float:
    """Return the critical value of the largest of `count` z-scores, at `LEVEL` by Bonferroni's method.

    Examples
    --------
    >>> round(critical_value(1), 3), round(critical_value(100), 3)
    (1.96, 3.481)
    """
    return NormalDist().inv_cdf(1.0 - LEVEL / (2.0 * max(count, 1)))


def detectable_effect(critical: float, error: Any) -> Any:
    """Return the true effect whose estimate exceeds `critical` standard errors with probability `POWER`."""
    return (critical + _POWER_ERRORS) * error


def judge(table: pd.DataFrame) -> pd.DataFrame:
    """Add verdicts to a table of published numbers and ours; see the module docstring.

    Parameters
    ----------
    table : columns
        item, published, ours,
        standard_error (of the difference; NaN for exact numbers),
        tolerance (largest |difference| that counts as reproduced; infinite if the spread of the runs is unknown),
        and optionally
        reason (why a difference is expected; empty or NaN if there is no reason),
        allowed (largest |difference| that the reason explains),
        side ("lower" or "higher" if the reason only explains that ours is lower or higher; empty for both),
        matters (smallest difference that matters; NaN if it is unknown, so that the row is undecided only if detectable
        is infinite),
        undecided (True if the runs do not decide the row; by default, if |difference| is within the tolerance. For a
        claim, published as 1 or 0, the difference does not show how close the runs are to a decision),
        detectable (smallest difference that would have been detected, if the caller knows it)

    Returns
    -------
    The table with the optional columns and with verdict and blind (True if the row is undecided, and a difference that
    matters could have been missed). Explained and contradicted rows have a reason, and the reasons of other rows are
    removed; allowed is kept in explained rows, and in rows that differ in spite of a reason

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
    # If `matters` is NaN, the comparison is False, but an infinite detectable difference still counts as missed.
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
    """Return the reason why a claim is contradicted, if no other reason is known."""
    if not row.blind:
        return AGAINST
    printed = f", but the paper's is {row.matters:.2g}" if row.matters > 0 else ""
    return f"{TOO_FEW}: only an effect of at least {row.detectable:.2g} would have been detected{printed}"


def contradicted_first(table: pd.DataFrame) -> pd.DataFrame:
    """Move contradicted rows to the beginning of a table."""
    return table.sort_values(
        "verdict", key=lambda verdicts: verdicts != "contradicted", kind="stable", ignore_index=True
    )


def _check(table: pd.DataFrame) -> None:
    unlimited = ((table["reason"] != "") & ~(table["allowed"] >= 0)) | np.isinf(table["allowed"])
    if unlimited.any():
        row = table[unlimited].iloc[0]
        raise HintedError(
            "verdicts",
            f"{row['item']}: the reason '{row['reason']}' has no valid largest difference",
            "set `allowed` to the largest difference that it explains, at least 0",
        )
    unknown = ~table["side"].isin(("", "lower", "higher"))
    if unknown.any():
        row = table[unknown].iloc[0]
        hint = "use 'lower' or 'higher' if the reason explains only that ours is lower or higher, or leave side empty"
        raise HintedError("verdicts", f"{row['item']}: unknown side {row['side']!r}", hint)


FEWEST_RUNS = 200

COLUMNS = (
    *("item", "published", "ours", "standard_error", "z", "tolerance"),
    *("detectable", "matters", "allowed", "verdict", "reason", "undecided_by", "runs"),
)
"""Columns of the result of `compare`."""

_NUMBERS = (
    *("published", "runs", "standard_deviation", "standard_error", "rounding", "tolerance"),
    *("allowed", "matters"),
)
_TEXTS = ("reason", "side")
_OVERRIDING = ("reason", "allowed", "side", "matters")


def items(aggregated: pd.DataFrame) -> pd.DataFrame:
    """Convert the values returned by `percentile.aggregate` to the table `ours` of `compare`.

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
    """Compute points of distribution functions, as the table `ours` of `compare`.

    The standard error of a proportion is binomial, with two runs added on either side (Agresti and Coull 1998), so that
    it is not 0 if all runs are on one side. The standard error of a quantile is half the distance between the quantiles
    at proportions one binomial standard error below and above.

    Parameters
    ----------
    runs : columns algorithm, environment, score
    wanted : columns item, quantity, environment, algorithm, at. The quantity "cdf" is the proportion of runs with a
        score of at most `at`. The quantity "quantile" is the lowest score such that at least the proportion `at` of the
        runs have at most this score

    Returns
    -------
    columns item, ours, standard_error, runs; rows without runs are left out
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
                # Because of rounding, a product such as 0.1 * 30 may be slightly above the whole number.
                ranks = [math.ceil(one * size - 1e-9) for one in (at, at - around, at + around)]
                value, low, high = sample[np.clip(ranks, 1, size) - 1]
                error = (high - low) / 2.0
            rows.append({"item": row.item, "ours": value, "standard_error": error, "runs": size})
    return pd.DataFrame(rows, columns=["item", "ours", "standard_error", "runs"])


def compare(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Compare published numbers with ours, with one row for each item that both tables have, in the published order.

    If the standard deviation of a run is known only from fewer than 200 runs of ours, Student's t distribution is used
    instead of the normal one. The tolerance is infinite if ours is a single run.

    Parameters
    ----------
    published : columns item, published, and optionally
        runs (number of runs of the published number; without it, the number is treated as exact),
        standard_deviation (of single runs, if it is known from the paper or a larger study; by default from our runs),
        standard_error (of the published number, if known),
        rounding (largest rounding error of the printed number, such as 0.05 for one printed decimal; the error is
        assumed to be uniform, and contributes rounding/sqrt(3) to the standard error),
        tolerance (largest allowed difference of an exact number; with a standard_error, the difference allowed in
        addition to chance),
        reason, allowed, side (see `judge`),
        matters (smallest difference that matters; by default `printed_spread` if standard errors decide, and NaN for
        exact numbers)
    ours : columns item, ours, standard_error, runs, as returned by `items`, and optionally undecided and detectable
        (see `judge`), and reason, allowed, side and matters, which override the columns of the published table

    Returns
    -------
    columns item, published, ours, standard_error (of the difference; empty for exact numbers), z (difference divided by
    standard_error; empty for exact numbers, or if ours has fewer than 200 runs), tolerance, detectable, matters,
    allowed, verdict, reason (see `judge`), undecided_by ("our runs" or "the paper" for undecided rows, else empty) and
    runs (ours)

    Raises
    ------
    ValueError : if no item is in both tables, an item occurs twice, an exact number has no tolerance, or a reason has
        no largest difference
    """
    table = _pair(published, ours)
    rounding = table["rounding"].fillna(0.0) / math.sqrt(3.0)
    # Standard deviation of single runs, estimated from our runs (at least two) if it is not known.
    shown = (table["standard_error"] * np.sqrt(table["runs"])).where(table["runs"] > 1)
    deviation = table["standard_deviation"].fillna(shown)
    # Standard error of the difference if ours had infinitely many runs; 0 if it is unknown.
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
        what = f"no tolerance for {', '.join(unknown[:5])}"
        raise HintedError("compare", what, "give exact numbers a tolerance")
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
    """Return the critical value of Holm's procedure at `LEVEL` for each difference, in units of its standard error.

    Parameters
    ----------
    excess : |difference| minus the difference allowed in addition to chance
    error : standard error of the difference; 0 for exact numbers, which are not tested, or NaN if it is unknown
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
    """Return the standard deviation over all printed numbers whose items differ only in the last name.

    For ``mean/acrobot/sarsa``, this is over the means of all algorithms in acrobot. If there are no other numbers, the
    absolute value of the number is returned, or NaN if it is 0.

    Parameters
    ----------
    published : printed numbers by item
    """
    parsed = [read_item(item) for item in published.index]
    spread = published.groupby([item._replace(of=item.of[:-1]).text for item in parsed]).transform("std")
    return spread.where(spread > 0, published.abs().mask(published == 0))


def of_more_runs(run: pd.DataFrame, record: pd.DataFrame) -> pd.DataFrame:
    """Combine two comparisons, with the row for each item that uses more of our runs; in case of ties, from `record`.

    Both have the columns of `compare`, and `record` may have more columns. Rows of `record` come first.
    """
    both = [part for part in (record, run) if len(part)]
    if not both:
        return run
    rows = pd.concat(both, ignore_index=True)
    more = rows["runs"].astype(float).fillna(0.0).sort_values(ascending=False, kind="stable").index
    return rows.loc[rows.loc[more].drop_duplicates("item").index.sort_values()].reset_index(drop=True)


def recorded_deviations(record: pd.DataFrame, published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Add the column standard_deviation to the published table, from the recorded comparison of a larger study.

    It is set only if the record has more runs than ours. A few runs of a heavy-tailed distribution rarely include its
    tail, so their standard deviation would be far too small.

    Parameters
    ----------
    record : columns item, standard_error (of the difference, see `compare`) and trials (number of our runs)
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
    """Return the expected maximum of `count` independent standard normal variates (Blom 1958).

    The error is below 2 % for ten or more numbers.
    """
    return NormalDist().inv_cdf((count - 0.375) / (count + 0.25))


def _pair(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """Join both tables on the items that they have in common; missing columns are filled with missing values."""
    for side, table in (("published", published), ("ours", ours)):
        twice = table["item"][table["item"].duplicated()].tolist()
        if twice:
            raise HintedError("compare", f"{side} has {', '.join(twice[:5])} twice", "each item must be unique")
    published = published.reindex(columns=["item", *_NUMBERS, *_TEXTS]).astype(dict.fromkeys(_NUMBERS, np.float64))
    numbers = ["ours", "standard_error", "runs", "detectable"]
    ours = ours.reindex(columns=["item", *numbers, "undecided", *_OVERRIDING])
    ours = ours.astype(dict.fromkeys(numbers, np.float64)).rename(columns={name: f"our_{name}" for name in _OVERRIDING})
    published = published.rename(columns={"runs": "published_runs", "standard_error": "published_error"})
    table = published.merge(ours, on="item", how="inner")
    if len(table) == 0:
        raise HintedError(
            "compare",
            "no item is in both tables",
            f"published items look like {published['item'].iloc[0]}, ours like {ours['item'].iloc[0]}",
        )
    for name in _OVERRIDING:
        mine = table.pop(f"our_{name}")
        table[name] = mine.where(mine.notna(), table[name]).infer_objects()
    return table
