"""Run jobs of the workflow in the process of a test."""

import importlib
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from surefoot.workflow.job import Job, versions
from surefoot.workflow.planning.plan import WORK
from surefoot.workflow.runner import perform


class _Parameters(SimpleNamespace):
    def get(self, name: str) -> Any:
        return getattr(self, name, None)


def run_job(job: Job, threads: int = 1) -> None:
    """Do what the script of a job's rule does, in the current folder; errors are raised."""
    parameters = _Parameters(settings=job.plain_settings(), code=job.code(), versions=versions(job.stage))
    told = SimpleNamespace(params=parameters, input=job.inputs, output=job.outputs, threads=threads)
    module, _, function = WORK[job.rule].rpartition(".")
    perform(told, getattr(importlib.import_module(module), function))


def leave_out_pages(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Reports write their study and run no workflow; return the arguments of those that are left out."""
    left_out: list[list[str]] = []
    monkeypatch.setattr("surefoot.cli.reporting.run_with_progress", lambda arguments: left_out.append(arguments) or 0)
    nothing = [sys.executable, "-c", ""]
    monkeypatch.setattr(
        "surefoot.cli.reporting.snakemake_command", lambda arguments: left_out.append(arguments) or nothing
    )
    return left_out
