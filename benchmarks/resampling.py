"""Compare the time of the bootstrap with the time to draw the runs: python benchmarks/resampling.py [--small]

Prints the CPU seconds, on one thread, of 50,000 replicates of four metrics (6 algorithms, 26 tasks, 100 runs) and of
10,000 replicates of the evaluation game (11 algorithms, 15 environments, 10,000 runs), extrapolated from a part of the
replicates; the time to draw an index for every run (`fill_indices`); the time to draw counts instead, as the bootstrap
does (`draw_counts`); and the ratios of the first time to the other two. Each number is the median of seven
measurements.
"""

import argparse
import time

import numpy as np
import pandas as pd
from intervals import stand_in_runs
from numba import njit
from rliable import aggregate, drawing_time, generated_scores

from surefoot.statistics.intervals.bootstrap import replicate_scores
from surefoot.statistics.metrics.metric_catalogue import FOUR_METRICS
from surefoot.statistics.metrics.metric_kernels import BLOCK
from surefoot.statistics.resampling.resampling_kernels import draw_counts
from surefoot.statistics.runs.samples import samples_from_runs
from surefoot.streams import stream_key


@njit(nogil=True)
def count_only(key, blocks, runs, counts):
    for block in range(blocks):
        draw_counts(key, block, runs, runs, counts)


def counting_time(draws, runs):
    """Return the CPU seconds to draw counts for a total of `draws` draws, `runs` in each replicate."""
    blocks, counts, key = max(draws // (160 * runs * BLOCK), 1), np.empty((runs, BLOCK), np.uint8), stream_key(0, "b")
    count_only(key, 1, runs, counts)
    return cpu_seconds(count_only, key, blocks, runs, counts) * draws / (blocks * runs * BLOCK)


def cpu_seconds(work, *arguments):
    start = time.process_time()
    work(*arguments)
    return time.process_time() - start


def measure(small=False, rounds=7):
    """Return a table with a row for the four metrics and one for the game.

    Columns: work, indices, counts and ours (CPU seconds), "ours by indices" and "ours by counts" (ratios).
    """
    scores = generated_scores(3, 20, 4) if small else generated_scores()
    samples = samples_from_runs(stand_in_runs(3, 2, 50) if small else stand_in_runs(11, 15, 10_000))
    works = [
        (
            "four metrics",
            scores.shape[1],
            scores.size,
            50_000,
            1 if small else 782,
            lambda n: aggregate(scores, FOUR_METRICS, n, 1),
        ),
        ("game", int(samples.sizes.min()), samples.sizes.sum(), 10_000, 1 if small else 8, lambda n: play(samples, n)),
    ]
    rows = []
    for name, runs, size, n_resamples, blocks, work in works:
        part, draws = blocks * BLOCK, int(size) * n_resamples
        work(1)
        times = np.array(
            [
                (
                    drawing_time(draws, runs),
                    counting_time(draws, runs),
                    cpu_seconds(work, part) * n_resamples / part,
                )
                for _ in range(rounds)
            ]
        )
        ratios = times[:, 2:] / times[:, :2]
        rows.append((f"{name}, {n_resamples} replicates", *np.median(times, axis=0), *np.median(ratios, axis=0)))
    return pd.DataFrame(rows, columns=["work", "indices", "counts", "ours", "ours by indices", "ours by counts"])


def play(samples, n_resamples):
    return replicate_scores(samples, 0, n_resamples, "as_published")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--small", action="store_true", help="small samples: a test of this program, not of its speed")
    print(measure(parser.parse_args().small).to_string(index=False))
