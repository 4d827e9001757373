"""Failure rates by remark: the classes of remarks, and data sets that are each counted once."""

import pytest

from surefoot.statistics.resampling.interval_remarks import metric_remark
from surefoot.statistics.runs.shared_run_findings import Sharing
from surefoot.statistics.runs.shared_run_sentences import sharing_remark
from surefoot.statistics.runs.shared_run_test import CANNOT_TELL, FOUND
from surefoot.validation.remarks import METRICS, NONE, remark_class, remarks


@pytest.mark.parametrize(
    ("remark", "name"),
    [
        ("", NONE),
        (sharing_remark(Sharing(FOUND, 0.01), 5), "runs seem to vary together"),
        (sharing_remark(Sharing(CANNOT_TELL, 0.4), 5), "runs may vary together"),
        (metric_remark("student", "mean", [[1.0, 1.0, 1.0]], width=0.0), "no width"),
        (metric_remark("student", "mean", [[1.0, 2.0, 4.0]], width=1.0), "few runs"),
    ],
)
def test_classes_are_those_of_the_remarks_that_readers_see(remark, name):
    assert remark_class(remark) == name
    other = sharing_remark(Sharing(CANNOT_TELL, 0.4), 5)
    if name in ("no width", "few runs"):
        assert remark_class(f"{other}; {remark}") == remark_class(f"{remark}; {other}") == name


def test_each_data_set_counts_once_for_each_metric():
    """Of three runs of one task, the mean always has a remark; an interval without width that misses counts too."""
    datasets = 60
    found = remarks.cover(remarks.cells[3], datasets, 100, 1)
    assert found.groupby("target")["datasets"].sum().to_dict() == dict.fromkeys(METRICS, datasets)
    assert NONE not in set(found.loc[found["target"] == "mean", "method"])
    assert (found["failures"] <= found["datasets"]).all()
    assert (found["failures"] == found["failures_whole_runs"]).all()  # with one task, runs and whole runs are the same
    flat = found[found["method"] == "no width"]
    assert len(flat) and (flat["width"] == 0.0).all() and (flat["failures"] == flat["datasets"]).all()
