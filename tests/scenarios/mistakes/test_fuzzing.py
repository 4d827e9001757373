"""Damaged files of every reader, and damaged configurations: a sentence or a table, never a traceback, a signal, more
than 2 GB or more than 60 s.

Fixtures are written as the tools write them, and then bytes are flipped, cut, repeated, exchanged or set to zero by a
generator with a fixed seed. All happens in one process of its own, with limits. `SUREFOOT_FUZZING` is the number of
damaged inputs of each fixture, and `SUREFOOT_FUZZING_SEED` another seed.
"""

import os
import pickle
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from support.hostile_inputs import counts_of, try_all

QUICK, LONG = 6, 2_000
TOKENS = (b"-1", b"nan", b"1e999", b"\xff\xfe", b"\0", b'"', b"[" * 5_000, b"&a *a ", b"{}", b"2024-01-01", b"")


def fixtures(folder):
    """Folders by name, each with the runs of a reader or a configuration, and the options that it is read with."""
    from support.write_event_files import hyperparameters, simple, write_events
    from support.write_logs import write_evaluations, write_json, write_json_lines, write_monitor, write_zoo

    rng = np.random.default_rng(1)
    table = "algorithm,environment,run,step,score,episodes\n" + "".join(
        f"{name},Ant,{run},{step},{rng.normal():.3f},5\n" for name in "ab" for run in range(2) for step in (1, 2)
    )
    run = folder / "{}" / "a" / "Ant" / "0"

    def of(name):
        path = Path(str(run).format(name))
        path.mkdir(parents=True)
        return path

    (of("csv") / "scores.csv").write_text(table)
    import pandas as pd

    rows = pd.DataFrame([line.split(",") for line in table.splitlines()[1:]], columns=table.splitlines()[0].split(","))
    rows.astype({"step": int, "score": float, "episodes": int}).to_parquet(of("parquet") / "scores.parquet")
    write_monitor(of("monitor") / "0.monitor.csv", [(1.0, 10, 1.0), (2.0, 10, 2.0)])
    write_evaluations(of("evaluations") / "evaluations.npz", [1, 2], rng.normal(size=(2, 3)))
    (of("progress") / "progress.csv").write_text("time/total_timesteps,rollout/ep_rew_mean\n1,2.0\n2,3.0\n")
    write_zoo(folder / "zoo", "a", "Ant", 1, 1)
    acme = of("acme") / "logs" / "evaluator"
    acme.mkdir(parents=True)
    (acme / "logs.csv").write_text("actor_steps,episode_return\n1,2.0\n2,3.0\n")
    line = {"training_iteration": 1, "num_env_steps_sampled_lifetime": 4, "env_runners": {"episode_return_mean": 2.0}}
    later = {**line, "training_iteration": 2, "num_env_steps_sampled_lifetime": 8}
    write_json_lines(of("rllib") / "result.json", [line, later])
    steps = {"step_0": {"step_count": 1, "return": [1.0, 2.0]}, "step_1": {"step_count": 2, "return": [2.0]}}
    write_json(of("marl_eval") / "metrics.json", {"env": {"Ant": {"ours": {"seed_0": steps, "seed_1": steps}}}})
    np.savez(of("rliable") / "scores.npz", ours=rng.normal(size=(3, 2)), base=rng.normal(size=(3, 2)))
    arrays = {"ours": rng.normal(size=(3, 2)), "base": rng.normal(size=(3, 2))}
    (of("pickle") / "scores.pkl").write_bytes(pickle.dumps(arrays))
    np.save(of("npy") / "scores.npy", arrays, allow_pickle=True)
    logged = {f"iteration_{n}": {"eval_episode_returns": [1.0, 2.0]} for n in range(2)}
    logs = of("dopamine") / "logs"
    logs.mkdir()
    (logs / "log_1").write_bytes(pickle.dumps(logged))
    history = "_step,_runtime,global_step,charts/episodic_return\n0,1,10,1.0\n1,2,20,2.0\n"
    (of("wandb") / "history.csv").write_text(history)
    (of("hydra") / ".hydra").mkdir()
    (folder / "hydra" / "a" / "Ant" / "0" / ".hydra" / "config.yaml").write_text("agent:\n  name: a\nseed: 1\n")
    write_evaluations(folder / "hydra" / "a" / "Ant" / "0" / "evaluations.npz", [1], [[1.0]])
    try:
        write_events(
            of("tensorboard"), [hyperparameters(seed=1), *(simple("charts/episodic_return", n, 1.0) for n in (1, 2))]
        )
    except ImportError:
        shutil.rmtree(folder / "tensorboard")
    scores = "algorithm,environment,run,score\n" + "".join(
        f"{name},Ant,{run},{rng.normal():.3f}\n" for name in "ab" for run in range(4)
    )
    (of("score_table") / "scores.csv").write_text(scores)
    (of("configuration") / "config.yaml").write_text(
        "studies:\n  mine:\n    title: Mine\n"
        f"    sources: {{runs: {{kind: score_table, file: {folder}/score_table/a/Ant/0/scores.csv}}}}\n"
        "    questions:\n      aggregate_metrics: {metrics: &m [iqm, mean]}\n"
        "      performance_profiles: {thresholds: {from: 0, to: 1, count: 101}}\n      probability_of_improvement: {}\n"
    )
    return sorted(path for path in folder.iterdir())


