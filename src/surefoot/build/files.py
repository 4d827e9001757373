"""Files: written whole or not at all, hashed, and JSON texts that prove themselves.

Files are never seen half-written: they are written under a temporary name, then renamed into place. A temporary name
says who writes, and cannot be guessed: ``.runs.parquet@host@1234@5f2c09b1d6a7e384``. So what a killed process left
behind can be told from what a living one is writing, also on a file system that several machines share.

Canonical JSON gives the same content always the same bytes. A *sealed* JSON text begins with the hash of the rest: one
that was cut, edited, or replaced by another kind of file does not match its seal and counts as damaged.
"""

import base64
import contextlib
import gzip
import hashlib
import json
import os
import platform
import re
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from surefoot.build.errors import InputError


def canonical_json(value: object) -> str:
    """JSON with sorted keys and one layout, ending in a newline.

    Raises
    ------
    ValueError
        for numbers that JSON has no word for (NaN and infinities)
    """
    return json.dumps(value, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def sha256_text(text: str) -> str:
    """SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_file(path: Path | str) -> str:
    """SHA-256 of a file's bytes, in hexadecimal."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_HEAD, _TAIL = '{"sha256": "', '",'
_LENGTH = len(_HEAD) + 64 + len(_TAIL)


def sealed(content: Mapping[str, Any]) -> str:
    """Canonical JSON of a mapping that is not empty, with a key ``sha256`` before all others."""
    rest = canonical_json(content)[1:]
    return f"{_HEAD}{sha256_text(rest)}{_TAIL}{rest}"


def unsealed(text: str) -> dict[str, Any] | None:
    """The mapping of a sealed text, or None where the seal does not match."""
    rest = text[_LENGTH:]
    if text[:_LENGTH] != f"{_HEAD}{sha256_text(rest)}{_TAIL}":
        return None
    content: dict[str, Any] = json.loads(f"{{{rest}")
    return content


def read_sealed(path: Path) -> dict[str, Any] | None:
    """The mapping of a sealed file, or None where there is none that can be read and is whole."""
    try:
        return unsealed(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None


_TEMPORARY = re.compile(r".+@(?P<host>[^@]+)@(?P<process>\d+)@\w+")
LONGEST_NAME = 160
"""Bytes of a file's name: file systems take 255, and a temporary name adds that of a machine (64) and some 25 more."""
FORGOTTEN_AFTER = 7 * 24 * 3600.0
"""Seconds after which what another machine was writing counts as left behind: nothing here tells whether it lives."""


@contextlib.contextmanager
def whole_file(path: Path, folder: Path | None = None) -> Iterator[Path]:
    """A temporary path to write to; the file at `path` is replaced by it at the end of the block, not after an error.

    Parameters
    ----------
    path : where the file goes; missing folders are made
    folder : where the temporary file lies, on the same file system; by default beside `path`

    Raises
    ------
    InputError
        where a folder that is not empty has this path
    """
    make_way(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = temporary_path(path, folder)
    temporary.parent.mkdir(parents=True, exist_ok=True)
    temporary.touch(exist_ok=False)  # exclusively, and through no link
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, text: str, folder: Path | None = None) -> None:
    """Replace the file at the path by this text in UTF-8; `folder` as in `whole_file`."""
    with whole_file(path, folder) as temporary:
        temporary.write_text(text, encoding="utf-8")


def make_way(path: Path) -> None:
    """Remove an empty folder that has the path of a file.

    Raises
    ------
    InputError
        where the folder is not empty
    """
    if path.is_dir() and not path.is_symlink():
        try:
            path.rmdir()
        except OSError:
            what, hint = "a folder has the name of a file that is made here", "move the folder out of the way"
            raise InputError(str(path), what, hint) from None


def temporary_path(path: Path, folder: Path | None = None) -> Path:
    """A name that no other process or call uses, that nobody can guess, and that says who uses it."""
    name = f"{path.name}@{platform.node()}@{os.getpid()}@{secrets.token_hex(8)}"
    return path.with_name(f".{name}") if folder is None else folder / name


def is_temporary(path: Path) -> bool:
    """Whether a file or folder has a temporary name."""
    return _TEMPORARY.fullmatch(path.name) is not None


def sweep(paths: Iterable[Path]) -> None:
    """Delete those of the files and folders that have a temporary name and a writer that is dead or long silent."""
    for path in paths:
        found = _TEMPORARY.fullmatch(path.name)
        with contextlib.suppress(OSError):  # another process sweeps as well
            if found is None or (found["host"] == platform.node() and is_alive(int(found["process"]))):
                continue
            if found["host"] != platform.node() and time.time() - path.stat().st_mtime <= FORGOTTEN_AFTER:
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def delete_own(paths: Iterable[Path]) -> None:
    """Delete those of the folders that have a temporary name of this process, which is about to end."""
    for path in paths:
        found = _TEMPORARY.fullmatch(path.name)
        if found is not None and (found["host"], found["process"]) == (platform.node(), str(os.getpid())):
            shutil.rmtree(path, ignore_errors=True)


def is_alive(process: int) -> bool:
    """Return True if a process of this machine is running.

    A zombie has ended, although the system knows its number until its parent asks for its exit status. In a container
    whose first process never asks, that is until the container ends.
    """
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    with contextlib.suppress(OSError):  # systems other than Linux have no such file
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        return status.rpartition(")")[2].split()[0] != "Z"
    return True


def packed(text: str) -> str:
    """The text as base64 of gzip, which `DecompressionStream` of every current browser opens."""
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=9, mtime=0)).decode()
