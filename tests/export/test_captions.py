"""What the captions of a paper's figures end with."""

from pathlib import Path

import pytest

from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.export.methods import CountedRuns, RunsBehind, caption_ending

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "config" / "config.yaml", *sorted((ROOT / "config" / "studies").glob("*.yaml"))]
FEW = CountedRuns(["a", "b"], ["x", "y"], 3, 12, 30)


@pytest.fixture(scope="module")
def example():
    return validate_configuration(read_configuration(FILES), FILES).studies["example"]


def test_the_runs_the_first_method_and_its_resamples(example):
    runs = RunsBehind({"runs": FEW})
    assert caption_ending(example, ["aggregates"], runs) == (
        "3 to 12 runs of each algorithm in each environment. Intervals: Student, 95 %; 20,000 resamples."
    )


def test_resamples_are_stated_only_where_every_method_draws_them(example):
    runs = RunsBehind({"runs": FEW})
    ending = "3 to 12 runs of each algorithm in each environment. Intervals: 95 %."
    assert caption_ending(example, ["game_intervals"], runs) == ending


def test_a_figure_that_shows_no_answer_says_nothing_of_runs(example):
    assert caption_ending(example, [], RunsBehind({"runs": FEW})) == ""
