"""Adam, with the constants of PPO's definition (Jordan et al. 2020, Appendix E; Kingma and Ba, ICLR 2015)."""

import math

from numba import njit

FIRST_DECAY, SECOND_DECAY = 0.9, 0.999
EPSILON = 1e-5
"""Outside the correction of the bias."""

NEGLIGIBLE = 1e-200
"""Smaller means of gradients are set to zero: no weight can tell, and denormal numbers would be slow."""


@njit(inline="always")
def corrected_step_size(step_size, number):
    """The step size of step `number` (from 1), with the bias of both means corrected."""
    return step_size * math.sqrt(1.0 - SECOND_DECAY**number) / (1.0 - FIRST_DECAY**number)


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def ascend(weights, means, squares, gradients, count, step_size):
    """One step up the mean of `count` gradients, of which `gradients` has the sum, and is then zero; flat arrays.

    means, squares : running means of the gradients and of their squares
    step_size : the corrected one
    """
    share = 1.0 / count
    for entry in range(len(weights)):
        gradient = gradients[entry] * share
        mean = FIRST_DECAY * means[entry] + (1.0 - FIRST_DECAY) * gradient
        mean = 0.0 if abs(mean) < NEGLIGIBLE else mean
        square = SECOND_DECAY * squares[entry] + (1.0 - SECOND_DECAY) * gradient * gradient
        weights[entry] += step_size * mean / (math.sqrt(square) + EPSILON)
        means[entry] = mean
        squares[entry] = square
        gradients[entry] = 0.0
