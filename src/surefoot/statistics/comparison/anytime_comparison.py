"""Compare two algorithms after every run (anytime-valid inference).

A round is one new run of each algorithm on each task. On each task, the outcome is a win of X (1), a loss (0) or a tie
(1/2). The mean outcome over tasks and runs estimates P(X > Y), the probability of improvement. Rounds are assumed to be
independent. The tasks of a round may depend on each other, unless they are treated as independent.

The confidence sequence bets against each value m of the mean (the hedged grid-Kelly bets of Waudby-Smith and Ramdas,
"Estimating means of bounded random variables by betting", Journal of the Royal Statistical Society B 86, 2024). A
bettor who starts with a capital of 1, and always stakes the fraction f of it on outcomes above m, has the product of
1 + f (w / m - 1) over all outcomes w. Whatever the dependence between tasks, a round can be one bet on the mean of its
outcomes. If tasks are independent, a round can be M bets with the same f, made at once. Their expected product is the
product of 1 + f (p / m - 1) over the mean outcomes p of the tasks. It is at most the M-th power of the mean of these
factors (the geometric mean is not above the arithmetic mean), which is 1 if m is the mean of p. So after each round,
the capital, and its mean over many f, is a supermartingale: the probability that it ever reaches 2 / alpha is at most
alpha / 2 (Ville's inequality). The same holds for the capital of bets on outcomes below m. Values of m against which
either capital has ever reached 2 / alpha are excluded. The remaining values form an interval, and the probability that
the true mean is ever excluded is at most alpha.

If it is unknown whether tasks are independent, each round is one bet until at least ten earlier rounds show that
outcomes are no more correlated than M bets tolerate (`shared_run_test.running_inflation`). So the way to bet on a round
is decided before its outcomes are known. The best stakes are much smaller for M bets than for one bet. So separate
capitals with separate stakes are computed from rounds of one bet and of M bets, and multiplied. If tasks are
independent, the product is a supermartingale whatever the earlier rounds show, and the guarantee is exact. If tasks are
dependent, it can only fail through rounds that were wrongly treated as independent. In simulations (see
`surefoot.validation.sequential_error_rates`), it holds for run effects of any size over 50 rounds, even if both
algorithms fail on all tasks at once in one run of 50. It does not hold for common failures so rare that they do not
occur in many rounds.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from surefoot.progress import followed
from surefoot.statistics.arrays import Booleans, Floats, score_places
from surefoot.statistics.comparison.probability_of_improvement import replicate_improvement
from surefoot.statistics.coverage.failure_rates import fraction_error
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.resampling.resampling_kernels import draw_indices
from surefoot.statistics.runs.samples import Scores, score_pool
from surefoot.statistics.runs.shared_run_test import FEWEST, TOLERATED, running_inflation
from surefoot.streams import stream_key

STAKES = np.arange(1, 50) / 50.0
_STAKE_OF_A_ROUND = 2.0
_HALVINGS = 30


def round_outcomes(x: Floats, y: Floats) -> Floats:
    """Return the outcome of each round for X on each task, float64[rounds, tasks]: win (1), tie (1/2) or loss (0).

    Parameters
    ----------
    x, y : float64[rounds, tasks], scores in the order in which they were collected
    """
    x, y = np.stack([score_places(task) for task in zip(x.T, y.T, strict=True)], axis=2)
    return (x > y) + 0.5 * (x == y)


def round_bets(outcomes: Floats, tasks_independent: bool | str = "auto") -> Floats:
    """Return the outcomes to bet on in each round, float64[rounds, tasks].

    If the tasks of a round are treated as independent, its row has the outcomes of the tasks. Otherwise, the row has
    the mean outcome, followed by NaN.

    Parameters
    ----------
    outcomes : float64[rounds, tasks], result of `round_outcomes`
    tasks_independent : True for tasks with separate runs and seeds; False if one training run covers all tasks,
        which needs more rounds; "auto" treats tasks as independent in a round if at least ten earlier rounds have shown
        that outcomes of tasks are not correlated. If tasks are independent, this happens within 20 rounds in one of six
        comparisons, and within 50 rounds in one of three
    """
    apart = np.full(len(outcomes), tasks_independent != "auto" and bool(tasks_independent))
    if tasks_independent == "auto":
        apart[FEWEST:] = running_inflation(outcomes)[2][FEWEST - 1 : -1] <= TOLERATED
    bets = np.full(outcomes.shape, np.nan)
    bets[:, 0] = outcomes.mean(axis=1)
    bets[apart] = outcomes[apart]
    return bets


def log_capital(outcomes: Floats, mean: float) -> Floats:
    """Return the log capital after each round, float64[rounds], of a bettor who bets that outcomes exceed `mean`.

    outcomes : float64[rounds, bets], result of `round_bets`
    mean : between 0 and 1
    """
    values, counts = _counted(outcomes)
    growth = np.log1p(_stakes(outcomes)[:, None, :] * (values[:, None] / mean - 1.0))
    return _log_mean(counts @ growth).sum(axis=0)


def _stakes(outcomes: Floats) -> Floats:
    """Return the stakes for rounds of one bet and for rounds of several bets, float64[2, stakes].

    If there are rounds of both kinds, the stakes of a round of several bets add up to at most 2. The tasks were then
    found to be independent from earlier rounds, but all bets of a later round may still win together.
    """
    bets = np.isfinite(outcomes).sum(axis=1)
    chosen = bets.min() == 1 and bets.max() > 1
    return np.stack([STAKES, STAKES * min(1.0, _STAKE_OF_A_ROUND / bets.max()) if chosen else STAKES])


def _counted(outcomes: Floats) -> tuple[Floats, Floats]:
    """Count how often each outcome has occurred up to each round.

    Returns
    -------
    values : float64[values], the distinct outcomes
    counts : float64[2, rounds, values], counts in rounds with one bet, and in rounds with several bets
    """
    bet = ~np.isnan(outcomes)
    rounds, _ = np.nonzero(bet)
    values, which = np.unique(outcomes[bet], return_inverse=True)
    counts = np.zeros((2, len(outcomes), values.size))
    np.add.at(counts, ((bet.sum(axis=1) > 1).astype(int)[rounds], rounds, which), 1.0)
    return values, np.cumsum(counts, axis=1)


def _log_mean(growth: Floats) -> Floats:
    """Return the log of the mean capital over the stakes (the last axis), from log capitals."""
    return np.logaddexp.reduce(growth, axis=-1) - np.log(STAKES.size)


def evidence(outcomes: Floats) -> Floats:
    """Return the anytime-valid evidence (an e-value) against P(X > Y) = 1/2 after each round, float64[rounds].

    If P(X > Y) is 1/2, the probability that the evidence ever reaches 1 / alpha is at most alpha.

    outcomes : result of `round_bets`
    """
    return 0.5 * np.exp(log_capital(outcomes, 0.5)) + 0.5 * np.exp(log_capital(1.0 - outcomes, 0.5))


def confidence_sequence(outcomes: Floats, confidence_level: float = 0.95) -> tuple[Floats, Floats]:
    """Return limits (low, high) of P(X > Y) after each round, float64[rounds] each, valid for all rounds at once.

    Parameters
    ----------
    outcomes : float64[rounds, bets], result of `round_bets`
    """
    enough = np.log(2.0 / (1.0 - confidence_level))
    low = _lower_limits(outcomes, enough)
    high = 1.0 - _lower_limits(1.0 - outcomes, enough)
    return np.maximum.accumulate(low), np.minimum.accumulate(high)


def left_out(outcomes: Floats, mean: float, confidence_level: float = 0.95) -> Booleans:
    """Return True for rounds after which the confidence sequence excludes `mean`, bool[rounds].

    This is faster than `confidence_sequence`, which tries sixty values of the mean.

    outcomes : float64[rounds, bets], result of `round_bets`
    """
    enough = np.log(2.0 / (1.0 - confidence_level))
    reached = (log_capital(outcomes, mean) >= enough) | (log_capital(1.0 - outcomes, 1.0 - mean) >= enough)
    return np.asarray(np.logical_or.accumulate(reached))


def _lower_limits(outcomes: Floats, enough: float) -> Floats:
    """Return after each round the smallest mean for which the log capital is below `enough`, float64[rounds].

    The capital of bets on outcomes above the mean decreases with the mean, so bisection is used, for all rounds at
    once.
    """
    values, counts = _counted(outcomes)
    stakes = _stakes(outcomes)
    low = np.zeros(len(outcomes))
    high = np.ones(len(outcomes))
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        growth = np.log1p(stakes[:, None, None, :] * (values[:, None] / middle[:, None, None] - 1.0))
        capital = _log_mean(np.einsum("atv,atvf->atf", counts, growth)).sum(axis=0)
        low = np.where(capital >= enough, middle, low)
        high = np.where(capital >= enough, high, middle)
    return low


def ordinary_limits(
    x: Floats, y: Floats, n_resamples: int = 500, confidence_level: float = 0.95, seed: int = 0
) -> tuple[Floats, Floats]:
    """Return percentile limits (low, high) of P(X > Y) by the stratified bootstrap after each round, float64[rounds].

    The limits are NaN after the first round, since resampling needs two runs. Each interval is valid by itself, but
    they are not valid together.

    Parameters
    ----------
    x, y : as in `round_outcomes`
    """
    limits = np.full((2, len(x)), np.nan)
    for look in range(2, len(x) + 1):
        drawn = replicate_improvement(x[:look], y[:look], n_resamples, int(stream_key(seed, "look", look)[0]))
        limits[:, look - 1] = interval(drawn, None, "percentile", confidence_level)
    return limits[0], limits[1]


def false_alarms(
    scores: Scores,
    rounds: int = 20,
    experiments: int = 200,
    n_resamples: int = 500,
    confidence_level: float = 0.95,
    seed: int = 0,
    tasks_independent: bool | str = "auto",
) -> pd.DataFrame:
    """Simulate how often a comparison of equal algorithms that is repeated after every round finds a difference.

    The runs of both algorithms are drawn from the same runs, with replacement, so each difference is a false alarm.

    Parameters
    ----------
    scores : float64[runs, tasks], or one array per task
    rounds : number of rounds; the first look is after the second round, since resampling needs two runs
    experiments : number of simulated experiments
    n_resamples : number of resamples of each percentile interval
    tasks_independent : as in `round_bets`. If True, the runs of each task are drawn separately. Otherwise, runs with
        the same index are drawn together on all tasks, to keep effects that tasks share; runs that not all tasks have
        are left out

    Returns
    -------
    columns method ("percentile" for `ordinary_limits`, "betting" for the confidence sequence), round, false_alarm_rate
    (fraction of the experiments in which 0.5 is outside the interval after this round), cumulative_rate (after this or
    an earlier round), standard_error (of cumulative_rate)
    """
    out = {method: np.zeros((experiments, rounds), bool) for method in ("percentile", "betting")}
    whole = tasks_independent == "auto" or not tasks_independent
    pool = score_pool(scores, keep_order=whole).task_scores()
    if whole:
        pool = [of_task[: min(map(len, pool))] for of_task in pool]
    for experiment in followed(range(experiments)):
        drawn_x, drawn_y = (_drawn(pool, rounds, seed, name, experiment, whole) for name in "xy")
        bets = round_bets(round_outcomes(drawn_x, drawn_y), tasks_independent)
        out["betting"][experiment, 1:] = left_out(bets, 0.5, confidence_level)[1:]
        resample_seed = int(stream_key(seed, "false_alarms", experiment)[0])
        low, high = ordinary_limits(drawn_x, drawn_y, n_resamples, confidence_level, resample_seed)
        out["percentile"][experiment] = (low > 0.5) | (high < 0.5)
    tables = []
    for method, outside in out.items():
        ever = np.logical_or.accumulate(outside, axis=1).mean(axis=0)
        columns = {
            "method": method,
            "round": np.arange(1, rounds + 1),
            "false_alarm_rate": outside.mean(axis=0),
            "cumulative_rate": ever,
        }
        tables.append(pd.DataFrame(columns).assign(standard_error=fraction_error(ever, experiments)))
    return pd.concat(tables, ignore_index=True)


def _drawn(pool: Sequence[Floats], rounds: int, seed: int, name: str, experiment: int, whole: bool) -> Floats:
    """Draw the runs of one algorithm in one experiment, float64[rounds, tasks].

    whole : True to draw the same runs on all tasks
    """
    columns = []
    for task, scores in enumerate(pool):
        of_task = () if whole else (task,)
        key = stream_key(seed, "false_alarms", name, *of_task)
        columns.append(scores[draw_indices(key, experiment, scores.size, rounds)])
    return np.array(columns).T
