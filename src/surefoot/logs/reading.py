"""Read a folder of runs as one tidy table: recognition, reading, naming, and the account."""

import os
import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError, nearest, raise_all
from surefoot.build.given_files import guarded
from surefoot.columns import (
    HYPERPARAMETERS,
    STEPS,
    named_run,
    remarks_on_times,
    types_checked,
)
from surefoot.errors import Remark
from surefoot.logs.account import (
    ACCOUNT,
    LEFT_OUT,
    OTHER_FILE,
    SECOND_RECORD,
    USED,
    WITH_OTHERS,
    Entry,
    entries_of_rows,
    kept_entries,
    reading_account,
    refuse_losses,
)
from surefoot.logs.compared_points import of_one_kind, of_own_metric, refuse_unlike_metrics
from surefoot.logs.continued import joined_runs
from surefoot.logs.curves import KINDS, Curve, Place, Reading, of_place
from surefoot.logs.files import (
    forget_files,
    list_files,
)
from surefoot.logs.formats.long_tables import table_error
from surefoot.logs.formats.tables import NO_STEPS
from surefoot.logs.metrics import UNITS
from surefoot.logs.named_curves import named_points, names_by_place
from surefoot.logs.naming import EXAMPLE, Naming, plain_run
from surefoot.logs.options import given_names, refuse_without_effect
from surefoot.logs.protocol import COMPARE_NEVERTHELESS, unlike_in_logs
from surefoot.logs.recognition import WHOLE, chosen_files, recognized
from surefoot.logs.run_formats import RUN_FORMATS, RunFormat
from surefoot.logs.run_table import COLUMNS, metric_names, refuse_doubles, run_table
from surefoot.logs.unfinished import account_for_hidden, account_for_jobs, keep_unfinished
from surefoot.protocol import NOT_COMPARED

_BETWEEN_REPORTS = 3.0
"""Seconds between two progress lines in the terminal."""


