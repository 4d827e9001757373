"""Questions of scores that cannot be answered as they are asked: one sentence with a hint, before any job runs."""

import numpy as np
import pandas as pd
import pytest

from surefoot.build.errors import InputError
from surefoot.configuration.table_checks import check_questions
from surefoot.configuration.validation import validate_configuration
from surefoot.questions.registry import questions
from surefoot.questions.settings import QuestionSettings

GRID = {"from": 0.1, "to": 2, "count": 3}
COUNTS = {"sizes": [2], "datasets": 4}
COMPLETE = {
    "welch_profile": {"algorithms": ["a", "b"], "thresholds": GRID},
    "welch_differences": {"algorithms": ["a", "b"]},
    "rank_profile": {"thresholds": GRID},
    "aggregates": {},
    "published_intervals": {},
    "profiles": {"thresholds": GRID},
    "sample_efficiency": {},
    "curve_differences": {},
    "gap_curve": {"thresholds": GRID},
    "hyperparameter_sensitivity": {},
    "effective_dimension": {},
    "hyperparameter_selection": {},
    "improvement": {},
    "multiple_comparisons": {},
    "group_sequential": {},
    "pairwise_differences": {},
    "ranks": {},
    "run_effects": {},
    "time_profiles": {"thresholds": {"from": 1.5, "to": 2, "count": 3}},
    "histograms": {"bins": 3},
    "subsamples": {"metrics": ["iqm"]} | COUNTS,
    "subsample_densities": {"metrics": ["iqm"], "algorithms": ["a", "b"], "sizes_of": [2, 3], "datasets": 4},
    "differences": {"metrics": ["iqm"], "pairs": [["a", "b"]]} | COUNTS,
    "lifts": {"metrics": ["iqm"], "lifts": [0, 25]} | COUNTS,
    "trimmed_errors": {"fractions": [0, 0.5]} | COUNTS,
    "protocols": {"metrics": ["iqm"], "settings": 2, "runs_of_setting": 2} | COUNTS,
    "coverages": {"metrics": ["iqm"], "methods": ["percentile"], "replacement": [False, True]} | COUNTS,
    "task_coverages": COUNTS,
    "run_plans": {},
    "sequential_comparison": {"compare": ["a", "b"]},
    "false_alarm_rates": {"compare": ["a", "b"]},
}
"""The keys of a question of each kind, as few as can be."""
ONE_ALGORITHM = ("histograms", "coverages", "task_coverages")
PUBLISHED = {
    "sample_efficiency": "ale200m_curves",
    "curve_differences": "ale200m_curves",
    "published_intervals": "machado2018",
    "welch_profile": "machado2018",
    "welch_differences": "machado2018",
    "hyperparameter_sensitivity": "adkins2024",
    "effective_dimension": "adkins2024",
    "hyperparameter_selection": "adkins2024",
}


