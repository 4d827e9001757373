"""Limits of the aggregate scores: the worst and the best game that limits of the payoffs leave open.

Where the limits of two payoffs overlap, the probability of the move between them may be anything from 0 to eta. The
greatest (or least) score that any such game gives an algorithm is the value of a Markov decision process that
chooses these probabilities; policy iteration finds it (Jordan et al. 2020, appendix D).

Two variants.

as_published : the limit is the mean of the *absolute* values of the strategies, so a negative lower limit
    comes out positive; and two payoffs whose limits agree count as known to be equal, even where those are 0 and 1.
corrected : the limit is the mean of the values; payoffs are known to be equal only if their limits agree and have
    no width.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
from numba import njit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Booleans, Floats
from surefoot.statistics.game.evaluation_game import POPULATION, RELATIVE_TOLERANCE
from surefoot.statistics.game.policy_iteration import OPEN, Moves, greatest_value
from surefoot.streams import start_stream, uniform

_TIE_BREAK = 1e-10


def score_limits(
    low: Floats,
    high: Floats,
    variant: str,
    key: npt.NDArray[np.uint64],
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
) -> tuple[Floats, Floats]:
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
        raise HintedError("game", f"{n} algorithm cannot play", "the aggregate score needs at least two algorithms")
    low, high = low.reshape(n, m * n), high.reshape(n, m * n)
    moves = _known_moves(low, high, variant)

    def limit(number: int) -> float:
        i, sign = number % n, -1.0 if number < n else 1.0
        value = greatest_value(moves, sign * (low if number < n else high)[i], _tie_breaks(key, number, low.shape))
        return np.abs(value).mean() if variant == "as_published" else sign * value.mean()

    limits = np.empty(2 * n)
    with ThreadPoolExecutor(threads) as pool:
        for number, found in enumerate(pool.map(limit, range(2 * n))):
            limits[number] = found
            if progress is not None:
                progress(number + 1)
    return limits[:n], limits[n:]


def _known_moves(low: Floats, high: Floats, variant: str) -> Moves:
    """The moves that limits of the payoffs, float64[n, K], decide, and those that they leave open."""
    q_low, q_high = -high, -low
    only_points = variant == "corrected"
    rows = _compare(q_low[:, None, :], q_high[:, None, :], q_low[:, :, None], q_high[:, :, None], only_points)
    columns = _compare(low[None], high[None], low[:, None], high[:, None], only_points)
    own = np.arange(low.shape[1])
    rows[:, own, own] = 0
    own = np.arange(low.shape[0])
    columns[own, own] = 0
    return Moves(rows, columns)


def _compare(
    low: Floats, high: Floats, low_there: Floats, high_there: Floats, only_points: bool
) -> npt.NDArray[np.int8]:
    """int8: the move from a payoff with limits (low, high) to one with (low_there, high_there), in units of eta/50."""
    equal = _near(low, low_there) & _near(high, high_there)
    if only_points:
        equal &= _near(low, high)
    better, equally_good, none, undecided = np.array([POPULATION, 1, 0, OPEN], np.int8)
    known = np.where(low > high_there, none, np.where(equal, equally_good, undecided))
    return np.where(low_there > high, better, known)


def _near(x: Floats, y: Floats) -> Booleans:
    return np.abs(x - y) <= RELATIVE_TOLERANCE * np.maximum(np.abs(x), np.abs(y))


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_uniform(key: npt.NDArray[np.uint64], number: int, out: Floats) -> None:
    stream = np.empty(4, np.uint64)
    start_stream(key, number, stream)
    for s in range(out.size):
        out[s] = uniform(stream)


def _tie_breaks(key: npt.NDArray[np.uint64], number: int, shape: tuple[int, ...]) -> Floats:
    """float64[n, K], uniform in [0, 1e-10 / (1 - gamma)): they decide between strategies of equal value."""
    rho = np.empty(shape)
    _fill_uniform(key, number, rho.ravel())
    return rho * (_TIE_BREAK * rho.size)
