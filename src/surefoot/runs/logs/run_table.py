"""Create the table of runs that `surefoot.read_runs` returns, from the chosen points, and summarize such tables."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from surefoot.errors import InputError
from surefoot.runs.columns.arguments import types_checked
from surefoot.runs.columns.run_names import named_run
from surefoot.runs.columns.run_tables import check_runs, trainings_apart
from surefoot.runs.logs.logged_curves import Reading
from surefoot.runs.logs.naming import NAMES, plain_run

_RUN = list(NAMES)
_FEWEST_SCORES = 3
"""Smallest number of different scores with which equal curves are very unlikely to be due to chance."""
COLUMNS = ("algorithm", "environment", "run", "step", "score", "kind", "episodes", "source")


def metric_names(points: pd.DataFrame) -> dict[str, str]:
    """Return the name under which each algorithm logs its score, or all names if there are several."""
    each = points.drop_duplicates(["algorithm", "metric"]).groupby("algorithm", observed=True, sort=False)
    return {str(name): ", ".join(sorted(map(str, metrics))) for name, metrics in each["metric"]}


def refuse_doubles(points: pd.DataFrame, reading: Reading) -> None:
    """Raise an InputError if two curves have the same run, metric and (if read) hyperparameters."""
    if points["curve"].iloc[0] == points["curve"].iloc[-1]:
        return
    keys = [*_RUN, *reading.hyperparameters, "metric"]
    each = points.drop_duplicates([*keys, "curve"])
    for row in each[each.duplicated(keys)][:1].itertuples():
        first = each[(each[keys] == [getattr(row, key) for key in keys]).all(axis=1)].iloc[0]
        what = f"{row.algorithm} in {row.environment} has run {row.run} twice: {first['source']} and {row.source}"
        hint = (
            "choose one with --files or move the other out of the folder, or distinguish them with {run} in --pattern, "
            "or with --hyperparameters if these differ"
        )
        raise InputError(str(reading.root), what, hint)


def run_table(points: pd.DataFrame, several: bool, hyperparameters: Sequence[str]) -> pd.DataFrame:
    """Return the table of all points, sorted by run, with hyperparameters, and a column metric if `several`."""
    points = points.assign(run=points["run"].cat.remove_unused_categories())
    run = points["run"].map(plain_run)
    if points.assign(plain=run).drop_duplicates(_RUN).duplicated([*_RUN[:2], "plain"]).any():
        run = points["run"]
    # Keep names such as 07 and 7 as strings, since they are distinct.
    are_numbers = all(
        name.isascii() and name.isdigit() and len(name) < 19 and str(int(name)) == name for name in run.unique()
    )
    of_curves = ["kind", "source", *(["metric"] if several else [])]
    keys = [*_RUN, *of_curves[2:], *hyperparameters, *(["step"] if "step" in points else [])]
    table = points.assign(run=run.astype(np.int64 if are_numbers else str))
    table = table.sort_values(keys, kind="stable", ignore_index=True)
    table = table[[name for name in (*COLUMNS, *of_curves[2:], *hyperparameters) if name in table]]
    return table.astype(dict.fromkeys([*_RUN[:2], *of_curves], str))


def remark_on_equal_runs(table: pd.DataFrame, hyperparameters: Sequence[str]) -> str:
    """Return a remark if runs of one environment have bitwise equal curves, or ""."""
    if "step" not in table:
        return ""
    names = [name for name in (*_RUN, "metric", *hyperparameters) if name in table]
    curves = pd.util.hash_pandas_object(table[["step", "score"]], index=False)
    groups = table[[*names, "score"]].assign(curve=curves).groupby(names, sort=False)
    runs = groups.agg(curve=("curve", "sum"), scores=("score", "nunique")).reset_index()
    runs = runs[runs["scores"] >= _FEWEST_SCORES]
    equal = runs[runs.duplicated(["environment", "curve"], keep=False)]
    if equal.empty:
        return ""
    both = equal[equal["curve"] == equal["curve"].iloc[0]][:2]
    first, second = map(named_run, both.to_dict("records"))
    return (
        f"{len(equal):,} runs have the same scores as another run, to the last digit, such as {first}, and {second}: "
        "either a file was copied, or a seed was used twice"
    )


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
