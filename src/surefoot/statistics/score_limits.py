"""Limits of the aggregate scores: the worst and the best game that limits of the payoffs leave open.

Where the limits of two payoffs overlap, the probability of the move between them may be anything from 0 to eta. The
greatest (or least) score that any such game gives an algorithm is the value of a Markov decision process that
chooses these probabilities; policy iteration finds it (Jordan et al. 2020, appendix D).

The optimum of a row of C fills the open moves and the stay in order of value. Every open move has the capacity eta,
and the stay can take what all of them leave: so an open move is made in full if it leads to a greater value than
staying, else not at all.

Two variants.

as_published : the limit is the mean of the *absolute* values of the strategies, so a negative lower limit
    comes out positive; and two payoffs whose limits agree count as known to be equal, even where those are 0 and 1.
corrected : the limit is the mean of the values; payoffs are known to be equal only if their limits agree and have
    no width.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.sparse.linalg import LinearOperator, bicgstab

from surefoot.statistics.game import POPULATION, RELATIVE_TOLERANCE, move_probability
from surefoot.streams import start_stream, uniform

_OPEN = -1
_POLICY_STEPS = 400
_VALUE_TOLERANCE = 1e-7
_TIE_BREAK = 1e-10
_LARGEST_RESIDUAL = 1e-12
_REFINEMENTS = 8


class _Moves(NamedTuple):
    """Moves of both players in units of eta/50: 50 to a better strategy, 1 to an equal one, 0 not made, -1 open.

    rows : int8[n, K, K], player q's: in row i from strategy c to c' at [i, c', c]
    columns : int8[n, n, K], player p's: in column c from strategy i to i' at [i', i, c]
    """

    rows: np.ndarray
    columns: np.ndarray


def score_limits(low, high, variant, key, threads=1, progress=None):
    """Limits of the aggregate scores that limits of the payoffs allow.

    Parameters
    ----------
    low, high : float64[n, m, n], limits Z- and Z+ of the payoffs (algorithm, environment, opponent)
    variant : "as_published" or "corrected"
    key : uint64[4], family of streams for the random tie breaks; limit number b uses stream b
    threads : the 2n limits are computed on so many threads; the result does not depend on it
    progress : called with the number of limits found so far

    Returns
    -------
    (low, high) : float64[n] each

    Raises
    ------
    ValueError : fewer than two algorithms
    ArithmeticError : policy iteration did not end within 400 steps
    """
    n, m, _ = low.shape
    if n < 2:
        raise ValueError(f"game: {n} algorithm cannot play. Hint: the aggregate score needs at least two algorithms.")
    low, high = low.reshape(n, m * n), high.reshape(n, m * n)
    moves = _known_moves(low, high, variant)

    def limit(number):
        i, sign = number % n, -1.0 if number < n else 1.0
        value = _greatest_value(moves, sign * (low if number < n else high)[i], _tie_breaks(key, number, low.shape))
        return np.abs(value).mean() if variant == "as_published" else sign * value.mean()

    limits = np.empty(2 * n)
    with ThreadPoolExecutor(threads) as pool:
        for number, found in enumerate(pool.map(limit, range(2 * n))):
            limits[number] = found
            if progress is not None:
                progress(number + 1)
    return limits[:n], limits[n:]


def _known_moves(low, high, variant):
    """The moves that limits of the payoffs, float64[n, K], decide, and those that they leave open."""
    q_low, q_high = -high, -low
    only_points = variant == "corrected"
    rows = _compare(q_low[:, None, :], q_high[:, None, :], q_low[:, :, None], q_high[:, :, None], only_points)
    columns = _compare(low[None], high[None], low[:, None], high[:, None], only_points)
    own = np.arange(low.shape[1])
    rows[:, own, own] = 0
    own = np.arange(low.shape[0])
    columns[own, own] = 0
    return _Moves(rows, columns)


def _compare(low, high, low_there, high_there, only_points):
    """int8: the move from a payoff with limits (low, high) to one with (low_there, high_there), in units of eta/50."""
    equal = _near(low, low_there) & _near(high, high_there)
    if only_points:
        equal &= _near(low, high)
    undecided = np.where(equal, 1, _OPEN)
    return np.where(low_there > high, POPULATION, np.where(low > high_there, 0, undecided)).astype(np.int8)


def _near(x, y):
    return np.abs(x - y) <= RELATIVE_TOLERANCE * np.maximum(np.abs(x), np.abs(y))


def _greatest_value(moves, reward, tie_break):
    """Normalised values (1 - gamma) v of all strategies under the best choice of the open moves.

    moves : _Moves with n algorithms and K columns
    reward : float64[K], reward of the strategies in each column
    tie_break : float64[n, K], small numbers added to the values when moves are chosen
    """
    n, columns = moves.rows.shape[:2]
    discount = (n * columns - 1.0) / (n * columns)
    policy = _Moves(np.full_like(moves.rows, _OPEN), np.full_like(moves.columns, _OPEN))
    mean, value = reward.mean() / (1.0 - discount), np.tile(reward, (n, 1))
    for _ in range(_POLICY_STEPS):
        previous = mean + value
        changed, leaving = _choose(moves, discount * value + tie_break, policy)
        mean, value = _evaluate(policy, leaving, reward, mean, value)
        moved = np.abs(mean + value - previous).max()
        if not changed or 2.0 * moved * discount < _VALUE_TOLERANCE:
            return (1.0 - discount) * (mean + value)
    raise ArithmeticError(f"score limits: policy iteration did not end within {_POLICY_STEPS} steps.")


@njit(cache=True, nogil=True, error_model="numpy")
def _choose(moves, worth, policy):
    """Make the open moves that lead to a greater worth than staying, float64[n, K]; write all moves to `policy`.

    Returns
    -------
    (changed, leaving) : whether a move differs from before, and int64[n, K], units that leave each strategy
    """
    n, columns = worth.shape
    leaving = np.zeros((n, columns), np.int64)
    differences = 0
    for i in range(n):
        for there in range(columns):
            for c in range(columns):
                move = moves.rows[i, there, c]
                if move == _OPEN:
                    move = POPULATION if worth[i, there] > worth[i, c] else 0
                differences += move != policy.rows[i, there, c]
                policy.rows[i, there, c] = move
                leaving[i, c] += move
    for there in range(n):
        for i in range(n):
            for c in range(columns):
                move = moves.columns[there, i, c]
                if move == _OPEN:
                    move = POPULATION if worth[there, c] > worth[i, c] else 0
                differences += move != policy.columns[there, i, c]
                policy.columns[there, i, c] = move
                leaving[i, c] += move
    return differences > 0, leaving


@njit(cache=True, nogil=True, error_model="numpy")
def _successors(policy, value, total):
    """total[s] = sum over the moves from s of their units times the value they lead to; float64[n, K] each."""
    n, columns = value.shape
    total[:] = 0.0
    for i in range(n):
        for there in range(columns):
            for c in range(columns):
                total[i, c] += policy.rows[i, there, c] * value[i, there]
    for there in range(n):
        for i in range(n):
            for c in range(columns):
                total[i, c] += policy.columns[there, i, c] * value[there, c]


def _evaluate(policy, leaving, reward, mean, value):
    """Solve (I - gamma C) v = R for a policy, starting from mean + value.

    The constant part of v is 1/(1 - gamma) times as large as the rest needs to be, so it is kept apart: v = mean +
    value with values that sum to 0. A residual of at most 1e-12 in every strategy bounds the error of (1 - gamma) v
    by as much.

    Returns
    -------
    (mean, value) : float, float64[n, K]
    """
    shape, size = leaving.shape, leaving.size
    discount = (size - 1.0) / size
    unit = discount * move_probability(*shape) / POPULATION
    diagonal = 1.0 - discount + unit * leaving
    total = np.empty(shape)

    def scaled_product(x):
        _successors(policy, x.reshape(shape), total)
        return x - (unit * total / diagonal).ravel()

    operator = LinearOperator((size, size), scaled_product, dtype=np.float64)
    for _ in range(_REFINEMENTS):
        mean, value = mean + value.mean(), value - value.mean()
        _successors(policy, value, total)
        residual = (reward - (1.0 - discount) * mean) - (diagonal * value - unit * total)
        if np.abs(residual).max() <= _LARGEST_RESIDUAL:
            return mean, value
        correction, _ = bicgstab(operator, (residual / diagonal).ravel(), rtol=1e-9, atol=0.0, maxiter=200)
        value = value + correction.reshape(shape)
    return 0.0, _evaluate_densely(policy, diagonal, unit, reward)


def _evaluate_densely(policy, diagonal, unit, reward):
    """v of `_evaluate` by elimination: for the rare policy on which BiCGStab breaks down."""
    n, columns = diagonal.shape
    matrix = np.zeros((n, columns, n, columns))
    own, column = np.arange(n), np.arange(columns)
    matrix[own, :, own, :] -= unit * policy.rows.swapaxes(1, 2)
    matrix[:, column, :, column] -= unit * policy.columns.transpose(2, 1, 0)
    matrix = matrix.reshape(diagonal.size, diagonal.size)
    matrix[np.arange(diagonal.size), np.arange(diagonal.size)] = diagonal.ravel()
    return np.linalg.solve(matrix, np.tile(reward, n)).reshape(n, columns)


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_uniform(key, number, out):
    stream = np.empty(4, np.uint64)
    start_stream(key, number, stream)
    for s in range(out.size):
        out[s] = uniform(stream)


def _tie_breaks(key, number, shape):
    """float64[n, K], uniform in [0, 1e-10 / (1 - gamma)): they decide between strategies of equal value."""
    rho = np.empty(shape)
    _fill_uniform(key, number, rho.ravel())
    return rho * (_TIE_BREAK * rho.size)
