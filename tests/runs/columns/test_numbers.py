"""Columns of numbers: what is none, and numbers as people write them."""

from support.read_folders import BY_FOLDERS, told
from support.write_logs import write_log, write_text


def test_numbers_as_people_write_them_are_refused_with_the_way(tmp_path):
    for number in ('"1,250.5"', "26.0%", "1.250,5"):
        write_text(tmp_path / "scores.csv", f"algo;env;seed;return\na;e;1;{number}\na;e;2;1.5\n")
        assert "Hint: write numbers without thousands separators" in told(tmp_path / "scores.csv")


def test_steps_beyond_whole_numbers_are_refused(tmp_path):
    write_log(tmp_path, f"step,return\n1,1\n{2**63},2\n")
    assert "1 row with a step below 0 or too large for 64 bits, the first of ppo in Ant, run 1: step 9.2" in told(
        tmp_path, pattern=BY_FOLDERS + "/{}"
    )
