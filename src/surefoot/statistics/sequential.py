"""A comparison of two algorithms that may be looked at after every run (anytime-valid inference).

A round is one new run of each algorithm on each task. On a task X wins (1), loses (0) or ties (1/2); the mean of these
outcomes over tasks and runs is P(X > Y), the probability of improvement. Rounds are independent of one another, and so
are tasks within a round unless said otherwise; nothing else is assumed.

The confidence sequence bets against each value m of the mean (Waudby-Smith and Ramdas, "Estimating means of bounded
random variables by betting", Journal of the Royal Statistical Society B 86, 2024; their hedged grid-Kelly bets). Who
starts with 1 and stakes the fraction f of the capital on outcomes above m has the product of 1 + f (w / m - 1) after
the outcomes w. In a round, M bets with the same f are made at once. Their expected product is that of 1 + f (p / m - 1)
over the tasks' own means p, which is at most the M-th power of its mean (the geometric mean is not above the
arithmetic one), and this is 1 if m is the mean of p. So at the ends of rounds the capital, and its mean over many f, is
a supermartingale: it ever reaches 2 / alpha with a probability of at most alpha / 2 (Ville's inequality), and so does
that of bets on outcomes below m. Values of m against which either capital has ever reached 2 / alpha are out, those
left are an interval, and the chance that the true mean is ever out is at most alpha. The order of the rounds does not
matter.
"""

import numpy as np
import pandas as pd

from surefoot.statistics.choices import check_confidence
from surefoot.statistics.draws import SPARE, draw_indices
from surefoot.statistics.improvement import replicate_improvement
from surefoot.statistics.interval_methods import interval
from surefoot.statistics.monte_carlo import fraction_error
from surefoot.statistics.score_pool import Scores, score_pool
from surefoot.statistics.ties import RELATIVE, score_places
from surefoot.streams import stream_key

STAKES = np.arange(1, 50) / 50.0
_HALVINGS = 30


def round_outcomes(x, y, decimals: int | str | None = RELATIVE, tasks_independent: bool = True) -> np.ndarray:
    """Does X win (1), tie (1/2) or lose (0)? float64[rounds, tasks].

    Parameters
    ----------
    x, y : float64[rounds, tasks], scores in the order in which they were collected
    decimals : which scores are ties; see `ties.score_places`
    tasks_independent : if not, as where a run is one training on all tasks, the tasks of a round are one outcome, their
        mean, float64[rounds, 1]; then many more rounds are needed

    Raises
    ------
    ValueError : tables of different shapes, or scores that are not finite
    """
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if x.shape != y.shape or x.ndim != 2 or x.size == 0:
        raise ValueError(
            f"sequential: scores of shapes {x.shape} and {y.shape}. Hint: rounds x tasks, as many of both; leave out "
            "rounds that are not complete."
        )
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("sequential: a score is not finite. Hint: leave out rounds that are not complete.")
    x, y = np.stack([score_places(task, decimals) for task in zip(x.T, y.T, strict=True)], axis=2)
    outcomes = (x > y) + 0.5 * (x == y)
    return outcomes if tasks_independent else outcomes.mean(axis=1, keepdims=True)


def log_capital(outcomes, mean: float) -> np.ndarray:
    """Logarithm of the capital after each round of bets that outcomes exceed `mean`: float64[rounds]; 0 < mean < 1."""
    growth = np.log1p(STAKES * (np.asarray(outcomes, np.float64)[..., None] / mean - 1.0)).sum(axis=1)
    return np.logaddexp.reduce(np.cumsum(growth, axis=0), axis=1) - np.log(STAKES.size)


def evidence(outcomes) -> np.ndarray:
    """Evidence against P(X > Y) = 1/2 after each round, float64[rounds]: an e-value that may be looked at at any time.

    If the mean is 1/2, it ever reaches 1 / alpha with a probability of at most alpha.
    """
    outcomes = np.asarray(outcomes, np.float64)
    return 0.5 * np.exp(log_capital(outcomes, 0.5)) + 0.5 * np.exp(log_capital(1.0 - outcomes, 0.5))


