"""Joint tests of the differences from the published means, what other seeds say, and which faults would be noticed."""

import math
from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts.drawing import RECORD, RUN
from surefoot.charts.selection import coverage_rows, titles
from surefoot.charts.subsamples import coverage_chart
from surefoot.papers.jordan2020.comparison import record_mutations, record_wrong_cells
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.comparison import of_more_runs
from surefoot.statistics.reproduction.items import item_parts, of_quantity, read_item
from surefoot.statistics.reproduction.joint_tests import ALL, joint_tests


def figure_coverage(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Failures, pairs told apart and widths of all methods: of the record where it has more data sets than this run."""
    record, run = (coverage_rows(tables, record=recorded) for recorded in (True, False))
    of_record = len(record) > 0 and (run.empty or record["datasets"].min() > run["datasets"].min())
    return coverage_chart(tables, dict(settings) | {"source": "record" if of_record else "run"})


def table_mutations(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """`record_mutations` as a table."""
    return None, record_mutations(tables)


def table_wrong_cells(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """`record_wrong_cells` as a table."""
    return None, record_wrong_cells(tables)


def table_joint(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Joint tests of the differences of the means, of the record or of this run, whichever has more trials.

    Columns title (of the environment, or "all environments"), and those of `joint_tests`.
    """
    means = of_quantity(of_more_runs(tables[RUN], tables[RECORD]), "mean")
    table = joint_tests(means, item_parts(means["item"], "environment", "algorithm")["environment"])
    shown = titles([name for name in table["group"].unique() if name != ALL], settings, "environment")
    table.insert(0, "title", table["group"].map(shown | {ALL: "all environments"}))
    return None, table


def table_seeds(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """What trials of other seeds say of the largest difference of the record; no rows where there are none.

    Columns title, environment_title, seeds, trials, mean, error (of the mean), published_distance, record_distance (of
    the mean from either, in standard errors), all_trials and all_distance (with the record's, from the published).
    """
    columns = ["title", "environment_title", "seeds", "trials", "mean", "error"]
    columns += ["published_distance", "record_distance", "all_trials", "all_distance"]
    means = of_quantity(tables[RECORD], "mean").dropna(subset="z")
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
    all_trials = trials + row["runs"]
    pooled = (mean * trials + row["ours"] * row["runs"]) / all_trials

    def distance(value: float, count: float) -> float:
        error = deviation * math.sqrt(1.0 / count + 1.0 / published["runs"])
        return (value - row["published"]) / math.hypot(error, published["rounding"] / math.sqrt(3.0))

    names = [
        titles([name], settings, kind)[name] for name, kind in ((algorithm, "algorithm"), (environment, "environment"))
    ]
    between = (row["ours"] - mean) / (deviation * math.sqrt(1.0 / trials + 1.0 / row["runs"]))
    numbers = (len(seeds), trials, mean, deviation / math.sqrt(trials), distance(mean, trials), between)
    return None, pd.DataFrame([(*names, *numbers, all_trials, distance(pooled, all_trials))], columns=columns)
