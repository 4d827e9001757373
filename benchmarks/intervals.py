"""Compare the speed of the statistics with plain numpy: python benchmarks/intervals.py OUT.csv [--small]

Both do the same work on the same generated samples. The peer is straightforward numpy: searchsorted for each pair, the
dense matrix of the game, elimination by LAPACK. A time is extrapolated if `work` says so: it was measured on a part of
the work and multiplied. Methods without another implementation have no peer. `bound` is the time to draw the random
numbers alone on the same number of cores: a bootstrap that draws every run cannot be faster.
"""

import argparse
import os
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the peer runs on one core, as ours does

import numpy as np
import pandas as pd
from numba import njit

from surefoot.statistics.coverage.score_coverage import CoverageOptions, cover_block
from surefoot.statistics.game.evaluation_game import move_matrix, play
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.game.score_limits import score_limits
from surefoot.statistics.intervals.bootstrap import replicate_scores
from surefoot.statistics.intervals.distribution_bands import band_half_width
from surefoot.statistics.intervals.estimation import limits_of_scores
from surefoot.statistics.intervals.interval_catalogue import Options
from surefoot.statistics.intervals.payoff_limits import pbp as pbp_limits
from surefoot.statistics.runs.samples import samples_from_runs, score_range
from surefoot.streams import next_integer, start_stream, stream_key

COLUMNS = ["work", "size", "threads", "ours", "peer", "unit", "ratio", "bound"]
KEY = stream_key(0, "benchmark")


def stand_in_runs(algorithms, environments, runs, seed=0):
    """Return a run table of skewed scores; in every other environment they are rounded to 0.01, for ties."""
    rng = np.random.default_rng(seed)
    skill = np.linspace(1.0, -0.5, algorithms)
    parts = []
    for j in range(environments):
        for i in range(algorithms):
            score = -100 * np.exp(rng.normal(rng.normal(0, 0.5) - skill[i], 0.8, runs))
            name = f"algorithm_{i}"
            score = score.round(2) if j % 2 else score
            parts.append(
                pd.DataFrame({"algorithm": name, "environment": f"environment_{j}", "score": score, "cell": name})
            )
    return pd.concat(parts, ignore_index=True)


def seconds(work, repeats=3):
    """Return the shortest wall-clock time of `repeats` calls, after a first call that is not measured."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def once(work):
    """Return the wall-clock time of a single call, for work that takes long."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def plain_payoffs(drawn):
    """Return the payoffs of the sorted samples drawn[i][j], by binary search."""
    n, m = len(drawn), len(drawn[0])
    z = np.full((n, m, n), 0.5)
    for i in range(n):
        for j in range(m):
            for k in range(n):
                if i != k:
                    below = np.searchsorted(drawn[k][j], drawn[i][j], side="right")
                    z[i, j, k] = below.mean() / drawn[k][j].size
    return z


def plain_scores(z):
    """Return the scores by elimination on the dense matrix of the game."""
    z = z.reshape(z.shape[0], -1)
    size = z.size
    system = np.eye(size) - (size - 1) / size * move_matrix(z)
    d = np.linalg.solve(system.T, np.full(size, 1 / size**2)).reshape(z.shape)
    return z @ d.sum(axis=0)


def plain_payoff_limits(samples, delta):
    """Return PBP's limits of the payoffs as published, computed with numpy for each pair."""
    n, m = samples.sizes.shape
    half_width = band_half_width(samples.sizes, delta / (n * m))
    low, high = np.full((n, m, n), 0.5), np.full((n, m, n), 0.5)
    for j in range(m):
        a, b = score_range(samples, j)
        for i in range(n):
            for k in range(n):
                if i != k:
                    x, y = samples.pair(i, j), samples.pair(k, j)
                    points = np.concatenate([[a], x, [b]])
                    f = np.searchsorted(y, points, side="right") / y.size
                    f_low = np.where(points >= b, 1.0, np.maximum(f - half_width[k, j], 0.0))
                    f_high = np.where(points >= b, 1.0, np.minimum(f + half_width[k, j], 1.0))
                    share = np.arange(x.size + 1) / x.size
                    low[i, j, k] = f_low[-2] - np.diff(f_low)[:-1] @ np.minimum(1, share[:-1] + half_width[i, j])
                    high[i, j, k] = 1.0 - np.diff(f_high)[1:] @ np.maximum(0, share[1:] - half_width[i, j])
    return low, high


def plain_upper_limit(low, high, algorithm):
    """Return an algorithm's upper limit as published, by policy iteration with elimination on dense matrices."""
    n = low.shape[0]
    low, high = low.reshape(n, -1), high.reshape(n, -1)
    columns, size = low.shape[1], low.size
    eta, discount = 1 / (n + columns - 2), (low.size - 1) / low.size
    row, column = np.divmod(np.arange(size), columns)
    p_moves, q_moves = column[:, None] == column[None, :], row[:, None] == row[None, :]
    np.fill_diagonal(p_moves, False)
    np.fill_diagonal(q_moves, False)
    u, v = low.ravel(), high.ravel()
    below, near = v[:, None] < u[None, :], np.isclose(u[:, None], u[None, :], rtol=2.0**-26, atol=0)
    near &= np.isclose(v[:, None], v[None, :], rtol=2.0**-26, atol=0)
    better = (p_moves & below) | (q_moves & below.T)
    worse = (p_moves & below.T) | (q_moves & below)
    undecided = (p_moves | q_moves) & ~better & ~worse
    known = np.where(better, eta, np.where(undecided & near, eta / 50, 0.0))
    undecided &= ~near
    reward, value = np.tile(high[algorithm], n), np.zeros(size)
    for _ in range(400):
        moves = known + np.where(undecided & (value[None, :] > value[:, None]), eta, 0.0)
        np.fill_diagonal(moves, 1 - moves.sum(axis=1))
        value, before = np.linalg.solve(np.eye(size) - discount * moves, reward), value
        if 2 * discount * np.abs(value - before).max() < 1e-7:
            return np.abs(value).mean() * (1 - discount)
    raise ArithmeticError("policy iteration did not end")


