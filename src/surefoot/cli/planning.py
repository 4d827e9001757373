"""The command `plan`: the jobs of a run before it runs, with rough core hours."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from surefoot.build.job import LIBRARIES, Job
from surefoot.build.project import PROJECT, has_workflow
from surefoot.build.verify import changes
from surefoot.cli.running import check_configuration_file, own_or_shipped, own_studies
from surefoot.cli.workflow import check_targets, jobs_behind, named_targets
from surefoot.configuration.models import Configuration
from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.errors import shortened
from surefoot.pipeline.drawing_jobs import RUN_NUMBERS
from surefoot.pipeline.needs import seconds
from surefoot.pipeline.plan import plan as planned_jobs

_SECONDS_OF_A_JOB = 2.5
"""Time to start a job, draw, and so on, which depends little on the configuration."""
_LONGEST_NAME = 30
REMARK = """\
Core hours are rough: by what trials, plays and resamples took on one machine, without the
compiling of kernels (minutes, once). What the store has of a job still to be made takes none."""


def plan(targets: Sequence[str], overlays: Sequence[str]) -> int:
    """Print the jobs of the targets, by study and stage, with rough core hours, and return the exit status.

    Parameters
    ----------
    targets : studies, figures, tables or files; by default the targets of `surefoot run`
    overlays : files to merge over the configuration
    """
    config = configuration_with(overlays)
    jobs = planned_jobs(config)
    targets = targets or own_studies(overlays) or ["all"]
    named = named_targets(jobs, config.studies)
    check_targets(targets, named, jobs)
    behind = jobs_behind([path for target in targets for path in named.get(target, [target])], jobs)
    asked = [job for job in jobs if job in behind]
    for line in table(asked, jobs_to_make(asked)):
        print(line)
    print(REMARK)
    return 0


def configuration_with(overlays: Sequence[str]) -> Configuration:
    """Return the checked configuration of the workflow that `surefoot run` would run, with files merged over it."""
    here = has_workflow() and Path("config/config.yaml").is_file()
    folder = Path("config") if here else PROJECT / "config"
    files = [own_or_shipped(Path(file)) for file in overlays]
    for file in files:
        check_configuration_file(file)
    shipped = [folder / "config.yaml", folder / "trust.yaml", *sorted((folder / "studies").glob("*.yaml"))]
    if not read_configuration(files).get("shipped_studies", True):
        shipped = []
    sources = [*shipped, *files]
    return validate_configuration(read_configuration(sources), sources)


def jobs_to_make(jobs: Sequence[Job]) -> set[str]:
    """Return the manifests of jobs whose results are missing, outdated, or depend on such jobs.

    jobs : jobs in topological order
    """
    waiting: set[str] = set()
    for job in jobs:
        in_place = all(map(os.path.isfile, job.outputs.values())) and not any(changes(job))
        if waiting.intersection(job.made_by.values()) or not in_place:
            waiting.add(job.manifest)
    return waiting


def table(jobs: Sequence[Job], to_make: set[str]) -> Iterator[str]:
    """Yield the lines of the table: one row per study, followed by its stages, and one row for the total.

    Parameters
    ----------
    to_make : manifests of the jobs that have to run
    """
    by_study: dict[str, list[Job]] = {}
    for job in jobs:
        # The page on the number of runs of a study has a separate name.
        study = job.study.removesuffix(f"_{RUN_NUMBERS}") or job.study
        by_study.setdefault("site" if study in ("home", "index") else study, []).append(job)
    rows: list[tuple[str, Sequence[Job]]] = []
    for study, jobs_of_study in by_study.items():
        rows.append((study, jobs_of_study))
        rows += [
            (f"  {stage}", parts)
            for stage in LIBRARIES
            if (parts := [job for job in jobs_of_study if job.stage == stage])
        ]
    yield f"{'study, stage':<{_LONGEST_NAME}}{'jobs':>7}{'to make':>9}{'core hours':>12}"
    for name, asked in [*rows, ("all", jobs)]:
        waiting = [job for job in asked if job.manifest in to_make]
        hours = sum(_SECONDS_OF_A_JOB + seconds(job) for job in waiting) / 3600
        yield f"{shortened(name, _LONGEST_NAME):<{_LONGEST_NAME}}{len(asked):>7,}{len(waiting):>9,}{hours:>12,.2f}"
