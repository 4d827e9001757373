"""The content store: what was computed once is copied out for ever after.

An entry's *key* is a hash of all that decides its content; the entry names *blobs*, files under the hash of their own
bytes, so identical results are kept once. Writing is atomic (temporary name, then rename), so a process killed at
any moment leaves either a whole entry or none. A blob whose bytes do not match its name is treated as missing.
"""

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from surefoot.pipeline.canonical import canonical_json, sha256_file, sha256_text


def store_folder(configured: str | None) -> Path:
    """The store's folder: SUREFOOT_STORE, else the configured one, else `surefoot` in the user's cache folder."""
    chosen = os.environ.get("SUREFOOT_STORE") or configured
    if chosen:
        return Path(chosen).expanduser().absolute()
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache").absolute() / "surefoot"


def entry_key(kind: str, content_hashes: Mapping[str, str]) -> str:
    """Key of an entry: hash of what kind of work it is and of the hashes of all that goes in."""
    return sha256_text(canonical_json({"kind": kind, "inputs": dict(content_hashes)}))


def read_entry(store: Path, key: str) -> dict | None:
    """The entry under a key, or None where there is none or a damaged one."""
    try:
        entry = json.loads(_entry_path(store, key).read_text())
    except (FileNotFoundError, ValueError):  # ValueError: neither text nor JSON
        return None
    return entry if isinstance(entry, dict) and {"blobs", "facts"} <= entry.keys() else None


def fetch_blob(store: Path, digest: str, target: Path) -> bool:
    """Copy a blob to a path, atomically; False where the blob is missing or damaged."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(handle)
    copy = Path(name)
    try:
        shutil.copyfile(blob_path(store, digest), copy)
        if sha256_file(copy) != digest:
            return False
        copy.chmod(0o644)
        copy.replace(target)
    except FileNotFoundError:
        return False
    finally:
        copy.unlink(missing_ok=True)
    return True


def enter(store: Path, key: str, files: Mapping[str, Path], facts: Mapping) -> dict:
    """Enter files under a key, with facts about how they were made; the entry is returned.

    Where another process entered the same files in the meantime, its facts stand: two jobs that are one by content
    then tell the same, now and when the store gives it back.
    """
    blobs = {name: _enter_blob(store, path) for name, path in files.items()}
    entry = {"blobs": blobs, "facts": dict(facts)}
    path = _entry_path(store, key)
    if not _write_new(path, canonical_json(entry)):
        there = read_entry(store, key)
        if there is not None and there["blobs"] == blobs:
            return there
        _write_atomically(path, canonical_json(entry))
    return entry


def blob_path(store: Path, digest: str) -> Path:
    """Where a blob lies."""
    return store / "blobs" / digest[:2] / digest


def prune(store: Path, keep: Iterable[str], kernels: Iterable[str]) -> tuple[int, int]:
    """Delete every entry whose key is not kept, every blob that no kept entry names, and other kernel folders.

    Returns
    -------
    number of files deleted, bytes freed
    """
    keep, kernels = set(keep), set(kernels)
    wanted = set()
    doomed = []
    for path in (store / "entries").glob("*/*"):
        if path.name in keep:
            wanted.update(json.loads(path.read_text())["blobs"].values())
        else:
            doomed.append(path)
    doomed.extend(path for path in (store / "blobs").glob("*/*") if path.name not in wanted)
    for folder in (store / "kernels").glob("*"):
        if folder.name not in kernels:
            doomed.extend(path for path in folder.rglob("*") if path.is_file())
    freed = 0
    for path in doomed:
        freed += path.stat().st_size
        path.unlink()
    for part in ("entries", "blobs", "kernels"):
        for folder in sorted((store / part).glob("**/*/"), reverse=True):
            with contextlib.suppress(OSError):  # a folder that is not empty stays
                folder.rmdir()
    return len(doomed), freed


def _entry_path(store: Path, key: str) -> Path:
    return store / "entries" / key[:2] / key


def _enter_blob(store: Path, path: Path) -> str:
    digest = sha256_file(path)
    blob = blob_path(store, digest)
    if not (blob.exists() and sha256_file(blob) == digest):
        blob.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".blob.", dir=blob.parent)
        os.close(handle)
        shutil.copyfile(path, name)
        Path(name).replace(blob)
    return digest


def _write_atomically(path: Path, text: str) -> None:
    _written_beside(path, text).replace(path)


def _write_new(path: Path, text: str) -> bool:
    """Write a file that is not there yet, whole or not at all; False where there is one."""
    written = _written_beside(path, text)
    try:
        path.hardlink_to(written)
    except OSError:  # there is one, or the file system has no hard links
        if path.exists():
            return False
        _write_atomically(path, text)
    finally:
        written.unlink()
    return True


def _written_beside(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    return Path(name)
