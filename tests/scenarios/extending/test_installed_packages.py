"""A package beside Surefoot that adds a metric and a question by entry points, as one that pip installed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import ROOT

FILES = {
    "robust_scores-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: robust-scores\nVersion: 1.0\n",
    "robust_scores-1.0.dist-info/entry_points.txt": """
[surefoot.metrics]
capped = robust_scores.metrics

[surefoot.questions]
best = robust_scores.questions.best
""",
    "robust_scores/__init__.py": "",
    "robust_scores/limits.py": "CAP = 1.0\n",
    "robust_scores/metrics.py": '''"""Metrics that great scores cannot decide.

capped_mean
    about : The mean of scores that count for a cap at most.
"""

from surefoot.statistics.metrics.metric_catalogue import METRICS, MetricEntry


def capped(values, cap):
    from .limits import CAP

    return values.clip(max=CAP)


METRICS.add("capped_mean", MetricEntry(title="Mean of capped scores", homogeneous=False, counts_for=capped), __name__)
''',
    "robust_scores/questions/__init__.py": "",
    "robust_scores/questions/best.py": '''"""The best run."""

from robust_scores.limits import CAP
from surefoot.questions._framework.question_registry import question
from surefoot.questions._framework.results import Result


@question(stage="estimate")
def best_score(runs):
    """The best score of each algorithm, up to the cap."""
    return Result(runs.groupby("algorithm", as_index=False)["score"].max().assign(cap=CAP))
''',
}
PROGRAM = """
import json

import pandas as pd
from support.one_study import draw, make, on_the_methods_page, planned

scores = {"a": [0.5, 3.0], "b": [0.25, 0.75]}
rows = [(name, "x", run, score) for name, own in scores.items() for run, score in enumerate(own)]
pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"]).to_csv("scores.csv", index=False)
asked = {"n_resamples": 20, "methods": ["percentile"], "scores": ["none"]}
questions = {
    "capped": {"kind": "aggregate_metrics", "metrics": ["capped_mean"]} | asked,
    "plain": {"kind": "aggregate_metrics", "metrics": ["mean"]} | asked,
    "best_score": {"scores": ["none"]},
}
study = {"sources": {"runs": {"kind": "score_table", "file": "scores.csv", "check_axes": False}}}
study |= {"scales": {"none": {}}, "questions": questions}
jobs = planned(study)
made = make(jobs, lambda job: job.stage in ("collect", "normalize", "estimate"))
tables = {name: pd.read_csv(path).set_index("algorithm") for name, path in made.items() if path.suffix == ".csv"}
used = {module for job in jobs if job.stage in ("estimate", "draw") for module in job.modules}
print(json.dumps({
    "capped": tables["capped"]["estimate"].to_dict(),
    "plain": tables["plain"]["estimate"].to_dict(),
    "cap": tables["best_score"]["cap"].to_dict(),
    "code": sorted(name for name in used if "surefoot." not in name),
    "about": on_the_methods_page("metric", "capped_mean")["about"],
}))
"""


def run(folder: Path) -> dict:
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(folder / "site"), str(ROOT / "src"), str(ROOT / "tests")]),
        "SUREFOOT_STORE": str(folder / "store"),
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONDONTWRITEBYTECODE": "1",  # an edit within the same second must count
    }
    (folder / "work").mkdir(exist_ok=True)
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=environment, cwd=folder / "work", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def installed(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_an_edit_of_an_installed_package_makes_answers_again(installed):
    first = run(installed)
    assert first["capped"] == {"a": 0.75, "b": 0.5} and first["plain"] == {"a": 1.75, "b": 0.5}
    assert first["cap"] == {"a": 1.0, "b": 1.0}
    assert {"robust_scores.metrics", "robust_scores.questions.best"} <= set(first["code"])
    assert first["about"] == "The mean of scores that count for a cap at most."

    # A module that theirs import, one by a relative import within a function.
    (installed / "site" / "robust_scores" / "limits.py").write_text("CAP = 0.25\n")
    second = run(installed)
    assert second["capped"] == {"a": 0.25, "b": 0.25} and second["cap"] == {"a": 0.25, "b": 0.25}
    assert second["plain"] == first["plain"]
