"""What titles of figures say follows from the numbers, turned round where these are."""

import pandas as pd
import pytest

from surefoot.papers.agarwal2021.titles import title_items

SETTINGS = {"algorithm_titles": {"a": "Alpha"}}


def title(name, **tables):
    rows = title_items({f"numbers/{key}": table for key, table in tables.items()}, SETTINGS)
    return {row["item"]: row["text"] for row in rows}[f"title/{name}"]


def test_a_figure_without_numbers_has_no_title():
    assert title("figure_9") == ""


def metric_rows(**values):
    rows = [(name, "ale200m", "iqm", "percentile", *limits) for name, limits in values.items()]
    return pd.DataFrame(rows, columns=["algorithm", "scores", "metric", "method", "value", "low", "high"])


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            {"a": (2, 1.8, 2.2), "b": (1, 0.9, 1.1)},
            "Alpha has the highest IQM, 2.00, and its interval lies above all others",
        ),
        (
            {"a": (1, 0.9, 1.9), "b": (2, 1.8, 2.2)},
            "b has the highest IQM, 2.00, with an interval that overlaps that of Alpha",
        ),
    ],
)
def test_the_best_is_named_with_those_that_its_interval_overlaps(rows, said):
    assert title("figure_9", figure_9=metric_rows(**rows)) == said


def profiles(**curves):
    parts = [
        pd.DataFrame({"threshold": range(len(curve)), "value": curve, "algorithm": name})
        for name, curve in curves.items()
    ]
    return pd.concat(parts).assign(profile="run_scores", scores="ale200m")


@pytest.mark.parametrize(
    ("curves", "said"),
    [
        (
            {"a": [0.9, 0.5], "b": [0.8, 0.4]},
            "Alpha has the highest profile at every score",
        ),
        (
            {"a": [0.9, 0.3], "b": [0.6, 0.4]},
            "Alpha has the highest profile on average, but falls below that of b at some scores",
        ),
    ],
)
def test_a_profile_that_falls_below_another_says_so(curves, said):
    assert title("figure_10_left", figure_10_left=profiles(**curves)) == said


@pytest.mark.parametrize(
    ("lows", "said"), [([-1, 2, 3], "10 runs"), ([-1, 2, -3], "more than 25 runs"), ([1, 2, 3], "3 runs")]
)
def test_a_lift_shows_from_the_number_of_runs_on_whose_range_stays_above_0(lows, said):
    table = pd.DataFrame({"size": [3, 10, 25], "low": lows}).assign(lift=10.0, metric="iqm")
    none = table.assign(lift=0.0)
    assert title("figure_4", figure_4=pd.concat([table, none])) == f"Detecting a lift of 10 % takes {said} by the IQM"


def ranges(iqm):
    rows = [
        ("a", 10, "median", 0.0, 0.4),
        ("a", 10, "iqm", 0.0, iqm),
        ("b", 10, "median", 0.0, 0.3),
        ("b", 10, "iqm", 0.0, 0.1),
    ]
    return pd.DataFrame(rows, columns=["algorithm", "size", "metric", "low", "high"])


@pytest.mark.parametrize(("iqm", "whose"), [(0.2, "all 2"), (0.5, "1 of 2")])
def test_ranges_are_compared_for_each_algorithm(iqm, whose):
    said = f"With 10 runs, the IQM varies less than the median for {whose} algorithms"
    assert title("figure_2_right", subsamples=ranges(iqm)) == said


def test_claimed_pairs_are_counted_by_their_intervals():
    table = pd.DataFrame({"x": list("abc"), "y": list("bca"), "low": [0.6, 0.4, 0.1], "high": [0.9, 0.7, 0.4]})
    said = "1 of 3 claimed improvements have an interval above 0.5; for c over Alpha it lies below"
    assert title("figure_12_right", figure_12_right=table) == said


def test_skewness_is_that_of_the_binned_scores():
    """Of the counts 8, 1, 1 of the values 0.5, 1.5, 2.5 the skewness is 1.92; of 1, 8, 1 it is 0."""
    bins = pd.DataFrame({"low": [0.0, 1.0, 2.0], "high": [1.0, 2.0, 3.0]})
    table = pd.concat(
        [bins.assign(count=counts, environment=name) for name, counts in (("x", [8, 1, 1]), ("y", [1, 8, 1]))]
    )
    assert title("figure_a14", figure_a14=table) == "In 1 of 2 games, the scores of DER are strongly skewed"
