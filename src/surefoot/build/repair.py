"""Results that are not what their manifests say: found, and put back from the store or deleted to be made anew.

A result is proven by the manifest of the job that made it, which has its hash. One that is missing or altered is copied
out of the store, under that hash. Where the store lacks it, or there is no whole manifest, nothing proves the job's
results: they are deleted, and Snakemake makes them anew like any that are missing.
"""

import logging
import os
import shlex
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.build.atomic_write import is_temporary, make_way, sweep, whole_file
from surefoot.build.canonical import sha256_file
from surefoot.build.errors import InputError
from surefoot.build.job import Job
from surefoot.build.manifest import read_manifest, read_manifest_file
from surefoot.build.planned_command import command
from surefoot.build.store import fetch_blob

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
        where a folder that is not empty has the path of a result; where a source of the workflow is from the future
    """
    told: list[str] = []
    manifests = {job.manifest: read_manifest(job) for job in jobs}
    asked_paths = {job.manifest for job in asked}
    now = time.time()
    for job in jobs:
        manifest = manifests[job.manifest]
        if repairs and job.manifest in asked_paths:
            _bring_to_the_present(job, now)
        if manifest is not None and manifest["spec_sha256"] != hash_or_none(job.spec):
            # The results were made by another spec, whatever Snakemake remembers of them: the spec counts as new.
            _count_as_new(job.spec, job)
        elif job.manifest in asked_paths:
            damaged = list(damaged_results(job, manifest, hash_of))
            told.extend(_repaired(job, manifest, damaged, store, repairs) if damaged else ())
        if manifest is not None:
            for path in _outdated_inputs(job, manifest, manifests, hash_of if job.manifest in asked_paths else None):
                _count_as_new(path, job)
    return told


def _bring_to_the_present(job: Job, now: float) -> None:
    """Give files of a job that are newer than the clock says the present time.

    They are left by a clock that was set back since. Snakemake ends with an error where an input is newer than what was
    just made of it.
    """
    for path in (job.spec, *job.outputs.values(), job.manifest):
        if _time_of(path) > now:
            _set_time(path, now)
    for name, path in job.inputs.items():
        if name not in job.made_by and _time_of(path) > now + _CLOCKS_DIFFER:
            raise InputError(
                path,
                "its time is in the future, so no result would be newer than it",
                f"`touch {shlex.quote(path)}` gives it the present time; a clock that is wrong must be set first",
            )


def _time_of(path: str) -> float:
    """When a file was last changed, in seconds since the epoch; 0 where there is none."""
    try:
        return Path(path).stat().st_mtime
    except OSError:
        return 0.0


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
    job: Job,
    manifest: Mapping[str, Any],
    manifests: Mapping[str, Mapping[str, Any] | None],
    hash_of: Callable[[str], str | None] | None,
) -> Iterator[str]:
    """What Snakemake has to see as new, since an input is not what the job was made of: of results their makers'
    manifests say so, of the sources of the workflow, where `hash_of` is given, their bytes."""
    made_of = manifest["facts"]["input_sha256"]
    for name in job.inputs.keys() & made_of.keys():
        path, maker = job.inputs[name], job.made_by.get(name)
        if maker is None:
            digest = hash_of(path) if hash_of is not None else None
        else:
            made = manifests[maker]
            digest = made["outputs"].get(path) if made is not None and maker != path else None
        if digest is not None and digest != made_of[name]:
            yield maker or path


def _count_as_new(path: str, job: Job) -> None:
    """Let Snakemake see a file as changed since the job ran: it compares the bytes of files that are newer alone.

    The job's manifest is made to look older, and the file, which may be a user's, is left as it is.
    """
    if Path(path).is_file() and _time_of(path) <= _time_of(job.manifest):
        _set_time(job.manifest, _time_of(path) - 1.0)


def _set_time(path: str, seconds: float) -> None:
    try:
        os.utime(path, (seconds, seconds))
    except PermissionError:  # it is the file of another user, who lets this one write here: a copy takes its place
        with whole_file(Path(path)) as copy:
            shutil.copyfile(path, copy)
            os.utime(copy, (seconds, seconds))


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
