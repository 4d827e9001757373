"""What is said of reference scores, and runs that are normalized already."""

import numpy as np
import pandas as pd

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
