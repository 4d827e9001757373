"""How often each of many things is drawn, with replacement, in a block of bootstrap replicates.

The counts of a replicate have a multinomial distribution. Independent Poisson numbers have it too, given their sum
(Johnson, Kotz and Balakrishnan, "Discrete Multivariate Distributions", 1997, chapter 35), and the processor makes many
of them at once, by comparing 16 random bits with a few thresholds; where 16 bits do not decide, more are drawn, so that
only the rounding of doubles is between these numbers and Poisson's. Their mean is a little below the one that would
give the wanted number of draws, and what is missing is drawn one by one. Where the sum exceeds that number, the counts
are discarded and all is drawn one by one: as only the sum decides, neither changes the distribution.
"""

import numpy as np
from numba import njit

from surefoot.statistics.metrics.kernels import BLOCK
from surefoot.statistics.resampling.draws import add_draws, fill_words
from surefoot.streams import next_integer, start_stream, uniform

_CHUNK = 512
_LEVELS = 6
# A Poisson number with a mean of at most 1 is greater with a probability below 2**-80.
_TERMS = 26
_FEWEST = 16
# By how many of its standard deviations the mean of the sum is below the wanted number of draws: more is missing on
# average, and fewer replicates are discarded.
_MARGIN = 2.0


@njit(cache=True, nogil=True, error_model="numpy")
def draw_counts(key, number, size, draws, counts):
    """Fill `counts` with how often each of `size` things is drawn, by stream `number` of the family `key`.

    Parameters
    ----------
    draws : draws with replacement in each replicate
    counts : uint8[size, BLOCK], a column a replicate; uint32 where many more may be drawn than there are things (see
        `stratified_bootstrap.counter_type`)
    """
    stream = np.empty(4, np.uint64)
    start_stream(key, number, stream)
    missing = np.full(BLOCK, draws, np.int32)
    if size >= _FEWEST and draws <= size <= 2 * draws:
        rate = (draws - _MARGIN * np.sqrt(draws)) / size
        _draw_poisson(stream, rate, counts.reshape(-1))
        for i in range(np.uint64(size)):
            row = counts[i]
            for r in range(missing.size):
                missing[r] -= np.int32(row[r])
    else:
        counts[:] = 0
    state = next_integer(stream)
    for r in range(BLOCK):
        own = counts[:, r]
        if missing[r] < 0:
            own[:] = 0
            missing[r] = draws
        state = add_draws(state, size, missing[r], own)


@njit(cache=True, nogil=True, error_model="numpy")
def _draw_poisson(stream, rate, counts):
    """Fill `counts`, one-dimensional, with Poisson numbers.

    Of the 65,536 values of 16 bits, as many whole ones as possible stand for each of the first counts, in ascending
    order, and the last few for what is left of the probabilities.
    """
    ends, left = np.empty(_LEVELS + 1, np.uint16), np.empty(_TERMS)
    share, end = 65536.0 * np.exp(-rate), 0.0
    for count in range(_TERMS):
        left[count] = share
        if count <= _LEVELS:
            end += np.floor(share)
            ends[count] = np.uint16(end)
            left[count] -= np.floor(share)
        share *= rate / (count + 1)
    words = np.empty(_CHUNK // 4, np.uint64)
    values, state = words.view(np.uint16), next_integer(stream)
    for begin in range(0, counts.size, values.size):
        state = fill_words(state, words)
        part = counts[begin : begin + values.size]
        if _levels(values, ends, part) >= ends[_LEVELS]:
            for place in range(part.size):
                if values[place] >= ends[_LEVELS]:
                    part[place] = _drawn_from(left, stream)


@njit(cache=True, nogil=True, error_model="numpy")
def _levels(values, ends, counts):
    """How many of the first _LEVELS ends each of the values has reached, into counts; the greatest value."""
    one, two, three, four, five, six = ends[0], ends[1], ends[2], ends[3], ends[4], ends[5]
    greatest = np.uint16(0)
    for place in range(counts.size):
        value = values[place]
        reached = np.uint16(value >= one) + np.uint16(value >= two) + np.uint16(value >= three)
        reached += np.uint16(value >= four) + np.uint16(value >= five) + np.uint16(value >= six)
        counts[place] = np.uint8(reached)
        greatest = max(greatest, value)
    return greatest


@njit(cache=True, nogil=True, error_model="numpy")
def _drawn_from(shares, stream):
    """A number 0, 1, ..., drawn with probabilities proportional to its shares, float64[any]."""
    place, number = shares.sum() * uniform(stream), 0
    while number < shares.size - 1 and place >= shares[number]:
        place -= shares[number]
        number += 1
    return number
