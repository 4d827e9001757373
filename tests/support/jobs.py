"""Run jobs of the workflow in the test process."""

import importlib
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

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


def leave_out_pages(monkeypatch: pytest.MonkeyPatch, packages: Path = NO_PAGES) -> None:
    """Make reports run the module `snakemake` of a folder; by default, it does nothing."""
    monkeypatch.setenv("PYTHONPATH", str(packages), prepend=os.pathsep)
