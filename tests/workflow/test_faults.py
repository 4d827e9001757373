"""Whatever happens to a run, no byte is wrong: a few cases of the harness of faults (`benchmarks/faults`), and kills at
random moments."""

import contextlib
import csv
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from checkout import ROOT

CASES = 10

pytestmark = pytest.mark.workflow


def test_a_few_random_faults_end_with_the_undisturbed_bytes_or_a_sentence(tmp_path):
    counts = tmp_path / "faults.csv"
    options = ["--small", "--cases", str(CASES), "--seed", "3", "--folder", str(tmp_path), "--output", str(counts)]
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "faults"), *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with counts.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert sum(int(row["cases"]) for row in rows) == CASES
    assert sum(int(row["recovered"]) + int(row["refused"]) for row in rows) == CASES
    results = [row for row in rows if row["where"] in ("result", "manifest", "spec")]
    assert results and all(row["corrupted"] == row["named_by_check"] for row in results)


KILLS = 8


def assert_whole(checkout, undisturbed):
    """Every result that is in place is whole: it has the bytes of the undisturbed run, or can be read."""
    for path, content in checkout.results().items():
        if path.startswith(".partial/"):
            continue
        assert content == undisturbed[path], path


@pytest.mark.long
def test_kills_at_random_moments(built, fresh):
    undisturbed = built.results()
    checkout = fresh
    moments = random.Random(20)
    killed_in_a_job = 0
    for _ in range(KILLS):
        run = subprocess.Popen(
            **checkout.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(moments.uniform(3.0, 9.0))
        jobs_ran = subprocess.run(
            ["pgrep", "-g", str(run.pid), "-f", "python -m surefoot"], capture_output=True, check=False
        )
        killed_in_a_job += bool(jobs_ran.stdout)
        ended_by_itself = run.poll() is not None
        with contextlib.suppress(ProcessLookupError):  # it ended by itself
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        assert_whole(checkout, undisturbed)
        if ended_by_itself:
            # All was done: begin again, from the empty store.
            for folder in ("entries", "blobs"):
                subprocess.run(["rm", "-rf", checkout.store / folder], check=True)
            subprocess.run(["rm", "-rf", checkout.folder / "results"], check=True)
    assert killed_in_a_job >= KILLS // 4
    checkout.run()
    final = checkout.results()
    assert not any(path.startswith(".partial/") for path in final)
    assert final == undisturbed
