"""Write log files by hand in the layouts of training tools."""

import json
import pickle

import numpy as np


def write_monitor(path, rows, env_id="CartPole-v1", started=1000.0, columns="r,l,t"):
    """Write the file of a worker, with rows (return, length, time since the start)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        f"#{json.dumps({'t_start': started, 'env_id': env_id})}",
        columns,
        *(",".join(map(str, row)) for row in rows),
    ]
    path.write_text("\n".join(lines) + "\n")


def write_evaluations(path, steps, results, **more):
    path.parent.mkdir(parents=True, exist_ok=True)
    results = np.asarray(results, float)
    np.savez(path, timesteps=np.asarray(steps), results=results, ep_lengths=np.ones_like(results, int), **more)


def write_zoo(folder, algorithm, environment, counter, seed, score=1.0, evaluated=True):
    """Write logs/<algorithm>/<environment>_<counter> of rl-baselines3-zoo, with arguments as a dumped OrderedDict."""
    run = folder / algorithm / f"{environment}_{counter}"
    write_monitor(run / "0.monitor.csv", [(score, 10, 1.0), (score + 1, 10, 3.0)], environment)
    write_monitor(run / "1.monitor.csv", [(score + 2, 5, 2.0)], environment)
    if evaluated:
        write_evaluations(run / "evaluations.npz", [10, 20], [[score, score + 2], [score + 1, score + 3]])
    arguments = run / environment / "args.yml"
    arguments.parent.mkdir()
    pairs = {"algo": algorithm, "env": environment, **({} if seed is None else {"seed": seed})}
    listed = "".join(f"  - - {key}\n    - {value}\n" for key, value in pairs.items())
    arguments.write_text("!!python/object/apply:collections.OrderedDict\n- " + listed.lstrip())
    (run / environment / "config.yml").write_text("!!python/object/apply:os.system\n- touch /nowhere/at/all\n")
    (run / environment / "vecnormalize.pkl").write_bytes(pickle.dumps(json.JSONDecoder))


def write_json_lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_json(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def write_text(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def write_log(folder, text, seed=1):
    write_text(folder / "ppo" / "Ant" / str(seed) / "log.csv", text)


def write_pickle(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(content, protocol=pickle.HIGHEST_PROTOCOL))
