"""The workflow on a real Slurm gives the same bytes as on one machine, and asks for what its jobs need."""

import re
import subprocess
import time
from collections import Counter
from importlib.util import find_spec

import pytest
from support.slurm_on_loopback import OPTIONS, slurm, why_not
from support.small_checkout import SAME_CONTENT

CPUS, MEMORY = 4, 12_000
SEVERAL_STUDIES = ("render/docs", "render/search")

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


def test_a_cluster_gives_the_bytes_of_one_machine(cluster, built, fresh):
    did = fresh.run(*OPTIONS, "--jobs", "8", "--slurm-array-jobs", "simulate_trials")
    assert {job: what for job, what in did.items() if job not in SAME_CONTENT} == {
        job: what for job, what in built.did.items() if job not in SAME_CONTENT
    }
    # Each of the two computes if both start at once; otherwise the second finds what the first computed.
    assert sorted(did[job] for job in SAME_CONTENT)[0] == "computed 0 of 0"
    there, here = fresh.results(), built.results()
    assert there == here
    ran = jobs_of_slurm()
    assert len(ran) == len(did)
    assert {job["JobState"] for job in ran} == {"COMPLETED"}
    assert sum("ArrayTaskId" in job for job in ran) == 3
    # Each asked for memory and time of its own, and for one thread, since none is long.
    assert {job["NumCPUs"] for job in ran} == {"1"}
    limits = Counter(job["TimeLimit"] for job in ran)
    assert limits.keys() == {"00:10:00", "00:11:00", "00:20:00"}
    # What draws, and what renders more than one study, asks for a time that does not depend on its work.
    assert limits["00:20:00"] == sum(name.startswith("draw/") or name in SEVERAL_STUDIES for name in did)


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
