"""Accumulating eligibility traces of linear functions, with one pass over each array of weights per step.

The update of each output b of a linear function with features phi is (Jordan et al. 2020, section 3)

    e_b <- d e_b + x_b phi,    w_b <- w_b + c_b e_b,

with d = gamma lambda; then the products w_b.phi' and e_b.phi' with the features of the next state are needed. An
output's increment x_b is often zero: among the values of all actions, a step of Sarsa traces only the value of the
action taken. We store, for each output,

    w_b = W_b + t_b h_b,    e_b = s_b h_b,

so that decays and changes affect only the numbers s_b and t_b. At a step with x_b != 0, one pass over W_b and h_b
applies all pending updates, adds x_b phi and computes the products with phi' (`advance`); otherwise, the arrays are
only read. Either way q_b(s') = W_b.phi' + t_b h_b.phi', and if t_b changes afterwards, the same products give the new
value without another pass. t_b is reset whenever x_b != 0: additions are reordered only between two such steps.

This is valid as long as all numbers are finite, which holds while no |c_b| exceeds LARGEST_CHANGE. After that, the
trial continues *directly*: with s_b = 1 and t_b = 0, and every entry updated in the order of the formulas, so that inf
and NaN arise in the same places. An update is skipped if its change is NaN, but not if it is infinite.

`begin`, `settle`, `update` and `fourier.fill_factors` receive the arrays one by one: with named tuples instead, agents
with few features need 5 to 18 percent more time.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from surefoot.simulation.fourier import fill_part, rows_and_columns

PENDING, SCALE, WEIGHT_PRODUCT, TRACE_PRODUCT = range(4)
"""Columns of the ledger."""

LARGEST_CHANGE = 1e150
NEGLIGIBLE = 1e-200
"""Smaller traces are set to zero: they do not affect any weight, and denormal numbers would be slow."""

FEATURES_PER_PART = 1024
"""Number of features per part. A part of phi and phi' stays in the L1 cache until all outputs are computed from it."""

REORDERED = {"reassoc", "contract", "arcp", "nsz"}
"""Compiler flags that allow reordered sums, as vector instructions need them, but preserve inf and NaN."""


class LinearFunctions(NamedTuple):
    """Linear functions of a state, their traces, and pending updates.

    weights : float64[outputs, at least number of features], W
    traces : float64[outputs, at least number of features], h
    ledger : float64[outputs, 4], t, s, W.phi, h.phi
    features : float64[2, at least number of features], phi of the current and of the next state in turn
    """

    weights: np.ndarray
    traces: np.ndarray
    ledger: np.ndarray
    features: np.ndarray


@njit(inline="always")
def new_functions(outputs, features):
    """Create linear functions of `features` features, with all weights zero."""
    # Rows that begin at different offsets of a page do not compete for the same cache lines.
    stride = (features + 7) // 8 * 8 + 24
    return LinearFunctions(
        np.zeros((outputs, stride)),
        np.zeros((outputs, stride)),
        np.zeros((outputs, 4)),
        np.zeros((2, stride)),
    )


@njit(cache=True, error_model="numpy", fastmath=REORDERED)
def _weight_product(weights, output, features, row, start, count):
    """Return W.phi over a part of the features."""
    w = weights[output, start : start + count]
    x = features[row, start : start + count]
    product = 0.0
    for i in range(count):
        product += w[i] * x[i]
    return product


@njit(cache=True, error_model="numpy", fastmath=REORDERED)
def _products(weights, traces, output, features, row, start, count):
    """Return (W.phi, h.phi) over a part of the features."""
    w = weights[output, start : start + count]
    h = traces[output, start : start + count]
    x = features[row, start : start + count]
    weight_product = 0.0
    trace_product = 0.0
    for i in range(count):
        weight_product += w[i] * x[i]
        trace_product += h[i] * x[i]
    return weight_product, trace_product


