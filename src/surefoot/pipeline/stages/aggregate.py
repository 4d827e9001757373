"""aggregate: point values and the weights behind them, and analyses of what they rest on."""

import pandas as pd

from surefoot.pipeline.job import Task


def run(task: Task) -> None:
    """Write the aggregates of every algorithm and the weight of every environment and opponent, or an analysis."""
    runs = pd.read_parquet(task.inputs["runs"])
    if "analysis" in task.settings:
        _analysis(runs, task.settings).to_csv(task.outputs["values"], index=False)
        return
    from surefoot.statistics.aggregation import aggregate

    normalized = pd.read_parquet(task.inputs["normalized"])
    values, weights = aggregate(runs, normalized, task.settings["method"])
    values.to_csv(task.outputs["values"], index=False)
    weights.to_csv(task.outputs["weights"], index=False)


def _analysis(runs: pd.DataFrame, settings: dict) -> pd.DataFrame:
    if settings["analysis"] in ("agents", "time_bounds"):
        from surefoot.statistics import plays

        if settings["analysis"] == "agents":
            return plays.agent_table(runs)
        return plays.time_bounds(runs[~runs["algorithm"].isin(settings["left_out"])])
    if settings["analysis"] == "exploits":
        from surefoot.statistics.exploits import exploit

        return exploit(runs, settings["seed"], settings["copies"])
    if settings["analysis"] == "alpha_rank":
        from surefoot.statistics.alpha_rank import alpha_sweep

        return alpha_sweep(runs, settings["alphas"])
    from surefoot.statistics.tuning import best_of_candidates

    return best_of_candidates(runs, settings["candidates"])
