"""The spec files of a run of the workflow, which no other run changes while it goes on.

A job reads its spec when it begins, which may be hours after it was planned. So specs are changed only under the lock
that a run holds until it ends.
"""

from collections.abc import Mapping
from pathlib import Path

from surefoot.build.atomic_write import write_whole
from surefoot.build.errors import InputError
from surefoot.build.locks import run_lock

CONFIGURATION = Path("results/spec/configuration.json")
"""The checked configuration, as the process that planned wrote it beside the specs."""
STUDY_FILES = Path("results/spec/.files")
"""The files of the command line that say something about a study, as JSON: {study: [path, ...]}."""


def put_specs(texts: Mapping[Path, str], locked: bool = False) -> None:
    """Bring the files to these contents.

    locked : whether this process has the lock of the folder

    Raises
    ------
    InputError
        if another run that is going on here was planned otherwise
    """
    changed = [path for path, text in texts.items() if not _holds(path, text)]
    if not changed:
        return
    lock = None if locked else run_lock()
    if not locked and lock is None:
        raise InputError(
            str(changed[0]),
            f"a run that is going on in {Path.cwd()} was planned with other settings or code, and still needs them",
            "wait for its end, or run in another folder (--directory)",
        )
    try:
        for path in changed:
            write_whole(path, texts[path])
    finally:
        if lock is not None:
            lock.release()


def _holds(path: Path, text: str) -> bool:
    try:
        return path.read_bytes() == text.encode()
    except (FileNotFoundError, IsADirectoryError):
        return False
