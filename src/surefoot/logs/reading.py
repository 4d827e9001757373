"""A folder of runs as one tidy table, whichever tool wrote it."""

import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Literal

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError, nearest, raise_all
from surefoot.build.given_files import guarded
from surefoot.columns import (
    HYPERPARAMETERS,
    SEPARATORS,
    STEPS,
    UNFINISHED,
    check_runs,
    named_run,
    remarks_on_times,
    trainings_apart,
    types_checked,
)
from surefoot.errors import Remark, listed
from surefoot.logs.curves import Curve, Place, Reading
from surefoot.logs.files import forget_files, list_files
from surefoot.logs.formats.arrays import other_types
from surefoot.logs.formats.tables import column_names, missing_columns
from surefoot.logs.named_curves import (
    COLUMNS,
    metric_names,
    named_points,
    of_one_kind,
    refuse_doubles,
    refuse_unlike_metrics,
    run_table,
)
from surefoot.logs.naming import NAMES, Naming, compiled, matched
from surefoot.logs.protocol import COMPARE_NEVERTHELESS, unlike_in_logs
from surefoot.logs.run_formats import RUN_FORMATS, RunFormat
from surefoot.protocol import NOT_COMPARED
from surefoot.rounding import counted

_WHOLE = "is the file whole? If it is not one of these runs, move it out of the folder"
_LISTED = 3
_BETWEEN_REPORTS = 3.0
"""Seconds between two lines on the terminal."""


