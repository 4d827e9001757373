"""What the captions of a paper's figures end with."""

from pathlib import Path

import pytest

from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.export.methods import caption_ending
from surefoot.export.runs import CountedRuns, RunsBehind

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "config" / "config.yaml", *sorted((ROOT / "config" / "studies").glob("*.yaml"))]
FEW = CountedRuns(["a", "b"], ["x", "y"], 3, 12, 30)
MANY = CountedRuns(["a", "b"], ["x", "y"], 2000, 2000, 8000)


@pytest.fixture(scope="module")
def example():
    return validate_configuration(read_configuration(FILES), FILES, ROOT / "reports").studies["example"]


def test_the_runs_the_first_method_and_its_resamples(example):
    runs = RunsBehind({"runs": FEW}, {"runs": FEW})
    assert caption_ending(example, "aggregates", ["aggregates"], {"aggregates"}, runs) == (
        "3 to 12 runs of each algorithm in each environment. Intervals: Student, 95 %; 20,000 resamples."
    )


def test_resamples_of_the_game_are_told_where_a_method_that_draws_them_is_shown(example):
    runs = RunsBehind({"runs": FEW}, {})
    where = "3 to 12 runs of each algorithm in each environment."
    shown = caption_ending(example, "scores", ["game_intervals"], {"pbp", "bootstrap"}, runs)
    assert shown == f"{where} Intervals: 95 %; 1,000 resamples."
    assert caption_ending(example, "means", ["game_intervals"], {"anderson"}, runs) == f"{where} Intervals: 95 %."


def test_a_figure_that_shows_no_answer_says_nothing_of_runs(example):
    assert caption_ending(example, "diagram", [], {"protocol"}, RunsBehind({"runs": FEW}, {})) == ""


def test_recorded_numbers_are_marked_with_the_runs_of_their_record(example):
    runs = RunsBehind({"runs": FEW}, {"runs": FEW}, MANY, from_record=frozenset(["aggregates"]))
    ending = caption_ending(example, "aggregates", ["aggregates"], {"aggregates"}, runs)
    assert ending == "From the record of a larger run: 2,000 runs of each algorithm in each environment."
    runs = RunsBehind({"runs": FEW}, {"runs": FEW}, MANY, beside_record=frozenset(["aggregates"]))
    ending = caption_ending(example, "aggregates", ["aggregates"], {"aggregates"}, runs)
    assert ending.startswith("3 to 12 runs of each algorithm in each environment. The record of a larger run is beside")
