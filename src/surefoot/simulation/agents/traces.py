"""Accumulating eligibility traces over a table, with weight updates that are put off until they are needed.

Meant is (Jordan et al. 2020, section 3), at every step, with decay d = gamma lambda, an increment x of the trace of
the visited state, and a change c = alpha delta, over the whole table:

    e <- d e + x,    w <- w + c e

Kept is e = s h, where the scale s takes all of the decay and h changes at the visited state alone. Then w grows by
h times the sum of c s over the steps since it was last looked at: it is enough to keep the running total of
c s, to mark for each state how far the total had come when its weights were last brought up to date, and
to catch up with a state when it is read. A step costs the same for a table of any size.

This reorders additions and nothing else, on three conditions:

* The terms of the total differ by many orders of magnitude, and late ones must not drown. The total is kept in
  two numbers (Knuth's TwoSum, 106 bits), and the table is settled and the total started anew before a term below
  2**-44 of those before it comes in. So each term keeps the 53 bits, and 9 to spare, that it has when it
  is added to the weights at once.
* s must not underflow: the table is settled before.
* The change must be finite. If it is not, or is near overflow, the table is settled and the change added to
  every entry, since 0 * inf must make NaN.

Settling walks through the states that have a trace.

A table is three arrays (a tuple of them would cost reference counts at every step):

    weights  float64[states, columns]
    traces   float64[states, columns + 3]: h; the mark, in two numbers; 1 if the state is listed as having a trace
    traced   int64[states + 1]: that list, in any order; the last entry is its length
"""

from typing import NamedTuple

import numpy as np
from numba import njit

LARGEST_RATIO = 2.0**44
SMALLEST_SCALE = 1e-100
LARGEST_CHANGE = 1e250
NEGLIGIBLE = 1e-200
"""Smaller traces are set to zero: no weight can tell, and denormal numbers would be slow."""


class Pending(NamedTuple):
    """What has been put off since the table was last settled."""

    leading: float
    rest: float
    """The total of the terms c s is leading + rest."""
    size: float
    """The sum of their absolute values."""
    scale: float
    """s."""


@njit(inline="always")
def new_table(states, columns):
    """A table of zeros: (weights, traces, traced)."""
    return np.zeros((states, columns)), np.zeros((states, columns + 3)), np.zeros(states + 1, np.int64)


@njit(inline="always")
def nothing_pending():
    """The state of things in a settled table."""
    return Pending(0.0, 0.0, 0.0, 1.0)


@njit(inline="always")
def catch_up(weights, traces, pending, state):
    """Bring the weights of one state up to date."""
    columns = weights.shape[1]
    total = (pending.leading - traces[state, columns]) + (pending.rest - traces[state, columns + 1])
    traces[state, columns] = pending.leading
    traces[state, columns + 1] = pending.rest
    # Without the condition a trace of NaN would reach the weights although nothing was added.
    if total != 0.0:
        for column in range(columns):
            weights[state, column] += traces[state, column] * total


@njit(cache=True, error_model="numpy")
def _settle(weights, traces, traced, pending):
    """Bring all weights up to date, and make the traces what they stand for, ready for an empty total."""
    columns = weights.shape[1]
    kept = 0
    for position in range(traced[-1]):
        state = traced[position]
        catch_up(weights, traces, pending, state)
        listed = False
        for column in range(columns):
            trace = traces[state, column] * pending.scale
            zero = abs(trace) < NEGLIGIBLE
            traces[state, column] = 0.0 if zero else trace
            listed |= not zero
        traces[state, columns] = 0.0
        traces[state, columns + 1] = 0.0
        traces[state, columns + 2] = listed
        traced[kept] = state
        kept += listed
    traced[-1] = kept


@njit(inline="always")
def settle(weights, traces, traced, pending):
    """Do all that is pending; returns nothing_pending()."""
    _settle(weights, traces, traced, pending)
    return nothing_pending()


@njit(cache=True, error_model="numpy")
def forget(weights, traces, traced, pending):
    """Do all that is pending and set all traces to zero, as at the end of an episode."""
    _settle(weights, traces, traced, pending)
    for position in range(traced[-1]):
        traces[traced[position]] = 0.0
    traced[-1] = 0


@njit(inline="always")
def fade(weights, traces, traced, pending, decay):
    """e <- decay e, over the whole table."""
    pending = Pending(pending.leading, pending.rest, pending.size, pending.scale * decay)
    return settle(weights, traces, traced, pending) if pending.scale < SMALLEST_SCALE else pending


@njit(inline="always")
def trace(traces, pending, state, column):
    """One entry of e."""
    return pending.scale * traces[state, column]


@njit(inline="always")
def increase(traces, traced, pending, state, column, increment):
    """Add `increment` to one entry of e; the state must have been caught up with."""
    listed = traces.shape[1] - 1
    if traces[state, listed] == 0.0:
        traces[state, listed] = 1.0
        traced[traced[-1]] = state
        traced[-1] += 1
    traces[state, column] += increment / pending.scale


@njit(cache=True, error_model="numpy")
def _add_everywhere(weights, traces, change):
    """w <- w + change e in a settled table, as it stands in the definition."""
    for state in range(weights.shape[0]):
        for column in range(weights.shape[1]):
            weights[state, column] += traces[state, column] * change


@njit(inline="always")
def update(weights, traces, traced, pending, change):
    """w <- w + change e, over the whole table."""
    if not abs(change) <= LARGEST_CHANGE:
        pending = settle(weights, traces, traced, pending)
        _add_everywhere(weights, traces, change)
        return pending
    if pending.size > LARGEST_RATIO * abs(change * pending.scale):
        pending = settle(weights, traces, traced, pending)
    term = change * pending.scale
    leading = pending.leading + term
    back = leading - pending.leading
    error = (pending.leading - (leading - back)) + (term - back)
    return Pending(leading, pending.rest + error, pending.size + abs(term), pending.scale)
