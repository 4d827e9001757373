"""The registry of Bayesian agents fits their modules, and says what a cell's results depend on."""

import inspect
from importlib import import_module

import pytest

from surefoot.bayesian import bayesian_registry
from surefoot.bayesian.cells import Cell, problem_of


@pytest.mark.parametrize("name", bayesian_registry.AGENTS)
def test_an_agent_takes_its_parameters_and_variants(name):
    """`prepare` takes the problem and a key, then what the registry lists; e-Greedy and Soft-Max share theirs."""
    agent = bayesian_registry.AGENTS[name]
    module = import_module(agent.module)
    assert callable(module.play)
    _, _, *taken = inspect.signature(module.prepare).parameters.values()
    listed = {*agent.parameters, *(["variant"] if agent.variants else [])}
    assert listed <= {one.name for one in taken}
    assert {one.name for one in taken if one.default is one.empty} <= listed


def test_parameters_are_written_alike_however_they_are_given():
    """Whole numbers, and any order of the names: the text is part of the key of random numbers."""
    assert bayesian_registry.parameters_text({"epsilon": 1e-3, "delta": 7}) == "delta=7, epsilon=0.001"
    assert bayesian_registry.parameters_text({"delta": 7.0, "epsilon": 0.001}) == "delta=7, epsilon=0.001"
    assert bayesian_registry.parameters_text({"formula": "X0 X2 DIV"}) == "formula=X0 X2 DIV"
    assert bayesian_registry.parameters_text({}) == ""


def test_a_cell_names_its_prior_and_the_code_of_its_results():
    accurate, inaccurate = (
        bayesian_registry.cell("beb", {"beta": 2}, f"{case}/gc", "corrected") for case in bayesian_registry.CASES
    )
    assert accurate["arguments"] == {"beta": 2, "variant": "corrected"}
    assert (accurate["prior"], inaccurate["prior"]) == (None, "uniform")
    assert bayesian_registry.cell("random", {}, "accurate/gdl")["arguments"] == {}
    modules = ("surefoot.bayesian.agents.beb", bayesian_registry.CELLS, "surefoot.bayesian.mdp_distributions")
    assert bayesian_registry.modules(accurate) == bayesian_registry.modules(inaccurate) == modules
    possible = [(problem_of(Cell(**cell)).prior > 0.0) for cell in (accurate, inaccurate)]
    assert possible[1].all() and not possible[0].all()
    mine = bayesian_registry.cell("mine", {}, "accurate/other", test={"pseudo_counts": [[[1.0]]]}, file="mine.py")
    assert bayesian_registry.modules(mine) == ("mine.py", bayesian_registry.CELLS)


def test_environments_are_a_case_and_an_experiment():
    assert bayesian_registry.case_and_experiment("inaccurate/grid") == ("inaccurate", "grid")
    with pytest.raises(KeyError):
        bayesian_registry.cell("random", {}, "accurate/girdd")
