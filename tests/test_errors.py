"""The one exception for whatever is wrong: its parts are attributes, so no message is ever taken apart."""

import pickle

import pytest
from support.paths import ROOT

from surefoot.errors import LONGEST_VALUE, HintedError, InputError, conjugated, counted, shortened, shown

SOURCE = ROOT / "src" / "surefoot"


def test_an_error_is_one_sentence_with_its_parts_as_attributes():
    error = HintedError("metric", '"iqr" is not known.', "one of mean, iqm")
    assert isinstance(error, ValueError)
    assert (error.where, error.what, error.hint) == ("metric", '"iqr" is not known', "one of mean, iqm")
    assert str(error) == 'metric: "iqr" is not known. Hint: one of mean, iqm'
    assert error.sentence == 'metric: "iqr" is not known'
    assert str(HintedError("", "nothing is known", "ask")) == "nothing is known. Hint: ask"
    assert isinstance(InputError("a.yaml: seed", "x", "y"), HintedError)


@pytest.mark.parametrize("kind", [HintedError, InputError])
def test_an_error_crosses_processes(kind):
    error = kind("runs.csv", "no column " + "x" * 10_000, "score")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind and (again.where, again.what, again.hint) == (error.where, error.what, error.hint)


def test_long_parts_lose_their_middle():
    error = HintedError("w" * 10_000, "a" + "x" * 100_000 + "b", "h" * 100_000)
    assert (len(error.where), len(error.what), len(error.hint)) == (500, 1500, 3000)
    assert error.what.startswith("axx") and error.what.endswith("xxb") and " [...] " in error.what
    assert len(shortened("x" * 1000)) == LONGEST_VALUE and shortened("x" * LONGEST_VALUE) == "x" * LONGEST_VALUE
    assert len(shown(["x" * 300] * 300)) <= LONGEST_VALUE
    assert shown([1, 2.5, None]) == "[1, 2.5, None]"


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 rows are"), (1, "1 row is"), (2, "2 rows are"), (1000, "1,000 rows are")]
)
def test_nouns_and_verbs_agree_with_their_number(number, said):
    assert f"{counted(number, 'row')} {conjugated('are', number)}" == said
    assert conjugated("have", number) == ("has" if number == 1 else "have")