@njit(cache=True, error_model="numpy", fastmath=REORDERED)
def _visit(weights, traces, output, pending, scale, increment, features, row, start, count):
    """Compute W <- W + t h, h <- s h + x phi over a part of the features, and return (W.phi', h.phi')."""
    w = weights[output, start : start + count]
    h = traces[output, start : start + count]
    x = features[1 - row, start : start + count]
    y = features[row, start : start + count]
    weight_product = 0.0
    trace_product = 0.0
    for i in range(count):
        weight = w[i] + pending * h[i]
        trace = scale * h[i] + increment * x[i]
        w[i] = weight
        h[i] = trace
        weight_product += weight * y[i]
        trace_product += trace * y[i]
    return weight_product, trace_product


@njit(cache=True, error_model="numpy", fastmath=REORDERED)
def _fold(weights, traces, output, trace_factor, features, row, feature_factor, count):
    """Compute W <- W + trace_factor h + feature_factor phi."""
    w = weights[output, :count]
    h = traces[output, :count]
    x = features[row, :count]
    for i in range(count):
        w[i] += trace_factor * h[i] + feature_factor * x[i]


@njit(cache=True, error_model="numpy")
def _decay(traces, output, decay, increment, features, row, count):
    """Compute e <- d e + x phi, setting negligible entries to zero (NaN is not negligible)."""
    for i in range(count):
        trace = decay * traces[output, i] + increment * features[row, i]
        traces[output, i] = 0.0 if abs(trace) < NEGLIGIBLE else trace


@njit(cache=True, error_model="numpy")
def _add(weights, traces, output, change, count):
    """Compute w <- w + e c, unless c is NaN."""
    if change == change:
        for i in range(count):
            weights[output, i] += traces[output, i] * change


@njit(inline="always")
def read(ledger, output):
    """Return w_b.phi of the current state."""
    pending = ledger[output, PENDING]
    product = ledger[output, WEIGHT_PRODUCT]
    # 0 * inf must not turn a valid value into NaN.
    return product + pending * ledger[output, TRACE_PRODUCT] if pending != 0.0 else product


@njit(inline="always")
def read_trace(ledger, output):
    """Return e_b.phi of the current state."""
    return ledger[output, SCALE] * ledger[output, TRACE_PRODUCT]


