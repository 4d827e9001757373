"""Tables whose rows are no runs are caught, as far as they can be, and right ones pass; what cells lack, in words."""

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.errors import InputError
from surefoot.runs.given.sets import read_curves, read_scores
from surefoot.runs.sources.checks import alike_rows, check_axes, check_table, left_out, looks_transposed, single_runs
from surefoot.runs.sources.tables import ScoreTable
from surefoot.statistics.runs.shared_run_findings import shared_runs


def caught(message, table):
    """Is the table refused, and for this?"""
    try:
        check_axes("scores", {"a": list(table.T)}, "transpose them")
    except InputError as refused:
        return message in refused.what and bool(refused.hint)
    return False


def test_plausible_tables_pass_and_mistakes_are_caught():
    """Of 180 right tables none is refused (one is in 100,000 cases). Episodes are, in 57 of 60 cases at least, and
    transposed tables in 48 (92 % of 1,000 are; fewer than 48 in one of 1,000 seeds), where
    tasks differ three times as much as runs, and where runs differ as much as their episodes, which come run after run
    or in turns."""
    rng, found = np.random.default_rng(3), np.zeros(3, int)
    for _ in range(60):
        difficulty = 3.0 * rng.normal(size=8)
        right = np.exp(rng.normal(difficulty, 1.0, (40, 8)))
        scores = {"a": right, "b": right[:5], "c": right - right.mean(axis=0)}
        check_axes("scores", {name: list(runs.T) for name, runs in scores.items()}, "transpose them")
        runs, noise = rng.normal(difficulty, 1.0, (5, 8)), rng.normal(0, 1.0, (100, 8))
        found += [
            caught("differ as much as tasks usually do", right[:10].T),
            caught("is more like the one before it", np.repeat(runs, 20, axis=0) + noise),
            caught("is more like the one 5 rows before it", np.tile(runs, (20, 1)) + noise),
        ]
    assert found[0] >= 48 and found[1:].min() >= 57


def test_transposed_tables_may_pass_as_shared_runs():
    rng = np.random.default_rng(6)
    for _ in range(20):
        shared = rng.normal(size=(10, 1)) + 1.5 * rng.normal(size=(10, 26))
        assert not looks_transposed(shared)
        assert shared_runs(
            pd.DataFrame(shared)
            .rename_axis("run")
            .reset_index()
            .melt("run", var_name="environment", value_name="score")
            .assign(algorithm="a")
        ) == {"a": "found"}


@pytest.mark.parametrize("correlation", [0.7, 0.9])
def test_strongly_shared_runs_are_refused_of_arrays_alone(correlation):
    """A table names its axes: nobody can have swapped them."""
    rng, tasks = np.random.default_rng(8), [f"t{number}" for number in range(26)]
    shared, own = rng.normal(size=(10, 1)), rng.normal(size=(10, 26))
    array = correlation**0.5 * shared + (1.0 - correlation) ** 0.5 * own
    table = pd.DataFrame(array, columns=tasks).rename_axis("run").reset_index()
    table = table.melt("run", var_name="environment", value_name="score").assign(algorithm="a")
    check_table(table, ScoreTable(file="t.csv"), "t.csv")
    surefoot.aggregate_metrics(table, n_resamples=10)
    surefoot.aggregate_metrics({"a": array}, shared_runs=True, n_resamples=10)
    if looks_transposed(array):
        with pytest.raises(ValueError, match=r"Hint: .*_checks=True`, or `shared_runs=True` if the function has it"):
            surefoot.aggregate_metrics({"a": array}, n_resamples=10)
    assert looks_transposed(array) or correlation < 0.9


def test_shared_runs_pass_if_tasks_or_algorithms_differ():
    rng = np.random.default_rng(1)
    for _ in range(20):
        alike = [0.95 * rng.normal(size=(10, 1)) + 0.3 * rng.normal(size=(10, 26)) for _ in "abc"]
        read_scores(dict(zip("abc", alike, strict=True)))
        assert not looks_transposed(alike[0] + rng.normal(size=26))
        read_curves({name: runs[:, :, None] + np.zeros(3) for name, runs in zip("abc", alike, strict=True)})
    difficulty = 3.0 * rng.normal(size=26)
    swapped = {name: (difficulty + rng.normal(size=(10, 26))).T for name in "abc"}
    with pytest.raises(ValueError, match="differ as much as tasks usually do"):
        read_scores(swapped)


@pytest.mark.parametrize("kind", ["shared by tasks", "rare successes", "few values", "one task"])
def test_rows_of_right_tables_are_not_alike(kind):
    """In none of 500 right tables: six standard errors are asked for, and the greatest deviation of 100,000 tables of
    30 runs and 26 tasks was 4.8, of 20,000 of 100 runs and 5 tasks 5.3."""
    rng = np.random.default_rng(4)
    for _ in range(500):
        shared = rng.normal(size=(40, 1))
        table = {
            "shared by tasks": shared + 0.1 * rng.normal(size=(40, 9)),
            "rare successes": (rng.random((40, 9)) < 0.05).astype(float),
            "few values": rng.poisson(1.0, (40, 3)).astype(float),
            "one task": shared,
        }[kind]
        assert alike_rows(table) is None


def test_small_transposed_tables_cannot_be_told():
    """As the documentation says: none of 40 of five runs and three tasks, 38 of 40 of ten runs and 26 tasks (99 %)."""
    rng, counts = np.random.default_rng(5), {}
    for runs, tasks in ((5, 3), (10, 26)):
        tables = [np.exp(rng.normal(3.0 * rng.normal(size=tasks), 1.0, (runs, tasks))) for _ in range(40)]
        counts[runs] = sum(looks_transposed(table.T) for table in tables)
    assert counts[5] == 0 and counts[10] >= 38


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


def test_single_runs_have_no_second_one_anywhere():
    assert single_runs(runs(("a", "x", 2), ("a", "y", 1), ("b", "x", 3))) == ""
    assert single_runs(runs(("a", "x", 1), ("b", "x", 1))).startswith("Each algorithm has a single run (seed)")
    assert single_runs(runs(("a", "x", 1), ("b", "x", 2))).startswith(
        "a has a single run (seed) in each environment. A"
    )
