"""What happens each time the workflow is parsed: the configuration is checked, the plan made, the specs written."""

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
from surefoot.build.kernel_cache import keep_kernels, kernels_of
from surefoot.build.locks import lock_run
from surefoot.build.project import keep_options
from surefoot.build.store import store_folder, sweep_store
from surefoot.build.verify import changes, settle
from surefoot.configuration.models import Configuration, Study
from surefoot.configuration.validation import FIGURES_AND_TABLES, validate_configuration
from surefoot.methods.descriptions import NAME as METHODS
from surefoot.pipeline.drawing_jobs import TRUST
from surefoot.pipeline.page_jobs import DOCUMENTATION, RUN_NUMBERS, SEARCH, planned_studies
from surefoot.pipeline.plan import plan

SNAKEMAKE_RECORDS = Path(".snakemake/metadata")
_NUMBERED = re.compile(r"(figure|table)_[a-z]?[0-9]+")
_SENTENCES = 10
"""How many damaged files are named one by one."""


def prepare(
    config: Mapping[str, Any],
    files: Sequence[str],
    overlays: Sequence[str],
    makes: bool = False,
    options: Sequence[str] = (),
) -> tuple[Configuration, dict[tuple[str, str, str], Job]]:
    """The checked configuration and its jobs by (stage, study, part); specs are on disk afterwards.

    Parameters
    ----------
    config : as Snakemake merged it
    files, overlays : all configuration files, and those of the command line, which win
    makes : whether it will run jobs that make results, of which no other process may do the same here
    options : of the command line, those that decide the configuration; hints repeat them

    Raises
    ------
    InputError
        for anything wrong in the configuration or in the score tables that it names; where another run makes results in
        this folder; for specs that differ from those of a dry run that is going on here
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
        for source in study.sources:
            _check_files(name, study, source, jobs)
    texts = {Path(job.spec): canonical_json(specification(job)) for job in jobs}
    # Not sorted: the order of the studies and of what they name is the order in which they are shown.
    put_specs(texts | {CONFIGURATION: json.dumps(checked.plain(), indent=1) + "\n"})
    keep_options(options)
    return checked, {(job.stage, job.study, job.part): job for job in jobs}


def remove_damaged_records(folder: Path) -> None:
    """Delete what Snakemake kept of earlier jobs and cannot read: it ends with a traceback where a record is no text.

    Nothing is lost, since manifests tell what is up to date.
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
    """Put back damaged results, or leave them to be made anew, and say so on standard error.

    Parameters
    ----------
    jobs : of the plan
    paths : of the files that are asked for; only what they are made of is looked at
    repairs : False names the damage and changes nothing

    Raises
    ------
    InputError
        where a folder that is not empty has the path of a result
    """
    store = store_folder(None)
    if repairs:
        for folder, folders, names in os.walk("results"):
            sweep(Path(folder, name) for name in (*folders, *names))
        sweep_store(store)
    told = settle(jobs, jobs_behind(paths, jobs), store, repairs)
    more = len(told) - _SENTENCES
    for sentence in (*told[:_SENTENCES], *([f"and so for {more} more files"] if more > 0 else [])):
        print(f"surefoot: {sentence}", file=sys.stderr)


def jobs_behind(paths: Iterable[str], jobs: Iterable[Job]) -> list[Job]:
    """The jobs that make these files, directly or through others."""
    makers = {path: job for job in jobs for path in (*job.outputs.values(), job.manifest)}
    found: dict[str, Job] = {}
    waiting = list(paths)
    while waiting:
        job = makers.get(waiting.pop())
        if job is not None and job.manifest not in found:
            found[job.manifest] = job
            waiting.extend(job.inputs.values())
    return list(found.values())


def named_targets(jobs: Sequence[Job], studies: Collection[str]) -> dict[str, list[str]]:
    """The manifests of the jobs behind each target that has a name.

    These are `all`, which is made by default; each study, with its page and that of how many runs it needs, the page of
    methods and the documentation, to which all pages link, and of the only study the index of their search;
    `how_many_runs`, `trust` and `docs`; and figures and tables, such as `figure_5`, those of all studies that have one.
    A figure's parts, such as `figure_2_left` and `figure_11a`, are also those of `figure_2` and `figure_11`.
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
            for known in {name, whole[0] if whole else name}:
                targets[known] = list(dict.fromkeys([*targets.get(known, ()), job.manifest]))
    return targets


def check_targets(targets: Sequence[str], names: Iterable[str], jobs: Sequence[Job]) -> None:
    """Whether each target is a name or a file that a job makes, or any file that is there.

    Parameters
    ----------
    targets : as `read_command_line` finds them
    names : of rules

    Raises
    ------
    InputError
        with the nearest name
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
        known = target in made or (Path(target).exists() and not target.startswith(stages))
        if not known and target not in names and not target.startswith("results/benchmark/"):
            possible = sorted(made) if "/" in target else names
            if not near(target, possible):  # too many to list them all
                possible = [name for name in names if not name.startswith(("draw_", *FIGURES_AND_TABLES))]
            raise InputError("command line", f"nothing makes {target}", nearest(target, possible))


def _check_files(name: str, study: Study, source: str, jobs: Sequence[Job]) -> None:
    """Read the files of a source, where what is made of them is not up to date, and whether they can answer what is
    asked of it."""
    settings = study.sources[source]
    files = settings.files()
    where = ""
    for key, path in files.items():
        where = f"studies.{name}.sources.{source}.{key}: {path}"
        if path.is_dir():
            raise InputError(where, "it is a folder", "name a file in it")
        if not path.is_file():
            raise InputError(where, "no such file", f"paths are relative to {Path.cwd()}, where the workflow runs")
    read = set(map(str, files.values()))
    if any(any(changes(job)) for job in jobs if job.study == name and not read.isdisjoint(job.inputs.values())):
        # Some checks compute metrics, whose kernels numba would keep in the package.
        keep_kernels(kernels_of(store_folder(None)))
        from surefoot.configuration.table_checks import check_axes_of_table, check_questions
        from surefoot.sources.score_tables import tables_read

        tables = tables_read(settings, files, where)
        if getattr(settings, "axes", "checked") == "checked" and not getattr(settings, "hyperparameters", None):
            check_axes_of_table(tables["runs"], where)
        for end, table in tables.items():
            check_questions(table, study, source if end == "runs" else f"{source}_{end}", f"studies.{name}")
