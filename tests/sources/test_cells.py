"""What cells lack, in words."""

import pandas as pd

from surefoot.sources.checks import left_out, single_runs


def runs(*cells):
    return pd.DataFrame([(a, e, run) for a, e, count in cells for run in range(count)]).set_axis(
        ["algorithm", "environment", "run"], axis="columns"
    )


def test_who_is_left_out_is_named_with_what_lacks():
    given = runs(("a", "x", 2), ("a", "y", 1), ("b", "x", 2), ("c", "y", 1))
    assert left_out(given, given) == []
    assert left_out(given, given[given["algorithm"] == "a"]) == [
        "Left out, since runs are missing: b (no run in y), c (no run in x)."
    ]
    assert left_out(given, given[given["environment"] == "x"]) == [
        "Left out, since runs are missing: c (no run in x).",
        "Left out, since runs are missing: y (no run of b).",
    ]


def test_single_runs_are_those_of_algorithms_that_have_no_second_one_anywhere():
    assert single_runs(runs(("a", "x", 2), ("a", "y", 1), ("b", "x", 3))) == ""
    assert single_runs(runs(("a", "x", 1), ("b", "x", 1))).startswith("Each algorithm has a single run (seed)")
    assert single_runs(runs(("a", "x", 1), ("b", "x", 2))).startswith(
        "a has a single run (seed) in each environment. A"
    )