@types_checked
def read_runs(
    folder: str | Path,
    *,
    format: str | None = None,
    pattern: str | None = None,
    kind: Literal["eval", "train", "absolute"] | None = None,
    metric: str | Sequence[str] | None = None,
    step: str | None = None,
    algorithm: str | None = None,
    environment: str | Sequence[str] | None = None,
    keys: Mapping[str, str] | None = None,
    hyperparameters: Sequence[str] = (),
    invalid_scores: Literal["error", "drop"] = "error",
    unlike_protocols: Literal["error", "remark"] = "error",
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
    kind : "eval", "train" or "absolute"; by default "eval" if all runs have it, else "train"
    metric : name under which the score is logged, or several; by default the return of an episode
    step : name under which the steps are logged, where the files have several or another than usual
    algorithm : name of the algorithm of all runs
    environment : name of the environment of all runs; for arrays, which name no tasks, the tasks in their order
    keys : dotted keys of the runs' configurations that give names, such as {"algorithm": "agent.name"}
    hyperparameters : dotted keys of the runs' configurations (Hydra's, params.json, config.yml and the like), or
        columns of a table, that become columns, such as ["optimizer.lr"]. Runs of one seed may then differ in them
    invalid_scores : "error", or "drop", which leaves out scores that are not finite
    unlike_protocols : "error", or "remark", which reads algorithms even if their scores differ in kind or name

    Returns
    -------
    a table with the columns algorithm, environment, run, step, score, kind, episodes, source, one row per run and step:
    step is in environment steps as the tool counts them, score in the units of the metric, episodes is the number of
    episodes whose mean a score is, and source is the file in the folder. With several metrics there is a column metric,
    and one for each of the hyperparameters; tables without steps have no column step. Its `attrs` keep the format, the
    name under which each algorithm logs its score (`metrics`), whether that is the usual return (`returns`), and the
    remarks, which are also issued as warnings; and under `unfinished` [algorithm, environment, run] of each run that
    began and left no score, as far as its path names it.

    Raises
    ------
    HintedError : a folder without runs, with runs of several formats, kinds or metrics, with names that cannot be
        inferred, with runs that occur twice, or with files that cannot be read

    Source: the layouts that the tools write, from their documentation and code.
    """
    if not isinstance(folder, str | os.PathLike):
        raise InputError("folder", f"a {type(folder).__name__} is no path", 'the folder of the logs, such as "runs/"')
    if format is not None and format not in RUN_FORMATS.complete():
        raise InputError("format", f'"{format}" is not known', nearest(format, sorted(RUN_FORMATS.complete())))
    for name in {*COLUMNS, "metric"}.intersection(hyperparameters):
        raise InputError("hyperparameters", f'"{name}" is a column of every table', "keys of the configurations")
    given = {"algorithm": algorithm, "environment": environment}
    names = {{"seed": "run"}.get(name, name): key for name, key in (keys or {}).items()}
    for name in names.keys() - set(NAMES):
        raise InputError("keys", f'"{name}" is not a name of runs', nearest(name, NAMES))
    naming = Naming(pattern, names, {name: value for name, value in given.items() if isinstance(value, str)})
    if pattern is not None:
        compiled(pattern)
    forget_files()
    metrics = [metric] if isinstance(metric, str) else metric
    tasks = [environment] if isinstance(environment, str) else environment or ()
    reading = Reading(Path(folder), metrics, hyperparameters, step, tasks)
    try:
        files = list_files(reading.root)
        of_formats = {
            name: _read(RUN_FORMATS.complete()[name], places, reading)
            for name, places in _recognized(files, format, reading).items()
        }
    except PermissionError as error:
        what, hint = f"it cannot be read ({error.strerror})", "make it readable (chmod -R u+rX), or move it away"
        raise InputError(str(error.filename or reading.root), what, hint) from None
    except FileNotFoundError as error:
        what = f"{error.filename} was there and is gone: something writes in the folder"
        hint = "give the same command again, or read a copy of the folder"
        raise InputError(str(reading.root), what, hint) from None
    _leave_to_others(of_formats, reading)
    if step is not None and (fixed := [name for name in of_formats if not RUN_FORMATS.complete()[name].steps_by_name]):
        raise InputError("step", f"the format {fixed[0]} has steps of its own", "leave --step out")
    curves = [curve for of_format in of_formats.values() for curve in of_format]
    if not curves:
        raise _without_curves(" or ".join(of_formats), reading)
    points = of_one_kind(named_points(curves, naming, reading), kind, reading)
    unfinished = _named_by_path(naming.pattern or reading.pattern, reading.without_scores)
    for number in points["curve"].unique():
        reading.remark(curves[number].remark)
    if metric is None:
        refuse_unlike_metrics(points, reading)
    refuse_doubles(points, reading)
    table = run_table(points, len(metrics or ()) > 1, hyperparameters)
    problems: list[InputError] = []
    finite = np.isfinite(table["score"])
    if not finite.all():
        problem = _not_finite(table[~finite])
        lost = (
            table[[*NAMES]]
            .drop_duplicates()
            .merge(table.loc[finite, [*NAMES]].drop_duplicates(), how="left", indicator=True)
        )
        unfinished += lost.loc[lost["_merge"] == "left_only", [*NAMES]].astype(str).to_numpy().tolist()
        table = table[finite].reset_index(drop=True)
        if table.empty:
            raise problem
        if invalid_scores == "error":
            problems.append(problem)
        else:
            reading.remark(f"{problem.what}: left out")
    for remark in remarks_on_times(table["score"]):
        reading.remark(remark)
    kinds = list(points["kind"].unique())
    name = next(name for name, read in of_formats.items() if any(curve.kind in kinds for curve in read))
    table.attrs = {"format": name, "returns": metric is None, "metrics": metric_names(points)}
    table.attrs |= {HYPERPARAMETERS: list(hyperparameters)} if hyperparameters else {}
    table.attrs |= {UNFINISHED: unfinished} if unfinished else {}
    table.attrs["kind_is_stated"] = not reading.kind_is_guessed
    # Of a column such as epoch nothing says how many environment steps they are.
    table.attrs["points_are_numbered"] = reading.points_are_numbered or (step is not None and step not in STEPS)
    if reading.stated and len(files) == 1:
        # Of a table that was written by `surefoot read`, the card is that of the logs.
        table.attrs |= reading.stated | {"format": name, "logged_as": reading.stated.get("format")}
    unlike = unlike_in_logs(table, ("kind", "metric"))
    if unlike and unlike_protocols == "error":
        ways = [f"ask for one (--kind {' or --kind '.join(kinds)})"] if len(kinds) > 1 else ["ask for one by --metric"]
        hint = " or ".join([*ways, COMPARE_NEVERTHELESS])
        problems.append(InputError(str(reading.root), f"{NOT_COMPARED}: {unlike}", hint))
    raise_all(str(reading.root), problems)
    table.attrs["remarks"] = reading.grouped()
    for remark in table.attrs["remarks"]:
        warnings.warn(remark, Remark, stacklevel=3)
    return table


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
    table = trainings_apart(table)
    groups = ["algorithm", *(name for name in ("kind", "metric") if name in table.columns)]
    rows = table.groupby(groups, sort=False, observed=True)
    ends = table[["environment", "run", *groups]].assign(last=table.get("step", 0))
    runs = ends.groupby([*groups, "environment", "run"], sort=False, observed=True)["last"].max()
    numbers = runs.groupby([*groups, "environment"], sort=False, observed=True).size()
    counts = {"environments": "size", "runs": "sum", "fewest_runs": "min", "most_runs": "max"}
    found = numbers.groupby(groups, sort=False, observed=True).agg(**counts).assign(points=rows.size())
    if "episodes" in table.columns:
        found["episodes"] = rows["episodes"].sum()
    if "step" in table.columns:
        ends = runs.groupby(groups, sort=False, observed=True).agg(["min", "max"])
        found[["last_step_of_shortest", "last_step_of_longest"]] = ends
    found = found.reset_index()
    found.insert(0, "format", table.attrs.get("format", "table"))
    found.attrs = {}
    return found


def _read(reader: RunFormat, places: Sequence[Place], reading: Reading) -> list[Curve]:
    """The curves of all places, read one after the other."""
    curves: list[Curve] = []
    next_report = time.monotonic() + _BETWEEN_REPORTS
    for number, place in enumerate(places, 1):
        before, said = len(curves), len(reading.remarks)
        try:
            with guarded(str(place.paths[0]), _WHOLE):
                curves += [curve for curve in reader.read(place, reading) if len(curve.points)]
        except FileNotFoundError as error:
            reading.remark(f"{place.name}: {error.filename} was gone when it was to be read; what it had is left out")
        if len(curves) == before and len(reading.remarks) == said:
            reading.remark(f"{place.name}: no scores of an episode, so it is left out")
        if len(curves) == before:
            reading.without_scores.append(place.name)
        if time.monotonic() >= next_report:
            next_report += _BETWEEN_REPORTS
            print(f"read {number:,} of {len(places):,} runs", file=sys.stderr, flush=True)
    return curves


def _named_by_path(pattern: str | None, places: Sequence[str]) -> list[list[str]]:
    """Return [algorithm, environment, run] of the places whose paths tell all of these."""
    found = [matched(pattern, place) or {} for place in places] if pattern else []
    return [[names[name] for name in NAMES] for names in found if {*NAMES} <= names.keys()]


def _leave_to_others(of_formats: dict[str, list[Curve]], reading: Reading) -> None:
    """Leave out curves of which another format, read beside theirs, has the same kind of scores in more detail."""
    for name, curves in of_formats.items():
        for other in RUN_FORMATS.complete()[name].beside:
            better = {(curve.place, curve.kind) for curve in of_formats.get(other, ())}
            for kind in dict.fromkeys(curve.kind for curve in curves if (curve.place, curve.kind) in better):
                reading.remark(f"scores of the kind {kind} are those of {other}, not of {name} (--format {name})")
            curves[:] = [curve for curve in curves if (curve.place, curve.kind) not in better]


def _without_curves(format: str, reading: Reading) -> InputError:
    root, there = str(reading.root), sorted(reading.metrics)
    if reading.asked is not None and there:
        return InputError(root, f"no scores under {', '.join(reading.asked)}", nearest(reading.asked[0], there))
    if there:
        what = "none of the metrics is one that is known for the return of an episode"
        return InputError(root, what, f"say which is the score: --metric one of {', '.join(there)}")
    said = f": {reading.remarks[0]}" if reading.remarks else ""
    named = format in RUN_FORMATS.complete() and RUN_FORMATS.complete()[format].steps_by_name
    hint = "name the columns by --metric and --step" if named else "is the training still at its beginning?"
    return InputError(root, f"no scores in its files of the format {format}{said}", hint)


def _not_finite(rows: pd.DataFrame) -> InputError:
    """The error that shows the first of the rows whose scores are not finite."""
    row = rows.iloc[0]
    what = f"{len(rows):,} scores are not finite, the first {row['score']} of {named_run(row)}"
    what += f" at step {row['step']:,}" if "step" in rows else ""
    what += " (infinite, or beyond 1.8e308)" if np.isinf(row["score"]) else ""
    return InputError(row["source"], what, "give them the score that they deserve, or --invalid-scores drop")


def _recognized(files: Sequence[Path], format: str | None, reading: Reading) -> dict[str, list[Place]]:
    """The places of the one format of the folder, or of several of the same runs, by format."""
    known = RUN_FORMATS.complete()
    with guarded(str(reading.root), _WHOLE):
        found = {name: known[name].recognize(reading, files) for name in ([format] if format else sorted(known))}
    left = {}
    for name, places in found.items():
        containers = [other for other in found if name in known[other].contains]
        folders = {place.name for other in containers for place in found[other]}
        outside = [
            place for place in places if folders.isdisjoint([place.name, *map(str, PurePosixPath(place.name).parents)])
        ]
        if outside:
            left[name] = outside
    left = {name: places for name, places in left.items() if not known[name].fallback} or left
    if not left:
        raise _without_runs(files, format, reading)
    beside = next((name for name in left if set(left) <= {name, *known[name].beside}), None)
    if beside is None:
        what = " and ".join(
            f"{counted(len(places), 'place')} of the format {name} (such as {places[0].name})"
            for name, places in left.items()
        )
        hint = "ask for one: " + " or ".join(f"--format {name}" for name in left)
        raise InputError(str(reading.root), f"runs of several formats: {what}", hint)
    folders = {place.name for place in left[beside]}
    for name in [name for name in left if name != beside and not folders & {place.name for place in left[name]}]:
        # Not in the folders of the same runs, so that nothing says which belong together.
        reading.remark(f"{counted(len(left.pop(name)), 'place')} of the format {name} are left aside (--format {name})")
    _remark_on_unusable(files, left, format, reading)
    return left


def _remark_on_unusable(
    files: Sequence[Path], places: Mapping[str, Sequence[Place]], format: str | None, reading: Reading
) -> None:
    """Say which files are left out that are named as those of runs are, and of which no run can be read."""
    read = {path for of_format in places.values() for place in of_format for path in place.paths}
    names = {path.name for path in read}
    endings = {path.suffix for path in read} if "run_files" in places else set()
    for path in files:
        is_alike = path.name in names or path.suffix in endings
        if is_alike and path not in read and (why := _why_unusable(path, format)):
            reading.remark(f"{reading.below(path)}: it {why}, so it is left out")


def _without_runs(files: Sequence[Path], format: str | None, reading: Reading) -> InputError:
    kinds = Counter(path.suffix or path.name for path in files)
    has = ", ".join(f"{number:,} {suffix}" for suffix, number in kinds.most_common(5))
    looked = f"of the format {format}" if format else "of a format that is known"
    what = f"no runs {looked} among its {counted(len(files), 'file')}" + (f" ({has})" if has else "")
    unusable = [f"{reading.below(path)} {why}" for path in files if (why := _why_unusable(path, format))]
    what += f": {listed(unusable, _LISTED, '; ')}" if unusable else ""
    others = "export others to a long table (algorithm, environment, run, step, score)"
    if {".pkl", ".pickle", ".npy"} & set(kinds):
        others += "; pickles are opened only if they are given themselves"
    return InputError(str(reading.root), what, f"the formats are {', '.join(sorted(RUN_FORMATS.complete()))}; {others}")


def _why_unusable(path: Path, format: str | None) -> str:
    """What is wrong with a file that might be one of runs; "" where nothing is seen."""
    names = column_names(path)
    if path.stat().st_size == 0:
        return "is empty"
    if path.suffix == ".parquet" and not names:
        return "is not readable as Parquet"
    if path.suffix == ".npz" and (types := other_types(path)):
        return f"has arrays that are not of numbers: {listed(types, _LISTED)}"
    for sign, called in SEPARATORS.items():
        if sign in "".join(names[:1]):
            return f"separates its columns by {called}, not by commas"
    missing = missing_columns(path) if names and format == "table" else []
    return f"has no column {', '.join(missing)}" if missing else ""
