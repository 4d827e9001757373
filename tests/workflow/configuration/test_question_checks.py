"""Questions that the other parts of their study cannot answer."""

import pytest
from support.shipped_configuration import SHIPPED, TABLE, changed

from surefoot.errors import InputError
from surefoot.workflow.configuration.validation import validate_configuration


def test_a_score_table_has_neither_tuning_nor_random_policies():
    example = ("studies", "example")
    with pytest.raises(
        InputError, match=r"tuning needs a source of same hyperparameters, .* Hint: add a source of same hyper"
    ):
        validate_configuration(changed(*example, "questions", "tuning", to={}), SHIPPED)
    simulated = {"random_policies": {"policies": 5, "episodes": 1}, "same_hyperparameters": {}}
    for kind, given in simulated.items():
        with pytest.raises(
            InputError,
            match=rf'{kind}\.(inherits|source): "runs" is not a source of trials .* Hint: simulate trials too',
        ):
            validate_configuration(changed(*example, "sources", kind, to=given), SHIPPED)
    with pytest.raises(
        InputError, match=r"exploits needs a source of random policies, .* Hint: add a source of random policies"
    ):
        validate_configuration(changed(*example, "questions", "exploits", to={"policies": "random_policies"}), SHIPPED)
    jordan = ("studies", "jordan2020", "sources")
    with pytest.raises(InputError, match="mountain_car is continuous, and random_policies need discrete environments"):
        validate_configuration(changed(*jordan, "random_policies", "source", to="runs"), SHIPPED)
    elsewhere = changed(*jordan, "random_policies", "source", to="same_environments_but_one")
    sources = elsewhere["studies"]["jordan2020"]["sources"]
    environments = sources["discrete"]["environments"][1:]
    sources["same_environments_but_one"] = {"kind": "trials", "inherits": "runs", "environments": environments}
    with pytest.raises(
        InputError,
        match=r"exploits.policies: \"random_policies\" has no random policies in chain_10_deterministic. "
        r"Hint: set source: discrete in sources.random_policies",
    ):
        validate_configuration(elsewhere, SHIPPED)
    with pytest.raises(InputError, match="is the name of a target of the workflow"):
        validate_configuration(changed("studies", "figure_7", to={"title": "x", "sources": TABLE}), SHIPPED)
