"""What was found in a folder of runs, in a few lines."""

import pandas as pd

from surefoot.curves.columns import refuse_missing


def what_was_found(table: pd.DataFrame) -> pd.DataFrame:
    """What a table of runs contains: one row per algorithm, kind and metric.

    Parameters
    ----------
    table : as `surefoot.read_runs` returns it: one row per run and step

    Returns
    -------
    a table with the columns format, algorithm, environments and runs (their numbers), fewest_runs and most_runs (of any
    environment), kind, metric if there is one, points (rows), episodes (in all) and, if there are steps,
    last_step_of_shortest and last_step_of_longest (the last environment steps of the shortest and the longest run)

    Raises
    ------
    HintedError : the table lacks a column

    Source: counted from the rows.
    """
    refuse_missing("table", table, ("algorithm", "environment", "run", "score"))
    format = table.attrs.get("format", "table")
    table = pd.DataFrame(dict(table.items()))  # without attrs, which pandas copies for each group
    groups = ["algorithm", *(name for name in ("kind", "metric") if name in table.columns)]
    rows = []
    for key, part in table.groupby(groups, sort=False, observed=True):
        runs = part.groupby(["environment", "run"], sort=False, observed=True)
        of_environment = part.drop_duplicates(["environment", "run"]).groupby("environment", observed=True).size()
        row = {"format": format, **dict(zip(groups, key, strict=True))}
        row |= {"environments": len(of_environment), "runs": int(of_environment.sum())}
        row |= {"fewest_runs": int(of_environment.min()), "most_runs": int(of_environment.max()), "points": len(part)}
        if "episodes" in part.columns:
            row["episodes"] = int(part["episodes"].sum())
        if "step" in part.columns:
            last = runs["step"].max()
            row |= {"last_step_of_shortest": last.min(), "last_step_of_longest": last.max()}
        rows.append(row)
    return pd.DataFrame(rows)
