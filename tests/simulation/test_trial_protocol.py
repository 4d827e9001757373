"""Trials of cells: the same bytes however they are cut and spread, and what ends the work."""

import numpy as np
import pytest

from surefoot.registry import module_named
from surefoot.simulation.simulation_registry import simulate


@pytest.mark.parametrize(
    ("algorithm", "environment"),
    [("sarsa", "chain_10_stochastic"), ("q_parl2", "gridworld_5_stochastic"), ("ac", "gridworld_5_deterministic")],
)
def test_same_bytes_for_any_threads_and_any_cut(algorithm, environment, monkeypatch):
    whole = simulate(algorithm, environment, 3, 5, 41)
    assert whole.shape == (41,)
    assert len(set(whole)) > 20
    for seconds_per_chunk in (1e-9, 2e-3, 1e9):  # one trial, a few, all of them handed out at a time
        monkeypatch.setattr("surefoot.simulation.trial_protocol.SECONDS_PER_CHUNK", seconds_per_chunk)
        for threads in (1, 2, 5):
            assert simulate(algorithm, environment, 3, 5, 41, threads).tobytes() == whole.tobytes()
    for cut in (1, 17, 40):
        first = simulate(algorithm, environment, 3, 5, cut)
        second = simulate(algorithm, environment, 3, 5 + cut, 41 - cut, 2)
        assert np.concatenate([first, second]).tobytes() == whole.tobytes()


def test_streams_differ_by_seed_and_name():
    """Independent pairs of 30 numbers are correlated by 0.8 or more once in ten million seeds."""

    def performances(algorithm="sarsa_parl2", environment="chain_10_stochastic", seed=1):
        return simulate(algorithm, environment, seed, 0, 30)

    assert not (performances() == performances(seed=2)).any()
    # Sarsa and Q would begin with the same actions if they drew the same numbers.
    assert np.corrcoef(performances(), performances("q_parl2"))[0, 1] < 0.8


def test_progress_counts_to_the_end():
    seen = []
    simulate("sarsa", "gridworld_10_deterministic", 1, 0, 120, 2, seen.append)
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert seen[-1] == 120


def test_an_error_ends_the_work(tmp_path):
    """What has not begun is not begun: an interrupted job must end at once."""
    file = tmp_path / "interrupted.py"
    file.write_text(
        "begun = []\ndef environment():\n    return None\n"
        "def run_trial(environment, episodes, rng):\n    begun.append(1)\n    raise KeyboardInterrupt\n"
    )
    world = {"file": str(file), "kind": "python", "episodes": 1, "returns": [0, 1]}
    own = {"algorithms": {"mine": {"file": str(file)}}, "environments": {"world": world}}
    with pytest.raises(KeyboardInterrupt):
        simulate("mine", "world", 1, 0, 10_000, own=own)
    assert len(module_named(str(file)).begun) < 10_000


@pytest.mark.parametrize("numbers", [(-1, 5, 1), (0, 0, 1), (0, 5, 0)])
def test_numbers_out_of_range(numbers):
    first_trial, trials, threads = numbers
    with pytest.raises(ValueError, match=f"first trial {first_trial}, {trials} trials, {threads} threads"):
        simulate("sarsa", "chain_10_stochastic", 1, first_trial, trials, threads)
