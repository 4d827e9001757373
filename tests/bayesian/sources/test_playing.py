"""Plays of Bayesian agents: rows of the run table, whole blocks, transitions, the same in any cut."""

import numpy as np
import pandas as pd
import pytest

from surefoot.bayesian.bayesian_registry import cell
from surefoot.bayesian.sources.playing import play
from surefoot.errors import InputError
from surefoot.workflow.runner import Task


def task(
    folder, block=6, transitions=True, decision_times=("mean", "longest"), agents=("random", "e_greedy"), trajectories=1
):
    parameters = {"e_greedy": {"epsilon": 0.3}}
    cells = {}
    for agent in agents:
        made = cell(agent, parameters.get(agent, {}), "accurate/gc", seed=4) | {"horizon": 12}
        cells[agent] = {"cell": made, "mdps": 8, "block": block}
    settings = {"seed": 4, "cells": cells, "repeat_seconds": 1e-5}
    settings |= {"transitions": transitions, "decision_times": list(decision_times), "trajectories": trajectories}
    outputs = {"runs": folder / "runs.parquet"}
    if transitions:
        outputs["transitions"] = folder / "transitions.parquet"
    asked = []

    def unit(kind, decisive, hashes, compute, path):
        asked.append((kind, decisive))
        compute(path)

    return Task(settings, {}, outputs, 1, unit, lambda *piece: True, {}), asked


@pytest.fixture
def made(tmp_path):
    work, asked = task(tmp_path)
    play(work)
    return pd.read_parquet(work.outputs["runs"]), pd.read_parquet(work.outputs["transitions"]), asked, work


def test_a_row_is_a_trajectory(made):
    runs, _, _, _ = made
    assert runs["algorithm"].tolist() == ["random"] * 8 + ["e_greedy"] * 8
    assert runs["run"].tolist() == [*range(8), *range(8)]
    assert runs["parameters"].unique().tolist() == ["", "epsilon=0.3"]
    assert (runs["environment"] == "accurate/gc").all()
    assert (runs["seconds_online"] > 0.0).all()
    assert (runs["seconds_offline"] >= 0.0).all()
    assert not runs["failed"].any()
    assert (runs["decision_longest"] >= (1.0 - 1e-12) * runs["decision_mean"]).all()
    assert runs["machine"].str.contains("ns").all()


def test_transitions_explain_the_scores(made):
    runs, transitions, _, _ = made
    assert len(transitions) == 2 * 8 * 12
    rewards = np.array([2.0, 0.0, 0.0, 0.0, 10.0])
    paid = 0.95 ** transitions["step"] * rewards[transitions["next_state"]]
    scores = paid.groupby([transitions["algorithm"], transitions["run"]], sort=False).sum()
    np.testing.assert_allclose(runs["score"], scores.to_numpy(), rtol=1e-12)


def test_scores_do_not_depend_on_how_plays_are_cut(made, tmp_path):
    runs = made[0].set_index(["algorithm", "run"])["score"]
    folder = tmp_path / "other"
    folder.mkdir()
    work, _ = task(folder, block=3, transitions=False, decision_times=(), agents=("e_greedy",))
    play(work)
    again = pd.read_parquet(work.outputs["runs"]).set_index(["algorithm", "run"])["score"]
    assert (again == runs.loc[["e_greedy"]]).all()


def test_single_times_are_kept_with_the_transitions(made, tmp_path):
    runs, transitions, _, _ = made
    for name, functional in (("mean", "mean"), ("longest", "max")):
        kept = transitions.groupby(["algorithm", "run"], sort=False)["seconds"].agg(functional)
        np.testing.assert_allclose(runs[f"decision_{name}"], kept.to_numpy(), rtol=1e-12)
    folder = tmp_path / "other"
    folder.mkdir()
    work, _ = task(folder, decision_times=(), agents=("random",))
    play(work)
    assert "seconds" not in pd.read_parquet(work.outputs["transitions"])


def test_what_is_learnt_and_each_block_of_plays_is_kept_apart(made):
    _, _, asked, _ = made
    assert [kind for kind, _ in asked] == ["simulate.learn", "simulate.plays", "simulate.plays"] * 2


def test_several_trajectories_are_one_row(tmp_path):
    work, _ = task(tmp_path, agents=("random",), trajectories=2)
    play(work)
    runs, transitions = (pd.read_parquet(work.outputs[name]) for name in ("runs", "transitions"))
    assert len(runs) == 8
    assert (runs["decisions"] == 12).all()
    numbers = transitions.groupby("run")[["trajectory", "step"]].agg(list)
    assert numbers["trajectory"].tolist() == [[0] * 12 + [1] * 12] * 8
    assert numbers["step"].tolist() == [[*range(12)] * 2] * 8
    rewards = np.array([2.0, 0.0, 0.0, 0.0, 10.0])
    paid = 0.95 ** transitions["step"] * rewards[transitions["next_state"]]
    returns = paid.groupby([transitions["run"], transitions["trajectory"]]).sum()
    np.testing.assert_allclose(runs.set_index("run")["score"], returns.groupby("run").mean(), rtol=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nonesuch\n", "ModuleNotFoundError: No module named 'nonesuch'"),
        ("raise SystemExit\n", "failed: SystemExit"),
        (
            "import numpy as np\n\n\ndef prepare(problem, key):\n    return np.zeros((2, 2), int)\n",
            r"TypeError: prepare returned int64 of the shape \[2, 2\], not float64\[n\]",
        ),
    ],
)
def test_what_an_agent_of_a_users_raises_is_one_sentence(tmp_path, text, message):
    path = tmp_path / "mine.py"
    path.write_text(text)
    work, _ = task(tmp_path, agents=("random",))
    work.settings["cells"]["random"]["cell"] |= {"agent": "mine", "module": str(path)}
    with pytest.raises(InputError, match=message) as caught:
        play(work)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{path}: agent mine in accurate/gc failed: ")
