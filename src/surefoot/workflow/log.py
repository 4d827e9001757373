"""Readable logs of jobs: settings, actions, duration, and reasons for failure."""

import datetime
import logging
import os
import platform
import re
import resource
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from surefoot.workflow.machine_errors import explained

logger = logging.getLogger("surefoot")

SECONDS_BETWEEN_REPORTS = 5.0
STARTED = "%Y-%m-%d %H:%M:%S UTC"
"""Format of the line with the start time of a job."""


@contextmanager
def job_log(path: Path | None, title: str, facts: dict[str, str]) -> Iterator[None]:
    """Log everything within the block to a file, and progress and unexplained failures also to the terminal."""
    started = time.perf_counter()
    formatter = logging.Formatter("%(message)s")
    terminal = logging.StreamHandler(sys.stderr)
    terminal.setFormatter(formatter)
    terminal.addFilter(lambda record: record.levelno >= logging.WARNING or getattr(record, "progress", False))
    handlers: list[logging.Handler] = [terminal]
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(path, mode="w"))
        handlers[-1].setFormatter(formatter)
    logger.setLevel(logging.INFO)
    propagated, logger.propagate = logger.propagate, False
    logging.raiseExceptions = False  # a log that cannot be written, for example on a full disk, causes no further error
    for handler in handlers:
        logger.addHandler(handler)
    logging.captureWarnings(True)
    warnings_logger = logging.getLogger("py.warnings")
    for handler in handlers[1:]:
        warnings_logger.addHandler(handler)
    try:
        logger.info(title)
        now = datetime.datetime.now(datetime.UTC).strftime(STARTED)
        logger.info("started   %s on %s, process %d", now, platform.node(), os.getpid())
        for name, value in facts.items():
            logger.info("%-9s %s", name, value)
        yield
        logger.info("memory    at most %d MB", peak_megabytes())
        logger.info("ended     after %.1f s", time.perf_counter() - started)
    except BaseException as error:
        # The command prints an explained error as one sentence; the log shows where it was raised.
        told = explained(error)
        level = logging.ERROR if told is None else logging.INFO
        logger.log(level, "failed    after %.1f s", time.perf_counter() - started)
        if told is not None:
            logger.log(level, "error     %s", told)
        logger.log(level, traceback.format_exc().rstrip())
        raise
    finally:
        logger.propagate = propagated
        for handler in handlers:
            logger.removeHandler(handler)
            warnings_logger.removeHandler(handler)
            handler.close()


def peak_megabytes() -> int:
    """Return the peak memory of this process, in MB."""
    try:
        # The peak by getrusage includes the memory of the parent process.
        (peak,) = re.findall(r"^VmHWM:\s*(\d+) kB$", Path("/proc/self/status").read_text(), re.MULTILINE)
        return int(peak) // 1_000
    except (OSError, ValueError):  # on macOS, the value is in bytes
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_000_000


def log_interrupted(begun: float) -> None:
    """Log that Ctrl-C ends this job; `begun` is the value of `time.perf_counter` at its start.

    This is for an interrupt that ends the process without an exception, which `job_log` would log.
    """
    logger.info("failed    after %.1f s", time.perf_counter() - begun)
    logger.info("error     %s", explained(KeyboardInterrupt()))


def progress_reporter(
    title: str,
    total: int,
    noun: str,
    work: float | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Callable[..., None]:
    """Return a function that reports the number of finished items at most every few seconds.

    If items take unequal times, `work` is their total work in any unit, and the function also takes the work done so
    far.
    """
    started = reported = clock()

    def report(done: int, done_work: float | None = None) -> None:
        nonlocal reported
        now = clock()
        if now - reported >= SECONDS_BETWEEN_REPORTS:
            reported = now
            share = done / total if work is None or done_work is None else done_work / work if work else 1.0
            # Because of rounding, slightly more than the whole work may be done at the end.
            left = f"about {(now - started) * max(1 / share - 1, 0):,.0f} s left" if share > 0 else "no time known yet"
            logger.info(f"{title}: {done:,} of {total:,} {noun}, {left}", extra={"progress": True})

    return report
