"""Kernels of the bootstrap, which count how often each run is drawn in each replicate of a block.

**Indices.** A random stream (`surefoot.streams`) provides the initial state of SplitMix64 (Steele, Lea and Flood, "Fast
Splittable Pseudorandom Number Generators", OOPSLA 2014). Its i-th number is a function of state + i alone, so the
processor can compute several numbers at once. Each 64-bit number yields four indices if they are drawn from at most 256
values, else two. Lemire's method ("Fast Random Integer Generation in an Interval", ACM TOMACS 29(1), 2019) rejects some
bits so that all indices have exactly the same probability.

**Counts.** The counts of a replicate have a multinomial distribution, as do independent Poisson variates conditional on
their sum (Johnson, Kotz and Balakrishnan, "Discrete Multivariate Distributions", 1997, chapter 35). The processor
computes many of them at once, by comparing 16 random bits with a few thresholds. If 16 bits are not enough, more are
drawn, so that the variates are Poisson up to the rounding of doubles. Their mean is chosen slightly too low for the
required number of draws, and the missing draws are added one by one. If the sum exceeds the required number, the counts
are discarded and all draws are made one by one. Since only the sum decides between these cases, the distribution does
not change.
"""

import math

import numpy as np
import numpy.typing as npt
from numba import njit
from numba.extending import register_jitable

from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.metric_catalogue import BLOCK
from surefoot.statistics.metrics.metric_kernels import add_all_counted, block_metrics
from surefoot.statistics.resampling.array_draws import (
    FEWEST_FOR_POISSON,
    MARGIN,
    POISSON_LEVELS,
    POISSON_TERMS,
    STEP,
    draw_few_indices,
    poisson_table,
    worth_compiling,
)
from surefoot.streams import below, mix, next_integer, start_stream, uniform

register_jitable(poisson_table)
_STEP = np.uint64(STEP)
_CHUNK = 128


@njit(cache=True, nogil=True, error_model="numpy")
def fill_words(state, words):
    """Fill `words`, uint64[n], with the n numbers of SplitMix64 after `state`, and return the next state."""
    for word in range(words.size):
        words[word] = mix(state + np.uint64(word) * _STEP)
    return state + np.uint64(words.size) * _STEP


@njit(cache=True, nogil=True, error_model="numpy")
def add_draws(state, size, draws, counts):
    """Add `draws` random draws from `size` items to counts[item], and return the next state of SplitMix64."""
    narrow, wanted = size <= 256, np.uint64(size)
    bits, mask = np.uint64(16 if narrow else 32), np.uint64(0xFFFF if narrow else 0xFFFFFFFF)
    threshold = (mask + np.uint64(1)) % wanted
    while draws > 0:
        word = mix(state)
        state += _STEP
        for _ in range(4 if narrow else 2):
            product = (word & mask) * wanted
            word >>= bits
            if draws > 0 and product & mask >= threshold:
                counts[product >> bits] += np.uint8(1)
                draws -= 1
    return state


def draw_indices(key: npt.NDArray[np.uint64], number: int, size: int, count: int) -> npt.NDArray[np.uint32]:
    """Draw uniform indices on 0..size-1, uint32[count], from stream `number` of the family `key`.

    The first indices do not depend on how many are drawn.
    """
    draw = fill_indices if worth_compiling("indices", 1, count) else draw_few_indices
    indices: npt.NDArray[np.uint32] = draw(key, number, size, count)
    return indices


@njit(cache=True, nogil=True, error_model="numpy")
def fill_indices(key, number, size, count):
    """Implement `draw_indices` as compiled code."""
    indices = np.empty(count + _CHUNK, np.uint32)  # with space for the remaining indices of the last random words
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
        for piece in range(_CHUNK):
            product = (np.uint64(quarters[piece]) if narrow else np.uint64(halves[piece])) * wanted
            indices[done] = np.uint32(product >> bits)
            done += (product & mask) >= threshold
    return indices[:count]


_POISSON_CHUNK = 512


@njit(cache=True, nogil=True, error_model="numpy")
def draw_counts(key, number, size, draws, counts):
    """Count how often each of `size` items is drawn, using stream `number` of the family `key`.

    Parameters
    ----------
    draws : number of draws with replacement in each replicate
    counts : output, uint8[size, BLOCK] or uint32[size, BLOCK] (see `stratified_bootstrap.counter_type`), one column per
        replicate
    """
    stream = np.empty(4, np.uint64)
    start_stream(key, number, stream)
    missing = np.empty(BLOCK, np.int32)
    for r in range(BLOCK):
        missing[r] = draws
    if size >= FEWEST_FOR_POISSON and draws <= size <= 2 * draws:
        rate = (draws - MARGIN * math.sqrt(draws)) / size
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
def add_all_draws(states, sizes, missing, counts):
    """Add the missing draws of each task to the counts; see `array_draws.draw_few_counts`.

    Parameters
    ----------
    states : uint64[M * blocks], states of SplitMix64
    sizes : int64[M], number of runs of each task
    missing : int64[M, blocks, BLOCK], number of draws to add
    counts : counter[runs of all tasks, blocks, BLOCK]
    """
    start = 0
    for m in range(sizes.size):
        end = start + sizes[m]
        for block in range(missing.shape[1]):
            state = states[m * missing.shape[1] + block]
            for r in range(missing.shape[2]):
                state = add_draws(state, sizes[m], missing[m, block, r], counts[start:end, block, r])
        start = end


