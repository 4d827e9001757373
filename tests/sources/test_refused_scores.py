"""Scores with mistakes are refused in one sentence, with a hint."""

import numpy as np
import pandas as pd
import pytest
from ours_and_base import ARRAYS, TABLE

import surefoot


def without(name):
    return TABLE.drop(columns=name)


HUGE = [10**400, *TABLE["score"][1:]]
MASKED = np.ma.masked_greater(ARRAYS["ours"], 2.0)
COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0], "a list. Hint: a pandas table"),
        ({}, "an empty dict"),
        ({"a": np.ones((2, 3, 4))}, r"shape \(2, 3, 4\). Hint: runs x tasks, episodes averaged"),
        ({"a": np.array([["1", "x"]])}, "values of the type <U1"),
        ({"a": [[1.0], []]}, r"a has an array of shape \(1,\), \(0,\)"),
        ({"a": 3.0}, r"a has an array of shape \(\)"),
        ({"a": np.ones((26, 5)), "b": np.ones((26, 10))}, "a 5, b 10. Hint: .*arrays are runs x tasks"),
        ({"a": [[1.0, 2.0, 3.0], [np.nan, 1.0]]}, r"not finite numbers \(1\): a / 1 / run 0: nan"),
        (
            {"a": ARRAYS["ours"].tolist()},
            r"a list of 10 members of length 5, .* Hint: numpy\.array\(\.\.\.\) of runs x",
        ),
        (
            {"a": np.array([[1.0, 2.0], [3.0]], object)},
            "a has runs that differ in length. Hint: .* a list of one",
        ),
        ({"a": np.array([1.0, "x"], object)}, "a holds values of the type <U"),
        ({1: [1.0, 2.0], "1": [2.0, 3.0]}, 'two of the column algorithm are written "1". Hint: '),
        (pd.concat([TABLE[:50], TABLE[50:].astype({"run": str})]), 'two of the column run are written "0"'),
        ({"a": np.ones((1, 9))}, "one run of each of 9 tasks.*scores\\[:, None\\]"),
        (without("run"), "column run is missing; there are .* Hint: .*rename"),
        (TABLE[:0], "no rows"),
        (
            pd.concat([TABLE.assign(step=step) for step in range(5)]),
            f"{5 * len(TABLE):,} rows of {len(TABLE):,} runs with a column step: learning curves. Hint: surefoot",
        ),
        (pd.concat([TABLE, TABLE[:1]]), "ours in task 0, run 0 occurs 2 times. Hint: .*column episode"),
        (TABLE.assign(score=["many", *TABLE["score"][1:]]), 'the score "many" is not a number'),
        (TABLE.assign(score=TABLE["score"].where(TABLE.index != 7)), "ours / task 2 / run 1: nan"),
        (TABLE.assign(run=TABLE["run"].where(TABLE.index != 7)), "data row 8 has no run"),
        (
            TABLE[(TABLE["algorithm"] != "base") | (TABLE["environment"] != "task 3")],
            r"cells without a run \(1\): base / task 3",
        ),
        (pd.concat([TABLE, TABLE[["score"]]], axis=1), 'two columns are called "score"'),
        (TABLE.assign(score=pd.Series(HUGE, dtype=object)), "ours / task 0 / run 0: inf"),
        (
            TABLE.assign(score=TABLE["score"] > 0),
            'the column "score" has true and false where',
        ),
        ({"a": np.ones((3, 2), bool)}, "a holds values of the type bool"),
        (TABLE.replace({"algorithm": {"ours": ""}}), "data row 1 has no algorithm"),
        (
            TABLE.replace({"environment": {"task 0": "task\x1b[31m"}}),
            r"the environment 'task\\x1b\[31m' has a character",
        ),
        ({"\ud800": np.ones((3, 2))}, r"the algorithm '\\ud800' has a character that cannot"),
        ({COMPOSED: np.ones((3, 2)), DECOMPOSED: np.ones((3, 2))}, "two of the column algorithm are written"),
        ({"a": ARRAYS["ours"], "b": MASKED}, r"b: \d+ of 50 values are masked. Hint: leave out"),
        ({"a": [[1.0, 2.0], [1.0, 2j, 3.0]]}, "a holds values of the type complex"),
        (TABLE.assign(score=TABLE["score"] + 1j), 'the column "score" has complex numbers where'),
        ({"a": 1e308 * np.ones((3, 2))}, r"beyond ±1e\+150 .*a / 0 / run 0: 1e\+308.*Hint: divide all"),
    ],
)
def test_mistakes_are_one_sentence_and_a_hint(scores, message):
    with pytest.raises(ValueError, match=message) as refused:
        surefoot.aggregates(scores, replicates=10)
    assert str(refused.value).startswith(("scores: ", "surefoot.aggregates: ")) and "Hint: " in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_episode_without_a_score_is_not_averaged_away():
    twice = pd.concat([TABLE.assign(episode=n) for n in (0, 1)], ignore_index=True)
    for bad in (np.nan, np.inf):
        wrong = twice.assign(score=twice["score"].where(twice.index != 103, bad))
        with pytest.raises(ValueError, match=f"ours / task 3 / run 0: {bad}. Hint: drop"):
            surefoot.aggregates(wrong, replicates=9)
