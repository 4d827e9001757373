"""Ctrl-C or SIGTERM in the midst of work: a job ends within seconds, also where a compiled kernel does not look up."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.one_study import make, planned

import surefoot
from surefoot.workflow.folder import UNFINISHED, begin
from surefoot.workflow.job import Job, versions
from surefoot.workflow.planning.plan import WORK

SOURCE = Path(surefoot.__file__).parents[1]
MOST_SECONDS = 3.0
SECONDS_OF_WORK = 6.0
"""CPU seconds after which a job is in the midst of its work: it starts and loads its kernels in less."""

TRIALS = {
    "kind": "trials",
    "algorithms": ["ppo", "sarsa"],
    "environments": ["pinball_single"],
    "trials": 100,
    "block": 100,
}
TABLE = {"kind": "score_table", "file": "config/example_scores.csv"}
STUDIES = {
    "simulate": {"sources": {"runs": TRIALS}, "questions": {"evaluation_game_scores": {}}},
    "estimate": {
        "sources": {"runs": TABLE},
        "scales": {"runs": {"kind": "min_max"}},
        "questions": {"aggregate_metrics": {"metrics": ["iqm"], "methods": ["percentile"], "n_resamples": 12_000_000}},
    },
}


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


SCRIPT = """
import json, sys
from types import SimpleNamespace
from surefoot.workflow.runner import run
from {module} import {function}


class Parameters(SimpleNamespace):
    def get(self, name):
        return None


told = json.loads(sys.argv[1])
run(SimpleNamespace(**told | {{"params": Parameters(**told["params"])}}), {function})
"""


def command_of(job: Job) -> list[str]:
    """What Snakemake starts: the script of the job's rule, which is told of the job."""
    module, _, function = WORK[job.rule].rpartition(".")
    parameters = {"settings": job.plain_settings(), "code": job.code(), "versions": versions(job.stage)}
    told = {"rule": job.rule, "wildcards": job.name, "threads": 2, "log": [job.log], "params": parameters}
    told |= {"input": job.inputs, "output": job.outputs}
    return [sys.executable, "-c", SCRIPT.format(module=module, function=function), json.dumps(told)]


def with_inputs(jobs):
    """The first of some jobs that takes long, with its inputs made."""
    job = next(job for job in jobs if job.stage in ("simulate", "estimate", "cover"))
    if job.inputs:
        make(jobs[: jobs.index(job)], lambda other: other.stage in ("collect", "normalize"))
    return job


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads how busy a process is from /proc")
@pytest.mark.parametrize(("name", "number"), [("simulate", signal.SIGINT), ("estimate", signal.SIGTERM)])
def test_a_job_ends_within_seconds(name, number, tmp_path, monkeypatch):
    monkeypatch.chdir(SOURCE.parent)
    jobs = planned(STUDIES[name])
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath(TABLE["file"]).parent.mkdir()
    shutil.copy(SOURCE.parent / TABLE["file"], TABLE["file"])
    job = with_inputs(jobs)
    variables = os.environ | {"PYTHONPATH": str(SOURCE)}
    run = subprocess.Popen(command_of(job), env=variables, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        while run.poll() is None and cpu_seconds(run.pid) < SECONDS_OF_WORK:
            time.sleep(0.1)
        assert run.poll() is None, run.communicate()
        begun = time.perf_counter()
        os.killpg(run.pid, number)
        _, said = run.communicate(timeout=10 * MOST_SECONDS)
        seconds = time.perf_counter() - begun
    finally:
        run.kill()
    print(f"{name}: ended after {seconds:.2f} s")
    assert seconds < MOST_SECONDS
    assert run.returncode == 128 + number, said
    assert said.count("surefoot: interrupted: nothing is left half-written.") == 1
    assert "\nerror     interrupted: nothing is left half-written" in Path(job.log).read_text()
    assert not any(map(os.path.exists, job.outputs.values()))
    begin({})  # as the next run does
    assert not any(Path("results").rglob(f"{UNFINISHED}*"))


CHILD = "import os; print(os.getppid(), flush=True); import time; time.sleep(60)"
PARENT = f"""
import subprocess, sys
from surefoot.workflow.interrupts import end_children
end_children()
sys.exit(subprocess.run([sys.executable, "-c", {CHILD!r}]).returncode + 128)
"""


def test_the_end_of_a_parent_alone_ends_its_children():
    """As of `surefoot report`, which starts a run, which starts jobs; and at once where there is none yet."""
    variables = os.environ | {"PYTHONPATH": str(SOURCE)}
    with subprocess.Popen([sys.executable, "-c", PARENT], env=variables, stdout=subprocess.PIPE, text=True) as run:
        assert int(run.stdout.readline()) == run.pid, "the child is there"
        os.kill(run.pid, signal.SIGTERM)
        assert run.wait(MOST_SECONDS) == 128 - signal.SIGTERM and run.stdout.read() == ""


WITH_TIMERS = """
import threading
from surefoot.workflow.interrupts import cancel_timers

others = [threading.Timer(0.1, print, ["kept"])]
others[0].start()
threading.Timer(60, print, ["late"]).start()
cancel_timers(others)
"""


def test_a_process_waits_only_for_timers_of_others():
    command = [sys.executable, "-c", WITH_TIMERS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "kept\n"
