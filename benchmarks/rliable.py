"""Compare the speed of the resampling with rliable 1.2.0.

    python benchmarks/rliable.py OUT.csv [--small] [--peer-python PYTHON]

Both compute the same intervals from the same generated scores. rliable is installed from
benchmarks/rliable_requirements.txt into a temporary environment (it needs pandas < 3), unless --peer-python names a
Python that has it, and runs in one thread. Its time is extrapolated if `work` says so: it was measured on a part of the
work and multiplied. `bound` is the time to draw the runs alone: a bootstrap that draws every run cannot be faster.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from itertools import combinations
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the peer runs on one core, as ours does

import numpy as np
import pandas as pd
from numba import njit

from surefoot.statistics.comparison.probability_of_improvement import replicate_improvement
from surefoot.statistics.metrics.metric_catalogue import FOUR_METRICS
from surefoot.statistics.profiles.performance_profiles import replicate_profiles
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.resampling_kernels import fill_indices
from surefoot.statistics.resampling.stratified_bootstrap import replicate_metrics
from surefoot.streams import stream_key

COLUMNS = ["work", "size", "threads", "ours", "peer", "unit", "ratio", "bound"]
HERE = Path(__file__).resolve().parent
GRID = np.linspace(0.0, 2.0, 201)


def generated_scores(algorithms=6, runs=100, tasks=26, seed=0):
    """Return skewed scores, float64[algorithms, runs, tasks], a tenth of them rounded so that there are ties."""
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(-1.2, 1.0, tasks)
    skill = np.linspace(0.0, 0.5, algorithms)[:, None, None]
    scores = np.exp(rng.normal(difficulty + skill, 0.5, (algorithms, runs, tasks)))
    return np.where(rng.random(scores.shape) < 0.1, scores.round(2), scores)


def run_peer(scores, n_resamples, pair_replicates, python=None):
    """Return the measurements of rliable that rliable_peer.py prints."""
    with tempfile.TemporaryDirectory() as folder:
        if python is None:
            venv.create(folder, with_pip=True)
            python = Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python"
            install = [python, "-m", "pip", "install", "--quiet", "-r", HERE / "rliable_requirements.txt"]
            subprocess.run(install, check=True)
        table = Path(folder) / "scores.npy"
        np.save(table, scores)
        # -P keeps this folder, which has a module named rliable, out of the search path.
        command = [python, "-P", HERE / "rliable_peer.py", table, str(n_resamples), str(pair_replicates)]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    return json.loads(done.stdout)


def aggregate(scores, metrics, n_resamples, threads):
    """Return percentile limits of the metrics of each algorithm, float64[algorithms, 2, metrics]."""
    found = []
    for number, table in enumerate(scores):
        drawn = replicate_metrics(table, metrics, n_resamples, 0, f"a{number}", threads=threads)
        found.append(interval(drawn, None)[:2])
    return np.array(found)


def performance_profiles(scores, n_resamples, threads):
    drawn = (
        replicate_profiles(table, GRID, n_resamples=n_resamples, name=f"a{number}", threads=threads)
        for number, table in enumerate(scores)
    )
    return np.array([interval(one, None)[:2] for one in drawn])


def improvements(scores, pairs, n_resamples, threads):
    found = []
    for a, b in pairs:
        drawn = replicate_improvement(scores[a], scores[b], n_resamples, 0, (f"a{a}", f"a{b}"), threads=threads)
        found.append(interval(drawn, None)[:2])
    return np.array(found)


@njit(nogil=True)
def draw_only(key, blocks, runs):
    total = 0
    for block in range(blocks):
        total += fill_indices(key, block, runs, 16 * runs)[0]
    return total


def drawing_time(draws, runs):
    """Return the CPU seconds to draw `draws` indices below `runs`."""
    blocks, key = max(draws // (160 * runs), 1), stream_key(0, "benchmark")
    draw_only(key, 1, runs)
    start = time.process_time()
    draw_only(key, blocks, runs)
    return (time.process_time() - start) * draws / (blocks * 16 * runs)


def timed(work, threads):
    """Return the CPU seconds and the wall-clock seconds of the work in `threads` threads."""
    cpu, wall = time.process_time(), time.perf_counter()
    work(threads)
    return time.process_time() - cpu, time.perf_counter() - wall


def works(scores, n_resamples, pair_replicates):
    """Return a tuple (name, part, parts, draws, ours) for each work to measure.

    The peer measures `part`; the whole work has `parts` of it and draws `draws` indices. ours(threads, share=1) does
    the work, or with fewer replicates a share of it. One pair comes last: after all pairs, its kernels are compiled.
    """
    algorithms, runs, tasks = scores.shape
    pairs = list(combinations(range(algorithms), 2))
    draws = runs * tasks
    part = f"(peer: one of {algorithms} algorithms, extrapolated)"
    one, four = ("iqm",), FOUR_METRICS
    return [
        (
            f"aggregate: IQM, {n_resamples} replicates {part}",
            *("iqm", algorithms, algorithms * draws * n_resamples),
            lambda threads, share=1: aggregate(scores, one, n_resamples // share, threads),
        ),
        (
            f"aggregate: median, IQM, mean, optimality gap, {n_resamples} replicates {part}",
            *("four", algorithms, algorithms * draws * n_resamples),
            lambda threads, share=1: aggregate(scores, four, n_resamples // share, threads),
        ),
        (
            f"profile: {GRID.size} thresholds, {pair_replicates} replicates {part}",
            *("profile", algorithms, algorithms * draws * pair_replicates),
            lambda threads, share=1: performance_profiles(scores, pair_replicates // share, threads),
        ),
        (
            f"improvement: all {len(pairs)} pairs, {pair_replicates} replicates (peer: one pair, extrapolated)",
            *("improvement", len(pairs), 2 * len(pairs) * draws * pair_replicates),
            lambda threads, share=1: improvements(scores, pairs, pair_replicates // share, threads),
        ),
        (
            f"improvement: one pair, {pair_replicates} replicates",
            *("improvement", 1, 2 * draws * pair_replicates),
            lambda threads, share=1: improvements(scores, [(0, 1)], pair_replicates // share, threads),
        ),
    ]


def check_agreement(name, ours, peer):
    """Assert that limits differ by less than 35 % of the interval's width, and on average by less than 4 %."""
    ours, peer = np.asarray(ours[0]), np.asarray(peer["limits"]).reshape(np.shape(ours[0]))
    width = np.maximum(ours[1] - ours[0], 1e-2)
    far = np.abs(ours - peer) / width
    assert far.max() < 0.35 and far.mean() < 0.04, f"{name}: the limits differ by {far.max():.2f} widths"


