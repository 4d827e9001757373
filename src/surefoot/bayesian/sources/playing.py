"""Play Bayesian agents: the offline phase of each cell, its blocks of MDPs, and the tables of a study.

Trajectories are played sequentially on one thread, so that their times are meaningful.
"""

import json
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import pandas as pd

from surefoot.bayesian.bayesian_registry import PLAY_OPTIONS, modules
from surefoot.errors import InputError
from surefoot.runs.result_tables import read_table, write_table
from surefoot.statistics.comparison.paired_plays import best_runs
from surefoot.workflow.fingerprint import fingerprint, is_file
from surefoot.workflow.job import versions
from surefoot.workflow.log import logger, progress_reporter
from surefoot.workflow.runner import Task


def play(task: Task) -> None:
    """Write one row per MDP, and all transitions if requested.

    The columns are algorithm, variant, parameters, environment, run, score, failed, seconds_offline, seconds_online
    (per trajectory), decisions (per trajectory), the requested statistics of decision times, and machine. If there are
    several trajectories, scores and seconds are means.
    """
    cells = task.settings["cells"]
    blocks = [(key, entry, first) for key, entry in cells.items() for first in range(0, entry["mdps"], entry["block"])]
    sizes = [entry["block"] for _, entry, _ in blocks]
    missing = [task.missing("simulate.plays", _of_block(task.settings, *block), {}) for _, *block in blocks]
    work = [size * is_missing for size, is_missing in zip(sizes, missing, strict=True)]
    agent = next(iter(cells.values()))["cell"]["agent"]
    report = progress_reporter(f"play {agent}", sum(sizes), "trajectories", sum(work))
    folders = {key: task.outputs["runs"].with_name(f"cell_{number}") for number, key in enumerate(cells)}
    runs = []
    transitions = []
    failures = dict.fromkeys(cells, 0)
    for (key, entry, first), *done in zip(blocks, accumulate(sizes), accumulate(work), strict=True):
        table = _block(task, entry, first, folders[key])
        table = table[table["run"] < entry["mdps"]]
        if "transitions" in task.outputs:
            transitions.append(_unfolded(table))
        runs.append(table.drop(columns=["transitions", "seconds"], errors="ignore"))
        failures[key] += int(table["failed"].sum())
        report(*done)
    for key, count in failures.items():
        if count:
            logger.warning("failures  %s: %d of %d plays ended in a domain error", key, count, cells[key]["mdps"])
    pd.concat(runs, ignore_index=True).to_parquet(task.outputs["runs"], index=False)
    if "transitions" in task.outputs:
        pd.concat(transitions, ignore_index=True).to_parquet(task.outputs["transitions"], index=False)


def _decisive(entry: dict[str, Any]) -> dict[str, Any]:
    """Return everything that determines what a cell learns and how it plays."""
    code = {module: fingerprint(module) for module in modules(entry["cell"])}
    return {"cell": entry["cell"], "code": code, "versions": versions("simulate")}


def _of_block(settings: Mapping[str, Any], entry: dict[str, Any], first: int) -> dict[str, Any]:
    chosen = {key: settings[key] for key in PLAY_OPTIONS}
    return _decisive(entry) | {"first": first, "block": entry["block"]} | chosen


def _block(task: Task, entry: dict[str, Any], first: int, folder: Path) -> pd.DataFrame:
    def learn(path: Path) -> None:
        from surefoot.bayesian.cells import Cell, learn

        with _users_failures(entry["cell"]):
            learnt, seconds = learn(Cell(**entry["cell"]))
            # A kernel accepts no other type, and its own error is long.
            if is_file(entry["cell"]["module"]) and (learnt.ndim != 1 or learnt.dtype != "float64"):
                raise TypeError(f"prepare returned {learnt.dtype} of the shape {list(learnt.shape)}, not float64[n]")
        path.write_text(json.dumps({"learnt": learnt.tolist(), "seconds": seconds}))

    def play_block(path: Path) -> None:
        from surefoot.bayesian.cells import play_table

        chosen = {key: task.settings[key] for key in PLAY_OPTIONS}
        with _users_failures(entry["cell"]):
            table = play_table(entry["cell"], json.loads(learnt_path.read_text()), first, entry["block"], chosen)
        table.to_parquet(path, index=False)

    folder.mkdir(exist_ok=True)
    learnt_path = folder / "learnt.json"
    path = folder / f"{first}.parquet"
    if not learnt_path.is_file():
        task.unit("simulate.learn", _decisive(entry), {}, learn, learnt_path)
    task.unit("simulate.plays", _of_block(task.settings, entry, first), {}, play_block, path)
    return pd.read_parquet(path)


@contextmanager
def _users_failures(cell: dict[str, Any]) -> Iterator[None]:
    """Convert exceptions of a user-defined agent into an InputError; the log has the traceback."""
    try:
        yield
    except (Exception, SystemExit) as error:
        if not is_file(cell["module"]):
            raise
        text = textwrap.shorten(str(error), 300)
        what = f"agent {cell['agent']} in {cell['environment']} failed: {type(error).__name__}{text and f': {text}'}"
        raise InputError(cell["module"], what, "import it and call its functions separately first") from error


def _unfolded(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row per transition.

    The columns are algorithm, variant, parameters, environment, run, trajectory, step, state, action, next_state and,
    if decisions are timed, seconds (wall-clock time until the next decision).

    A failed play has the transitions up to the failure.
    """
    import numpy as np

    steps = np.stack(table["transitions"]).reshape(len(table), -1, 3)
    names = ["algorithm", "variant", "parameters", "environment", "run"]
    repeated = table.loc[table.index.repeat(steps.shape[1]), names].reset_index(drop=True)
    places = pd.DataFrame(steps.reshape(-1, 3), columns=["state", "action", "next_state"])
    horizon = table["decisions"].iloc[0]
    trajectory, step = np.divmod(np.tile(np.arange(steps.shape[1]), len(table)), horizon)
    unfolded = pd.concat([repeated.assign(trajectory=trajectory, step=step), places], axis=1)
    if "seconds" in table:
        unfolded["seconds"] = np.concatenate(table["seconds"].to_list())
    return unfolded[unfolded["state"] >= 0].reset_index(drop=True)


def collect_plays(task: Task) -> None:
    """Write all plays, agent by agent."""
    plays = [read_table(task.inputs[part]) for part in task.settings["parts"]]
    write_table(pd.concat(plays, ignore_index=True), task.outputs["runs"])


def collect_best(task: Task) -> None:
    """Write the run table of the best parameters of each agent."""
    write_table(best_runs(read_table(task.inputs["plays"]), **task.settings), task.outputs["runs"])
