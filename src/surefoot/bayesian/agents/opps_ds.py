"""OPPS-DS: search a set of formulas for the largest return on the prior (Castronovo et al. 2016, section 4.4).

In the offline phase, formulas are the arms of UCB1 (Auer, Cesa-Bianchi and Fischer 2002); each pull is one trajectory
on an MDP drawn from the prior. The formula with the most pulls is played; a formula with a domain error is never pulled
again. The variant `as_published` explores with the constant 660 from the authors' configuration, `corrected` with
sqrt(2) times the range of all returns so far. The set of formulas is made before the clock starts.
"""

import math

import numpy as np
from numba import boolean, float64, int64, njit, uint64, void

from surefoot.bayesian.agents.formula import act, new_memory, observe, play, start
from surefoot.bayesian.formulas import LARGEST_LENGTH, encode, formula_set
from surefoot.bayesian.sampling import draw_mdp
from surefoot.bayesian.trajectories import PROBLEM, Problem, play_one
from surefoot.errors import HintedError
from surefoot.streams import below, start_stream

__all__ = ["play", "prepare", "ready"]

EXPLORATION_AS_PUBLISHED = 660.0

CHOICES_STREAM = 0
"""Number of the stream that breaks ties between formulas; pull number i draws from stream 1 + i."""


@njit(inline="always")
def _any_largest(values, stream):
    """Return the index of the largest value, uniformly among ties."""
    largest = -math.inf
    ties = 0
    for value in values:
        ties = 1 if value > largest else ties + (value == largest)
        largest = max(largest, value)
    chosen = below(stream, ties)
    place = 0
    for i in range(len(values)):
        if values[i] == largest:
            if chosen == 0:
                place = i
                break
            chosen -= 1
    return place


@njit(void(PROBLEM, float64[:, ::1], int64, boolean, uint64[::1], float64[::1], int64[::1]), cache=True, nogil=True)
def _search(problem, formulas, budget, corrected, key, means, pulls):
    """Run UCB1, and fill `means` (mean returns) and `pulls` (numbers of pulls; -1 for a formula that failed).

    formulas : float64[formulas, tokens], codes for `formula.evaluate`
    """
    stream = np.empty(4, np.uint64)
    choices = np.empty(4, np.uint64)
    start_stream(key, CHOICES_STREAM, choices)
    memory = new_memory(problem, formulas.shape[1])
    mdp = np.empty(problem.prior.shape)
    no_decisions = np.empty(0)
    no_transitions = np.empty((0, 3), np.int64)
    bounds = np.empty(len(formulas))
    means[:] = 0.0
    pulls[:] = 0
    least = math.inf
    greatest = -math.inf
    attempt = 0
    successes = 0
    untried = 0
    while successes < budget:
        if untried < len(formulas):
            chosen = untried
            untried += 1
        else:
            factor = math.sqrt(2.0) * (greatest - least) if corrected else EXPLORATION_AS_PUBLISHED
            for i in range(len(formulas)):
                tried = pulls[i] > 0
                bounds[i] = means[i] + factor * math.sqrt(math.log(successes) / pulls[i]) if tried else -math.inf
            chosen = _any_largest(bounds, choices)
            if pulls[chosen] < 1:
                break
        attempt += 1
        start_stream(key, CHOICES_STREAM + attempt, stream)
        draw_mdp(problem.prior, stream, mdp)
        score = play_one(
            start, act, observe, memory, problem, formulas[chosen], mdp, stream, no_decisions, no_transitions, 0
        )
        if score != score:
            pulls[chosen] = -1
            continue
        successes += 1
        pulls[chosen] += 1
        means[chosen] += (score - means[chosen]) / pulls[chosen]
        least = min(least, score)
        greatest = max(greatest, score)


def ready(formulas: int, **_: object) -> None:
    """Make the set of formulas; this does not count as the agent's time."""
    formula_set(formulas)


def prepare(problem: Problem, key: np.ndarray, variant: str, formulas: int, budget: int) -> np.ndarray:
    """Return the codes of the best formula with at most `formulas` tokens, after `budget` successful pulls.

    Raises
    ------
    ValueError
        If every formula has a domain error.
    """
    encoded = [encode(formula) for formula in formula_set(formulas)]
    codes = np.full((len(encoded), LARGEST_LENGTH), -1.0)
    for row, tokens in zip(codes, encoded, strict=True):
        row[: len(tokens)] = tokens
    means = np.empty(len(codes))
    pulls = np.empty(len(codes), np.int64)
    _search(problem, codes, budget, variant == "corrected", key, means, pulls)
    if pulls.max() < 1:
        raise HintedError("opps_ds", f"all {len(codes)} formulas have domain errors", "use a larger set of formulas")
    stream = np.empty(4, np.uint64)
    start_stream(key, budget + len(codes) + 1, stream)
    return codes[_any_largest(pulls.astype(np.float64), stream)]
