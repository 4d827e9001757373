"""Own simulations in plain Python: Gymnasium's environments and any other object, beside compiled kernels."""

import numpy as np
import pytest
import yaml
from support.paths import ROOT

from surefoot.errors import HintedError, InputError
from surefoot.simulation.simulation_registry import simulate
from surefoot.workflow.configuration.validation import validate_configuration

EXAMPLE = ROOT / "config" / "example_gymnasium.py"
WORLD = {"arguments": {"name": "CartPole-v1"}, "kind": "python", "episodes": 3, "returns": [0, 500]}
OWN = {
    "algorithms": {"climb": {"file": str(EXAMPLE), "arguments": {"spread": 0.3}}},
    "environments": {"pole": {"file": str(EXAMPLE)} | WORLD},
}


def skip_checks(content):
    return validate_configuration(content, [ROOT / "mine.yaml"])


def test_trials_of_gymnasium_depend_on_their_numbers_alone():
    """Not on how they are cut, in which order they come, or how many threads there are."""
    together = simulate("climb", "pole", 7, 0, 6, threads=3, own=OWN)
    parts = [simulate("climb", "pole", 7, first, 2, own=OWN) for first in (4, 0, 2)]
    assert together.tolist() == np.concatenate([parts[1], parts[2], parts[0]]).tolist()
    assert len(set(together)) > 3 and (together >= 8).all() and (together <= 500).all()
    assert simulate("climb", "pole", 8, 0, 6, own=OWN).tolist() != together.tolist()


def test_each_trial_has_an_object_of_its_own_which_is_closed(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "class World:\n    made, open = 0, 0\n    def __init__(self):\n        World.made += 1\n"
        "        World.open += 1\n        self.number = World.made\n    def close(self):\n        World.open -= 1\n"
        "def environment():\n    return World()\n"
        "def run_trial(environment, episodes, rng, bad=False):\n"
        "    assert environment.open == 1\n"
        "    return float('nan') if bad else environment.number * episodes\n"
    )
    own = {
        "algorithms": {"x": {"file": str(file)}, "bad": {"file": str(file), "arguments": {"bad": True}}},
        "environments": {"y": {"file": str(file), "kind": "python", "episodes": 10, "returns": [0, 100]}},
    }
    assert simulate("x", "y", 0, 0, 4, own=own).tolist() == [10, 20, 30, 40]
    with pytest.raises(
        HintedError, match=r"bad: run_trial returns nan for trial 2 in y\. Hint: return a finite number"
    ):
        simulate("bad", "y", 0, 2, 1, own=own)


def test_the_example_shows_a_study_that_is_valid():
    assert skip_checks(yaml.safe_load(EXAMPLE.read_text().split('"""')[1].partition("\n\n")[2])).studies


def test_compiled_algorithms_have_no_definition_for_it():
    source = {
        "kind": "trials",
        "algorithms": ["climb", "q"],
        "environments": ["pole"],
        "trials": 2,
        "user_defined": OWN,
    }
    with pytest.raises(InputError, match='"q" has no definition for python environments such as pole'):
        skip_checks({"studies": {"mine": {"title": "x", "sources": {"runs": source}}}})
