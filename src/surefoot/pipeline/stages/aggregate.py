"""aggregate: point values and the weights behind them, and analyses of what they rest on."""

import pandas as pd

from surefoot.pipeline.job import Task


def run(task: Task) -> None:
    """Write the aggregates of every algorithm and the weight of every environment and opponent, or an analysis."""
    if "analysis" in task.settings:
        from surefoot.pipeline.reading import read_table

        tables = {name: read_table(path) for name, path in task.inputs.items()}
        _analysis(tables, task.settings).to_csv(task.outputs["values"], index=False)
        return
    from surefoot.statistics.aggregation import aggregate

    runs, normalized = pd.read_parquet(task.inputs["runs"]), pd.read_parquet(task.inputs["normalized"])
    values, weights = aggregate(runs, normalized, task.settings["method"])
    values.to_csv(task.outputs["values"], index=False)
    weights.to_csv(task.outputs["weights"], index=False)


def _analysis(tables: dict[str, pd.DataFrame], settings: dict) -> pd.DataFrame:
    analysis = settings["analysis"]
    if analysis in ("agents", "time_bounds"):
        from surefoot.statistics import plays

        if analysis == "agents":
            return plays.agent_table(tables["runs"])
        return plays.time_bounds(tables["runs"][~tables["runs"]["algorithm"].isin(settings["left_out"])])
    if analysis == "exploits":
        from surefoot.statistics.exploits import exploit

        policies = tables.get("random_policies")
        references = None if policies is None else dict(list(policies.groupby("environment", sort=False)["score"]))
        return exploit(tables["runs"], settings["seed"], settings["copies"], references)
    if analysis == "alpha_rank":
        from surefoot.statistics.alpha_rank import alpha_sweep

        return alpha_sweep(tables["runs"], settings["alphas"])
    if analysis == "run_percentiles":
        from surefoot.statistics.run_percentiles import percentile_quantiles

        return percentile_quantiles(tables["runs"], tables["weights"])
    from surefoot.statistics import tuning

    if analysis == "tuning":
        section = settings["tuning"]
        numbers = {key: section[key] for key in ("candidates", "tuning_runs", "reported_runs", "repetitions")}
        return tuning.procedure_table(tables["same_hyperparameters"], **numbers, seed=settings["seed"])
    return tuning.best_of_candidates(tables["runs"], settings["candidates"])
