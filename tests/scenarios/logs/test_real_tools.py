"""Folders that the tools themselves write: each is made here where the tool is installed, and skipped where it is not.

None of them is among the requirements of the tests, being large; they are installed by hand, such as by
``pip install stable-baselines3 tianshou hydra-core id-marl-eval dm-acme tensorboard wandb mlflow-skinny lightning``.
"""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest
from support.read_folders import BY_FOLDERS, read_folder, rows

HYDRA_JOB = """
import hydra
from pathlib import Path

@hydra.main(version_base=None, config_path=None, config_name="config")
def main(config):
    folder = Path(hydra.core.hydra_config.HydraConfig.get().runtime.output_dir)
    lines = ['#{"t_start": 1.0, "env_id": "%s"}' % config.env.id, "r,l,t", f"{10 * config.seed},5,1.0"]
    (folder / "monitor.csv").write_text("\\n".join(lines) + "\\n")

hydra.core.config_store.ConfigStore.instance().store(
    "config", {"seed": 0, "env": {"id": "Ant-v4"}, "agent": {"name": "sac"}}
)
main()
"""


def tool(name):
    """The module of a tool, or a skip that names it."""
    return pytest.importorskip(name, reason=f"{name} is not installed", exc_type=ImportError)


MAY_LACK = {
    "rl_zoo3": ("ModuleNotFoundError",),
    "tianshou": ("ModuleNotFoundError",),
    "acme": ("ModuleNotFoundError", "ImportError"),
}
"""Tools that pip installs without all that they import, by the errors of that; of any other tool this is a failure."""


