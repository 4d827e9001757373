"""Another workflow takes this one as a module, with its own configuration and place, as config/README.md shows."""

import os
import re
import sys

import pytest
from support.fork_server import run_module
from support.paths import ROOT
from support.small_checkout import write_study

pytestmark = pytest.mark.workflow


def of_the_readme(prefix):
    """The workflow in config/README.md, with the path of this checkout, and with its prefix or without one."""
    text = ROOT.joinpath("config/README.md").read_text()
    (workflow,) = re.findall(r"^```python\n(configfile: .*?)^```$", text, re.MULTILINE | re.DOTALL)
    changes = [('"surefoot/Snakefile"', f'"{ROOT}/Snakefile"')]
    if not prefix:
        changes += [('    prefix:\n        "ours"\n', ""), ('"ours/results', '"results')]
    for old, new in changes:
        assert old in workflow
        workflow = workflow.replace(old, new)
    assert workflow.count("ours") == (3 if prefix else 0)
    return workflow


@pytest.mark.parametrize("prefix", [pytest.param("", marks=pytest.mark.long), "ours/"])
def test_its_rules_run_in_the_other_workflow_also_below_a_prefix(tmp_path, prefix):
    """The user's table and the shipped pages stay where they are."""
    write_study(tmp_path)
    own = '\n\nonsuccess:\n    shell("echo $PYTHONPATH > searched.txt")\n'
    tmp_path.joinpath("Snakefile").write_text(of_the_readme(prefix) + own)
    command = [sys.executable, "-m", "snakemake", "--cores", "2"]
    variables = os.environ | {"PYTHONWARNINGS": "ignore", "PYTHONPATH": str(tmp_path / "library")}
    for expected in ("steps (100%) done", "Nothing to be done"):
        done = run_module(command, tmp_path, variables)
        assert done.returncode == 0, done.stderr
        assert expected in done.stderr
    assert str(tmp_path / "library") in (tmp_path / "searched.txt").read_text(), "the other workflow needs its modules"
    results = tmp_path / prefix / "results"
    assert "Mine" in (results / "render/mine.html").read_text()
    assert not (results / "configuration.json").exists(), "so `surefoot check` cannot be used, says config/README.md"
    assert (results / "estimate/mine/aggregate_metrics.csv").is_file() and (tmp_path / "done.txt").is_file()
