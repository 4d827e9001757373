"""Processes that are ended by a signal: at a random file operation of theirs, or after a random time."""

import os
import random
import signal
import time
from collections.abc import Callable

from damaging import damaged_job
from ground import Ground, Outcome
from processes import Running, at_file_operation, job_command, start

OPERATIONS_OF_A_RUN = 400
SECONDS_OF_A_RUN = 0.5


def killed_job(ground: Ground, stream: random.Random, number: signal.Signals) -> Outcome:
    """A job is killed while it computes, its pieces being in the store or not."""
    job = stream.choice(ground.cheap)
    extent = ground.extents[job.spec]
    project = ground.project()
    ground.forget(project, job, units=stream.random() < 0.5)
    operation, seconds = _moment(stream, extent.operations, extent.seconds)
    ended = _killed(start(project, job_command(job), _kills_itself(operation, number)), seconds, number).wait()
    outcome = ground.judged(project, [ended] if number == signal.SIGINT else [])
    return outcome._replace(detail=f"{job.spec}, operation {operation}, after {seconds} s: {outcome.detail}")


def killed_planner(ground: Ground, stream: random.Random, number: signal.Signals) -> Outcome:
    """The process that plans, repairs and starts jobs is killed, or one of its jobs, after results were damaged."""
    project = ground.project()
    for job in stream.sample(ground.cheap, 3):
        damaged_job(ground, job, project, stream)
    ground.forget_some(project, stream, most=2)
    operation, seconds = _moment(stream, OPERATIONS_OF_A_RUN, SECONDS_OF_A_RUN)
    _killed(start(project, ground.next_run, _kills_itself(operation, number)), seconds, number).wait()
    # The damage was there before the kill, so results with other bytes are not looked for in between.
    outcome = ground.judged(project, expected=ground.hashes)
    while outcome.verdict == "refused" and "another run of the workflow is making results here" in outcome.detail:
        time.sleep(0.2)  # a job that outlived its run
        outcome = ground.judged(project, expected=ground.hashes)
    return outcome._replace(detail=f"operation {operation}, after {seconds} s: {outcome.detail}")


def _moment(stream: random.Random, operations: int, seconds: float) -> tuple[int | None, float | None]:
    """Either a file operation or a time, at which a process is killed."""
    if stream.random() < 0.5:
        return 1 + stream.randrange(operations), None
    return None, round(stream.uniform(0, seconds), 4)


def _kills_itself(operation: int | None, number: int) -> Callable[[], object]:
    if operation is None:
        return lambda: None
    return lambda: at_file_operation(operation, lambda: os.kill(os.getpid(), number))


def _killed(running: Running, seconds: float | None, number: int) -> Running:
    if seconds is not None:
        time.sleep(seconds)
        running.kill(number)
    return running
