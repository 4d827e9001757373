"""Locks of the operating system: they end with the process that holds them, so a killed run blocks no other."""

import contextlib
import datetime
import fcntl
import os
import platform
from pathlib import Path

from surefoot.build.errors import InputError

RUN_LOCK = Path("results/spec/.run")


def try_lock(descriptor: int, how: int) -> bool:
    """Take (`fcntl.LOCK_SH`, `LOCK_EX`) or give back (`LOCK_UN`) a lock of an open file; False where another process
    has it and `how` has `LOCK_NB`. A file system without locks has them all free."""
    try:
        fcntl.flock(descriptor, how)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def open_lock_file(path: Path) -> int:
    """Descriptor of a lock file, which is made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)


def lock_run() -> int:
    """Let no other run make results in this folder until this process ends.

    Returns
    -------
    descriptor of the lock file; closing it gives the lock back

    Raises
    ------
    InputError
        that names the process which makes results here
    """
    descriptor = open_lock_file(RUN_LOCK)
    if not try_lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB):
        holder = os.pread(descriptor, 1000, 0).decode(errors="replace").strip() or "another process"
        os.close(descriptor)
        raise InputError(
            str(Path.cwd()),
            f"another run of the workflow is making results here: {holder}",
            "wait for its end, or run in another folder (--directory); the lock ends with that process",
        )
    now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    with contextlib.suppress(OSError):  # a full disk: the lock holds all the same
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()} on {platform.node()}, since {now}\n".encode(), 0)
    return descriptor
