"""What a job needs of the machine that runs it: memory, time and threads. Estimates, from which no result follows.

A cluster ends a job that takes more than it asked for, so these are generous; the next attempt asks for twice as much.
"""

import math

from surefoot.build.job import Job, resamples
from surefoot.pipeline.charges import (
    ANSWERS,
    COLLECTING,
    FAILURES,
    INTERVALS,
    PLAYS,
    REPEATED,
    SUMMARIES,
    TRIALS,
    charges,
)

MARGIN = 3.0
"""Time asked for, divided by what the costs say, which are means on one machine."""
START_MINUTES = 10
"""Of starting and of compiling kernels, which took up to four minutes on two cores that had other work."""
START_MB = 1500
"""Of a process that compiles kernels, at most 500 as measured, and of the two of Snakemake above it on a cluster."""
MB_OF_AN_INPUT_MB = 20
"""Of runs in memory, divided by their file: collecting four million took 600 MB, and their files had 50."""
MB_OF_A_POOL_MB = 0.6
"""Of a pool whose truth is found environment by environment, divided by its file: 1,900 MB of one of nine environments
whose file had 3,900."""
RUNS_OF_A_CUT = 2.5e-2
"""MB of a run of each cell, of a hundred cells."""

SECONDS_OF_A_THREAD = 1800.0
"""Of work for which a cluster is asked for another thread: more threads wait longer for a node."""
MANY_RESAMPLES = 10_000
"""With fewer, a job would wait for all cores of a machine to be free for longer than it takes."""
_GROWING = (TRIALS, PLAYS, REPEATED, INTERVALS, ANSWERS, FAILURES)


def megabytes(job: Job, of_inputs: float, attempt: int = 1) -> int:
    """Memory to ask for, in MB.

    Parameters
    ----------
    of_inputs : the size of its input files, in MB
    attempt : 1 for the first
    """
    return math.ceil(START_MB + megabytes_of_inputs(job, of_inputs)) * _more(attempt)


def megabytes_of_inputs(job: Job, of_inputs: float) -> float:
    """Memory that what it reads takes, in MB.

    Parameters
    ----------
    of_inputs : the size of its input files, in MB
    """
    if job.work == COLLECTING:  # one input at a time, of about the same sizes
        return of_inputs / len(job.inputs) * MB_OF_AN_INPUT_MB
    if job.work == SUMMARIES:
        return of_inputs * MB_OF_A_POOL_MB
    read = of_inputs * MB_OF_AN_INPUT_MB
    if job.settings.get("design") == "cut":  # the runs of one block at a time
        read = min(read, job.settings["size"] * job.settings["block"] * RUNS_OF_A_CUT)
    return read


def minutes(job: Job, threads: int = 1, attempt: int = 1) -> int:
    """Time to ask for, in minutes.

    Parameters
    ----------
    threads : that it has
    attempt : 1 for the first
    """
    return math.ceil(START_MINUTES + MARGIN * seconds(job) / threads / 60) * _more(attempt)


def threads_of_cluster(job: Job, most: int) -> int:
    """Threads to ask a cluster for, `most` at most: by the work, wherever the rest of the study runs."""
    if job.work not in (TRIALS, ANSWERS):
        return 1
    return min(most, max(1, math.ceil(seconds(job) / SECONDS_OF_A_THREAD)))


def threads_of_machine(job: Job, cores: int, batches: int) -> int:
    """Threads of a job on the machine where the workflow runs.

    Parameters
    ----------
    cores : of the machine, or as many as may be used
    batches : how many jobs of the study simulate, which share the cores
    """
    if job.stage == "simulate":
        return max(1, cores // batches)
    return cores if resamples(job.settings) >= MANY_RESAMPLES else 1


def downloads(job: Job) -> bool:
    """Whether a job fetches files, for which nodes of a cluster often have no network."""
    return any("address" in table for table in job.settings.get("published", {}).values())


def seconds(job: Job) -> float:
    """Rough CPU seconds of a job's work that grow with the configuration; none for a job that takes seconds at most."""
    return sum(charge.seconds for charge in charges(job)) if job.work in _GROWING else 0.0


def _more(attempt: int) -> int:
    """How many times as much as the first attempt this one asks for."""
    return int(2 ** (attempt - 1))
