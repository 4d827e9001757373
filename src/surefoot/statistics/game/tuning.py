"""What other ways to collect data would have claimed: tune-and-report, and averages over tuning (Jordan et al. 2020,
section 3).

A trial of a complete algorithm draws its own hyperparameters, so trials are tuning candidates with one run each. Hence
`best_of_candidates` needs nothing but runs: it reports the best of k trials, as tuning without a fresh test does.
Everything that runs the same hyperparameters again (`tune_and_report`, `tuning_average`) needs an array of
performances[candidates, runs], whose rows are further simulations of the same hyperparameters.

`best_setting_means` is what reporting a maximum does to the mean (Agarwal et al. 2021, Figure 5).
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
from numba import njit
from scipy.special import gammaln

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, rank_values
from surefoot.statistics.resampling.kernels import draw_indices
from surefoot.statistics.runs.samples import samples_from_runs
from surefoot.streams import below, start_stream, stream_key


def expected_best(sample: Floats, candidates: int) -> float:
    """Expected greatest of `candidates` runs drawn from the sample without replacement.

    An unbiased estimate of the expected greatest of as many independent runs: the sum over the ascending scores x_t
    of x_t C(t-1, k-1)/C(N, k).
    """
    x, k = np.sort(np.asarray(sample, np.float64)), candidates
    t = np.arange(k, x.size + 1)
    log_share = (
        gammaln(t) - gammaln(k) - gammaln(t - k + 1) - (gammaln(x.size + 1) - gammaln(k + 1) - gammaln(x.size - k + 1))
    )
    # Not as a product of vectors: that of BLAS adds in another order on another processor.
    return float((np.exp(log_share) * x[k - 1 :]).sum())


def best_of_candidates(runs: pd.DataFrame, candidates: list[int]) -> pd.DataFrame:
    """Expected score of the best of k trials, by algorithm and environment, beside complete data collection.

    Parameters
    ----------
    runs : columns algorithm, environment, score, cell; one row per run
    candidates : numbers k of trials; 1 is complete data collection, the mean of the runs

    Returns
    -------
    columns candidates, environment, algorithm, value, rank; without the environments in which some algorithm has fewer
    runs than candidates

    Raises
    ------
    ValueError : see `samples_from_runs`; so many candidates that no environment is left
    """
    samples = samples_from_runs(runs)
    fewest = samples.sizes.min(axis=0)
    if min(candidates) > fewest.max():
        raise HintedError("tuning", f"{min(candidates)} candidates of {fewest.max()} runs", "fewer candidates")
    tables = []
    for k in candidates:
        for j, environment in enumerate(samples.environments):
            if k > fewest[j]:
                continue
            value = np.array([expected_best(samples.pair(i, j), k) for i in range(len(samples.algorithms))])
            columns = {"candidates": k, "environment": environment, "algorithm": samples.algorithms, "value": value}
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
    """Repeat three evaluations of one algorithm in one environment, each with everything drawn anew.

    complete_data_collection : one run of each of `candidates` hyperparameters; their mean.
    tune_and_report : each of `candidates` hyperparameters is run `tuning_runs` times, and the one with the best mean
        `reported_runs` times more, which are reported.
    tuning_average : in each iteration of the same tuning, one fresh run of the best hyperparameters so far; the
        average of these over all iterations (Dabney 2014).

    Parameters
    ----------
    performances : float64[hyperparameters, runs]: a row is runs of the same hyperparameters, in any order
    candidates : how many hyperparameters are tried, at most the rows
    tuning_runs, reported_runs : together at most the columns
    repetitions : how often each evaluation is repeated

    Returns
    -------
    columns procedure, repetition, value, claimed_error (the standard error that the procedure reports with its value,
    empty for tuning_average), runs (that the procedure needed)

    Raises
    ------
    ValueError : more is asked for than the array holds
    """
    hyperparameters, columns = performances.shape
    if candidates > hyperparameters or tuning_runs + reported_runs > columns:
        raise HintedError(
            "tuning",
            f"{candidates} candidates with {tuning_runs} + {reported_runs} runs do not fit {hyperparameters} "
            f"hyperparameters with {columns} runs each",
            "simulate the same hyperparameters more often",
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
    return pd.DataFrame(rows, columns=["procedure", "repetition", "value", "claimed_error", "runs"])


def summarize_procedures(table: pd.DataFrame) -> pd.DataFrame:
    """What each procedure claims and how sure it says it is, beside how much it really varies.

    table : as `compare_procedures` makes it

    Returns
    -------
    columns procedure, value (mean over repetitions), deviation (of the values, over repetitions), claimed_error (mean),
    runs
    """
    grouped = table.groupby("procedure", sort=False)
    columns = {"value": ("value", "mean"), "deviation": ("value", "std"), "claimed_error": ("claimed_error", "mean")}
    return grouped.agg(**columns, runs=("runs", "first")).reset_index()


def procedure_table(
    repeats: pd.DataFrame, candidates: int, tuning_runs: int, reported_runs: int, repetitions: int, seed: int
) -> pd.DataFrame:
    """What each procedure claims of every algorithm in every environment; see `compare_procedures`.

    Parameters
    ----------
    repeats : columns algorithm, environment, candidate, run, score: as many runs of every candidate

    Returns
    -------
    columns environment, algorithm, procedure, value, deviation, claimed_error, runs, and rank: of the algorithms, by
    value, under this procedure in this environment
    """
    tables = {}
    for pair, group in repeats.groupby(["environment", "algorithm"], sort=False):
        performances = group.pivot(index="candidate", columns="run", values="score").to_numpy()
        compared = compare_procedures(performances, candidates, tuning_runs, reported_runs, repetitions, seed)
        tables[pair] = summarize_procedures(compared)
    table = pd.concat(tables, names=["environment", "algorithm"]).reset_index([0, 1]).reset_index(drop=True)
    values = table.groupby(["environment", "procedure"], sort=False)["value"]
    return table.assign(rank=values.transform(lambda value: rank_values(value.to_numpy())))


@njit(cache=True, nogil=True, error_model="numpy")
def _shuffled(key: npt.NDArray[np.uint64], repetition: int, performances: Floats, candidates: int) -> Floats:
    """Random rows, float64[candidates, runs], without repeats, and the runs of each in random order."""
    rows, columns = performances.shape
    stream = np.empty(4, np.uint64)
    start_stream(key, repetition, stream)
    row, column = np.arange(rows), np.arange(columns)
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
    scores: Floats, settings: int = 8, runs: int = 3, replicates: int = 20_000, seed: int = 0
) -> Floats:
    """Mean scores of each task where the best of several settings is reported, though the settings do nothing.

    Parameters
    ----------
    scores : float64[runs, tasks] of one algorithm
    settings, runs : how many settings are tried, and how many whole runs, drawn with replacement, each is tried with

    Returns
    -------
    float64[replicates, tasks]
    """
    scores = np.asarray(scores, np.float64)
    key, found = stream_key(seed, "best_setting", settings, runs), np.empty((replicates, scores.shape[1]))
    for replicate in range(replicates):
        indices = draw_indices(key, replicate, len(scores), settings * runs)
        drawn = scores[indices].reshape(settings, runs, -1)
        found[replicate] = drawn.mean(axis=1).max(axis=0)
    return found
