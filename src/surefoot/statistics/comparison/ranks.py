"""Ranks of algorithms, and the ranks that their intervals leave open (Jordan et al. 2020, section 4.3, Table 1)."""

from typing import NamedTuple

import numpy as np

from surefoot.statistics.arrays import Floats
from surefoot.statistics.ties import RELATIVE, score_places


class Ranks(NamedTuple):
    """Ranks, int64[n] each, 1 is best.

    rank : by value; equal values share the better rank
    low : pessimistic, every algorithm that may be better is
    high : optimistic, only those that must be better are
    """

    rank: Floats
    low: Floats
    high: Floats


def rank_values(values: Floats, decimals: int | str = RELATIVE) -> Floats:
    """Ranks of `values`, float64[n]: 1 for the greatest; equal values share the better rank; decimals : what counts as
    equal, as in `score_places`."""
    (places,) = score_places([np.asarray(values, np.float64)], decimals)
    return places.size + 1 - (places[:, None] >= places[None, :]).sum(axis=1)


def ranks(values: Floats, low: Floats, high: Floats) -> Ranks:
    """Ranks of algorithms with scores `values` and limits `low` and `high`, float64[n] each.

    An algorithm is surely better than another where its lower limit exceeds the other's upper limit, and may be as good
    where its upper limit reaches the other's lower one. (The published program wants it to exceed it, which makes no
    difference but between intervals of no width: there it would leave two equal algorithms no rank of their own.)
    """
    low, high = np.asarray(low, np.float64), np.asarray(high, np.float64)
    surely = low[:, None] > high[None, :]
    maybe = high[:, None] >= low[None, :]
    n = low.size
    return Ranks(rank_values(values), n - surely.sum(axis=1), n + 1 - maybe.sum(axis=1))
