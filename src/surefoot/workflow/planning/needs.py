"""Resources of jobs: memory, time and threads. No result depends on them.

A cluster kills jobs that use more than they requested, so the estimates are generous, and each further attempt requests
twice as much.
"""

import math
from collections.abc import Mapping
from typing import Any

from surefoot.workflow.job import MANY_RESAMPLES, Job, resamples
from surefoot.workflow.measured_seconds import seconds_of_intervals, seconds_of_plays, seconds_of_trial

ANSWERS = ("aggregate", "aggregate_with_weights", "estimate", "estimate_with_curves", "cover")
"""Rules that compute results of questions."""
PLAYS = ("simulate_plays", "simulate_plays_with_transitions")

SECONDS_OF_A_QUESTION = 0.2
"""Minimum CPU seconds of a question."""
_SECONDS_OF_A_REPLICATE = 2e-4
_SECONDS_OF_A_STUDIED_REPLICATE = 2e-3
"""CPU seconds per replicate of an interval in a coverage study."""
_SECONDS_OF_AN_EPISODE = 2e-4
"""CPU seconds per episode of a random policy."""

MARGIN = 3.0
"""Ratio of the requested to the estimated time, since estimates are means on one machine."""
START_MINUTES = 10
"""Minutes for starting and for compiling kernels, which took up to four minutes on two busy cores."""
START_MB = 1500
"""Memory of a process that compiles kernels (at most 500 MB as measured), and of two Snakemake processes on a cluster.
"""
MB_OF_AN_INPUT_MB = 20
"""Memory for runs divided by the size of their file: collecting four million runs took 600 MB, from files of 50 MB."""
MB_OF_A_POOL_MB = 0.6
"""Memory for a pool whose true scores are computed one environment at a time, divided by the size of its file: 1,900 MB
for a file of 3,900 MB with nine environments.
"""
RUNS_OF_A_CUT = 2.5e-2
"""Memory in MB for one run in each of a hundred cells."""

SECONDS_OF_A_THREAD = 600.0
"""CPU seconds of work per requested thread."""


def megabytes(job: Job, of_inputs: float, attempt: int = 1) -> int:
    """Return the memory to request, in MB.

    Parameters
    ----------
    of_inputs : total size of the input files, in MB
    attempt : number of the attempt, from 1
    """
    read = of_inputs * (MB_OF_A_POOL_MB if job.rule == "cover_summary" else MB_OF_AN_INPUT_MB)
    if job.rule == "collect_trials":  # one input at a time, of about the same sizes
        read /= len(job.inputs)
    if job.settings.get("design") == "cut":  # the runs of one block at a time
        read = min(read, job.settings["size"] * job.settings["block"] * RUNS_OF_A_CUT)
    return int(math.ceil(START_MB + read) * 2 ** (attempt - 1))


def minutes(job: Job, threads: int = 1, attempt: int = 1) -> int:
    """Return the time to request, in minutes.

    Parameters
    ----------
    threads : number of threads of the job
    attempt : number of the attempt, from 1
    """
    first = math.ceil(START_MINUTES + MARGIN * seconds(job) / threads / 60)
    return int(first * 2 ** (attempt - 1))


def threads(job: Job, most: int) -> int:
    """Return the number of threads of a job, which depends on the amount of work, up to `most`."""
    if job.rule != "simulate_trials" and job.rule not in ANSWERS:
        return 1
    if job.rule in ANSWERS and resamples(job.settings) >= MANY_RESAMPLES:
        return most
    return min(most, max(1, math.ceil(seconds(job) / SECONDS_OF_A_THREAD)))


def seconds(job: Job) -> float:
    """Return a rough estimate of the CPU seconds of a job; 0 for jobs that only take seconds."""
    settings = job.settings
    cells: Any = settings.get("cells", {}).values()
    if job.rule == "simulate_trials":
        return float(sum(_of_trials(cell, cell["trials"]) for cell in cells))
    if job.rule in PLAYS:
        total, trajectories = 0.0, settings.get("trajectories", 1)
        for entry in cells:
            learning = seconds_of_plays(entry["cell"], 0)
            mdps = math.ceil(entry["mdps"] / entry["block"]) * entry["block"]
            total += learning + trajectories * (seconds_of_plays(entry["cell"], mdps) - learning)
        return total
    if job.rule == "simulate_repeated_runs":
        own = [cell["settings"] for cell in cells]
        one = sum(_of_trials(cell, 1) if "algorithm" in cell else _SECONDS_OF_AN_EPISODE for cell in own)
        counts = {name: number for name, number in settings["numbers"].items() if name != "first_run"}
        return one * float(math.prod(len(count) if isinstance(count, list) else count for count in counts.values()))
    if job.rule == "cover_block":
        of_a_method = seconds_of_intervals(len(settings["variants"]), settings["size"], settings["n_resamples"])
        return float(len(settings["methods"]) * settings["datasets"] * of_a_method)
    if job.rule in ANSWERS:
        return SECONDS_OF_A_QUESTION + _SECONDS_OF_A_REPLICATE * _replicates(settings["question"], settings)
    if job.rule == "cover_trust":
        return _SECONDS_OF_A_STUDIED_REPLICATE * _replicates(settings, {})
    return 0.0


def _of_trials(cell: Mapping[str, Any], trials: int) -> float:
    return seconds_of_trial(cell["algorithm"], cell["environment"]) * trials


def _replicates(asked: Mapping[str, Any], shared: Mapping[str, Any]) -> int:
    """Return the total number of replicates over all data sets of a question, by default the study's n_resamples."""
    stated = [asked[name] for name in ("n_resamples", "datasets") if asked.get(name)]
    return math.prod(stated) if stated else shared.get("n_resamples", 1)
