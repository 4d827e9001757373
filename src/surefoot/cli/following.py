"""follow: a process beside a run of the workflow that says from time to time how much of the work is done.

The run starts it and holds the other end of its standard input: it ends with the run, however that ends. It reads what
the jobs leave in their logs, so it knows of jobs on other machines as well, and a run does not wait for it.
"""

import argparse
import json
import select
import subprocess
import sys
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from surefoot.build.job import Job
from surefoot.build.log_reading import JobLog, read_job_log
from surefoot.build.spec_files import CONFIGURATION
from surefoot.build.store import store_folder

SECONDS_BEFORE_THE_FIRST = 10.0
"""Before a run says anything: most are over by then."""
_SECONDS_BETWEEN = 60.0
_LONGEST_BETWEEN = 1800.0
_SHARE_BETWEEN = 0.05
"""Of the time since the run began."""


def start_following(asked: Collection[str], cores: int | None) -> "subprocess.Popen[str]":
    """Start the process.

    Parameters
    ----------
    asked : manifests of the jobs that the run's targets ask for
    cores : of this machine that the run may use; None on a cluster
    """
    command = [sys.executable, "-m", "surefoot", "follow"]
    follower = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)
    assert follower.stdin is not None
    follower.stdin.write(json.dumps({"asked": sorted(asked), "cores": cores, "started": time.time()}) + "\n")
    follower.stdin.flush()
    return follower


def follow(options: argparse.Namespace) -> int:
    """Print a line from time to time until standard input ends."""
    made, after = None, SECONDS_BEFORE_THE_FIRST
    try:
        told: dict[str, Any] = json.loads(sys.stdin.readline())
        started = float(told["started"])
        while not _ended(started + after - time.time()):
            if made is None:  # what is heavy is imported by runs alone that last
                made = _forecasts(set(told["asked"]))
            print(_line(*made, told["cores"], started), file=sys.stderr, flush=True)
            elapsed = time.time() - started
            after = elapsed + min(max(_SECONDS_BETWEEN, _SHARE_BETWEEN * elapsed), _LONGEST_BETWEEN)
    except KeyboardInterrupt:  # which the run tells
        return 130
    return 0


def _ended(seconds: float) -> bool:
    """Wait so long; whether the run ended meanwhile."""
    return bool(select.select([sys.stdin], [], [], max(seconds, 0.0))[0])


def _forecasts(asked: Collection[str]) -> tuple[list[Any], list[str]]:
    from surefoot.cli.housekeeping import read_checked
    from surefoot.pipeline.calibration import calibration
    from surefoot.pipeline.forecast import forecast
    from surefoot.pipeline.plan import plan

    config = read_checked(CONFIGURATION)
    store = store_folder(None)
    jobs = [job for job in plan(config) if job.manifest in asked]
    return forecast(jobs, store, calibration(store)), list(config.studies)


def _line(asked: list[Any], studies: Sequence[str], cores: int | None, started: float) -> str:
    from surefoot.pipeline.machines import cluster, one_machine, span
    from surefoot.pipeline.time_left import progress

    logs = logs_of([each.job for each in asked], started)
    machine = cluster(1_000_000) if cores is None else one_machine(cores)
    found = progress(asked, logs, machine, studies, time.time())
    clock = time.strftime("%H:%M:%S")
    return f"[{clock}] Done {found.share:.0%} of the work, about {span(found.seconds_left)} left."


def logs_of(jobs: Sequence[Job], since: float) -> dict[str, JobLog]:
    """What the logs tell of the jobs that started since a time, by the path of the job's manifest."""
    found = {job.manifest: read_job_log(Path(job.log), since) for job in jobs}
    return {manifest: log for manifest, log in found.items() if log is not None}
