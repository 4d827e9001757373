"""Trials in blocks and in run tables, and repeated runs and random policies cell by cell."""

import itertools

import numpy as np
import pandas as pd
import pytest

from surefoot.runs.result_tables import write_table
from surefoot.simulation import other_protocols
from surefoot.simulation.simulation_registry import HYPERPARAMETERS, modules, settings
from surefoot.simulation.sources.simulating import collect, simulate, simulate_repeated_runs
from surefoot.workflow.runner import Task

ROWS = [("a", "x", "a", 7), ("a", "y", "a", 3), ("b", "x", "b", 5), ("b", "y", "b", 12), ("a_twin", "x", "a", 4)]
"""What a study shows: algorithm, environment, the cell that ran, trials."""


@pytest.fixture
def batches(tmp_path):
    """Trials of two algorithms in two environments, in files by name whose order is not that of their trials."""
    rng = np.random.default_rng(5)
    cuts = {"a": [0, 3, 10], "b": [0, 5, 6, 12]}
    inputs = {}
    for algorithm, ends in cuts.items():
        for number, (first, end) in enumerate(itertools.pairwise(ends)):
            runs = [(algorithm, environment, run) for environment in "xy" for run in range(first, end)]
            table = pd.DataFrame(runs, columns=["algorithm", "environment", "run"]).assign(score=rng.random(len(runs)))
            name = f"{algorithm}.{10 - number}"
            table.to_parquet(tmp_path / f"{name}.parquet", index=False)
            inputs[name] = tmp_path / f"{name}.parquet"
    return dict(sorted(inputs.items()))


def collected(batches, folder):
    path = folder / "runs.parquet"
    collect(Task({"rows": ROWS}, batches, {"runs": path}, 1, None, None, {}))
    return path


def test_a_block_ends_with_the_last_trial(tmp_path):
    """So twenty trials are not five hundred, and each has the score that it has in any other block."""
    cell = settings("sarsa", "chain_10_stochastic", {}) | {
        "first": 0,
        "modules": list(modules("sarsa", "chain_10_stochastic", {})),
    }
    blocks, scores = [], {}
    for trials, block in ((7, 500), (7, 5), (10, 5)):

        def unit(kind, settings, hashes, compute, path):
            blocks.append((settings["first"], settings["block"]))
            compute(path)

        path = tmp_path / f"{trials}.{block}.parquet"
        cells = {"sarsa.chain_10_stochastic": cell | {"trials": trials, "block": block}}
        simulate(Task({"seed": 3, "cells": cells}, {}, {"runs": path}, 1, unit, lambda *piece: True, {}))
        scores[trials, block] = pd.read_parquet(path)["score"].tolist()
    assert blocks == [(0, 7), (0, 5), (5, 2), (0, 5), (5, 5)]
    assert scores[7, 500] == scores[7, 5] == scores[10, 5][:7]


def by_hand(batches):
    simulated = pd.concat([pd.read_parquet(path) for path in batches.values()])
    parts = []
    for algorithm, environment, cell, trials in ROWS:
        of_cell = simulated[(simulated["algorithm"] == cell) & (simulated["environment"] == environment)]
        parts.append(of_cell.sort_values("run").head(trials).assign(algorithm=algorithm, cell=cell))
    return pd.concat(parts, ignore_index=True)[["algorithm", "environment", "run", "score", "cell"]]


def test_the_first_trials_of_each_cell_in_the_order_of_the_study(batches, tmp_path):
    pd.testing.assert_frame_equal(pd.read_parquet(collected(batches, tmp_path)), by_hand(batches))


def test_a_table_written_in_pieces_has_the_same_bytes(batches, tmp_path):
    write_table(by_hand(batches), tmp_path / "whole.parquet")
    assert collected(batches, tmp_path).read_bytes() == (tmp_path / "whole.parquet").read_bytes()


@pytest.mark.parametrize(
    ("protocol", "numbers"),
    [
        ("same_hyperparameters", {"candidates": 3, "runs": 2}),
        ("hyperparameter_grid", {"grid": [(0.9, 0.5, 0.1, 0.01), (1.0, 0.0, 0.2, 0.1)], "runs": 3, "first_run": 4}),
    ],
)
def test_a_row_of_repeated_runs_names_its_hyperparameters(tmp_path, protocol, numbers):
    cells, scores = {}, {}
    for environment in ("chain_10_stochastic", "gridworld_5_deterministic"):
        cell = settings("sarsa", environment), modules("sarsa", environment)
        cells[environment] = {"settings": cell[0], "modules": list(cell[1])}
        scores[environment] = getattr(other_protocols, protocol)(*cell, 3, **numbers)
    given = {"seed": 3, "cells": cells, "numbers": numbers}
    given["protocol"] = f"surefoot.simulation.other_protocols:{protocol}"
    path = tmp_path / "runs.parquet"

    def unit(kind, decisive, hashes, compute, path):
        assert kind == f"simulate.{protocol}" and len(decisive["code"]) == 4
        compute(path)

    simulate_repeated_runs(Task(given, {}, {"runs": path}, 1, unit, lambda *piece: True, {}))
    found = pd.read_parquet(path)
    assert len(found) == sum(score.size for score in scores.values())
    for row in found.itertuples():
        if protocol == "same_hyperparameters":
            place = row.candidate, row.run
        else:
            place = numbers["grid"].index(tuple(getattr(row, name) for name in HYPERPARAMETERS)), row.run - 4
        assert (row.algorithm, row.score) == ("sarsa", scores[row.environment][place])
