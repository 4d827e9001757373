"""The page on how to add a question, followed literally in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "adding_a_question.md"
PROGRAM = """
import json
import inspect
from importlib import import_module
import pandas as pd
import surefoot
from surefoot.build.errors import InputError
from surefoot.configuration.validation import validate_configuration
from surefoot.pipeline.plan import plan
from surefoot.questions.answering import Shared
from surefoot.questions.registry import answer_module, questions

study = {"title": "Mine", "sources": {"runs": {"kind": "score_table", "file": "scores.csv"}}}
study["scales"] = {"as_they_are": {"kind": "none"}}
study["questions"] = {"best": {"kind": "best_run", "scores": ["as_they_are"], "algorithms": ["a"]}}
config = validate_configuration({"studies": {"mine": study}}, [])
(job,) = (job for job in plan(config) if "best" in job.outputs)
rows = [("a", "x", run, float(run)) for run in range(3)] + [("b", "x", 0, 9.0)]
table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
settings = questions()["best_run"].model_validate(job.settings["questions"]["best"])
found = import_module(answer_module("best_run")).answer({"as_they_are": table}, settings, Shared(1, 0.95, 10))
assert "best_run" in dir(surefoot) and "algorithms" in inspect.signature(surefoot.best_run).parameters
assert surefoot.best_run.__doc__.startswith("The best run of each algorithm on each task.")
pd.testing.assert_frame_equal(surefoot.best_run(table, algorithms=["a"], checked=True).table(), found)
wrong = study | {"questions": {"best": {"kind": "best_run", "scores": ["as_they_are"], "sizes": [3]}}}
try:
    validate_configuration({"studies": {"mine": wrong}}, [])
except InputError as error:
    print(json.dumps([job.outputs, list(job.modules), found.to_dict("records"), str(error)]))
"""


def test_a_question_is_one_folder(tmp_path):
    text = PAGE.read_text()
    assert len(text.splitlines()) <= 40
    settings, answer = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for part in ("src", "workflow", "reports", "config"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "src" / "surefoot" / "questions" / "best_run"
    folder.mkdir()
    (folder / "settings.py").write_text(settings)
    (folder / "answer.py").write_text(answer)
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "src")}

    def run(*arguments):
        command = [sys.executable, *arguments]
        return subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    run("-m", "surefoot", "schemas")
    printed = run("-c", PROGRAM)
    assert '{"best": "results/estimate/mine/best.csv"}, ["surefoot.questions.best_run.answer"]' in printed
    assert '[{"algorithm": "a", "environment": "x", "score": 2.0}]' in printed
    assert "questions.best.sizes: unknown key. Hint: " in printed
