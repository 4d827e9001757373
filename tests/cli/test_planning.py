"""`surefoot plan`: what a run would take, in a table that fits a screen."""

import re

import pytest

from surefoot.build.errors import InputError
from surefoot.build.kept_costs import keep_costs
from surefoot.cli import commands
from surefoot.cli.planning import WIDTH, numbers_of_cores, size, told_of_kernels
from surefoot.pipeline.machines import span

MINE = """
studies:
  mine:
    title: Mine
    seed: 7
    sources:
      runs:
        kind: trials
        algorithms: [sarsa, q]
        environments: [chain_10_deterministic, acrobot]
        trials: 4000
        block: 500
    questions: {game_scores: {}}
"""


@pytest.fixture
def told(tmp_path, monkeypatch, capsys):
    """What the command prints of a study, with a store and a folder of results of its own."""
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text(MINE)

    def run(*arguments, status=0):
        assert commands.main(["plan", *arguments, "--configfile", "mine.yaml"]) == status
        return capsys.readouterr()

    return run


def row(text, name):
    (line,) = [line for line in text.splitlines() if line.startswith(name)]
    return re.split(r" {2,}", line.strip())


def test_a_study_that_never_ran(told, tmp_path):
    text = told("mine", "--cores", "1,2,16,1000").out
    lines = text.splitlines()
    assert max(len(line) for line in lines if str(tmp_path) not in line) <= WIDTH
    assert re.split(r" {2,}", lines[0])[:2] == ["study, stage", "jobs to make"]
    assert lines[0].endswith(" 1 core    2 cores   16 cores 1000 cores")
    name, jobs, to_make, hours, *_ = row(text, "  simulate")
    assert (name, jobs, to_make) == ("simulate", "2", "2")
    # 4,000 trials of acrobot at 0.7 s for each of two algorithms.
    assert float(hours) == pytest.approx(2 * 4000 * 0.7 / 3600, rel=0.05)
    assert row(text, "mine")[-4:-1] == ["95 min", "48 min", "7 min"]
    assert "Nothing was measured yet" in text and "jobs compile kernels first (mine)" in text
    assert not (tmp_path / "results").exists()


def test_one_job_that_compiles_is_told_as_one():
    assert told_of_kernels({"mine": 1}) == "1 job compiles kernels first (mine); the seconds include that."
    assert told_of_kernels({"mine": 1, "yours": 2}).startswith("3 jobs compile kernels first (mine, yours);")


def test_what_was_measured_counts(told, tmp_path):
    before = float(row(told("mine").out, "  simulate")[3])
    charge = [["trial", "sarsa", "acrobot"], 700.0, 2100.0, 1000]
    keep_costs(tmp_path / "store", "a" * 64, {"charges": [charge], "work": "x", "megabytes": 1})
    text = told("mine").out
    assert float(row(text, "  simulate")[3]) == pytest.approx(3 * before, rel=0.05)
    assert "Nothing was measured" not in text


@pytest.mark.parametrize("text", ["", "two", "2,x", "0", "1,2,3,4,5", "-1"])
def test_numbers_of_cores_that_are_none(text):
    with pytest.raises(InputError, match=r"--cores: .* Hint: one to 4 whole numbers from 1 on"):
        numbers_of_cores(text)


def test_a_target_that_nothing_makes_names_the_nearest(told):
    said = told("mien", status=2)
    assert said.err == 'surefoot: command line: nothing makes mien. Hint: did you mean "mine"?\n'


def test_a_figure_and_a_file_are_targets_as_well(told):
    jobs = {
        target: int(row(told(target).out, "all")[1]) for target in ("figure_4", "results/collect/mine/runs.parquet")
    }
    assert jobs["results/collect/mine/runs.parquet"] == 3
    assert jobs["figure_4"] > 3


def test_times_and_sizes_as_a_person_says_them():
    assert [span(seconds) for seconds in (0.4, 99, 100, 7200, 3 * 86400)] == [
        "0 s",
        "99 s",
        "2 min",
        "2.0 h",
        "3.0 days",
    ]
    sizes = [size(number) for number in (0, 1200, 5e6, 1.26e9, 123e9, 2.5e12)]
    assert sizes == ["0", "1 kB", "5 MB", "1.3 GB", "123 GB", "2.5 TB"]
