"""Tables that hold more than scores, or something other than scores, handed over by a program."""

import pandas as pd
import pytest
from asking import function_of
from ours_and_base import TABLE

import surefoot


@pytest.mark.parametrize(
    ("question", "missing"), [("agents", "variant"), ("paired_z", "variant"), ("tuning", "candidate")]
)
def test_a_table_without_a_column_is_one_sentence_that_names_it(question, missing):
    with pytest.raises(ValueError, match=rf"column {missing}.* is missing\. Hint: the columns are algorithm,"):
        function_of(question)(TABLE)


@pytest.mark.parametrize("score", [pd.Timestamp("2024-01-01"), pd.Timedelta(1, "s"), True])
def test_dates_durations_and_truth_values_are_no_scores(score):
    with pytest.raises(ValueError, match=r'scores: the score ".*" is not a number'):
        surefoot.aggregates(TABLE.assign(score=score))


def test_a_gap_below_zero_is_refused_as_in_a_study():
    with pytest.raises(ValueError, match="thresholds: a gap is a fraction of its target, which cannot be 0"):
        function_of("gap_curve")(TABLE, thresholds=[0, 0.5])


@pytest.mark.parametrize("question", ["improvement", "differences"])
def test_an_algorithm_is_not_compared_with_itself(question):
    settings = {} if question == "improvement" else {"metrics": "iqm", "sizes": [3], "datasets": 9}
    with pytest.raises(ValueError, match=r'"ours" is compared with itself\. Hint: two algorithms'):
        function_of(question)(TABLE, pairs=[["ours", "ours"]], **settings)


def test_only_questions_are_listed():
    assert [name for name in dir(surefoot) if not name.startswith("__")] == surefoot.__all__
