"""Another workflow takes this one as a module, with a configuration of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import write_study

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).parents[2]
OTHER = """
configfile: "mine.yaml"


module surefoot:
    snakefile:
        "{root}/Snakefile"
    config:
        config
    {more}


use rule * from surefoot as surefoot_*


rule everything:
    input:
        "results/manifest/render/mine/page.json",
    output:
        "done.txt",
    default_target: True
    shell:
        "touch {{output}}"
"""


@pytest.fixture
def other(tmp_path):
    write_study(tmp_path)

    def run(more="", *options):
        tmp_path.joinpath("Snakefile").write_text(OTHER.format(root=ROOT, more=more))
        command = [sys.executable, "-m", "snakemake", "--cores", "2", *options]
        variables = os.environ | {"PYTHONWARNINGS": "ignore"}
        return subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)

    return run


def test_its_rules_run_in_the_folder_of_the_other_workflow(other, tmp_path):
    done = other()
    assert done.returncode == 0, done.stderr
    assert tmp_path.joinpath("done.txt").is_file()
    assert tmp_path.joinpath("results/estimate/mine/aggregates.csv").is_file()
    assert "Mine" in tmp_path.joinpath("results/render/mine.html").read_text()


def test_another_place_of_the_results_is_refused_in_a_sentence(other, tmp_path):
    done = other('prefix:\n        "ours"')
    assert done.returncode != 0
    assert "of results, whose place is fixed. Hint: leave it out" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) in ([], [".snakemake"])
