"""No guarantee on the methods page promises more than was measured: its numbers beside the records of the page "How far
can this be trusted?"."""

import csv
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pandas as pd
import pytest

from surefoot.build.runner import Task
from surefoot.methods.jobs import methods_job
from surefoot.methods.tables import write
from surefoot.statistics.intervals.entries import INTERVAL_METHODS

RECORDS = Path(__file__).parents[2] / "reports" / "records" / "trust"


@pytest.fixture(scope="module")
def guarantees(tmp_path_factory):
    """The sentences of the page, by kind and name."""
    job, folder = methods_job(), tmp_path_factory.mktemp("methods")
    outputs = {name: folder / name for name in job.outputs}
    write(Task({}, {name: Path(path) for name, path in job.inputs.items()}, outputs, 1, None, None, {}))
    with outputs["entries.csv"].open(encoding="utf-8") as file:
        return {(row["kind"], row["name"]): row["guarantee"] for row in csv.DictReader(file)}


def record(subject, **wanted):
    table = pd.read_csv(RECORDS / f"{subject}.csv")
    for column, value in wanted.items():
        table = table[table[column] == value]
    assert len(table) > 1
    return table


def percents(text, pattern):
    """The numbers of one phrase, whose gaps are written as #."""
    (found,) = re.findall(re.escape(pattern).replace(r"\#", r"(\d+)"), text)
    return [int(number) for number in (found if isinstance(found, tuple) else (found,))]


def whole(share):
    return int((100 * Decimal(str(share))).quantize(Decimal(1), ROUND_HALF_UP))


def test_students_interval_of_the_iqm(guarantees):
    """The range covers all cases; with other metrics, no case misses in more than half: the page's "up to half"."""
    least, most = percents(guarantees["interval", "student"], "The IQM is missed in # to # % of simulated cases")
    rates = record("metric_intervals", method="student", target="iqm")["failure_rate"]
    assert [whole(rates.min()), whole(rates.max())] == [least, most]
    assert record("metric_intervals", method="student")["failure_rate"].max() <= 0.5


def test_intervals_of_the_probability_of_improvement(guarantees):
    """The mean rates of the cases in which one algorithm wins one to three pairs of four; more miss where it wins 19 of
    20."""
    text = guarantees["question", "improvement"]
    stated = percents(text, "about # % of simulated data sets of 2 runs, # % of 3, # % of 5 and # % of 10")
    table = record("improvement_intervals", tasks=10)
    nearly_all = table["data"].str.contains("19 to 1")
    rates = table[~nearly_all].groupby("runs")["failure_rate"].mean()
    for runs, rate in zip((2, 3, 5, 10), stated, strict=True):
        assert abs(100 * rates[runs] - rate) < 1
    few = table[nearly_all & (table["runs"] <= 5)].set_index("runs")["failure_rate"]
    assert (few > rates[few.index]).all()


def test_percentile_intervals_of_the_mean_of_normal_scores(guarantees):
    """Each of the rates holds within four standard errors of 200 simulated data sets."""
    text = guarantees["interval", "percentile"]
    stated = percents(text, "in about # % of data sets of 2 runs, # % of 3, # % of 5, # % of 10 and # % of 30")
    rates = record("metric_intervals", method="percentile", target="mean", data="alike", tasks=10)
    for runs, percent in zip((2, 3, 5, 10, 30), stated, strict=True):
        (row,) = rates[rates["runs"] == runs].to_dict("records")
        chance = percent / 100
        assert abs(row["failure_rate"] - chance) < 4 * (chance * (1 - chance) / row["datasets"]) ** 0.5


def test_differences_together(guarantees):
    text = guarantees["question", "pairwise_differences"]
    least, most = percents(text, "Of the IQM some difference is missed in # to # %")
    rates = record("difference_intervals", method="student").groupby("target")["failure_rate"]
    assert [whole(rates.min()["iqm"]), whole(rates.max()["iqm"])] == [least, most]
    mean, median = percents(text, "up to # % of the mean and # % of the median")
    assert whole(rates.max()["mean"]) <= mean and whole(rates.max()["median"]) <= median


def test_profiles(guarantees):
    text = guarantees["question", "profiles"]
    least, _, collapsing, most = percents(text, "held it in # to # % of simulated tables at 95 %, but in # to # %")
    bands = record("profile_bands", target="whole profile")
    bands = bands[bands["method"].str.startswith("simultaneous")]
    held = 1 - bands["failure_rate"]
    affected = bands["method"].str.contains("average_scores") & bands["data"].str.startswith("collapsing")
    assert affected.any() and whole(held[~affected].min()) >= least
    assert whole(held[affected].min()) >= collapsing and whole(held[affected].max()) <= most


def test_plans(guarantees):
    """Of normal and two-valued scores the band is missed in no more than 5 % of the cases; the widths of the mean of
    others in no more than is said."""
    _, most, _ = percents(guarantees["question", "run_plans"], "missed in # to # % of cases instead of # %")
    cases = record("planning_band").groupby(["data", "target", "method"])[["failures", "datasets"]].sum()
    rates = cases["failures"] / cases["datasets"]
    of_data = rates.groupby("data").max()
    assert of_data[["normal", "two_point"]].max() <= 0.05
    assert whole(rates.max()) <= most


def test_comparisons_after_every_run(guarantees):
    """`auto` holds its level in every case, and `true` does not where tasks depend on each other."""
    text = guarantees["question", "sequential_comparison"]
    assert "`auto` has held its level in all simulations, and `true` misses it by far" in text
    highest = record("sequential_level").groupby("method")["failure_rate"].max()
    assert highest["chosen by the runs (auto)"] <= 0.05 and highest["any dependence"] <= 0.05
    assert highest["tasks independent"] > 0.5


@pytest.mark.parametrize("method", [name for name, method in INTERVAL_METHODS.items() if method.proven])
def test_proven_intervals_of_payoffs_never_miss_more_than_they_promise(guarantees, method):
    assert guarantees["game", method].startswith("Theorem")
    limits = pd.read_csv(RECORDS / "payoff_limits.csv")
    rates = limits.loc[limits["method"] == method, "failure_rate"]
    assert method == "pbp_known_bounds" or len(rates) > 1  # which differs from pbp at the ends of the range alone
    assert (rates <= 0.05).all()


def test_what_is_not_proven_is_not_called_a_theorem(guarantees):
    for name, method in INTERVAL_METHODS.items():
        assert method.proven or guarantees["game", name].startswith("Asymptotic")
    assert (
        "As the range is read off the runs, it holds only if no score can lie outside" in guarantees["game", "anderson"]
    )
