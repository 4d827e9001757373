"""The examples in the docstrings of the public functions do what they show."""

import doctest

import pytest
from support.study_answers import function_of

import surefoot
from surefoot.questions._framework.registry import questions


@pytest.mark.parametrize("question", [name for name in surefoot.__all__ if name in questions()])
def test_an_example_is_what_it_gives(question):
    function = function_of(question)
    (example,) = doctest.DocTestFinder(recurse=False).find(function, question, globs={})
    assert len(example.examples) > 2
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example)
    assert runner.failures == 0
