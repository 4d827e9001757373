"""A user's own agent and distribution in one file that the configuration names: the worked example, and mistakes."""

from pathlib import Path

import numpy as np
import pytest

from surefoot.bayesian.cells import Cell, learn, play, problem_of
from surefoot.build.errors import InputError
from surefoot.build.fingerprint import reached_modules
from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.pipeline.plan import plan

ROOT = Path(__file__).parents[2]
BASE = ROOT / "config" / "config.yaml"
EXAMPLE = "config/example_bayesian.py"


def study(**changes):
    text = (ROOT / EXAMPLE).read_text().split('"""')[1].partition("\n\n")[2]
    path = changes.pop("folder") / "mine.yaml"
    path.write_text(text)
    config = read_configuration([BASE, path])
    config["studies"]["mine"]["sources"]["runs"] |= changes
    return validate_configuration(config, [BASE, path])


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_the_example_plays_and_learns(tmp_path):
    """On 300 MDPs, posterior sampling is better than the random agent by more than 5 standard errors, in both cases."""
    mine = study(folder=tmp_path).studies["mine"]
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
    jobs = {(job.stage, job.part): job for job in plan(study(folder=tmp_path))}
    assert EXAMPLE in jobs["simulate", "thompson"].modules
    assert EXAMPLE in jobs["simulate", "e_greedy"].modules  # for its distribution
    assert {EXAMPLE, "surefoot.bayesian.trajectories", "surefoot.streams"} <= set(reached_modules(EXAMPLE))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "mine.py: no such Python file"),
        ("def play(:", "not valid Python, line 1"),
        ("def play():\n    pass\n", 'no function "prepare"'),
        (b"# \xe4", "mine.py: byte 2 is not valid UTF-8. Hint: save it"),
    ],
)
def test_mistakes_in_a_file(tmp_path, text, message):
    path = tmp_path / "mine.py"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=message):
        study(folder=tmp_path, agents=[{"agent": "mine", "file": str(path)}])


def test_a_name_of_the_package_is_taken(tmp_path):
    with pytest.raises(InputError, match=r'"beb" is an agent of the package. Hint: another name'):
        study(folder=tmp_path, agents=[{"agent": "beb", "file": EXAMPLE}])


@pytest.mark.parametrize("name", ["../x", "", "x\n"])
def test_an_agent_has_a_name_that_can_be_a_file(tmp_path, name):
    with pytest.raises(InputError, match=r"agents\.0\.agent: '.*' is not a name for an agent. Hint: small letters"):
        study(folder=tmp_path, agents=[{"agent": name, "file": EXAMPLE, "parameters": {"period": [1]}}])


def test_a_name_is_of_one_file(tmp_path):
    other = tmp_path / "other.py"
    other.write_text((ROOT / EXAMPLE).read_text())
    ours = {"agent": "mine", "file": EXAMPLE, "parameters": {"period": [1]}}
    with pytest.raises(InputError, match=r'agents\.1\.file: "mine" is of the file config/example_bayesian.py above'):
        study(folder=tmp_path, agents=[ours, ours | {"file": str(other)}])
    with pytest.raises(InputError, match=r"agents\.1\.agent: .* above. Hint: name the file here too"):
        study(folder=tmp_path, agents=[ours, {"agent": "mine", "parameters": {"period": [2]}}])


RESULTS = """
import numpy as np

from surefoot.bayesian.distributions import Distribution, from_arrays

COUNTS, REWARDS = np.ones((2, 1, 2)), np.zeros((2, 1, 2))


def maze():
    {body}
"""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return None", r"maze\(\): it returns a NoneType, no Distribution\. Hint: return what"),
        ("return Distribution(-COUNTS, REWARDS, 0)", "-1 for state 0, action 0, next state 0 is not a pseudo-count"),
        ("return Distribution(COUNTS, REWARDS, 2)", "initial_state: 2 is not a state. Hint: 0 to 1"),
        (
            "return Distribution(COUNTS.astype(int), REWARDS, 0)",
            "a Distribution that from_arrays has not made. Hint: ",
        ),
        ("return from_arrays(COUNTS, REWARDS + 1e200)", r"rewards: 1e\+200 for state 0, .* is out of range"),
        ("return from_arrays(COUNTS * 1e-9, REWARDS)", r"pseudo_counts: .*e-09 for state 0, .* is out of range"),
        (
            "return from_arrays(np.random.rand(2, 1, 2), REWARDS)",
            "two calls return two distributions. Hint: every proc",
        ),
        ("raise SystemExit('no\\nfile')", r"maze\(\) failed: SystemExit: no file\. Hint: run it by itself first"),
    ],
)
def test_what_a_distributions_function_returns_is_checked(tmp_path, body, message):
    path = tmp_path / "mine.py"
    path.write_text(RESULTS.format(body=body))
    with pytest.raises(InputError, match=message) as caught:
        study(folder=tmp_path, environments=["accurate/maze"], distributions={"maze": {"file": str(path)}})
    assert str(caught.value).count("Hint:") == 1
