"""All differences of the means together: joint tests, and trials of other seeds for the largest one."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.entries import RECORD, RUN
from surefoot.charts.selection import titles
from surefoot.papers.jordan2020.differences import distinct_means
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.items import item_parts, of_quantity, read_item
from surefoot.statistics.reproduction.joint_tests import ALL, joint_tests


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


def table_seeds(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """What trials of other seeds say of the largest difference of the record; no rows where there are none.

    Columns title, environment_title, seeds, trials, mean, error (of the mean), published_distance, record_distance (of
    the mean from either, in standard errors), all_trials and all_distance (with the record's, from the published).
    """
    columns = ["title", "environment_title", "seeds", "trials", "mean", "error"]
    columns += ["published_distance", "record_distance", "all_trials", "all_distance"]
    means = distinct_means(tables[RECORD])
    seeds = tables.get("record_seeds", pd.DataFrame({"item": []}))
    if means.empty:
        return None, pd.DataFrame(columns=columns)
    row = means.loc[means["z"].abs().idxmax()]
    seeds = seeds[seeds["item"] == row["item"]]
    if seeds.empty:
        return None, pd.DataFrame(columns=columns)
    environment, algorithm = read_item(row["item"]).of
    published = tables["published"].set_index("item").loc[row["item"]]
    trials = float(seeds["trials"].sum())
    mean = float((seeds["ours"] * seeds["trials"]).sum()) / trials
    deviation = math.sqrt(float((seeds["standard_deviation"] ** 2 * seeds["trials"]).sum()) / trials)
    all_trials = trials + row["trials"]
    pooled = (mean * trials + row["ours"] * row["trials"]) / all_trials

    def distance(value: float, count: float) -> float:
        error = deviation * math.sqrt(1.0 / count + 1.0 / published["runs"])
        return (value - row["published"]) / math.hypot(error, published["rounding"] / math.sqrt(3.0))

    names = [
        titles([name], settings, kind)[name] for name, kind in ((algorithm, "algorithm"), (environment, "environment"))
    ]
    between = (row["ours"] - mean) / (deviation * math.sqrt(1.0 / trials + 1.0 / row["trials"]))
    numbers = (len(seeds), trials, mean, deviation / math.sqrt(trials), distance(mean, trials), between)
    return None, pd.DataFrame([(*names, *numbers, all_trials, distance(pooled, all_trials))], columns=columns)


def _tested(numbers: pd.DataFrame) -> pd.DataFrame:
    means = of_quantity(numbers, "mean")
    return joint_tests(means, item_parts(means["item"], "environment", "algorithm")["environment"])
