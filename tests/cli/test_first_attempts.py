"""`surefoot report` of a folder as tools leave it: a report at the first attempt, or all that it needs at once."""

import shlex

import numpy as np
import pytest

from surefoot.cli import reporting
from surefoot.cli.commands import main

ALGORITHMS = ("ppo", "sac")


@pytest.fixture(autouse=True)
def no_workflow(monkeypatch, tmp_path):
    monkeypatch.setattr(reporting, "_making_pages", lambda folder, names, cores: ["true"])
    monkeypatch.chdir(tmp_path)


def evaluated(folder, points=10):
    """A run as a callback of Stable-Baselines3 leaves it."""
    folder.mkdir(parents=True)
    returns = np.random.default_rng(list(str(folder).encode())).normal(50, 5, (points, 4))
    lengths = np.full((points, 4), 100)
    np.savez(folder / "evaluations.npz", timesteps=np.arange(1, points + 1) * 1000, results=returns, ep_lengths=lengths)


def test_a_guess_that_cannot_be_known_is_left_to_the_user(tmp_path, capsys):
    for algorithm in ALGORITHMS:
        for environment in ("maze", "lab"):
            evaluated(tmp_path / "runs" / algorithm / environment / "1")
    assert main(["report", "runs"]) == 2
    assert '--pattern "{algorithm}/{environment}/{seed}"' in capsys.readouterr().err


def test_all_that_is_to_be_decided_is_told_at_once_with_a_command_that_works(tmp_path, capsys):
    """No names, a run that crashed, and a cell without a run."""
    for algorithm in (*ALGORITHMS, "td3"):
        for environment in ("maze", "lab"):
            for seed in (1, 2, 3):
                crashed = (algorithm, environment, seed) == ("sac", "lab", 2)
                if (algorithm, environment) != ("td3", "lab"):
                    evaluated(tmp_path / "runs" / algorithm / environment / f"{seed}", points=4 if crashed else 10)
    assert main(["report", "runs", "-o", "page"]) == 2
    error = capsys.readouterr().err
    assert "runs: 3 things are to be decided first:\n  1. the algorithm of 15 runs cannot be told" in error
    assert "\n  2. cells without a run (1): td3 / lab" in error
    assert "\n  3. runs that end before the longest (1): sac in lab, run 2: 4,000 of 10,000" in error
    command = next(line for line in error.splitlines() if line.startswith("  surefoot report"))
    assert not (tmp_path / "page").exists()
    assert main(shlex.split(command)[1:]) == 0
    assert "Left out, since runs are missing: td3 (no run in lab)." in capsys.readouterr().out


def test_a_hint_of_a_pattern_with_a_name_becomes_one_command(tmp_path, capsys):
    """SB3's own names of folders (PPO_1), which show no environment, and a run that crashed."""
    for algorithm in ALGORITHMS:
        for seed in (1, 2, 3):
            folder = tmp_path / "runs" / f"{algorithm}_{seed}"
            evaluated(folder, points=4 if (algorithm, seed) == ("sac", 2) else 10)
    assert main(["report", "runs"]) == 2
    error = capsys.readouterr().err
    assert "runs: 2 things are to be decided first:" in error
    command = next(line for line in error.splitlines() if line.startswith("  surefoot report"))
    assert " --pattern '{algorithm}_{seed}' --environment NAME " in command
    assert main(shlex.split(command.replace("NAME", "CartPole-v1"))[1:]) == 0


def test_a_hint_that_leaves_a_choice_is_not_taken_for_a_value(tmp_path, capsys):
    """A file of losses alone: no command with `--metric one` is made of "--metric one of epoch, train_loss"."""
    for algorithm in ALGORITHMS:
        folder = tmp_path / "runs" / algorithm / "Ant-v4" / "seed_0"
        folder.mkdir(parents=True)
        (folder / "metrics.csv").write_text("epoch,step,train_loss\n0,1,0.4\n")
    assert main(["report", "runs"]) == 2
    error = capsys.readouterr().err
    assert "--metric one of epoch, train_loss" in error
    assert "surefoot report" not in error and "things are to be decided" not in error