def damaged(content, others, rng):
    """The bytes after one to three kinds of damage."""
    made = bytearray(content)
    for _ in range(rng.integers(1, 4)):
        at, size = int(rng.integers(0, len(made) + 1)), int(rng.integers(1, 40))
        kind = rng.integers(0, 8)
        if kind == 0:
            for position in rng.integers(0, max(len(made), 1), 3) if made else ():
                made[position] ^= 1 << rng.integers(0, 8)
        elif kind == 1:
            del made[at:]
        elif kind == 2:
            made[at:at] = made[at : at + size] * int(rng.integers(1, 2000))
        elif kind == 3:
            other = others[rng.integers(0, len(others))]
            start = int(rng.integers(0, len(other) + 1))
            made[at : at + size] = other[start : start + size]
        elif kind == 4:
            made += bytes(int(rng.integers(1, 100_000)))
        elif kind == 5:
            made[at : at + size] = TOKENS[rng.integers(0, len(TOKENS))]
        elif kind == 6:
            made[at : at + 8] = rng.integers(0, 256, 8, dtype=np.uint8).tobytes()
        else:
            del made[at : at + size]
    return bytes(made)


def read_fixture(name, path, folder):
    """Read a damaged input."""
    from surefoot.runs.logs.folder_runs import read_runs
    from surefoot.runs.logs.protocol_in_logs import protocols_in_logs
    from surefoot.runs.logs.run_table import summarize_runs
    from surefoot.runs.sources.score_tables import read
    from surefoot.runs.sources.tables import ScoreTable
    from surefoot.workflow.configuration.configuration_files import read_yaml
    from surefoot.workflow.configuration.validation import validate_configuration

    if name == "configuration":
        content = read_yaml(path)
        if isinstance(content, dict):
            validate_configuration(content, [path])
    elif name == "score_table":
        read(ScoreTable(kind="score_table", file=str(path)), {"file": path})
    else:
        options = {"algorithm": "a", "environment": "Ant"}
        if name in ("rliable", "pickle", "npy"):
            folder, options = path, {"environment": ["Ant", "Bee"]}
        table = read_runs(folder, **({} if name in ("csv", "parquet") else options))
        summarize_runs(table)
        protocols_in_logs(table)


def inputs(folder, count, seed):
    """Each fixture, first as it is and then damaged."""
    for fixture in fixtures(folder / "whole"):
        files = [path for path in fixture.rglob("*") if path.is_file()]
        whole = {path: path.read_bytes() for path in files}
        rng = np.random.default_rng([seed, *fixture.name.encode()])
        for number in range(count):
            path = files[rng.integers(0, len(files))]
            path.write_bytes(damaged(whole[path], list(whole.values()), rng) if number else whole[path])

            def read(fixture=fixture, path=path):
                try:
                    read_fixture(fixture.name, path, fixture)
                except (FileNotFoundError, PermissionError):
                    return  # of a path that the damage made up

            yield f"{fixture.name} {number} {path}", "either" if number else "read", read
            path.write_bytes(whole[path])


def test_damaged_files_are_read_or_refused_in_one_sentence(tmp_path):
    counts = counts_of(__file__, tmp_path, os.environ.get("SUREFOOT_FUZZING", f"{QUICK}"), 0)
    assert len({key.split()[0] for key in counts}) > 14
    assert {key.split()[1] for key in counts} <= {"refused", "read", "remarked"}


@pytest.mark.long
def test_many_damaged_files_are_read_or_refused_in_a_sentence(tmp_path):
    counts_of(__file__, tmp_path, LONG, os.environ.get("SUREFOOT_FUZZING_SEED", "1"))


if __name__ == "__main__":
    FOLDER = Path(sys.argv[1])
    try_all(inputs(FOLDER, int(sys.argv[2]), int(sys.argv[3])), FOLDER)
