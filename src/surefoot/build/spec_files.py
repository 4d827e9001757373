"""The spec files of a run of the workflow, which no other run changes while it goes on.

A job reads its spec when it begins, which may be hours after it was planned. So every process that plans holds a shared
lock until it ends, and specs are changed only by one that is alone. The lock is the operating system's and ends with
its process, however that ends: nothing is left behind by a killed run.
"""

import fcntl
import os
import time
from collections.abc import Mapping
from pathlib import Path

from surefoot.build.errors import InputError
from surefoot.build.locks import open_lock_file, try_lock
from surefoot.build.whole_files import write_whole

LOCK = Path("results/spec/.lock")
CONFIGURATION = Path("results/spec/configuration.json")
"""The checked configuration, as the process that planned wrote it beside the specs."""
STUDY_FILES = Path("results/spec/.files")
"""The files of the command line that say something about a study, as JSON: {study: [path, ...]}."""
_WAIT, _ATTEMPTS = 0.25, 20


def put_specs(texts: Mapping[Path, str]) -> int:
    """Bring the files to these contents, and keep others from changing them.

    Returns
    -------
    descriptor of the lock file: they may be changed as soon as it is closed, or the process ends

    Raises
    ------
    InputError
        if another run that is going on here was planned otherwise
    """
    lock = open_lock_file(LOCK)
    try:
        for _ in range(_ATTEMPTS):
            if not _changed(texts):
                try_lock(lock, fcntl.LOCK_SH)
                if not _changed(texts):
                    return lock
            if try_lock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB):
                for path in _changed(texts):
                    write_whole(path, texts[path])
            else:
                # Another may be a dry run that is about to end, or one that writes these very contents.
                try_lock(lock, fcntl.LOCK_UN)
                time.sleep(_WAIT)
        raise InputError(
            str(next(iter(_changed(texts)), LOCK)),
            f"a run that is going on in {Path.cwd()} was planned with other settings or code, and still needs them",
            "wait for its end, or run in another folder (--directory)",
        )
    except BaseException:
        os.close(lock)
        raise


def _changed(texts: Mapping[Path, str]) -> list[Path]:
    return [path for path, text in texts.items() if not _holds(path, text)]


def _holds(path: Path, text: str) -> bool:
    try:
        return path.read_bytes() == text.encode()
    except (FileNotFoundError, IsADirectoryError):
        return False
