"""The jobs that a process of Snakemake was started for, as the one that planned them left them.

On a cluster each job is a process of Snakemake, and another within it. They neither check the configuration nor plan:
the spec files say all that the rules need to know, and stay as they are as long as the process that planned runs.
"""

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path

from surefoot.build.errors import InputError
from surefoot.build.job import CONFIGURATION, LIBRARIES, Job, job_of_spec
from surefoot.build.project import command
from surefoot.build.runner import read_spec
from surefoot.build.store import store_folder


def asked_jobs(arguments: Sequence[str]) -> dict[tuple[str, str, str], Job]:
    """The jobs that a process's arguments name, by (stage, study, part); the variable SUREFOOT_STORE is set as it was
    when they were planned.

    Raises
    ------
    InputError
        where a spec file, or the checked configuration beside them, is damaged
    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--target-jobs", nargs="+", default=[])
    targets = parser.parse_known_args(arguments)[0].target_jobs
    os.environ["SUREFOOT_STORE"] = str(store_folder(_planned_store()))
    jobs = [job_of_spec(read_spec(path)) for path in filter(None, map(_spec_of_target, targets))]
    return {(job.stage, job.study, job.part): job for job in jobs}


def _spec_of_target(target: str) -> Path | None:
    """Path of the spec of a target such as ``simulate:study=mine,part=sarsa``; None where its rule is that of no stage,
    such as `measure`."""
    from snakemake.target_jobs import parse_target_jobs_cli_args

    ((rule, wildcards),) = parse_target_jobs_cli_args([target])
    if rule not in LIBRARIES:
        return None
    path: Path = CONFIGURATION.parent / rule / wildcards["study"] / f"{wildcards['part']}.json"
    return path


def _planned_store() -> str | None:
    try:
        planned: str | None = json.loads(CONFIGURATION.read_text(encoding="utf-8")).get("store")
    except (OSError, ValueError, AttributeError):
        hint = f"`{command('--dry-run')}` writes it anew"
        raise InputError(str(CONFIGURATION), "no checked configuration", hint) from None
    return planned
