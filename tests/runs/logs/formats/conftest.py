"""What tests of several formats share."""

import pytest
from support.four_runs import CURVES, STEPS, curves_of
from support.read_folders import read_folder


@pytest.fixture
def asked_for_nothing(tmp_path):
    """What is read of the folder without an option: all scores, at their steps."""

    def check(format, **asked):
        found = read_folder(tmp_path / "runs", **asked)
        assert found.format == format and curves_of(found) == CURVES
        assert set(found.table["step"]) == set(STEPS) and set(found.table["environment"]) == {"Hopper-v4"}
        return found

    return check
