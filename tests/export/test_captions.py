"""What the captions of a paper's figures end with."""

from pathlib import Path

import pytest

from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.export.captions import making
from surefoot.export.methods_section import RunsBehind
from surefoot.export.records import NONE, RecordedAnswer
from surefoot.export.runs import CountedRuns

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "config" / "config.yaml", *sorted((ROOT / "config" / "studies").glob("*.yaml"))]
FEW = CountedRuns(["a", "b"], ["x", "y"], 3, 12, 30)
MANY = CountedRuns(["a", "b"], ["x", "y"], 2000, 2000, 8000)


@pytest.fixture(scope="module")
def example():
    return validate_configuration(read_configuration(FILES), FILES, ROOT / "reports").studies["example"]


def test_the_runs_the_first_method_and_its_resamples(example):
    runs = RunsBehind({"runs": FEW}, {"runs": FEW})
    assert making(example, "aggregates", ["aggregates"], {"aggregates"}, runs) == (
        "3 to 12 runs of each algorithm in each environment. Intervals: Student, 95 %; 20,000 resamples."
    )


def test_resamples_of_the_game_are_told_where_a_method_that_draws_them_is_shown(example):
    runs = RunsBehind({"runs": FEW}, {})
    where = "3 to 12 runs of each algorithm in each environment."
    shown = making(example, "scores", ["game_intervals"], {"pbp", "bootstrap"}, runs)
    assert shown == f"{where} Intervals: 95 %; 1,000 resamples."
    assert making(example, "means", ["game_intervals"], {"anderson"}, runs) == f"{where} Intervals: 95 %."


def test_a_figure_that_shows_no_answer_says_nothing_of_runs(example):
    assert making(example, "diagram", [], {"protocol"}, RunsBehind({"runs": FEW}, {})) == ""


def test_what_is_recorded_has_the_runs_and_the_settings_of_its_record(example):
    question = example.questions["aggregates"].model_copy(update={"replicates": 50_000})
    answers = {"aggregates": RecordedAnswer(question, "", True, [])}
    records = NONE._replace(runs=MANY, answers=answers, whole=frozenset(["aggregates"]))
    told = making(
        example, "aggregates", ["aggregates"], {"aggregates"}, RunsBehind({"runs": FEW}, {"runs": FEW}, records)
    )
    assert told == (
        "From the record of a larger run: 2,000 runs of each algorithm in each environment. "
        "Intervals: Student, 95 %; 50,000 resamples."
    )
    beside = NONE._replace(beside=frozenset(["aggregates"]))
    told = making(
        example, "aggregates", ["aggregates"], {"aggregates"}, RunsBehind({"runs": FEW}, {"runs": FEW}, beside)
    )
    assert told.startswith("3 to 12 runs of each algorithm in each environment. The record of a larger run is beside")
