"""Summarize a table of runs."""

import pandas as pd

from surefoot.runs.columns.arguments import types_checked
from surefoot.runs.columns.run_tables import check_runs, trainings_apart


@types_checked
def summarize_runs(table: pd.DataFrame) -> pd.DataFrame:
    r"""Summarize a table of runs, with one row per algorithm, kind and metric.

    Parameters
    ----------
    table : DataFrame
        As returned by `surefoot.read_runs`: one row per run and step.

    Returns
    -------
    DataFrame
        A table with the columns format, algorithm, environments and runs (their numbers), min_runs and max_runs (the
        extremes over environments), kind, metric if the table has this column, points (rows), episodes (in total) and,
        if there are steps, last_step_of_shortest and last_step_of_longest (last environment step of the shortest and
        the longest run).

    Raises
    ------
    HintedError
        If a column is missing.

    Notes
    -----
    Source: counted from the rows.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from surefoot import read_runs, summarize_runs
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "scores.csv")
    ...     _ = path.write_text("algorithm,environment,seed,step,return\nppo,maze,0,100,1.5\nppo,maze,1,100,2.5\n")
    ...     runs = read_runs(path)
    >>> summarize_runs(runs)[["algorithm", "environments", "min_runs", "max_runs", "points"]]
      algorithm  environments  min_runs  max_runs  points
    0       ppo             1         2         2       2
    """
    check_runs("table", table)
    table = trainings_apart(table)
    groups = ["algorithm", *(name for name in ("kind", "metric") if name in table.columns)]
    rows = table.groupby(groups, sort=False, observed=True)
    ends = table[["environment", "run", *groups]].assign(last=table.get("step", 0))
    runs = ends.groupby([*groups, "environment", "run"], sort=False, observed=True)["last"].max()
    numbers = runs.groupby([*groups, "environment"], sort=False, observed=True).size()
    counts = {"environments": "size", "runs": "sum", "min_runs": "min", "max_runs": "max"}
    summary = numbers.groupby(groups, sort=False, observed=True).agg(**counts).assign(points=rows.size())
    if "episodes" in table.columns:
        summary["episodes"] = rows["episodes"].sum()
    if "step" in table.columns:
        ends = runs.groupby(groups, sort=False, observed=True).agg(["min", "max"])
        summary[["last_step_of_shortest", "last_step_of_longest"]] = ends
    summary = summary.reset_index()
    summary.insert(0, "format", table.attrs.get("format", "table"))
    summary.attrs = {}
    return summary
