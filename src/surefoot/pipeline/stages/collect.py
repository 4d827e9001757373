"""collect: the run table of a study, from its simulations or from a score table."""

import pandas as pd

from surefoot.pipeline.job import Task
from surefoot.pipeline.score_table import read_score_table


def run(task: Task) -> None:
    """Write the run table: algorithm, environment, run, score, cell; of Bayesian agents, all plays or the best."""
    if "agents" in task.settings:
        tables = [pd.read_parquet(task.inputs[agent]) for agent in task.settings["agents"]]
        pd.concat(tables, ignore_index=True).to_parquet(task.outputs["runs"], index=False)
        return
    if "best" in task.settings:
        from surefoot.statistics.plays import best_runs

        best_runs(pd.read_parquet(task.inputs["plays"]), **task.settings["best"]).to_parquet(
            task.outputs["runs"], index=False
        )
        return
    simulated = "rows" in task.settings
    runs = _simulated(task) if simulated else read_score_table(task.inputs["table"], task.settings)
    runs.to_parquet(task.outputs["runs"], index=False)


def _simulated(task: Task) -> pd.DataFrame:
    simulated = pd.concat([pd.read_parquet(path) for path in task.inputs.values()], ignore_index=True)
    cells = dict(list(simulated.groupby(["algorithm", "environment"], sort=False)))
    parts = []
    for algorithm, environment, cell, trials in task.settings["rows"]:
        part = cells[cell, environment].sort_values("run").head(trials)
        parts.append(part.assign(algorithm=algorithm, cell=cell))
    return pd.concat(parts, ignore_index=True)[["algorithm", "environment", "run", "score", "cell"]]
