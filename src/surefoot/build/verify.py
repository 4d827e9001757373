"""Whether results are what their manifests say, what changed since, and what of the store they need; and repair.

A result is proven by the manifest of the job that made it, which has its hash. One that is missing or altered is copied
out of the store, under that hash. Where the store lacks it, or there is no whole manifest, nothing proves the results
of the job: they are deleted, and Snakemake makes them anew like any that are missing.
"""

import contextlib
import json
import logging
import os
import re
import shlex
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.build.errors import InputError
from surefoot.build.files import canonical_json, is_temporary, make_way, sha256_file, sha256_text
from surefoot.build.job import (
    CONFIGURATION,
    Job,
    job_of_spec,
    read_manifest,
    read_spec,
    result_key,
    specification,
)
from surefoot.build.locks import RUN_LOCK
from surefoot.build.project import PLANNED_BY, command
from surefoot.build.store import fetch_blob, read_entry
from surefoot.errors import shortened

logger = logging.getLogger("surefoot")

_CLOCKS_DIFFER = 300.0
"""Seconds by which the clock of a file server may be ahead of this machine's: results get its time as well, so that
they are newer than sources all the same."""


def hash_or_none(path: str) -> str | None:
    """SHA-256 of the file at a path, or None where there is none that can be read."""
    try:
        return sha256_file(path)
    except OSError:
        return None


