"""What answers say in a sentence: it follows the numbers, and claims no more than the intervals show."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.charts.learning_curves import run_curves_finding as of_run_curves

SETTINGS = {"algorithm_titles": {}, "environment_titles": {}}
RNG = np.random.default_rng(4)
SCORES = {"low": RNG.normal(0, 1, (12, 3)), "middle": RNG.normal(1, 1, (9, 3)), "high": RNG.normal(3, 1, (10, 3))}


def numbers_in(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


def beats(first: np.ndarray, second: np.ndarray) -> float:
    """How often a run of the first beats one of the second on a task drawn at random, by going through all pairs."""
    wins = [
        1.0 if x > y else 0.5 if x == y else 0.0
        for task in range(first.shape[1])
        for x, y in itertools.product(first[:, task], second[:, task])
    ]
    return sum(wins) / len(wins)


def test_the_winner_of_all_pairs_is_found_with_its_probabilities():
    said = surefoot.improvement(SCORES, replicates=200).finding()
    expected = sorted(beats(SCORES["high"], SCORES[other]) for other in ("low", "middle"))
    assert said.startswith("A run of high beats one of any other algorithm with probability ")
    assert numbers_in(said)[:2] == [pytest.approx(value, abs=0.0051) for value in expected]
    assert said.endswith(" Each taken alone, the intervals of 3 of 3 pairs exclude 0.5.")
    unsure = surefoot.improvement(SCORES | {"near": SCORES["high"] + 0.01}).finding()
    assert unsure.endswith(" the intervals of 5 of 6 pairs exclude 0.5, but not of near over high.")


def test_fewer_runs_overlap_up_to_a_number_or_even_with_the_most_that_were_drawn():
    asked = {"metrics": "mean", "sizes": [2, 8], "datasets": 200}
    close = {"near": SCORES["high"] + 0.01, "high": SCORES["high"]}
    assert surefoot.subsamples(close, **asked).finding().startswith("Even with 8 runs, ")
    apart = {"middle": SCORES["middle"], "high": SCORES["high"] - 0.5}
    assert surefoot.subsamples(apart, **asked).finding().startswith("With up to 2 runs, ")


def test_the_ends_of_mean_curves_are_compared_at_the_last_step_that_all_reach():
    """b ends at step 5, where a has 5 and b 6; that a has 9 at its own end does not count."""
    runs = pd.DataFrame(
        [
            {"algorithm": name, "environment": place, "run": run, "step": step, "score": factor * step + run}
            for place in ("here", "there")
            for name, factor, last in (("a", 1.0, 9), ("b", 1.2, 5))
            for run in range(3)
            for step in range(last + 1)
        ]
    )
    said = surefoot.run_curves(runs).finding()
    assert said.startswith("Highest mean at the last step that all runs reach: b in 2 of 2 environments.")
    assert "No interval" in said
    alone = surefoot.run_curves(runs[runs["algorithm"] == "a"]).table()
    assert of_run_curves(alone, SETTINGS) == "Learning curves of 6 runs of a."


@pytest.mark.parametrize("names", ["ab", "abc"])
@pytest.mark.parametrize("question", ["aggregates", "improvement", "pairwise_differences", "multiple_comparisons"])
def test_of_algorithms_with_equal_runs_none_is_said_to_be_better(question, names):
    runs = np.random.default_rng(2).uniform(size=(5, 3))
    text = getattr(surefoot, question)(dict.fromkeys(names, runs)).finding()
    assert text and not re.search("better than|worse|any other|nan", text)
