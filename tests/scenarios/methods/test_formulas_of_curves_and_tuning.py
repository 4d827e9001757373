"""The formulas of questions of learning curves, plays and hyperparameters, computed naively as the methods page prints
them, equal what is answered."""

import math
from itertools import combinations, product
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.naive_formulas import (
    EVEN,
    LEVEL,
    NAMES,
    TASKS,
    deviation,
    mean,
    one,
    tails,
)

import surefoot
from surefoot.statistics.profiles.metric_curves import replicate_curves
from surefoot.statistics.resampling.stratified_bootstrap import metric_values

STEPS = (1, 2, 4, 8)
CURVES = {key: np.outer(scores, np.sqrt(STEPS)) + np.sin(np.outer(scores, STEPS)) for key, scores in EVEN.items()}
CURVE_TABLE = pd.DataFrame(
    [
        (*key, run, step, score)
        for key, runs in CURVES.items()
        for run, curve in enumerate(runs)
        for step, score in zip(STEPS, curve, strict=True)
    ],
    columns=["algorithm", "environment", "run", "step", "score"],
)


def values_at(name, place):
    return mean(mean(CURVES[name, task][:, place]) for task in TASKS)


def drawn_curves(name, metric, n_resamples, seed=0):
    """Replicates of a metric at each step, as `sample_efficiency` draws them."""
    curves = [CURVES[name, task] for task in TASKS]
    return replicate_curves(curves, [metric], n_resamples, seed, name, TASKS)[:, :, 0]


def test_sample_efficiency():
    asked = {"metrics": ["mean"], "confidence_level": LEVEL, "n_resamples": 200}
    pointwise, simultaneous = (
        surefoot.sample_efficiency(CURVE_TABLE, band=band, **asked).table() for band in ("pointwise", "simultaneous")
    )
    for name in NAMES:
        drawn = drawn_curves(name, "mean", 200)
        for place, step in enumerate(STEPS):
            row = one(pointwise, algorithm=name, step=step)
            assert row["estimate"] == pytest.approx(values_at(name, place))
            assert [row["low"], row["high"]] == pytest.approx(tails(drawn[:, place]))
        # Equally far at all steps, so that the wanted fraction of whole replicates would be inside
        spread = max(deviation(column) for column in drawn.T)
        far = [
            max(abs(value - mean(column)) for value, column in zip(replicate, drawn.T, strict=True)) / spread
            for replicate in drawn
        ]
        c = max(sorted(far)[math.ceil(LEVEL * 199 - 1e-9)], NormalDist().inv_cdf((1 + LEVEL) / 2))
        reach = math.sqrt(5 / 4) * stats.t.ppf(NormalDist().cdf(c), 3 * 4) * spread
        for place, step in enumerate(STEPS):
            row, value = one(simultaneous, algorithm=name, step=step), values_at(name, place)
            assert [row["low"], row["high"]] == pytest.approx([value - reach, value + reach])


@pytest.mark.parametrize(("metric", "degrees"), [("mean", 12.0), ("iqm", 6.0), ("median", 8.0)])
def test_curve_differences(metric, degrees):
    asked = {"metric": metric, "confidence_level": LEVEL, "n_resamples": 200, "seed": 5}
    found = surefoot.curve_differences(CURVE_TABLE, **asked).table()
    drawn = {name: drawn_curves(name, metric, 200, 5) for name in NAMES}
    pairs = list(combinations(NAMES, 2))
    spreads = {pair: max(deviation(column) for column in (drawn[pair[0]] - drawn[pair[1]]).T) for pair in pairs}
    largest = [
        max(
            abs(replicate[place] - mean(difference[:, place])) / spreads[pair]
            for pair, replicate, difference in of_pairs
            for place in range(len(STEPS))
        )
        for of_pairs in (
            [(pair, drawn[pair[0]][r] - drawn[pair[1]][r], drawn[pair[0]] - drawn[pair[1]]) for pair in pairs]
            for r in range(200)
        )
    ]
    c = sorted(largest)[math.ceil(LEVEL * 199 - 1e-9)]  # at most so far for the wanted fraction of them
    assert c > NormalDist().inv_cdf((1 + LEVEL) / 2)
    reach = math.sqrt(5 / 4) * stats.t.ppf(NormalDist().cdf(c), degrees)
    for pair, (place, step) in product(pairs, enumerate(STEPS)):
        row = one(found, algorithm=pair[0], baseline=pair[1], step=step)
        at = [metric_values([CURVES[name, task][:, place] for task in TASKS], [metric])[0] for name in pair]
        width = reach * spreads[pair]
        wanted = [at[0] - at[1], at[0] - at[1] - width, at[0] - at[1] + width]
        assert [row["estimate"], row["low"], row["high"]] == pytest.approx(wanted)
