"""What all studies of trust have in common."""

import csv
from importlib import import_module

import pandas as pd
import pytest

from surefoot import validation as trust
from surefoot.workflow.planning.drawing_jobs import TRUST_RECORDS

GO_ON = ("group_sequential", "sequential_success_rates")
"""Of which two comparisons without a difference go on to the end, whatever is drawn."""


@pytest.mark.parametrize("subject", trust.SUBJECTS)
def test_a_study_follows_its_seed_and_has_the_record_columns(subject):
    study = getattr(import_module(f"{trust.__name__}.{trust.SUBJECTS[subject]}"), subject)
    assert len({cell["name"] for cell in study.cells}) == len(study.cells)
    found, again, other = (study.cover(study.cells[0], 2, 20, seed) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(found, again)
    assert not other.equals(found) or subject in GO_ON
    assert found["datasets"].between(1, 2).all() and (found["failures"] <= found["datasets"]).all()
    assert "failures_unremarked" not in found or (found["failures_unremarked"] <= found["failures"]).all()
    with (TRUST_RECORDS / f"{subject}.csv").open(encoding="utf-8") as file:
        recorded = next(csv.reader(file))
    assert {*found.columns, "failure_rate", "failure_rate_low", "failure_rate_high", "outcome"} == set(recorded)
