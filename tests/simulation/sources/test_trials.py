"""Sources of trials in a study: their numbers of trials, what they inherit, and definitions that are lacking."""

import pytest
from support.shipped_configuration import RUNS, SHIPPED, changed

from surefoot.errors import InputError
from surefoot.simulation.simulation_registry import ALGORITHMS, Algorithm
from surefoot.workflow.configuration.validation import validate_configuration


def test_trial_numbers_of_excluded_algorithms_do_not_matter():
    """An overlay may ask for a single environment, although the shipped study has numbers of trials for others."""
    config = changed(*RUNS, "environments", to=["gridworld_5_stochastic"])
    study = config["studies"]["jordan2020"]
    study["sources"]["same_hyperparameters"]["environments"] = ["gridworld_5_stochastic"]
    assert validate_configuration(config, SHIPPED)
    study["sources"]["runs"]["trials_overrides"]["chain_11"] = 5
    with pytest.raises(InputError, match=r"trials_overrides.chain_11: it is neither an algorithm nor an environment"):
        validate_configuration(config, SHIPPED)


def test_trials_inherit_from_another_source_of_trials():
    config = changed("studies", "jordan2020", "sources", "more", to={"kind": "trials", "inherits": "rums"})
    with pytest.raises(InputError, match=r"more\.inherits: 'rums' is not a source of trials .* did you mean \"runs\""):
        validate_configuration(config, SHIPPED)


def test_an_algorithm_without_a_definition_is_named(monkeypatch, tmp_path):
    """A definition of the user's that knows tables alone."""
    module = tmp_path / "tables_alone.py"
    module.write_text("def tabular(environment):\n    pass\n")
    monkeypatch.setitem(ALGORITHMS, "mine", Algorithm("Mine", str(module), {}))
    config = changed(*RUNS, "algorithms", to=["sarsa", "mine"])
    study = config["studies"]["jordan2020"]
    study |= {"sources": {"runs": study["sources"]["runs"]}, "questions": None}
    with pytest.raises(InputError, match=r'algorithms: "mine" has no definition for continuous environments'):
        validate_configuration(config, SHIPPED)
    study["sources"]["runs"]["environments"] = ["gridworld_5_stochastic"]
    assert validate_configuration(config, SHIPPED)
