"""How often intervals of differences miss, and their true values."""

import numpy as np
import pytest

from surefoot.statistics.coverage.simulated_scores import scores_of, uniform_numbers
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.validation.difference_coverage import _ALLOCATIONS, true_probability


@pytest.mark.parametrize("allocation", _ALLOCATIONS.values(), ids=["opposite", "lost"])
def test_unlike_numbers_of_runs_favour_nobody(allocation):
    """Differences of equal algorithms in 400 data sets. Means, gaps and shares have no bias, and their mean difference
    is within 5 standard errors: fails falsely about once in 10^6 times. An IQM has a bias of second order, which is
    below a third of the standard deviation of a difference. Weighted by runs, all but the mean are far outside."""
    names = ["mean", "optimality_gap", "probability_above(1)", "iqm"]
    by_runs = [f"{name} weighted by runs" for name in names[1:]]
    found = []
    for number in range(400):
        uniforms = uniform_numbers((2, 10, 10), 6, "unlike numbers of runs", number)
        sides = []
        for one, sizes in zip(scores_of("different", uniforms), allocation, strict=True):
            sides.append(metric_values([one[:size, task] for task, size in enumerate(sizes)], [*names, *by_runs]))
        found.append(sides[0] - sides[1])
    differences, spreads = np.mean(found, axis=0), np.std(found, axis=0)
    assert (np.abs(differences[:3]) < 5 * spreads[:3] / 20).all()
    assert abs(differences[3]) < spreads[3] / 3
    assert (np.abs(differences[4:]) > spreads[4:]).all()


@pytest.mark.parametrize(("law", "odds"), [("alike", 3), ("tied", 1), ("tied", 3), ("two_point", 3)])
def test_the_true_probability_of_improvement(law, odds):
    """Closed form without ties; with them, 200,000 pairs within 6 standard errors."""
    truth = true_probability(law, odds, 4)
    uniforms = uniform_numbers((2, 200_000, 4), 5, law, 0)
    uniforms[0] **= 1 / odds
    x, y = scores_of(law, uniforms)
    assert abs(np.mean(x > y) + 0.5 * np.mean(x == y) - truth) < 6 * 0.5 / np.sqrt(800_000)
    if law == "alike":
        assert truth == pytest.approx(odds / (odds + 1), abs=1e-3)
