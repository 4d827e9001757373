"""The tables of the methods page, as its job writes them."""

import csv
import io
from pathlib import Path

import pytest

from surefoot.build.runner import Task
from surefoot.methods.descriptions import methods_job, write


@pytest.fixture(scope="package")
def tables(tmp_path_factory):
    job, folder = methods_job(), tmp_path_factory.mktemp("methods")
    outputs = {name: folder / name for name in job.outputs}
    write(Task({}, {name: Path(path) for name, path in job.inputs.items()}, outputs, 1, None, None, {}))
    return {path.stem: list(csv.DictReader(io.StringIO(path.read_text("utf-8")))) for path in outputs.values()}
