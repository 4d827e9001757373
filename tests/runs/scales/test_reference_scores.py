"""Scores between two reference scores: the formula, runs that are normalized already, and what is said of them."""

import numpy as np
import pandas as pd
import pytest
from support.scale_formulas import RUNS, between, check_formula, check_refused, normalized

from surefoot.runs.scales.reference_scores import ReferenceScores
from surefoot.runs.scales.reference_tables import (
    reference_tables,
)


def runs_of(*environments, scores=(1.0, 3.0)):
    rows = [(a, e, run, score + (a == "b")) for a in "ab" for e in environments for run, score in enumerate(scores)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def test_scores_of_runs_that_are_normalized_already_stay(monkeypatch):
    runs = runs_of("Breakout").assign(zero=[0.0, 0.0, np.nan, np.nan], one=[1.0, 1.0, np.nan, np.nan])
    kept = {"atari_games": pd.read_csv(reference_tables()["atari_human"].path)}
    zero, one = ReferenceScores(reference_table="atari_human").ends(runs, kept)
    assert zero.tolist() == [0, 0, 1.7, 1.7] and one.tolist() == [1, 1, 30.5, 30.5]


def test_what_the_page_says_names_table_source_and_differences():
    for name, table in reference_tables().items():
        text = ReferenceScores(reference_table=name).described()
        assert name in text and table.source in text and table.one_is in text and table.differences in text
    assert "228.8" in ReferenceScores(reference_table="atari_human").described()


REFERENCES = {"maze": (0.5, 7.0), "cliff": (-2.0, 11.0)}


def test_the_scale_is_what_its_formula_says():
    check_formula(
        "reference_scores", lambda runs, row: between(row, *REFERENCES[row.environment]), reference_scores=REFERENCES
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, "no column zero and one. Hint: give two reference scores"),
        ({"zero": 1.0, "one": 1.0}, "e, f: got a scale from 1 to 1. Hint: every environment"),
        ({"zero": 1.0, "one": float("nan")}, "got a scale from 1 to nan"),
        ({"zero": -1e308, "one": 1e308}, "the score 2 overflows. Hint: divide all scores"),
        ({"zero": 0.0, "one": 1e-300}, "the score 2 overflows"),
    ],
)
def test_references_without_a_range_are_refused(change, message):
    check_refused(change, message, "reference_scores")


def test_a_study_uses_a_table_with_further_environments(own_folder):
    (own_folder / "own.csv").write_text("environment,zero,one\ne,0,2\nf,-1,1\nunused,0,1\n")
    settings = ReferenceScores(file="own.csv").decisive()
    found = normalized(RUNS, "reference_scores", reference_scores=settings["reference_scores"])
    assert found["score"].tolist() == [1, 2, 4, 0, 1]


def test_runs_may_bring_their_reference_scores():
    found = normalized(RUNS.assign(zero=[2, 2, 2, -2, -2], one=[6, 6, 6, 2, 2]), "reference_scores")
    assert found["score"].tolist() == pytest.approx([0, 0.5, 1.5, 0.25, 0.75])
    assert list(found.columns) == ["algorithm", "environment", "run", "score"]
