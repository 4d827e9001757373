"""All differences of the means together: joint tests, and how unusual the largest one is."""

import math
from collections.abc import Mapping
from statistics import NormalDist
from typing import Any

import pandas as pd

from surefoot.charts.entries import RECORD, RUN
from surefoot.charts.selection import titles
from surefoot.charts.sentences import counted, item, joined
from surefoot.papers.jordan2020.differences import distinct_means
from surefoot.result_tables import Tables
from surefoot.rounding import written
from surefoot.statistics.reproduction.comparison import STANDARD_ERRORS
from surefoot.statistics.reproduction.items import item_parts, of_quantity, read_item
from surefoot.statistics.reproduction.joint_tests import ALL, LEVEL, joint_tests

_FAR = 2.0  # standard errors
_OF = {"mean": "their mean", "spread": "their spread", "factor": "a common factor"}


def table_joint(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Joint tests of the differences of the means, of this run and of the record.

    Columns source ("this run" or "large run"), title (of the environment, or "all environments"), and those of
    `joint_tests`.
    """
    sides = {"this run": tables[RUN], "large run": tables[RECORD]}
    table = pd.concat([_tested(numbers).assign(source=name) for name, numbers in sides.items()], ignore_index=True)
    shown = titles([name for name in table["group"].unique() if name != ALL], settings, "environment")
    table.insert(0, "title", table["group"].map(shown | {ALL: "all environments"}))
    table.insert(0, "source", table.pop("source"))
    return None, table


def joint_items(tables: Tables, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows `joint` and `record_joint` (what the joint tests notice), `record_largest` (the largest difference) and
    `record_other_seeds` (what trials of other seeds say of it)."""
    record = tables[RECORD]
    largest, seeds = _largest(record, tables, settings)
    return [
        item("joint", _said(tables[RUN], settings)),
        item("record_joint", _said(record, settings)),
        item("record_largest", largest),
        item("record_other_seeds", seeds),
    ]


def _tested(numbers: pd.DataFrame) -> pd.DataFrame:
    means = of_quantity(numbers, "mean")
    return joint_tests(means, item_parts(means["item"], "environment", "algorithm")["environment"])


def _said(numbers: pd.DataFrame, settings: Mapping[str, Any]) -> str:
    tests = _tested(numbers)
    if tests.empty:
        return "There are too few differences for joint tests."
    found = tests[tests["noticed"]]
    if found.empty:
        factor = tests[(tests["test"] == "factor") & (tests["group"] == tests["group"].iloc[-1])]
        so = ""
        if len(factor) and factor["statistic"].iloc[0]:
            estimate, error = factor["estimate"].iloc[0], abs(factor["estimate"].iloc[0] / factor["statistic"].iloc[0])
            side = "larger" if estimate > 0 else "smaller"
            so = (
                f" On average our means are {written(100 * abs(estimate), '.2f')} % {side} than the published ones "
                f"(± {written(100 * error, '.2f')} %)."
            )
        tests_made = counted(len(tests), "joint test")
        return f"None of {tests_made} finds anything; by chance, {100 * LEVEL:g} % of such sets of tests would.{so}"
    places = titles([name for name in found["group"] if name != ALL], settings, "environment") | {ALL: "all"}
    told = [f"{_OF[row.test]} in {places[row.group]} (p = {written(row.p_value, '.2g')})" for row in found.itertuples()]
    return f"{len(found)} of {counted(len(tests), 'joint test')} find something: {joined(told)}."


def _largest(record: pd.DataFrame, tables: Mapping[str, pd.DataFrame], settings: Mapping[str, Any]) -> tuple[str, str]:
    """The largest difference of the record and how likely it is among so many; and what other seeds say of it."""
    means = distinct_means(record)
    if len(means) < 2:
        return "", ""
    row = means.loc[means["z"].abs().idxmax()]
    environment, algorithm = read_item(row["item"]).of
    name = titles([algorithm], settings, "algorithm")[algorithm]
    place = titles([environment], settings, "environment")[environment]
    alone = 2.0 * NormalDist().cdf(-abs(row["z"]))
    among = -math.expm1(len(means) * math.log1p(-alone))
    text = (
        f"The largest difference is {name} in {place}: {written(row['ours'], '.1f')} against a published "
        f"{written(row['published'], '.1f')}, {written(abs(row['z']), '.1f')} standard errors apart. Among "
        f"{len(means)} independent means, the probability of one this large by chance is {written(among, '.2g')}."
    )
    seeds = tables.get("record_seeds", pd.DataFrame({"item": []}))
    seeds = seeds[seeds["item"] == row["item"]]
    return text, "" if seeds.empty else _other_seeds(row, seeds, tables)


def _other_seeds(row: Any, seeds: pd.DataFrame, tables: Mapping[str, pd.DataFrame]) -> str:
    known = tables["published"].set_index("item").loc[row["item"]]
    trials = float(seeds["trials"].sum())
    mean = float((seeds["ours"] * seeds["trials"]).sum()) / trials
    deviation = math.sqrt(float((seeds["standard_deviation"] ** 2 * seeds["trials"]).sum()) / trials)
    all_trials = trials + row["trials"]
    pooled = (mean * trials + row["ours"] * row["trials"]) / all_trials

    def away(value: float, count: float) -> float:
        error = math.hypot(deviation * math.sqrt(1.0 / count + 1.0 / known["runs"]), known["rounding"] / math.sqrt(3.0))
        return (value - row["published"]) / error

    fresh, both = away(mean, trials), away(pooled, all_trials)
    between = (row["ours"] - mean) / (deviation * math.sqrt(1.0 / trials + 1.0 / row["trials"]))
    if abs(fresh) < _FAR:
        verdict = "The difference was singled out as the largest, and new trials are closer: chance explains it."
    elif abs(fresh) < STANDARD_ERRORS:
        chance = written(2.0 * NormalDist().cdf(-abs(fresh)), ".2g")
        verdict = (
            f"They are closer to the published number; the probability of being this far away by chance alone is "
            f"{chance}, so whether a small difference remains is open. No cause for one is known."
        )
    else:
        verdict = "They confirm a difference with no known cause."
    return (
        f"{trials:,.0f} more trials of this pair, with {counted(len(seeds), 'other seed')}, have mean "
        f"{written(mean, '.1f')} ± {written(deviation / math.sqrt(trials), '.1f')}, {written(abs(fresh), '.1f')} "
        f"standard errors from the published number and {written(abs(between), '.1f')} from the record. {verdict} "
        f"Together with the record, all {all_trials:,.0f} trials are {written(abs(both), '.1f')} standard errors away."
    )
