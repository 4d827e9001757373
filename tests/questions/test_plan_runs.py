"""Plans of runs, as they are asked of a pilot."""

import numpy as np
import pytest

import surefoot
from surefoot.statistics.plan_runs import plan

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
        (r"raised by 25 % take iqm from -9.* which is worse\. Hint: .* normalize", lambda: plan(PILOT - 20)),
        ("a / 0 has one run, and a pilot needs a spread", lambda: surefoot.plan_runs({"a": PILOT[:1]})),
        ('"a" is compared', lambda: surefoot.sequential_comparison({"a": PILOT, "b": PILOT}, algorithms=["a", "a"])),
        ('no scores of "c"', lambda: surefoot.plan_runs({"a": PILOT}, algorithms=["c"])),
    ],
)
def test_what_cannot_be_planned_is_refused(message, ask):
    with pytest.raises(ValueError, match=message):
        ask()
