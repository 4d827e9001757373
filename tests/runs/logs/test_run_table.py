"""The table of runs: a remark names equal runs."""

from support.read_folders import read_folder
from support.write_logs import write_text


def test_runs_that_are_equal_to_the_last_digit_are_told(tmp_path):
    for name, first in (("1", 0.5), ("2", 1.5), ("2 (copy)", 1.5)):
        write_text(tmp_path / "ppo" / "Ant" / f"{name}.csv", f"step,return\n1,{first}\n2,2.5\n3,4.5\n")
    found = read_folder(tmp_path, pattern="{algorithm}/{environment}/{run}")
    (remark,) = [remark for remark in found.remarks if "to the last digit" in remark]
    assert remark.startswith("2 runs have") and "run 2, and ppo in Ant, run 2 (copy)" in remark
