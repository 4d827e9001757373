"""What `surefoot run` says of mistakes that show only with files: the configuration file, all keys, and what to do."""

import os
import sys

import pytest
from support.fork_server import run_module
from support.small_checkout import MINE, write_study

pytestmark = pytest.mark.workflow


@pytest.fixture
def refused(tmp_path):
    """The sentences of a run that fails in a folder with a study of one's own."""

    def run(study, *words):
        write_study(tmp_path)
        (tmp_path / "mine.yaml").write_text(f"shipped_studies: false{study}")
        command = [sys.executable, "-m", "surefoot", "run", *words, "--configfile", "mine.yaml"]
        environment = os.environ | {"SUREFOOT_STORE": str(tmp_path / "store")}
        done = run_module(command, cwd=tmp_path, env=environment)
        assert done.returncode != 0
        return [line for line in done.stderr.splitlines() if line.startswith("surefoot: ")]

    return run


@pytest.mark.parametrize(
    ("file", "said"), [("score.csv", "no such file. Hint: paths are relative to "), (".", "it is a folder. Hint: name")]
)
def test_a_missing_file_is_told_with_the_configuration_file(refused, file, said):
    (sentence,) = refused(MINE.replace("scores.csv", file), "--dry-run")
    assert sentence.startswith(f"surefoot: mine.yaml: studies.mine.sources.runs.file: {file}: {said}")


def test_mistakes_that_jobs_find_name_file_and_study(refused):
    scale = "    scales: {runs: {kind: ratio, baseline: aa}}\n"
    found = refused(MINE.replace("    questions", f"{scale}    questions"), "results/normalize/mine/runs.parquet")
    assert found == [
        'surefoot: mine.yaml: studies.mine.scales.runs.baseline: no scores for "aa". Hint: did you mean "a"?'
    ]


def test_targets_that_do_not_exist_are_told_with_the_nearest(refused):
    listing = "`surefoot run --list-rules` lists all names; add --configfile FILE for studies in your own file"
    said = 'surefoot: command line: there is no target "%s". Hint: '
    assert refused(MINE, "mine", "mine2") == [f'{said % "mine2"}did you mean "mine"? {listing}']
    assert refused(MINE, "figure_99") == [f"{said % 'figure_99'}{listing}"]
