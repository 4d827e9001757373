"""Studies of Bayesian agents: mistakes are found before any job runs, and jobs name what decides their numbers."""

import copy
from pathlib import Path

import pytest

from surefoot.pipeline.configuration import read_configuration, validate_configuration
from surefoot.pipeline.errors import InputError
from surefoot.pipeline.fingerprint import reached_modules
from surefoot.pipeline.plan import plan
from surefoot.pipeline.play_jobs import cells_of
from surefoot.pipeline.stages.simulate import units

ROOT = Path(__file__).parents[2]
BASE = ROOT / "config" / "config.yaml"
GOOD = {
    "title": "Mine",
    "bayesian": {
        "environments": ["accurate/gc", "inaccurate/gc"],
        "mdps": 30,
        "block": 20,
        "agents": [{"agent": "random"}, {"agent": "beb", "parameters": {"beta": [1, 2.5]}, "mdps": 10}],
    },
}
TWO = {"pseudo_counts": [[[1, 1], [1, 0]], [[1, 1], [0, 2]]], "rewards": [0, 1]}
THREE = {"pseudo_counts": [[[1, 1, 1]]] * 3, "rewards": [0, 1, 2]}


def checked(study):
    config = read_configuration([BASE]) | {"studies": {"mine": study}}
    return validate_configuration(config, [BASE], ROOT / "reports")


def changed(**changes):
    study = copy.deepcopy(GOOD)
    study["bayesian"] |= changes
    return study


def agent(name, **parameters):
    return [{"agent": name, "parameters": parameters}]


def environment(name, **distributions):
    return {"environments": [name], "distributions": distributions}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agents": agent("bep")}, 'unknown agent "bep". Hint: did you mean "beb"?'),
        ({"agents": agent("beb", beta=[-1])}, "-1 is no value of beta. Hint: a number of 0 or more"),
        ({"agents": agent("beb", beta=["much"])}, "'much' is no value of beta. Hint: a number of 0 or more"),
        ({"agents": agent("beb")}, "beb needs its parameter beta"),
        (
            {"agents": [{"agent": "random", "environments": ["accurate/gc"]}]},
            "no algorithm plays in all environments; random lacks inaccurate/gc. Hint: let one play everywhere",
        ),
        (
            {"agents": [{"agent": "beb", "parameters": {"beta": [1]}, "variants": ["as_published"]}]},
            "no agent has the study's first variant, corrected. Hint: put first",
        ),
        (
            {"agents": [{"agent": "beb", "parameters": {"beta": [1]}, "variants": ["half_copied"]}]},
            'beb has no variant "half_copied". Hint: allowed: as_published, corrected',
        ),
        (
            {"agents": [{"agent": "random", "variants": ["corrected"]}]},
            "random has no variants. Hint: leave the key out",
        ),
        ({"agents": agent("beb", betta=[1], beta=[1])}, 'beb has no parameter "betta". Hint: did you mean "beta"?'),
        ({"agents": agent("e_greedy", epsilon=[1.5])}, "1.5 is no value of epsilon. Hint: a number from 0 to 1"),
        ({"agents": agent("bamcp", simulations=[2.5], depth=[15])}, "2.5 is no value of simulations. Hint: a whole"),
        ({"agents": agent("formula", formula=["X0 DIV"])}, "DIV lacks an operand. Hint: reverse Polish"),
        ({"mdps": 1}, "1 is too small. Hint: at least 2"),
        ({"horizon": 0}, "0 is too small. Hint: at least 1"),
        (environment("accurate/gcc"), '"accurate/gcc" has no known distribution after the /. Hint: did you mean "gc"?'),
        (environment("acurate/gc"), 'no known case before the /. Hint: did you mean "accurate"?'),
        (environment("accurate/two", two=TWO | {"rewards": [0]}), "rewards: shape [1] does not fit"),
        (
            environment("accurate/two", two=TWO | {"pseudo_counts": [[[0, 0], [1, 0]], [[1, 1], [0, 2]]]}),
            "nothing is possible after action 0 in state 0. Hint: at least one positive",
        ),
        (
            environment("accurate/two", two=TWO | {"pseudo_counts": [[[-1, 2], [1, 0]], [[1, 1], [0, 2]]]}),
            "-1 for state 0, action 0, next state 0 is no pseudo-count. Hint:",
        ),
        (
            environment("three/two", two=TWO, three=THREE),
            "prior and test distribution have 3 states, 1 actions and 2 states, 2 actions. Hint: the same states",
        ),
        (environment("accurate/two", two={"table": "none.csv"}), "none.csv"),
        (environment("accurate/two", two={"pseudo_counts": []}), "pseudo_counts and rewards belong together"),
        (environment("accurate/gc", gc=TWO), '"gc" is a name of the package. Hint: another name'),
    ],
)
def test_mistakes_are_one_sentence_with_a_hint(changes, message):
    with pytest.raises(InputError) as caught:
        checked(changed(**changes))
    assert message in str(caught.value)
    assert str(caught.value).count("Hint:") == 1


def test_a_study_has_one_source_of_runs():
    both = {**GOOD, "simulate": {"algorithms": ["sarsa", "q"], "environments": ["chain_10_stochastic"], "trials": 5}}
    with pytest.raises(InputError, match="simulate and bayesian are given"):
        checked(both)


def test_cells_are_the_product_of_parameters_environments_and_variants():
    study = checked(changed(variants=["as_published", "corrected"]))["studies"]["mine"]
    cells = list(cells_of(study))
    assert len(cells) == 2 + 2 * 2 * 2
    assert {mdps for cell, mdps in cells if cell["agent"] == "random"} == {30}
    assert [cell["arguments"] for cell, mdps in cells if mdps == 10][:2] == [
        {"beta": 1, "variant": "as_published"},
        {"beta": 1, "variant": "corrected"},
    ]


def test_a_table_is_the_same_as_numbers(tmp_path):
    path = tmp_path / "two.csv"
    path.write_text(
        "state,action,next_state,pseudo_count,reward\n0,0,0,1,0\n0,0,1,1,1\n0,1,0,1,0\n1,0,0,1,0\n1,0,1,1,1\n1,1,1,2,1\n"
    )
    from surefoot.bayesian.cells import Cell, problem_of

    problems = []
    for given in (TWO, {"table": str(path)}):
        study = checked(changed(**environment("accurate/two", two=given)))["studies"]["mine"]
        problems.append(problem_of(Cell(**next(cells_of(study))[0])))
    assert (problems[0].prior == problems[1].prior).all()
    possible = problems[0].prior > 0.0
    assert (problems[0].rewards[possible] == problems[1].rewards[possible]).all()


def test_jobs_name_the_code_of_their_own_agent_and_whole_blocks(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    jobs = {(job.stage, job.part): job for job in plan(checked(GOOD))}
    code = {reached for module in jobs["simulate", "beb"].modules for reached in reached_modules(module)}
    assert {"surefoot.bayesian.mean_model", "surefoot.bayesian.trajectories", "surefoot.streams"} <= code
    assert not {"surefoot.bayesian.agents.random", "surefoot.bayesian.agents.mean_q"} & code
    assert not [module for module in code if module.startswith("surefoot.pipeline")]
    kept = [kind for kind, _, _ in units(jobs["simulate", "random"].settings, {})]
    assert kept.count("simulate.learn") == 2
    assert kept.count("simulate.plays") == 4
    assert jobs["collect", "runs"].inputs == {"plays": jobs["collect", "plays"].outputs["runs"]}
