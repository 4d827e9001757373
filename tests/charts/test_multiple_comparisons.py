"""Sentences on several comparisons."""

import numpy as np

import surefoot


def test_a_margin_is_about_the_baseline():
    rng = np.random.default_rng(4)
    scores = {name: level + 0.01 * rng.normal(size=(5, 2)) for name, level in zip("abc", (0.0, 0.0, 1.0), strict=True)}
    own = surefoot.multiple_comparisons(scores, baseline="a", margin=0.5).finding()
    assert "Shown to be within 0.5 of a: b." in own


def test_the_verdict_mentions_few_runs_of_one_task():
    rng = np.random.default_rng(0)
    answer = surefoot.multiple_comparisons({name: rng.normal(size=(3, 1)) for name in "ab"}, metric="mean")
    assert "With 2 degrees of freedom, such intervals missed in about 9 %" in answer.finding()
