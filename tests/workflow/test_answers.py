"""Jobs that answer the questions of a study."""

import pandas as pd
import pytest
from support.two_algorithms import TABLE

import surefoot
from surefoot.errors import InputError
from surefoot.questions._framework.question_registry import questions
from surefoot.runs.scales.performance_percentile import PerformancePercentile
from surefoot.workflow.answers import answer, answered, runs_of
from surefoot.workflow.runner import Task

STUDY = {"seed": 3, "confidence_level": 0.9, "n_resamples": 50}
SCORES = TABLE.assign(scores="runs")
ONE_RUN = SCORES[SCORES["run"] == 0]


def task(folder, question, tables):
    """The work of a job with a question about these tables."""
    inputs = {name: folder / f"{name}.parquet" for name in tables}
    for name, path in inputs.items():
        tables[name].to_parquet(path, index=False)
    names = ("table", *questions()[question["kind"]].more)
    outputs = {name: folder / f"{name}.csv" for name in names}
    return Task(STUDY | {"question": question}, inputs, outputs, 1, lambda *unit: None, lambda *unit: True, {})


def test_a_job_writes_what_the_library_returns(tmp_path):
    answer(
        task(tmp_path, {"kind": "pairwise_differences", "metrics": ["mean"], "scores": ["runs"]}, {"scores": SCORES})
    )
    wanted = surefoot.pairwise_differences(TABLE, metrics=["mean"], **STUDY).table()
    written = pd.read_csv(tmp_path / "table.csv")
    assert written["algorithm"].tolist() == wanted["algorithm"].tolist()
    assert written["low"].tolist() == pytest.approx(wanted["low"].tolist(), rel=1e-9)


def test_further_tables_have_files_of_their_own(tmp_path):
    runs = TABLE.assign(cell=TABLE["algorithm"])
    tables = {"runs": runs, "normalized": PerformancePercentile().pairs(runs)}
    answer(task(tmp_path, {"kind": "evaluation_game_scores"}, tables))
    wanted = surefoot.evaluation_game_scores(TABLE)
    for name, table in {"table": wanted.table(), "weights": wanted.tables()["weights"]}.items():
        written = pd.read_csv(tmp_path / f"{name}.csv")
        assert list(written) == list(table) and len(written) == len(table)


def test_a_question_may_have_a_value_instead_of_the_studys():
    model = questions()["aggregate_metrics"]
    tables = {"scores": SCORES}
    of_study = answered(model(metrics=["mean"], scores=["runs"]), tables, STUDY, 1).table()
    own = answered(model(metrics=["mean"], scores=["runs"], n_resamples=20), tables, STUDY, 1).table()
    assert (set(of_study["n_resamples"]), set(own["n_resamples"])) == ({50}, {20})


def test_a_question_gets_the_runs_of_its_scales():
    other = SCORES.assign(scores="raw", frames=1)
    model = questions()["aggregate_metrics"]
    tables = {"scores": pd.concat([SCORES, other], ignore_index=True)}
    found = runs_of(model(metrics=["mean"], scores=["raw", "runs"]), tables)
    assert list(found) == ["raw", "runs"]
    assert list(found["runs"]) == list(TABLE) and list(found["raw"]) == [*TABLE, "frames"]
    pd.testing.assert_frame_equal(found["runs"], SCORES.drop(columns="scores"))
    of_runs = questions()["evaluation_game_scores"]
    assert runs_of(of_runs(), {"runs": TABLE, "normalized": TABLE}) == {"runs": TABLE}


@pytest.mark.parametrize(
    ("question", "scores", "message"),
    [
        (
            {"metrics": ["mean"], "algorithms": ["mine"]},
            SCORES,
            r'^questions\.table\.algorithms: no scores for "mine"\. Hint: ',
        ),
        (
            {"metrics": ["mean"]},
            SCORES[SCORES["run"] == 0],
            r"^questions\.table: .* cannot be resampled\. Hint: add runs",
        ),
    ],
)
def test_runs_that_cannot_answer_name_the_question(tmp_path, question, scores, message):
    with pytest.raises(InputError, match=message):
        answer(task(tmp_path, {"kind": "aggregate_metrics", "scores": ["runs"]} | question, {"scores": scores}))
    assert not (tmp_path / "table.csv").exists()
