"""What a plain installation does, which has the library's own dependencies alone, and what it says of the rest."""

import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib

import pytest
from support.paths import ROOT

HINT = 'Hint: pip install "surefoot[report]"'
HIDING = """
import sys
from importlib.machinery import PathFinder
hidden, find = set({hidden!r}), PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name.split(".")[0] in hidden else find(name, *rest)
"""
LIBRARY = """
import numpy as np
import pandas as pd
import surefoot
rng = np.random.default_rng(1)
scores = {name: rng.normal(size=(6, 3)) for name in ("ours", "base")}
for question in ("aggregate_metrics", "probability_of_improvement", "rank_probabilities", "shared_run_test"):
    found = getattr(surefoot, question)(scores)
    assert len(found.table()), question
assert len(surefoot.performance_profiles(scores, thresholds=[0.0, 0.5]).table())
found = surefoot.aggregate_metrics(scores)
for ask in (found.chart, found.finding):
    try:
        ask()
    except ValueError as error:
        print(error)
pd.DataFrame({"algorithm": ["a"] * 4, "environment": "e", "run": [1, 1, 2, 2], "step": [1, 2] * 2, "score": 1.0}
).to_csv("runs.csv", index=False)
curves = surefoot.read_runs("runs.csv")
assert len(surefoot.score_curves(curves)) == 2
"""


def normalized(text):
    """The name of a package that a requirement begins with."""
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", text)[0]).lower()


def others_than_those_of_the_library():
    """Top-level modules of the packages here that the library's dependencies do not bring."""
    installed = {normalized(package.name): package for package in importlib.metadata.distributions()}
    texts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    waiting, needed = [normalized(text) for text in texts], {"surefoot"}
    while waiting:
        name = waiting.pop()
        if name in installed and name not in needed:
            needed.add(name)
            waiting += [normalized(text) for text in installed[name].requires or () if "extra ==" not in text]
    distributed = importlib.metadata.packages_distributions()
    return sorted(module for module, by in distributed.items() if not needed & {normalized(name) for name in by})


def plain(code, folder):
    """Code run in a process that has the library's dependencies alone."""
    whole = HIDING.format(hidden=others_than_those_of_the_library()) + code
    variables = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", whole]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)


def test_the_library_needs_its_own_dependencies_alone(tmp_path):
    hidden = others_than_those_of_the_library()
    assert {"altair", "snakemake", "pypandoc"} <= set(hidden) and not {"numpy", "pandas", "numba"} & set(hidden)
    done = plain(LIBRARY, tmp_path)
    assert done.returncode == 0, done.stderr
    chart, finding = done.stdout.splitlines()
    said = "charts and findings need packages that are not installed (altair, vl_convert)"
    assert (
        chart == f"surefoot.aggregate_metrics: {said}. {HINT}"
        and finding == f"surefoot.aggregate_metrics: {said}. {HINT}"
    )


@pytest.mark.parametrize("command", [["run", "example"], ["report", "runs.csv"], ["check"]])
def test_a_command_that_runs_the_workflow_says_what_it_needs(command, tmp_path):
    done = plain(f"from surefoot.cli.commands import main\nsys.exit(main({command!r}))", tmp_path)
    needed = "it needs packages that are not installed (altair, jinja2, pypandoc, snakemake, vl_convert)"
    assert (done.returncode, done.stderr) == (2, f"surefoot: surefoot {command[0]}: {needed}. {HINT}\n")


def test_runs_are_read_without_them(tmp_path):
    (tmp_path / "runs.csv").write_text("algorithm,environment,run,score\na,e,1,2\na,e,2,3\n")
    done = plain('from surefoot.cli.commands import main\nsys.exit(main(["read", "runs.csv"]))', tmp_path)
    assert done.returncode == 0 and "environments: e" in done.stdout, done.stderr
