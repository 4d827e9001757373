"""The sources: every folder beside this module that has settings."""

import functools
import os
from collections.abc import Container, Mapping
from importlib import import_module
from pathlib import Path

from surefoot.build.job import Job
from surefoot.sources.settings import SourceSettings, StudySources, run_table_path
from surefoot.sources.study.settings import Settings as OtherStudy

_HERE = Path(__file__).parent


@functools.cache
def sources() -> dict[str, type[SourceSettings]]:
    """The settings of each kind of source by its name."""
    names = sorted(path.parent.name for path in _HERE.glob("*/settings.py"))
    return {name: import_module(f"{__package__}.{name}.settings").Settings for name in names}


def source_jobs(study: StudySources) -> list[Job]:
    """The jobs that make the tables of a study's sources, those of a kind together; none of those that cannot be "
    "had."""
    jobs: list[Job] = []
    for kind in dict.fromkeys(source.kind for source in study.sources.values()):
        chosen = {name: source for name, source in study.sources.items() if source.kind == kind}
        if (_HERE / kind / "jobs.py").is_file():
            jobs += import_module(f"{__package__}.{kind}.jobs").jobs(study, chosen)
        elif (_HERE / kind / "read.py").is_file():
            jobs += [_reading(study.name, name, source) for name, source in chosen.items()]
    return jobs


def _reading(study: str, name: str, source: SourceSettings) -> Job:
    """The job of a source that is read from files: what decides its table, without where these are."""
    module = f"{__package__}.{source.kind}.read"
    inputs = {key: os.path.relpath(path) for key, path in source.files().items()}
    settings = source.decisive() | {"read": module}
    outputs = {_end(name, table) or "runs": run_table_path(study, table) for table in source.tables(name)}
    return Job("collect", study, name, f"{__package__}.reading:collect", settings, (module,), inputs, outputs)


def _end(source: str, table: str) -> str:
    """What the name of a table has behind that of its source; empty of the run table."""
    return table.removeprefix(source).removeprefix("_")


def tables_of(study: StudySources, jobs: list[Job], studies: Container[str]) -> dict[str, Mapping[str, str]]:
    """Paths of the tables that the sources make, as {table: {name of the file: path}}, of those that can be had.

    jobs : of these sources
    studies : names of those of the configuration, whose runs can be had
    """
    made = {job.part: job.outputs for job in jobs}
    found: dict[str, Mapping[str, str]] = {}
    for name, source in study.sources.items():
        if isinstance(source, OtherStudy) and (source.study or name) in studies:
            found[name] = {"runs": run_table_path(source.study or name, source.source)}
        for table in source.tables(name):
            if _end(name, table) in made.get(name, {}):
                found[table] = {"runs": made[name][_end(name, table)]}
            elif table in made:
                found[table] = {"runs": made[table]["runs"]} if "runs" in made[table] else made[table]
    return found
