"""Measure rliable for benchmarks/rliable.py: python rliable_peer.py SCORES.npy REPLICATES PAIR_REPLICATES

Runs in the environment of rliable. Prints JSON, {work: {"cpu": s, "wall": s, "limits": ...}}, for one algorithm or one
pair.
"""

import json
import sys
import time

import numpy as np
from rliable import library, metrics


def aggregate(scores, n_resamples, functions):
    def values(table):
        return np.array([function(table) for function in functions])

    return library.get_interval_estimates({"a": scores}, values, reps=n_resamples)[1]["a"]


def timed(work):
    cpu, wall = time.process_time(), time.perf_counter()
    limits = work()
    measured = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    return measured | {"limits": np.asarray(limits).tolist()}


def probability_of_improvement(x, y, n_resamples):
    pair = {"a,b": (x, y)}
    return library.get_interval_estimates(pair, metrics.probability_of_improvement, reps=n_resamples)[1]["a,b"]


def measure(scores, n_resamples, pair_replicates):
    four = [getattr(metrics, f"aggregate_{name}") for name in ("median", "iqm", "mean", "optimality_gap")]
    grid = np.linspace(0.0, 2.0, 201)
    return {
        "iqm": timed(lambda: aggregate(scores[0], n_resamples, four[1:2])),
        "four": timed(lambda: aggregate(scores[0], n_resamples, four)),
        "profile": timed(
            lambda: library.create_performance_profile({"a": scores[0]}, grid, reps=pair_replicates)[1]["a"]
        ),
        "improvement": timed(lambda: probability_of_improvement(scores[0], scores[1], pair_replicates)),
    }


if __name__ == "__main__":
    print(json.dumps(measure(np.load(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
