"""Support for custom metrics (functions) in `aggregate_metrics`, with bootstrap intervals computed in plain numpy."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.metric_catalogue import Metric
from surefoot.statistics.runs.score_arrays import scores_of

Function = Callable[[Floats], float]
METHODS = ("percentile", "basic", "normal")
"""Interval methods for custom metrics; other methods are replaced by "percentile"."""
REMARK = "intervals of custom metrics (functions) are plain bootstrap intervals, which are too narrow for few runs"


def separate_functions(where: str, metrics: Any) -> tuple[list[Any], dict[str, Function]]:
    """Separate names of metrics from functions, and return both, with the functions as a dict by name.

    Parameters
    ----------
    where : name of the question in errors
    metrics : names and functions, a single function, or a dict of functions by name

    Raises
    ------
    HintedError
        If a function has no name, or two metrics have the same name.
    """
    if isinstance(metrics, Mapping):
        given = [(str(name), function) for name, function in metrics.items()]
    else:
        is_one = isinstance(metrics, str | Metric) or not isinstance(metrics, Iterable)
        given = [(getattr(one, "__name__", ""), one) for one in ([metrics] if is_one else metrics)]
    names = [member for _, member in given if not callable(member)]
    functions: dict[str, Function] = {}
    for name, function in given:
        if not callable(function):
            continue
        if not name or name in functions or name in names:
            what = f'two metrics have the name "{name}"' if name else "a function has no name"
            raise HintedError(f"{where}: metrics", what, 'pass functions by name, such as {"best run": numpy.max}')
        functions[name] = function
    return names, functions


def function_rows(
    sets: Mapping[str, pd.DataFrame], rows: pd.DataFrame, functions: Mapping[str, Function], values: Mapping[str, Any]
) -> pd.DataFrame:
    """Return the rows of custom metrics for the table of `aggregate_metrics`.

    Parameters
    ----------
    sets : tables of scores by name
    rows : rows of one named metric, one for each set and algorithm, from which the other columns are copied
    functions : functions by name
    values : arguments of the question

    Raises
    ------
    HintedError
        If tasks have different numbers of runs, or a function does not return a number.
    """
    from surefoot.statistics.resampling.replicate_intervals import interval
    from surefoot.statistics.runs.shared_run_findings import SHARED

    methods = list(dict.fromkeys(method if method in METHODS else METHODS[0] for method in values["methods"]))
    parts = []
    for row in rows.to_dict("records"):
        scores = _array(scores_of(sets[row["scores"]], row["algorithm"]), row["algorithm"])
        unit = "whole_runs" if row["shared_runs"] in SHARED else values["resample"]
        for name, function in functions.items():
            value = _number(function(scores), name)
            key = (values["seed"], f"{row['scores']}/{row['algorithm']}", name)
            drawn = np.array([_number(function(one), name) for one in _resamples(scores, unit, values, key)])
            for method in methods:
                low, high = interval(drawn, value, method, values["confidence_level"])
                found = {"metric": name, "method": method, "estimate": value, "low": float(low), "high": float(high)}
                found |= {"standard_error": float(drawn.std(ddof=1)), "n_resamples": drawn.size, "remark": REMARK}
                parts.append({**row, **found, "low_whole_runs": np.nan, "high_whole_runs": np.nan})
    return pd.DataFrame(parts)[list(rows.columns)]


def _array(by_task: Sequence[Floats], algorithm: str) -> Floats:
    """Return scores as an array, float64[runs, tasks], to which custom metrics can be applied."""
    sizes = sorted({len(scores) for scores in by_task})
    if len(sizes) > 1:
        what = f"{algorithm} has {sizes[0]} to {sizes[-1]} runs per task, but functions take arrays of runs x tasks"
        raise HintedError(
            "metrics", what, 'give each task the same number of runs, or use a named metric, such as "iqm"'
        )
    return np.array(by_task).T


def _number(value: Any, name: str) -> float:
    """Return the value of a function as a float.

    Raises
    ------
    HintedError
        If the value is not a finite number.
    """
    if np.ndim(value) or np.asarray(value).dtype.kind not in "biuf" or not np.isfinite(value):
        what = f"{name} returned {value!r:.60}, not a finite number"
        raise HintedError("metrics", what, "use a function of an array of runs x tasks, such as numpy.mean")
    return float(value)


def _resamples(scores: Floats, unit: str, values: Mapping[str, Any], key: tuple[Any, ...]) -> Any:
    """Yield resamples of scores, float64[runs, tasks].

    Parameters
    ----------
    unit : what to resample: "runs", "whole_runs" or "tasks_and_runs", as in `aggregate_metrics`
    values : arguments of the question
    key : seed and names that identify the random stream
    """
    from surefoot.statistics.resampling.array_draws import draw_few_indices
    from surefoot.streams import stream_key

    runs, tasks = scores.shape
    stream = stream_key(*key)
    columns = 1 if unit == "whole_runs" else tasks
    shape = (values["n_resamples"], runs, columns)
    drawn_runs = draw_few_indices(stream, 0, runs, int(np.prod(shape))).reshape(shape)
    drawn_tasks = np.broadcast_to(np.arange(tasks, dtype=np.uint32), (shape[0], tasks))
    if unit == "tasks_and_runs":
        drawn_tasks = draw_few_indices(stream, 1, tasks, drawn_tasks.size).reshape(drawn_tasks.shape)
    for of_runs, of_tasks in zip(drawn_runs, drawn_tasks, strict=True):
        yield scores[of_runs, of_tasks]
