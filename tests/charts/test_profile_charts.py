"""Findings of performance profiles."""

import numpy as np

import surefoot


def test_every_algorithm_whose_profile_dominates_is_counted():
    scores = {"base": [[0.1], [0.2], [0.3]], "ours": [[0.5], [0.6], [0.9]]}
    for theirs, finding in (
        ([0.55, 0.56, 0.8], "At every threshold, ours and theirs score at least as high as base."),
        ([0.0, 0.0, 0.99], "At every threshold, ours scores at least as high as base."),
    ):
        runs = {name: np.array(own) for name, own in (scores | {"theirs": [[score] for score in theirs]}).items()}
        assert (
            surefoot.performance_profiles(runs, thresholds=[0.15, 0.52, 0.58, 0.95], n_resamples=9).finding() == finding
        )
