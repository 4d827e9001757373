"""How far the selected maximum of an algorithm is biased: against runs whose true levels are known."""

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.stats import binom, norm
from scipy.stats import t as student

from surefoot.logs.summary import UNIT_OF_ONE, UNIT_OF_SEVERAL, selection_bias_of_algorithms


def expected_maximum(count):
    """Of so many independent standard normal errors, by integration of its density."""
    return quad(lambda x: x * count * norm.pdf(x) * norm.cdf(x) ** (count - 1), -10, 10)[0]


def curves(scores, algorithm="a", environment="x"):
    """A table of scores, float64[runs, evaluations]."""
    run, step = np.indices(scores.shape)
    columns = {"run": run.ravel(), "step": 100 * (1 + step.ravel()), "score": scores.ravel()}
    return pd.DataFrame(columns).assign(algorithm=algorithm, environment=environment)


def test_the_interval_holds_the_true_bias_as_often_as_it_says():
    """Policies that do not change, 20 evaluations with normal errors, 5 runs: the true bias is the expected maximum of
    20 errors. A right test fails once in 10,000 times."""
    rng, repeated, truth = np.random.default_rng(1), 600, 3.0 * expected_maximum(20)
    found = [selection_bias_of_algorithms(curves(50.0 + 3.0 * rng.normal(size=(5, 20))))["a"] for _ in range(repeated)]
    held = sum(one["low"] <= truth <= one["high"] for one in found)
    least, most = binom.ppf([0.5e-4, 1 - 0.5e-4], repeated, 0.95)
    assert least <= held <= most
    estimates = np.array([one["bias"] for one in found])
    error = estimates.std() / np.sqrt(repeated)
    assert abs(estimates.mean() - truth) < norm.ppf(1 - 0.5e-4) * error
    assert found[0]["unit"] == UNIT_OF_ONE


def test_environments_count_alike_each_by_the_range_of_its_maxima():
    """By hand: Welch's degrees of freedom and Student's interval of the mean of two environments."""
    rng = np.random.default_rng(4)
    small, large = rng.normal(size=(4, 6)), 1000.0 * rng.normal(size=(3, 6))
    table = pd.concat([curves(small), curves(large, environment="y")])
    found = selection_bias_of_algorithms(table)["a"]
    biases, errors = [], []
    for scores in (small, large):
        own, extent = selection_bias_of_algorithms(curves(scores))["a"], np.ptp(scores.max(axis=1))
        biases.append(own["bias"] / extent)
        errors.append((own["high"] - own["low"]) / 2 / student.ppf(0.975, len(scores) - 1) / extent)
    assert found["bias"] == pytest.approx(np.mean(biases)) and found["unit"] == UNIT_OF_SEVERAL
    variances = np.array(errors) ** 2 / 4
    freedom = variances.sum() ** 2 / (variances[0] ** 2 / 3 + variances[1] ** 2 / 2)
    half = student.ppf(0.975, freedom) * np.sqrt(variances.sum())
    assert [found["low"], found["high"]] == pytest.approx([np.mean(biases) - half, np.mean(biases) + half])


def test_a_single_run_has_no_interval():
    rng = np.random.default_rng(5)
    table = pd.concat([curves(rng.normal(size=(1, 6))), curves(rng.normal(size=(4, 6)), "b")])
    found = selection_bias_of_algorithms(table)
    assert "low" not in found["a"] and found["a"]["bias"] > 0 and found["b"]["low"] < found["b"]["high"]
