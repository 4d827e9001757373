"""Types of the parameters of questions: what they accept, in which form it is passed on, and what they refuse."""

import pytest
from pydantic import TypeAdapter, ValidationError

from surefoot.questions._framework.types import AlgorithmName, Algorithms, Grid, Items, Levels, Lifts, Pair, Pairs, Size


@pytest.mark.parametrize(
    ("kind", "given", "taken"),
    [
        (AlgorithmName, 7, "7"),
        (Algorithms, "a", ("a",)),
        (Algorithms, [1, "b"], ("1", "b")),
        (Items[Size], 3, (3,)),
        (Items[Size], range(1, 4), (1, 2, 3)),
        (Levels, 0.9, (0.9,)),
        (Lifts, [0, -99.5], (0.0, -99.5)),
        (Pair, ["a", 2], ("a", "2")),
        (Pairs, [["a", "b"], ("b", "c")], (("a", "b"), ("b", "c"))),
    ],
)
def test_values_are_passed_on_in_one_form(kind, given, taken):
    assert TypeAdapter(kind).validate_python(given) == taken


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        (AlgorithmName, True, "valid string"),
        (Algorithms, ["a", "a"], "has a duplicate"),
        (Algorithms, [], "at least 1"),
        (Items[Size], [0], "greater than or equal to 1"),
        (Levels, [0.9, 1.0], "less than 1"),
        (Lifts, [-100], "greater than -100"),
        (Pair, "ab", "'ab' is not a pair"),
        (Pair, ["a"], "at least 2"),
        (Pair, ["a", "a"], '"a" is compared with itself'),
        (Pairs, ["ab", "bc"], "'ab' is not a pair"),
        (Grid, {"from": 2, "to": 2, "count": 3}, "the grid from 2 to 2 is empty"),
        (Grid, {"from": 0, "to": 2, "count": 1}, "greater than or equal to 2"),
    ],
)
def test_values_outside_a_type_are_refused(kind, given, message):
    with pytest.raises(ValidationError, match=message):
        TypeAdapter(kind).validate_python(given)
