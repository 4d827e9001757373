"""How an agent chooses an action (Jordan et al. 2020, Appendix E)."""

import math

from numba import njit

from surefoot.streams import below, uniform

LARGEST_LOGIT = 32.0


@njit(inline="always")
def greedy(values, actions, state):
    """The action of largest value in `state`, the first of several; the first whose value is NaN, if any.

    values : float64[states, actions]
    """
    best = 0
    largest = values[state, 0]
    for action in range(1, actions):
        value = values[state, action]
        # One condition without short-cuts: what is best is hard to predict, so no branch should depend on it.
        if (largest == largest) & (not value <= largest):
            best = action
            largest = value
    return best


@njit(inline="always")
def epsilon_greedy(values, actions, state, epsilon, stream):
    """(an action: with probability `epsilon` any, otherwise the greedy one; the greedy action)."""
    best = greedy(values, actions, state)
    if uniform(stream) < epsilon:
        return below(stream, actions), best
    return best, best


@njit(inline="always")
def softmax(logits, actions, state, probabilities):
    """Fill `probabilities` (float64[actions]) from the clipped logits (float64[states, actions]); NaN stays NaN."""
    total = 0.0
    for action in range(actions):
        logit = logits[state, action]
        logit = -LARGEST_LOGIT if logit < -LARGEST_LOGIT else logit
        logit = LARGEST_LOGIT if logit > LARGEST_LOGIT else logit
        probabilities[action] = math.exp(logit)
        total += probabilities[action]
    for action in range(actions):
        probabilities[action] /= total


@njit(inline="always")
def sample(probabilities, actions, stream):
    """An action with these probabilities, by inversion of one uniform number; 0 where there is NaN."""
    chance = uniform(stream)
    cumulative = 0.0
    for action in range(actions):
        cumulative += probabilities[action]
        if chance < cumulative:
            return action
    return 0
