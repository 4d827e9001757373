"""A user's own algorithm, environment, agent and distribution in files that the configuration names."""

import numpy as np
import pytest
from support.paths import ROOT

from surefoot.bayesian.cells import Cell, learn, play, problem_of
from surefoot.errors import InputError
from surefoot.simulation import simulation_registry
from surefoot.simulation.simulation_registry import simulate
from surefoot.workflow.configuration.configuration_files import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.fingerprint import reached_modules
from surefoot.workflow.planning.plan import plan

BASE = ROOT / "config" / "config.yaml"
EXAMPLE, PLAYS = "config/example_simulation.py", "config/example_bayesian.py"
LENGTH, EPISODES = 8, 200


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)


def study(folder, example=EXAMPLE, **changes):
    """The study of an example's docstring; changes are laid over its source."""
    path = folder / "mine.yaml"
    path.write_text((ROOT / example).read_text().split('"""')[1].partition("\n\n")[2])
    config = read_configuration([BASE, path])
    config["studies"]["mine"]["sources"]["runs"] |= changes
    return validate_configuration(config, [BASE, path])


def own(**changes):
    world = {"file": EXAMPLE, "kind": "discrete", "episodes": 5, "returns": [-9, 0], "arguments": {"length": 3}}
    return {"algorithms": {"expected_sarsa": {"file": EXAMPLE}}, "environments": {"cliff": world}} | changes


def test_the_example_learns_and_is_cut_like_any_other(tmp_path):
    """Over 300 trials, expected Sarsa loses less on the cliff than a random walk does, by 5 standard errors.

    The limit of 32 steps, each a fall at worst, and the shortest way of 9 steps bound every return.
    """
    given = study(tmp_path).studies["mine"].sources["runs"].user_defined.plain()
    ours = simulate("expected_sarsa", "cliff", 1, 0, 300, own=given)
    parts = [simulate("expected_sarsa", "cliff", 1, *cut, 2, own=given) for cut in ((0, 130), (130, 170))]
    assert np.concatenate(parts).tobytes() == ours.tobytes()
    low, high = given["environments"]["cliff"]["returns"]
    assert ((low <= ours) & (ours <= high)).all()
    random = np.random.default_rng(1)
    walks = np.array([np.mean([_random_walk(random) for _ in range(20)]) for _ in range(300)])
    difference = ours.mean() - walks.mean()
    assert difference > 5.0 * np.hypot(ours.std(ddof=1), walks.std(ddof=1)) / np.sqrt(300)


def _random_walk(random):
    y, x, total = 3, 0, 0.0
    for _ in range(4 * LENGTH):
        dy, dx = ((-1, 0), (1, 0), (0, -1), (0, 1))[random.integers(4)]
        y, x = min(max(y + dy, 0), 3), min(max(x + dx, 0), LENGTH - 1)
        if y == 3 and 0 < x < LENGTH - 1:
            x, total = 0, total - 100.0
        else:
            total -= 1.0
        if (y, x) == (3, LENGTH - 1):
            break
    return total


def test_own_and_package_meet_in_both_ways(tmp_path):
    given = study(tmp_path).studies["mine"].sources["runs"].user_defined.plain()
    for algorithm, environment in (("expected_sarsa", "chain_10_stochastic"), ("sarsa", "cliff")):
        performances = simulate(algorithm, environment, 1, 0, 20, own=given)
        low, high = simulation_registry.environments(given)[environment].returns
        assert ((low <= performances) & (performances <= high)).all()
    shared = simulate("sarsa", "chain_10_stochastic", 1, 0, 20, own=given)
    assert shared.tobytes() == simulate("sarsa", "chain_10_stochastic", 1, 0, 20).tobytes()


def test_jobs_name_the_file_and_others_stay_as_they_are(tmp_path):
    skip_checks = study(tmp_path)
    jobs = {job.part: job for job in plan(skip_checks) if job.stage == "simulate"}
    assert EXAMPLE in jobs["expected_sarsa"].modules
    assert EXAMPLE in jobs["sarsa"].modules  # for its environment
    cells = jobs["sarsa"].settings["cells"]
    assert "own" not in cells["sarsa.chain_10_stochastic"]  # so a study with files of its own shares what is stored
    assert cells["sarsa.cliff"]["own"]["environments"]["cliff"]["arguments"] == {"length": LENGTH}
    assert cells["sarsa.cliff"]["episodes"] == EPISODES


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"user_defined": own(algorithms={"expected_sarsa": {"file": "tests/conftest.py"}})},
            'no function "tabular". Hint: see',
        ),
        (
            {"user_defined": own(algorithms={"sarsa": {"file": EXAMPLE}}), "algorithms": ["sarsa", "q"]},
            '"sarsa" is already one of Surefoot\'s algorithms. Hint: choose another name',
        ),
        ({"algorithms": ["sarsa", "q"]}, '"expected_sarsa" is not simulated. Hint: add it to the algorithms'),
        (
            {"user_defined": own(environments={"cliff": own()["environments"]["cliff"] | {"returns": [0, -9]}})},
            "[0, -9] is not a range. Hint: give the lowest return",
        ),
        (
            {"example": PLAYS, "distributions": {"corridor": {"file": PLAYS, "initial_state": 1}}},
            "corridor.initial_state: 1 has no effect together with file. Hint: leave it out",
        ),
        (
            {"example": PLAYS, "agents": [{"agent": "beb", "file": PLAYS}]},
            '"beb" is the name of a built-in agent. Hint: choose another name',
        ),
    ],
)
def test_mistakes_are_one_sentence_with_a_hint(tmp_path, changes, message):
    with pytest.raises(InputError) as caught:
        study(tmp_path, **changes)
    assert message in str(caught.value)


