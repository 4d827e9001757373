"""Runs on the scales that a study names."""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.build.runner import Task
from surefoot.errors import HintedError
from surefoot.result_tables import read_table, write_table
from surefoot.scales.settings import ScoreScale
from surefoot.sources.published.run_tables import run_table
from surefoot.statistics.runs.run_order import natural_order
from surefoot.statistics.runs.score_normalization import HIGHER, normalize_scores


def normalize(task: Task) -> None:
    """Write the scores of the job's runs on all its scales."""
    tables = {name: read_table(path) for name, path in task.inputs.items()}
    scales = {name: _module(chosen).Settings.model_validate(chosen) for name, chosen in task.settings["scales"].items()}
    write_table(scaled(tables, scales), task.outputs["normalized"])


def normalize_pairs(task: Task) -> None:
    """Write what the job's one scale says of every two algorithms."""
    (chosen,) = task.settings["scales"].values()
    module = _module(chosen)
    settings = module.Settings.model_validate(chosen)
    write_table(module.pairs(read_table(task.inputs["runs"]), settings), task.outputs["normalized"])


def _module(chosen: Mapping[str, Any]) -> ModuleType:
    return import_module(f"{__package__}.{chosen['kind']}")


def scaled(tables: Mapping[str, pd.DataFrame], scales: Mapping[str, ScoreScale]) -> pd.DataFrame:
    """The runs of one source on all scales that are asked for.

    Parameters
    ----------
    tables : published tables and what is kept for them by name, or {"runs": the run table of a study}
    scales : by name

    Returns
    -------
    columns scores (the scale's name), algorithm, environment, run, score (normalized), and what the runs bring beside

    Raises
    ------
    InputError
        for an algorithm or environment that no run has, and for what `normalize_scores` refuses
    """
    return pd.concat([_scaled(tables, name, scale) for name, scale in scales.items()], ignore_index=True)


def _scaled(tables: Mapping[str, pd.DataFrame], name: str, scale: ScoreScale) -> pd.DataFrame:
    where = f"scales.{name}"
    if "runs" in tables:
        runs = tables["runs"]
        runs = runs[[name for name in ("algorithm", "environment", "run", "step", "score") if name in runs]]
    else:
        runs = run_table(str(scale.runs), tables, getattr(scale, "references", None))
    for kind, names in (("algorithm", scale.algorithms), ("environment", scale.environments)):
        runs = _chosen(runs, kind, names, where)
    if scale.fewest_runs is not None:
        fewest = runs.groupby(["environment", "algorithm"])["run"].nunique().groupby("environment").min()
        runs = runs[runs["environment"].isin(fewest.index[fewest >= scale.fewest_runs])]
        if runs.empty:
            hint = f"no environment has more than {fewest.max()} runs of each"
            raise InputError(where, f"fewest_runs: {scale.fewest_runs} leaves no environment", hint)
    if scale.first_runs is not None:
        keys = [key for key in ("algorithm", "environment", "frames", "step") if key in runs]
        ordered = runs.sort_values("run", key=natural_order, kind="stable")
        runs = runs[ordered.groupby(keys).cumcount().sort_index() < scale.first_runs]
    module = import_module(f"{__package__}.{scale.kind}")
    try:
        normalized = normalize_scores(runs, module.ends(runs, scale), getattr(module, "HINT", HIGHER))
    except InputError as error:
        raise InputError(f"{where}.{error.where}", error.what, error.hint) from None
    except HintedError as error:
        raise InputError(where, error.what, error.hint) from None
    normalized.insert(0, "scores", name)
    return normalized.reset_index(drop=True)


def _chosen(runs: pd.DataFrame, column: str, names: tuple[str, ...] | None, where: str) -> pd.DataFrame:
    if names is None:
        return runs
    known = list(dict.fromkeys(runs[column]))
    for name in names:
        if name not in known:
            raise InputError(where, f'no runs of the {column} "{name}"', nearest(name, known))
    order = {name: position for position, name in enumerate(names)}
    runs = runs[runs[column].isin(order)]
    return runs.sort_values(column, key=lambda values: values.map(order), kind="stable", ignore_index=True)
