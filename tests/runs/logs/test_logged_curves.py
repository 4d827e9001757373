"""The curves that readers make of logs."""

import pytest
from support.read_folders import BY_FOLDERS, CASES, NEEDS_CASES, read_folder, rows
from support.write_logs import write_log


def test_points_that_are_all_at_step_zero_are_numbered(tmp_path):
    write_log(tmp_path, "step,return\n" + "".join(f"0,{score}\n" for score in range(5)))
    found = read_folder(tmp_path, pattern=BY_FOLDERS + "/{}")
    assert rows(found.table, "step", "score", "episodes") == [(step, float(step), 1) for step in range(5)]
    assert found.table.attrs["points_are_numbered"]
    assert any("all 5 points of return are at step 0" in remark for remark in found.remarks)


@NEEDS_CASES
def test_case_of_points_at_step_zero():
    pytest.importorskip("tensorboard")
    found = read_folder(CASES / "all_at_step_zero" / "runs")
    assert len(found.table) == 120 and any("at step 0, as if no step had been logged" in one for one in found.remarks)