@types_checked
def read_runs(
    folder: str | Path,
    *,
    format: str | None = None,
    pattern: str | None = None,
    kind: Literal["eval", "train", "absolute"] | None = None,
    metric: str | Sequence[str] | Mapping[str, str] | None = None,
    step: str | None = None,
    algorithm: str | None = None,
    environment: str | Sequence[str] | None = None,
    keys: Mapping[str, str] | None = None,
    hyperparameters: Sequence[str] = (),
    invalid_scores: Literal["error", "drop"] = "error",
    unlike_protocols: Literal["error", "remark"] = "error",
    files: str | Sequence[str] = (),
    strict: bool = False,
    continued: Literal["join", "separate"] | None = None,
    wide: Literal["tasks", "algorithms"] | None = None,
) -> pd.DataFrame:
    """Runs read from a folder of logs as one tidy table of learning curves.

    The formats are those of Stable-Baselines3 and its zoo, CleanRL, TensorBoard, Weights & Biases, RLlib, marl-eval
    (Mava, Stoix), BenchMARL, Tianshou, Dopamine, Acme, MLflow, LeRobot, Inspect and lm-evaluation-harness,
    rliable's dictionaries of arrays, long tables, and, where nothing else is found, files of one run (CSV, JSON lines)
    or arrays of runs x points. A run is one training with one seed; episodes of the same run and step are averaged
    (of a long table, those that a column episode numbers). Nothing in a file is ever executed.

    Parameters
    ----------
    folder : the folder, or a single file
    format : name of the format, if the folder has files of several
    pattern : how paths end, such as "{environment}__{algorithm}__{seed}__{}"
    kind : "eval", "train" or "absolute"; by default the first of these that any run has. It is an error if other runs
        lack it: then choose one; runs without the chosen kind count as runs without a score
    metric : name under which the score is logged, or several, or that of each environment, such as {"Hopper-v4":
        "eval/return", "Door-v2": "eval/success"}; by default the return of an episode
    step : name under which the steps are logged, where the files have several or another than usual, or another counter
        that is logged; wall_time is the seconds since a run began, of event files, monitor files and MLflow
    algorithm : name of the algorithm of all runs
    environment : name of the environment of all runs; for arrays, which name no tasks, the tasks in their order
    keys : dotted keys of the runs' configurations that give names, such as {"algorithm": "agent.name"}
    hyperparameters : dotted keys of the runs' configurations (Hydra's, params.json, config.yml and the like), or
        columns of a table, that become columns, such as ["optimizer.lr"]. Runs of one seed may then differ in them
    invalid_scores : "error", or "drop", which leaves out scores that are not finite, and texts among scores
    unlike_protocols : "error", or "remark", which reads algorithms even if their scores differ in kind or name
    files : glob patterns of the files to read, such as "*/eval.csv"; the last parts of a path have to match one
    strict : whether to raise an error if a file or a row was left out, or a job began and left no score
    continued : what a log is whose steps begin anew, or go on from those of another log: "join", one training that went
        on, whose steps are counted on, or "separate", runs of their own; by default an error shows what was found
    wide : "tasks" or "algorithms", if a table has a column of scores for each of them

    Returns
    -------
    a table with the columns algorithm, environment, run, step, score, kind, episodes, source, one row per run and step:
    step is in environment steps as the tool counts them, score in the units of the metric, episodes is the number of
    episodes whose mean a score is, and source is the file in the folder. With several metrics there is a column metric,
    and one for each of the hyperparameters; tables without steps have no column step. Its `attrs` keep the format, the
    name under which each algorithm logs its score (`metrics`), whether that is the usual return (`returns`), the
    remarks, which are also issued as warnings, and what `surefoot.reading_account` says of each file; and under
    `unfinished` [algorithm, environment, run] of each run that began and left no score, as far as its path or its
    configuration names it; under `unnamed_jobs` the paths of others.

    Raises
    ------
    HintedError : a folder without runs, with runs of several formats, kinds or metrics, with names that cannot be
        inferred, with runs that occur twice, or with files that cannot be read; if strict, a loss

    Source: the layouts that the tools write, from their documentation and code.
    """
    if not isinstance(folder, str | os.PathLike):
        raise InputError("folder", f"a {type(folder).__name__} is no path", 'the folder of the logs, such as "runs/"')
    if format is not None and format not in RUN_FORMATS.complete():
        raise InputError("format", f'"{format}" is not known', nearest(format, sorted(RUN_FORMATS.complete())))
    for name in {*COLUMNS, "metric"}.intersection(hyperparameters):
        raise InputError("hyperparameters", f'"{name}" is a column of every table', "keys of the configurations")
    naming = given_names(pattern, keys, {"algorithm": algorithm, "environment": environment})
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
        metric_of=of_environments,
        keys=naming.keys,
        fixed=naming.fixed,
    )
    forget_files()
    with _readable(reading):
        listing = list_files(reading.root)
        wanted = chosen_files(listing.files, [files] if isinstance(files, str) else files, reading)
        of_formats = _read_all(recognized(wanted, format, reading), reading)
    refuse_without_effect(of_formats, reading)
    table = _named_table(of_formats, naming, kind, reading)
    account_for_hidden(listing, reading)
    account_for_jobs(listing, of_formats, naming, reading)
    keep_unfinished(table, reading)
    table = _checked(table, invalid_scores, unlike_protocols, reading)
    return _with_account(table, strict, reading)


def _checked(table: pd.DataFrame, invalid_scores: str, unlike_protocols: str, reading: Reading) -> pd.DataFrame:
    """Return the rows with finite scores, and raise all errors that prevent a comparison at once."""
    problems: list[InputError] = []
    table = _with_finite_scores(table, invalid_scores, reading, problems)
    for remark in remarks_on_times(table["score"]):
        reading.remark(remark)
    if reading.stated and table["source"].nunique() == 1:
        # A table written by `surefoot read` keeps the protocol of the original logs.
        table.attrs |= reading.stated | {"format": table.attrs["format"], "logged_as": reading.stated.get("format")}
    if unlike_protocols == "error":
        problems += _unlike(table, reading)
    raise_all(str(reading.root), problems)
    return table


def _with_account(table: pd.DataFrame, strict: bool, reading: Reading) -> pd.DataFrame:
    """Return the table with the account and the remarks in its `attrs`; raise an error for losses if strict."""
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
        what = f"{error.filename} was there and is gone: something writes in the folder"
        hint = "give the same command again, or read a copy of the folder"
        raise InputError(str(reading.root), what, hint) from None


