"""Comparisons of subsamples, beside the exact distribution over all that can be drawn."""

import math
from itertools import product

import pytest
from support.naive_formulas import ONE_TASK, SURE, mean, one
from support.study_answers import function_of


def test_differences_lifts_and_protocols():
    """Either end has a probability of 1/9; of two ninths and more, the median is the middle one.

    Three means within five standard errors: errs once in 500,000 seeds.
    """
    asked = {"metrics": ["mean"], "datasets": 4000, "resample": "runs"}
    (row,) = function_of("differences")(ONE_TASK, pairs=[["a", "b"]], sizes=[1], **asked).table().to_dict("records")
    of_each = {"difference": ([x - y for x, y in product([1.0, 2.5, 7.0], [2.0, 3.0, 4.5])], row)}
    found = function_of("lifts")(ONE_TASK, lifts=[0, 25], sizes=[1], algorithms=["a"], **asked).table()
    for lift in (0, 25):
        all_of = sorted(100 * ((1 + lift / 100) * x / y - 1) for x, y in product([1.0, 2.5, 7.0], repeat=2))
        row = one(found, lift=lift)
        assert [row["low"], row["estimate"], row["high"]] == pytest.approx([all_of[0], all_of[4], all_of[-1]])
    asked |= {"sizes": [2], "settings": 2, "runs_of_setting": 2, "algorithms": ["a"]}
    found = function_of("protocols")(ONE_TASK, **asked).table()
    means = [mean(drawn) for drawn in product([1.0, 2.5, 7.0], repeat=2)]
    of_each["a"] = means, one(found, protocol="a")
    of_each["best"] = list(map(max, product(means, repeat=2))), one(found, protocol="a, best of 2 settings")
    for name, (all_of, row) in of_each.items():
        spread = math.sqrt(mean(value**2 for value in all_of) - mean(all_of) ** 2)
        assert abs(row["estimate"] - mean(all_of)) < SURE * spread / math.sqrt(4000), name
        assert row["high"] == max(all_of) and (name == "best" or row["low"] == min(all_of))