def confidence_sequence(outcomes, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Limits (low, high) of the mean after each round, float64[rounds]; all of them hold at once with `confidence`.

    Raises
    ------
    ValueError : outcomes that are not a table or outside of [0, 1]; a confidence outside (0, 1)
    """
    outcomes = np.asarray(outcomes, np.float64)
    if outcomes.ndim != 2 or outcomes.size == 0 or outcomes.min() < 0.0 or outcomes.max() > 1.0:
        raise ValueError("sequential: no rounds of outcomes from 0 to 1. Hint: take those of `round_outcomes`.")
    check_confidence("sequential", confidence)
    enough = np.log(2.0 / (1.0 - confidence))
    low, high = _lower_limits(outcomes, enough), 1.0 - _lower_limits(1.0 - outcomes, enough)
    return np.maximum.accumulate(low), np.minimum.accumulate(high)


def _lower_limits(outcomes, enough):
    """After each round, the smallest mean against which the capital, which falls with it, is below exp(enough).

    Outcomes have few values, so the capital follows from how often each has come; all rounds are bisected at once.
    """
    values, which = np.unique(outcomes, return_inverse=True)
    which = which.reshape(outcomes.shape)
    counts = np.cumsum((which[:, :, None] == np.arange(values.size)).sum(axis=1), axis=0)
    low, high = np.zeros(len(outcomes)), np.ones(len(outcomes))
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        growth = np.log1p(STAKES * (values[:, None] / middle[:, None, None] - 1.0))
        capital = np.logaddexp.reduce(np.einsum("tv,tvf->tf", counts, growth), axis=1) - np.log(STAKES.size)
        low, high = np.where(capital >= enough, middle, low), np.where(capital >= enough, high, middle)
    return low


def ordinary_limits(x, y, replicates: int = 500, confidence: float = 0.95, seed: int = 0):
    """Percentile limits (low, high) of P(X > Y) by the stratified bootstrap after each round, float64[rounds]; NaN
    after the first, since an interval by resampling needs two. Each is right by itself, and not all of them together.

    Parameters
    ----------
    x, y : as in `round_outcomes`
    """
    limits = np.full((2, len(x)), np.nan)
    for look in range(2, len(x) + 1):
        drawn = replicate_improvement(x[:look], y[:look], replicates, int(stream_key(seed, "look", look)[0]))
        limits[:, look - 1] = interval(drawn, None, "percentile", confidence)[:2]
    return limits[0], limits[1]


def false_alarms(
    x: Scores,
    y: Scores,
    rounds: int = 20,
    experiments: int = 200,
    replicates: int = 500,
    confidence: float = 0.95,
    seed: int = 0,
    tasks_independent: bool = True,
) -> pd.DataFrame:
    """How often an experimenter who looks after every round has ever found a difference, by simulation.

    Rounds are drawn from the runs of x and y with replacement, each task's on its own. Where x and y are the same
    runs, there is no difference and each finding is a false alarm.

    Parameters
    ----------
    x, y : scores, float64[runs, tasks] or one array a task
    rounds : how many are looked at; from the second on, since an interval by resampling needs two
    experiments : how many are simulated; replicates : resamples of each ordinary interval
    tasks_independent : as in `round_outcomes`; if not, runs are drawn whole, with all tasks, from those that all have

    Returns
    -------
    columns method ("percentile", the ordinary interval of P(X > Y), and "betting", the confidence sequence), round,
    alarms (fraction of the experiments in which 0.5 was outside at this look), ever (at this or an earlier look),
    standard_error (of ever)
    """
    out = {method: np.zeros((experiments, rounds), bool) for method in ("percentile", "betting")}
    pools = [score_pool(scores).task_scores() for scores in (x, y)]
    if not tasks_independent:
        pools = [[scores[: min(map(len, pool))] for scores in pool] for pool in pools]
    for experiment in range(experiments):
        drawn = [
            _drawn(pool, rounds, seed, name, experiment, tasks_independent)
            for pool, name in zip(pools, "xy", strict=True)
        ]
        low, high = confidence_sequence(round_outcomes(*drawn, tasks_independent=tasks_independent), confidence)
        out["betting"][experiment, 1:] = ((low > 0.5) | (high < 0.5))[1:]
        resampled = int(stream_key(seed, "false_alarms", experiment)[0])
        low, high = ordinary_limits(*drawn, replicates, confidence, resampled)
        out["percentile"][experiment] = (low > 0.5) | (high < 0.5)
    tables = []
    for method, outside in out.items():
        ever = np.logical_or.accumulate(outside, axis=1).mean(axis=0)
        columns = {"method": method, "round": np.arange(1, rounds + 1), "alarms": outside.mean(axis=0), "ever": ever}
        tables.append(pd.DataFrame(columns).assign(standard_error=fraction_error(ever, experiments)))
    return pd.concat(tables, ignore_index=True)


def _drawn(pool, rounds, seed, name, experiment, tasks_independent):
    """float64[rounds, tasks], runs of one experiment."""
    indices, columns = np.empty(rounds + SPARE, np.uint32), []
    for task, scores in enumerate(pool):
        of_task = (task,) if tasks_independent else ()
        draw_indices(stream_key(seed, "false_alarms", name, *of_task), experiment, scores.size, rounds, indices)
        columns.append(scores[indices[:rounds]])
    return np.array(columns).T
