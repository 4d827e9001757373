"""Accumulating eligibility traces over a table, with weight updates that are put off until they are needed.

Meant is (Jordan et al. 2020, section 3), at every step and over the whole table, with increments x at the visited
state, a change c = alpha delta, and a decay d = gamma lambda that may as well come after as before:

    e <- e + x,    w <- w + c e,    e <- d e

Kept is e = s h, where the scale s takes all of the decay and h changes at the visited state alone. Then w grows by
h times the sum of c s over the steps since it was last looked at: it is enough to keep the running total of
c s, to mark for each state how far the total had come when its weights were last brought up to date, and
to catch up with a state when it is read. A step costs the same for a table of any size.

This reorders additions and nothing else, on three conditions (see `update`); where one fails, the table is settled,
that is brought up to date everywhere, and the total started anew:

* The terms of the total differ by many orders of magnitude, and late ones must not drown. The total is kept in
  two numbers (Knuth's TwoSum, 106 bits) and no term below 2**-50 of those before it is let in. So each term keeps
  the 53 bits, and 3 to spare, that it has when it is added to the weights at once.
* s must not underflow.
* The change must be finite and far from overflow. Otherwise it is added to every entry, as 0 * inf must make NaN.

Reordered, weights differ in their last bits. That shows where two actions of a state have histories so alike that
additions one by one make their values equal, as happens in grids while all is new: there the smaller number would win,
here rounding decides. It favours neither: single trials differ, their distribution does not (in 10,000 pairs of
trials of Sarsa on gridworld_5_deterministic the means differ by 0.002, with a standard error of 0.002, at a standard
deviation of 20 between trials).

The number of columns goes with the arrays of a table, for a kernel in which it is a constant runs through them without
loops.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

LARGEST_RATIO = 2.0**50
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


class Table(NamedTuple):
    """What is learnt, with its traces. An episode unpacks it: references would be counted at every step otherwise.

    weights : float64[states, columns]
    traces : float64[states, columns + 3], h; the mark, in two numbers; 1 if the state is listed as having a trace
    traced : int64[1 + states], the length of that list, and the list, in any order
    """

    weights: np.ndarray
    traces: np.ndarray
    traced: np.ndarray


@njit(inline="always")
def new_table(states, columns):
    """A table of zeros."""
    return Table(np.zeros((states, columns)), np.zeros((states, columns + 3)), np.zeros(1 + states, np.int64))


@njit(inline="always")
def nothing_pending():
    """What is pending in a settled table."""
    return Pending(0.0, 0.0, 0.0, 1.0)


@njit(inline="always")
def catch_up(weights, traces, columns, pending, state):
    """Bring the weights of one state up to date."""
    total = (pending.leading - traces[state, columns]) + (pending.rest - traces[state, columns + 1])
    traces[state, columns] = pending.leading
    traces[state, columns + 1] = pending.rest
    # Without the condition a trace of NaN would reach the weights although nothing was added.
    if total != 0.0:
        for column in range(columns):
            weights[state, column] += traces[state, column] * total


@njit(inline="always")
def start_trace(traces, traced, columns, state):
    """List a state, which must have been caught up with, before `increase` changes its trace."""
    if traces[state, columns + 2] == 0.0:
        traces[state, columns + 2] = 1.0
        traced[0] += 1
        traced[traced[0]] = state


@njit(inline="always")
def increase(traces, pending, state, column, increment):
    """Add `increment` to one entry of e."""
    traces[state, column] += increment / pending.scale


@njit(inline="always")
def trace(traces, pending, state, column):
    """One entry of e."""
    return pending.scale * traces[state, column]


@njit(inline="always")
def _settle(weights, traces, traced, columns, pending, change, decay):
    """Do all that is pending, then w <- w + change e, e <- decay e at once."""
    if not abs(change) <= LARGEST_CHANGE:
        for state in range(len(weights)):
            catch_up(weights, traces, columns, pending, state)
            for column in range(columns):
                weights[state, column] += trace(traces, pending, state, column) * change
        change = 0.0
    kept = 0
    for position in range(1, 1 + traced[0]):
        state = traced[position]
        catch_up(weights, traces, columns, pending, state)
        size = 0.0
        for column in range(columns):
            entry = trace(traces, pending, state, column)
            if change != 0.0:
                weights[state, column] += entry * change
            entry *= decay
            traces[state, column] = 0.0 if abs(entry) < NEGLIGIBLE else entry
            size += abs(traces[state, column])
        traces[state, columns] = 0.0
        traces[state, columns + 1] = 0.0
        traces[state, columns + 2] = size != 0.0
        traced[1 + kept] = state
        kept += size != 0.0
    traced[0] = kept


@njit(inline="always")
def update(weights, traces, traced, columns, pending, change, decay):
    """w <- w + change e, e <- decay e: what is pending afterwards."""
    term = change * pending.scale
    scale = pending.scale * decay
    if abs(change) <= LARGEST_CHANGE and pending.size <= LARGEST_RATIO * abs(term) and scale >= SMALLEST_SCALE:
        leading = pending.leading + term
        back = leading - pending.leading
        error = (pending.leading - (leading - back)) + (term - back)
        pending = Pending(leading, pending.rest + error, pending.size + abs(term), scale)
    else:
        _settle(weights, traces, traced, columns, pending, change, decay)
        pending = nothing_pending()
    return pending


@njit(inline="always")
def forget(weights, traces, traced, columns, pending):
    """Do all that is pending, then e <- 0, as at the end of an episode."""
    for position in range(1, 1 + traced[0]):
        state = traced[position]
        catch_up(weights, traces, columns, pending, state)
        for column in range(columns + 3):
            traces[state, column] = 0.0
    traced[0] = 0
