"""Sentences on the probability of improvement."""

import itertools
import re

import numpy as np
import pytest

import surefoot

RNG = np.random.default_rng(4)
SCORES = {"low": RNG.normal(0, 1, (12, 3)), "middle": RNG.normal(1, 1, (9, 3)), "high": RNG.normal(3, 1, (10, 3))}


def beats(first: np.ndarray, second: np.ndarray) -> float:
    """How often a run of the first beats one of the second on a task drawn at random, by going through all pairs."""
    wins = [
        1.0 if x > y else 0.5 if x == y else 0.0
        for task in range(first.shape[1])
        for x, y in itertools.product(first[:, task], second[:, task])
    ]
    return sum(wins) / len(wins)


def test_the_winner_of_all_pairs_is_found_with_its_probabilities():
    said = surefoot.probability_of_improvement(SCORES, n_resamples=200).finding()
    expected = sorted(beats(SCORES["high"], SCORES[other]) for other in ("low", "middle"))
    assert said.startswith("A run of high beats each other algorithm's with probabilities ")
    ends = re.findall(r"probabilities (\S+) to (\S+)\. ", said)[0]
    assert [float(end) for end in ends] == [pytest.approx(value, abs=0.0051) for value in expected]
    assert said.endswith(" Of 3 simultaneous 95 % intervals, 3 exclude 0.5.")
    alone = surefoot.probability_of_improvement(SCORES, method="percentile", n_resamples=200).finding()
    assert " Of 3 individual 95 % intervals, 3 exclude 0.5." in alone
    unsure = surefoot.probability_of_improvement(SCORES | {"near": SCORES["high"] + 0.01}).finding()
    assert unsure.endswith(" Of 6 simultaneous 95 % intervals, 5 exclude 0.5, but not that of near over high.")
