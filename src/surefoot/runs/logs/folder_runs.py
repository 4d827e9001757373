"""Read a folder of logs as one tidy table of runs."""

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from surefoot.errors import InputError, Remark, conjugated, counted, nearest, raise_all
from surefoot.runs.columns.arguments import types_checked
from surefoot.runs.columns.numbers import remarks_on_times
from surefoot.runs.columns.run_names import STEPS, named_run
from surefoot.runs.columns.run_tables import HYPERPARAMETERS
from surefoot.runs.logs.account import (
    ACCOUNT,
    LEFT_OUT,
    entries_of_rows,
    kept_entries,
    reading_account,
    refuse_losses,
)
from surefoot.runs.logs.compared_points import of_one_kind, of_own_metric, refuse_unlike_metrics
from surefoot.runs.logs.continued import joined_runs
from surefoot.runs.logs.folder_curves import read_places
from surefoot.runs.logs.log_files import (
    forget_files,
    list_files,
)
from surefoot.runs.logs.logged_curves import Curve, Reading
from surefoot.runs.logs.metrics import UNITS
from surefoot.runs.logs.named_curves import given_names, named_points, names_by_place
from surefoot.runs.logs.naming import EXAMPLE, Naming, compiled, plain_run
from surefoot.runs.logs.protocol_in_logs import COMPARE_NEVERTHELESS, unlike_in_logs
from surefoot.runs.logs.recognition import chosen_files, recognized
from surefoot.runs.logs.run_formats import RUN_FORMATS
from surefoot.runs.logs.run_table import COLUMNS, metric_names, refuse_doubles, remark_on_equal_runs, run_table
from surefoot.runs.logs.unfinished import account_for_jobs, account_for_unread, keep_unfinished
from surefoot.runs.protocol_card import NOT_COMPARED

_OF_ARRAYS = ("rliable", "run_arrays")
"""Formats whose files do not name tasks, so that the user must name them."""


