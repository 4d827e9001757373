"""Docstrings of the public functions are numpydoc's."""

import pytest

import surefoot

validate = pytest.importorskip("numpydoc.validate", reason="numpydoc is not installed").validate
NOT_ASKED = {"SA01", "ES01", "EX01"}
"""Related functions are in docs/library.md, and some functions need neither a second sentence nor an example."""


@pytest.mark.parametrize("name", surefoot.__all__)
def test_a_docstring_is_valid(name):
    found = [(code, text) for code, text in validate(f"surefoot.{name}")["errors"] if code not in NOT_ASKED]
    assert not found