@njit(cache=True, error_model="numpy")
def begin(weights, traces, ledger, outputs, factors, orders, features, row):
    """Compute the features of an episode's first state and their products with the weights; traces are zero."""
    rows, columns = rows_and_columns(orders)
    rows_per_part = max(1, FEATURES_PER_PART // columns)
    for output in range(outputs):
        ledger[output, WEIGHT_PRODUCT] = 0.0
        ledger[output, TRACE_PRODUCT] = 0.0
    for first in range(0, rows, rows_per_part):
        start = first * columns
        count = fill_part(factors, orders, first, min(rows_per_part, rows - first), features[row, start:])
        for output in range(outputs):
            if ledger[output, SCALE] != 0.0:
                product, trace_product = _products(weights, traces, output, features, row, start, count)
                ledger[output, TRACE_PRODUCT] += trace_product
            else:
                product = _weight_product(weights, output, features, row, start, count)
            ledger[output, WEIGHT_PRODUCT] += product


@njit(cache=True, error_model="numpy")
def advance(functions, outputs, increments, decay, factors, orders, row, count, direct):
    """Compute e <- d e + x phi for all outputs; then the features of the next state and the products with them.

    Parameters
    ----------
    functions : LinearFunctions
    outputs : int
        Number of outputs to process, from the first.
    increments : float64[outputs]
        x.
    decay : float
        d.
    factors, orders : arrays
        Factors of the next state and orders of the basis; see `fourier`.
    row : int
        Row for the features of the next state; the other row has the features of the current one.
    count : int
        Number of features.
    direct : bool
        True if the trial continues directly; see the module docstring.
    """
    weights, traces, ledger, features = functions
    if direct:
        for output in range(outputs):
            _decay(traces, output, decay, increments[output], features, 1 - row, count)
        begin(weights, traces, ledger, outputs, factors, orders, features, row)
        return
    for output in range(outputs):
        ledger[output, SCALE] *= decay
        if ledger[output, SCALE] < NEGLIGIBLE:  # the trace has decayed to nothing
            if ledger[output, PENDING] != 0.0:
                _fold(weights, traces, output, ledger[output, PENDING], features, row, 0.0, count)
            ledger[output, PENDING] = 0.0
            ledger[output, SCALE] = 0.0
        ledger[output, WEIGHT_PRODUCT] = 0.0
        ledger[output, TRACE_PRODUCT] = 0.0
    rows, columns = rows_and_columns(orders)
    rows_per_part = max(1, FEATURES_PER_PART // columns)
    for first in range(0, rows, rows_per_part):
        start = first * columns
        part = fill_part(factors, orders, first, min(rows_per_part, rows - first), features[row, start:])
        for output in range(outputs):
            scale = ledger[output, SCALE]
            pending = ledger[output, PENDING]
            trace_product = 0.0
            if increments[output] != 0.0:
                product, trace_product = _visit(
                    weights, traces, output, pending, scale, increments[output], features, row, start, part
                )
            elif scale != 0.0:
                product, trace_product = _products(weights, traces, output, features, row, start, part)
            else:
                product = _weight_product(weights, output, features, row, start, part)
            ledger[output, WEIGHT_PRODUCT] += product
            ledger[output, TRACE_PRODUCT] += trace_product
    for output in range(outputs):
        if increments[output] != 0.0:
            ledger[output, PENDING] = 0.0
            ledger[output, SCALE] = 1.0


@njit(inline="always")
def small(changes):
    """Return True if all changes are small enough to keep updates pending."""
    answer = True
    for change in changes:
        answer &= abs(change) <= LARGEST_CHANGE
    return answer


@njit(cache=True, error_model="numpy")
def settle(weights, traces, ledger, outputs, features, row, count):
    """Apply all pending updates, so that W is w and h is e, and the trial can continue directly."""
    for output in range(outputs):
        scale = ledger[output, SCALE]
        _fold(weights, traces, output, ledger[output, PENDING], features, row, 0.0, count)
        for i in range(count):
            traces[output, i] *= scale
        ledger[output, WEIGHT_PRODUCT] = read(ledger, output)
        ledger[output, TRACE_PRODUCT] = read_trace(ledger, output)
        ledger[output, PENDING] = 0.0
        ledger[output, SCALE] = 1.0


@njit(cache=True, error_model="numpy")
def update(weights, traces, ledger, outputs, changes, features, row, count, direct):
    """Compute w <- w + c e for all outputs, after `advance`.

    Parameters
    ----------
    changes : float64[outputs]
        c, which must be small unless the trial continues directly.
    row : int
        Row with the features of the next state, as passed to `advance`.
    """
    for output in range(outputs):
        if direct:
            _add(weights, traces, output, changes[output], count)
            product, trace_product = _products(weights, traces, output, features, row, np.int64(0), count)
            ledger[output, WEIGHT_PRODUCT] = product
            ledger[output, TRACE_PRODUCT] = trace_product
        else:
            ledger[output, PENDING] += changes[output] * ledger[output, SCALE]


@njit(cache=True, error_model="numpy")
def finish(functions, outputs, increments, decay, changes, row, count, direct):
    """Finish an episode: e <- d e + x phi, w <- w + c e, e <- 0.

    Parameters
    ----------
    increments, decay : float64[outputs], float
        x and d, as for `advance`.
    changes : float64[outputs]
        c, as for `update`.
    row : int
        Row with the features of the last state before the end.
    """
    weights, traces, ledger, features = functions
    for output in range(outputs):
        change = changes[output]
        if direct:
            _decay(traces, output, decay, increments[output], features, row, count)
            _add(weights, traces, output, change, count)
            traces[output] = 0.0
        else:
            factor = ledger[output, PENDING] + change * (ledger[output, SCALE] * decay)
            _fold(weights, traces, output, factor, features, row, change * increments[output], count)
            ledger[output, PENDING] = 0.0
            ledger[output, SCALE] = 0.0
