"""Quantiles of failure rates over kinds, how much of the worst is noise, and the truths of kinds of studies.

Failure rates and what they say of a nominal level.
"""

import numpy as np
import pytest

from surefoot.charts.trust import table_kinds
from surefoot.runs.result_tables import read_table
from surefoot.statistics.resampling import replicate_intervals
from surefoot.statistics.runs.shared_run_findings import Sharing
from surefoot.statistics.runs.shared_run_sentences import sharing_remark
from surefoot.statistics.runs.shared_run_test import CANNOT_TELL
from surefoot.validation.drawn_kinds import (
    Kind,
    Part,
    TaskLaw,
    kind,
)
from surefoot.workflow.planning.drawing_jobs import TRUST_RECORDS


def test_the_readme_says_what_the_record_says():
    """Counts and percentages on drawn kinds, in the README and in the methods text of Student's interval."""
    drawn_kinds, remarks = (read_table(TRUST_RECORDS / f"{name}.csv") for name in ("drawn_kinds", "remarks"))
    kinds = table_kinds(drawn_kinds, remarks)
    iqm = kinds[kinds["target"] == "iqm"].set_index(["method", "remark"])
    bare = iqm.loc["student", "none"]
    record = remarks.query("target == 'iqm'")
    own = record[~record["shared"] & record["method"].isin(["none", "runs may vary together"])]
    shared = record[record["shared"] & (record["method"] == "runs may vary together")]
    missed = f"{100 * own['failures'].sum() / own['datasets'].sum():.1f} %"
    failing = f"in {bare['failing']} of {bare['kinds']} kinds"
    rates = [f"{shared[name].sum() / shared['datasets'].sum():.0%}".replace("%", " %") for name in _MISSES]
    text = " ".join((TRUST_RECORDS.parents[2] / "README.md").read_text().split())
    methods = " ".join((replicate_intervals.__doc__ or "").split())
    assert f"{bare['drawn']} kinds of simulated studies" in text
    assert (
        f"missed the truth in {missed} of the data sets" in text and f"missed in {missed} of the data sets" in methods
    )
    assert f"{bare['kinds']} of the {bare['drawn']} kinds have such data sets" in text
    assert f"in {bare['failing']} of these {bare['kinds']} kinds the interval missed significantly more often" in text
    assert f"{failing} of studies significantly" in methods
    assert f"do not reveal this, the interval missed in {rates[0]} of the data sets" in text
    assert f"as one unit, which missed in {rates[1]}." in text
    assert f"show it, the IQM was missed in {rates[0]}, and by the interval of whole runs in {rates[1]}." in methods
    unseen = remarks.query("shared and method == 'runs may vary together'").groupby("target")
    of_remark = [100 * unseen[name].sum() / unseen["datasets"].sum() for name in _MISSES]
    ends = [f"{rates_of.min():.0f} to {rates_of.max():.0f} %" for rates_of in of_remark]
    remark = sharing_remark(Sharing(CANNOT_TELL), 5)
    assert f"misses in {ends[0]} of simulated studies, and that of whole runs in {ends[1]}" in remark
    failing = [iqm.loc[(method, "any"), "failing"] for method in ("student", "percentile")]
    in_kinds = "in {} of {} kinds, and the percentile bootstrap of most papers in {}."
    assert in_kinds.format(failing[0], bare["drawn"], failing[1]) in text


_MISSES = ("failures", "failures_whole_runs")


def test_the_record_names_kinds_with_unequal_runs():
    unequal = [f"kind {number}" for number in range(300) if len(set(kind(2026, number).sizes)) > 1]
    record = read_table(TRUST_RECORDS / "drawn_kinds.csv").drop_duplicates("cell")
    assert list(record.loc[record["data"].str.contains("unequal numbers of runs"), "cell"]) == unequal


@pytest.mark.parametrize(
    ("part", "mean", "gap"),
    [
        (Part(1.0, "lognormal", 0.0, 1.0, (1.5,)), np.exp(1.125), None),
        (Part(1.0, "t", 0.5, 0.3, (2.5,)), 0.5, None),
        (Part(1.0, "beta", 0.0, 1.0, (0.2, 0.6)), 0.25, 0.75),
        (Part(1.0, "normal", 1.0, 2.0), 1.0, 2.0 / np.sqrt(2.0 * np.pi)),
        (Part(1.0, "point", 0.25), 0.25, 0.75),
    ],
)
def test_means_and_gaps_are_those_of_closed_forms(part, mean, gap):
    values = Kind(0, 0, (3,), (TaskLaw((part,)),), 0.0, "").true_values()
    assert values["mean"] == pytest.approx(mean, rel=1e-5)
    assert gap is None or values["optimality_gap"] == pytest.approx(gap, rel=1e-5)
