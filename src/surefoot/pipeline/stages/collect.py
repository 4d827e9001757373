"""collect: the run table of a study, from its simulations or a score table; or published tables."""

from pathlib import Path

import pandas as pd

from surefoot.pipeline.job import Task


def run(task: Task) -> None:
    """Write the run table (algorithm, environment, run, score, cell), or each published table of the job.

    Of Bayesian agents, all plays or the best.
    """
    if "published" in task.settings:
        _published(task)
        return
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
    if "rows" in task.settings:
        runs = _simulated(task)
    else:
        from surefoot.pipeline.score_table import read_score_table

        runs = read_score_table(task.inputs["table"], task.settings)
    runs.to_parquet(task.outputs["runs"], index=False)


def _published(task: Task) -> None:
    from surefoot.pipeline.published.collecting import collect_published
    from surefoot.pipeline.published.sources import KEPT, Source

    for table, how in task.settings["published"].items():
        given: dict[str, Path] = {name: task.inputs[key] for name, key in how["given"].items()}
        path = task.outputs[table]
        address = {"address": how["address"]} if "address" in how else {}
        sources, games = [Source(*source) for source in how["files"]], task.inputs.get(KEPT.get(table))
        collected = collect_published(table, path.parent, given, sources, games, task.unit, **address)
        collected.to_parquet(path, index=False)


def _simulated(task: Task) -> pd.DataFrame:
    simulated = pd.concat([pd.read_parquet(path) for path in task.inputs.values()], ignore_index=True)
    cells = dict(list(simulated.groupby(["algorithm", "environment"], sort=False)))
    parts = []
    for algorithm, environment, cell, trials in task.settings["rows"]:
        part = cells[cell, environment].sort_values("run").head(trials)
        parts.append(part.assign(algorithm=algorithm, cell=cell))
    return pd.concat(parts, ignore_index=True)[["algorithm", "environment", "run", "score", "cell"]]
