"""Errors in a configuration: one sentence for the most specific of them, with the keys that lead there."""

import datetime
from typing import Annotated

import numpy as np
import pytest
from pydantic import Field

from surefoot.errors import HintedError
from surefoot.runs.sections import Name, Section
from surefoot.runs.setting_errors import SettingError, check_known, mapping, validated, with_tuples, within


class Part(Section):
    """A section within a section."""

    number: int
    pair: Annotated[tuple[float, float], Field()] = (0.0, 1.0)
    choice: int | tuple[int, ...] = 0


class Whole(Section):
    """A section with sections by name."""

    parts: dict[Name, Part] = {}
    share: Annotated[float, Field(gt=0)] = 0.5
    is_open: bool = True
    title: str = ""
    names: tuple[str, ...] | str = ()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"parts": {"a": {"number": "1"}}}, "parts.a.number: '1' is not allowed. Hint: it must be a whole number"),
        ({"parts": {"a": {"nmber": 1}}}, 'parts.a.nmber: unknown key. Hint: did you mean "number"?'),
        ({"parts": {"a": {}}}, 'parts.a: key "number" is missing. Hint: it has no default'),
        ({"parts": {"a": 3}}, "parts.a: 3 is not allowed. Hint: it must be a mapping (keys with values, indented"),
        ({"parts": {"A": {"number": 1}}}, "parts.A: 'A' is not a valid name. Hint: use lower-case letters"),
        ({"parts": {"a": {"number": 1, "pair": [1.0]}}}, "parts.a.pair: [1.0] is not allowed. Hint: give 2 of them"),
        (
            {"parts": {"a": {"number": 1, "choice": "x"}}},
            "parts.a.choice: 'x' is not allowed. Hint: it must be a whole number or a list",
        ),
        ({"share": 0.0}, "share: 0.0 is not allowed. Hint: it must be greater than 0"),
        ({"is_open": 1}, "is_open: 1 is not allowed. Hint: it must be true or false"),
        (
            {"is_open": "false"},
            "is_open: 'false' is not allowed. Hint: it must be true or false without quotation marks (after --config, "
            "True or False)",
        ),
        (
            {"title": datetime.date(2024, 1, 1)},
            'title: 2024-01-01 is not allowed. Hint: it must be a text; put it in quotes: "2024-01-01"',
        ),
        ({"title": 2024}, 'title: 2024 is not allowed. Hint: it must be a text; put it in quotes: "2024"'),
        (
            {"title": False},
            'title: false is not allowed. Hint: it must be a text; put it in quotes, such as "no", since no, off and '
            "false have another meaning without them",
        ),
        (
            {"names": ["a", True]},
            'names.1: true is not allowed. Hint: it must be a text; put it in quotes, such as "yes"',
        ),
        ({"names": 1.5}, 'names: 1.5 is not allowed. Hint: it must be a list or a text; put it in quotes: "1.5"'),
        ({"title": ["a"]}, "title: ['a'] is not allowed. Hint: it must be a text"),
        # The error that is nested most deeply is reported first.
        ({"parts": {"a": 3, "b": {"number": "1"}}, "share": "x"}, "parts.b.number: '1' is not allowed"),
    ],
)
def test_a_mistake_is_one_sentence(given, sentence):
    with pytest.raises(SettingError) as caught:
        validated(Whole, given)
    assert str(caught.value).startswith(sentence)


def test_in_python_types_have_the_names_of_python():
    with pytest.raises(SettingError, match=r"is_open: 1 is not allowed\. Hint: it must be True or False"):
        validated(Whole, {"is_open": 1}, in_python=True)
    with pytest.raises(SettingError, match=r"share: nan is not allowed\. Hint: it must be a finite number"):
        validated(Whole, {"share": np.nan}, in_python=True)
    with pytest.raises(SettingError, match=r"title: False is not allowed\. Hint: it must be a text$"):
        validated(Whole, {"title": False}, in_python=True)


def test_keys_are_put_before_those_of_an_error():
    with pytest.raises(SettingError) as caught, within("studies", "mine"), within("sources", 1):
        raise SettingError(["file"], "no such file", "write it")
    assert caught.value.keys == ("studies", "mine", "sources", 1, "file")
    with pytest.raises(SettingError, match=r"^studies\.mine: a: b\. Hint: c$"), within("studies", "mine"):
        raise HintedError("a", "b", "c")
    with pytest.raises(ValueError, match=r"^mistake$"), within("studies"):
        raise ValueError("mistake")


def test_lists_and_arrays_become_tuples_at_every_depth():
    given = {"a": [1, [2, 3]], "b": {"c": np.array([[1.0], [2.0]])}, "d": "ab", "e": np.float64(1.5)}
    assert with_tuples(given) == {"a": (1, (2, 3)), "b": {"c": ((1.0,), (2.0,))}, "d": "ab", "e": 1.5}


def test_unknown_names_and_values_that_are_no_mappings():
    check_known("a", iter("ab"), ["x"], "there is no such letter")
    with pytest.raises(SettingError, match=r'x: there is no "runz"\. Hint: did you mean "runs"'):
        check_known("runz", ["runs", "curves"], ["x"], 'there is no "runz"')
    assert mapping({"a": 1}) == {"a": 1}
    with pytest.raises(SettingError, match=r"x\.y: \[1\] is not allowed\. Hint: it must be a mapping"):
        mapping([1], ["x", "y"])
