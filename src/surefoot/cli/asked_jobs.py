"""The jobs that a process of Snakemake was started for, as the one that planned them left them.

On a cluster each job is a process of Snakemake, and another within it. They neither check the configuration nor plan:
the spec files say all that the rules need to know, and stay as they are as long as the process that planned runs.
"""

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from surefoot.build.errors import InputError
from surefoot.build.job import Job, job_of_spec
from surefoot.build.planned_command import command
from surefoot.build.runner import read_spec
from surefoot.build.spec_files import CONFIGURATION
from surefoot.build.store import store_folder

_STAGES = {"game_scores": "aggregate"}
"""Of rules that do not have the name of their stage."""
_ALONE = {"documentation": ("render", "docs", "pages"), "search": ("render", "search", "index")}
"""The jobs of rules that have one, and a name of their own."""
_PAGE = "page"
"""The part of rules that make one file of a study."""


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
    jobs = [job_of_spec(read_spec(path)) for target in targets for path in _specs(*_rule_and_wildcards(target))]
    return {(job.stage, job.study, job.part): job for job in jobs}


def rule_name(job: Job) -> str:
    """Name of the rule of a job that has one to itself."""
    return _rule_name(job.stage, job.study, job.part)


def _rule_name(stage: str, study: str, part: str) -> str:
    return f"{stage}_{study}_{part}"


def _rule_and_wildcards(target: str) -> tuple[str, dict[str, str]]:
    """Of a target such as ``simulate:study=mine,part=sarsa``."""
    from snakemake.target_jobs import parse_target_jobs_cli_args

    ((rule, wildcards),) = parse_target_jobs_cli_args([target])
    return rule, wildcards


def _specs(rule: str, wildcards: Mapping[str, str]) -> Iterator[Path]:
    """Paths of the spec that a rule takes; none where it is not the rule of a job of the plan, such as `measure`."""
    folder = CONFIGURATION.parent
    if "study" in wildcards:
        yield folder / _STAGES.get(rule, rule) / wildcards["study"] / f"{wildcards.get('part', _PAGE)}.json"
        return
    if rule in _ALONE:
        stage, study, part = _ALONE[rule]
        yield folder / stage / study / f"{part}.json"
        return
    for path in folder.glob("*/*/*.json"):
        if _rule_name(path.parts[-3], path.parts[-2], path.stem) == rule:
            yield path


def _planned_store() -> str | None:
    try:
        planned: str | None = json.loads(CONFIGURATION.read_text(encoding="utf-8")).get("store")
    except (OSError, ValueError, AttributeError):
        hint = f"`{command('--dry-run')}` writes it anew"
        raise InputError(str(CONFIGURATION), "no checked configuration", hint) from None
    return planned
