"""How much of a run is done, and how long it will still take, while it goes on."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from surefoot.build.log_reading import JobLog
from surefoot.pipeline.forecast import Forecast
from surefoot.pipeline.machines import Machine, planned
from surefoot.pipeline.schedule import Planned, schedule

PRIOR_SECONDS = 20.0
"""Of work done as fast as was forecast, beside what the jobs of the run really took: a few short jobs tell little."""
_LEAST_SHARE = 0.1
"""Of a job's seconds so far, which it takes at least from now on, where it says nothing of the time left."""


class Progress(NamedTuple):
    """The state of a run.

    share : of its work that is done, from 0 to 1
    seconds_left : until its end
    """

    share: float
    seconds_left: float


def progress(
    asked: Sequence[Forecast],
    logs: Mapping[str, JobLog],
    machine: Machine,
    studies: Sequence[str],
    now: float,
) -> Progress:
    """How far a run is.

    Parameters
    ----------
    asked : what was to be made when it began
    logs : of the jobs that have started since, by the path of the job's manifest
    studies : in the order in which their simulations have priority
    now : seconds since the epoch
    """
    waiting = [each for each in asked if not each.made]
    jobs = planned(asked, machine, studies)
    pace = _pace(waiting, jobs, logs, now, machine)
    lost = _lost(waiting, logs)
    done = left = 0.0
    remaining: list[Planned] = []
    for position, (each, job) in enumerate(zip(waiting, jobs, strict=True)):
        log = logs.get(each.job.manifest)
        if position in lost or (log is not None and log.seconds is not None):
            seconds, ran = 0.0, (log.seconds or 0.0) if log is not None else 0.0
        elif log is not None:
            ran = max(now - log.started, 0.0)
            seconds = _left(log, pace * job.seconds, now)
        else:
            seconds, ran = pace * job.seconds, 0.0
        used = min(job.threads, max(1.0, each.seconds / max(each.seconds_on(job.threads), 1e-9)))
        done, left = done + ran * used, left + seconds * used
        # What runs has its cores already.
        remaining.append(job._replace(seconds=seconds, priority=1e9 if log is not None else job.priority))
    found = schedule(remaining, machine.cores, machine.most_jobs)
    return Progress(done / (done + left) if done + left > 0 else 1.0, found.seconds)


def _pace(
    waiting: Sequence[Forecast], jobs: Sequence[Planned], logs: Mapping[str, JobLog], now: float, machine: Machine
) -> float:
    """Seconds that the jobs of the run really took, divided by those that were forecast."""
    took = forecast = PRIOR_SECONDS
    for each, job in zip(waiting, jobs, strict=True):
        log = logs.get(each.job.manifest)
        if log is None or log.error is not None or log.hit:
            continue
        own = job.seconds - machine.seconds_of_a_job
        if log.seconds is not None:
            took, forecast = took + log.seconds, forecast + own
        elif log.left is not None:
            whole, share = _own_account(log, log.left)
            took, forecast = took + share**2 * whole, forecast + share**2 * own  # early it tells next to nothing
        elif now - log.started > own:  # it takes longer, no one knows how long
            took, forecast = took + now - log.started, forecast + own
    return took / forecast


def _left(log: JobLog, expected: float, now: float) -> float:
    """Seconds that a job which runs will still take, of which `expected` are expected in all.

    What it says itself counts as much as it has done: its parts differ, and the first bears what is done but once.
    """
    ran = now - log.started
    if log.left is not None:
        whole, share = _own_account(log, log.left)
        expected = share * whole + (1 - share) * expected
    return max(expected - ran, _LEAST_SHARE * ran)


def _own_account(log: JobLog, left: float) -> tuple[float, float]:
    """Seconds that a job takes in all as it says itself, and the share of them that had passed when it did."""
    ran = max(log.written - log.started, 0.0)
    whole = ran + left
    return whole, ran / whole if whole else 1.0


def _lost(waiting: Sequence[Forecast], logs: Mapping[str, JobLog]) -> set[int]:
    """The positions of the jobs that failed, and of all that wait for what these should have made."""
    paths: set[str] = set()
    lost = set()
    for position, each in enumerate(waiting):
        log = logs.get(each.job.manifest)
        if (log is not None and log.error is not None) or paths.intersection(each.job.inputs.values()):
            lost.add(position)
            paths.update(each.job.outputs.values())
    return lost
