"""The public functions with their arguments and the columns of their results are those of a snapshot.

A change of it needs an entry in CHANGELOG.md, from which users learn of it.
"""

import inspect

from support.asked_questions import asked, runs_of
from support.snapshots import assert_as_kept
from support.study_answers import accepted

import surefoot
from surefoot.questions._framework.registry import questions

SHARED = {"seed": 7, "n_resamples": 40}


def written(parameter: inspect.Parameter) -> str:
    """An argument with its default, without its type."""
    return str(parameter.replace(annotation=inspect.Parameter.empty))


def test_the_public_functions_are_those_of_the_snapshot():
    lines = [f"surefoot {surefoot.__version__}"]
    for name in surefoot.__all__:
        function = getattr(surefoot, name)
        lines += ["", name, *(f"    {written(each)}" for each in inspect.signature(function).parameters.values())]
        if name in questions():
            result = function(runs_of(name), **asked(name), **accepted(name, SHARED))
            for key, table in result.tables().items():
                lines += [f"  {key or 'table'}", *(f"    {column}" for column in table.columns)]
    assert_as_kept("public_api.txt", "\n".join(lines) + "\n")
