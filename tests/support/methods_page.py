"""Fixtures with the tables of the methods page, as written by its job."""

import csv
import io
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def methods_tables(tmp_path_factory):
    """Return a folder of results with only the tables of the methods page."""
    from surefoot.reporting.descriptions import methods_job, write
    from surefoot.workflow.runner import Task

    job, folder = methods_job(), tmp_path_factory.mktemp("results")
    outputs = {name: folder / "draw" / "methods" / f"{name}.csv" for name in job.outputs}
    (folder / "draw" / "methods").mkdir(parents=True)
    write(Task({}, {name: Path(path) for name, path in job.inputs.items()}, outputs, 1, None, None, {}))
    return folder


@pytest.fixture(scope="session")
def methods_entries(methods_tables):
    """Return the rows of the table of all methods."""
    text = (methods_tables / "draw" / "methods" / "entries.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))