@njit(cache=True, nogil=True, error_model="numpy")
def _draw_poisson(stream, rate, counts):
    """Fill `counts`, a one-dimensional array, with Poisson variates of mean `rate`.

    Each of the variates 0, 1, ... is represented by consecutive values of 16 bits, as many of the 65,536 values as its
    probability allows. The last few values stand for the remaining probabilities.
    """
    ends, left = poisson_table(rate)
    words = np.empty(_POISSON_CHUNK // 4, np.uint64)
    values, state = words.view(np.uint16), next_integer(stream)
    rest = 0.0
    for count in range(POISSON_TERMS):
        rest += left[count]
    for begin in range(0, counts.size, values.size):
        state = fill_words(state, words)
        part = counts[begin : begin + values.size]
        if _levels(values, ends, part) >= ends[POISSON_LEVELS]:
            for place in range(part.size):
                if values[place] >= ends[POISSON_LEVELS]:
                    # Draw a number 0, 1, ... with probabilities proportional to `left`.
                    at, number = rest * uniform(stream), 0
                    while number < left.size - 1 and at >= left[number]:
                        at -= left[number]
                        number += 1
                    part[place] = number


@njit(cache=True, nogil=True, error_model="numpy")
def _levels(values, ends, counts):
    """Set counts[i] to how many of the first six `ends` values[i] reaches, and return the greatest value."""
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
def draw_tasks(pool, keys, first, pooled, means, drawn):
    """Draw tasks, and then as many runs of each drawn task as it has, in some complete blocks of replicates.

    pool : the scores, ranks, starts and sizes of a `ScorePool`
    keys : uint64[M, 4], key of the random stream of each drawn task; see `stratified_bootstrap.resampling_keys`
    first : number of the first block
    pooled : output, counts of the ascending scores, uint8[n, replicates] or uint32[n, replicates] (see
        `stratified_bootstrap.counter_type`)
    means : output, float64[M, replicates], mean of the drawn scores of each drawn task
    drawn : output, int64[replicates], number of scores drawn
    """
    scores, ranks, starts, sizes = pool
    own = np.empty(greatest(sizes), pooled.dtype)
    stream = np.empty(4, np.uint64)
    pooled[:] = 0
    drawn[:] = 0
    for m in range(sizes.size):
        state = np.uint64(0)
        for r in range(drawn.size):
            if r % BLOCK == 0:
                start_stream(keys[m], first + r // BLOCK, stream)
                state = next_integer(stream)
            task = below(stream, sizes.size)
            start, size = starts[task], sizes[task]
            own[:size] = 0
            state = add_draws(state, size, size, own)
            total = 0.0
            for i in range(size):
                total += np.float64(own[i]) * scores[start + i]
                pooled[ranks[start + i], r] += own[i]
            means[m, r] = total / size
            drawn[r] += size


@njit(cache=True, nogil=True, error_model="numpy")
def greatest(sizes):
    """Return the greatest of some sizes; a loop compiles faster than np.max."""
    most = 0
    for m in range(sizes.size):
        most = max(most, sizes[m])
    return most


@njit(cache=True, nogil=True, error_model="numpy")
def draw_block(pool, draws, keys, block, whole_runs, pooled, means):
    """Draw the replicates of one block: compute how often each score is drawn, and the mean score of each task.

    pool : the scores, ranks, starts and sizes of a `ScorePool`
    draws : int64[M], number of runs to draw from each task
    keys : uint64[M, 4], key of the random stream of each task; see `stratified_bootstrap.resampling_keys`
    whole_runs : True to draw the same runs of all tasks
    pooled : output, counts of the ascending scores, uint8[n, BLOCK] or uint32[n, BLOCK] (see
        `stratified_bootstrap.counter_type`); without rows if counts are not needed
    means : output, means of the drawn scores, float64[M, BLOCK]; without columns if they are not needed
    """
    scores, ranks, starts, sizes = pool
    counts = np.empty((greatest(sizes), BLOCK), pooled.dtype)
    for m in range(sizes.size):
        own = counts[: sizes[m]]
        if m == 0 or not whole_runs:
            draw_counts(keys[m], block, sizes[m], draws[m], own)
        if means.shape[1] > 0:
            means[m] = 0.0
            add_all_counted(own, scores[starts[m] : starts[m] + sizes[m]], means[m])
            for r in range(means.shape[1]):
                means[m, r] /= draws[m]
        if pooled.size > 0:
            for i in range(np.uint64(sizes[m])):
                row = pooled[ranks[np.uint64(starts[m]) + i]]
                for r in range(row.size):
                    row[r] = own[i, r]


@njit(cache=True, nogil=True, error_model="numpy")
def metric_replicates(pool, draws, keys, first, whole_runs, values, recipe, pooled, means, found):
    """Fill `found`, float64[replicates, k], with the metrics of replicates first, first + 1, ...

    draws, keys, whole_runs : as in `draw_block`
    first : must be the first replicate of a block
    pooled, means : scratch arrays, empty if the recipe does not need them; see `draw_block`
    """
    drawn = np.empty(BLOCK, np.int64)
    for r in range(BLOCK):
        drawn[r] = 0
        for m in range(draws.size):
            drawn[r] += draws[m]
    for begin in range(0, found.shape[0], BLOCK):
        draw_block(pool, draws, keys, (first + begin) // BLOCK, whole_runs, pooled, means)
        block_metrics(pooled, drawn, means, values, recipe, found[begin : begin + BLOCK])


@njit(cache=True, nogil=True, error_model="numpy")
def resample(key: npt.NDArray[np.uint64], number: int, pool: Floats, scores: Floats) -> None:
    """Fill `scores` with draws from `pool`, float64[runs], using stream `number` of the family `key`."""
    stream = np.empty(4, np.uint64)
    start_stream(key, number, stream)
    for t in range(scores.size):
        scores[t] = pool[below(stream, pool.size)]