def runs(number=5):
    rng = np.random.default_rng(0)
    rows = [(a, task, run, rng.uniform(1, 2)) for a in "ab" for task in ("t1", "t2", "t3") for run in range(number)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def study(*names, table=None, **question):
    """Of a score table, or of the runs of a published one, whose name `table` is."""
    scales = {name: {"source": "runs"} for name in names or ("s",)}
    sources = {"runs": {"kind": "score_table", "file": "t.csv"}}
    if table is not None:
        sources = {"p": {"kind": "published", "tables": ["recht2018/machado2018_means_stds"]}}
        scales = {"s": {"source": "p", "runs": table}}
    if question["kind"] in ONE_ALGORITHM and table is None and not names:
        scales["s"]["algorithms"] = ["a"]
    config = {"title": "T", "sources": sources, "scales": scales}
    config["questions"] = {"x": {"scores": list(scales)} | question}
    return validate_configuration({"studies": {"mine": config}}, []).studies["mine"]


def scores(kind):
    """A table that has what the kind's published tables have beside runs."""
    table = runs()
    if kind in ("sample_efficiency", "curve_differences"):
        return pd.concat([table.assign(frames=frames) for frames in (1, 2)])
    if questions()[kind].needs == "settings":
        return pd.concat([table.assign(step=step) for step in (1, 2)])
    if kind in PUBLISHED:
        return table[table["run"] == 0].assign(deviation=1.0, runs=5)
    return table[table["algorithm"] == "a"] if kind in ONE_ALGORITHM else table


def test_all_kinds_are_here():
    asked = {kind for kind, question in questions().items() if issubclass(question, QuestionSettings)}
    assert set(COMPLETE) == asked


def required(kind):
    return [name for name, field in questions()[kind].model_fields.items() if field.is_required() and name != "scores"]


@pytest.mark.parametrize("kind", COMPLETE)
def test_a_missing_key_is_named(kind):
    complete = study(kind=kind, table=PUBLISHED.get(kind), **COMPLETE[kind])
    if kind not in PUBLISHED:
        check_questions(runs(), complete, "runs", "studies.mine")
    for key in required(kind):
        keys = {name: value for name, value in COMPLETE[kind].items() if name != key}
        with pytest.raises(InputError, match=rf'questions\.x: key "{key}" is missing\. Hint: {key}: '):
            study(kind=kind, table=PUBLISHED.get(kind), **keys)


@pytest.mark.parametrize(
    ("kind", "keys", "message"),
    [
        (
            "profiles",
            {"thresholds": GRID | {"from": 3}},
            "x.thresholds: from 3 to 2 does not ascend. Hint: from must be less than to",
        ),
        ("gap_curve", {"thresholds": [0.1, 2]}, "x.thresholds: a list stands for a grid. Hint: such as {from"),
        (
            "gap_curve",
            {"thresholds": GRID | {"from": 0}},
            "x.thresholds: a gap is a fraction of its target, which",
        ),
        ("improvement", {"pairs": [["a", "b"], ["b", "b"]]}, 'x.pairs.1: "b" is compared with itself. Hint: two alg'),
        (
            "subsample_densities",
            {"sizes_of": [3]},
            "x.sizes_of: 1 sizes for 2 algorithms. Hint: one number of runs for",
        ),
        ("histograms", {"algorithms": ["a", "b"]}, "x.algorithms: histograms takes one algorithm, and a, b are 2"),
        (
            "sample_efficiency",
            {},
            'needs scores at several numbers of frames, and "s" has none. Hint: scales whose runs',
        ),
        ("published_intervals", {}, "dm_control_published_500k; aggregates and"),
    ],
)
def test_values_that_make_no_sense(kind, keys, message):
    with pytest.raises(InputError) as caught:
        study(kind=kind, **COMPLETE[kind] | keys)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("table", "kind", "keys", "message"),
    [
        (runs(), "task_coverages", {"sizes": [2, 6]}, r"x\.sizes: 6 of 5 runs cannot be drawn without replacement"),
        (runs(), "coverages", {"sizes": [9]}, r"x\.sizes: 9 of 5 runs .* Hint: at most 5"),
        (runs(), "improvement", {"algorithms": ["a"]}, "a comparison is of two algorithms or more, and a is one"),
        (runs(), "improvement", {"algorithms": ["a", "b"], "pairs": [["a", "c"]]}, 'no scores of "c"'),
        (runs()[1:], "protocols", {"resampled": "runs"}, "protocols draws whole runs, and there are 4 to 5 runs"),
        (runs()[1:], "trimmed_errors", {}, "trimmed_errors draws whole runs, and there are 4 to 5"),
    ],
)
def test_questions_that_the_table_cannot_answer(table, kind, keys, message):
    with pytest.raises(InputError, match=message):
        check_questions(table, study(kind=kind, **COMPLETE[kind] | keys), "runs", "studies.mine")


def test_runs_of_many_settings_are_asked_about_tuning_alone():
    config = {"title": "T", "sources": {"runs": {"kind": "score_table", "file": "t.csv", "hyperparameters": ["rate"]}}}
    config |= {"scales": {"s": {"hyperparameters": ["rate"]}}}

    def asked(kind):
        questions = {"questions": {"x": {"kind": kind, "scores": ["s"]}}}
        return validate_configuration({"studies": {"mine": config | questions}}, []).studies["mine"]

    table = pd.concat([runs().assign(rate=rate) for rate in (1, 2)])
    check_questions(table, asked("hyperparameter_sensitivity"), "runs", "studies.mine")
    with pytest.raises(
        InputError, match='"s" is of runs of many hyperparameter settings, and aggregates takes runs of'
    ):
        asked("aggregates")
    del config["sources"]["runs"]["hyperparameters"]
    with pytest.raises(
        InputError, match='hyperparameter_sensitivity needs columns of hyperparameters, and "s" has none'
    ):
        asked("hyperparameter_sensitivity")
    del config["scales"]["s"]["hyperparameters"]
    config["sources"]["runs"]["hyperparameters"] = ["rate"]
    with pytest.raises(InputError, match="no column of a hyperparameter"):
        check_questions(table, asked("hyperparameter_sensitivity"), "runs", "studies.mine")
