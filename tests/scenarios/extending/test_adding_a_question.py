"""The section on how to add a question, followed literally."""

import shutil

from support.extending_page import follow, run
from support.paths import ROOT

PROGRAM = """
import inspect
import json
import os
from pathlib import Path
import pandas as pd
from support.one_study import make, on_the_methods_page
from surefoot.errors import InputError
from surefoot.cli.reference import schemas
from surefoot.workflow.configuration.models import SCHEMA_PATH
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.plan import plan
from surefoot.workflow.answers import answered
from surefoot.questions.best_run import best_run
from surefoot.questions._framework.question_registry import questions

schemas()
assert '"best_run"' in SCHEMA_PATH.read_text()
study = {"title": "Mine", "sources": {"runs": {"kind": "score_table", "file": "scores.csv"}}}
study["scales"] = {"as_they_are": {"kind": "none"}}
study["questions"] = {"best": {"kind": "best_run", "scores": ["as_they_are"], "algorithms": ["a"]}}
rows = [("a", "x", run, float(run)) for run in range(3)] + [("b", "x", 0, 9.0)]
table = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
table.to_csv("scores.csv", index=False)
config = validate_configuration({"studies": {"mine": study}}, [])
(job,) = (job for job in plan(config) if job.part == "best")
settings = questions()["best_run"].model_validate(job.settings["question"])
found = answered(settings, {"scores": table.assign(scores="as_they_are")}, {"seed": 1}, 1).table()
assert "algorithms" in inspect.signature(best_run).parameters
assert best_run.__doc__.startswith("Return the best run of each algorithm on each task.")
asked = best_run(table, algorithms=["a"], skip_checks=True)
pd.testing.assert_frame_equal(asked.table(), found)
assert asked.finding() == "The best run of all has a score of 2."
os.environ["SUREFOOT_STORE"] = "store"
assert on_the_methods_page("question", "best_run")["about"] == "Return the best run of each algorithm on each task."
make(job for job in plan(config) if job.study == "mine")
page = Path("results/render/mine.html").read_text()
assert 'id="sec-question-best"' in page and "The best run of all has a score of 2." in page
wrong = study | {"questions": {"best": {"kind": "best_run", "scores": ["as_they_are"], "sizes": [3]}}}
try:
    validate_configuration({"studies": {"mine": wrong}}, [])
except InputError as error:
    print(json.dumps([job.outputs, list(job.modules), found.to_dict("records"), str(error)]))
"""


def test_a_question_is_a_module_its_finding_and_a_name_in_a_list(tmp_path):
    written = follow("A question", tmp_path)
    assert written == ["src/surefoot/questions/best_run.py", "src/surefoot/charts/best_run_charts.py"]
    listing = tmp_path / "src/surefoot/questions/__init__.py"
    text = listing.read_text()
    listing.unlink()  # a link to the project's
    listing.write_text(text.replace("MODULES = (", 'MODULES = (\n    "best_run",'))
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    printed = run(tmp_path, PROGRAM)
    modules = '["surefoot.workflow.answers", "surefoot.questions.best_run"]'
    assert f'{{"table": "results/estimate/mine/best.csv"}}, {modules}' in printed
    assert '[{"algorithm": "a", "environment": "x", "score": 2.0}]' in printed
    assert "questions.best.sizes: unknown key. Hint: " in printed
