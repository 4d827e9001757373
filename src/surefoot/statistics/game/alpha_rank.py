"""alpha-Rank at any alpha, beside the damped limit that the scores are made with (Jordan et al. 2020, appendix B).

From strategy s to s', which differ in one player's choice and by d in that player's payoff, the game moves with
probability

    eta (1 - exp(-alpha d)) / (1 - exp(-alpha p d)),  and  eta/p  if d = 0,

with a population of p = 50 (Omidshafiei et al. 2019). For alpha towards infinity that is eta, 0 and eta/p for better,
worse and equal. The original has no jumps: its weights are the stationary distribution of the moves alone, which is
unique as long as no probability underflows to 0 such that some strategy is never left or never reached again.
"""

from itertools import product

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from surefoot.statistics.arrays import Floats
from surefoot.statistics.comparison.ranks import rank_values
from surefoot.statistics.game.evaluation_game import (
    POPULATION,
    Game,
    move_matrix,
    refuse_one_algorithm,
)
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.runs.samples import samples_from_runs

_PANEL = 64


def alpha_sweep(runs: pd.DataFrame, alphas: list[float]) -> pd.DataFrame:
    """Scores of all algorithms at several values of alpha, and at its limit.

    Returns
    -------
    columns alpha (the last is inf, the limit), jumps ("damped": with probability 1 - gamma the game jumps anywhere, as
    in the game scores; "none": the original), algorithm, score, rank. Score and rank are empty where the moves alone
    do not connect all strategies, as often happens in the limit.

    Raises
    ------
    ValueError : see `samples_from_runs` and `alpha_game`
    """
    samples = samples_from_runs(runs)
    z = payoffs(samples)
    tables = []
    for alpha, jumps in product([*alphas, np.inf], ["damped", "none"]):
        game = alpha_game(z, alpha, jumps == "damped")
        scores = np.full(len(samples.algorithms), np.nan) if game is None else game.scores
        rank = pd.array([pd.NA] * scores.size if game is None else rank_values(scores), dtype="Int64")
        columns = {"alpha": alpha, "jumps": jumps, "algorithm": samples.algorithms, "score": scores, "rank": rank}
        tables.append(pd.DataFrame(columns))
    return pd.concat(tables, ignore_index=True)


def alpha_game(payoffs: Floats, alpha: float, damped: bool) -> Game | None:
    """The game with payoffs z, float64[n, m, n], at an alpha that may be inf; None where its moves alone fall apart.

    Raises
    ------
    ValueError : fewer than two algorithms
    """
    n, m, _ = payoffs.shape
    refuse_one_algorithm(n)
    z = payoffs.reshape(n, m * n)
    c = moves(z, alpha)
    if damped:
        system = np.eye(z.size) - (z.size - 1) / z.size * c
        d = np.linalg.solve(system.T, np.full(z.size, 1 / z.size**2))
    elif connected_components(csr_array(c), connection="strong")[0] > 1:
        return None
    else:
        d = _stationary(c)
    weights = d.reshape(z.shape).sum(axis=0)
    weights /= weights.sum()
    return Game(z @ weights, weights.reshape(m, n))


def moves(z: Floats, alpha: float) -> Floats:
    """The moves C of the game with payoffs z, float64[n, K], as a dense matrix float64[n K, n K]."""
    return move_matrix(z) if np.isinf(alpha) else move_matrix(z, lambda here, there: _fixation(alpha * (there - here)))


def _fixation(x: Floats) -> Floats:
    """(1 - exp(-x)) / (1 - exp(-p x)), 1/p at 0, without overflow."""
    size = np.abs(x)
    ratio = np.divide(np.expm1(-size), np.expm1(-POPULATION * size), out=np.full(x.shape, 1 / POPULATION), where=x != 0)
    return ratio * np.exp(np.minimum(x, 0.0) * (POPULATION - 1))


def _stationary(c: Floats) -> Floats:
    """Stationary distribution by the elimination of Grassmann, Taksar and Heyman (1985), which subtracts nothing.

    So small probabilities keep their digits. The last strategies are taken out of the game one by one; what a panel of
    them adds to the others' moves is added at once. c is changed in place.
    """
    size = len(c)
    for end in range(size, 0, -_PANEL):
        begin = max(end - _PANEL, 0)
        for s in range(end - 1, max(begin, 1) - 1, -1):
            c[:s, s] /= c[s, :s].sum()
            c[begin:s, :s] += c[begin:s, s, None] * c[s, None, :s]
            c[:begin, begin:s] += c[:begin, s, None] * c[s, None, begin:s]
        c[:begin, :begin] += c[:begin, begin:end] @ c[begin:end, :begin]
    d = np.zeros(size)
    d[0] = 1.0
    for s in range(1, size):
        d[s] = d[:s] @ c[:s, s]
    return d / d.sum()
