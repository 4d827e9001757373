"""Lines on the terminal that say how far a long reading is."""

import sys
import time
from collections.abc import Callable

FIRST_AFTER = 2.0
"""Seconds of silence at the beginning: most folders are read by then."""
BETWEEN = 5.0


def reporter(total_files: int, total_bytes: int) -> Callable[[int, int, int], None]:
    """A function that takes how many files, bytes and points are read, and says so from time to time."""
    started = time.monotonic()
    reported = started + FIRST_AFTER - BETWEEN

    def report(files: int, done: int, points: int) -> None:
        nonlocal reported
        now = time.monotonic()
        if now - reported < BETWEEN:
            return
        reported = now
        left = (now - started) * (total_bytes / done - 1.0) if done else float("nan")
        time_left = f", about {left:,.0f} s left" if done else ""
        print(
            f"read {files:,} of {total_files:,} files ({done / 1e6:,.0f} of {total_bytes / 1e6:,.0f} MB), "
            f"{points:,} points{time_left}",
            file=sys.stderr,
            flush=True,
        )

    return report
