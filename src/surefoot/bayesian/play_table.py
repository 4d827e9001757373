"""The table of a block of plays: one row per trajectory."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.bayesian.cells import Cell, play
from surefoot.bayesian.clock import describe_machine
from surefoot.bayesian.registry import parameters_text

FUNCTIONALS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda seconds: seconds.mean(axis=1),
    "median": lambda seconds: np.median(seconds, axis=1),
    "quantile_95": lambda seconds: np.quantile(seconds, 0.95, axis=1),
    "longest": lambda seconds: seconds.max(axis=1),
}


def play_table(
    arguments: Mapping[str, Any], known: Mapping[str, Any], first: int, number: int, options: Mapping[str, Any]
) -> pd.DataFrame:
    """Play a cell on the MDPs first..first+number-1.

    Parameters
    ----------
    arguments : those of `Cell`
    known : what the agent learned offline: "learnt" (a list of numbers) and "seconds"
    first, number : which MDPs
    options : the keys `registry.PLAY_OPTIONS` of the study's section

    Returns
    -------
    columns algorithm, variant, parameters, environment, run, score, failed, seconds_offline, seconds_online, decisions,
    decision_<functional> for each of `decision_times`, machine and, where `transitions` are asked for, transitions
    (state, action, next_state of all steps, one after the other) and seconds (of each decision)
    """
    cell = Cell(**arguments)
    record = play(
        cell,
        np.array(known["learnt"]),
        first,
        number,
        seconds=options["repeat_seconds"],
        decisions=bool(options["decision_times"]),
        transitions=options["transitions"],
        trajectories=options["trajectories"],
    )
    parameters = {key: value for key, value in cell.arguments.items() if key != "variant"}
    columns = {
        "algorithm": cell.agent,
        "variant": cell.arguments.get("variant", ""),
        "parameters": parameters_text(parameters),
        "environment": cell.environment,
        "run": range(first, first + number),
        "score": record.scores,
        "failed": np.isnan(record.scores),
        "seconds_offline": known["seconds"],
        "seconds_online": record.seconds,
        "decisions": cell.horizon,
    }
    for name in options["decision_times"]:
        columns[f"decision_{name}"] = FUNCTIONALS[name](record.decisions)
    if options["transitions"]:
        columns["transitions"] = [row.ravel() for row in record.transitions]
        if options["decision_times"]:
            columns["seconds"] = list(record.decisions)
    return pd.DataFrame(columns | {"machine": describe_machine()})
