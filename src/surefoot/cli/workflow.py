"""Actions whenever the workflow is parsed: check the configuration, make the plan, and write the specs."""

import contextlib
import json
import os
import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.build.errors import InputError, near, nearest
from surefoot.build.files import canonical_json, sweep
from surefoot.build.job import CONFIGURATION, Job, put_specs, specification
from surefoot.build.locks import lock_run
from surefoot.build.project import keep_options
from surefoot.build.store import store_folder, sweep_store
from surefoot.build.verify import settle
from surefoot.configuration.models import Configuration
from surefoot.configuration.validation import FIGURES_AND_TABLES, validate_configuration
from surefoot.methods.descriptions import NAME as METHODS
from surefoot.pipeline.drawing_jobs import TRUST
from surefoot.pipeline.page_jobs import DOCUMENTATION, RUN_NUMBERS, SEARCH, planned_studies
from surefoot.pipeline.plan import plan
from surefoot.sources.settings import check_files

SNAKEMAKE_RECORDS = Path(".snakemake/metadata")
_NUMBERED = re.compile(r"(figure|table)_[a-z]?[0-9]+")
_SENTENCES = 10
"""Most damaged files that are listed individually."""


def prepare(
    config: Mapping[str, Any],
    files: Sequence[str],
    overlays: Sequence[str],
    makes: bool = False,
    options: Sequence[str] = (),
) -> tuple[Configuration, dict[tuple[str, str, str], Job]]:
    """Return the checked configuration and its jobs by (stage, study, part), and write the specs.

    Parameters
    ----------
    config : configuration as merged by Snakemake
    files, overlays : all configuration files, and the ones in the command line, which take precedence
    makes : True if results will be made, which only one process may do at a time in a folder
    options : options of the command line that determine the configuration; hints repeat them

    Raises
    ------
    InputError
        if the configuration or its score tables are invalid, another run makes results in this folder, or the specs
        differ from the specs of a running dry run
    """
    Path("results").mkdir(exist_ok=True)
    store = store_folder(config.get("store"))
    with contextlib.suppress(OSError):
        store.mkdir(0o755, parents=True, exist_ok=True)  # which has kernels, so that other users may not write there
    if not (store.is_dir() and os.access(store, os.R_OK | os.X_OK)):
        hint = "name another with the key store or the variable SUREFOOT_STORE"
        raise InputError(str(store), "the store must be a folder that can be read, and this is not one", hint)
    if makes:
        lock_run()  # until this process ends
        remove_damaged_records(SNAKEMAKE_RECORDS)
    sources = [Path(file) for file in files if file not in overlays] + [Path(file) for file in overlays]
    checked = validate_configuration(dict(config), sources)
    os.environ["SUREFOOT_STORE"] = str(store_folder(checked.store))
    jobs = plan(checked)
    for name, study in checked.studies.items():
        for source, settings in study.sources.items():
            check_files(settings, f"studies.{name}.sources.{source}")
    texts = {Path(job.spec): canonical_json(specification(job)) for job in jobs}
    # Not sorted, since studies and their entries are shown in this order.
    put_specs(texts | {CONFIGURATION: json.dumps(checked.plain(), indent=1) + "\n"})
    keep_options(options)
    return checked, {(job.stage, job.study, job.part): job for job in jobs}


def remove_damaged_records(folder: Path) -> None:
    """Delete damaged records of earlier jobs, with which Snakemake would end with a traceback.

    Nothing is lost, since manifests record which results are up to date.
    """
    for path in folder.rglob("*"):
        if path.is_file():
            try:
                intact = isinstance(json.loads(path.read_bytes()), dict)
            except ValueError:
                intact = False
            if not intact:
                path.unlink(missing_ok=True)


