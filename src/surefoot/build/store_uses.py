"""Which jobs used which entries of the store: a note for each, so that `prune` knows whose work it would delete.

An entry's key says nothing of a study, and one store serves many folders and configurations. So each job leaves a note
with the folder it ran in, its study, the options that the workflow was started with, and the keys of the entries.
"""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.build.canonical import canonical_json, sha256_text
from surefoot.build.store import STAGING, entry_path, files_of, may_only_be_read
from surefoot.build.whole_files import write_whole


class Use(NamedTuple):
    """What a job used.

    path : of the note
    folder : in which the job ran
    study : of the job, as its spec names it
    options : of the command line, those that decide the configuration
    keys : of the entries
    time : of the last use, in seconds since the epoch
    """

    path: Path
    folder: str
    study: str
    options: list[str]
    keys: frozenset[str]
    time: float


def note_use(store: Path, spec: Mapping[str, Any], key: str, options: Sequence[str]) -> Path:
    """Note that the job of a spec uses the entry under a key, now; the note is returned, for `note_unit`.

    In a store that may only be read there are no notes.
    """
    folder = str(Path.cwd())
    name = sha256_text(canonical_json([folder, spec["manifest"], key]))[:32]
    path = store / "uses" / name[:2] / name
    head = {"folder": folder, "study": spec["study"], "options": list(options)}
    with may_only_be_read(store):
        write_whole(path, f"{json.dumps(head)}\n{key}\n", store / "entries" / STAGING)
    mark_used(store, key)
    return path


def note_unit(note: Path, store: Path, key: str) -> None:
    """Add the key of a piece of the job to its note."""
    with contextlib.suppress(OSError), note.open("a", encoding="utf-8") as file:
        file.write(f"{key}\n")
    mark_used(store, key)


def mark_used(store: Path, key: str) -> None:
    """Give an entry, if there is one, the present time as that of its last use."""
    with contextlib.suppress(OSError):
        os.utime(entry_path(store, key))


def read_uses(store: Path) -> Iterator[Use]:
    """All notes that can be read."""
    for path in files_of(store / "uses"):
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            head, *keys = path.read_text(encoding="utf-8").splitlines()
            said = json.loads(head)
            time = path.stat().st_mtime
            yield Use(path, said["folder"], said["study"], said["options"], frozenset(keys), time)
