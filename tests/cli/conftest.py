"""Runs that are reported."""

import numpy as np
import pandas as pd
import pytest
from support.jobs import leave_out_pages

ALGORITHMS, ENVIRONMENTS, RUNS = ("ppo", "sac"), ("Hopper-v4", "Ant-v4"), 3


@pytest.fixture
def runs(tmp_path):
    """Evaluations of two algorithms in two environments, three runs of each, as a callback of Stable-Baselines3 writes
    them; in the last tenth of its steps each run has one evaluation."""
    rng = np.random.default_rng(8)
    steps = np.arange(1, 11) * 1000
    for algorithm in ALGORITHMS:
        for environment in ENVIRONMENTS:
            for seed in range(RUNS):
                folder = tmp_path / "runs" / f"{environment}__{algorithm}__{seed}"
                folder.mkdir(parents=True)
                returns = rng.normal(100 if algorithm == "sac" else 50, 5, (10, 4))
                np.savez(folder / "evaluations.npz", timesteps=steps, results=returns, ep_lengths=np.ones((10, 4), int))
    return tmp_path / "runs"


@pytest.fixture
def atari(tmp_path, monkeypatch):
    """A table of two algorithms in two games; `surefoot report` stops where it would run the workflow."""
    leave_out_pages(monkeypatch)
    games = {"ALE/Pong-v5": 10.0, "BoxingNoFrameskip-v4": 50.0}
    rows = [(a, game, run, base + run) for a in "ab" for game, base in games.items() for run in range(3)]
    pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"]).to_csv(tmp_path / "runs.csv", index=False)
    return tmp_path
