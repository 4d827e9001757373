"""Ctrl-C or SIGTERM in the midst of work: a job ends within seconds, also where a compiled kernel does not look up."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from studying import make, planned

import surefoot
from surefoot.build.files import canonical_json
from surefoot.build.job import specification
from surefoot.build.kernel_cache import OWN_KERNELS
from surefoot.build.runner import PARTIAL

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
    "simulate": {"sources": {"runs": TRIALS}, "questions": {"game_scores": {}}},
    "estimate": {
        "sources": {"runs": TABLE},
        "scales": {"runs": {"kind": "min_max"}},
        "questions": {"aggregates": {"metrics": ["iqm"], "methods": ["percentile"], "replicates": 12_000_000}},
    },
}


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def with_inputs(jobs):
    """The first of some jobs that takes long, with its inputs made and its spec written."""
    job = next(job for job in jobs if job.stage in ("simulate", "estimate", "cover"))
    if job.inputs:
        make(jobs[: jobs.index(job)], lambda other: other.stage in ("collect", "normalize"))
    Path(job.spec).parent.mkdir(parents=True, exist_ok=True)
    Path(job.spec).write_text(canonical_json(specification(job)))
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
    command = [sys.executable, "-m", "surefoot", "job", job.spec, "--log", job.log, "--threads", "2"]
    variables = os.environ | {"PYTHONPATH": str(SOURCE)}
    run = subprocess.Popen(command, env=variables, stderr=subprocess.PIPE, text=True, start_new_session=True)
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
    assert not any(PARTIAL.glob("*")) and not any(Path(tempfile.gettempdir()).glob(f"{OWN_KERNELS}@*@{run.pid}@*"))


CHILD = "import os; print(os.getppid(), flush=True); import time; time.sleep(60)"
PARENT = f"""
import subprocess, sys
from surefoot.build.errors import end_children
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
