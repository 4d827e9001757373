"""How an agent chooses an action (Jordan et al. 2020, Appendix E)."""

import math

from numba import njit

from surefoot.streams import below, uniform

LARGEST_LOGIT = 32.0


@njit(inline="always")
def greedy(values):
    """Position of the largest of `values` (float64[actions]), the first of several; of the first NaN, if any."""
    best = 0
    for action in range(1, len(values)):
        if values[best] == values[best] and not values[action] <= values[best]:
            best = action
    return best


@njit(inline="always")
def epsilon_greedy(values, epsilon, stream):
    """(an action: with probability `epsilon` any, otherwise the greedy one; the greedy action)."""
    best = greedy(values)
    if uniform(stream) < epsilon:
        return below(stream, len(values)), best
    return best, best


@njit(inline="always")
def softmax(logits, probabilities):
    """Fill `probabilities` with those of the softmax of the clipped `logits`; NaN stays NaN."""
    total = 0.0
    for action in range(len(logits)):
        logit = logits[action]
        logit = -LARGEST_LOGIT if logit < -LARGEST_LOGIT else logit
        logit = LARGEST_LOGIT if logit > LARGEST_LOGIT else logit
        probabilities[action] = math.exp(logit)
        total += probabilities[action]
    for action in range(len(logits)):
        probabilities[action] /= total


@njit(inline="always")
def sample(probabilities, stream):
    """An action with these probabilities, by inversion of one uniform number; 0 where there is NaN."""
    chance = uniform(stream)
    cumulative = 0.0
    for action in range(len(probabilities)):
        cumulative += probabilities[action]
        if chance < cumulative:
            return action
    return 0
