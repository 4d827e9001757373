"""Settings of files of scores and curves are checked before a file is read."""

import pytest
from support.one_study import refused

from surefoot.runs.sources.tables import ScoreTable


def test_a_column_of_trials_needs_binary_outcomes():
    with pytest.raises(ValueError, match=r"columns\.trials requires binary outcomes"):
        ScoreTable.model_validate({"file": "a.csv", "columns": {"trials": "n"}})


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"rule": "windo"}, 'runs.rule: "windo" is not known. Hint: did you mean "window"?'),
        ({"rule": "last_k"}, "sources.runs.rule_argument: last_k needs an argument. Hint: use a whole number"),
        (
            {"rule_argument": 2},
            "sources.runs.rule_argument: 2 is not allowed for window. Hint: use a fraction of the steps",
        ),
        ({"grid": [3, 2]}, "is not strictly ascending. Hint: give each step once"),
    ],
)
def test_settings_are_checked_before_the_file_is_read(keys, message):
    assert message in refused({"sources": {"runs": {"kind": "learning_curves", "file": "curves.csv"} | keys}})
