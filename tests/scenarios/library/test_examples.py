"""The examples in the docstrings of the public functions do what they show."""

import doctest

import pytest

import surefoot


@pytest.mark.parametrize(
    "question", [name for name in surefoot.__all__ if ">>> " in (getattr(surefoot, name).__doc__ or "")]
)
def test_an_example_is_what_it_gives(question):
    function = getattr(surefoot, question)
    (example,) = doctest.DocTestFinder(recurse=False).find(function, question, globs={})
    assert len(example.examples) >= 2
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example)
    assert runner.failures == 0
