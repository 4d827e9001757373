"""Studies of Bayesian agents: mistakes are found before any job runs, and jobs name what decides their numbers."""

import copy

import pytest
from support.paths import ROOT

from surefoot.bayesian.sources.own_distributions import read_transitions
from surefoot.errors import InputError
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.fingerprint import reached_modules
from surefoot.workflow.planning.plan import plan

BASE = ROOT / "config" / "config.yaml"
GOOD = {
    "title": "Mine",
    "sources": {
        "runs": {
            "kind": "plays",
            "environments": ["accurate/gc", "inaccurate/gc"],
            "mdps": 30,
            "block": 20,
            "agents": [{"agent": "random"}, {"agent": "beb", "parameters": {"beta": [1, 2.5]}, "mdps": 10}],
        }
    },
}
TWO = {"pseudo_counts": [[[1, 1], [1, 0]], [[1, 1], [0, 2]]], "rewards": [0, 1]}
THREE = {"pseudo_counts": [[[1, 1, 1]]] * 3, "rewards": [0, 1, 2]}


def skip_checks(study):
    config = read_configuration([BASE]) | {"studies": {"mine": study}}
    return validate_configuration(config, [BASE])


def changed(**changes):
    study = copy.deepcopy(GOOD)
    study["sources"]["runs"] |= changes
    return study


def agent(name, **parameters):
    return [{"agent": name, "parameters": parameters}]


def environment(name, **distributions):
    return {"environments": [name], "distributions": distributions}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agents": agent("bep")}, 'unknown agent "bep". Hint: did you mean "beb"?'),
        ({"agents": agent("beb", beta=[-1])}, "-1 is not a value of beta. Hint: use a number from 0 to 1e+100"),
        ({"agents": agent("beb")}, "beb needs its parameter beta"),
        (
            {"agents": [{"agent": "random", "environments": ["accurate/gc"]}]},
            "no algorithm plays in all environments; random lacks inaccurate/gc. Hint: let one algorithm play in all",
        ),
        (
            {"agents": [{"agent": "beb", "parameters": {"beta": [1]}, "variants": ["as_published"]}]},
            'no agent has the variant "corrected", the first listed, so the run table would be empty. Hint: put',
        ),
        ({"agents": agent("beb", betta=[1], beta=[1])}, 'beb has no parameter "betta". Hint: did you mean "beta"?'),
        ({"agents": agent("formula", formula=["X0 DIV"])}, "DIV lacks an operand. Hint: use reverse Polish"),
        (
            environment("accurate/gcc"),
            '"accurate/gcc" has no known distribution after the slash. Hint: did you mean "gc"?',
        ),
        (
            environment("accurate/two", two=TWO | {"pseudo_counts": [[[0, 0], [1, 0]], [[1, 1], [0, 2]]]}),
            "the values for action 0 in state 0 are [0.0, 0.0]. Hint: use 0 for impossible next states",
        ),
        (
            environment("three/two", two=TWO, three=THREE),
            "prior and test distribution have 3 states, 1 actions and 2 states, 2 actions. Hint: use the same states",
        ),
        (environment("accurate/two", two={"pseudo_counts": []}), "pseudo_counts and rewards belong together"),
        (environment("accurate/gc", gc=TWO), '"gc" is already a distribution of Surefoot. Hint: choose another name'),
        ({"discount": 0.9999999999999999}, "too close to 1: value iteration would need about 2e+17 sweeps. Hint: use"),
        (
            {"agents": agent("bamcp", simulations=[10**12], depth=[15])},
            "1000000000000 is not a value of simulations. Hint: use a whole number from 1 to 10000000",
        ),
        ({"agents": agent("formula", formula=["X0", "X0 "])}, "formula.1: 'X0 ' has extra spaces. Hint: write \"X0\""),
        (environment("accurate/two", two=TWO | {"rewards": [0, 10**400]}), "a number is too large. Hint: use rewards"),
    ],
)
def test_mistakes_are_one_sentence_with_a_hint(changes, message):
    with pytest.raises(InputError) as caught:
        skip_checks(changed(**changes))
    assert message in str(caught.value)
    assert str(caught.value).count("Hint:") == 1


def test_a_study_has_one_source_of_plays():
    both = copy.deepcopy(GOOD)
    both["sources"]["others"] = both["sources"]["runs"]
    with pytest.raises(InputError, match=r'sources\.others: another source makes a table "plays" too'):
        skip_checks(both)


def test_cells_are_a_product_of_all_settings():
    study = skip_checks(changed(variants=["as_published", "corrected"])).studies["mine"]
    cells = list(study.sources["runs"].cells(study.seed))
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
        study = skip_checks(changed(**environment("accurate/two", two=given))).studies["mine"]
        problems.append(problem_of(Cell(**next(study.sources["runs"].cells(study.seed))[0])))
    assert (problems[0].prior == problems[1].prior).all()
    possible = problems[0].prior > 0.0
    assert (problems[0].rewards[possible] == problems[1].rewards[possible]).all()


HEADER = "state,action,next_state,pseudo_count,reward\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "two.csv: no such file. Hint: paths are relative to "),
        (b"", "two.csv: the file is empty. Hint: write a header"),
        ("ä".encode("latin-1"), "two.csv: the file is not encoded as UTF-8: line 1 has the byte 0xe4. Hint: save it"),
        (HEADER.encode() + b"0,0,0,1,0\n1e300,0,0,1,0", "1e+300 states and 1 actions are too many. Hint: number them"),
        (HEADER.encode() + b"\n0,0,0,1,0,7", "rows have more cells than the header"),
        (b"reward," + HEADER.encode() + b"1,0,0,0,1,0", 'two columns have the name "reward". Hint: '),
    ],
)
def test_mistakes_in_a_table_are_one_sentence(tmp_path, content, message):
    path = tmp_path / "two.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        skip_checks(changed(**environment("accurate/two", two={"table": str(path)})))
    assert message in str(caught.value)
    assert str(caught.value).count("Hint:") == 1


def test_a_table_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "two.csv"
    path.write_bytes(b"\xef\xbb\xbf" + HEADER.encode() + b"0,0,0,2,3\r\n")
    assert read_transitions(path) == [[0.0, 0.0, 0.0, 2.0, 3.0]]


def test_jobs_name_the_code_of_their_own_agent_and_whole_blocks(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    jobs = {(job.stage, job.part): job for job in plan(skip_checks(GOOD))}
    code = {reached for module in jobs["simulate", "beb"].modules for reached in reached_modules(module)}
    assert {"surefoot.bayesian.posteriors", "surefoot.bayesian.trajectories", "surefoot.streams"} <= code
    assert not {"surefoot.bayesian.agents.random", "surefoot.bayesian.agents.mean_q"} & code
    assert {module.split(".")[1] for module in code}.isdisjoint({"simulation", "questions", "charts"})
    cells = jobs["simulate", "random"].settings["cells"].values()
    assert [-(-cell["mdps"] // cell["block"]) for cell in cells] == [2, 2]
    assert jobs["collect", "runs"].inputs == {"plays": jobs["collect", "plays"].outputs["runs"]}
