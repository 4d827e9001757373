"""Flat Dirichlet-multinomial distributions over MDPs (Castronovo et al. 2016, sections 2.1 and 5.2, Appendix B).

Each row of the transition function is drawn from a separate Dirichlet distribution; transitions with pseudo-count 0 are
impossible. Rewards and the initial state are known, and the same for all draws. Every function named in `registry`
returns a `Distribution`; other distributions come from a table or the configuration.
"""

from typing import NamedTuple

import numpy as np

from surefoot.errors import HintedError


class Distribution(NamedTuple):
    """Flat Dirichlet-multinomial distribution over MDPs.

    pseudo_counts, rewards : float64[states, actions, states]
    initial_state : first state of every trajectory
    """

    pseudo_counts: np.ndarray
    rewards: np.ndarray
    initial_state: int


def gc() -> Distribution:
    """Return the generalised chain: five states and three actions, forward or back to the first state.

    The chain is defined in section 5.2.1 and Figure 3.

    The last state leads to the first or to itself, as in the authors' file that produced the published scores; the
    paper's appendix allows the second state too.
    """
    pseudo_counts = np.zeros((5, 3, 5))
    pseudo_counts[:, :, 0] = 1.0
    for state in range(5):
        pseudo_counts[state, :, min(state + 1, 4)] = 1.0
    rewards = np.zeros((5, 3, 5))
    rewards[:, :, 0] = 2.0
    rewards[:, :, 4] = 10.0
    return Distribution(pseudo_counts, rewards, 0)


def gdl() -> Distribution:
    """Return the generalised double loop with nine states and two actions (section 5.2.2, Figure 4).

    One loop cannot be left; the other pays twice as much and falls back to the first state.
    """
    pseudo_counts = np.zeros((9, 2, 9))
    for state, successors in enumerate(((1, 5), (2,), (3,), (4,), (0,), (0, 6), (0, 7), (0, 8), (0,))):
        pseudo_counts[state, :, successors] = 1.0
    rewards = np.zeros((9, 2, 9))
    rewards[4, :, 0] = 1.0
    rewards[8, :, 0] = 2.0
    return Distribution(pseudo_counts, rewards, 0)


GRID_SIZE = 5
GRID_MOVES = ((0, -1), (0, 1), (-1, 0), (1, 0))
"""(rows, columns) of the moves left, right, up and down, in the authors' order, which breaks ties."""


def grid() -> Distribution:
    """Return a grid of five by five cells (section 5.2.3, Figure 5).

    Moves succeed or stay; reaching the last cell pays 10 and leads back to the first.
    """
    cells = GRID_SIZE**2
    pseudo_counts = np.zeros((cells, len(GRID_MOVES), cells))
    rewards = np.zeros_like(pseudo_counts)
    for cell in range(cells):
        row, column = divmod(cell, GRID_SIZE)
        for action, (down, right) in enumerate(GRID_MOVES):
            pseudo_counts[cell, action, cell] = 1.0
            if not (0 <= row + down < GRID_SIZE and 0 <= column + right < GRID_SIZE):
                continue
            neighbour = cell + GRID_SIZE * down + right
            goal = neighbour == cells - 1
            pseudo_counts[cell, action, 0 if goal else neighbour] = 1.0
            if goal:
                rewards[cell, action, 0] = 10.0
    return Distribution(pseudo_counts, rewards, 0)


def uniform(distribution: Distribution) -> Distribution:
    """Return a prior with all pseudo-counts 1, which makes every transition possible."""
    return distribution._replace(pseudo_counts=np.ones_like(distribution.pseudo_counts))


def from_arrays(pseudo_counts: object, rewards: object, initial_state: int = 0) -> Distribution:
    """Create a distribution from numbers.

    Parameters
    ----------
    pseudo_counts : array_like, [states][actions][states]
        At least 0, each row with a positive sum.
    rewards : array_like
        The same shape, or [states] if rewards depend only on the next state.
    initial_state : int, default 0
        One of 0..states-1.

    Raises
    ------
    ValueError
        If the numbers are invalid.
    """
    counts = _array("pseudo_counts", pseudo_counts)
    if counts.ndim != 3 or counts.shape[0] != counts.shape[2] or counts.size == 0:
        raise HintedError(
            "pseudo_counts",
            f"shape {list(counts.shape)} is not a distribution over transition functions",
            "give one number for each state, action and next state, [states][actions][states]",
        )
    states = counts.shape[0]
    wrong = np.argwhere((~np.isfinite(counts) | (counts < 0.0)).any(axis=2) | (counts.sum(axis=2) == 0.0))
    if len(wrong):
        state, action = wrong[0]
        what = f"the values for action {action} in state {state} are {counts[state, action].tolist()}"
        hint = "use 0 for impossible next states, and a positive number for at least one next state"
        raise HintedError("pseudo_counts", what, hint)
    values = _array("rewards", rewards)
    if values.shape == (states,):
        values = np.broadcast_to(values, counts.shape)
    if values.shape != counts.shape:
        raise HintedError(
            "rewards",
            f"shape {list(values.shape)} does not fit the pseudo-counts",
            f"use the shape {list(counts.shape)}, or [{states}] if rewards depend only on the next state",
        )
    if not np.isfinite(values).all():
        raise HintedError("rewards", "some values are not finite numbers", "use 0 for transitions without a reward")
    if not 0 <= initial_state < states:
        raise HintedError("initial_state", f"{initial_state} is not a state", f"use 0 to {states - 1}")
    return Distribution(np.ascontiguousarray(counts), np.array(values, dtype=np.float64, order="C"), int(initial_state))


COLUMNS = ("state", "action", "next_state", "pseudo_count", "reward")


def from_rows(rows: list[list[float]], initial_state: int = 0) -> Distribution:
    """Create a distribution from a list of possible transitions, each with the numbers in `COLUMNS`.

    States and actions are numbered from 0; all other transitions have pseudo-count 0.

    Raises
    ------
    HintedError
        If a transition is listed twice, or numbers are invalid.
    """
    table = np.array(rows)
    places = table[:, :3].astype(np.int64)
    if len(np.unique(places, axis=0)) < len(places):
        raise HintedError("transitions", "a transition is listed twice", "give each transition one row")
    states = int(places[:, [0, 2]].max()) + 1
    counts = np.zeros((states, int(places[:, 1].max()) + 1, states))
    rewards = np.zeros_like(counts)
    counts[tuple(places.T)] = table[:, 3]
    rewards[tuple(places.T)] = table[:, 4]
    return from_arrays(counts, rewards, initial_state)


def _array(name: str, values: object) -> np.ndarray:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise HintedError(name, "not an array of numbers", "use nested lists of equal length") from None
