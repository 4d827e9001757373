"""Results that other evaluation procedures would report (Jordan et al. 2020, section 3).

A trial of a complete algorithm draws its own hyperparameters, so trials are tuning candidates with one run each. Hence
`best_of_candidates` needs only a run table. It computes the best of k trials, which is what tuning without a fresh test
would report. The procedures that repeat hyperparameters, "tune_and_report" and "tuning_average", need several runs with
the same hyperparameters (`compare_procedures`).

`best_setting_means` shows how reporting a maximum inflates the mean (Agarwal et al. 2021, Figure 5).
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
from numba import njit
from scipy.special import gammaln

from surefoot.errors import HintedError, counted
from surefoot.statistics.arrays import Floats, rank_values
from surefoot.statistics.resampling.resampling_kernels import draw_indices
from surefoot.statistics.runs.samples import samples_from_runs
from surefoot.streams import below, start_stream, stream_key


def expected_best(sample: Floats, candidates: int) -> float:
    """Return an unbiased estimate of the expected maximum of `candidates` independent runs.

    The estimate is the mean of the maxima of all subsets of k runs: the sum of x_t C(t-1, k-1)/C(N, k) over the
    ascending scores x_t.
    """
    x = np.sort(np.asarray(sample, np.float64))
    k = candidates
    t = np.arange(k, x.size + 1)
    log_share = (
        gammaln(t) - gammaln(k) - gammaln(t - k + 1) - (gammaln(x.size + 1) - gammaln(k + 1) - gammaln(x.size - k + 1))
    )
    # An inner product would be summed by BLAS, in an order that depends on the processor.
    return float((np.exp(log_share) * x[k - 1 :]).sum())


def best_of_candidates(runs: pd.DataFrame, candidates: list[int]) -> pd.DataFrame:
    """Estimate the expected score of the best of k trials, for each algorithm and environment.

    Parameters
    ----------
    runs : DataFrame
        Columns algorithm, environment, score, cell; one row per run.
    candidates : list of int
        Numbers k of trials. With k = 1, the result is the mean of the runs ("complete data collection").

    Returns
    -------
    DataFrame
        Columns candidates, environment, algorithm, estimate, rank. For each k, environments in which any algorithm has
        fewer than k runs are left out.

    Raises
    ------
    ValueError
        See `samples_from_runs`; or if no environment is left.
    """
    samples = samples_from_runs(runs)
    fewest = samples.sizes.min(axis=0)
    if min(candidates) > fewest.max():
        what = f"cannot choose {min(candidates)} candidates from {counted(int(fewest.max()), 'run')}"
        raise HintedError("tuning", what, "use fewer candidates")
    tables = []
    for k in candidates:
        for j, environment in enumerate(samples.environments):
            if k > fewest[j]:
                continue
            value = np.array([expected_best(samples.pair(i, j), k) for i in range(len(samples.algorithms))])
            columns = {"candidates": k, "environment": environment, "algorithm": samples.algorithms, "estimate": value}
            tables.append(pd.DataFrame(columns | {"rank": rank_values(value)}))
    return pd.concat(tables, ignore_index=True)


def compare_procedures(
    performances: Floats,
    candidates: int,
    tuning_runs: int,
    reported_runs: int,
    repetitions: int,
    seed: int,
) -> pd.DataFrame:
    """Simulate three evaluation procedures of one algorithm in one environment.

    complete_data_collection : one run is made with each candidate, and the mean of these runs is reported.
    tune_and_report : each candidate is run `tuning_runs` times. The candidate with the best mean is run `reported_runs`
        times more, and the mean of these fresh runs is reported.
    tuning_average : after each candidate has been run `tuning_runs` times, one fresh run is made with the best
        candidate so far. The mean of all these fresh runs is reported (Dabney 2014).

    Parameters
    ----------
    performances : float64[settings, runs]
        Scores. Each row holds runs with the same hyperparameters, in any order.
    candidates : int
        Number of settings to try, at most the number of rows.
    tuning_runs, reported_runs : int
        Numbers of runs; their sum is at most the number of columns.
    repetitions : int
        Number of repetitions of each procedure, each with different random candidates and runs.
    seed : int

    Returns
    -------
    DataFrame
        Columns procedure, repetition, estimate, claimed_error (the standard error that the procedure reports, empty for
        tuning_average), runs (number of runs that the procedure needs).

    Raises
    ------
    ValueError
        If the array is too small.
    """
    hyperparameters, columns = performances.shape
    if candidates > hyperparameters or tuning_runs + reported_runs > columns:
        raise HintedError(
            "tuning",
            f"{candidates} candidates with {tuning_runs} + {reported_runs} runs each were requested, but there are "
            f"only {hyperparameters} settings with {columns} runs each",
            "simulate more settings, or more runs with the same hyperparameters",
        )
    key = stream_key(seed, "tuning")
    rows: list[tuple[str, int, float, float, int]] = []
    for repetition in range(repetitions):
        drawn = _shuffled(key, repetition, np.asarray(performances, np.float64), candidates)
        best = np.maximum.accumulate(drawn[:, :tuning_runs].mean(axis=1))
        leader = np.maximum.accumulate(np.where(np.append(True, np.diff(best) > 0), np.arange(candidates), 0))
        tested = drawn[leader[-1], tuning_runs : tuning_runs + reported_runs]
        fresh = drawn[leader, tuning_runs + np.arange(candidates) % (drawn.shape[1] - tuning_runs)]
        for procedure, values, runs in (
            ("complete_data_collection", drawn[:, 0], candidates),
            ("tune_and_report", tested, candidates * tuning_runs + reported_runs),
        ):
            error = values.std(ddof=1) / np.sqrt(values.size) if values.size > 1 else np.nan
            rows.append((procedure, repetition, values.mean(), error, runs))
        rows.append(("tuning_average", repetition, fresh.mean(), np.nan, candidates * (tuning_runs + 1)))
    return pd.DataFrame(rows, columns=["procedure", "repetition", "estimate", "claimed_error", "runs"])


def summarize_procedures(table: pd.DataFrame) -> pd.DataFrame:
    """Summarize each procedure over its repetitions, to compare its claimed with its true standard error.

    Parameters
    ----------
    table : DataFrame
        Result of `compare_procedures`.

    Returns
    -------
    DataFrame
        Columns procedure, estimate (mean over repetitions), deviation (standard deviation of the estimates over
        repetitions), claimed_error (mean), runs.
    """
    grouped = table.groupby("procedure", sort=False)
    columns = {
        "estimate": ("estimate", "mean"),
        "deviation": ("estimate", "std"),
        "claimed_error": ("claimed_error", "mean"),
    }
    return grouped.agg(**columns, runs=("runs", "first")).reset_index()


def procedure_table(
    repeats: pd.DataFrame, candidates: int, tuning_runs: int, reported_runs: int, repetitions: int, seed: int
) -> pd.DataFrame:
    """Simulate and summarize the procedures for each algorithm in each environment.

    Parameters
    ----------
    repeats : DataFrame
        Columns algorithm, environment, candidate, run, score, with the same number of runs of every candidate.
    candidates, tuning_runs, reported_runs, repetitions, seed : int
        See `compare_procedures`.

    Returns
    -------
    DataFrame
        Columns environment, algorithm, procedure, estimate, deviation, claimed_error, runs (see
        `summarize_procedures`), and rank (of the algorithm by estimate, for each environment and procedure).
    """
    tables = {}
    for pair, group in repeats.groupby(["environment", "algorithm"], sort=False):
        performances = group.pivot(index="candidate", columns="run", values="score").to_numpy()
        compared = compare_procedures(performances, candidates, tuning_runs, reported_runs, repetitions, seed)
        tables[pair] = summarize_procedures(compared)
    table = pd.concat(tables, names=["environment", "algorithm"]).reset_index([0, 1]).reset_index(drop=True)
    values = table.groupby(["environment", "procedure"], sort=False)["estimate"]
    return table.assign(rank=values.transform(lambda value: rank_values(value.to_numpy())))


@njit(cache=True, nogil=True, error_model="numpy")
def _shuffled(key: npt.NDArray[np.uint64], repetition: int, performances: Floats, candidates: int) -> Floats:
    """Draw distinct rows at random, and shuffle each of them, float64[candidates, runs]."""
    rows, columns = performances.shape
    stream = np.empty(4, np.uint64)
    start_stream(key, repetition, stream)
    row = np.arange(rows)
    column = np.arange(columns)
    drawn = np.empty((candidates, columns))
    for c in range(candidates):
        other = c + below(stream, rows - c)
        row[c], row[other] = row[other], row[c]
        for t in range(columns):
            other = t + below(stream, columns - t)
            column[t], column[other] = column[other], column[t]
            drawn[c, t] = performances[row[c], column[t]]
    return drawn


def best_setting_means(
    scores: Floats, settings: int = 8, runs: int = 3, n_resamples: int = 20_000, seed: int = 0
) -> Floats:
    """Simulate the mean score on each task if the best of several settings without any effect is reported.

    Parameters
    ----------
    scores : float64[runs, tasks]
        Scores of one algorithm.
    settings : int, default 8
        Number of settings.
    runs : int, default 3
        Number of runs per setting, drawn with replacement and with their scores on all tasks.
    n_resamples : int, default 20_000
    seed : int, default 0

    Returns
    -------
    float64[replicates, tasks]
    """
    scores = np.asarray(scores, np.float64)
    key = stream_key(seed, "best_setting", settings, runs)
    means = np.empty((n_resamples, scores.shape[1]))
    for replicate in range(n_resamples):
        indices = draw_indices(key, replicate, len(scores), settings * runs)
        drawn = scores[indices].reshape(settings, runs, -1)
        means[replicate] = drawn.mean(axis=1).max(axis=0)
    return means
