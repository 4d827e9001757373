"""Name the best algorithm of a table of estimates, together with all those that are tied with it."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from scipy.special import ndtri, stdtridf

from surefoot.rounding import joined
from surefoot.statistics.arrays import Booleans, Floats

_MANY = 1e6  # degrees of freedom of a normal error


def tied_with_best(
    table: pd.DataFrame, *, lower_is_better: bool = False, confidence: float = 0.95, seed: int = 0
) -> Booleans:
    """Return which rows are tied with the best, by the comparisons of all pairs of `multiple_comparisons`.

    Parameters
    ----------
    table : DataFrame
        One row for each algorithm, with columns value, low, high (of an interval at `confidence`), runs, tasks, and
        optionally standard_error and method.
    lower_is_better : bool, default False
        If True, the row with the least value is the best.
    confidence : float, default 0.95
        Confidence level of the intervals, and of the comparisons.
    seed : int, default 0
        Seed of the joint distribution of the errors.

    Returns
    -------
    ndarray of bool
        One for each row. The best is tied with itself.

    Notes
    -----
    A standard error by Student's method is taken with the degrees of freedom that its interval has. Any other one is of
    resamples of runs, so it is widened by the square root of n / (n - 1), and has n - 1 degrees of freedom for each
    task.
    """
    from surefoot.statistics.comparison.differences import student_pairs
    from surefoot.statistics.comparison.multiple_comparisons import compare_estimates, not_worse

    values = table["value"].to_numpy(np.float64)
    if len(values) < 2:
        return np.ones(len(values), dtype=bool)
    errors, degrees = _errors(table, confidence)
    pairs = student_pairs(values, errors, degrees)
    found = compare_estimates(pairs, errors, degrees, confidence, seed)
    return not_worse(pairs, found, lower_is_better)


def best_of_each(means: pd.DataFrame, confidence: float = 0.95, seed: int = 0) -> pd.DataFrame:
    """Return the rows with the best mean of each environment, and those tied with it there, the best first.

    Parameters
    ----------
    means : DataFrame
        An answer of `task_means`. Where it has a column lower_is_better, the least mean of such an environment is best.
    confidence : float, default 0.95
        Confidence level of the comparisons within each environment.
    seed : int, default 0
        Seed of the joint distribution of the errors.
    """
    error = means["standard_deviation"] / np.sqrt(means["runs"])
    lower = means.get("lower_is_better", pd.Series(False, means.index)).astype(bool)
    height = means["mean"].where(~lower, -means["mean"])
    low = means["low"].where(~lower, -means["high"])
    high = means["high"].where(~lower, -means["low"])
    table = means.assign(value=height, low=low, high=high, tasks=1, standard_error=error, method="student")
    parts = []
    for _, part in table.sort_values("value", ascending=False, kind="stable").groupby("environment", sort=False):
        parts.append(means.loc[part.index[tied_with_best(part, confidence=confidence, seed=seed)]])
    return pd.concat(parts)


def best_sentence(
    titles: Sequence[str], tied: Sequence[bool] | Booleans, what: str, listed: Callable[[list[str]], str] = joined
) -> str:
    """Return a sentence without its full stop that names the best, and those tied with it.

    Parameters
    ----------
    titles : sequence of str
        Names of the algorithms, the best first.
    tied : sequence of bool
        Whether each of them is tied with the best.
    what : str
        What they are best by, such as "IQM after 200 million frames".
    listed : callable, default `joined`
        Writes a list of names.

    Returns
    -------
    str
        Such as "SPR has the best IQM" or "DreamerV2 and M-IQN are tied for the best IQM".
    """
    named = [title for title, is_tied in zip(titles, tied, strict=True) if is_tied] or list(titles[:1])
    if len(named) > 1:
        return f"{listed(named)} are tied for the best {what}"
    return f"{listed(named)} has the best {what}"


def _errors(table: pd.DataFrame, confidence: float) -> tuple[Floats, Floats]:
    """Standard errors of the values, and their degrees of freedom."""
    tail = (1.0 + confidence) / 2.0
    # Student's intervals reach further on a side where percentile limits do.
    sides = [table["value"] - table["low"], table["high"] - table["value"]]
    reach = np.minimum(*(side.to_numpy(np.float64) for side in sides))
    runs = table["runs"].to_numpy(np.float64)
    degrees = np.maximum(runs - 1.0, 1.0) * table["tasks"].to_numpy(np.float64)
    widened = np.sqrt(runs / np.maximum(runs - 1.0, 1.0))
    resampled = table.get("standard_error", pd.Series(reach / ndtri(tail), table.index)).to_numpy(np.float64)
    is_student = (table.get("method", pd.Series("", table.index)) == "student").to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        quantile = reach / resampled
        of_interval = stdtridf(tail, quantile)
    degrees = np.where(is_student, np.nan_to_num(of_interval, nan=_MANY, posinf=_MANY), degrees)
    return np.where(is_student, resampled, widened * resampled), np.clip(degrees, 1.0, _MANY)
