"""Sentences on subsamples."""

import numpy as np

import surefoot

RNG = np.random.default_rng(4)
SCORES = {"low": RNG.normal(0, 1, (12, 3)), "middle": RNG.normal(1, 1, (9, 3)), "high": RNG.normal(3, 1, (10, 3))}


def test_the_number_of_runs_with_overlap_is_named():
    asked = {"metrics": "mean", "sizes": [2, 8], "datasets": 200}
    close = {"near": SCORES["high"] + 0.01, "high": SCORES["high"]}
    assert surefoot.subsample_metrics(close, **asked).finding().startswith("Even with 8 runs, ")
    apart = {"middle": SCORES["middle"], "high": SCORES["high"] - 0.5}
    assert surefoot.subsample_metrics(apart, **asked).finding().startswith("With up to 2 runs, ")
