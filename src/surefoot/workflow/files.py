"""Atomic writing of files, hashes, and canonical JSON."""

import base64
import contextlib
import gzip
import hashlib
import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TEMPORARY = ".tmp"
"""Suffix of temporary files, which are renamed when they are complete."""


def canonical_json(value: object) -> str:
    """Return JSON with sorted keys and a fixed layout, ending with a newline.

    Raises
    ------
    ValueError
        For NaN and infinities, which JSON does not have.
    """
    return json.dumps(value, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def sha256_text(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_file(path: Path | str) -> str:
    """Return the SHA-256 of the bytes of a file, in hexadecimal."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class FileState(NamedTuple):
    """What tells whether a file was changed or replaced, without reading it.

    changed : time of the last change, in nanoseconds
    size : number of bytes
    number : number of the file in its file system
    """

    changed: int
    size: int
    number: int


def file_state(path: Path) -> FileState | None:
    """Return the state of a file, or None if there is no such file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return FileState(status.st_mtime_ns, status.st_size, status.st_ino)


def temporary_path(path: Path) -> Path:
    """Return the path of a hidden temporary file in the folder of `path` that no other process uses."""
    return path.with_name(f".{secrets.token_hex(8)}{TEMPORARY}")


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path, whose file replaces `path` at the end unless there is an error.

    Missing folders are created.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_path(path)
    temporary.touch(exist_ok=False)
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write text to a file atomically, in UTF-8."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def packed(text: str) -> str:
    """Return a text as base64 of gzip, readable by `DecompressionStream` in all current browsers."""
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=9, mtime=0)).decode()
