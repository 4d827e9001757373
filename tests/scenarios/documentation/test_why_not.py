"""What docs/why_not.md says is what benchmarks/why_not.py wrote; what needs no other package is run again."""

import runpy

import pytest
from support.documentation import blocks
from support.paths import ROOT

RECORD = (ROOT / "benchmarks" / "why_not.txt").read_text().strip().split("\n\n")


@pytest.fixture(scope="module")
def program():
    return runpy.run_path(str(ROOT / "benchmarks" / "why_not.py"))


def section(beginning):
    """The lines of the one section of the record that begins so."""
    (found,) = (text.splitlines() for text in RECORD if text.startswith(beginning))
    return found


def test_the_page_quotes_every_section_of_the_record():
    assert {block.text.rstrip("\n") for block in blocks("console", "why_not")} == set(RECORD)


@pytest.mark.long
def test_surefoots_intervals_say_it_again(program):
    share, scores = program["share"], program["made_scores"]()
    told = section("rliable 1.2.0, IQM of 5 runs")
    assert told[2].endswith(f" {share(program['missed_by_surefoot']('percentile'))}")
    assert told[3].endswith(f" {share(program['missed_by_surefoot']('student'))}")
    bands = section("seaborn")
    assert f" {share(program['missed_by_students_interval'](scores['three_runs']))} " in bands[3]


def test_the_true_iqm_is_that_of_many_runs(program):
    """Of two million runs; the error of their IQM is below 0.001 (four standard errors)."""
    import numpy as np

    tasks = program["TASKS"]
    scores = np.sort(np.random.default_rng(0).normal(tasks, tasks / 4, (350_000, tasks.size)), axis=None)
    middle = scores[scores.size // 4 : -(scores.size // 4)]
    assert abs(middle.mean() - program["true_iqm"]()) < 0.001
