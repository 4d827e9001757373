"""Streams: against the generator's reference algorithm in plain integers, and for uniformity."""

import hashlib

import numpy as np
from numba import njit
from scipy import stats

from surefoot.streams import few_uniforms, next_integer, start_stream, stream_key, uniforms

MASK = (1 << 64) - 1


def plain_xoshiro256pp(state, count):
    """The published algorithm in Python integers."""

    def rotate(x, k):
        return ((x << k) | (x >> (64 - k))) & MASK

    s = [int(word) for word in state]
    out = []
    for _ in range(count):
        out.append((rotate((s[0] + s[3]) & MASK, 23) + s[0]) & MASK)
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
    return out


@njit
def draw_integers(key, number, count):
    stream = np.empty(4, np.uint64)
    start_stream(key, number, stream)
    out = np.empty(count, np.uint64)
    for i in range(count):
        out[i] = next_integer(stream)
    return out


def test_integers_are_those_of_the_published_generator():
    key = stream_key(1, "a", "b")
    state = np.empty(4, np.uint64)
    start_stream(key, 5, state)
    assert draw_integers(key, 5, 100).tolist() == plain_xoshiro256pp(state, 100)


def test_key_is_the_hash_of_seed_and_names():
    digest = hashlib.sha256(b'[7,"sarsa","chain"]').digest()
    assert stream_key(7, "sarsa", "chain").tobytes() == digest
    assert stream_key(7, "ab", "c").tolist() != stream_key(7, "a", "bc").tolist()


def test_neighbouring_streams_are_uniform_and_uncorrelated():
    """Two tests at 1e-4 each: this test fails by chance for 2 of 10,000 seeds."""
    key = stream_key(3, "neighbours")
    first = np.array([uniforms(key, number, 2) for number in range(4000)])
    assert stats.kstest(first[:, 0], "uniform").pvalue > 1e-4
    assert stats.pearsonr(first[:-1, 0], first[1:, 0]).pvalue > 1e-4


def test_few_uniforms_are_those_of_the_compiled_streams():
    key = stream_key(3, "few")
    assert few_uniforms(key, 5, 40).tolist() == [uniforms(key, number, 40).tolist() for number in range(5)]
