"""Streams of random numbers, from which all random numbers in the project come.

A stream is a xoshiro256++ generator (Blackman and Vigna, "Scrambled Linear Pseudorandom Number Generators", ACM TOMS
47(4), 2021) whose state is four unsigned 64-bit integers in an array. A family of streams has a *key*, the SHA-256
of the study's seed and of names; a member of the family has a *number* (a trial, a replicate, a block). The same
seed, names and number give the same stream on any thread, in any order, in any process.
"""

import hashlib
import json
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from surefoot.kernel_files import stamp_kernels

stamp_kernels()
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def stream_key(seed: int, *names: str | int) -> npt.NDArray[np.uint64]:
    """Return the key of a family of streams.

    Parameters
    ----------
    seed : the study's seed, a non-negative integer
    names : names that identify the family, such as a stage, an algorithm and an environment

    Returns
    -------
    uint64[4], the SHA-256 of the canonical JSON of seed and names
    """
    text = json.dumps([int(seed), *names], separators=(",", ":"), ensure_ascii=True)
    return np.frombuffer(hashlib.sha256(text.encode()).digest(), dtype="<u8").astype(np.uint64)


@njit(inline="always")
def mix(z):
    """Apply the finalizer of splitmix64, a bijection of 64-bit integers that scatters neighbouring values."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@njit(cache=True, nogil=True)
def start_stream(key, number, stream):
    """Put stream `number` (a non-negative integer) of the family `key` (uint64[4]) into `stream` (uint64[4])."""
    counter = mix(np.uint64(number) + _GOLDEN)
    for word in range(4):
        counter += _GOLDEN
        stream[word] = mix(key[word] ^ mix(counter))
    if stream[0] | stream[1] | stream[2] | stream[3] == np.uint64(0):
        stream[0] = _GOLDEN  # the all-zero state is the one fixed point of the generator


def _plain(function: Any) -> Any:
    """Return the Python function behind a compiled one. Unlike the compiled one, it also accepts arrays."""
    return getattr(function, "py_func", function)  # without NUMBA_DISABLE_JIT, it is compiled


def mixed(states: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Apply `mix` to an array, without compiled code."""
    numbers: npt.NDArray[np.uint64] = _plain(mix)(states)
    return numbers


def stream_states(keys: npt.NDArray[np.uint64], numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the states of several streams, uint64[4, streams], one for each key and number.

    keys : uint64[streams, 4]
    numbers : uint64[streams]
    """
    states = np.empty((4, len(numbers)), np.uint64)
    counters = mixed(numbers + _GOLDEN)
    for word in range(4):
        counters += _GOLDEN
        states[word] = mixed(keys[:, word] ^ mixed(counters))
    states[0, ~states.any(axis=0)] = _GOLDEN
    return states


def next_integers(states: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return the next 64 random bits of several streams, and advance their states, uint64[4, streams]."""
    integers: npt.NDArray[np.uint64] = _plain(next_integer)(states)
    return integers


@njit(inline="always")
def next_integer(stream):
    """Return the next 64 random bits of the stream (xoshiro256++)."""
    s0 = stream[0]
    s1 = stream[1]
    s2 = stream[2]
    s3 = stream[3]
    total = s0 + s3
    result = ((total << np.uint64(23)) | (total >> np.uint64(41))) + s0
    shifted = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    stream[0], stream[1], stream[2], stream[3] = s0, s1, s2, s3
    return result


@njit(inline="always")
def uniform(stream):
    """Return a uniform random number in [0, 1), a multiple of 2**-53."""
    return np.float64(next_integer(stream) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


def uniforms(key: npt.NDArray[np.uint64], number: int, count: int) -> npt.NDArray[np.float64]:
    """Return uniform random numbers in [0, 1) from stream `number` of the family `key`: float64[count]."""
    numbers = np.empty(count)
    _fill_uniforms(key, number, numbers)
    return numbers


def few_uniforms(key: npt.NDArray[np.uint64], numbers: int, count: int) -> npt.NDArray[np.float64]:
    """Return `uniforms` for the streams 0, ..., numbers - 1, float64[numbers, count], without compiled code."""
    states = stream_states(np.tile(key, (numbers, 1)), np.arange(numbers, dtype=np.uint64))
    integers = np.array([next_integers(states) for _ in range(count)])
    drawn: npt.NDArray[np.float64] = (integers >> np.uint64(11)).T.astype(np.float64) * 2.0**-53
    return drawn


def open_uniforms(key: npt.NDArray[np.uint64], number: int, count: int) -> npt.NDArray[np.float64]:
    """Return uniform random numbers in (0, 1), for which normal quantiles are finite: float64[count]."""
    return uniforms(key, number, count) + 2.0**-54


@njit(cache=True, nogil=True, error_model="numpy")
def _fill_uniforms(key, number, numbers):
    stream = np.empty(4, np.uint64)
    start_stream(key, number, stream)
    for place in range(numbers.size):
        numbers[place] = uniform(stream)


@njit(inline="always")
def below(stream, n):
    """Return a uniform integer in 0..n-1, for 1 <= n < 2**32 (Lemire's method, exact)."""
    return reduced(next_integer(stream), n, stream)


@njit(inline="always")
def reduced(integer, n, stream):
    """Reduce the upper half of a random 64-bit integer as in `below`; draw further integers if it is rejected."""
    count = np.uint64(n)
    product = (integer >> np.uint64(32)) * count
    low = product & np.uint64(0xFFFFFFFF)
    if low < count:
        threshold = (np.uint64(0x100000000) - count) % count
        while low < threshold:
            product = (next_integer(stream) >> np.uint64(32)) * count
            low = product & np.uint64(0xFFFFFFFF)
    return np.int64(product >> np.uint64(32))