def damaged_results(job: Job, manifest: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """(Path, what is wrong) of each file of a job that its manifest does not prove; none of a job that has never run.

    manifest : of this job, None where there is none that is whole
    """
    if manifest is None:
        if os.path.lexists(job.manifest):
            yield job.manifest, "damaged"
        for path in job.outputs.values():
            if os.path.lexists(path):
                yield path, f"nothing proves it without {job.manifest}"
        return
    for path in job.outputs.values():
        digest = hash_or_none(path)
        if digest is None:
            yield path, "a folder" if Path(path).is_dir() else "missing"
        elif digest != manifest["outputs"].get(path):
            yield path, "altered since it was made"


def settle(jobs: Sequence[Job], asked: Iterable[Job], store: Path, repairs: bool) -> list[str]:
    """Bring results, manifests and specs into a state in which Snakemake sees what has to be made.

    Parameters
    ----------
    jobs : of the plan, whose specs are on disk
    asked : those of them that make what is asked for, directly or through others: only their results are looked at
    repairs : whether damaged results are put back or deleted; a dry run only names them

    Returns
    -------
    sentences on what was or would be done

    Raises
    ------
    InputError
        where a folder that is not empty has the path of a result; where a source of the workflow is from the future
    """
    told: list[str] = []
    manifests = {job.manifest: read_manifest(job.manifest) for job in jobs}
    asked_paths = {job.manifest for job in asked}
    for job in jobs:
        manifest, is_asked = manifests[job.manifest], job.manifest in asked_paths
        if repairs and is_asked:
            _bring_to_the_present(job, time.time())
        if manifest is not None and manifest["spec_sha256"] != hash_or_none(job.spec):
            # The results were made by another spec, whatever Snakemake remembers of them: the spec counts as new.
            _count_as_new(job.spec, job)
        elif is_asked and (damaged := list(damaged_results(job, manifest))):
            told.extend(_repaired(job, manifest, damaged, store, repairs))
        for name in _changed_inputs(job, manifests, reads_sources=is_asked):
            _count_as_new(job.made_by.get(name, job.inputs[name]), job)
    return told


def _bring_to_the_present(job: Job, now: float) -> None:
    """Give files of a job that are newer than the clock says the present time.

    They are left by a clock that was set back since. Snakemake ends with an error where an input is newer than what was
    just made of it.
    """
    for path in (job.spec, *job.outputs.values(), job.manifest):
        if _time_of(path) > now:
            os.utime(path, (now, now))
    for name, path in job.inputs.items():
        if name not in job.made_by and _time_of(path) > now + _CLOCKS_DIFFER:
            what = "its time is in the future, so no result would be newer than it"
            hint = f"`touch {shlex.quote(path)}` gives it the present time; a clock that is wrong must be set first"
            raise InputError(path, what, hint)


def _time_of(path: str) -> float:
    """When a file was last changed, in seconds since the epoch; 0 where there is none."""
    file = Path(path)
    return file.stat().st_mtime if file.is_file() else 0.0


def _changed_inputs(
    job: Job, manifests: Mapping[str, Mapping[str, Any] | None], reads_sources: bool = True
) -> Iterator[str]:
    """Names of the inputs that are not what a job's results were made of: those that other jobs make as the manifests
    have them, and sources, where `reads_sources`, by their bytes."""
    manifest = manifests[job.manifest]
    for name, digest in manifest["facts"]["input_sha256"].items() if manifest is not None else ():
        path, now = job.inputs.get(name), None
        if path is not None and name in job.made_by:
            maker = manifests.get(job.made_by[name])
            now = maker["outputs"].get(path) if maker is not None else None
        elif path is not None and reads_sources:
            now = hash_or_none(path)
        if now not in (None, digest):
            yield name


def _repaired(
    job: Job, manifest: Mapping[str, Any] | None, damaged: list[tuple[str, str]], store: Path, repairs: bool
) -> Iterator[str]:
    if not repairs:
        for path, what in damaged:
            yield f"{path}: {what}; the next run repairs it"
        return
    digests = manifest["outputs"] if manifest else {}
    if all(path in digests and fetch_blob(store, digests[path], Path(path)) for path, _ in damaged):
        for path, what in damaged:
            yield f"{path}: {what}; put back from the store"
        return
    results = [Path(path) for path in (*job.outputs.values(), job.manifest)]
    for result in results:  # before anything is deleted: it refuses where something is in the way
        make_way(result)
    for result in results:
        result.unlink(missing_ok=True)
    for path, what in damaged:
        yield f"{path}: {what}; it is made anew"


def _count_as_new(path: str, job: Job) -> None:
    """Let Snakemake see a file as changed since the job ran: it compares the bytes of files that are newer alone.

    The job's manifest is made to look older, and the file, which may be a user's, is left as it is.
    """
    if Path(path).is_file() and _time_of(path) <= _time_of(job.manifest):
        os.utime(job.manifest, (_time_of(path) - 1.0,) * 2)


def proven_hash(path: str, maker: str, store: Path) -> str:
    """SHA-256 of an input of a job, after it was put back from the store if it was not what its maker's manifest says.

    Parameters
    ----------
    path, maker : of the input, and of the manifest of the job that made it

    Raises
    ------
    InputError
        where nothing proves the input, or the store has no copy of a damaged one
    """
    manifest = read_manifest(maker)
    again = f"`{command(path)}` makes it anew"
    if manifest is None:
        raise InputError(path, f"nothing proves it: {maker} is damaged or missing", again)
    digest, found = manifest["outputs"].get(path), hash_or_none(path)
    if digest is None:
        raise InputError(path, f"nothing proves it: {maker} does not name it", again)
    if found != digest:
        what = "missing" if found is None else "altered since it was made"
        if not fetch_blob(store, digest, Path(path)):
            raise InputError(path, f"{what}, and the store has no whole copy of it", again)
        logger.warning("surefoot: %s: %s; put back from the store", path, what)
    return str(digest)


def altered_results(jobs: Sequence[Job]) -> Iterator[str]:
    """Sentences about results, manifests and specs that are missing, altered, or do not fit together."""
    manifests = {job.manifest: read_manifest(job.manifest) for job in jobs}
    for job in jobs:
        manifest, text = manifests[job.manifest], canonical_json(specification(job))
        if hash_or_none(job.spec) != sha256_text(text):
            yield f"{job.spec}: not the spec of this configuration and code"
        if manifest is None and not os.path.lexists(job.manifest):
            if not job.on_request or any(os.path.lexists(path) for path in job.outputs.values()):
                yield f"{job.manifest}: missing, so nothing is known of {', '.join(job.outputs.values())}"
            continue
        for path, what in damaged_results(job, manifest):
            yield f"{path}: {what}"
        if manifest is not None and manifest["spec_sha256"] != sha256_text(text):
            yield f"{job.manifest}: made by another spec (see the target why)"
        for name in _changed_inputs(job, manifests):
            yield f"{job.manifest}: made of another {job.inputs[name]} than there is now"


def results_of_others(jobs: Sequence[Job]) -> dict[str, str]:
    """The files below results/ of jobs whose studies this configuration does not know, each with its study.

    Their specs say so: another configuration, such as one with an overlay, planned them in this folder.
    """
    studies = {job.study for job in jobs}
    files: dict[str, str] = {}
    for path in Path("results/spec").glob("*/*/*.json"):
        if path.parent.name not in studies:
            with contextlib.suppress(InputError):
                job = job_of_spec(read_spec(path))
                of_job = (job.spec, job.log, job.manifest, *job.outputs.values())
                files |= {file: job.study for file in of_job if Path(file).is_file()}
    return files


def unplanned_files(jobs: Sequence[Job], others: Collection[str] = ()) -> Iterator[str]:
    """Sentences about files below results/ that no job of the configuration makes.

    others : files of other studies, and of targets without a job, which are left out
    """
    known = {str(CONFIGURATION), str(PLANNED_BY), str(RUN_LOCK), *others}
    for job in jobs:
        known.update([job.spec, job.manifest, job.log, *job.outputs.values()])
    for path in sorted(Path("results").rglob("*")):
        benchmark = "benchmark" in path.parts[1:3]
        if path.is_file() and str(path) not in known and not benchmark and not is_temporary(path):
            yield f"{path}: belongs to no job of this configuration"


def changes(job: Job) -> Iterator[str]:
    """What changed in a job's spec and inputs since its results were made: `path: key: old -> new`."""
    path = next(iter(job.outputs.values()))
    manifest = read_manifest(job.manifest)
    if manifest is None:
        if os.path.lexists(job.manifest):
            yield f"{path}: its manifest is damaged"
        elif not job.on_request:
            yield f"{path}: never made"
        return
    old, new = _flat(manifest["spec"]), _flat(json.loads(canonical_json(specification(job))))
    changed = [key for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key)]
    # The same change in all cells of a simulation is said once.
    cell = re.compile(r"^settings\.cells\.(\w+\.\w+|\w+\(.*\)\.\w+/\w+)\.")
    named = {key: cell.sub("settings.cells.*.", key) for key in changed}
    texts = [f"{name}: {_shown(old.get(key))} -> {_shown(new.get(key))}" for key, name in named.items()]
    for text, times in Counter(texts).items():
        yield f"{path}: {text}" + (f" (in {times} cells)" if times > 1 else "")
    for name, source in job.inputs.items():
        made_of = manifest["facts"]["input_sha256"].get(name)
        if made_of and Path(source).is_file() and sha256_file(source) != made_of:
            yield f"{path}: input {source} has other bytes"


def needed(store: Path) -> set[str]:
    """Keys of the store's entries that the results in this folder come from, whichever configuration made them."""
    keys: set[str] = set()
    manifests = (read_manifest(str(path)) for path in Path("results/manifest").rglob("*.json"))
    for manifest in filter(None, manifests):
        key = result_key(manifest["spec"], manifest["facts"]["input_sha256"])
        entry = read_entry(store, key)
        keys.update([key, *(entry["facts"]["units"] if entry else ())])
    return keys


def _flat(value: object, prefix: str = "") -> dict[str, object]:
    """A nested mapping as one level: dotted keys; lists of scalars stay whole."""
    if isinstance(value, dict) and value:
        flat: dict[str, object] = {}
        for key, part in value.items():
            flat |= _flat(part, f"{prefix}.{key}" if prefix else key)
        return flat
    return {prefix: value}


def _shown(value: object) -> str:
    if value is None:
        return "nothing"
    text = json.dumps(value)
    if re.fullmatch(r'"[0-9a-f]{64}"', text):
        return text[1:9]
    return shortened(text, 80)
