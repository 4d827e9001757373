"""Results that are not what their manifests say: found, and put back from the store or deleted to be made anew.

A result is proven by the manifest of the job that made it, which has its hash. One that is missing or altered is copied
out of the store, under that hash. Where the store lacks it, or there is no whole manifest, nothing proves the job's
results: they are deleted, and Snakemake makes them anew like any that are missing.
"""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.build.canonical import sha256_file
from surefoot.build.errors import InputError
from surefoot.build.job import Job
from surefoot.build.manifest import read_manifest, read_manifest_file
from surefoot.build.planned_command import command
from surefoot.build.store import fetch_blob
from surefoot.build.whole_files import is_temporary, make_way, sweep

logger = logging.getLogger("surefoot")

HASHES = Path("results/spec/.hashes")
"""Where the hashes of results are remembered, see `remembered_hashes`."""


def hash_or_none(path: str) -> str | None:
    """SHA-256 of the file at a path, or None where there is none that can be read."""
    try:
        return sha256_file(path)
    except OSError:
        return None


def damaged_results(
    job: Job, manifest: Mapping[str, Any] | None, hash_of: Callable[[str], str | None]
) -> Iterator[tuple[Any, ...]]:
    """(Path, what is wrong) of each file of a job that its manifest does not prove; none of a job that has never run.

    Parameters
    ----------
    manifest : of this job, None where there is none that is whole
    hash_of : gives the hash of the file at a path, None where there is none
    """
    if manifest is None:
        if os.path.lexists(job.manifest):
            yield job.manifest, "damaged"
        for path in job.outputs.values():
            if os.path.lexists(path):
                yield path, f"nothing proves it without {job.manifest}"
        return
    for path in job.outputs.values():
        digest = hash_of(path)
        if digest is None:
            yield path, "a folder" if Path(path).is_dir() else "missing"
        elif digest != manifest["outputs"].get(path):
            yield path, "altered since it was made"


def settle(
    jobs: Sequence[Job], asked: Iterable[Job], store: Path, repairs: bool, hash_of: Callable[..., Any]
) -> list[str]:
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
        where a folder that is not empty has the path of a result
    """
    told: list[str] = []
    manifests = {job.manifest: read_manifest(job) for job in jobs}
    asked_paths = {job.manifest for job in asked}
    for job in jobs:
        manifest = manifests[job.manifest]
        if manifest is not None and manifest["spec_sha256"] != hash_or_none(job.spec):
            # The results were made by another spec, whatever Snakemake remembers of them: the spec counts as new.
            _count_as_new(job.spec, job)
        elif job.manifest in asked_paths:
            damaged = list(damaged_results(job, manifest, hash_of))
            told.extend(_repaired(job, manifest, damaged, store, repairs) if damaged else ())
        if manifest is not None:
            for path in _outdated_inputs(job, manifest, manifests):
                _count_as_new(path, job)
    return told


def _repaired(
    job: Job, manifest: Mapping[str, Any] | None, damaged: list[tuple[Any, ...]], store: Path, repairs: bool
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
    for path in results:  # before anything is deleted: it refuses where something is in the way
        make_way(path)
    for path in results:
        path.unlink(missing_ok=True)
    for path, what in damaged:
        yield f"{path}: {what}; it is made anew"


def _outdated_inputs(
    job: Job, manifest: Mapping[str, Any], manifests: Mapping[str, Mapping[str, Any] | None]
) -> Iterator[str]:
    """Inputs of which the manifests say that they are not what the job was made of."""
    made_of = manifest["facts"]["input_sha256"]
    for name, maker in job.made_by.items():
        path = job.inputs[name]
        made = manifests[maker]
        if maker != path and made is not None and name in made_of:
            digest = made["outputs"].get(path)
            if digest is not None and digest != made_of[name]:
                yield path


def _count_as_new(path: str, job: Job) -> None:
    """Let Snakemake see a file as changed since the job ran: it compares the bytes of files that are newer alone."""
    if Path(path).is_file() and Path(path).stat().st_mtime <= Path(job.manifest).stat().st_mtime:
        os.utime(path)


def proven_hash(path: str, maker: str, store: Path) -> str:
    """SHA-256 of an input of a job, after it was put back from the store if it was not what its maker's manifest says.

    Parameters
    ----------
    path, maker : of the input, and of the manifest of the job that made it; a manifest proves itself

    Raises
    ------
    InputError
        where nothing proves the input, or the store has no copy of a damaged one
    """
    manifest = read_manifest_file(maker)
    again = f"`{command(path)}` makes it anew"
    if manifest is None:
        what = "damaged or missing" if maker == path else f"nothing proves it: {maker} is damaged or missing"
        raise InputError(path, what, again)
    if maker == path:
        return sha256_file(path)
    digest, found = manifest["outputs"].get(path), hash_or_none(path)
    if digest is None:
        raise InputError(path, f"nothing proves it: {maker} does not name it", again)
    if found != digest:
        what = "missing" if found is None else "altered since it was made"
        if not fetch_blob(store, digest, Path(path)):
            raise InputError(path, f"{what}, and the store has no whole copy of it", again)
        logger.warning("surefoot: %s: %s; put back from the store", path, what)
    return str(digest)


def sweep_results() -> int:
    """Delete what killed processes were writing below results/; returns how many files and folders."""
    return sum(
        sweep(Path(folder) / name for name in (*folders, *files) if is_temporary(Path(name)))
        for folder, folders, files in os.walk("results")
    )
