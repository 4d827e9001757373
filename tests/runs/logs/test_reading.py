"""Reading a folder as one table: what it needs, and options that are not known."""

import pytest
from support.read_folders import read_folder, told
from support.write_logs import write_monitor, write_text


def test_folders_without_runs(tmp_path):
    assert "no such folder. Hint: give the folder of the runs" in told(tmp_path / "nowhere")
    assert "no runs of a known format among its 0 files. Hint: the formats are acme, " in told(tmp_path)
    for number in range(3):
        write_text(tmp_path / f"model{number}.zip", "x")
    write_text(tmp_path / "readme", "x")
    assert "among its 4 files (3 .zip, 1 readme)" in told(tmp_path)
    assert "no runs of the format cleanrl" in told(tmp_path, format="cleanrl")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"format": "cleanr"}, 'format: unknown format "cleanr". Hint: did you mean "cleanrl"?'),
        ({"invalid_scores": "floor"}, "invalid_scores: 'floor' is not allowed"),
        ({"pattern": "{algo}/{seed}"}, 'pattern: "{algo}" is not known. Hint: did you mean "algorithm"?'),
        ({"pattern": "{}/{}"}, 'pattern: "{}/{}" names nothing. Hint: use one such as "{environment}__'),
        ({"pattern": "{seed"}, 'pattern: "{seed" is not a pattern'),
        ({"pattern": "{seed}/{run}"}, "names the run twice"),
        ({"names_from": {"algo": "x"}}, 'names_from: "algo" does not identify runs'),
    ],
)
def test_options_that_are_not_known(tmp_path, options, said):
    assert said in told(tmp_path, **options)


def test_a_folder_of_one_run_goes_by_its_own_name(tmp_path):
    write_monitor(tmp_path / "ppo" / "monitor.csv", [(1, 10, 1.0)])
    found = read_folder(tmp_path / "ppo", algorithm="ppo").table
    assert found[["algorithm", "environment", "run"]].values.tolist() == [["ppo", "CartPole-v1", "ppo"]]
