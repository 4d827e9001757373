"""Draws with replacement, many at a time: indices of runs for a block of bootstrap replicates.

A stream of the family (`surefoot.streams`) gives a start, and SplitMix64 (Steele, Lea and Flood, "Fast Splittable
Pseudorandom Number Generators", OOPSLA 2014) goes on from there: number i is a function of start + i alone, so that the
processor makes several at once. Each 64-bit number gives four indices where there are at most 256 things to draw
from, else two, by Lemire's method ("Fast Random Integer Generation in an Interval", ACM TOMACS 29(1), 2019), which
refuses some bits so that every index has exactly the same probability.
"""

import numpy as np
from numba import njit

from surefoot.streams import next_integer, start_stream

_STEP = np.uint64(0x9E3779B97F4A7C15)
_CHUNK = 128
SPARE = 2 * _CHUNK


@njit(inline="always")
def _scatter(z):
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True, nogil=True, error_model="numpy")
def _quarter_indices(pieces, size, indices):
    """Indices from 16 bits each; the smallest remainder, which tells whether any had to be refused."""
    lowest = np.uint32(0xFFFF)
    for piece in range(pieces.size):
        product = np.uint32(pieces[piece]) * size
        indices[piece] = product >> np.uint32(16)
        lowest = min(lowest, np.uint32(product & np.uint32(0xFFFF)))
    return lowest


@njit(cache=True, nogil=True, error_model="numpy")
def _half_indices(pieces, size, indices):
    """Indices from 32 bits each; the smallest remainder."""
    lowest = np.uint64(0xFFFFFFFF)
    for piece in range(pieces.size):
        product = np.uint64(pieces[piece]) * size
        indices[piece] = np.uint32(product >> np.uint64(32))
        lowest = min(lowest, product & np.uint64(0xFFFFFFFF))
    return lowest


@njit(cache=True, nogil=True, error_model="numpy")
def fill_words(state, words):
    """Fill `words`, uint64[any], with the numbers of SplitMix64 that follow `state`; the state after them."""
    for word in range(words.size):
        words[word] = _scatter(state + np.uint64(word) * _STEP)
    return state + np.uint64(words.size) * _STEP


@njit(cache=True, nogil=True, error_model="numpy")
def add_draws(state, size, draws, counts):
    """Count so many draws of one of `size` things, each added to counts[thing]; the state of SplitMix64 after them."""
    narrow, wanted = size <= 256, np.uint64(size)
    bits, mask = np.uint64(16 if narrow else 32), np.uint64(0xFFFF if narrow else 0xFFFFFFFF)
    threshold = (mask + np.uint64(1)) % wanted
    while draws > 0:
        word = _scatter(state)
        state += _STEP
        if narrow and draws >= 4:
            first, second = _product(word, 0, wanted), _product(word, 16, wanted)
            third, fourth = _product(word, 32, wanted), _product(word, 48, wanted)
            if min(first & mask, second & mask, third & mask, fourth & mask) >= threshold:
                counts[first >> bits] += np.uint8(1)
                counts[second >> bits] += np.uint8(1)
                counts[third >> bits] += np.uint8(1)
                counts[fourth >> bits] += np.uint8(1)
                draws -= 4
                continue
        for _ in range(4 if narrow else 2):
            product = (word & mask) * wanted
            word >>= bits
            if draws > 0 and product & mask >= threshold:
                counts[product >> bits] += np.uint8(1)
                draws -= 1
    return state


@njit(inline="always")
def _product(word, begin, wanted):
    return ((word >> np.uint64(begin)) & np.uint64(0xFFFF)) * wanted


@njit(cache=True, nogil=True, error_model="numpy")
def draw_indices(key, number, size, count, indices):
    """Fill indices[:count] with indices that are uniform on 0..size-1, drawn by stream `number` of the family `key`.

    indices : uint32, with SPARE entries more than `count`. The first indices do not depend on how many are drawn.
    """
    stream, words = np.empty(4, np.uint64), np.empty(_CHUNK // 2, np.uint64)
    start_stream(key, number, stream)
    state = next_integer(stream)
    halves, quarters = words.view(np.uint32), words.view(np.uint16)[:_CHUNK]
    narrow = size <= 256
    bits = np.uint64(16 if narrow else 32)
    used, wanted = _CHUNK // 4 if narrow else _CHUNK // 2, np.uint64(size)
    mask = (np.uint64(1) << bits) - np.uint64(1)
    threshold = (mask + np.uint64(1)) % wanted
    done = 0
    while done < count:
        state = fill_words(state, words[:used])
        drawn = indices[done : done + _CHUNK]
        if narrow:
            lowest = np.uint64(_quarter_indices(quarters, np.uint32(size), drawn))
        else:
            lowest = _half_indices(halves, wanted, drawn)
        if lowest >= threshold:
            done += _CHUNK
            continue
        for piece in range(_CHUNK):
            product = (np.uint64(quarters[piece]) if narrow else np.uint64(halves[piece])) * wanted
            indices[done] = np.uint32(product >> bits)
            done += (product & mask) >= threshold
