"""Whether results are what their jobs made, what changed since, and what of the store they need."""

import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from importlib import import_module
from pathlib import Path

from surefoot.build.atomic_write import is_temporary
from surefoot.build.canonical import canonical_json, sha256_file, sha256_text
from surefoot.build.job import Job, specification
from surefoot.build.kernel_cache import damaged_kernels, kernel_folders, kernels_of
from surefoot.build.locks import HOLDER, RUN_LOCK
from surefoot.build.manifest import read_manifest, read_manifest_file
from surefoot.build.planned_command import PLANNED_BY
from surefoot.build.repair import damaged_results, hash_or_none
from surefoot.build.runner import content_text, unit_key
from surefoot.build.spec_files import CONFIGURATION, STUDY_FILES
from surefoot.build.store import damaged_files, entry_key, read_entry, store_folder


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
        for name, path in job.inputs.items():
            maker = job.made_by.get(name, path)  # a manifest proves itself, and a source is what it is
            if maker == path:
                now = hash_or_none(path)
            elif (proof := manifests.get(maker)) is not None:
                now = proof["outputs"].get(path)
            else:
                continue
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
        job = Job(stage, study, part, "", {}, (), {}, {})
        found |= dict.fromkeys([job.spec, job.log], study)
        manifest = read_manifest_file(job.manifest)
        if manifest is not None:
            found |= dict.fromkeys([job.manifest, *manifest["outputs"]], study)
    return found


def unplanned_files(jobs: Sequence[Job], others: Collection[str] = ()) -> Iterator[str]:
    """Sentences about files below results/ that no job of the configuration makes.

    others : files that jobs of other studies or targets without a job made, which are left out
    """
    known = {str(CONFIGURATION), str(STUDY_FILES), str(PLANNED_BY), str(RUN_LOCK), str(HOLDER)}
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
        if job.in_pieces and (hashes or not job.inputs):
            # Kept although the job as a whole has not been done yet.
            for kind, settings, parts in import_module(job.module).pieces(job.settings, hashes):
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
