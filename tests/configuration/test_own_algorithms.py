"""A user's own algorithm and environment in one file that the configuration names: the worked example, and mistakes."""

from pathlib import Path

import numpy as np
import pytest

from surefoot.build.errors import InputError
from surefoot.configuration.places import read_configuration
from surefoot.configuration.validation import validate_configuration
from surefoot.pipeline.plan import plan
from surefoot.simulation import registry
from surefoot.simulation.registry import simulate

ROOT = Path(__file__).parents[2]
BASE = ROOT / "config" / "config.yaml"
EXAMPLE = "config/example_simulation.py"
LENGTH, EPISODES = 8, 200


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch):
    monkeypatch.chdir(ROOT)


def study(folder, **changes):
    """The study of the example's docstring; changes are laid over its source."""
    path = folder / "mine.yaml"
    path.write_text((ROOT / EXAMPLE).read_text().split('"""')[1].partition("\n\n")[2])
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
    given = study(tmp_path).studies["mine"].sources["runs"].own.plain()
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
    given = study(tmp_path).studies["mine"].sources["runs"].own.plain()
    for algorithm, environment in (("expected_sarsa", "chain_10_stochastic"), ("sarsa", "cliff")):
        performances = simulate(algorithm, environment, 1, 0, 20, own=given)
        low, high = registry.environments(given)[environment].returns
        assert ((low <= performances) & (performances <= high)).all()
    shared = simulate("sarsa", "chain_10_stochastic", 1, 0, 20, own=given)
    assert shared.tobytes() == simulate("sarsa", "chain_10_stochastic", 1, 0, 20).tobytes()


def test_jobs_name_the_file_and_others_stay_as_they_are(tmp_path):
    checked = study(tmp_path)
    jobs = {job.part: job for job in plan(checked) if job.stage == "simulate"}
    assert EXAMPLE in jobs["expected_sarsa"].modules
    assert EXAMPLE in jobs["sarsa"].modules  # for its environment
    cells = jobs["sarsa"].settings["cells"]
    assert "own" not in cells["sarsa.chain_10_stochastic"]  # so a study with files of its own shares what is stored
    assert cells["sarsa.cliff"]["own"]["environments"]["cliff"]["arguments"] == {"length": LENGTH}
    assert cells["sarsa.cliff"]["episodes"] == EPISODES


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"own": own(algorithms={"expected_sarsa": {"file": "none.py"}})}, "none.py: no such Python file. Hint: paths"),
        (
            {"own": own(algorithms={"expected_sarsa": {"file": "tests/conftest.py"}})},
            'no function "tabular". Hint: see',
        ),
        (
            {"own": own(algorithms={"sarsa": {"file": EXAMPLE}}), "algorithms": ["sarsa", "q"]},
            '"sarsa" is among the algorithms of the package. Hint: another name',
        ),
        ({"algorithms": ["sarsa", "q"]}, '"expected_sarsa" is not simulated. Hint: name it among the algorithms'),
        (
            {"own": own(environments={"cliff": own()["environments"]["cliff"] | {"returns": [0, -9]}})},
            "[0, -9] is not a range. Hint: the lowest return",
        ),
    ],
)
def test_mistakes_are_one_sentence_with_a_hint(tmp_path, changes, message):
    with pytest.raises(InputError) as caught:
        study(tmp_path, **changes)
    assert message in str(caught.value)
