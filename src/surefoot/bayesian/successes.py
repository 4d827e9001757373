"""Binomial numbers, drawn event by event but many at a time."""

import numpy as np
from numba import njit

from surefoot.streams import next_integer


@njit(inline="always")
def _ones(word):
    """Number of ones among the bits of a uint64."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(inline="always")
def successes(number, probability, stream):
    """How many of `number` independent events happen, each of this probability.

    Each of 16 bits is an event. It happens if a uniform number, drawn bit after bit, is smaller than the probability,
    whose bits stand in `threshold`. A random word has four bits for each event, and nearly all events are decided
    after two words.
    """
    happened = 0
    if probability >= 1.0:
        happened = number
        number = 0
    while number > 0:
        undecided = np.uint64(0xFFFF) >> np.uint64(16 - min(number, 16))
        number -= 16
        threshold = np.uint64(probability * 9007199254740992.0) << np.uint64(11)
        yes = np.uint64(0)
        while (undecided != np.uint64(0)) & (threshold != np.uint64(0)):
            bits = next_integer(stream)
            for _ in range(4):
                mask = np.uint64(np.int64(threshold) >> 63)
                yes |= undecided & mask & ~bits
                undecided &= ~(bits ^ mask)
                threshold <<= np.uint64(1)
                bits >>= np.uint64(16)
        happened += _ones(yes)
    return happened
