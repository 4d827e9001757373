"""Limits of the aggregate scores: the worst and the best game compatible with limits of the payoffs.

If the limits of two payoffs overlap, the probability of the move between their strategies may be anything from 0 to
eta. The largest (or smallest) score of an algorithm in any of these games is the value of a Markov decision process
that chooses the probabilities. It is computed by policy iteration (Jordan et al. 2020, appendix D). In the optimal
policy, an undecided move has the full probability eta if it leads to a greater value than staying, and otherwise
probability 0.

There are two variants:

as_published : the limit is the mean of the *absolute* values of the strategies, so that a negative lower limit becomes
    positive. Two payoffs with the same limits count as equal, even if the limits are 0 and 1.
corrected : the limit is the mean of the values. Two payoffs count as equal only if their limits have no width and
    agree.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit
from numba.extending import overload

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.game.evaluation_game import (
    POPULATION,
    SMALL,
    improve,
    move_probability,
    nearly_equal,
    product,
    refuse_one_algorithm,
)
from surefoot.streams import few_uniforms, uniforms

OPEN = -1
_POLICY_STEPS = 400
_VALUE_TOLERANCE = 1e-7
_LARGEST_RESIDUAL = 1e-12
_REFINEMENTS = 8
_REDUCTION = 1e-9
_ITERATIONS = 200


class Moves(NamedTuple):
    """Probabilities of the moves of both players, in units of eta/50.

    A move to a better strategy has 50 units, to an equally good strategy 1, and to a worse strategy 0; -1 means
    undecided.

    rows : int8[n, K, K], entry [i, c', c] is the move of player q from strategy c to c' in row i
    columns : int8[n, n, K], entry [i', i, c] is the move of player p from strategy i to i' in column c
    """

    rows: np.ndarray
    columns: np.ndarray


class _Policy(NamedTuple):
    """Operator I - gamma C for given moves, with each row divided by its diagonal element; see `_gain`.

    moves : `Moves` without undecided ones
    diagonal : float64[n, K], diagonal of I - gamma C
    unit : gamma eta/50
    """

    moves: Moves
    diagonal: np.ndarray
    unit: float


def greatest_value(moves: Moves, reward: Floats, tie_break: Floats) -> Floats:
    """Choose the best undecided moves, and return the normalized value (1 - gamma) v of each strategy, float64[n, K].

    Parameters
    ----------
    moves : Moves
        Moves for n algorithms and K columns, some of which are undecided.
    reward : float64[K]
        Reward of the strategies in each column, the same in all rows.
    tie_break : float64[n, K]
        Small numbers that are added to the values before moves are chosen.

    Raises
    ------
    ArithmeticError
        If policy iteration does not end within 400 steps.
    """
    n, columns = moves.rows.shape[:2]
    # Student's t limits from two or three runs reach into the thousands, where residuals of 1e-12 are out of reach.
    scale = max(1.0, np.abs(reward).max())
    reward = reward / scale
    end = 1.0 / (n * columns)  # 1 - gamma
    unit = (1.0 - end) * move_probability(n, columns) / POPULATION
    chosen = Moves(np.full_like(moves.rows, OPEN), np.full_like(moves.columns, OPEN))
    mean = reward.mean() / end
    value = np.tile(reward, n)
    is_small = value.size <= SMALL
    choose = _choose_of_few if is_small else _choose
    for step in range(_POLICY_STEPS):
        previous = mean + value
        changed, leaving = choose(moves, (1.0 - end) * value.reshape(n, columns) + tie_break, chosen)
        policy = _Policy(chosen, end + unit * leaving, unit)
        mean, converged = (0.0, False) if is_small else _evaluate(policy, reward, mean, value)
        if not converged:
            mean = 0.0
            value = _eliminate(policy, reward)
        change = 2.0 * (1.0 - end) * (mean + value - previous)
        if not changed or np.abs(change).max() < _VALUE_TOLERANCE:
            return scale * end * (mean + value.reshape(n, columns))
        if step > 0 and change.min() < -_VALUE_TOLERANCE:
            # Policy improvement never lowers a value, so the tie break chose a worse policy, and might keep doing so.
            tie_break = np.zeros_like(tie_break)
    raise ArithmeticError(f"score limits: policy iteration did not end within {_POLICY_STEPS} steps.")


def _choose_of_few(moves: Moves, worth: Floats, chosen: Moves) -> tuple[bool, Integers]:
    """Implement `_choose` without compiled code."""
    in_rows = np.where(worth[:, :, None] > worth[:, None, :], POPULATION, 0)
    in_columns = np.where(worth[:, None, :] > worth[None, :, :], POPULATION, 0)
    rows = np.where(moves.rows == OPEN, in_rows, moves.rows)
    columns = np.where(moves.columns == OPEN, in_columns, moves.columns)
    changed = bool((rows != chosen.rows).any() or (columns != chosen.columns).any())
    chosen.rows[:] = rows
    chosen.columns[:] = columns
    return changed, rows.sum(axis=1, dtype=np.int64) + columns.sum(axis=0, dtype=np.int64)


@njit(cache=True, nogil=True, error_model="numpy")
def _choose(moves: Moves, worth: Floats, chosen: Moves) -> tuple[bool, Integers]:
    """Decide the undecided moves by the values `worth`, float64[n, K], and write all moves to `chosen`.

    Returns
    -------
    changed : bool
        True if any move differs from the previous content of `chosen`.
    leaving : int64[n, K]
        Sum of the units of all moves from each strategy.
    """
    n, columns = worth.shape
    leaving = np.zeros((n, columns), np.int64)
    differences = 0
    for i in range(n):
        for there in range(columns):
            for c in range(columns):
                move = moves.rows[i, there, c]
                if move == OPEN:
                    move = POPULATION if worth[i, there] > worth[i, c] else 0
                differences += move != chosen.rows[i, there, c]
                chosen.rows[i, there, c] = move
                leaving[i, c] += move
    for there in range(n):
        for i in range(n):
            for c in range(columns):
                move = moves.columns[there, i, c]
                if move == OPEN:
                    move = POPULATION if worth[there, c] > worth[i, c] else 0
                differences += move != chosen.columns[there, i, c]
                chosen.columns[there, i, c] = move
                leaving[i, c] += move
    return differences > 0, leaving


@overload(product, jit_options={"error_model": "numpy"})
def _product(policy: Any, value: Any, out: Any) -> Any:
    return _gain if getattr(policy, "instance_class", None) is _Policy else None


def _gain(policy: Any, value: Any, out: Any) -> None:
    """Compute out = value - unit / diagonal * (sum over the moves from each strategy of units * value)."""
    n, columns = policy.diagonal.shape
    v = value.reshape((n, columns))
    total = np.zeros((n, columns))
    for i in range(n):
        for there in range(columns):
            for c in range(columns):
                total[i, c] += policy.moves.rows[i, there, c] * v[i, there]
    for there in range(n):
        for i in range(n):
            for c in range(columns):
                total[i, c] += policy.moves.columns[there, i, c] * v[there, c]
    for i in range(n):
        for c in range(columns):
            out[i * columns + c] = v[i, c] - policy.unit / policy.diagonal[i, c] * total[i, c]


@njit(cache=True, nogil=True, error_model="numpy")
def _evaluate(policy: _Policy, reward: Floats, mean: float, value: Floats) -> tuple[float, bool]:
    """Solve (I - gamma C) v = R for a policy, starting from v = mean + value.

    The constant part of v may be 1/(1 - gamma) times as large as the rest, so it is stored separately, as `mean`. If
    the residual is at most 1e-12 for every strategy, the error of (1 - gamma) v is at most 1e-12.

    Parameters
    ----------
    value : float64[|S|]
        Changed in place.

    Returns
    -------
    mean : float
    converged : bool
    """
    diagonal = policy.diagonal.ravel()
    columns = reward.size
    end = 1.0 / value.size  # 1 - gamma
    residual = np.empty(value.size)
    for _ in range(_REFINEMENTS):
        shift = value.mean()
        mean += shift
        value -= shift
        product(policy, value, residual)
        largest = 0.0
        norm = 0.0
        for s in range(value.size):
            difference = reward[s % columns] - end * mean - diagonal[s] * residual[s]
            residual[s] = difference / diagonal[s]
            largest = max(largest, abs(difference))
            norm += abs(residual[s])
        if largest <= _LARGEST_RESIDUAL:
            return mean, True
        improve(policy, value, residual, _REDUCTION * norm, _ITERATIONS)
    return mean, False


def _eliminate(policy: _Policy, reward: Floats) -> Floats:
    """Solve the same equation as `_evaluate` by elimination, for small games and if BiCGStab breaks down."""
    n, columns = policy.diagonal.shape
    matrix = np.zeros((n, columns, n, columns))
    row = np.arange(n)
    column = np.arange(columns)
    matrix[row, :, row, :] -= policy.unit * policy.moves.rows.swapaxes(1, 2)
    matrix[:, column, :, column] -= policy.unit * policy.moves.columns.transpose(2, 1, 0)
    system = matrix.reshape(n * columns, n * columns)
    np.fill_diagonal(system, policy.diagonal)
    return np.asarray(np.linalg.solve(system, np.tile(reward, n)))


_TIE_BREAK = 1e-10


def score_limits(
    low: Floats,
    high: Floats,
    variant: str,
    key: npt.NDArray[np.uint64],
    threads: int = 1,
) -> tuple[Floats, Floats]:
    """Compute the limits of the aggregate scores from limits of the payoffs.

    Parameters
    ----------
    low, high : float64[n, m, n]
        Limits Z- and Z+ of the payoffs (algorithm, environment, opponent).
    variant : {"as_published", "corrected"}
    key : uint64[4]
        Key of the random streams for tie breaks, one for each of the 2n limits.
    threads : int, default 1
        Number of threads; the result does not depend on it.

    Returns
    -------
    low, high : float64[n]

    Raises
    ------
    ValueError
        If there are fewer than two algorithms.
    ArithmeticError
        If policy iteration does not end within 400 steps.
    """
    n, m, _ = low.shape
    refuse_one_algorithm(n)
    low = low.reshape(n, m * n)
    high = high.reshape(n, m * n)
    moves = _known_moves(low, high, variant)
    few = few_uniforms(key, 2 * n, low.size) if low.size <= SMALL else None

    def limit(number: int) -> float:
        i = number % n
        sign = -1.0 if number < n else 1.0
        # Uniform in [0, 1e-10 / (1 - gamma)), to decide between strategies of equal value.
        drawn = uniforms(key, number, low.size) if few is None else few[number]
        tie_breaks = drawn.reshape(low.shape) * (_TIE_BREAK * low.size)
        value = greatest_value(moves, sign * (low if number < n else high)[i], tie_breaks)
        return np.abs(value).mean() if variant == "as_published" else sign * value.mean()

    with ThreadPoolExecutor(threads) as pool:
        limits = np.array(list(pool.map(limit, range(2 * n))))
    return limits[:n], limits[n:]


def _known_moves(low: Floats, high: Floats, variant: str) -> Moves:
    """Derive moves from limits of the payoffs, float64[n, K]; moves are undecided if limits overlap."""
    q_low = -high
    q_high = -low
    only_points = variant == "corrected"
    rows = _compare(q_low[:, None, :], q_high[:, None, :], q_low[:, :, None], q_high[:, :, None], only_points)
    columns = _compare(low[None], high[None], low[:, None], high[:, None], only_points)
    column = np.arange(low.shape[1])
    rows[:, column, column] = 0
    row = np.arange(low.shape[0])
    columns[row, row] = 0
    return Moves(rows, columns)


def _compare(
    low: Floats, high: Floats, low_there: Floats, high_there: Floats, only_points: bool
) -> npt.NDArray[np.int8]:
    """Return the moves, in units of eta/50, between strategies with given limits of the payoffs.

    low, high : limits of the payoffs of strategies from which the moves start
    low_there, high_there : limits of the payoffs of strategies to which the moves lead
    only_points : True if payoffs count as equal only if their limits have no width
    """
    equal = nearly_equal(low, low_there) & nearly_equal(high, high_there)
    if only_points:
        equal &= nearly_equal(low, high)
    better, equally_good, none, undecided = np.array([POPULATION, 1, 0, OPEN], np.int8)
    not_better = np.where(low > high_there, none, np.where(equal, equally_good, undecided))
    return np.where(low_there > high, better, not_better)