@types_checked
def read_runs(
    folder: str | Path,
    *,
    format: str | None = None,
    pattern: str | None = None,
    score_kind: Literal["eval", "train", "absolute"] | None = None,
    metric: str | Sequence[str] | Mapping[str, str] | None = None,
    step: str | None = None,
    algorithm: str | None = None,
    environment: str | Sequence[str] | None = None,
    names_from: Mapping[str, str] | None = None,
    hyperparameters: Sequence[str] = (),
    invalid_scores: Literal["error", "drop"] = "error",
    allow_mixed_protocols: bool = False,
    files: str | Sequence[str] = (),
    strict: bool = False,
    continued: Literal["join", "separate"] | None = None,
    wide: Literal["tasks", "algorithms", "runs"] | None = None,
) -> pd.DataFrame:
    r"""Read a folder of logs as one tidy table of learning curves.

    Supported formats are the logs of Stable-Baselines3 and its zoo, CleanRL, TensorBoard, Weights & Biases, RLlib,
    marl-eval (Mava, Stoix), BenchMARL, Tianshou, Dopamine, Acme, MLflow, LeRobot, Inspect and lm-evaluation-harness,
    rliable's dictionaries of arrays, and long tables. If nothing else is found, files with one run each (CSV, JSON
    lines) and arrays of runs x points are read. A run is one training with one seed. Episodes of the same run and step
    are averaged; in a long table, a column episode has to number them. Nothing in a file is ever executed.

    Parameters
    ----------
    folder : str or Path
        The folder, or a single file.
    format : str, optional
        Name of the format. Default: the only format in the folder.
    pattern : str, optional
        Structure of the last parts of paths, such as "{environment}__{algorithm}__{seed}__{}".
    score_kind : {"eval", "train", "absolute"}, optional
        Kind of the scores. Default: the first of these kinds that any run has. It is an error if other runs lack
        it; runs without the requested kind count as runs without a score.
    metric : str, list of str or dict, optional
        Name under which the score is logged, or several names, or the name for each environment, such as
        {"Hopper-v4": "eval/return", "Door-v2": "eval/success"}. Default: the return of an episode.
    step : str, optional
        Name under which steps are logged, or another counter in the logs. "wall_time" (only in event files, monitor
        files and MLflow) counts seconds since a run began. Default: a common name of steps.
    algorithm : str, optional
        Name of the algorithm of all runs.
    environment : str or list of str, optional
        Name of the environment of all runs. For arrays, which do not name tasks, the names of all tasks in order.
    names_from : dict, optional
        Dotted keys of the runs' configurations that hold names, such as {"algorithm": "agent.name"}.
    hyperparameters : list of str, default ()
        Dotted keys of the runs' configurations (of Hydra, params.json, config.yml and the like), or columns of a table,
        that become columns, such as ["optimizer.lr"]. Runs with the same seed may have different hyperparameters.
    invalid_scores : {"error", "drop"}, default "error"
        Treatment of scores that are not finite or not numbers: "error", or "drop" to leave them out.
    allow_mixed_protocols : bool, default False
        If True, read algorithms even if their scores differ in kind or name.
    files : str or list of str, default ()
        Glob patterns of the files to read, such as "*/eval.csv". The last parts of a path have to match one of them.
    strict : bool, default False
        If True, raise an error if a file or a row is left out, or a job began and left no score.
    continued : {"join", "separate"}, optional
        Treatment of logs whose steps restart, or that continue another log: "join" (one training, with accumulated
        steps) or "separate" (separate runs). Default: an error that lists such logs.
    wide : {"tasks", "algorithms", "runs"}, optional
        Meaning of the columns, if a table has one column of scores for each task, algorithm or run.

    Returns
    -------
    DataFrame
        A table with one row per run and step and the columns algorithm, environment, run, step (environment steps as
        the tool counts them; absent if there are no steps), score (in units of the metric), kind, episodes (number of
        averaged episodes) and source (the file), metric if there are several, and the hyperparameters. Its `attrs` hold
        the format; the name under which each algorithm logs its score (`metrics`), and whether that is the usual return
        (`returns`); the remarks, which are also issued as warnings; the data for `surefoot.reading_account`; under
        `unfinished`, [algorithm, environment, run] of each run that began but left no score, if its path or
        configuration names it; and under `unnamed_jobs`, the paths of other jobs without a score.

    Raises
    ------
    HintedError
        If the folder has no runs, or runs of several formats, kinds or metrics; if names cannot be inferred; if a run
        occurs twice; if a file cannot be read; or, with `strict`, if anything was left out.

    Notes
    -----
    Source: the layouts that the tools write, from their documentation and code.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from surefoot import read_runs
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "scores.csv")
    ...     _ = path.write_text("algo,env_id,seed,step,return\nppo,maze,0,100,1.5\nppo,maze,0,200,2.5\n")
    ...     runs = read_runs(path)
    >>> runs[["algorithm", "environment", "run", "step", "score"]]
      algorithm environment  run  step  score
    0       ppo        maze    0   100    1.5
    1       ppo        maze    0   200    2.5
    """
    if not isinstance(folder, str | os.PathLike):
        raise InputError(
            "folder", f"a {type(folder).__name__} is not a path", 'pass the folder of the logs, such as "runs/"'
        )
    if format is not None and format not in RUN_FORMATS.complete():
        raise InputError("format", f'unknown format "{format}"', nearest(format, sorted(RUN_FORMATS.complete())))
    for name in {*COLUMNS, "metric"}.intersection(hyperparameters):
        what = f'every table already has a column "{name}"'
        raise InputError("hyperparameters", what, "use keys of the configurations")
    naming = given_names(pattern, names_from, {"algorithm": algorithm, "environment": environment})
    of_environments = metric if isinstance(metric, Mapping) else {}
    metrics = list(dict.fromkeys([metric] if isinstance(metric, str) else of_environments.values() or metric or ()))
    tasks = [environment] if isinstance(environment, str) else environment or ()
    reading = Reading(
        Path(folder),
        asked=metrics or None,
        hyperparameters=hyperparameters,
        step=step,
        tasks=tasks,
        continued=continued,
        invalid_scores=invalid_scores,
        wide=wide,
        named_in_paths=compiled(pattern)[1] if pattern is not None else (),
        metric_of=of_environments,
        keys=naming.keys,
        fixed=naming.fixed,
    )
    forget_files()
    with _readable(reading):
        listing = list_files(reading.root)
        wanted = chosen_files(listing.files, [files] if isinstance(files, str) else files, reading)
        of_formats = read_places(recognized(wanted, format, reading), reading)
    _refuse_without_effect(of_formats, reading)
    table = _named_table(of_formats, naming, score_kind, reading)
    account_for_unread(listing, reading)
    account_for_jobs(listing, of_formats, naming, reading)
    keep_unfinished(table, reading)
    table = _checked(table, invalid_scores, allow_mixed_protocols, reading)
    return _with_account(table, strict, reading)


