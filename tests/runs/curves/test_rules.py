"""Rules and their arguments: what is not known or not allowed is one sentence."""

import pytest
from support.learning_curves import curve

import surefoot
from surefoot.errors import HintedError


@pytest.mark.parametrize(
    ("rule", "options", "said"),
    [
        ("final", {}, r'rule: "final" is not known\. Hint: use "last"'),
        ("area", {}, 'Hint: use "auc"'),
        ("las", {}, r'rule: "las" is not known\. Hint: did you mean "last"'),
        ("last_k", {}, "rule_argument: last_k needs an argument. Hint: use a whole number of"),
        (
            "last_k",
            {"rule_argument": 9},
            "run 0 has 3 evaluations, but the rule needs 9. Hint: use a rule_argument of at most 3",
        ),
        ("last_episodes", {"rule_argument": 9}, "run 0 has 3 episodes. Hint: use a rule_argument of at most 3"),
        ("window", {"rule_argument": 0}, "0 is not allowed for window. Hint: use a fraction of the steps"),
        ("last", {"rule_argument": 1}, "1 is not allowed for last. Hint: it takes no argument"),
        ("last", {"short_runs": "keep"}, 'unknown policy "keep". Hint: use one of error, worst_score, drop'),
    ],
)
def test_bad_options_are_one_sentence(rule, options, said):
    with pytest.raises(HintedError, match=said.replace("(", r"\(") if "\\" not in said else said) as caught:
        surefoot.score_curves(curve([1, 2, 3]), rule, **options)
    assert "\n" not in str(caught.value)
