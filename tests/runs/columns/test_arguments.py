"""Arguments of public functions that are no questions, of types that nobody expects."""

import numpy as np
import pandas as pd
import pytest

import surefoot
from surefoot.errors import HintedError

ROWS = [(name, "E", run, step, float(run + step)) for name in "ab" for run in range(3) for step in range(4)]
CURVES = pd.DataFrame(ROWS, columns=["algorithm", "environment", "run", "step", "score"])
SCORES = CURVES[CURVES["step"] == 3].drop(columns="step")
GIVEN = {"score_curves": CURVES, "align_curves": CURVES, "normalize_scores": SCORES, "report": SCORES}


@pytest.mark.parametrize(
    ("function", "argument", "value"),
    [
        ("score_curves", "rule", {}),
        ("score_curves", "rule_argument", "x"),
        ("score_curves", "tolerance", [0.1]),
        ("align_curves", "steps", "x"),
        ("align_curves", "steps", [1j]),
        ("align_curves", "steps", np.array([1j])),
        ("align_curves", "steps", 10**400),
        ("align_curves", "tolerance", "x"),
        ("read_runs", "pattern", 1),
        ("read_runs", "metric", {"a": 1}),
        ("read_runs", "algorithm", {"a": 1}),
        ("read_runs", "environment", 5),
        ("read_runs", "names_from", "x"),
        ("normalize_scores", "scale", {"a": 1}),
        ("normalize_scores", "lower_is_better", 5),
        ("report", "rule_argument", "x"),
        ("report", "lower_is_better", 5),
        ("report", "folder", None),
        ("report", "cores", -1),
        ("report", "allow_mixed_protocols", "x"),
    ],
)
def test_another_type_is_one_sentence_that_names_the_argument(tmp_path, monkeypatch, function, argument, value):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HintedError) as caught:
        getattr(surefoot, function)(GIVEN.get(function, tmp_path), **{argument: value})
    assert caught.value.where == f"surefoot.{function}: {argument}" and caught.value.hint
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("steps", [[0, 1, 3], (0.0, 1.0, 3.0), np.array([0, 1, 3]), pd.Series([0, 1, 3]), np.int64(3)])
def test_arrays_and_numbers_of_numpy_are_as_lists_and_numbers(steps):
    assert len(surefoot.align_curves(CURVES, steps, tolerance=np.float32(0.1))) == 18
    assert len(surefoot.align_curves(CURVES, range(3))) == 18


def test_numbers_beyond_every_float_are_refused_in_a_sentence():
    for arguments in ((10**400, 0.1), (0.5, 10**400)):
        with pytest.raises(HintedError, match="rollouts_sample_size"):
            surefoot.rollouts_sample_size(*arguments)
    with pytest.raises(HintedError, match="a number between 0 and 1"):
        surefoot.rollouts_sample_size(0.5, 0.2, power=10**400)
