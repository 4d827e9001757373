"""Limits of payoffs on adversarial data: the truth in closed form, the recommended method, remarks on the others."""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.intervals.interval_catalogue import RECOMMENDED
from surefoot.validation.intervals import LAWS, NOMINAL, draw_samples, payoff_limits, true_payoffs

DATASETS = 60
CASES = {cell["name"]: cell for cell in payoff_limits.cells}


@pytest.mark.parametrize("data", LAWS)
def test_true_payoffs_are_those_of_very_many_runs(data):
    """A mean of 40,000 pairs differs from its probability by more than 5.2 standard errors once in 4 million times."""
    laws, count = LAWS[data], 40_000
    truth = true_payoffs(laws)
    rng = np.random.default_rng(3)
    scores = [[_drawn(law, count, rng) for law in row] for row in laws]
    for i, j, k in np.ndindex(truth.shape):
        if i == k:
            assert truth[i, j, k] == 0.5
            continue
        found = np.mean(scores[k][j] <= scores[i][j])
        error = np.sqrt(truth[i, j, k] * (1 - truth[i, j, k]) / count)
        assert abs(found - truth[i, j, k]) <= 5.2 * error + 5.2**2 / count


def _drawn(law, count, rng):
    draws = {
        "point": lambda part: np.full(count, float(part.location)),
        "normal": lambda part: rng.normal(part.location, part.scale, count),
        "exponential": lambda part: rng.exponential(part.scale, count),
    }
    shares = np.array([part.weight for part in law])
    which = rng.choice(len(law), size=count, p=shares / shares.sum())
    return np.choose(which, [draws[part.law](part) for part in law])


def test_samples_have_the_law_that_is_asked_for():
    """A test of Kolmogorov and Smirnov against the exact mixture, at 1 in 10,000."""
    law = LAWS["1 to 5 % failures"][1][0]
    scores = np.concatenate([draw_samples([[law]], [[500]], 1, "case", number).pair(0, 0) for number in range(8)])

    def cdf(x):
        return sum(part.weight * stats.norm.cdf(x, part.location, part.scale) for part in law)

    assert stats.kstest(scores, cdf).pvalue > 1e-4


@pytest.mark.parametrize("data", ["two-point", "1 to 5 % failures", "normal"])
@pytest.mark.parametrize("runs", [5, 30])
def test_recommended_methods_hold_or_others_carry_a_remark(data, runs):
    """A method at its nominal rate would have more failures than the quantile allows once in 10,000 times."""
    found = payoff_limits.cover(CASES[f"all payoffs: {data}, {runs} runs"], DATASETS, 200, 1).set_index("method")
    allowed = stats.binom.ppf(1 - 1e-4, DATASETS, NOMINAL)
    assert found["recommended"].to_dict() == {method: method == RECOMMENDED for method in found.index}
    assert found.loc[RECOMMENDED, "failures"] <= allowed and found.loc[RECOMMENDED, "remark"] == ""
    assert (found.loc[found["failures"] > allowed, "remark"] != "").all()
    assert found.loc["pbp_t", "failures"] > allowed or (data, runs) == ("normal", 30)
    assert found.loc[RECOMMENDED, "width"] <= found.loc["pbp", "width"]
