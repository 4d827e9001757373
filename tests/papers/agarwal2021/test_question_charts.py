"""Charts of Agarwal et al. 2021: their findings, worked out by hand, and the numbers of the recorded figures."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from surefoot.charts.theme import FINDING
from surefoot.papers.agarwal2021 import question_charts


def finding(chart):
    return chart.to_dict()["usermeta"][FINDING]


def test_histograms_find_tasks_whose_runs_are_low():
    """Of the range of each task: most runs of two tasks are in its lower half, and half of those of the third."""
    counts = {"x": [5, 1, 2], "y": [3, 3, 3, 3], "z": [9, 0]}
    rows = [
        (task, place / len(of_task), (place + 1) / len(of_task), count)
        for task, of_task in counts.items()
        for place, count in enumerate(of_task)
    ]
    table = pd.DataFrame(rows, columns=["environment", "low", "high", "count"])
    chart = question_charts.histograms_chart(table)
    assert finding(chart) == "In 2 of 3 tasks, most runs score in the lower half of their range"


def test_densities_find_the_neighbours_that_overlap_most():
    """Of triangles of width 2 and area 1 that are one apart, a quarter; of those two apart, nothing."""
    grid = np.linspace(-1.0, 1.0, 201)
    parts = [
        pd.DataFrame({"algorithm": name, "size": 5, "score": grid + centre, "estimate": 1.0 - np.abs(grid)})
        for name, centre in (("a", 0.0), ("b", 1.0), ("c", 3.0))
    ]
    chart = question_charts.subsample_densities_chart(pd.concat(parts, ignore_index=True))
    assert finding(chart) == "The densities of a, 5 runs, and b, 5 runs, overlap by 25 %"


def test_errors_find_the_cuts_where_they_are_least():
    rows = [
        (name, resample, fraction, (fraction - best) ** 2 + 1.0)
        for name, best in (("a", 0.1), ("b", 0.3))
        for resample in ("whole_runs", "runs")
        for fraction in (0.0, 0.1, 0.25, 0.3)
    ]
    table = pd.DataFrame(rows, columns=["algorithm", "resample", "fraction", "estimate"]).assign(size=3)
    chart = question_charts.trimmed_errors_chart(table)
    assert finding(chart) == "The error is least if 10 to 30 % of the scores are cut from each end"
    (data,) = chart.to_dict()["datasets"].values()
    assert {row["estimate"] for row in data if row["fraction"] == 0.25} == {1.0}  # relative to that of the IQM


def test_gap_curves_find_the_algorithm_that_leads_most_often():
    rows = [("a", gamma, gap) for gamma, gap in ((0.5, 0.2), (1.0, 0.4), (2.0, 0.7))]
    rows += [("b", gamma, gap) for gamma, gap in ((0.5, 0.3), (1.0, 0.3), (2.0, 0.6))]
    table = pd.DataFrame(rows, columns=["algorithm", "gamma", "estimate"])
    chart = question_charts.gap_curve_chart(table, titles={"b": "Bee"})
    assert finding(chart) == "Bee has the smallest gap at 2 of 3 targets"


@pytest.mark.parametrize(
    ("lows", "told"),
    [
        (
            {"iqm": [-1.0, 2.0], "median": [-3.0, -1.0]},
            "with 10 or more runs by the IQM, but with no",
        ),
        ({"iqm": [1.0, 2.0], "median": [-3.0, 1.0]}, "with 5 or more runs by the IQM and with 10 or more"),
    ],
)
def test_lifts_and_differences_find_the_runs_that_show_them(lows, told):
    rows = []
    for metric, ends in lows.items():
        rows += [(metric, size, low, low + 5.0) for size, low in zip((5, 10), ends, strict=True)]
    table = pd.DataFrame(rows, columns=["metric", "size", "low", "high"])
    table["estimate"] = 0.5 * (table["low"] + table["high"])
    chart = question_charts.lifts_chart(pd.concat([table.assign(lift=25.0), table.assign(lift=0.0, low=-5.0)]))
    assert finding(chart).startswith(f"A lift of 25 % is detectable {told}")
    chart = question_charts.differences_chart(table.assign(algorithm="a", baseline="b"))
    assert finding(chart).startswith(f"The range of a \N{MINUS SIGN} b excludes 0 {told}")


def test_protocols_are_those_of_the_most_runs():
    cells = itertools.product(("final", "best of 3"), ("median", "iqm", "mean"), (3, 9))
    rows = [(*cell, cell[-1] + 0.5) for cell in cells]
    table = pd.DataFrame(rows, columns=["protocol", "metric", "size", "estimate"])
    chart = question_charts.protocols_chart(table.assign(low=table["estimate"] - 1, high=table["estimate"] + 1))
    (data,) = chart.to_dict()["datasets"].values()
    assert {row["estimate"] for row in data} == {9.5} and len(data) == 4


def test_numbers_of_the_recorded_figures(agarwal_tables):
    tables = agarwal_tables
    numbers = question_charts.figure_published_numbers(tables["published"], tables["all_runs"])
    assert set(numbers["metric"]) == {"median", "mean"} and len(numbers) >= 10
    assert numbers["estimate"].to_numpy() == pytest.approx(numbers["published"].to_numpy(), abs=2e-6)
    first = question_charts.figure_first_runs_numbers(
        tables["shared_run_test"], tables["figure_a30"], tables["subsample_metrics"]
    )
    assert first["estimate"].is_monotonic_decreasing and (first["low"] < first["high"]).all()
    smallest = 2.0 * stats.norm.sf(first["z"].abs().max())
    assert first["p_of_z"].min() == pytest.approx(min(1.0, len(first) * smallest))
    control = question_charts.figure_11a_numbers(tables["figure_11a"], tables["figure_a31"])
    assert control["algorithm"].nunique() == 9
    assert {"bootstrap", "as_published"} <= set(control["method"])
