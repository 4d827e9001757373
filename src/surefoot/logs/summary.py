"""What was found in a folder of runs, in a few lines, and by how much the selected maximum of each algorithm is
biased."""

import math
from typing import Any

import numpy as np
import pandas as pd

from surefoot.columns import check_runs
from surefoot.curves.scores import selection_bias

UNIT_OF_ONE = "in units of the score"
UNIT_OF_SEVERAL = "on the scale from the lowest (0) to the highest (1) maximum of a run in its environment"


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
    check_runs("table", table)
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


def selection_bias_of_algorithms(curves: pd.DataFrame, confidence: float = 0.95) -> dict[str, dict[str, Any]]:
    """The selection bias of each algorithm, with an interval over runs.

    Of each environment it is what `surefoot.selection_bias` estimates, over several environments their mean, each
    divided by the range of the maxima of all runs in the environment. The interval is Student's with the degrees of
    freedom of Welch and Satterthwaite, since environments differ in their spread.

    Parameters
    ----------
    curves : one row per run and step: algorithm, environment, run, step, score
    confidence : of the interval

    Returns
    -------
    {algorithm: {"bias", "low", "high", "unit"}}, without limits where some environment has a single run; algorithms
    without a run of three evaluations are left out
    """
    best = curves.groupby(["algorithm", "environment", "run"], sort=False, observed=True)["score"].max()
    ranges = best.groupby("environment", sort=False).agg(lambda values: values.max() - values.min())
    several = len(ranges) > 1
    found = {}
    for name, part in curves.groupby("algorithm", sort=False, observed=True):
        if part.groupby(["environment", "run"], observed=True).size().max() < 3:
            continue
        table = selection_bias(part)
        scale = ranges[table["environment"]].to_numpy(np.float64) if several else np.ones(len(table))
        there = scale > 0
        if not there.any():
            continue
        biases, errors = (table[column].to_numpy()[there] / scale[there] for column in ("bias", "standard_error"))
        bias, low, high = _interval(biases, errors, table["runs"].to_numpy()[there], confidence)
        one: dict[str, Any] = {"bias": bias} | ({} if math.isnan(low) else {"low": low, "high": high})
        found[str(name)] = one | {"unit": UNIT_OF_SEVERAL if several else UNIT_OF_ONE}
    return found


def _interval(
    biases: np.ndarray, errors: np.ndarray, runs: np.ndarray, confidence: float
) -> tuple[float, float, float]:
    """(Mean over environments, limits) of biases with standard errors over so many runs."""
    from scipy.special import stdtrit

    bias, variances = float(biases.mean()), errors**2
    if np.isnan(variances).any():
        return bias, math.nan, math.nan
    error = math.sqrt(variances.sum()) / biases.size
    if error == 0:
        return bias, bias, bias
    freedom = variances.sum() ** 2 / (variances**2 / (runs - 1)).sum()
    half = float(stdtrit(freedom, 0.5 + confidence / 2)) * error
    return bias, bias - half, bias + half
