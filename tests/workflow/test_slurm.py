"""The workflow on a real Slurm gives the same bytes as on one machine, and asks for what its jobs need."""

import re
import subprocess
import time
from collections import Counter
from importlib.util import find_spec

import pytest
from slurm_on_loopback import OPTIONS, slurm, why_not

CPUS, MEMORY = 4, 12_000

pytestmark = [pytest.mark.workflow, pytest.mark.slurm]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A Slurm of one node, for the tests of this file."""
    reason = why_not()
    if find_spec("snakemake_executor_plugin_slurm") is None:
        reason = "snakemake-executor-plugin-slurm is not installed (pip install -r requirements-slurm.txt)"
    if reason is not None:
        pytest.fail(f"{reason}. Hint: docs/large_runs.md says what the test needs")
    with slurm(tmp_path_factory.mktemp("slurm") / "daemons", CPUS, MEMORY):
        yield


def jobs_of_slurm():
    """What Slurm says of every job that it has had: a dict of words."""
    shown = subprocess.run(["scontrol", "-o", "show", "job"], check=True, capture_output=True, text=True).stdout
    return [dict(re.findall(r"(\w+)=(\S+)", line)) for line in shown.splitlines()]


def test_results_of_a_cluster_are_those_of_one_machine_to_the_last_byte(cluster, built, fresh):
    did = fresh.run(*OPTIONS, "--jobs", "8", "--slurm-array-jobs", "simulate_trials")
    # Of two jobs that are one by content, either may find what the other computed.
    assert did.keys() == built.did.keys()
    assert Counter(did.values()) == Counter(built.did.values())
    there, here = fresh.results(), built.results()
    assert there == here
    ran = jobs_of_slurm()
    assert len(ran) == len(did)
    assert {job["JobState"] for job in ran} == {"COMPLETED"}
    assert sum("ArrayTaskId" in job for job in ran) == 3
    # Each asked for memory and time of its own, and for one thread, since none is long.
    assert {job["NumCPUs"] for job in ran} == {"1"}
    assert {job["TimeLimit"] for job in ran} == {"00:11:00", "00:10:00"}


def test_a_job_that_was_ended_is_started_again_and_asks_for_more(cluster, fresh):
    known = {job["JobId"] for job in jobs_of_slurm()}
    target = "results/collect/table/runs.parquet"
    run = subprocess.Popen(**fresh.command(*OPTIONS, "--", target, stdout=subprocess.PIPE))
    first = wait_for_job(known)
    subprocess.run(["scancel", first["JobId"]], check=True)
    output, _ = run.communicate(timeout=300)
    assert run.returncode == 0, output
    again = wait_for_job(known | {first["JobId"]})
    assert jobs_of_slurm()[-2]["JobState"] == "CANCELLED"
    assert megabytes(again) == 2 * megabytes(first) > 0
    assert again["TimeLimit"] == "00:20:00"
    assert (fresh.folder / target).is_file()


def wait_for_job(known):
    """What Slurm says of the first job that it did not know before."""
    for _ in range(600):
        new = [job for job in jobs_of_slurm() if job["JobId"] not in known]
        if new:
            return new[0]
        time.sleep(0.1)
    pytest.fail("no job was submitted")


def megabytes(job):
    """Memory that a job asks for; Slurm writes 3G where it is a whole number of gigabytes."""
    number, unit = re.fullmatch(r"(.+?)([MG])", job["MinMemoryNode"]).groups()
    return float(number) * {"M": 1, "G": 1024}[unit]
