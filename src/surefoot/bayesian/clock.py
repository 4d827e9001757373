"""The system's clocks, read from inside a kernel: CPU time of this thread, and wall time that never jumps.

Reading the first costs half a microsecond on Linux, the second some 25 ns: the first times whole trajectories and is
blind to what else the machine does, the second times single decisions. POSIX systems only.
"""

import functools
import os
import platform
import time
from pathlib import Path

import numpy as np
from numba import int32, njit, types

CLOCKS = np.array([time.CLOCK_THREAD_CPUTIME_ID, time.CLOCK_MONOTONIC])
"""Their numbers on this system: thread CPU time, wall time."""

THREAD_CPU_TIME, WALL_TIME = 0, 1
"""Positions in `CLOCKS`."""

_clock_gettime = types.ExternalFunction("clock_gettime", int32(int32, types.voidptr))


@njit(inline="always")
def nanoseconds(clock, reading):
    """Nanoseconds by the clock of this number; `reading` (int64[2]) is overwritten."""
    _clock_gettime(np.int32(clock), reading.ctypes)
    return reading[0] * 1_000_000_000 + reading[1]


@njit(cache=True)
def shortest_difference(clock, readings):
    """Nanoseconds between two different readings of a clock, the fewest of this many; a second at most."""
    reading = np.zeros(2, np.int64)
    before = nanoseconds(clock, reading)
    shortest = np.int64(1_000_000_000)
    for _ in range(readings):
        now = nanoseconds(clock, reading)
        if before < now < before + shortest:
            shortest = now - before
        before = now
    return shortest


@functools.cache
def describe_machine() -> str:
    """The processor, the system, and the clocks, with the shortest difference of two readings and the stated one."""
    processor = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.is_file():
        lines = information.read_text().splitlines()
        processor = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), processor)
    clocks = ", ".join(
        f"{title} in steps of {shortest_difference(clock, 2000):.0f} ns (stated {time.clock_getres(clock) * 1e9:.0f})"
        for title, clock in zip(("thread CPU time", "wall time"), CLOCKS.tolist(), strict=True)
    )
    return f"{processor}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}; {clocks}"