def measure(small=False, peer_python=None):
    """Return the table of all measurements.

    small : use few replicates and no peer, to test this program
    """
    scores = generated_scores(3, 10, 4) if small else generated_scores()
    n_resamples, pair_replicates = (400, 200) if small else (50_000, 2_000)
    peers = {} if small else run_peer(scores, n_resamples, pair_replicates, peer_python)
    rows = []
    for name, part, parts, draws, ours in works(scores, n_resamples, pair_replicates):
        found = ours(1, 4)
        if (part in peers and name.startswith(("aggregate", "profile"))) or (parts == 1 and peers):
            check_agreement(name, ours(1), peers[part])
        assert np.isfinite(found).all()
        size = " x ".join(f"{n} {what}" for n, what in zip(scores.shape, ("algorithms", "runs", "tasks"), strict=True))
        bound = drawing_time(draws, scores.shape[1])
        for threads in (1, 2):
            cpu, wall = np.min([timed(ours, threads) for _ in range(3)], axis=0)
            peer = peers.get(part, {"cpu": np.nan, "wall": np.nan})
            rows.append((name, size, threads, cpu, parts * peer["cpu"], "CPU s", bound))
            rows.append((name, size, threads, wall, parts * peer["wall"], "wall s", bound / threads))
    table = pd.DataFrame(rows, columns=["work", "size", "threads", "ours", "peer", "unit", "bound"])
    table["ratio"] = table["peer"] / table["ours"]
    return table[COLUMNS]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="where to write the table (CSV)")
    parser.add_argument("--small", action="store_true", help="few scores and no peer: a test of this program")
    parser.add_argument("--peer-python", type=Path, help="a Python that has rliable, instead of a new environment")
    arguments = parser.parse_args()
    table = measure(arguments.small, arguments.peer_python)
    table.to_csv(arguments.out, index=False)
    print(table.to_string(index=False), file=sys.stderr)
