"""The registry of Bayesian agents fits their modules, and says what a cell's results depend on."""

import inspect
from importlib import import_module

import pytest

from surefoot.bayesian import registry
from surefoot.bayesian.cells import Cell, problem_of


@pytest.mark.parametrize("name", registry.AGENTS)
def test_an_agent_takes_its_parameters_and_variants(name):
    """`prepare` takes the problem and a key, then what the registry lists; e-Greedy and Soft-Max share theirs."""
    agent = registry.AGENTS[name]
    module = import_module(agent.module)
    assert callable(module.play)
    _, _, *taken = inspect.signature(module.prepare).parameters.values()
    listed = {*agent.parameters, *(["variant"] if agent.variants else [])}
    assert listed <= {one.name for one in taken}
    assert {one.name for one in taken if one.default is one.empty} <= listed


def test_parameters_are_written_alike_however_they_are_given():
    """Whole numbers, and any order of the names: the text is part of the key of random numbers."""
    assert registry.parameters_text({"epsilon": 1e-3, "delta": 7}) == "delta=7, epsilon=0.001"
    assert registry.parameters_text({"delta": 7.0, "epsilon": 0.001}) == "delta=7, epsilon=0.001"
    assert registry.parameters_text({"formula": "X0 X2 DIV"}) == "formula=X0 X2 DIV"
    assert registry.parameters_text({}) == ""


def test_a_cell_names_its_prior_and_the_code_of_its_results():
    accurate, inaccurate = (registry.cell("beb", {"beta": 2}, f"{case}/gc", "corrected") for case in registry.CASES)
    assert accurate["arguments"] == {"beta": 2, "variant": "corrected"}
    assert (accurate["prior"], inaccurate["prior"]) == (None, "uniform")
    assert registry.cell("random", {}, "accurate/gdl")["arguments"] == {}
    modules = ("surefoot.bayesian.agents.beb", registry.CELLS, "surefoot.bayesian.distributions")
    assert registry.modules(accurate) == registry.modules(inaccurate) == modules
    possible = [(problem_of(Cell(**cell)).prior > 0.0) for cell in (accurate, inaccurate)]
    assert possible[1].all() and not possible[0].all()
    mine = registry.cell("mine", {}, "accurate/other", test={"pseudo_counts": [[[1.0]]]}, file="mine.py")
    assert registry.modules(mine) == ("mine.py", registry.CELLS)


def test_environments_are_a_case_and_an_experiment():
    assert registry.case_and_experiment("inaccurate/grid") == ("inaccurate", "grid")
    with pytest.raises(KeyError):
        registry.cell("random", {}, "accurate/girdd")
