"""Comparison of published numbers with ours.

A published number is reproduced where ours differs from it by no more than a tolerance: four standard errors of the
difference. The spread of the runs behind both is taken to be ours, since papers rarely print their own.
"""

import numpy as np
import pandas as pd

STANDARD_ERRORS = 4.0
FEWEST_RUNS = 200


def items(aggregated: pd.DataFrame) -> pd.DataFrame:
    """Our side of a comparison, from the table of point values that `tables.aggregate` makes.

    Returns
    -------
    columns item ("mean/<environment>/<algorithm>" or "game_score/<algorithm>"), ours, standard_error, runs
    """
    place = aggregated["environment"].fillna("").map(lambda name: f"/{name}" if name else "")
    table = aggregated[["standard_error", "runs"]].copy()
    table.insert(0, "item", aggregated["aggregate"] + place + "/" + aggregated["algorithm"])
    table.insert(1, "ours", aggregated["value"])
    return table


def compare(published: pd.DataFrame, ours: pd.DataFrame) -> pd.DataFrame:
    """One row for each published number that we have a counterpart of, in the published order.

    Parameters
    ----------
    published : columns item, published, and optionally
        runs (number behind it; without it the number is taken for exact),
        standard_deviation (of the runs, from a large run's record, for items with fewer than 200 runs of ours),
        tolerance (the allowed difference, instead of four standard errors),
        reason (why a difference is to be expected)
    ours : columns item, ours, standard_error, runs, as `items` makes them

    Returns
    -------
    columns item, published, ours, standard_error, z, tolerance, verdict, reason.
    standard_error is the joint one of both numbers, z the difference in it; z is empty where the standard deviation
    comes from fewer than 200 runs, both are empty for exact numbers. verdict is "reproduced", "explained" (the
    difference is too great, but there is a reason) or "differs".

    Raises
    ------
    ValueError : no item in common, an item that occurs twice, or an exact number without a tolerance
    """
    table = _pair(published, ours)
    table["standard_error"] = _joint_standard_error(table)
    difference = table["ours"] - table["published"]
    table["tolerance"] = table["tolerance"].fillna(STANDARD_ERRORS * table["standard_error"])
    unknown = table["item"][table["tolerance"].isna()].tolist()
    if unknown:
        raise ValueError(f"compare: {', '.join(unknown[:5])}: no tolerance. Hint: exact numbers need one.")
    known = (table["runs"] >= FEWEST_RUNS) | table["standard_deviation"].notna()
    with np.errstate(divide="ignore", invalid="ignore"):
        table["z"] = (difference / table["standard_error"]).where(known & (table["standard_error"] > 0))
    reproduced = difference.abs() <= table["tolerance"]
    explained = np.where(table["reason"] != "", "explained", "differs")
    table["verdict"] = np.where(reproduced, "reproduced", explained)
    return table[["item", "published", "ours", "standard_error", "z", "tolerance", "verdict", "reason"]]


def _joint_standard_error(table):
    """sd sqrt(1/N published + 1/N ours); NaN where either number is exact."""
    small = (table["runs"] < FEWEST_RUNS) & table["standard_deviation"].notna()
    deviation = (table["standard_error"] * np.sqrt(table["runs"])).mask(small, table["standard_deviation"])
    return deviation * np.sqrt(1.0 / table["published_runs"] + 1.0 / table["runs"])


def _pair(published, ours):
    """One row an item that both sides have, with all columns of both; what is not given is NaN, the reason empty."""
    for side, table in (("published", published), ("ours", ours)):
        twice = table["item"][table["item"].duplicated()].tolist()
        if twice:
            raise ValueError(f"compare: {side} has {', '.join(twice[:5])} twice. Hint: an item names one number.")
    numbers = ["published", "runs", "standard_deviation", "tolerance"]
    published = published.reindex(columns=["item", *numbers, "reason"]).astype(dict.fromkeys(numbers, np.float64))
    published["reason"] = published["reason"].astype(object).where(published["reason"].notna(), "")
    numbers = ["ours", "standard_error", "runs"]
    ours = ours[["item", *numbers]].astype(dict.fromkeys(numbers, np.float64))
    table = published.rename(columns={"runs": "published_runs"}).merge(ours, on="item", how="inner")
    if len(table) == 0:
        raise ValueError(
            f"compare: no published item is among ours. Hint: published items look like {published['item'].iloc[0]}, "
            f"ours like {ours['item'].iloc[0]}."
        )
    return table
