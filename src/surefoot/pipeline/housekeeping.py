"""check and why: what looks after the results."""

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from surefoot.pipeline.canonical import canonical_json, sha256_file, sha256_text
from surefoot.pipeline.errors import InputError
from surefoot.pipeline.job import content_text, unit_key
from surefoot.pipeline.jobs import Job, specification
from surefoot.pipeline.kernels import damaged_kernels, kernel_folders, kernels_of
from surefoot.pipeline.locks import RUN_LOCK
from surefoot.pipeline.manifest import read_manifest, read_manifest_file
from surefoot.pipeline.plan import plan
from surefoot.pipeline.planned_command import PLANNED_BY, command
from surefoot.pipeline.published_verdicts import counts_by_study, differing_rows
from surefoot.pipeline.repair import HASHES, damaged_results, hash_or_none
from surefoot.pipeline.spec_files import LOCK
from surefoot.pipeline.store import damaged_files, entry_key, read_entry, store_folder
from surefoot.pipeline.store_uses import read_uses
from surefoot.pipeline.whole_files import is_temporary

PRUNING = ("prune", "prune_dry_run")
"""The targets that look after the store."""


def check(options: argparse.Namespace) -> int:
    """Hash every result again, name what is missing, altered or does not belong, count the verdicts, name what differs
    from published numbers, and end with what repairs the damage."""
    jobs = plan(read_checked(options.configuration[0]))
    others = results_of_others(jobs)
    found = [
        (list(altered_results(jobs)), f"`{command()}` {REPAIR}"),
        (list(damage_in_store(jobs)), DELETE),
        (list(strangers(jobs, others)), MOVE),
    ]
    problems = [problem for sentences, _ in found for problem in sentences]
    for problem in problems:
        print(problem)
    for line in _of_others(others):
        print(line)
    proven = [job for job in jobs if _is_proven(job)]
    differing = list(differing_rows(proven))
    for line in (*counts_by_study(proven), *differing):
        print(line)
    results = sum(len(job.outputs) for job in jobs)
    print(f"{results} results of {len(jobs)} jobs checked: {len(problems)} problems")
    for sentences, hint in found:
        if sentences:
            print(f"Hint: {hint}")
    return 1 if problems or differing else 0


REPAIR = (
    "puts altered and missing results back as they were made, or makes them anew; copy a file that you edited "
    "elsewhere first"
)
DELETE = "a damaged file of the store is never used and replaced when it is needed; it can be deleted"
MOVE = "move files that belong to no job elsewhere, or delete them"


def why(options: argparse.Namespace) -> int:
    """Print, for each result that is out of date, what changed since it was made."""
    count = 0
    for job in plan(read_checked(options.configuration[0])):
        for line in changes(job):
            print(line)
            count += 1
    if not count:
        print("Nothing changed since the results were made.")
    return 0


def read_checked(path: Path) -> dict:
    """A checked configuration, as the workflow writes it to results/spec/configuration.json.

    Raises
    ------
    InputError
        where there is none, or a damaged one
    """
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, IsADirectoryError, ValueError):
        config = None
    if not isinstance(config, dict) or "studies" not in config:
        raise InputError(str(path), "no checked configuration", f"`{command('--dry-run')}` writes it anew")
    return config


def altered_results(jobs: Sequence[Job]) -> Iterator[str]:
    """Sentences about results, manifests and specs that are missing, altered, or do not fit together."""
    manifests = {job.manifest: read_manifest(job) for job in jobs}
    for job in jobs:
        manifest, text = manifests[job.manifest], canonical_json(specification(job))
        if hash_or_none(job.spec) != sha256_text(text):
            yield f"{job.spec}: not the spec of this configuration and code"
        if manifest is None and not os.path.lexists(job.manifest):
            if not job.on_request or any(os.path.lexists(path) for path in job.outputs.values()):
                yield f"{job.manifest}: missing, so nothing is known of {', '.join(job.outputs.values())}"
            continue
        for path, what in damaged_results(job, manifest, hash_or_none):
            yield f"{path}: {what}"
        if manifest is None:
            continue
        if manifest["spec_sha256"] != sha256_text(text):
            yield f"{job.manifest}: made by another spec (see the target why)"
        for name, maker in job.made_by.items():
            path, proof = job.inputs[name], manifests[maker]
            if proof is None:
                continue
            now = hash_or_none(path) if maker == path else proof["outputs"].get(path)
            if now != manifest["facts"]["input_sha256"].get(name):
                yield f"{job.manifest}: made of another {path} than there is now"


def damage_in_store(jobs: Sequence[Job]) -> Iterator[str]:
    """Sentences about damaged files of the store that these jobs would use."""
    store = store_folder(None)
    keys, folders = needed(store, jobs)
    for path in damaged_files(store, keys):
        yield f"{path}: damaged"
    for name in sorted(folders):
        folder = kernels_of(store) / name
        if count := sum(1 for _ in damaged_kernels(folder)):
            yield f"{folder}: {count} damaged kernels"


def _is_proven(job: Job) -> bool:
    """Whether the published numbers that a job compares, if any, are as it left them."""
    manifest = read_manifest(job)
    return "reproduction.csv" in job.outputs and not list(damaged_results(job, manifest, hash_or_none))


