"""Evaluation game: scores of algorithms from the long-run behaviour of two players (Jordan et al. 2020).

Player p chooses an algorithm i and receives z_{i,c}. Player q chooses c, which is an environment together with an
opponent, and receives -z_{i,c}. The game is a random walk over the strategies s = (i, c): a player moves to a better
strategy with probability eta, and to an equally good strategy with probability eta/50. The discounted stationary
distribution d of the moves C is the solution of

    (I - gamma C)^T d = (1 - gamma)/|S| 1,   gamma = (|S| - 1)/|S|.

The weights q are the marginal of d over c, and the score of algorithm i is the sum over c of q_c z_{i,c}.

Only one player moves at a time: q along a row of z, p along a column. If a row or column is sorted by payoff, all moves
to a strategy come from the beginning of the line or from equal payoffs. With cumulative sums, a product with the
transpose of C therefore takes O(|S|) instead of |S|^2 operations, and BiCGStab (van der Vorst 1992) needs a few dozen
products. The solver is compiled for each type of operator. An operator is a NamedTuple with the data of a matrix, for
which an `overload` of `product` computes the product with a vector.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit
from numba.extending import overload

from surefoot.errors import HintedError, counted
from surefoot.kernel_files import stamp_kernels
from surefoot.statistics.arrays import Booleans, Floats, Integers

stamp_kernels()


def product(operator: Any, x: Floats, out: Floats) -> None:
    """Compute out = A x, float64[size] each, for the matrix A that `operator` represents.

    Only compiled code can call this function.
    """
    raise NotImplementedError(f"products with {type(operator).__name__} are not implemented")


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc"})
def inner(x: Floats, y: Floats) -> float:
    """Return the inner product of x and y, float64[size] each."""
    total = 0.0
    for s in range(x.size):
        total += x[s] * y[s]
    return total


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc"})
def _advance(step: float, direction: Floats, image: Floats, x: Floats, residual: Floats) -> float:
    """Compute x += step direction, then residual -= step image, and return the residual's 1-norm.

    `direction` may be the residual.
    """
    norm = 0.0
    for s in range(x.size):
        x[s] += step * direction[s]
        residual[s] -= step * image[s]
        norm += abs(residual[s])
    return norm


@njit(cache=True, nogil=True, error_model="numpy")
def improve(operator: Any, x: Floats, residual: Floats, target: float, iterations: int) -> None:
    """Improve the solution x of A x = b in place, by BiCGStab.

    Iteration ends if the 1-norm of the residual is at most `target`, after `iterations` iterations, or if the method
    breaks down and x becomes NaN. The residual is updated recursively and becomes inaccurate, so the caller should
    recompute it and call again if necessary.

    Parameters
    ----------
    operator : NamedTuple
        Representation of A for `product`.
    x, residual : float64[size]
        Initial guess, and b - A x.
    target : float
    iterations : int
    """
    direction = residual.copy()
    shadow = residual.copy()
    image = np.empty(x.size)
    image_of_residual = np.empty(x.size)
    rho = inner(shadow, residual)
    for _ in range(iterations):
        product(operator, direction, image)
        alpha = rho / inner(shadow, image)
        if not _advance(alpha, direction, image, x, residual) > target:
            return
        product(operator, residual, image_of_residual)
        omega = inner(image_of_residual, residual) / inner(image_of_residual, image_of_residual)
        for s in range(x.size):
            direction[s] -= omega * image[s]
        if not _advance(omega, residual, image_of_residual, x, residual) > target:
            return
        rho, previous = inner(shadow, residual), rho
        for s in range(x.size):
            direction[s] = residual[s] + rho / previous * alpha / omega * direction[s]


POPULATION = 50
RELATIVE_TOLERANCE = 2.0**-26
_LARGEST_ERROR = 1e-12
_ITERATIONS = 300
SMALL = 250
"""Largest number of strategies |S| for which a game is solved by elimination, without compiled code."""
_RESTARTS = 5


class Game(NamedTuple):
    """Solution of a game of n algorithms in m environments.

    scores : float64[n], aggregate score of each algorithm, in [0, 1]
    weights : float64[m, n], weight q_{j,k} of environment j with opponent k; they sum to 1
    """

    scores: Floats
    weights: Floats


def play(payoffs: Floats) -> Game:
    """Solve the game with payoffs z, float64[n, m, n] (algorithm, environment, opponent).

    Raises
    ------
    ValueError
        If there are fewer than two algorithms.
    """
    n, m, _ = payoffs.shape
    refuse_one_algorithm(n)
    # A copy, since numba would compile the solver again for read-only arrays.
    z = np.array(payoffs, np.float64, order="C").reshape(n, m * n)
    weights, converged = opponent_weights(z) if z.size > SMALL else (z, False)
    if not converged:
        weights = eliminated_weights(z)
    return Game((z * weights).sum(axis=1), weights.reshape(m, n))


def refuse_one_algorithm(n: int) -> None:
    """Raise a ValueError if there are fewer than two algorithms."""
    if n < 2:
        what = f"got {counted(n, 'algorithm')}"
        raise HintedError("game", what, "use at least two algorithms for the aggregate score")


def move_probability(n: int, columns: int) -> float:
    """Return the probability eta of moving to a given better strategy, for n algorithms and `columns` columns."""
    return 1.0 / (n + columns - 2)


@njit(cache=True, nogil=True, error_model="numpy")
def opponent_weights(z: Floats) -> tuple[Floats, bool]:
    """Compute the weights of the strategies of player q in the game with payoffs z, float64[n, K].

    Returns
    -------
    weights : float64[K]
        Weights, which sum to 1.
    converged : bool
        True if the total variation distance of the weights from the solution is at most 1e-12.
    """
    n, columns = z.shape
    q_utility = np.empty((n, columns))
    p_utility = np.empty((columns, n))
    q_states = np.empty((n, columns), np.int32)
    p_states = np.empty((columns, n), np.int32)
    for i in range(n):
        for c in range(columns):
            q_utility[i, c] = -z[i, c]
            p_utility[c, i] = z[i, c]
            q_states[i, c] = p_states[c, i] = i * columns + c
    leaving = np.zeros(z.size, np.int64)
    q_moves = _sort_moves(q_utility, q_states, leaving)
    p_moves = _sort_moves(p_utility, p_states, leaving)
    discount = (z.size - 1.0) / z.size
    eta = discount / (n + columns - 2)
    sojourn = np.empty(z.size)
    for s in range(z.size):
        sojourn[s] = 1.0 / (1.0 - discount + eta / POPULATION * leaving[s])
    flow, converged = _solve_flow(_Flow(q_moves, p_moves, sojourn, eta))
    weights = np.zeros(columns)
    for s in range(z.size):
        weights[s % columns] += flow[s] * sojourn[s]
    total = weights.sum()
    for c in range(columns):
        weights[c] /= total
    return weights, converged


@njit(cache=True, nogil=True, error_model="numpy")
def _sort_moves(utility: Floats, states: npt.NDArray[np.int32], leaving: Integers) -> Any:
    """Sort the strategies of a player in each line by utility, and find the moves to better and equally good ones.

    Parameters
    ----------
    utility : float64[lines, length]
        Payoffs of the player who moves.
    states : int32[lines, length]
        Numbers of the strategies.
    leaving : int64[|S|]
        Changed in place: 50 is added to a strategy for every better one in its line, and 1 for every nearly equal one.

    Returns
    -------
    state : int32[lines, length]
        Strategies of each line in ascending order of utility.
    worse : int32[lines, length]
        Number of strategies of the line that are strictly worse than the one at each position.
    equal : int32[lines, length]
        Index after the last strategy that is nearly equal to the one at each position.
    """
    lines, length = utility.shape
    state = np.empty((lines, length), np.int32)
    worse = np.empty((lines, length), np.int32)
    equal = np.empty((lines, length), np.int32)
    change = np.empty(length + 1, np.int64)
    order = np.empty(length, np.int64)
    u = np.empty(length)
    for line in range(lines):
        _sort_places(utility[line], order)
        for t in range(length):
            u[t] = utility[line, order[t]]
        end = 0
        change[:] = 0
        for t in range(length):
            state[line, t] = states[line, order[t]]
            worse[line, t] = worse[line, t - 1] if t > 0 and u[t] == u[t - 1] else t
            end = max(end, t + 1)
            # Payoffs that differ by a relative 2**-26 (about 1.5e-8) or less count as equal.
            while end < length and abs(u[end] - u[t]) <= RELATIVE_TOLERANCE * max(abs(u[end]), abs(u[t])):
                end += 1
            equal[line, t] = end
            change[0] += POPULATION
            change[worse[line, t]] -= POPULATION - 1
            change[end] -= 1
        units = 0
        for t in range(length):
            units += change[t]
            leaving[state[line, t]] += units - 1  # the group of equal strategies contains the strategy itself
    return state, worse, equal


@njit(cache=True, nogil=True, error_model="numpy")
def _sort_places(values: Floats, order: Integers) -> None:
    """Fill `order` with the indices that sort `values`; the indices of equal values ascend.

    Shell's method compiles six times as fast as np.argsort.
    """
    for i in range(order.size):
        order[i] = i
    gap = 1
    while gap < order.size // 9:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, order.size):
            own = order[i]
            place = i
            while place >= gap:
                other = order[place - gap]
                if values[other] < values[own] or (values[other] == values[own] and other < own):
                    break
                order[place] = other
                place -= gap
            order[place] = own
        gap //= 3


class _Flow(NamedTuple):
    """Operator that maps the flow through each strategy to the outflow minus the inflow from moves.

    q_moves, p_moves : results of `_sort_moves` for both players
    sojourn : float64[|S|], expected number of steps in a strategy before a move or the end of the walk
    eta : discounted probability of a move
    """

    q_moves: tuple[Any, ...]
    p_moves: tuple[Any, ...]
    sojourn: Floats
    eta: float


@overload(product)
def _product(operator: Any, flow: Any, out: Any) -> Any:
    return _unbalanced if getattr(operator, "instance_class", None) is _Flow else None


def _unbalanced(operator: Any, flow: Any, out: Any) -> None:
    """Compute out = flow - inflow(flow), float64[|S|] each."""
    visits = np.empty(flow.size)
    running = np.empty(flow.size + 1)
    for s in range(flow.size):
        visits[s] = flow[s] * operator.sojourn[s]
        out[s] = flow[s]
    _subtract_moves(operator.q_moves, visits, operator.eta, running, out)
    _subtract_moves(operator.p_moves, visits, operator.eta, running, out)


@njit(cache=True, nogil=True, error_model="numpy")
def _subtract_moves(moves: Any, visits: Floats, eta: float, running: Floats, out: Floats) -> None:
    """Subtract eta N^T visits from `out`; N[s, s'] is 1 for a better s', 1/50 for an equal one, and 0 otherwise."""
    state, worse, equal = moves
    lines, length = state.shape
    running[0] = 0.0
    for line in range(lines):
        for t in range(length):
            running[t + 1] = running[t] + visits[state[line, t]]
        for t in range(length):
            s = state[line, t]
            w = worse[line, t]
            e = equal[line, t]
            out[s] -= eta * running[w]
            if e > w + 1:
                out[s] -= eta / POPULATION * (running[e] - running[w] - visits[s])


@njit(cache=True, nogil=True, error_model="numpy")
def _solve_flow(operator: Any) -> tuple[Floats, bool]:
    """Solve flow - inflow(flow) = 1/|S| for the flow through each strategy.

    The flow through a strategy is the expected number of steps in it, divided by its sojourn. This scaling makes the
    system easy to solve, although some strategies are nearly absorbing. The error of the distribution is at most the
    1-norm of the residual, because (1 - gamma) (I - gamma C)^{-1} is a stochastic matrix.

    Returns
    -------
    flow : float64[|S|]
    converged : bool
        True if the residual's 1-norm is at most 1e-12.
    """
    size = operator.sojourn.size
    flow = np.full(size, 1.0 / size)
    residual = np.empty(size)
    for _ in range(_RESTARTS):
        product(operator, flow, residual)
        norm = 0.0
        for s in range(size):
            residual[s] = 1.0 / size - residual[s]
            norm += abs(residual[s])
        if norm <= _LARGEST_ERROR:
            return flow, True
        improve(operator, flow, residual, _LARGEST_ERROR / 2, _ITERATIONS)
    return flow, False


def nearly_equal(x: Floats, y: Floats) -> Booleans:
    """Return True elementwise where payoffs, or limits of payoffs, differ only by rounding."""
    return np.abs(x - y) <= RELATIVE_TOLERANCE * np.maximum(np.abs(x), np.abs(y))


def move_matrix(z: Floats) -> Floats:
    """Return the transition matrices C, float64[..., n K, n K], of games with payoffs z, float64[..., n, K]."""

    def wish(utility: Floats) -> Floats:
        here = utility[..., :, None]
        there = utility[..., None, :]
        return np.where(there > here, 1.0, np.where(nearly_equal(here, there), 1.0 / POPULATION, 0.0))

    *games, n, columns = z.shape
    z = z.reshape(-1, n, columns)
    c = np.zeros((len(z), n, columns, n, columns))
    eta = move_probability(n, columns)
    row = np.arange(n)
    column = np.arange(columns)
    c[:, row, :, row, :] += eta * wish(-z).swapaxes(0, 1)
    c[:, :, column, :, column] += eta * wish(z.swapaxes(1, 2)).swapaxes(0, 1)
    size = n * columns
    moves = c.reshape(-1, size, size)
    state = np.arange(size)
    moves[:, state, state] = 0.0
    moves[:, state, state] = 1.0 - moves.sum(axis=2)
    return moves.reshape(*games, size, size)


def eliminated_weights(z: Floats) -> Floats:
    """Compute the weights of player q's strategies by elimination, for games with payoffs z, float64[..., n, K].

    Returns
    -------
    float64[..., K]
    """
    size = z.shape[-2] * z.shape[-1]
    discount = (size - 1.0) / size
    system = (np.eye(size) - discount * move_matrix(z)).swapaxes(-1, -2)
    d = np.linalg.solve(system, np.full((*z.shape[:-2], size, 1), 1.0 / size)).reshape(z.shape)
    weights: Floats = d.sum(axis=-2) / d.sum(axis=(-2, -1))[..., None]
    return weights