def test_the_example_plays_and_learns(tmp_path):
    """On 300 MDPs, posterior sampling is better than the random agent by more than 5 standard errors, in both cases."""
    mine = study(tmp_path, PLAYS).studies["mine"]
    cells = [Cell(**cell) for cell, _ in mine.sources["runs"].cells(mine.seed)]
    own = [cell for cell in cells if cell.agent == "thompson"]
    assert {cell.environment for cell in own} == {"accurate/corridor", "inaccurate/corridor"}
    for cell in (cell for cell in own if cell.arguments == {"period": 1}):
        assert problem_of(cell).prior.shape == (4, 2, 4)
        ours = play(cell, learn(cell)[0], 0, 300).scores
        other = play(
            cell._replace(agent="random", module="surefoot.bayesian.agents.random"), np.empty(0), 0, 300
        ).scores
        assert (ours - other).mean() > 5.0 * (ours - other).std(ddof=1) / np.sqrt(300)


def test_its_jobs_name_the_file_and_what_it_imports(tmp_path):
    jobs = {(job.stage, job.part): job for job in plan(study(tmp_path, PLAYS))}
    assert PLAYS in jobs["simulate", "thompson"].modules
    assert PLAYS in jobs["simulate", "e_greedy"].modules  # for its distribution
    assert {PLAYS, "surefoot.bayesian.trajectories", "surefoot.streams"} <= set(reached_modules(PLAYS))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "mine.py: no such Python file"),
        (b"def play(:", "not valid Python, line 1"),
        (b"def play():\n    pass\n", 'no function "prepare"'),
        (b"# \xe4", "mine.py: byte 2 is not valid UTF-8. Hint: save it"),
    ],
)
def test_mistakes_in_a_file(tmp_path, text, message):
    path = tmp_path / "mine.py"
    if text is not None:
        path.write_bytes(text)
    with pytest.raises(InputError, match=message):
        study(tmp_path, PLAYS, agents=[{"agent": "mine", "file": str(path)}])


@pytest.mark.parametrize("name", ["../x", "", "x\n"])
def test_an_agent_has_a_name_that_can_be_a_file(tmp_path, name):
    with pytest.raises(
        InputError, match=r"agents\.0\.agent: '.*' is not a valid name for an agent. Hint: use lower-case letters"
    ):
        study(tmp_path, PLAYS, agents=[{"agent": name, "file": PLAYS, "parameters": {"period": [1]}}])


def test_a_name_is_of_one_file(tmp_path):
    other = tmp_path / "other.py"
    other.write_text((ROOT / PLAYS).read_text())
    ours = {"agent": "mine", "file": PLAYS, "parameters": {"period": [1]}}
    with pytest.raises(InputError, match=r'agents\.1\.file: "mine" is from the file config/example_bayesian.py above'):
        study(tmp_path, PLAYS, agents=[ours, ours | {"file": str(other)}])
    with pytest.raises(InputError, match=r"agents\.1\.agent: .* above. Hint: give the file here too"):
        study(tmp_path, PLAYS, agents=[ours, {"agent": "mine", "parameters": {"period": [2]}}])


RESULTS = """
import numpy as np

from surefoot.bayesian.mdp_distributions import Distribution, from_arrays

COUNTS, REWARDS = np.ones((2, 1, 2)), np.zeros((2, 1, 2))


def maze():
    {body}
"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return None", r"maze\(\): it returns a NoneType, not a Distribution\. Hint: return the result"),
        ("return Distribution(-COUNTS, REWARDS, 0)", r"the values for action 0 in state 0 are \[-1.0"),
        ("return Distribution(COUNTS, REWARDS, 2)", "initial_state: 2 is not a state. Hint: use 0 to 1"),
        (
            "return Distribution(COUNTS.astype(int), REWARDS, 0)",
            "a Distribution that from_arrays did not create. Hint: ",
        ),
        ("return from_arrays(COUNTS, REWARDS + 1e200)", r"rewards: 1e\+200 for state 0, .* is out of range"),
        ("return from_arrays(COUNTS * 1e-9, REWARDS)", r"pseudo_counts: .*e-09 for state 0, .* is out of range"),
        (
            "return from_arrays(np.random.rand(2, 1, 2), REWARDS)",
            "two calls return different distributions. Hint: give its random",
        ),
        ("raise SystemExit('no\\nfile')", r"maze\(\) failed: SystemExit: no file\. Hint: call the function in Python"),
    ],
)
def test_what_a_distributions_function_returns_is_checked(tmp_path, body, message):
    path = tmp_path / "mine.py"
    path.write_text(RESULTS.format(body=body))
    with pytest.raises(InputError, match=message) as caught:
        study(tmp_path, PLAYS, environments=["accurate/maze"], distributions={"maze": {"file": str(path)}})
    assert str(caught.value).count("Hint:") == 1
