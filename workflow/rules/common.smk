"""What all rules need: the jobs, what each takes and what it needs of a machine."""

import os
import sys
from pathlib import Path

from snakemake.settings.types import DeploymentMethod

if PROJECT.joinpath("src").is_dir():  # else an installed package carries this file
    sys.path.insert(0, f"{PROJECT}/src")
    os.environ.update(PYTHONPATH=f"{PROJECT}/src")
os.environ.update(
    PYTHONUTF8="1",  # names in tables and logs do not depend on the locale
    PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
)

from surefoot.build.errors import EXPLAINED, InputError, nearest, tell
from surefoot.build.job import LIBRARIES
from surefoot.build.project import INSTALLED
from surefoot.cli.jobs import jobs_of_process
from surefoot.pipeline.needs import (
    downloads,
    megabytes,
    minutes,
    threads_of_cluster,
    threads_of_machine,
)

PLACE = Path(workflow.modifier.path_modifier.replace_prefix("results/"))
if PLACE != Path("results"):
    what = f'prefix or replace_prefix makes "{PLACE}" of results, whose place is fixed'
    hint = "leave it out; --directory runs the workflow in another folder"
    sys.exit(tell(InputError(str(workflow.main_snakefile), what, hint)))


if workflow.storage_settings.default_storage_provider is not None:
    where = f"--default-storage-provider {workflow.storage_settings.default_storage_provider}"
    what = "results are kept in a folder, which all machines see, since specs name their paths"
    hint = "leave it out; docs/large_runs.md says what to share instead"
    sys.exit(tell(InputError(where, what, hint)))


if (
    INSTALLED
    and DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method
):
    where = "--software-deployment-method conda"
    what = "an environment of conda has no Surefoot, which is an installed package here"
    hint = "leave it out: the jobs run with the packages beside Surefoot; or run it in a clone"
    sys.exit(tell(InputError(where, what, hint)))


if workflow.is_main_process:

    include: "planning.smk"

else:
    try:
        JOBS = jobs_of_process(sys.argv)
    except EXPLAINED as error:
        sys.exit(tell(error))


ENVIRONMENT = f"{PROJECT}/environment.yml"
"""Of conda, for all rules."""


STAGES = tuple(LIBRARIES)


wildcard_constraints:
    study="[a-z][a-z0-9_]*",
    part="[^/]+",


def job_of(stage, study, part):
    """The job of a stage of a study; an unknown study or part names those that exist."""
    try:
        return JOBS[stage, study, part]
    except KeyError:
        parts = sorted("/".join(key[1:]) for key in JOBS if key[0] == stage)
        raise InputError(
            f"results/{stage}",
            f'no such result "{study}/{part}"',
            nearest(f"{study}/{part}", parts),
        ) from None


def planned_job(stage, wildcards):
    """The job of a stage that a rule's wildcards name."""
    if study_and_part := wildcards.get("study_and_part"):
        return job_of(stage, *study_and_part.split("/"))
    return job_of(stage, wildcards.study, wildcards.part)


def jobs_of(stage):
    """All jobs of a stage."""
    return [job for key, job in JOBS.items() if key[0] == stage]


def sources_of(stage):
    """What a job takes beside its spec, as a function of a rule's wildcards: files of the project or of a user, and the
    manifests of the jobs that make its other inputs.

    A manifest has the hashes of all that its job made. It is the one file of a job that Snakemake needs to know.
    """

    def sources(wildcards):
        job = planned_job(stage, wildcards)
        paths = (job.made_by.get(name, path) for name, path in job.inputs.items())
        return list(dict.fromkeys(paths))

    return sources


def downloading_parts():
    """The jobs that fetch files, as a pattern of <study>/<part>."""
    found = [f"{job.study}/{job.part}" for job in jobs_of("collect") if downloads(job)]
    return "|".join(found) or "none"


def simulation_priority(study):
    """Studies in their order: what waits for runs of the first is a long chain, and later simulations fill its gaps."""
    return -list(CONFIG.studies).index(study) if workflow.is_main_process else 0


def most_threads():
    """Of a job: the cores of this machine, or on a cluster what --max-threads says."""
    if workflow.is_main_process and workflow.local_exec:
        return workflow.cores
    return workflow.resource_settings.max_threads or 1


def threads_of(stage):
    """Threads of a job, as a function of a rule's wildcards.

    The process that runs a job on a cluster finds the same number as the one that asked for them.
    """

    def threads(wildcards):
        job = planned_job(stage, wildcards)
        if workflow.is_main_process and workflow.local_exec:
            batches = sum(other.study == job.study for other in jobs_of("simulate"))
            return threads_of_machine(job, most_threads(), batches)
        return threads_of_cluster(job, most_threads())

    return threads


def needs_of(stage):
    """Memory in MB and time in minutes of a job, for `resources`."""

    def mem_mb(wildcards, input, attempt):
        job = planned_job(stage, wildcards)
        input.size_mb  # not before the manifests are there, and with them the files
        files = [Path(path) for path in job.inputs.values() if Path(path).is_file()]
        of_inputs = sum(path.stat().st_size for path in files) / 1e6
        return megabytes(job, of_inputs, attempt)

    def runtime(wildcards, threads, attempt):
        return minutes(planned_job(stage, wildcards), threads, attempt)

    return {"mem_mb": mem_mb, "runtime": runtime}
