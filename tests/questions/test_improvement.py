"""The probability of improvement, as it is asked of runs."""

import math
from itertools import product

import numpy as np
import pytest
from support.naive_formulas import (
    NAMES,
    SCORES,
    TABLE,
    TASKS,
    mean,
    one,
)

import surefoot


def test_whole_runs_stand_beside_runs_that_may_be_shared():
    """The interval that would be taken if the runs were declared to be shared."""
    draw = np.random.default_rng(3)
    scores = {name: draw.normal(size=(3, 5)) for name in "abc"}
    found, declared = (
        surefoot.probability_of_improvement(scores, shared_runs=shared).table() for shared in ("auto", True)
    )
    assert set(found["shared_runs"]) == {"cannot tell"}
    for end in ("low", "high"):
        assert found[f"{end}_whole_runs"].tolist() == declared[end].tolist() != found[end].tolist()
    assert (
        "By whole runs, the interval is " in surefoot.probability_of_improvement(scores, pairs=[("a", "b")]).finding()
    )


def test_formulas_of_ranks():
    """Counted over all draws of one run of each algorithm; algorithms that tie share their ranks."""
    found = surefoot.rank_probabilities(TABLE).table()
    chances = {}
    for task in TASKS:
        for drawn in product(*(SCORES[name, task] for name in NAMES)):
            for name, score in zip(NAMES, drawn, strict=True):
                better, tied = sum(other > score for other in drawn), drawn.count(score)
                for rank in range(better + 1, better + tied + 1):
                    chances.setdefault((task, name, rank), []).append(1 / tied)
    sizes = {task: math.prod(len(SCORES[name, task]) for name in NAMES) for task in TASKS}
    for name, rank in product(NAMES, (1, 2, 3)):
        wanted = [sum(chances.get((task, name, rank), [])) / sizes[task] for task in TASKS]
        values = [one(found, environment=place, algorithm=name, rank=rank)["estimate"] for place in (*TASKS, "")]
        assert values == pytest.approx([*wanted, mean(wanted)])