def _refuse_without_effect(of_formats: Mapping[str, Sequence[Curve]], reading: Reading) -> None:
    """Raise an InputError for an option that has no effect on the curves of the formats."""
    formats = " and ".join(of_formats)
    if len(reading.tasks) > 1 and not set(of_formats) & set(_OF_ARRAYS):
        what = f"{len(reading.tasks)} environments are named, but runs of the format {formats} have one each"
        hint = "use --environment with one name for all runs; several names are only for arrays"
        raise InputError("environment", what, hint)
    if reading.wide is not None and "table" not in of_formats:
        what = f"it is for tables, but the runs have the format {formats}"
        raise InputError("wide", what, "leave --wide out, or use --format table")
    read_metrics = {curve.metric for curves in of_formats.values() for curve in curves}
    for metric in reading.asked or ():
        if metric not in read_metrics and reading.wide is None:
            there = sorted(reading.metrics | read_metrics)
            raise InputError(str(reading.root), f"no scores under {metric}", nearest(metric, there))


def _checked(table: pd.DataFrame, invalid_scores: str, allow_mixed_protocols: bool, reading: Reading) -> pd.DataFrame:
    """Return the rows with finite scores; raise one error for everything that prevents a comparison."""
    problems: list[InputError] = []
    table = _with_finite_scores(table, invalid_scores, reading, problems)
    for remark in remarks_on_times(table["score"]):
        reading.remark(remark)
    reading.remark(remark_on_equal_runs(table, reading.hyperparameters))
    if reading.stated and table["source"].nunique() == 1:
        # A table written by `surefoot read` keeps the protocol of the original logs.
        table.attrs |= reading.stated | {"format": table.attrs["format"], "logged_as": reading.stated.get("format")}
    if not allow_mixed_protocols:
        problems += _unlike(table, reading)
    raise_all(str(reading.root), problems)
    return table


def _with_account(table: pd.DataFrame, strict: bool, reading: Reading) -> pd.DataFrame:
    """Add the data for `reading_account` and remarks to `attrs`; if strict, raise an InputError for left-out data."""
    if reading.pattern not in (None, EXAMPLE):  # EXAMPLE is CleanRL's layout
        table.attrs["guessed_pattern"] = reading.pattern
    are_plain = all(plain_run(run) == run for run in map(str, table["run"].unique()))
    table.attrs[ACCOUNT] = kept_entries(reading.entries, reading.names, plain_run if are_plain else str)
    if strict:
        refuse_losses(str(reading.root), reading_account(table))
    table.attrs["remarks"] = reading.grouped()
    for remark in table.attrs["remarks"]:
        warnings.warn(remark, Remark, stacklevel=4)
    return table


@contextmanager
def _readable(reading: Reading) -> Iterator[None]:
    """Convert errors for unreadable or vanished files into an InputError."""
    try:
        yield
    except PermissionError as error:
        what = f"it cannot be read ({error.strerror})"
        hint = "make it readable (chmod -R u+rX), or move it away"
        raise InputError(str(error.filename or reading.root), what, hint) from None
    except FileNotFoundError as error:
        what = f"{error.filename} disappeared: something writes in the folder"
        hint = "repeat the command, or read a copy of the folder"
        raise InputError(str(reading.root), what, hint) from None