def results_of_others(jobs: Sequence[Job]) -> dict[str, str]:
    """The files below results/ of jobs whose studies this configuration does not know, each with its study.

    Their specs and manifests say so: another configuration, such as one with an overlay, planned them in this folder.
    """
    known = {job.study for job in jobs}
    found: dict[str, str] = {}
    for path in Path("results/spec").glob("*/*/*.json"):
        stage, study, part = path.parts[-3], path.parts[-2], path.stem
        if study in known:
            continue
        job = Job(stage, study, part, {}, (), {}, {})
        found |= dict.fromkeys([job.spec, job.log], study)
        manifest = read_manifest_file(job.manifest)
        if manifest is not None:
            found |= dict.fromkeys([job.manifest, *manifest["outputs"]], study)
    return found


def _of_others(others: Mapping[str, str]) -> Iterator[str]:
    options = {use.study: use.options for use in read_uses(store_folder(None)) if use.folder == str(Path.cwd())}
    for study, files in Counter(others.values()).items():
        again = command("check", options=options[study]) if study in options else "snakemake check --configfile FILE"
        yield f"{study}: {files} files of a study that this configuration does not know. Hint: `{again}` checks them"


def strangers(jobs: Sequence[Job], others: Collection[str] = ()) -> Iterator[str]:
    """Sentences about files below results/ that no job of the configuration makes.

    others : files that jobs of other studies made, which are left out
    """
    known = {"results/spec/configuration.json", str(PLANNED_BY), str(LOCK), str(RUN_LOCK), str(HASHES)}
    known.update(f"results/logs/{name}.log" for name in ("check", "why", *PRUNING, "record", "record_trust"))
    for job in jobs:
        known.update([job.spec, job.manifest, job.log, *job.outputs.values()])
    known.update(others)
    for path in sorted(Path("results").rglob("*")):
        benchmark = "benchmark" in path.parts[1:3]
        if path.is_file() and str(path) not in known and not benchmark and not is_temporary(path):
            yield f"{path}: belongs to no job of this configuration"


def changes(job: Job) -> Iterator[str]:
    """What changed in a job's spec and inputs since its results were made: `path: key: old -> new`."""
    path = next(iter(job.outputs.values()))
    manifest = read_manifest(job)
    if manifest is None:
        if os.path.lexists(job.manifest):
            yield f"{path}: its manifest is damaged"
        elif not job.on_request:
            yield f"{path}: never made"
        return
    old, new = _flat(manifest["spec"]), _flat(json.loads(canonical_json(specification(job))))
    changed = [key for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
    texts = [f"{_without_cell(key)}: {_shown(old.get(key))} -> {_shown(new.get(key))}" for key in changed]
    for text, times in Counter(texts).items():
        yield f"{path}: {text}" + (f" (in {times} cells)" if times > 1 else "")
    for name, source in job.inputs.items():
        made_of = manifest["facts"]["input_sha256"].get(name)
        if made_of and Path(source).is_file() and sha256_file(source) != made_of:
            yield f"{path}: input {source} has other bytes"


def needed(store: Path, jobs: Sequence[Job]) -> tuple[set[str], set[str]]:
    """Keys of the store's entries, and names of the kernel folders, that the jobs need.

    A job's key follows from its spec and the hashes of its inputs, and those from the entries of the jobs that make
    them; so no result need be there, only the store.
    """
    keys: set[str] = set()
    kernels: set[str] = set()
    made: dict[str, str] = {}
    for job in jobs:
        spec = specification(job)
        kernels |= kernel_folders(spec["code"])
        hashes = {}
        for name, path in job.inputs.items():
            if path in made:
                hashes[name] = made[path]
            elif Path(path).is_file():
                hashes[name] = sha256_file(path)
        if job.stage in ("simulate", "cover"):
            # Kept although the job as a whole has not been done yet.
            stage = import_module(f"surefoot.pipeline.stages.{job.stage}")
            for kind, settings, parts in stage.units(job.settings, hashes) if hashes or not job.inputs else ():
                keys.add(unit_key(kind, settings, parts))
        key = entry_key(job.stage, hashes | {"spec": sha256_text(content_text(spec))})
        keys.add(key)
        entry = read_entry(store, key)
        if entry is not None:
            keys.update(entry["facts"]["units"])
            made.update({job.outputs[name]: digest for name, digest in entry["blobs"].items()})
    return keys, kernels


def _flat(value: object, prefix: str = "") -> dict[str, object]:
    """A nested mapping as one level: dotted keys; lists of scalars stay whole."""
    if isinstance(value, dict) and value:
        flat: dict[str, object] = {}
        for key, part in value.items():
            flat |= _flat(part, f"{prefix}.{key}" if prefix else key)
        return flat
    return {prefix: value}


def _without_cell(key: str) -> str:
    """The key without the name of a cell of a simulation, so that the same change in all of them is said once."""
    return re.sub(r"^settings\.cells\.(\w+\.\w+|\w+\(.*\)\.\w+/\w+)\.", "settings.cells.*.", key)


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    text = json.dumps(value)
    if re.fullmatch(r'"[0-9a-f]{64}"', text):
        return text[1:9]
    return text if len(text) <= 80 else f"{text[:77]}..."