def plain_replicate(samples, rng):
    """Return the scores of one bootstrap replicate."""
    n, m = samples.sizes.shape
    drawn = [[np.sort(rng.choice(samples.pair(i, j), samples.sizes[i, j])) for j in range(m)] for i in range(n)]
    return plain_scores(plain_payoffs(drawn))


@njit(nogil=True)
def draw_integers(key, count):
    stream = np.empty(4, np.uint64)
    start_stream(key, 0, stream)
    total = np.uint64(0)
    for _ in range(count):
        total ^= next_integer(stream)
    return total


def measure(small=False):
    """Return the table of all measurements.

    small : use small samples, to test this program
    """
    n, m, size, n_resamples = (4, 3, 200, 320) if small else (11, 15, 10_000, 10_000)
    samples = samples_from_runs(stand_in_runs(n, m, size))
    place = f"{n} algorithms x {m} environments x {size} runs"
    rows = [*measure_point_values(samples, place), *measure_limits(samples, place)]
    rows += measure_student(samples, place)
    rows += measure_bootstrap(samples, place, n_resamples)
    rows += measure_coverage(*((3, 2, 40, 50) if small else (4, 9, 10_000, 1000)))
    table = pd.DataFrame(rows, columns=["work", "size", "threads", "ours", "peer", "bound"])
    table.insert(5, "unit", "s")
    table.insert(6, "ratio", table["peer"] / table["ours"])
    return table[COLUMNS]


def measure_point_values(samples, place):
    n, m = samples.sizes.shape
    ascending = [[samples.pair(i, j) for j in range(m)] for i in range(n)]
    z = payoffs(samples)
    assert np.allclose(plain_payoffs(ascending), z, atol=1e-12)
    assert np.allclose(plain_scores(z), play(z).scores, atol=1e-10)
    yield "payoffs", place, 1, seconds(lambda: payoffs(samples)), seconds(lambda: plain_payoffs(ascending), 1), np.nan
    ours, peer = seconds(lambda: play(z), 20), seconds(lambda: plain_scores(z))
    yield "scores of one game", f"{z.size} strategies", 1, ours, peer, np.nan


def measure_limits(samples, place):
    n = len(samples.algorithms)
    low, high = plain_payoff_limits(samples, 0.05)
    greatest = score_limits(low, high, "as_published", KEY)[1]
    peer = once(lambda: plain_payoff_limits(samples, 0.05))
    peer += 2 * n * once(lambda: np.testing.assert_allclose(plain_upper_limit(low, high, 0), greatest[0], atol=1e-8))
    for threads in (1, 2):
        ours = seconds(lambda threads=threads: pbp(samples, threads))
        yield f"PBP: {2 * n} limits (peer: one limit, extrapolated)", place, threads, ours, peer, np.nan


def pbp(samples, threads):
    return score_limits(*pbp_limits(samples, Options(0.05), "as_published"), "as_published", KEY, threads)


def measure_student(samples, place):
    ours = seconds(lambda: limits_of_scores(samples, "pbp_t", Options(0.05), ("corrected",)))
    yield "pbp_t, corrected", place, 1, ours, np.nan, np.nan


def measure_coverage(n, m, size, n_resamples):
    """Yield a row: PBP and the bootstrap on one data set of a study of coverage, the mean of four data sets."""
    pools = stand_in_runs(n, m, 2 * size)
    samples = samples_from_runs(stand_in_runs(n, m, size))
    options = CoverageOptions(n_resamples=n_resamples, variants=("as_published",))
    cover_block(pools, ["pbp", "bootstrap"], size, 0, 1, options)
    ours = once(lambda: cover_block(pools, ["pbp", "bootstrap"], size, 0, 4, options)) / 4
    low, high = plain_payoff_limits(samples, 0.05)
    rng = np.random.default_rng(0)
    peer = once(lambda: plain_payoff_limits(samples, 0.05)) + 2 * n * once(lambda: plain_upper_limit(low, high, 0))
    peer += n_resamples * seconds(lambda: plain_replicate(samples, rng), 2)
    work = (
        f"coverage: one data set, PBP and {n_resamples} replicates (peer: one limit and two replicates, extrapolated)"
    )
    yield work, f"{n} algorithms x {m} environments x {size} runs", 1, ours, peer, np.nan


def measure_bootstrap(samples, place, n_resamples):
    rng = np.random.default_rng(0)
    peer = seconds(lambda: plain_replicate(samples, rng), 2) * n_resamples
    draws = int(samples.sizes.sum()) * n_resamples
    bound = seconds(lambda: draw_integers(KEY, draws // 100)) * 100
    replicate_scores(samples, 0, 1, "as_published")
    for threads in (1, 2):
        ours = once(lambda threads=threads: replicate_scores(samples, 0, n_resamples, "as_published", threads))
        work = f"bootstrap: {n_resamples} replicates (peer: two replicates, extrapolated)"
        yield work, place, threads, ours, peer, bound / threads


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="where to write the table (CSV)")
    parser.add_argument("--small", action="store_true", help="small samples: a test of this program, not of its speed")
    arguments = parser.parse_args()
    table = measure(arguments.small)
    table.to_csv(arguments.out, index=False)
    print(table.to_string(index=False))
