"""Content-addressed store of results, shared by all folders and checkouts, so that results are not computed again.

The key of an entry is a hash of everything that determines its content. An entry lists its files by the SHA-256 of
their bytes, and each file is stored once under that name. Files from the store are compared with their hashes, so a
damaged file counts as missing and is computed again. Files are written under a temporary name and then renamed.
"""

import contextlib
import errno
import functools
import json
import logging
import math
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from surefoot.workflow.files import canonical_json, sha256_file, sha256_text, temporary_path, whole_file, write_whole

logger = logging.getLogger("surefoot")

_READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)
_ABANDONED = 24 * 3600.0
"""Age in seconds at which a temporary file counts as abandoned."""


def cache_folder() -> Path:
    """Return the user's cache folder, or a nonexistent path if the user has no home."""
    if cache := os.environ.get("XDG_CACHE_HOME"):
        return Path(cache).absolute()
    try:
        return Path.home().absolute() / ".cache"
    except RuntimeError:
        return Path(os.sep, "nonexistent", ".cache")


def store_folder(configured: str | None = None) -> Path:
    """Return the folder of the store: SUREFOOT_STORE, the configured folder, or a folder in the user's cache."""
    chosen = os.environ.get("SUREFOOT_STORE") or configured
    return Path(chosen).expanduser().absolute() if chosen else cache_folder() / "surefoot"


def unit_key(kind: str, settings: Mapping[str, Any], hashes: Mapping[str, str]) -> str:
    """Return the key of a part of a job, such as a block of trials.

    Parameters
    ----------
    kind : str
        Kind of the work.
    settings : mapping
        Everything that determines the result, including the code.
    hashes : mapping of str to str
        SHA-256 of each input.
    """
    inputs = dict(hashes) | {"settings": sha256_text(canonical_json(settings))}
    return sha256_text(canonical_json({"kind": kind, "inputs": inputs}))


def read_entry(store: Path, key: str) -> dict[str, Any] | None:
    """Return an entry, with ``blobs`` (hashes by name) and ``facts``, or None if it is missing or damaged.

    An entry holds a hash of itself.
    """
    try:
        entry: dict[str, Any] = json.loads(entry_path(store, key).read_bytes())
        stated = entry.pop("sha256")
        is_intact = stated == _entry_hash(entry) and entry["key"] == key
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return entry if is_intact else None


def _entry_hash(entry: Mapping[str, Any]) -> str:
    return sha256_text(canonical_json(entry))


def get(store: Path, key: str, outputs: Mapping[str, Path]) -> dict[str, Any] | None:
    """Copy the files of an entry to the paths in `outputs`.

    Returns
    -------
    dict or None
        Facts about the computation; None if the store does not have all files intact.
    """
    entry = read_entry(store, key)
    if entry is None or entry["blobs"].keys() != outputs.keys():
        return None
    with contextlib.suppress(OSError):
        os.utime(entry_path(store, key))  # `prune` looks at the time of the last use
    for name, digest in entry["blobs"].items():
        if not _copied(blob_path(store, digest), outputs[name], digest):
            return None
    facts: dict[str, Any] = entry["facts"]
    return facts


def _copied(blob: Path, target: Path, digest: str) -> bool:
    """Copy a file out of the store; return False if it is missing, damaged or unreadable."""
    target.parent.mkdir(parents=True, exist_ok=True)
    copy = temporary_path(target)
    try:
        shutil.copyfile(blob, copy)
        if sha256_file(copy) != digest:
            return False
        copy.replace(target)
    except OSError as error:
        if error.filename != str(blob):
            raise
        return False
    finally:
        copy.unlink(missing_ok=True)
    return True


def put(store: Path, key: str, files: Mapping[str, Path], facts: Mapping[str, Any]) -> None:
    """Store files under a key, with facts about the computation; do nothing if the store is read-only."""
    try:
        blobs = {name: _kept(store, path) for name, path in files.items()}
        entry = {"key": key, "blobs": blobs, "facts": dict(facts)}
        write_whole(entry_path(store, key), canonical_json(entry | {"sha256": _entry_hash(entry)}))
    except OSError as error:
        if error.errno not in _READ_ONLY:
            raise
        _warn_once(f"store     {store} is read-only: results are not stored there")


def _kept(store: Path, path: Path) -> str:
    """Copy a file into the store unless it is there, and return its hash."""
    digest = sha256_file(path)
    blob = blob_path(store, digest)
    if _is_intact(blob, digest):
        os.utime(blob)  # `prune` leaves files alone that were stored recently, as their entry may not be written yet
    else:
        with whole_file(blob) as copy:
            shutil.copyfile(path, copy)
    return digest


def _is_intact(blob: Path, digest: str) -> bool:
    """Return False for a file of the store that is missing, damaged or unreadable."""
    try:
        return blob.is_file() and sha256_file(blob) == digest
    except OSError:
        return False


def entry_path(store: Path, key: str) -> Path:
    """Return the path of an entry in the store."""
    return store / "entries" / key[:2] / key


def blob_path(store: Path, digest: str) -> Path:
    """Return the path in the store of the file with this SHA-256."""
    return store / "blobs" / digest[:2] / digest


def unused_files(store: Path, since: float) -> Iterator[Path]:
    """Yield entries last used before `since`, older files not listed by other entries, and abandoned temporary files.

    Files that another process renames or deletes in the meantime are left out.

    Parameters
    ----------
    store : Path
    since : float
        Seconds since the epoch.
    """
    wanted = set()
    for path in sorted((store / "entries").glob("*/*")):
        entry = read_entry(store, path.name)
        if entry is not None and last_changed(path) > since:
            wanted.update(entry["blobs"].values())
        elif not path.name.startswith("."):
            yield path
    for path in sorted((store / "blobs").glob("*/*")):
        if path.name not in wanted and not path.name.startswith(".") and last_changed(path) <= since:
            yield path
    for path in sorted(store.glob("*/*/.*")):
        if time.time() - last_changed(path) > _ABANDONED:
            yield path


def last_changed(path: Path) -> float:
    """Return the time of the last change of a file or link in seconds since the epoch; infinity if it is gone."""
    try:
        return path.lstat().st_mtime
    except FileNotFoundError:
        return math.inf


@functools.cache
def _warn_once(text: str) -> None:
    logger.warning(text)
