"""Plans of runs, as they are asked of a pilot."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats
from support.naive_formulas import (
    SURE,
    mean,
    one,
    table_of,
)

import surefoot
from surefoot.statistics.run_planning import plan

PILOT = np.random.default_rng(0).normal(10.0, 2.0, (25, 4))


UNEQUAL = {"a": [PILOT[:8, 0] + 2.0, PILOT[:6, 1] + 2.0], "b": [PILOT[8:16, 0], PILOT[8:14, 1]]}
"""Two tasks with 8 and 6 runs."""


def test_plans_are_of_the_first_algorithm_by_default():
    asked = {"sizes": [3, 12], "lifts": [0.0, 30.0], "datasets": 20, "n_resamples": 60, "skip_checks": True}
    found = surefoot.plan_runs(UNEQUAL, **asked)
    table = found.table()
    assert set(table["algorithm"]) == {"a"} and set(table["quantity"]) == {"width", "chance"}
    assert (table[["pilot_low", "pilot_high", "tasks"]] == [6, 8, 2]).all(axis=None)
    assert len(table) == 2 * 2 * (1 + 2) and "pilot" in found.notes()["note"][0]
    for low, high in (("low", "high"), ("inner_low", "inner_high")):
        assert (table[low] <= table["estimate"]).all() and (table["estimate"] <= table[high]).all()
    both = surefoot.plan_runs(UNEQUAL, algorithms=["b", "a"], **asked).table()
    assert list(dict.fromkeys(both["algorithm"])) == ["b", "a"]


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        (r"raising scores by 25 % changes iqm from -9.* which is worse\. Hint: .* normalize", lambda: plan(PILOT - 20)),
        ("a / 0 has one run, so the pilot shows no spread", lambda: surefoot.plan_runs({"a": PILOT[:1]})),
        ('"a" is compared', lambda: surefoot.sequential_comparison({"a": PILOT, "b": PILOT}, algorithms=["a", "a"])),
        ('no scores for "c"', lambda: surefoot.plan_runs({"a": PILOT}, algorithms=["c"])),
    ],
)
def test_what_cannot_be_planned_is_refused(message, ask):
    with pytest.raises(ValueError, match=message):
        ask()


@pytest.mark.parametrize("lower", [False, True])
def test_formulas_of_run_plans(lower):
    """A pilot of two runs, 1 and 3: spread out by the root of 2. The interval of a study of two runs is the textbook's,
    with one degree of freedom, and that of the difference of two studies has Welch's, as they are stated. Its error is
    known to 3 % by resampling, so that no study may come so near to the limit that this decides. Each of three
    figures is within five standard errors, which chance exceeds once in 1.7 million cases."""
    metric = "optimality_gap(9)" if lower else "mean"
    asked = {"metrics": [metric], "sizes": [2], "lifts": [0, 100], "datasets": 400, "n_resamples": 1000}
    found = surefoot.plan_runs(table_of({("a", "maze"): [1.0, 3.0]}), **asked).table()
    runs = 2 - math.sqrt(2), 2 + math.sqrt(2)
    studies = list(product(runs, repeat=2))
    widths = [2 * stats.t.ppf(0.975, 1) * np.std(drawn, ddof=1) / math.sqrt(2) for drawn in studies]
    width = one(found, quantity="width")["estimate"]
    assert abs(width - mean(widths)) < SURE * np.std(widths) / math.sqrt(400) + 0.03 * mean(widths)
    for lift in (0, 100):
        detected = []
        for first, second in product(studies, repeat=2):
            both = [np.array(first), np.array(second) * (1 + lift / 100)]
            a, b = (one.var(ddof=1) / 2 for one in both)
            degrees = max((a + b) ** 2 / (a**2 / 3 + b**2 / 3) - 2, 1) if a + b else 1
            limit = stats.t.ppf(0.975, degrees) * math.sqrt(a + b)
            gained = both[1].mean() - both[0].mean()
            assert abs(gained - limit) > 0.05 * limit or gained == limit == 0
            detected.append(gained > limit)
        share = mean(detected)
        row = one(found, quantity="chance", lift_percent=lift)
        assert abs(row["estimate"] - share) < SURE * math.sqrt(share * (1 - share) / 400)