def settle_results(jobs: Sequence[Job], paths: Iterable[str], repairs: bool) -> None:
    """Restore damaged results, or mark them for recomputation, and report this on standard error.

    Parameters
    ----------
    jobs : jobs of the plan
    paths : requested files; only the files they depend on are checked
    repairs : if False, only report the damage

    Raises
    ------
    InputError
        if the path of a result is a folder that is not empty
    """
    store = store_folder(None)
    if repairs:
        for folder, folders, names in os.walk("results"):
            sweep(Path(folder, name) for name in (*folders, *names))
        sweep_store(store)
    sentences = settle(jobs, jobs_behind(paths, jobs), store, repairs)
    more = len(sentences) - _SENTENCES
    for sentence in (*sentences[:_SENTENCES], *([f"and so for {more} more files"] if more > 0 else [])):
        print(f"surefoot: {sentence}", file=sys.stderr)


def jobs_behind(paths: Iterable[str], jobs: Iterable[Job]) -> list[Job]:
    """Return the jobs that make these files, directly or indirectly."""
    makers = {path: job for job in jobs for path in (*job.outputs.values(), job.manifest)}
    jobs_by_manifest: dict[str, Job] = {}
    waiting = list(paths)
    while waiting:
        job = makers.get(waiting.pop())
        if job is not None and job.manifest not in jobs_by_manifest:
            jobs_by_manifest[job.manifest] = job
            waiting.extend(job.inputs.values())
    return list(jobs_by_manifest.values())


def named_targets(jobs: Sequence[Job], studies: Collection[str]) -> dict[str, list[str]]:
    """Return the manifests of the jobs behind each named target.

    Named targets are `all`, the default; each study, with its page, its page on the number of runs, the methods page
    and the documentation, which all pages link to, and the search index if there is only one study; `how_many_runs`,
    `trust` and `docs`; and figures and tables, such as `figure_5`, of all studies that have one. Parts of a figure,
    such as `figure_2_left` and `figure_11a`, also belong to `figure_2` and `figure_11`.
    """
    targets = {"all": [job.manifest for job in jobs if not job.on_request]}
    planned = [f"{study}_{RUN_NUMBERS}" for study in planned_studies(jobs)]
    shown: dict[str, tuple[str, ...]] = {name: (name,) for name in (*planned, TRUST, DOCUMENTATION)}
    linked = (METHODS, DOCUMENTATION, *([SEARCH] if len(studies) == 1 else []))
    shown |= {study: (study, f"{study}_{RUN_NUMBERS}", *linked) for study in studies}
    targets |= {name: [job.manifest for job in jobs if job.study in those] for name, those in shown.items()}
    targets[RUN_NUMBERS] = [manifest for name in planned for manifest in targets[name]]
    for job in jobs:
        names = {Path(path).stem for path in job.outputs.values()} if job.stage == "draw" else set()
        for name in sorted(name for name in names if name.startswith(FIGURES_AND_TABLES)):
            whole = _NUMBERED.match(name)
            for target in {name, whole[0] if whole else name}:
                targets[target] = list(dict.fromkeys([*targets.get(target, ()), job.manifest]))
    return targets


def check_targets(targets: Sequence[str], names: Iterable[str], jobs: Sequence[Job]) -> None:
    """Check that each target is a name, a file that a job makes, or another existing file.

    Parameters
    ----------
    targets : targets from `read_command_line`
    names : names of rules

    Raises
    ------
    InputError
        if a target is unknown, with the nearest name
    """
    made = {path for job in jobs for path in (*job.outputs.values(), job.manifest)}
    stages = tuple({path[: path.index("/", len("results/")) + 1] for path in made})
    names = list(names)
    for target in targets:
        if not target.strip():
            hint = (
                "leave it out to make the whole site, or name a study; an unset variable of the shell may be the cause"
            )
            raise InputError("command line", "a target is empty", hint)
        is_known = target in made or (Path(target).exists() and not target.startswith(stages))
        if not is_known and target not in names and not target.startswith("results/benchmark/"):
            possible = sorted(made) if "/" in target else names
            if not near(target, possible):  # too many to list them all
                possible = [name for name in names if not name.startswith(("draw_", *FIGURES_AND_TABLES))]
            raise InputError("command line", f"nothing makes {target}", nearest(target, possible))