def run_tool(name, *arguments, **options):
    """Run Python with these arguments, or a skip where the tool is not installed."""
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    command = [sys.executable, "-W", "ignore", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if any(error in done.stderr for error in MAY_LACK.get(name, ())):
        pytest.skip(f"{name} is installed without what it needs: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def stable_baselines3(tmp_path_factory):
    """Trainings with two workers, evaluations, a logger of CSV and of event files: <algorithm>/<environment>/<seed>."""
    root = tmp_path_factory.mktemp("stable_baselines3")
    code = f"""
from stable_baselines3 import A2C, PPO
from stable_baselines3.common.callbacks import EvalCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.logger import configure

for algorithm, options in ((PPO, dict(n_steps=64, batch_size=32, n_epochs=1)), (A2C, dict())):
    for seed in (1, 2):
        folder = "{root}/" + algorithm.__name__ + f"/CartPole-v1/{{seed}}"
        training = make_vec_env("CartPole-v1", 2, seed=seed, monitor_dir=folder)
        model = algorithm("MlpPolicy", training, seed=seed, device="cpu", **options)
        model.set_logger(configure(folder, ["csv", "tensorboard"]))
        evaluation = EvalCallback(
            make_vec_env("CartPole-v1", 1, seed=9), n_eval_episodes=3, log_path=folder, eval_freq=100, verbose=0
        )
        model.learn(512, callback=evaluation)
        training.close()
"""
    run_tool("stable_baselines3", "-c", code)
    return root


def test_stable_baselines3_writes_what_is_read(stable_baselines3):
    first = read_folder(stable_baselines3)
    assert first.format == "stable_baselines3_evaluations" and set(first.table["kind"]) == {"eval"}
    assert f'--pattern "{BY_FOLDERS.replace("{environment}", "{}")}"' in first.remarks[0]
    files = {
        name: read_folder(stable_baselines3, format=f"stable_baselines3_{name}", pattern=BY_FOLDERS).table
        for name in ("monitor", "evaluations", "progress")
    }
    for table in files.values():
        assert set(rows(table, "algorithm", "environment", "run")) == {
            (name, "CartPole-v1", seed) for name in ("A2C", "PPO") for seed in (1, 2)
        }
    assert first.table.equals(files["evaluations"])
    for (algorithm, seed), table in files["evaluations"].groupby(["algorithm", "run"]):
        kept = np.load(stable_baselines3 / algorithm / "CartPole-v1" / str(seed) / "evaluations.npz")
        assert table["step"].tolist() == kept["timesteps"].tolist() == [200, 400]
        assert table["score"].tolist() == kept["results"].mean(axis=1).tolist()
        assert set(table["episodes"]) == {3}
    # The logger's evaluations are the same numbers, with five digits, and what it calls steps is what is read as steps.
    pairs = [files[name].set_index(["algorithm", "run", "step"])["score"] for name in ("progress", "evaluations")]
    both = pairs[0].to_frame("logger").join(pairs[1], how="inner")
    assert len(both) == len(pairs[0]) > 0 and np.allclose(both["logger"], both["score"], rtol=1e-5)


def test_monitor_files_have_the_steps_of_stable_baselines3(stable_baselines3):
    results_plotter = tool("stable_baselines3.common.results_plotter")
    monitor = tool("stable_baselines3.common.monitor")
    table = read_folder(stable_baselines3, format="stable_baselines3_monitor", pattern=BY_FOLDERS).table
    for (algorithm, seed), ours in table.groupby(["algorithm", "run"]):
        loaded = monitor.load_results(str(stable_baselines3 / algorithm / "CartPole-v1" / str(seed)))
        steps, scores = results_plotter.ts2xy(loaded, "timesteps")
        assert ours["step"].tolist() == steps.tolist() and ours["score"].tolist() == scores.tolist()


def test_event_files_of_stable_baselines3_have_what_its_csv_has(stable_baselines3):
    tool("tensorboard")
    options = {"pattern": BY_FOLDERS, "score_kind": "train"}
    events = read_folder(stable_baselines3, format="tensorboard", **options).table
    logged = read_folder(stable_baselines3, format="stable_baselines3_progress", **options).table
    assert rows(events, "algorithm", "run", "step") == rows(logged, "algorithm", "run", "step")
    assert np.allclose(events["score"], logged["score"], rtol=1e-6)


def test_the_zoo_writes_what_is_read(tmp_path):
    for seed in (7, 8):
        command = f"--algo ppo --env CartPole-v1 -n 300 --eval-freq 100 --eval-episodes 2 --seed {seed}"
        command += f" --n-eval-envs 1 -f {tmp_path}/logs -params n_envs:2 n_steps:64"
        run_tool("rl_zoo3", "-m", "rl_zoo3.train", *command.split(), cwd=tmp_path)
    found = read_folder(tmp_path)
    assert found.format == "zoo" and set(found.table["episodes"]) == {2}
    runs = rows(found.table.drop_duplicates("run"), "algorithm", "environment", "run", "source")
    assert runs == [
        ("ppo", "CartPole-v1", seed, f"logs/ppo/CartPole-v1_{place}/evaluations.npz")
        for place, seed in ((1, 7), (2, 8))
    ]
    train = read_folder(tmp_path, score_kind="train").table
    assert set(train["run"]) == {7, 8} and set(train["kind"]) == {"train"}


def test_an_appended_monitor_file_of_the_real_tool(tmp_path):
    code = f"""
import gymnasium
from stable_baselines3.common.monitor import Monitor
for override in (True, False):
    environment = Monitor(gymnasium.make("CartPole-v1"), "{tmp_path}/ppo/1/monitor.csv", override_existing=override)
    for episode in range(3):
        environment.reset(seed=episode)
        done = False
        while not done:
            _, _, terminated, truncated, _ = environment.step(0)
            done = terminated or truncated
    environment.close()
"""
    run_tool("stable_baselines3", "-c", code)
    found = read_folder(tmp_path, pattern="{algorithm}/{seed}")
    assert len(found.table) == 6 and found.table["environment"].unique().tolist() == ["CartPole-v1"]
    assert found.table["score"].tolist()[:3] == found.table["score"].tolist()[3:]
    assert found.table["step"].tolist() == found.table["score"].cumsum().tolist(), "a point for each step"
    assert "were appended to" in found.remarks[0]


def test_cleanrls_writer_of_pytorch(tmp_path):
    """The lines of CleanRL's scripts that log, with PyTorch's writer."""
    tool("tensorboard")
    code = f"""
from torch.utils.tensorboard import SummaryWriter
for seed in (1, 2):
    run = f"ALE/Pong-v5__dqn_atari__{{seed}}__170000000{{seed}}"
    writer = SummaryWriter("{tmp_path}/runs/" + run)
    arguments = dict(env_id="ALE/Pong-v5", exp_name="dqn_atari", seed=seed)
    writer.add_text(
        "hyperparameters",
        "|param|value|\\n|-|-|\\n%s" % ("\\n".join([f"|{{key}}|{{value}}|" for key, value in arguments.items()])),
    )
    for step in range(0, 500, 100):
        writer.add_scalar("charts/episodic_return", step * seed, step)
        writer.add_scalar("losses/td_loss", 0.5, step)
    for index in range(4):
        writer.add_scalar("eval/episodic_return", 21.0, index)
    writer.close()
"""
    run_tool("torch", "-c", code)
    found = read_folder(tmp_path / "runs")
    assert found.format == "cleanrl"
    assert rows(found.table, "algorithm", "environment", "run", "step", "score", "episodes", "kind") == [
        ("dqn_atari", "ALE/Pong-v5", seed, 400, 21.0, 4, "eval") for seed in (1, 2)
    ]
    train = read_folder(tmp_path / "runs", score_kind="train").table
    assert train.loc[train["run"] == 2, "score"].tolist() == [0.0, 200.0, 400.0, 600.0, 800.0]


def test_the_logger_of_tianshou(tmp_path):
    tool("tensorboard")
    code = f"""
from torch.utils.tensorboard import SummaryWriter
from tianshou.utils import TensorboardLogger
for seed in (0, 1):
    logger = TensorboardLogger(SummaryWriter(f"{tmp_path}/CartPole-v1/dqn/{{seed}}"), training_interval=1)
    for step in (100, 200):
        result = dict(returns_stat=dict(mean=step * 1.0 + seed, std=1.0), lens_stat=dict(mean=9.0))
        logger.log_training_data(result, step - 50)
        logger.log_test_data(result, step)
    logger.finalize()
"""
    run_tool("tianshou", "-c", code)
    found = read_folder(tmp_path, pattern="{environment}/{algorithm}/{seed}")
    assert found.format == "tianshou"
    assert rows(found.table, "run", "step", "score", "kind") == [
        (seed, step, step + seed, "eval") for seed in (0, 1) for step in (100, 200)
    ]
    train = read_folder(tmp_path, pattern="{environment}/{algorithm}/{seed}", score_kind="train").table
    assert train["step"].tolist() == [50, 150] * 2


def test_the_json_logger_of_marl_eval(tmp_path):
    """Its module alone: the package's other tools need a client of Neptune."""
    package = importlib.util.find_spec("marl_eval")
    if package is None:
        pytest.skip("marl_eval is not installed")
    path = f"{package.submodule_search_locations[0]}/json_tools/json_logger.py"
    spec = importlib.util.spec_from_file_location("json_logger", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for algorithm in ("ippo", "mappo"):
        for seed in (0, 1):
            logger = module.JsonLogger(f"{tmp_path}/json/{algorithm}/2024", algorithm, "3m", "smax", seed)
            for evaluation, step in enumerate((1000, 2000)):
                logger.write(step, "mean_episode_return", 10.0 * seed + evaluation, evaluation)
            logger.write(2000, "mean_episode_return", 99.0, is_absolute_metric=True)
    found = read_folder(tmp_path)
    assert found.format == "marl_eval"
    assert rows(found.table, "algorithm", "environment", "run", "step", "score") == [
        (name, "smax/3m", seed, 1000 * (place + 1), 10.0 * seed + place)
        for name in ("ippo", "mappo")
        for seed in (0, 1)
        for place in (0, 1)
    ]
    absolute = read_folder(tmp_path, score_kind="absolute").table
    assert rows(absolute, "step", "score") == [(2000, 99.0)] * 4


def test_the_csv_logger_of_acme(tmp_path):
    code = f"""
from acme.utils.loggers.csv import CSVLogger
for seed in (1, 2):
    for label in ("actor", "evaluator"):
        logger = CSVLogger(f"{tmp_path}/d4pg/walker/{{seed}}", label, add_uid=False)
        for step in (100, 200):
            logger.write(dict(episode_return=step * seed + (label == "actor"), episode_length=10, actor_steps=step))
            logger.write(dict(episode_return=step * seed + (label == "actor"), actor_steps=step, more=3))
        logger.close()
"""
    run_tool("acme", "-c", code)
    found = read_folder(tmp_path, pattern=BY_FOLDERS)
    assert found.format == "acme"
    assert rows(found.table, "run", "step", "score", "episodes") == [
        (seed, step, step * seed, 2) for seed in (1, 2) for step in (100, 200)
    ]


def test_a_multirun_of_hydra(tmp_path):
    (tmp_path / "job.py").write_text(HYDRA_JOB)
    run_tool("hydra", "job.py", "-m", "seed=1,2", "agent.name=sac,td3", cwd=tmp_path)
    found = read_folder(tmp_path / "multirun")
    assert found.format == "stable_baselines3_monitor"
    assert rows(found.table, "algorithm", "environment", "run", "score") == [
        (name, "Ant-v4", seed, 10.0 * seed) for name in ("sac", "td3") for seed in (1, 2)
    ]


LOGGED = {(name, seed): [seed + 1.25, 2.5 * seed, 7.0] for name in ("ppo", "sac") for seed in (1, 2)}
LOGGING = """
runs = {runs!r}
for (name, seed), scores in runs.items():
    config = dict(env_id="Hopper-v4", algo=name, seed=seed)
"""
LOGGERS = {
    "wandb": """
    import wandb
    run = wandb.init(mode="offline", dir=root, config=config, name=f"{name}_{seed}")
    for at, score in enumerate(scores):
        run.log({"global_step": 1000 * at, "eval/mean_reward": score, "loss": 0.5})
    run.finish()
""",
    "mlflow": """
    import mlflow, os
    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    mlflow.set_tracking_uri(uri)
    with mlflow.start_run(run_name=f"{name}_{seed}"):
        mlflow.log_params(config)
        for at, score in enumerate(scores):
            mlflow.log_metric("eval/mean_reward", score, step=1000 * at)
            mlflow.log_metric("loss", 0.5, step=1000 * at)
""",
    "lightning": """
    from lightning.pytorch.loggers import CSVLogger
    logger = CSVLogger(root, name=f"{name}_{seed}")
    logger.log_hyperparams(config)
    for at, score in enumerate(scores):
        logger.log_metrics({"loss": 0.5}, step=1000 * at + 1)
        logger.log_metrics({"eval/return": score}, step=1000 * at)
    logger.save()
""",
}


@pytest.mark.parametrize("name", [*LOGGERS, "mlflow.db"])
def test_loggers_of_any_training(tmp_path, name):
    module = name.partition(".")[0]
    uri = f"sqlite:///{tmp_path}/mlflow.db" if name == "mlflow.db" else f"file:{tmp_path}/mlruns"
    code = f"root, uri = {str(tmp_path)!r}, {uri!r}\n{LOGGING.format(runs=LOGGED)}{LOGGERS[module]}"
    run_tool(module, "-c", code)
    found = read_folder(tmp_path)
    assert found.format == {"wandb": "wandb_folders", "lightning": "run_files"}.get(name, "mlflow")
    assert rows(found.table, "algorithm", "environment", "run", "step", "score") == [
        (algorithm, "Hopper-v4", seed, 1000 * at, score)
        for (algorithm, seed), scores in LOGGED.items()
        for at, score in enumerate(scores)
    ]
