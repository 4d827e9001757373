"""Scores that are normalized by a table, or by reference scores of the user."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.errors import HintedError, InputError


def runs_of(*environments, scores=(1.0, 3.0)):
    rows = [(a, e, run, score + (a == "b")) for a in "ab" for e in environments for run, score in enumerate(scores)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


@pytest.mark.parametrize(
    ("table", "environment", "score", "normalized"),
    [
        ("atari_human", "ALE/Breakout-v5", 59.3, 2.0),
        ("atari_record", "PongNoFrameskip-v4", 21.0, 1.0),
        ("procgen_easy", "procgen:procgen-coinrun-v0", 7.5, 0.5),
        ("procgen_hard", "starpilot", 35.0, 1.0),
        ("d4rl", "hopper-medium-v2", 3234.3, 1.0),
        ("dm_control", "cheetah-run", 250.0, 0.25),
        ("metaworld", "reach-v3", 0.75, 0.75),
    ],
)
def test_known_scores_on_the_scale(table, environment, score, normalized):
    """By hand, from the numbers that the papers print."""
    runs = runs_of(environment).assign(score=score)
    assert surefoot.normalize_scores(runs, table)["score"].tolist() == pytest.approx([normalized] * 4)


def test_unknown_environments_are_listed_with_the_nearest():
    with pytest.raises(InputError) as caught:
        surefoot.normalize_scores(runs_of("ALE/Breakot-v5", "Pong", "CartPole-v1"), "atari_human")
    assert "atari_human has no scores for ALE/Breakot-v5 (nearest: Breakout), CartPole-v1" in str(caught.value)
    with pytest.raises(HintedError, match=r'unknown scale "atari_humn"\. Hint: did you mean "atari_human"'):
        surefoot.normalize_scores(runs_of("Pong"), "atari_humn")


@pytest.mark.parametrize(
    ("table", "environment", "score"), [("metaworld", "reach-v3", 87), ("dm_control", "cheetah-run", 1e4)]
)
def test_scores_that_are_not_of_the_table_are_refused(table, environment, score):
    """Percents or returns in the place of success rates."""
    with pytest.raises(InputError, match=rf"{score:g} is not possible\. Hint: scores of {table} are from 0 to"):
        surefoot.normalize_scores(runs_of(environment, scores=(0.5, score)), table)


def test_reference_scores_of_ones_own():
    runs, kind = runs_of("x", "y"), "reference_scores"
    found = surefoot.normalize_scores(runs, kind, reference_scores={"x": (1, 3), "y": (-1, 0)})
    assert found["score"].tolist() == [0, 1, 2, 4, 0.5, 1.5, 3, 5]
    with pytest.raises(InputError, match=rf"^{kind}: no reference scores for y\. Hint: add the two scores of each"):
        surefoot.normalize_scores(runs, kind, reference_scores={"x": (1, 3)})
    with pytest.raises(InputError, match="y: got a scale from 1 to 0"):
        surefoot.normalize_scores(runs, kind, reference_scores={"x": (1, 3), "y": (1, 0)})
    with pytest.raises(HintedError, match=r"10 is not a valid name\. Hint: it must be a text, such as '10'"):
        surefoot.normalize_scores(runs, kind, reference_scores={10: (1, 3)})
    with pytest.raises(HintedError, match="reference_table and reference_scores both define"):
        surefoot.normalize_scores(runs, "atari_human", reference_scores={"x": (1, 3)})


def test_a_table_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("own.csv").write_text("environment,zero,one,source\nx,1,3,us\ny,-1,0,us\nunused,0,1,us\n")
    found = surefoot.normalize_scores(runs_of("x", "y"), "reference_scores", file="own.csv")
    assert found["score"].tolist() == [0, 1, 2, 4, 0.5, 1.5, 3, 5]
    for text, message in (
        ("environment,zero\nx,1\n", r"column one is missing; .* Hint: the required columns are environment, zero, one"),
        ("environment,zero,one\nx,1,3\nx,1,3\n", 'the environment "x" occurs twice'),
        ("environment,zero,one\nx,1,high\ny,0,1\n", 'the one "high" is not a number'),
        ("environment,zero,one\nx,1,3\nyy,0,1\n", r'no reference scores for y\. Hint: did you mean "yy"'),
        ("environment,zero,one\nyy,0,1\n", r"no reference scores for x, y\. Hint: add the two scores of each"),
        ("environment,zero,one\nx,1,3\ny,1,0\n", "y: got a scale from 1 to 0"),
    ):
        Path("own.csv").write_text(text)
        with pytest.raises(InputError, match=message):
            surefoot.normalize_scores(runs_of("x", "y"), "reference_scores", file="own.csv")
    with pytest.raises(InputError, match=r"nowhere\.csv: no such file"):
        surefoot.normalize_scores(runs_of("x"), "reference_scores", file="nowhere.csv")
    with pytest.raises(HintedError, match="reference_table and file both define"):
        surefoot.normalize_scores(runs_of("x"), "atari_human", file="own.csv")


def test_arrays_are_normalized_too():
    arrays = {"a": [[1.0, 10.0], [2.0, 30.0]], "b": [[3.0, 20.0], [1.5, 40.0]]}
    found = surefoot.normalize_scores({name: np.array(one) for name, one in arrays.items()})
    assert found["algorithm"].tolist() == ["a"] * 4 + ["b"] * 4
    assert found.loc[found["algorithm"] == "a", "score"].tolist() == pytest.approx([0, 0.5, 0, 2 / 3])


def test_other_names_of_settings_are_answered():
    scores = {"a": np.array([[1.0, 2.0], [3.0, 5.0]]), "b": np.array([[2.0, 2.0], [3.0, 4.0]])}
    with pytest.raises(TypeError, match=r'unknown argument "method" for the scale min_max\. Hint: scale="min_max"'):
        surefoot.normalize_scores(scores, method="min-max")
    with pytest.raises(TypeError, match=r'unknown argument "lower_better" .* Hint: did you mean "lower_is_better"'):
        surefoot.normalize_scores(scores, lower_better=True)
