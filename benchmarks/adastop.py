"""Compare surefoot.group_sequential with AdaStop: two algorithms, compared after every five runs, at most five times.

    python benchmarks/adastop.py [--draws 500] [--peer-python PYTHON]

Both programs get the same normal scores, once with equal means (at most 5 % of these comparisons may separate the
algorithms) and once with means that differ by one standard deviation. AdaStop 0.1.3 is installed with pip into a new
environment, unless --peer-python names a Python that has it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import numpy as np

SHIFTS, GROUPS, SIZE = (0.0, 1.0), 5, 5
PEER = """
import json, sys, time
import numpy as np
from adastop import MultipleAgentsComparator

for scores in json.load(sys.stdin):
    separated, runs, looks, start = 0, 0, 0, time.process_time()
    for number, (x, y) in enumerate(np.array(scores)):
        comparator = MultipleAgentsComparator(n=x.shape[1], K=len(x), B=10_000, alpha=0.05, seed=number)
        for look in range(1, len(x) + 1):
            comparator.partial_compare({"x": x[:look].ravel(), "y": y[:look].ravel()}, verbose=False)
            (decision,) = comparator.decisions.values()
            if decision != "continue":
                break
        separated += decision in ("larger", "smaller")
        runs += look * x.shape[1]
        looks += look
    print(json.dumps([separated / len(scores), runs / len(scores), 1000 * (time.process_time() - start) / looks]))
"""
"""Prints the share of separated pairs, the mean number of runs per algorithm, and CPU milliseconds per look."""


def drawn(shift: float, draws: int) -> np.ndarray:
    """Return normal scores, float64[draws, 2, groups, runs], of which the first algorithm's are higher by `shift`."""
    scores = np.random.default_rng(7).normal(size=(draws, 2, GROUPS, SIZE))
    scores[:, 0] += shift
    return scores


def ours(scores: np.ndarray) -> list[float]:
    """Return for Surefoot the three numbers that the program `PEER` prints for AdaStop."""
    from surefoot.statistics.comparison.group_sequential import group_sequential

    group_sequential(scores[0], GROUPS)  # compiles
    start = time.process_time()
    found = [group_sequential(one, GROUPS, seed=number) for number, one in enumerate(scores)]
    milliseconds = 1000 * (time.process_time() - start) / sum(one.looks for one in found)
    separated = np.mean([one.separated[0] > 0 for one in found])
    return [float(separated), float(np.mean([SIZE * one.groups[0] for one in found])), milliseconds]


def peer_python(folder: Path) -> Path:
    """Install AdaStop into a new environment in `folder` and return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "adastop==0.1.3"], check=True)
    return python


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--peer-python", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = options.peer_python or peer_python(Path(folder))
        samples = [drawn(shift, options.draws) for shift in SHIFTS]
        given = json.dumps([scores.tolist() for scores in samples])
        done = subprocess.run([python, "-c", PEER], input=given, stdout=subprocess.PIPE, text=True, check=True)
    theirs = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    print("shift  program   separated  runs of each  CPU ms a look")
    for shift, scores, peer in zip(SHIFTS, samples, theirs, strict=True):
        for name, (separated, runs, milliseconds) in (("Surefoot", ours(scores)), ("AdaStop", peer)):
            print(f"{shift:5.1f}  {name:8}  {separated:9.3f}  {runs:12.1f}  {milliseconds:13.1f}")


if __name__ == "__main__":
    sys.exit(main())
