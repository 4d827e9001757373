"""A few cases of the harness of faults (`benchmarks/faults`): none goes wrong, and `check` names what is corrupted."""

import csv
import subprocess
import sys

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
