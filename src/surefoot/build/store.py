"""The content store: what was computed once is copied out for ever after.

An entry's *key* is a hash of all that decides its content; the entry names *blobs*, files under the hash of their own
bytes, so identical results are kept once. Writing is atomic (temporary name, then rename), so a process killed at
any moment leaves either a whole entry or none. Whatever is damaged counts as missing and is replaced when it is next
computed: a blob whose bytes do not match its name, and an entry that is not whole or carries another key than its own.
"""

import contextlib
import errno
import functools
import logging
import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from surefoot.build.files import (
    FORGOTTEN_AFTER,
    canonical_json,
    make_way,
    read_sealed,
    sealed,
    sha256_file,
    sha256_text,
    sweep,
    temporary_path,
    whole_file,
    write_whole,
)

logger = logging.getLogger("surefoot")

_MAY_NOT_BE_WRITTEN = (errno.EACCES, errno.EPERM, errno.EROFS)
STAGING = ".partial"
"""The folder beside the entries, and that beside the blobs, where files are written before they are renamed into place:
one look into it finds what was left behind."""


def cache_folder() -> Path:
    """The user's cache folder; one that is not there for a user without a home, as containers have."""
    if cache := os.environ.get("XDG_CACHE_HOME"):
        return Path(cache).absolute()
    try:
        return Path.home().absolute() / ".cache"
    except RuntimeError:
        return Path(os.sep, "nonexistent", ".cache")


def store_folder(configured: str | None) -> Path:
    """The store's folder: SUREFOOT_STORE, else the configured one, else `surefoot` in the user's cache folder."""
    chosen = os.environ.get("SUREFOOT_STORE") or configured
    return Path(chosen).expanduser().absolute() if chosen else cache_folder() / "surefoot"


def entry_key(kind: str, content_hashes: Mapping[str, str]) -> str:
    """Key of an entry: hash of what kind of work it is and of the hashes of all that goes in."""
    return sha256_text(canonical_json({"kind": kind, "inputs": dict(content_hashes)}))


def unit_key(kind: str, settings: dict[str, Any], hashes: dict[str, Any]) -> str:
    """Key in the store of a piece of a job: what kind it is, all that decides it, and the hashes of what goes in."""
    return entry_key(kind, hashes | {"settings": sha256_text(canonical_json(settings))})


def read_entry(store: Path, key: str) -> dict[str, Any] | None:
    """The entry under a key (``blobs``: hashes by name; ``facts``), or None where there is none or a damaged one."""
    entry = read_sealed(entry_path(store, key))
    if entry is None or entry.get("key") != key or not {"blobs", "facts"} <= entry.keys():
        return None
    return {"blobs": entry["blobs"], "facts": entry["facts"]}


def mark_used(store: Path, key: str) -> None:
    """Give an entry, if there is one, the present time as that of its last use: `prune` looks at that."""
    with contextlib.suppress(OSError):
        os.utime(entry_path(store, key))


def fetch_blob(store: Path, digest: str, target: Path) -> bool:
    """Copy a blob to a path, atomically; False where the blob is missing or damaged.

    Raises
    ------
    OSError
        where nothing can be written to the path
    """
    make_way(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        blob = blob_path(store, digest).open("rb")
    except OSError:
        return False
    copy = temporary_path(target)
    try:
        with blob, copy.open("xb") as file:
            shutil.copyfileobj(blob, file, 1 << 20)
        if sha256_file(copy) != digest:
            return False
        copy.replace(target)
    finally:
        copy.unlink(missing_ok=True)
    return True


def enter(store: Path, key: str, files: Mapping[str, Path], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Enter files under a key, with facts about how they were made; the entry is returned.

    Where another process entered the same files in the meantime, its facts stand: two jobs that are one by content
    then tell the same, now and when the store gives it back. A store that may only be read stays as it is.
    """
    blobs = {name: sha256_file(path) for name, path in files.items()}
    entry = {"blobs": blobs, "facts": dict(facts)}
    try:
        for name, path in files.items():
            blob = blob_path(store, blobs[name])
            if not (blob.is_file() and sha256_file(blob) == blobs[name]):
                _drop_folder(blob)
                with whole_file(blob, store / "blobs" / STAGING) as copy:
                    shutil.copyfile(path, copy)
        there = read_entry(store, key)
        if there is not None and there["blobs"] == blobs:
            return there
        _drop_folder(entry_path(store, key))
        write_whole(entry_path(store, key), sealed({"key": key} | entry), store / "entries" / STAGING)
    except OSError as error:
        if error.errno not in _MAY_NOT_BE_WRITTEN:
            raise
        _say_once(f"store     {store} can only be read: what is computed is not kept there")
    return entry


def lease_path(store: Path, key: str) -> Path:
    """The lock file of whoever computes what will be entered under a key."""
    return store / "leases" / key[:2] / key


def entry_path(store: Path, key: str) -> Path:
    """Where the entry under a key is, if there is one."""
    return store / "entries" / key[:2] / key


def blob_path(store: Path, digest: str) -> Path:
    """Where a blob lies."""
    return store / "blobs" / digest[:2] / digest


def damaged_files(store: Path, keys: Iterable[str]) -> Iterator[Path]:
    """The entries under these keys, and the blobs that they name, that are there and are not whole."""
    seen: set[str] = set()
    for key in sorted(keys):
        entry, path = read_entry(store, key), entry_path(store, key)
        if entry is None and path.exists():
            yield path
        for digest in entry["blobs"].values() if entry else ():
            blob = blob_path(store, digest)
            if digest not in seen and blob.exists() and not (blob.is_file() and sha256_file(blob) == digest):
                yield blob
            seen.add(digest)


def files_of(part: Path) -> Iterator[Path]:
    """The files in the folders of a part of the store, by name; what another process deletes meanwhile is left out."""
    for folder, folders, names in os.walk(part):
        folders[:] = sorted(name for name in folders if name != STAGING)
        if folder != str(part):
            yield from (Path(folder, name) for name in sorted(names))


def other_blobs(store: Path, keys: Iterable[str]) -> Iterator[Path]:
    """The blobs that no entry under these keys names."""
    entries = (read_entry(store, key) for key in keys)
    wanted = {digest for entry in entries if entry for digest in entry["blobs"].values()}
    yield from (path for path in files_of(store / "blobs") if path.name not in wanted)


def delete(paths: Iterable[Path]) -> None:
    """Delete files of the store. Their folders stay, since another process may be about to write there."""
    for path in paths:
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            _drop_folder(path) if path.is_dir() else path.unlink()


def sweep_store(store: Path) -> None:
    """Delete what killed processes were writing into the store, and old files of locks."""
    for path in files_of(store / "leases"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > FORGOTTEN_AFTER:
                path.unlink()
    for part in ("entries", "blobs"):
        sweep((store / part / STAGING).glob("*"))


@functools.cache
def _say_once(text: str) -> None:
    logger.warning(text)


def _drop_folder(path: Path) -> None:
    """Delete a folder where the store has a file: only damage can have put it there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
