"""The studies, their jobs, and functions with which rules look up the inputs, outputs and dependencies of a job."""

import functools
import os
import re
import sys
import threading

from snakemake.utils import update_config

if PROJECT.joinpath("src").is_dir():  # otherwise this file is in an installed package
    sys.path.insert(0, f"{PROJECT}/src")
    searched = [f"{PROJECT}/src", os.environ.get("PYTHONPATH", "")]
    os.environ.update(PYTHONPATH=os.pathsep.join(filter(None, searched)))
os.environ.update(
    PYTHONUTF8="1"
)  # so that names in tables and logs do not depend on the locale

from surefoot.workflow.machine_errors import EXPLAINED, tell
from surefoot.workflow.files import sha256_file
from surefoot.workflow.folder import begin
from surefoot.workflow.interrupts import cancel_timers
from surefoot.workflow.job import versions
from surefoot.workflow.store import store_folder
from surefoot.workflow.targets import check_targets
from surefoot.workflow.configuration.configuration_files import (
    own_studies,
    read_configuration,
    shipped_files,
)
from surefoot.workflow.configuration.located_errors import FILES_VARIABLE, located
from surefoot.workflow.configuration.validation import (
    RESERVED_NAMES,
    validate_configuration,
)
from surefoot.workflow.planning.drawing_jobs import drawing_rule
from surefoot.workflow.planning.needs import megabytes, minutes, threads
from surefoot.workflow.planning.plan import named_targets, plan
from surefoot.reporting.site import note_made_pages, page_to_open

ENVIRONMENT = f"{PROJECT}/environment.yml"
"""Conda environment of all rules."""

try:
    SHIPPED = shipped_files(PROJECT) if config.get("shipped_studies", True) else []
    OVERLAYS = list(map(Path, workflow.configfiles))
    STATED = read_configuration(SHIPPED)
    update_config(STATED, config)
    CONFIG = validate_configuration(STATED, [*SHIPPED, *OVERLAYS])
    with located(STATED, [*SHIPPED, *OVERLAYS]):
        JOBS = {(job.stage, job.name): job for job in plan(CONFIG)}
    OWN = own_studies(OVERLAYS, SHIPPED)
    TARGETS = named_targets(list(JOBS.values()), CONFIG.studies, OWN)
    check_targets(TARGETS, RESERVED_NAMES)
except EXPLAINED as error:
    sys.exit(tell(error))

THREADS = threading.enumerate()
"""Threads of the process before Snakemake executes jobs."""
os.environ.update(SUREFOOT_STORE=str(store_folder(CONFIG.store)))
os.environ[FILES_VARIABLE] = os.pathsep.join(map(str, [*SHIPPED, *OVERLAYS]))
MADE = {path for job in JOBS.values() for path in job.outputs.values()}


def jobs_of(rule):
    """Return the jobs of a rule."""
    return [job for job in JOBS.values() if job.rule == rule]


def names_of(rule):
    """Return a pattern that matches the names (<study>/<part>) of the jobs of a rule."""
    return "|".join(re.escape(job.name) for job in jobs_of(rule)) or "none"


def file_of(path):
    """Mark a file that no rule makes, so that its path remains unchanged if another workflow adds a prefix."""
    return path if path in MADE else local(path)


@functools.cache
def hash_of(path):
    """Return the SHA-256 of a file, or an empty string if there is no such file."""
    return sha256_file(path) if os.path.isfile(path) else ""


def given(job):
    """Return the hashes of the input files of a job that no rule makes, by path.

    They are parameters of rules, since a file may be replaced by an older one.
    """
    return {path: hash_of(path) for path in job.inputs.values() if path not in MADE}


def given_of(stage):
    """Return a function that maps wildcards to the hashes of a job's input files that no rule makes."""
    return lambda wildcards: given(JOBS[stage, wildcards.name])


def inputs_of(stage):
    """Return a function that maps wildcards to the input files of a job, by name."""
    return lambda wildcards: {
        name: file_of(path) for name, path in JOBS[stage, wildcards.name].inputs.items()
    }


def input_files(job):
    """Return the list of input files of a job, for names that are no identifiers."""
    return list(map(file_of, job.inputs.values()))


def files_of(stage):
    """Return a function that maps wildcards to the `input_files` of a job."""
    return lambda wildcards: input_files(JOBS[stage, wildcards.name])


def names_of_files(stage):
    """Return a function that maps wildcards to the names of the files in `files_of`."""
    return lambda wildcards: list(JOBS[stage, wildcards.name].inputs)


def settings_of(stage):
    """Return a function that maps wildcards to the settings that determine the results of a job."""
    return lambda wildcards: JOBS[stage, wildcards.name].plain_settings()


def code_of(stage):
    """Return a function that maps wildcards to the fingerprints of the modules that determine the results of a job."""
    return lambda wildcards: JOBS[stage, wildcards.name].code()


def threads_of(stage):
    """Return a function that computes the number of threads of a job."""
    return lambda wildcards: threads(JOBS[stage, wildcards.name], workflow.cores or 1)


def memory_of(stage):
    """Return a function that computes the memory of a job in MB."""
    return lambda wildcards, input, attempt: megabytes(
        JOBS[stage, wildcards.name], input.size_mb, attempt
    )


def minutes_of(stage):
    """Return a function that computes the time of a job in minutes."""
    return lambda wildcards, threads, attempt: minutes(
        JOBS[stage, wildcards.name], threads, attempt
    )


def doubled(amount):
    """Return a function that doubles an amount with every further attempt of a job."""
    return lambda wildcards, attempt: amount * 2 ** (attempt - 1)
