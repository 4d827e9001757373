"""Another workflow takes this one as a module, with a configuration and a place of its own."""

import os
import sys

import pytest
from support.fork_server import run_module
from support.paths import ROOT
from support.small_checkout import write_study

pytestmark = pytest.mark.workflow

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
        "{prefix}results/render/mine.html",
        "{prefix}results/estimate/mine/aggregate_metrics.csv",
    output:
        "done.txt",
    default_target: True
    shell:
        "touch {{output}}"
"""


@pytest.mark.parametrize("prefix", [pytest.param("", marks=pytest.mark.long), "ours/"])
def test_its_rules_run_in_the_other_workflow_also_below_a_prefix(tmp_path, prefix):
    """The user's table and the shipped pages stay where they are."""
    write_study(tmp_path)
    more = f'prefix:\n        "{prefix.rstrip("/")}"' if prefix else ""
    tmp_path.joinpath("Snakefile").write_text(OTHER.format(root=ROOT, more=more, prefix=prefix))
    command = [sys.executable, "-m", "snakemake", "--cores", "2"]
    variables = os.environ | {"PYTHONWARNINGS": "ignore"}
    for expected in ("steps (100%) done", "Nothing to be done"):
        done = run_module(command, tmp_path, variables)
        assert done.returncode == 0, done.stderr
        assert expected in done.stderr
    results = tmp_path / prefix / "results"
    assert "Mine" in (results / "render/mine.html").read_text()
    assert (results / "estimate/mine/aggregate_metrics.csv").is_file() and (tmp_path / "done.txt").is_file()
