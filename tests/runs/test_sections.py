"""Sections of the configuration: their keys, and types of their values."""

from typing import Annotated

import pytest
from pydantic import TypeAdapter, ValidationError

from surefoot.runs.sections import Count, DescribedSection, Level, Name, Names, SomeNames, one_of


class Drink(DescribedSection):
    """A section with an alias, a required key and a default."""

    kind: str = "tea"
    size: Count
    """Size in
    ml.
    """
    first: int | None = None
    "The first."
    names: Names = ()


def test_descriptions_are_the_docstrings_below_the_keys():
    fields = Drink.model_fields
    assert fields["size"].description == "Size in ml." and fields["kind"].description == "The kind of this entry."
    assert fields["names"].description is None


def test_a_section_is_given_back_without_its_defaults():
    drink = Drink.model_validate({"size": 3, "kind": "tea", "first": None})
    assert drink.plain() == {"kind": "tea", "size": 3, "names": []}
    assert drink.given() == {"size": 3}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 1, "frist": 2}, r'frist: unknown key\. Hint: did you mean "first"'),
        ({}, r'key "size" is missing\. Hint: Size in ml\.'),
        ({"size": {}}, r'key "size" is missing'),
        ({"size": 0}, "greater than or equal to 1"),
        ({"size": 1, "names": ("a", "b", "a")}, "has a duplicate. Hint: name each once"),
    ],
)
def test_a_section_with_other_keys_or_values_is_refused(given, message):
    with pytest.raises(ValidationError, match=message):
        Drink.model_validate(given)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (Name, "a_1", "1a"),
        (Name, "a" * 100, "a" * 101),
        (Level, 0.5, 1.0),
        (Level, 1e-9, 0.0),
        (Names, (), ("a", "a")),
        (SomeNames, ("a",), ()),
        (Annotated[str, *one_of(["mean", "iqm"])], "iqm", "median"),
    ],
)
def test_types_of_values_end_where_they_say(kind, good, bad):
    assert TypeAdapter(kind).validate_python(good) == good
    with pytest.raises(ValidationError):
        TypeAdapter(kind).validate_python(bad)