def _not_finite(rows: pd.DataFrame) -> InputError:
    """Return an error that counts the scores that are not finite and describes the first one."""
    row = rows.iloc[0]
    are = conjugated("are", len(rows))
    what = f"{counted(len(rows), 'score')} {are} not finite, the first {row['score']} of {named_run(row)}"
    what += f" at step {row['step']:,}" if "step" in rows else ""
    what += " (infinite, or beyond 1.8e308)" if np.isinf(row["score"]) else ""
    return InputError(
        row["source"], what, "assign an explicit score, such as the worst possible, or use --invalid-scores drop"
    )


def _named_table(
    of_formats: Mapping[str, Sequence[Curve]], naming: Naming, kind: str | None, reading: Reading
) -> pd.DataFrame:
    """Return the curves of one kind as a table, with information about them in its `attrs`.

    Raises
    ------
    InputError
        if names cannot be inferred, or kinds, metrics or duplicate runs prevent a comparison
    """
    curves = joined_runs([curve for of_format in of_formats.values() for curve in of_format], reading)
    points = named_points(curves, naming, reading)
    reading.names = names_by_place(points)
    points = of_own_metric(points, reading) if reading.metric_of else points
    points = of_one_kind(points, kind, reading)
    for number in points["curve"].unique():
        reading.remark(curves[number].remark)
    if reading.asked is None:
        refuse_unlike_metrics(points, reading)
    refuse_doubles(points, reading)
    table = run_table(points, len(reading.asked or ()) > 1 and not reading.metric_of, reading.hyperparameters)
    # The number of environment steps is unknown for a column such as epoch.
    numbered = reading.points_are_numbered or (reading.step is not None and reading.step not in STEPS)
    table.attrs = {
        "format": _first_format(of_formats, set(points["kind"])),
        "returns": reading.asked is None,
        "metrics": metric_names(points),
        "kind_is_stated": not reading.kind_is_guessed,
        "points_are_numbered": numbered,
    }
    if reading.hyperparameters:
        table.attrs[HYPERPARAMETERS] = list(reading.hyperparameters)
    if not numbered and (unit := _unit_of_steps(of_formats, reading)):
        table.attrs["unit"] = unit
    return table


def _first_format(of_formats: Mapping[str, Sequence[Curve]], kinds: set[str]) -> str:
    """Return the first format that has scores of the given kinds."""
    return next(name for name, curves in of_formats.items() if any(curve.kind in kinds for curve in curves))


def _unit_of_steps(formats: Iterable[str], reading: Reading) -> str:
    """Return the unit of steps that all runs have in common, or "" if it is unknown."""
    if reading.step is not None:
        return UNITS.get(reading.step, "")
    of_formats = {RUN_FORMATS.complete()[name].unit for name in formats} - {""}
    units = of_formats or reading.units
    return next(iter(units)) if len(units) == 1 else ""


def _with_finite_scores(table: pd.DataFrame, policy: str, reading: Reading, problems: list[InputError]) -> pd.DataFrame:
    """Return the rows with finite scores; other rows cause an error or a remark, depending on the policy."""
    finite = np.isfinite(table["score"])
    if finite.all():
        return table
    problem = _not_finite(table[~finite])
    if not finite.any():
        raise problem
    if policy == "error":
        problems.append(problem)
    else:
        reading.entries += entries_of_rows(table[~finite], LEFT_OUT, "not finite")
        reading.remark(f"{problem.what}: left out")
    return table[finite].reset_index(drop=True)


def _unlike(table: pd.DataFrame, reading: Reading) -> list[InputError]:
    """Return the error for algorithms whose scores differ in kind or name, if any."""
    unlike = unlike_in_logs(table, ("kind", "metric"))
    kinds = list(table["kind"].unique())
    ways = (
        [f"choose one (--score-kind {' or --score-kind '.join(kinds)})"]
        if len(kinds) > 1
        else ["choose one with --metric"]
    )
    hint = " or ".join([*ways, COMPARE_NEVERTHELESS])
    return [InputError(str(reading.root), f"{NOT_COMPARED}: {unlike}", hint)] if unlike else []
