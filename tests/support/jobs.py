"""Run jobs of the workflow in the test process."""

import importlib
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from support.paths import ROOT

from surefoot.workflow.job import Job, versions
from surefoot.workflow.planning.plan import WORK
from surefoot.workflow.runner import perform

NO_PAGES = Path(__file__).with_name("no_pages")


class _Parameters(SimpleNamespace):
    def get(self, name: str) -> Any:
        return getattr(self, name, None)


def run_job(job: Job, threads: int = 1) -> None:
    """Do the work of a job in the current folder; errors are raised."""
    parameters = _Parameters(settings=job.plain_settings(), code=job.code(), versions=versions(job.stage))
    told = SimpleNamespace(params=parameters, input=job.inputs, output=job.outputs, threads=threads)
    module, _, function = WORK[job.rule].rpartition(".")
    perform(told, getattr(importlib.import_module(module), function))


def page_of_questions(report: Path, *questions: str) -> str:
    """Make the page of a report, of which a test has left out the pages, with some of its questions; it takes less
    time than the page with all of them."""
    file = report / "study.yaml"
    content = yaml.safe_load(file.read_text())
    ((name, study),) = content["studies"].items()
    study["questions"] = {question: study["questions"][question] for question in questions}
    file.write_text(yaml.safe_dump(content, sort_keys=False))
    command = [sys.executable, "-m", "surefoot", "run", name, "--directory", str(report), "--configfile", str(file)]
    found = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    made = subprocess.run([*command, "--cores", "2"], env=found, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stdout + made.stderr
    return (report / "results" / "render" / f"{name}.html").read_text()


def leave_out_pages(monkeypatch: pytest.MonkeyPatch, packages: Path = NO_PAGES) -> None:
    """Make reports run the module `snakemake` of a folder; by default, it does nothing."""
    monkeypatch.setenv("PYTHONPATH", str(packages), prepend=os.pathsep)
