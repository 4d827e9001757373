"""Plan a small study from its configuration, and compute its results in the current folder."""

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pandas as pd
from support.jobs import run_job

from surefoot.errors import InputError
from surefoot.reporting.descriptions import methods_job
from surefoot.workflow.configuration.models import schema
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.job import Job
from surefoot.workflow.planning.needs import ANSWERS
from surefoot.workflow.planning.plan import plan


def write_runs(path: Path, table: pd.DataFrame) -> Path:
    """Write a table as CSV, JSON or Parquet, depending on the suffix of the file."""
    if path.suffix == ".csv":
        table.to_csv(path, index=False)
    elif path.suffix == ".json":
        table.to_json(path, orient="records")
    else:
        table.infer_objects().to_parquet(path, index=False)
    return path


def described(part: str, kind: str) -> dict:
    """Return the schema of a kind of source, scale or question."""
    models = schema()["$defs"]
    reference = models[part.removesuffix("s").capitalize()]["discriminator"]["mapping"][kind]
    return models[reference.removeprefix("#/$defs/")]


def planned(study: dict, name: str = "mine") -> list[Job]:
    """Return the jobs of a study."""
    config = validate_configuration({"studies": {name: {"title": "Mine"} | study}}, [])
    return [job for job in plan(config) if job.study == name]


def refused(study: dict) -> str:
    """Return the error message for an invalid study."""
    try:
        planned(study)
    except InputError as error:
        return str(error)
    raise AssertionError("no error is raised")


def on_the_methods_page(kind: str, name: str) -> dict[str, str]:
    """Return the row of a method on the methods page."""
    made = make([methods_job()])
    rows = csv.DictReader(io.StringIO(made["entries"].read_text(encoding="utf-8")))
    return next(row for row in rows if (row["kind"], row["name"]) == (kind, name))


def make(jobs: Iterable[Job], wanted: Callable[[Job], bool] = lambda job: True) -> dict[str, Path]:
    """Run the jobs that `wanted` selects, and return their results by name; results of questions by file name."""
    made: dict[str, Path] = {}
    for job in filter(wanted, jobs):
        run_job(job)
        for name, path in job.outputs.items():
            made[Path(path).stem if job.rule in ANSWERS else name] = Path(path)
    return made


def told(jobs: Iterable[Job], keyword: str, study: str = "mine") -> Any:
    """Return the value of a keyword in the first figure or table of a study that has it."""
    drawings = [drawing for job in jobs if (job.stage, job.study) == ("draw", study) for drawing in drawings_of(job)]
    return next(drawing["keywords"][keyword] for drawing in drawings if keyword in drawing["keywords"])


def drawings_of(job: Job) -> Iterable[dict[str, Any]]:
    """Return the entries of the figures and tables in the settings of a job."""
    drawings: dict[str, dict[str, Any]] = job.settings["drawings"]
    return drawings.values()


def draw(jobs: Iterable[Job], *tables: str) -> dict[str, Path]:
    """Make only the given tables of a study, and return their paths by name."""
    chosen = []
    for job in jobs:
        drawings = job.settings["drawings"] if job.stage == "draw" else {}
        own = [name for name in tables if name in drawings]
        if own:
            settings = job.settings | {"drawings": {name: drawings[name] for name in own}}
            outputs = {f"{name}.csv": job.outputs[f"{name}.csv"] for name in own}
            chosen.append(job._replace(settings=settings, outputs=outputs))
    return {name.removesuffix(".csv"): path for name, path in make(chosen).items()}
