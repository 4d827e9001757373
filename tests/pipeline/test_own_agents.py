"""A user's own agent and distribution in one file that the configuration names: the worked example, and mistakes."""

from pathlib import Path

import numpy as np
import pytest
from separate_processes import outputs_of_two

from surefoot.bayesian.cells import Cell, learn, play, problem_of
from surefoot.pipeline import fingerprint as code
from surefoot.pipeline.configuration import read_configuration, validate_configuration
from surefoot.pipeline.errors import InputError
from surefoot.pipeline.fingerprint import reached_modules
from surefoot.pipeline.plan import plan
from surefoot.pipeline.play_jobs import cells_of

ROOT = Path(__file__).parents[2]
BASE = ROOT / "config" / "config.yaml"
EXAMPLE = "config/example_bayesian.py"


def study(**changes):
    text = (ROOT / EXAMPLE).read_text().split('"""')[1].partition("\n\n")[2]
    path = changes.pop("folder") / "mine.yaml"
    path.write_text(text)
    config = read_configuration([BASE, path])
    config["studies"]["mine"]["bayesian"] |= changes
    return validate_configuration(config, [BASE, path], ROOT / "reports")


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)


def test_the_example_plays_and_learns(tmp_path):
    """On 300 MDPs, posterior sampling is better than the random agent by more than 5 standard errors, in both cases."""
    cells = [Cell(**cell) for cell, _ in cells_of(study(folder=tmp_path)["studies"]["mine"])]
    own = [cell for cell in cells if cell.agent == "thompson"]
    assert {cell.environment for cell in own} == {"accurate/corridor", "inaccurate/corridor"}
    for cell in (cell for cell in own if cell.arguments == {"period": 1}):
        assert problem_of(cell).prior.shape == (4, 2, 4)
        ours = play(cell, learn(cell)[0], 0, 300).scores
        other = play(
            cell._replace(agent="random", module="surefoot.bayesian.agents.random"), np.empty(0), 0, 300
        ).scores
        assert (ours - other).mean() > 5.0 * (ours - other).std(ddof=1) / np.sqrt(300)
        # Sampling again is what costs time.
        slower = play(cell, learn(cell)[0], 0, 20).seconds.mean()
        seldom = cell._replace(arguments={"period": 10})
        assert play(seldom, learn(seldom)[0], 0, 20).seconds.mean() < slower


def test_its_jobs_name_the_file_and_what_it_imports(tmp_path):
    jobs = {(job.stage, job.part): job for job in plan(study(folder=tmp_path))}
    assert EXAMPLE in jobs["simulate", "thompson"].modules
    assert EXAMPLE in jobs["simulate", "e_greedy"].modules  # for its distribution
    assert {EXAMPLE, "surefoot.bayesian.trajectories", "surefoot.streams"} <= set(reached_modules(EXAMPLE))


def test_the_fingerprint_of_a_file_follows_its_code_and_not_its_comments(tmp_path):
    path = tmp_path / "mine.py"
    found = []
    for text in ("def f():\n    return 1\n", "# f\ndef f():\n    return 1\n", "def f():\n    return 2\n"):
        path.write_text(text)
        for cached in (code.fingerprint, code.reached_modules, code._imports, code._text_and_imports):
            cached.cache_clear()
        found.append(code.fingerprint(str(path)))
    assert found[0] == found[1] != found[2]


PROGRAM = """
from surefoot.bayesian.cells import Cell, learn, play
from surefoot.bayesian.registry import cell
file = "config/example_bayesian.py"
test = {"module": file, "name": "corridor"}
made = Cell(**cell("thompson", {"period": 1}, "accurate/corridor", test=test, file=file))
print(play(made, learn(made)[0], 0, 3).scores.tolist())
"""


def test_another_process_loads_what_one_has_compiled(tmp_path):
    first, second = outputs_of_two(PROGRAM, tmp_path)
    assert first == second


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "mine.py: no such Python file"),
        ("def play(:", "not valid Python, line 1"),
        ("def play():\n    pass\n", 'no function "prepare"'),
    ],
)
def test_mistakes_in_a_file(tmp_path, text, message):
    path = tmp_path / "mine.py"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=message):
        study(folder=tmp_path, agents=[{"agent": "mine", "file": str(path)}])


def test_a_distribution_that_fails_is_named(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def maze():\n    return 1 / 0\n")
    with pytest.raises(
        InputError, match=r"maze\(\) failed: ZeroDivisionError: division by zero. Hint: run it by itself"
    ):
        study(folder=tmp_path, environments=["accurate/maze"], distributions={"maze": {"file": str(path)}})


def test_a_name_of_the_package_is_taken(tmp_path):
    with pytest.raises(InputError, match=r'"beb" is an agent of the package. Hint: another name'):
        study(folder=tmp_path, agents=[{"agent": "beb", "file": EXAMPLE}])
