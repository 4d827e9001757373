"""Locks of the operating system: they end with the process that holds them, so a killed run blocks no other."""

import contextlib
import datetime
import fcntl
import logging
import math
import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path

from surefoot.build.errors import InputError

logger = logging.getLogger("surefoot")

_BETWEEN_LOOKS = 0.1
"""Seconds between two looks at a lease that another process has."""
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


@contextlib.contextmanager
def lease(path: Path, work: str) -> Iterator[None]:
    """Let one process at a time do a piece of work, on this machine and on others that share a file system with locks.

    A second process waits until the first has finished or died, and should then look for the result.

    Parameters
    ----------
    path : of the lock file, one for each piece of work; it is deleted at the end
    work : what the log says that this process waits for
    """
    descriptor = take_lease(path, work)
    try:
        yield
    finally:
        give_back(path, descriptor)


def take_lease(path: Path, work: str, patience: float = math.inf) -> int | None:
    """Descriptor of the lock file, once this process has the lease; None where no lock file can be made, or where
    another process has it for longer than `patience` seconds: then the work may be done twice."""
    waits, until = False, time.monotonic() + patience
    while True:
        try:
            descriptor = open_lock_file(path)
        except OSError:
            return None
        while not try_lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB):
            if not waits:
                logger.info("wait      another process is at it: %s", work)
            waits = True
            if time.monotonic() > until:
                os.close(descriptor)
                return None
            time.sleep(_BETWEEN_LOOKS)
        # Its last holder may have deleted the file in the meantime, and others lock a new one.
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        os.close(descriptor)


def give_back(path: Path, descriptor: int | None) -> None:
    """End a lease."""
    if descriptor is not None:
        path.unlink(missing_ok=True)
        os.close(descriptor)


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