def _read_all(places: Mapping[str, Sequence[Place]], reading: Reading) -> dict[str, list[Curve]]:
    """Return the curves of all places by format.

    Raises
    ------
    InputError
        if there are none, or the steps of a format cannot be chosen
    """
    of_formats = {name: _read(RUN_FORMATS.complete()[name], each, reading) for name, each in places.items()}
    _leave_to_others(of_formats, reading)
    fixed = [name for name in of_formats if not RUN_FORMATS.complete()[name].steps_by_name]
    if reading.step is not None and fixed:
        formats = [name for name, reader in sorted(RUN_FORMATS.complete().items()) if reader.steps_by_name]
        hint = f"leave --step out; it is for the formats {', '.join(formats)}"
        raise InputError("step", f"the format {fixed[0]} has no counter of steps to choose", hint)
    if not any(of_formats.values()):
        raise _without_curves(" or ".join(of_formats), reading)
    return of_formats


def _read(reader: RunFormat, places: Sequence[Place], reading: Reading) -> list[Curve]:
    """Return the curves of all places, read in sequence, and account for their files."""
    curves: list[Curve] = []
    without: list[Place] = []
    next_report = time.monotonic() + _BETWEEN_REPORTS
    for number, place in enumerate(places, 1):
        accounted = len(reading.entries)
        read_curves: list[Curve] = []
        try:
            with guarded(str(place.paths[0]), WHOLE):
                reading.place_kind = place.kind
                read_curves = [
                    of_place(curve, place, reading) for curve in reader.read(place, reading) if len(curve.points)
                ]
        except FileNotFoundError as error:
            remark = f"{place.name}: {error.filename} was gone when it was to be read; what it had is left out"
            reading.leave_out(Path(str(error.filename)), "gone", remark, place=place.name)
        new = [entry if entry.place else entry._replace(place=place.name) for entry in reading.entries[accounted:]]
        reading.entries[accounted:] = new
        if not read_curves:
            without.append(place)
        else:
            _account_for_rest(place, read_curves, new, reading)
        curves += read_curves
        if time.monotonic() >= next_report:
            next_report += _BETWEEN_REPORTS
            print(f"read {number:,} of {len(places):,} runs", file=sys.stderr, flush=True)
    _account_for_scoreless(without, {curve.place for curve in curves}, reading)
    return curves


def _account_for_rest(place: Place, curves: Sequence[Curve], entries: Sequence[Entry], reading: Reading) -> None:
    """Account for files of a run that are not the first file of a curve and have no entry yet.

    They are of the kind of those curves whose first file has the same suffix.
    """
    named = {entry.file for entry in entries}
    sources = {curve.source for curve in curves}
    for path in place.paths:
        if path not in sources and reading.below(path) not in named:
            kinds = {curve.kind for curve in curves if curve.source.suffix == path.suffix}
            entry = Entry(reading.below(path), USED, WITH_OTHERS, place.name)
            reading.entries.append(entry._replace(kind=kinds.pop() if len(kinds) == 1 else ""))


def _account_for_scoreless(places: Sequence[Place], with_scores: set[str], reading: Reading) -> None:
    """Account for places without a score: jobs without scores, or files of runs with scores elsewhere."""
    outcomes = {entry.file: entry.outcome for entry in reading.entries}
    for place in places:
        files = [path for path in place.paths if reading.below(path) not in outcomes]
        if place.name in with_scores:
            reason = "no scores of an episode"
            reading.entries += [Entry(reading.below(path), OTHER_FILE, reason, place.name) for path in files]
            continue
        for path in files:
            remark = f"{place.name}: no scores of an episode, so it is left out"
            reading.without_score(path, "no scores of an episode", remark, place.name)
        if any(outcomes.get(reading.below(path)) != OTHER_FILE for path in place.paths):
            reading.without_scores.append(place.name)


def _leave_to_others(of_formats: dict[str, list[Curve]], reading: Reading) -> None:
    """Leave out curves that another format has as well.

    For training, the more detailed format is used; for evaluations, the format itself, since only its steps are
    steps of training.
    """
    for name in of_formats:
        for other in RUN_FORMATS.complete()[name].beside:
            if other in of_formats:
                _leave_to(name, other, [kind for kind in KINDS if kind != "eval"], of_formats, reading)
                _leave_to(other, name, ["eval"], of_formats, reading)


