"""Normalize runs on the scales of a study."""

from collections.abc import Mapping
from typing import Any, get_args

import pandas as pd

from surefoot.errors import HintedError, counted, nearest
from surefoot.registry import function_named
from surefoot.runs.columns.run_names import refuse_absent
from surefoot.runs.published.published_run_tables import run_table
from surefoot.runs.result_tables import read_table, read_tables, write_table
from surefoot.runs.scales.reference_tables import ReferenceName
from surefoot.runs.scales.scale_settings import SCALES, ScoreScale
from surefoot.runs.setting_errors import SettingError, within
from surefoot.statistics.runs.score_arrays import POSSIBLE_SCORES, natural_order, normalize_scores
from surefoot.workflow.runner import Task

COLUMNS = ("algorithm", "environment", "run", "score", "direction", "step")


def normalize(task: Task) -> None:
    """Write the scores of a job's runs on all scales of the job."""
    scales = {name: _validated(chosen) for name, chosen in task.settings["scales"].items()}
    write_table(scaled(read_tables(task.inputs), scales), task.outputs["normalized"])


def normalize_pairs(task: Task) -> None:
    """Write the pairwise table of the only scale of a job."""
    (chosen,) = task.settings["scales"].values()
    write_table(_validated(chosen).pairs(read_table(task.inputs["runs"])), task.outputs["normalized"])


def _validated(chosen: Mapping[str, Any]) -> Any:
    """Build a scale from the settings that determine its scores; see `ScaleSettings.decisive`."""
    return function_named(chosen["model"]).model_validate({key: chosen[key] for key in chosen if key != "model"})


def scaled(tables: Mapping[str, pd.DataFrame], scales: Mapping[str, ScoreScale]) -> pd.DataFrame:
    """Normalize the runs of one source on all requested scales.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        Published tables and shipped tables by name, or {"runs": the run table of a study}; and the tables that the
        scales read.
    scales : mapping of str to ScoreScale

    Returns
    -------
    DataFrame
        Columns scores (name of the scale), algorithm, environment, run, score (normalized), and further columns of the
        runs.

    Raises
    ------
    SettingError
        If no run has a named algorithm or environment, or `normalize_scores` rejects the runs; the keys are relative to
        the study.
    """
    parts = []
    for name, scale in scales.items():
        with within("scales", name):
            normalized = _scaled(tables, scale)
        normalized.insert(0, "scores", name)
        parts.append(normalized)
    table = pd.concat(parts, ignore_index=True)
    possible = {scale.possible() for scale in scales.values()}
    if len(possible) == 1 and (ends := possible.pop()) is not None:
        table.attrs[POSSIBLE_SCORES] = list(ends)
    return table


def scale_section(name: str) -> dict[str, Any]:
    """Return a study's entry for a scale, from its kind or the name of a table of reference scores.

    Raises
    ------
    HintedError
        If the name is unknown.
    """
    if name in get_args(ReferenceName):
        return {"kind": "reference_scores", "reference_table": name}
    if name not in SCALES.complete():
        allowed = [*SCALES.complete(), *get_args(ReferenceName)]
        raise HintedError("scale", f'unknown scale "{name}"', nearest(name, allowed))
    return {"kind": name}


def _scaled(tables: Mapping[str, pd.DataFrame], scale: ScoreScale) -> pd.DataFrame:
    runs = _runs_of(tables, scale)
    for column, names in (("algorithm", scale.algorithms), ("environment", scale.environments)):
        if names is not None:
            with within(f"{column}s"):
                refuse_absent("", column, names, runs)
            order = {name: position for position, name in enumerate(names)}
            runs = runs[runs[column].isin(order)]
            runs = runs.sort_values(column, key=lambda values: values.map(order), kind="stable", ignore_index=True)
    if scale.min_runs is not None:
        runs = _with_enough_runs(runs, scale.min_runs)
    if scale.max_runs is not None:
        keys = [key for key in ("algorithm", "environment", "frames", "step") if key in runs]
        ordered = runs.sort_values("run", key=natural_order, kind="stable")
        runs = runs[ordered.groupby(keys).cumcount().sort_index() < scale.max_runs]
    shipped = {key: tables[key] for key in scale.kept()}
    normalized = normalize_scores(runs, scale.ends(runs, shipped), scale.remedy)
    return normalized.drop(columns="direction", errors="ignore").reset_index(drop=True)


def _runs_of(tables: Mapping[str, pd.DataFrame], scale: ScoreScale) -> pd.DataFrame:
    """Return the runs that a scale selects, with the columns required for normalization.

    Raises
    ------
    SettingError
        If a column of a hyperparameter is missing.
    """
    if "runs" not in tables:
        return run_table(str(scale.runs), tables)
    runs = tables["runs"]
    hyperparameters = scale.hyperparameters or ()
    for column in hyperparameters:
        if column not in runs:
            what = f'the runs have no column "{column}"'
            raise SettingError(["hyperparameters"], what, nearest(column, runs.columns))
    usual = (column for column in COLUMNS if column in runs and column not in hyperparameters)
    return runs[[*usual, *hyperparameters]]


def _with_enough_runs(runs: pd.DataFrame, min_runs: int) -> pd.DataFrame:
    """Return the runs in environments in which every algorithm has the required number of runs.

    Raises
    ------
    SettingError
        If there is no such environment.
    """
    fewest = runs.groupby(["environment", "algorithm"])["run"].nunique().groupby("environment").min()
    enough = runs[runs["environment"].isin(fewest.index[fewest >= min_runs])]
    if enough.empty:
        hint = f"no environment has more than {counted(int(fewest.max()), 'run')} of each algorithm"
        raise SettingError(["min_runs"], f"{min_runs} leaves no environment", hint)
    return enough
