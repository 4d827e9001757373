"""Names of arguments of public functions that are no questions: those that are unknown, and those that are missing."""

import pytest

import surefoot


@pytest.mark.parametrize("name", ["rollouts_sample_size", "minimum_detectable_difference"])
def test_functions_of_numbers_have_an_example(name):
    with pytest.raises(TypeError, match=rf"surefoot\.{name}: .* is missing\. Hint: ") as caught:
        getattr(surefoot, name)()
    assert eval(str(caught.value).split("Hint: ")[1], {"surefoot": surefoot}) > 0
    with pytest.raises(TypeError, match=r'unknown argument "powr"\. Hint: did you mean "power"'):
        getattr(surefoot, name)(0.5, 0.2, powr=0.9)


def test_an_unknown_argument_is_a_type_error():
    with pytest.raises(
        TypeError, match=r'surefoot\.score_curves: unknown argument "rules"\. Hint: did you mean "rule"'
    ):
        surefoot.score_curves({}, rules="auc")
