"""Outputs and gradients of linear functions over a Fourier basis, for the steps of a minibatch together.

Features are not stored, for making them anew from their factors takes less time than fetching them from memory; they
are made for a *part* of the basis that fits the nearest cache, for a *group* of four steps at a time, so that every
weight and every sum of gradients that is fetched serves four steps. Weights and their moments are laid out by part:

    float64[parts, outputs, features of a part]
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.simulation.agents.policy_gradient import ascend
from surefoot.simulation.fourier import number_of_factors, rows_and_columns

GROUP = 4
PART = 608
"""The most features of the first kind in a part: those of a group take 19 KB."""

PAGE = 512
"""The size of a page in numbers."""

VECTOR = 32
"""The room for a part is a multiple of what compiled loops do at a time: the rest would take as long again."""


class Tables(NamedTuple):
    """The weights, and what Adam knows of them; each float64[parts, outputs, features of a part].

    means, squares : running means of the gradients and of their squares
    """

    weights: np.ndarray
    means: np.ndarray
    squares: np.ndarray


class Minibatch(NamedTuple):
    """Steps that are learnt from together, and the room to do it.

    orders : of the basis
    factors : float64[steps of a buffer, factors]
    steps : int64[steps of a buffer], which of them, whole groups
    outputs, by_output : float64[steps of a buffer, outputs], logits and value of each step, and the derivatives by them
    features : float64[GROUP, features of a part], scratch
    gradients : float64[outputs, features of a part], zeros before and after
    """

    orders: np.ndarray
    factors: np.ndarray
    steps: np.ndarray
    outputs: np.ndarray
    by_output: np.ndarray
    features: np.ndarray
    gradients: np.ndarray


@njit(inline="always")
def shape_of_parts(orders):
    """(rows of the outer product a part, number of parts, number of features a part has room for)."""
    rows, columns = rows_and_columns(orders)
    most_rows = min(rows, max(1, PART // columns))
    parts = (rows + most_rows - 1) // most_rows
    most_rows = (rows + parts - 1) // parts
    others = number_of_factors(orders) - 2 * (rows + columns)
    room = (most_rows * columns + others + VECTOR - 1) // VECTOR * VECTOR
    # Arrays that begin at the same place of a page compete for the same lines of a cache.
    return most_rows, (rows + most_rows - 1) // most_rows, room + (VECTOR if room % PAGE == 0 else 0)


@njit(cache=True, error_model="numpy", fastmath={"contract"})
def fill_part(factors, orders, part, features):
    """Write a part of the features of a step, those of the second kind in the last part, and zeros after them."""
    all_rows, columns = rows_and_columns(orders)
    most_rows, _, _ = shape_of_parts(orders)
    right_real = factors[2 * all_rows : 2 * all_rows + columns]
    right_imaginary = factors[2 * all_rows + columns : 2 * (all_rows + columns)]
    last = min((part + 1) * most_rows, all_rows)
    count = 0
    for row in range(part * most_rows, last):
        x, y = factors[row], factors[all_rows + row]
        out = features[count : count + columns]
        for column in range(columns):
            out[column] = x * right_real[column] - y * right_imaginary[column]
        count += columns
    if last == all_rows:
        for position in range(2 * (all_rows + columns), len(factors)):
            features[count] = factors[position]
            count += 1
    features[count:] = 0.0


@njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _add_outputs_of_group(weights, features, outputs, first):
    """Add a part's share to the outputs of the steps first..first+3, given the weights and features of the part."""
    for output in range(weights.shape[0]):
        sum_0 = sum_1 = sum_2 = sum_3 = 0.0
        for f in range(weights.shape[1]):
            weight = weights[output, f]
            sum_0 += weight * features[0, f]
            sum_1 += weight * features[1, f]
            sum_2 += weight * features[2, f]
            sum_3 += weight * features[3, f]
        outputs[first, output] += sum_0
        outputs[first + 1, output] += sum_1
        outputs[first + 2, output] += sum_2
        outputs[first + 3, output] += sum_3


@njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _add_gradients_of_group(gradients, features, by_output, first):
    """Add the gradients of the steps first..first+3 to those of a part."""
    for output in range(gradients.shape[0]):
        by_0, by_1 = by_output[first, output], by_output[first + 1, output]
        by_2, by_3 = by_output[first + 2, output], by_output[first + 3, output]
        for f in range(gradients.shape[1]):
            pair = by_0 * features[0, f] + by_1 * features[1, f]
            gradients[output, f] += pair + (by_2 * features[2, f] + by_3 * features[3, f])


@njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
def _add_outputs(weights, features, outputs):
    """Add a part's share to the outputs of one step."""
    for output in range(weights.shape[0]):
        total = 0.0
        for f in range(weights.shape[1]):
            total += weights[output, f] * features[f]
        outputs[output] += total


@njit(cache=True, error_model="numpy")
def fill_outputs(weights, factors, orders, features, outputs):
    """Write logits and value of one step to `outputs`."""
    outputs[:] = 0.0
    for part in range(len(weights)):
        fill_part(factors, orders, part, features)
        _add_outputs(weights[part], features, outputs)


@njit(cache=True, error_model="numpy")
def fill_outputs_of_groups(weights, minibatch, groups):
    """Write logits and values of the steps in the first `groups` groups of a minibatch to its `outputs`."""
    orders, factors, steps = minibatch.orders, minibatch.factors, minibatch.steps
    features, outputs = minibatch.features, minibatch.outputs
    outputs[: GROUP * groups] = 0.0
    for part in range(len(weights)):
        block = weights[part]
        for first in range(0, GROUP * groups, GROUP):
            for member in range(GROUP):
                fill_part(factors[steps[first + member]], orders, part, features[member])
            _add_outputs_of_group(block, features, outputs, first)


@njit(cache=True, error_model="numpy")
def climb(tables, minibatch, size, groups, step_size):
    """A step of Adam along the gradients of `size` steps: whole groups, with derivatives of zero after the steps."""
    weights, means, squares = tables
    orders, factors, steps = minibatch.orders, minibatch.factors, minibatch.steps
    features, by_output, gradients = minibatch.features, minibatch.by_output, minibatch.gradients
    flat_gradients = gradients.reshape(-1)
    for part in range(len(weights)):
        for first in range(0, GROUP * groups, GROUP):
            for member in range(GROUP):
                fill_part(factors[steps[first + member]], orders, part, features[member])
            _add_gradients_of_group(gradients, features, by_output, first)
        ascend(
            weights[part].reshape(-1),
            means[part].reshape(-1),
            squares[part].reshape(-1),
            flat_gradients,
            size,
            step_size,
        )
