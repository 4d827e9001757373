"""Locks of the operating system: they end with the process that holds them, so a killed run blocks no other."""

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from surefoot.build.errors import InputError

logger = logging.getLogger("surefoot")

RUN_LOCK = Path("results/spec/.run")
_held: list[FileLock] = []
"""What this process holds until it ends: a lock that nobody refers to is released."""
_PATIENCE = 5.0
"""Seconds to wait for a process that only writes specs."""


def lock_at(path: Path, again: bool = False) -> FileLock:
    """The lock of a file, which is made where it is missing and stays; whether a process that has it may take it
    again."""
    return FileLock(path.absolute(), poll_interval=0.01, fallback_to_soft=False, is_singleton=again)


@contextlib.contextmanager
def lease(path: Path, work: str, patience: float = -1) -> Iterator[None]:
    """Let one process at a time do a piece of work, on this machine and on others that share a file system with locks.

    A second process waits until the first has finished or died, and should then look for the result. Where there can be
    no lock, the work may be done twice.

    Parameters
    ----------
    path : of the lock file, one for each piece of work
    work : what the log says that this process waits for
    patience : seconds after which it goes on without the lock; by default never
    """
    lock = lock_at(path)
    with contextlib.ExitStack() as until:
        with contextlib.suppress(OSError, NotImplementedError):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                until.enter_context(lock.acquire(timeout=0))
            except Timeout:
                logger.info("wait      another process is at it: %s", work)
                until.enter_context(lock.acquire(timeout=patience))
        yield


def lock_run() -> FileLock:
    """Let no other run make results, or change specs, in this folder until this process ends or releases the lock.

    Raises
    ------
    InputError
        where another process makes results here
    """
    lock = run_lock()
    if lock is None:
        what = "another run of the workflow is making results here"
        hint = "wait for its end, or run in another folder (--directory); the lock ends with that process"
        raise InputError(str(Path.cwd()), what, hint)
    _held.append(lock)
    return lock


def run_lock() -> FileLock | None:
    """The lock of this folder, held; None where a run goes on here. A file system without locks has it free."""
    RUN_LOCK.parent.mkdir(parents=True, exist_ok=True)
    lock = lock_at(RUN_LOCK, again=True)
    try:
        lock.acquire(timeout=_PATIENCE)
    except Timeout:
        return None
    except (OSError, NotImplementedError):
        pass
    return lock
