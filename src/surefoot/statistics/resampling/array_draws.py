"""Draw small numbers of resamples with numpy, with the same random numbers as the compiled kernels.

Compiling the kernels takes seconds and loading them from the cache half a second, while numpy draws ten million runs in
that time. See `statistics.resampling.resampling_kernels` for the method.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from surefoot.statistics.arrays import Booleans, Floats, Integers
from surefoot.statistics.metrics.metric_catalogue import BLOCK
from surefoot.streams import mixed, next_integers, stream_states

Words = npt.NDArray[np.uint64]

STEP = 0x9E3779B97F4A7C15
"""The increment of SplitMix64."""
POISSON_LEVELS = 6
"""Largest Poisson variate that is drawn from 16 random bits alone."""
POISSON_TERMS = 26
"""Largest Poisson variate; with a mean of at most 1, larger ones have a probability below 2**-80."""
FEWEST_FOR_POISSON = 16
"""Smallest number of runs whose counts are drawn as Poisson variates."""
MARGIN = 2.0
"""The mean of the sum of the Poisson variates is this many standard deviations below the number of draws. A larger
margin means more missing draws, and fewer discarded replicates.
"""
_VARIATES_TOGETHER = 32_768
"""Number of Poisson variates drawn together, whose arrays should fit into a cache of the processor."""
_LITTLE_WORK = {
    "draws": 5_000_000,
    "indices": 20_000_000,
    "limits": 20_000_000,
    "payoffs": 300_000_000,
    "improvement": 50_000_000,
    "profiles": 55_000_000,
    "metrics": 45_000_000,
}
"""Amount of work after which kernels are loaded or compiled, measured in drawn numbers."""
_OF_A_CALL = 200
"""Overhead of the numpy calls for one row, measured in drawn numbers."""
_work = Counter[str]()


def worth_compiling(kernels: str, rows: int, columns: int) -> bool:
    """Return True once the work of this process outweighs the time of loading or compiling the kernels.

    Parameters
    ----------
    kernels : name of kernels that are compiled together, a key of `_LITTLE_WORK`
    rows, columns : size of the next piece of work; numpy handles one row at a time
    """
    _work[kernels] += rows * (columns + _OF_A_CALL)
    return _work[kernels] > _LITTLE_WORK[kernels]


def draw_few_indices(key: Words, number: int, size: int, count: int) -> npt.NDArray[np.uint32]:
    """Draw uniform indices on 0..size-1, uint32[count], from stream `number` of the family `key`."""
    state = next_integers(stream_states(key[None, :], np.array([number], np.uint64)))
    pieces = _pieces_of_a_word(size)
    words = count // pieces + 1
    while True:
        numbers = mixed(state + np.arange(words, dtype=np.uint64) * np.uint64(STEP))
        indices, accepted = _lemire(numbers, np.array([size]), pieces)
        chosen = indices[accepted]
        if chosen.size >= count:
            return chosen[:count].astype(np.uint32)
        words += (count - chosen.size) // pieces + 1


def draw_few_rows(keys: Words, number: int, size: int, count: int) -> npt.NDArray[np.uint32]:
    """Return `draw_few_indices` for several keys, uint64[keys, 4], as uint32[keys, count]."""
    pieces = _pieces_of_a_word(size)
    states = next_integers(stream_states(keys, np.full(len(keys), number, np.uint64)))
    numbers = mixed(states[:, None] + np.arange(count // pieces + 1, dtype=np.uint64) * np.uint64(STEP))
    indices, accepted = (of_words.reshape(len(keys), -1) for of_words in _lemire(numbers, np.array([size]), pieces))
    rows = np.empty((len(keys), count), np.uint32)
    for row, key, of_key, taken in zip(rows, keys, indices, accepted, strict=True):
        chosen = of_key[taken]
        row[:] = chosen[:count] if chosen.size >= count else draw_few_indices(key, number, size, count)
    return rows


def draw_few_counts(
    keys: Words, blocks: Sequence[int], sizes: Integers, draws: Integers, counter: type
) -> npt.NDArray[Any]:
    """Count how often each run is drawn in the replicates of some blocks.

    Single draws are added by a kernel, once this process has added many.

    Parameters
    ----------
    keys : uint64[M, 4], key of each task
    blocks : numbers of the blocks
    sizes, draws : int64[M], numbers of runs, and of draws with replacement, of each task
    counter : type of the counts

    Returns
    -------
    counter[runs of all tasks, BLOCK * blocks]
    """
    tasks = len(sizes)
    counts: npt.NDArray[Any] = np.zeros((int(sizes.sum()), len(blocks), BLOCK), counter)
    missing = np.broadcast_to(draws[:, None, None], (tasks, len(blocks), BLOCK)).copy()
    lanes = np.repeat(np.arange(tasks), len(blocks))  # a lane is the stream of a task and a block
    streams = stream_states(keys[lanes], np.tile(np.array(blocks, np.uint64), tasks))
    _add_poisson_counts(streams, sizes, draws, missing, counts)
    states = next_integers(streams)
    if worth_compiling("draws", 1, int(missing.sum())):
        from surefoot.statistics.resampling.resampling_kernels import add_all_draws

        add_all_draws(states, sizes, missing, counts)
        return counts.reshape(len(counts), -1)
    pieces = np.array([_pieces_of_a_word(int(size)) for size in sizes])[lanes]
    for alike in np.unique(pieces):
        _add_draws(states, sizes, lanes, np.flatnonzero(pieces == alike), missing, int(alike), counts)
    return counts.reshape(len(counts), -1)


def _add_poisson_counts(
    streams: Words, sizes: Integers, draws: Integers, missing: Integers, counts: npt.NDArray[Any]
) -> None:
    """Draw the counts of large tasks as Poisson variates, and subtract them from the missing draws.

    Parameters
    ----------
    streams : uint64[4, tasks * blocks], which are advanced
    sizes, draws : as in `draw_few_counts`
    missing : int64[tasks, blocks, BLOCK]
    counts : counter[runs of all tasks, blocks, BLOCK]
    """
    blocks = counts.shape[1]
    ends = np.cumsum(sizes)
    large = (sizes >= FEWEST_FOR_POISSON) & (draws <= sizes) & (sizes <= 2 * draws)
    for size, drawn in np.unique(np.array([sizes[large], draws[large]]), axis=1).T:
        alike = np.flatnonzero(large & (sizes == size) & (draws == drawn))
        lanes = (alike[:, None] * blocks + np.arange(blocks)).ravel()
        own_streams = streams[:, lanes]
        rate = (drawn - MARGIN * math.sqrt(drawn)) / size
        variates = _poisson_counts(own_streams, rate, int(size)).reshape(len(alike), blocks, size, BLOCK)
        streams[:, lanes] = own_streams
        left = drawn - variates.sum(axis=2, dtype=np.int64)
        variates.swapaxes(2, 3)[left < 0] = 0
        missing[alike] = np.where(left < 0, drawn, left)
        for end, of_task in zip(ends[alike], variates, strict=True):
            counts[end - size : end] = of_task.swapaxes(0, 1)


def _pieces_of_a_word(size: int) -> int:
    """Return the number of indices that a word of 64 bits yields."""
    return 4 if size <= 256 else 2


def _lemire(words: Words, sizes: Integers, pieces: int) -> tuple[npt.NDArray[Any], Booleans]:
    """Return indices by Lemire's method, [words, pieces], and True for those that it accepts, bool[words, pieces].

    sizes : int64[words] or int64[1], number of items from which each word draws
    """
    narrow, wide = (np.uint16, np.uint32) if pieces == 4 else (np.uint32, np.uint64)
    values = words.astype("<u8", copy=False).view(f"<u{8 // pieces}").reshape(-1, pieces)
    products = values * sizes.astype(wide)[:, None]
    accepted = products.astype(narrow) >= ((1 << 64 // pieces) % sizes).astype(narrow)[:, None]
    return products >> wide(64 // pieces), accepted


def _poisson_counts(streams: Words, rate: float, size: int) -> npt.NDArray[np.uint8]:
    """Return Poisson variates, uint8[lanes, size, BLOCK], and advance the streams, uint64[4, lanes]."""
    ends, left = poisson_table(rate)
    states = next_integers(streams)
    each = size * BLOCK
    steps = np.arange(each // 4, dtype=np.uint64) * np.uint64(STEP)
    numbers = np.empty((len(states), each), np.uint8)
    undecided = []
    together = max(1, _VARIATES_TOGETHER // each)
    for first in range(0, len(states), together):
        part = slice(first, first + together)
        values = mixed(states[part, None] + steps).view(np.uint16)
        reached = (values >= ends[0]).view(np.uint8)
        for end in ends[1:POISSON_LEVELS]:
            reached += (values >= end).view(np.uint8)
        numbers[part] = reached
        undecided.append(first * each + np.flatnonzero(values >= ends[POISSON_LEVELS]))
    places = np.concatenate(undecided)
    # Values that 16 bits cannot decide are decided by the next uniform numbers of their lane, in ascending order.
    lanes = places // each
    order = np.arange(lanes.size) - np.searchsorted(lanes, lanes)
    for turn in range(order.max(initial=-1) + 1):
        these = order == turn
        own = streams[:, lanes[these]]
        uniform = (next_integers(own) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        streams[:, lanes[these]] = own
        numbers.reshape(-1)[places[these]] = _left_numbers(uniform, left)
    return numbers.reshape(len(states), size, BLOCK)


def poisson_table(rate: float) -> tuple[npt.NDArray[np.uint16], Floats]:
    """Return tables that map 16 random bits to Poisson variates.

    Returns
    -------
    ends : uint16[POISSON_LEVELS + 1], the first value of 16 bits above those that stand for 0, 1, ...
    left : float64[POISSON_TERMS], probability of 0, 1, ... that these values do not cover, times 65,536
    """
    ends = np.empty(POISSON_LEVELS + 1, np.uint16)
    left = np.empty(POISSON_TERMS)
    share = 65536.0 * math.exp(-rate)
    end = 0.0
    for count in range(POISSON_TERMS):
        left[count] = share
        if count <= POISSON_LEVELS:
            end += math.floor(share)
            ends[count] = int(end)
            left[count] -= math.floor(share)
        share *= rate / (count + 1)
    return ends, left


def _left_numbers(uniform: Floats, left: Floats) -> Integers:
    """Convert uniform variates to numbers 0, 1, ... with probabilities proportional to `left`."""
    at = float(np.cumsum(left)[-1]) * uniform
    numbers = np.zeros(uniform.size, np.int64)
    for number in range(left.size - 1):
        further = (numbers == number) & (at >= left[number])
        at[further] -= left[number]
        numbers[further] += 1
    return numbers


def _add_draws(
    states: Words, sizes: Integers, lanes: Integers, todo: Integers, missing: Integers, pieces: int, counts: Any
) -> None:
    """Add missing draws to the counts, for some lanes (a lane is the random stream of a task and a block).

    The replicates of a lane use the words of its stream one after another, and each starts with a new word. A replicate
    with rejected indices needs more words, which shifts the words of the later replicates.
    """
    blocks = counts.shape[1]
    starts = np.cumsum(sizes) - sizes
    wanted = missing.reshape(-1, BLOCK)[todo]
    words = -(-wanted // pieces)
    while todo.size:
        cells = np.repeat(np.arange(words.size), words.ravel())  # lane and replicate of each word
        own = todo[cells // BLOCK]
        ends = np.cumsum(words.sum(axis=1))
        number = np.arange(cells.size) - (ends - words.sum(axis=1))[cells // BLOCK]
        of_words = mixed(states[own] + number.astype(np.uint64) * np.uint64(STEP))
        things, accepted = _lemire(of_words, sizes[lanes[own]], pieces)
        order = np.cumsum(accepted.ravel()).reshape(accepted.shape)
        last = np.cumsum(words.ravel()) - 1  # the last word of each replicate, or the word before it if it uses none
        reached = np.where(last >= 0, order[last, -1], 0) if cells.size else np.zeros(words.size, np.int64)
        before = np.concatenate([[0], reached[:-1]])
        short = (reached - before < wanted.ravel()).reshape(words.shape)
        whole = ~short.any(axis=1)
        take = accepted & (order <= (before + wanted.ravel())[cells][:, None])
        if not whole.all():
            take &= whole[cells // BLOCK][:, None]
        firsts = (starts[lanes[own]] * blocks + own % blocks) * BLOCK + cells % BLOCK
        drawn = (firsts[:, None] + things.astype(np.int64) * (blocks * BLOCK))[take]
        counts += np.bincount(drawn, minlength=counts.size).reshape(counts.shape).astype(counts.dtype)
        late = np.flatnonzero(~whole)
        todo = todo[late]
        wanted = wanted[late]
        words = words[late]
        words[np.arange(late.size), np.argmax(short[late], axis=1)] += 1