def _leave_to(
    name: str, other: str, kinds: Sequence[str], of_formats: dict[str, list[Curve]], reading: Reading
) -> None:
    """Leave out curves of these kinds in one format if the other format has the same run and kind."""
    better = {(curve.place, curve.kind) for curve in of_formats[other] if curve.kind in kinds}
    curves = of_formats[name]
    lost = [curve for curve in curves if (curve.place, curve.kind) in better]
    for kind in dict.fromkeys(curve.kind for curve in lost):
        reading.remark(f"scores of the kind {kind} are those of {other}, not of {name} (--format {name})")
    for curve in lost:
        entry = Entry(reading.below(curve.source), SECOND_RECORD, f"read from {other}", curve.place)
        reading.entries.append(entry._replace(kind=curve.kind, metric=curve.metric, rows=len(curve.points)))
    of_formats[name] = [curve for curve in curves if (curve.place, curve.kind) not in better]


def _without_curves(format: str, reading: Reading) -> InputError:
    root = str(reading.root)
    there = sorted(reading.metrics)
    if reading.asked is not None and there:
        return InputError(root, f"no scores under {', '.join(reading.asked)}", nearest(reading.asked[0], there))
    if there:
        what = "none of the metrics is one that is known for the return of an episode"
        return InputError(root, what, f"say which is the score: --metric one of {', '.join(there)}")
    without_steps = next((entry.file for entry in reading.entries if entry.reason == NO_STEPS), None)
    if without_steps is not None and reading.step is None:
        top = reading.root.parent if reading.root.is_file() else reading.root
        return table_error(top / without_steps, reading)
    first_remark = f": {next(iter(reading.remarks))}" if reading.remarks else ""
    named = format in RUN_FORMATS.complete() and RUN_FORMATS.complete()[format].steps_by_name
    hint = "name the columns by --metric and --step" if named else "is the training still at its beginning?"
    return InputError(root, f"no scores in its files of the format {format}{first_remark}", hint)


def _not_finite(rows: pd.DataFrame) -> InputError:
    """Return the error that shows the first row with a score that is not finite."""
    row = rows.iloc[0]
    what = f"{len(rows):,} scores are not finite, the first {row['score']} of {named_run(row)}"
    what += f" at step {row['step']:,}" if "step" in rows else ""
    what += " (infinite, or beyond 1.8e308)" if np.isinf(row["score"]) else ""
    return InputError(row["source"], what, "give them the score that they deserve, or --invalid-scores drop")


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
    kinds = list(points["kind"].unique())
    name = next(name for name, read in of_formats.items() if any(curve.kind in kinds for curve in read))
    # The number of environment steps is unknown for a column such as epoch.
    numbered = reading.points_are_numbered or (reading.step is not None and reading.step not in STEPS)
    table.attrs = {"format": name, "returns": reading.asked is None, "metrics": metric_names(points)}
    table.attrs |= {HYPERPARAMETERS: list(reading.hyperparameters)} if reading.hyperparameters else {}
    units = {unit for name in of_formats if (unit := RUN_FORMATS.complete()[name].unit)} or reading.units
    units = units if reading.step is None else {UNITS.get(reading.step, "")}
    if len(units) == 1 and not numbered and (unit := units.pop()):
        table.attrs["unit"] = unit
    table.attrs |= {"kind_is_stated": not reading.kind_is_guessed, "points_are_numbered": numbered}
    return table


def _with_finite_scores(table: pd.DataFrame, policy: str, reading: Reading, problems: list[InputError]) -> pd.DataFrame:
    """Return the rows with finite scores; others are an error or a remark, depending on the policy."""
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
    ways = [f"ask for one (--kind {' or --kind '.join(kinds)})"] if len(kinds) > 1 else ["ask for one by --metric"]
    hint = " or ".join([*ways, COMPARE_NEVERTHELESS])
    return [InputError(str(reading.root), f"{NOT_COMPARED}: {unlike}", hint)] if unlike else []
