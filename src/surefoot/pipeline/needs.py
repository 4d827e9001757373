"""What a job needs of the machine that runs it: memory, time and threads. Estimates, from which no result follows.

A cluster ends a job that takes more than it asked for, so these are generous; the next attempt asks for twice as much.
"""

import math
from collections.abc import Mapping
from typing import Any

from surefoot.bayesian.costs import cost as play_cost
from surefoot.build.job import Job, resamples
from surefoot.simulation.costs import cost as trial_cost
from surefoot.statistics.coverage.costs import cost as intervals_cost

MARGIN = 3.0
"""Time asked for, divided by what the costs say, which are means on one machine."""
START_MINUTES = 10
"""Of starting and of compiling kernels, which took up to four minutes on two cores that had other work."""
START_MB = 1500
"""Of a process that compiles kernels, at most 500 as measured, and of the two of Snakemake above it on a cluster."""
MB_OF_AN_INPUT_MB = 20
"""Of runs in memory, divided by their file: collecting four million took 600 MB, and their files had 50."""
RUNS_OF_A_CUT = 2.5e-2
"""MB of a run of each cell, of a hundred cells."""

SECONDS_OF_A_THREAD = 1800.0
"""Of work for which a cluster is asked for another thread: more threads wait longer for a node."""
MANY_RESAMPLES = 10_000
"""With fewer, a job would wait for all cores of a machine to be free for longer than it takes."""
_SECONDS_OF_A_REPLICATE = 2e-4
_SECONDS_OF_A_STUDIED_REPLICATE = 2e-3
"""Of an interval whose failures are counted."""

_TRIALS = "surefoot.sources.trials.simulating:simulate"
_PLAYS = "surefoot.sources.plays.playing:play"
_REPEATED = "surefoot.sources.protocols:simulate"
_INTERVALS = "surefoot.questions.coverage.blocks:intervals"
_ANSWERS = "surefoot.questions.answers:answer"
_FAILURES = "surefoot.questions.failure_rates:answer"


def megabytes(job: Job, of_inputs: float, attempt: int = 1) -> int:
    """Memory to ask for, in MB.

    Parameters
    ----------
    of_inputs : the size of its input files, in MB
    attempt : 1 for the first
    """
    read = of_inputs * MB_OF_AN_INPUT_MB
    if job.settings.get("design") == "cut":  # the runs of one block at a time
        read = min(read, job.settings["size"] * job.settings["block"] * RUNS_OF_A_CUT)
    return math.ceil(START_MB + read) * _more(attempt)


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
    if job.work not in (_TRIALS, _ANSWERS):
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
    settings = job.settings
    if job.work == _TRIALS:
        return sum(_whole(cell) * trial_cost(*_names(cell)) for cell in settings["cells"].values())
    if job.work == _PLAYS:
        return sum(play_cost(entry["cell"], entry["mdps"]) for entry in settings["cells"].values())
    if job.work == _REPEATED:
        several: int = math.prod(settings["numbers"].values())
        cells = [cell["settings"] for cell in settings["cells"].values()]
        return several * sum(trial_cost(*_names(cell)) for cell in cells if "algorithm" in cell)
    if job.work == _INTERVALS:
        methods = len(settings["methods"]) * len(settings["variants"])
        datasets: int = settings["datasets"]
        return datasets * intervals_cost(methods, settings["size"], settings["replicates"])
    if job.work == _ANSWERS:
        return _SECONDS_OF_A_REPLICATE * sum(_replicates(asked, settings) for asked in settings["questions"].values())
    if job.work == _FAILURES:
        return _SECONDS_OF_A_STUDIED_REPLICATE * _replicates(settings, {})
    return 0.0


def _more(attempt: int) -> int:
    """How many times as much as the first attempt this one asks for."""
    return int(2 ** (attempt - 1))


def _whole(cell: Mapping[str, Any]) -> int:
    """Trials of a cell: whole blocks are computed."""
    trials, block = cell["trials"], cell["block"]
    return int(-(-trials // block) * block)


def _names(cell: Mapping[str, Any]) -> tuple[str, str]:
    return cell["algorithm"], cell["environment"]


def _replicates(asked: Mapping[str, Any], shared: Mapping[str, Any]) -> int:
    """Replicates of all data sets of a question; those of the study where it states none of its own."""
    stated = [asked[name] for name in ("replicates", "datasets") if asked.get(name)]
    return math.prod(stated) if stated else shared.get("replicates", 1)
