"""What all rules need: the checked configuration, the spec files, and the plan of jobs."""

import os
import sys
from pathlib import Path

sys.path.insert(0, f"{workflow.basedir}/src")
os.environ.update(
    PYTHONPATH=f"{workflow.basedir}/src",
    PYTHONUTF8="1",  # names in tables and logs do not depend on the locale
    PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
)

from surefoot.cli.command_line import read_command_line
from surefoot.build.errors import EXPLAINED, InputError, explained, nearest
from surefoot.build.job import names_its_output, resamples
from surefoot.pipeline.page_jobs import planned_studies
from surefoot.cli.workflow import (
    check_targets,
    drawings_by_name,
    prepare,
    settle_results,
)

COMMAND_LINE = read_command_line(sys.argv)

try:
    CONFIG, JOBS = prepare(
        config,
        workflow.configfiles,
        workflow.overwrite_configfiles,
        plans=workflow.is_main_process,
        makes=workflow.is_main_process
        and COMMAND_LINE is not None
        and COMMAND_LINE.makes,
        options=COMMAND_LINE.options if COMMAND_LINE is not None else (),
    )
except EXPLAINED as error:
    sys.exit(f"surefoot: {explained(error)}")


wildcard_constraints:
    study="[a-z][a-z0-9_]*",
    part="[^/]+",


SEVERAL = [
    job
    for job in JOBS.values()
    if job.stage in ("collect", "estimate", "cover") and not names_its_output(job)
]


PLANNED = planned_studies(JOBS.values())


def job_of(stage, study, part):
    """The job of a file name; an unknown study or part names those that exist."""
    try:
        return JOBS[stage, study, part]
    except KeyError:
        parts = sorted("/".join(key[1:]) for key in JOBS if key[0] == stage)
        raise InputError(
            f"results/{stage}",
            f'no such result "{study}/{part}"',
            nearest(f"{study}/{part}", parts),
        ) from None


def jobs_of(stage):
    """All jobs of a stage."""
    return [job for key, job in JOBS.items() if key[0] == stage]


def usual_parts(stage):
    """The parts of a stage that its rule makes, as a pattern; others have a rule of their own."""
    return (
        "|".join(job.part for job in jobs_of(stage) if names_its_output(job)) or "none"
    )


def parts_with(stage, table):
    """The parts of a stage that make a further table beside the one of their name, as a pattern."""
    parts = [job.part for job in jobs_of(stage) if f"{job.part}_{table}" in job.outputs]
    return "|".join(parts) or "none"


def inputs_of(stage, study, part):
    """Paths of all that a job takes beside its spec."""
    return list(job_of(stage, study, part).inputs.values())


def simulation_threads(study):
    """Threads of a simulation: the cores, shared by the batches of the study."""
    batches = sum(job.study == study for job in jobs_of("simulate"))
    return max(1, workflow.cores // batches)


def resampling_threads(job):
    """All cores for many resamples: a short job would wait for all of them to be free for longer than it takes."""
    return workflow.cores if resamples(job.settings) >= 10_000 else 1


def estimate_threads(study, part):
    """Threads of the intervals of a study by a method."""
    return resampling_threads(job_of("estimate", study, part))


def simulation_priority(study):
    """Studies in their order: what waits for runs of the first is a long chain, and later simulations fill its gaps."""
    return -list(CONFIG.studies).index(study)


def jobs_of_study(study):
    """All jobs of a study, those of its page, and where it asks how many runs it needs, of that page too."""
    names = [study, f"{study}_how_many_runs"]
    return [job for job in JOBS.values() if job.study in names]


def results_of(jobs):
    """All that these jobs make, with the manifests that prove it."""
    return [path for job in jobs for path in (*job.outputs.values(), job.manifest)]


def asked_files(targets):
    """The files that the targets name, or that the rules of their names ask for."""
    if not targets:
        yield from results_of(JOBS.values())
    inputs = {rule.name: rule.input for rule in workflow.rules}
    for target in targets:
        yield from (
            str(path) for path in inputs.get(target, [target]) if not callable(path)
        )


def check_command_line():
    """End where a target is mistyped, and repair what is asked for; all rules are known by now."""
    if COMMAND_LINE is None or not workflow.is_main_process:
        return
    targets = COMMAND_LINE.targets
    try:
        check_targets(
            targets,
            [rule.name for rule in workflow.rules if not rule.has_wildcards()],
            JOBS.values(),
            CONFIG.studies,
        )
        if COMMAND_LINE.makes or COMMAND_LINE.dry_run:
            settle_results(
                list(JOBS.values()), asked_files(targets), COMMAND_LINE.makes
            )
    except EXPLAINED as error:
        sys.exit(f"surefoot: {explained(error)}")
