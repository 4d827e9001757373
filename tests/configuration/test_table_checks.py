"""Score tables that cannot answer what a study asks: each is one sentence with a hint, before any job runs."""

import copy

import numpy as np
import pandas as pd
import pytest
import yaml

from surefoot.build.errors import InputError
from surefoot.configuration.table_checks import check_axes_of_table, check_questions
from surefoot.configuration.validation import validate_configuration

TASKS = {"t1": 0.0, "t2": 5.0, "t3": 20.0, "t4": -3.0}
METRICS = {
    "title": "T",
    "sources": {"runs": {"kind": "score_table", "file": "t.csv"}},
    "scales": {"scaled": {"kind": "min_max"}},
    "questions": {"aggregates": {"metrics": ["iqm"]}},
}


def runs(number=6, algorithms=("a", "b")):
    rng = np.random.default_rng(0)
    rows = [
        (algorithm, task, run, rng.normal(middle + (algorithm == "b")))
        for algorithm in algorithms
        for task, middle in TASKS.items()
        for run in range(number)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def study(**sections):
    config = copy.deepcopy(METRICS) | sections
    return validate_configuration({"studies": {"mine": yaml.safe_load(yaml.safe_dump(config))}}, []).studies["mine"]


def scales(**chosen):
    return {"scales": {"scaled": chosen}}


def question(**chosen):
    return {"questions": {"x": {"kind": "aggregates", "metrics": ["iqm"]} | chosen}}


def plans(**chosen):
    return {"questions": {"x": {"kind": "run_plans"} | chosen}}


def compared(kind, *algorithms):
    return {"questions": {kind: {"compare": list(algorithms)}}}


def exchanged(table):
    return table.rename(columns={"run": "environment", "environment": "run"})


def episodes():
    """Three runs of twenty episodes each, numbered as sixty runs."""
    rng, rows = np.random.default_rng(1), []
    for task in TASKS:
        of_run = rng.normal(size=3)
        rows += [("a", task, number, of_run[number // 20] + 0.05 * rng.normal()) for number in range(60)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def test_a_right_table_passes():
    check_axes_of_table(runs(), "t.csv")
    for kind in ("sequential_comparison", "false_alarm_rates"):
        check_questions(runs(), study(**compared(kind, "a", "b")), "runs", "studies.mine")
    check_questions(runs(), study(**plans()), "runs", "studies.mine")
    one = runs().query("environment == 't1'")
    check_axes_of_table(one, "t.csv")
    check_questions(one, study(), "runs", "studies.mine")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (exchanged(runs()), r"environments are numbered \(0\) and runs are named \(t1\)\. Hint: are the"),
        (
            episodes(),
            r"each of its 60 runs is like the one before it .* Hint: average the episodes .* set axes: as_given",
        ),
    ],
)
def test_tables_whose_rows_are_no_runs(table, message):
    with pytest.raises(InputError, match=message):
        check_axes_of_table(table, "t.csv")


ONE_CELL = runs().query("not (algorithm == 'a' and environment == 't1' and run > 0)")
NEGATIVE = runs().assign(score=lambda table: table["score"] - 20)
COVERAGES = {"kind": "coverages", "algorithms": ["a"], "sizes": [3], "replacement": [True], "datasets": 10}
ENDS = {"t1": [0, 1], "t2": [0, 1], "t3": [0, 1], "t4": [0, 1]}
IN_PLACE = {"kind": "reference_scores"}


@pytest.mark.parametrize(
    ("table", "sections", "message"),
    [
        (runs(), scales(**IN_PLACE, reference_values=ENDS | {"t5": [0, 1]}), 'no runs of the environment "t5"'),
        (runs(1), question(), "a has one run of each of 4 tasks, which cannot be resampled. Hint: add runs"),
        (
            runs().query("environment == 't1'"),
            question(resampled="tasks_and_runs"),
            "tasks are resampled, and a has a single one. Hint: add tasks, or resampled: runs",
        ),
        (runs(), question(algorithms=["z"]), 'no scores of "z". Hint: allowed: a, b'),
        (
            NEGATIVE,
            plans() | scales(kind="none"),
            r"x\.lifts: [ab]: .* raised by 50 % take iqm from -1.* Hint: .* min_max .*; or lifts: \[0\]",
        ),
        (ONE_CELL, plans(algorithms=["a"]), "a / t1 has one run, and a pilot needs a spread. Hint"),
    ],
)
def test_questions_that_a_table_cannot_answer(table, sections, message):
    with pytest.raises(InputError, match=message) as caught:
        check_questions(table, study(**sections), "runs", "studies.mine")
    assert caught.value.where.startswith("studies.mine.")


def test_levels_without_the_interval_that_they_are_of_are_refused():
    with pytest.raises(InputError, match=r"questions\.x: levels are of the percentile .*leaves out\. Hint: methods"):
        check_questions(runs(), study(**question(**COVERAGES, methods=["bc"], levels=[0.9])), "runs", "studies.mine")
    check_questions(runs(), study(**question(**COVERAGES, methods=["bc"])), "runs", "studies.mine")
