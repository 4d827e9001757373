"""Run jobs of the workflow in the test process."""

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.files import write_whole
from surefoot.workflow.folder import CONFIGURATION
from surefoot.workflow.job import Job, versions
from surefoot.workflow.planning.plan import WORK, plan
from surefoot.workflow.runner import perform

NO_PAGES = Path(__file__).with_name("no_pages")


class _Parameters(SimpleNamespace):
    def get(self, name: str) -> Any:
        return getattr(self, name, None)


def run_job(job: Job, threads: int = 1) -> None:
    """Do the work of a job in the current folder; errors are raised."""
    parameters = _Parameters(settings=job.plain_settings(), code=job.code(), versions=versions(job.stage))
    told = SimpleNamespace(params=parameters, input=job.inputs, output=job.outputs, threads=threads)
    perform(told, WORK[job.rule])


def run_jobs(file: Path, wanted: Callable[[Job], bool]) -> None:
    """Make results of a configuration in its folder, as `surefoot run` does, by running the jobs that `wanted` selects;
    errors are raised."""
    with contextlib.chdir(file.parent):
        configuration = validate_configuration(read_configuration([file]), [file])
        write_whole(CONFIGURATION, json.dumps(configuration.plain()))
        for job in filter(wanted, plan(configuration)):
            run_job(job)


def page_of_questions(report: Path, *questions: str) -> str:
    """Make the page of a report, of which a test has left out the pages, with some of its questions; it takes less
    time than the page with all of them, made by processes of their own."""
    file = report / "study.yaml"
    content = yaml.safe_load(file.read_text())
    ((name, study),) = content["studies"].items()
    study["questions"] = {question: study["questions"][question] for question in questions}
    file.write_text(yaml.safe_dump(content, sort_keys=False))
    run_jobs(file, lambda job: job.study in (name, f"{name}_how_many_runs"))
    return (report / "results" / "render" / f"{name}.html").read_text()


def leave_out_pages(monkeypatch: pytest.MonkeyPatch, packages: Path = NO_PAGES) -> None:
    """Make reports run the module `snakemake` of a folder; by default, it does nothing."""
    monkeypatch.setenv("PYTHONPATH", str(packages), prepend=os.pathsep)


def written(folder: Path) -> dict[str, Any]:
    """Return the study that a report has written in the folder `page`."""
    study: dict[str, Any] = yaml.safe_load((folder / "page" / "study.yaml").read_text())["studies"]["runs"]
    return study
