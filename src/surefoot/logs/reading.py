"""A folder of runs as one tidy table, whichever tool wrote it."""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.build.given_files import guarded
from surefoot.curves.columns import remarks_on_times
from surefoot.errors import Remark
from surefoot.logs.curves import KINDS, Curve, Notes, Place, averaged
from surefoot.logs.data_files import forget_files
from surefoot.logs.formats import Format, formats
from surefoot.logs.listing import list_files
from surefoot.logs.named_curves import (
    metric_names,
    named_curves,
    of_one_kind,
    refuse_doubles,
    refuse_unlike_metrics,
    run_table,
)
from surefoot.logs.naming import NAMES, Naming, compiled, names_alike
from surefoot.logs.progress import reporter
from surefoot.logs.protocol import COMPARE_NEVERTHELESS, unlike_in_logs
from surefoot.logs.recognition import WHOLE, recognized, size_of, unreadable
from surefoot.protocol.sentences import NOT_COMPARED

INVALID_SCORES = ("error", "drop")
UNLIKE_PROTOCOLS = ("error", "remark")


def read_runs(
    folder: str | Path,
    *,
    format: str | None = None,
    pattern: str | None = None,
    kind: str | None = None,
    metric: str | Sequence[str] | None = None,
    step: str | None = None,
    algorithm: str | None = None,
    environment: str | Sequence[str] | None = None,
    keys: Mapping[str, str] | None = None,
    invalid_scores: str = "error",
    unlike_protocols: str = "error",
) -> pd.DataFrame:
    """Runs read from a folder of logs as one tidy table of learning curves.

    The formats are those of Stable-Baselines3 and its zoo, CleanRL, TensorBoard, Weights & Biases, RLlib, marl-eval
    (Mava, Stoix), BenchMARL, Tianshou, Dopamine, Acme and MLflow, rliable's dictionaries of arrays, long tables, and,
    where nothing else is found, files of one run (CSV, JSON lines) or arrays of runs x points. A run is one training
    with one seed; episodes of the same run and step are averaged. Nothing in a file is ever executed.

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
    invalid_scores : "error", or "drop", which leaves out scores that are not finite
    unlike_protocols : "error", or "remark", which reads algorithms even if their scores differ in kind or name

    Returns
    -------
    a table with the columns algorithm, environment, run, step, score, kind, episodes, source, one row per run and step:
    step is in environment steps as the tool counts them, score in the units of the metric, episodes is the number of
    episodes whose mean a score is, and source is the file in the folder. With several metrics there is a column metric;
    tables without steps have no column step. Its `attrs` keep the format, the name under which each algorithm logs its
    score (`metrics`), whether that is the usual return (`returns`), and the remarks, which are also issued as warnings.

    Raises
    ------
    HintedError : a folder without runs, with runs of several formats, kinds or metrics, with names that cannot be
        inferred, with runs that occur twice, or with files that cannot be read

    Source: the layouts that the tools write, from their documentation and code.
    """
    _check_choices(format, kind, invalid_scores, unlike_protocols)
    naming = _naming(pattern, algorithm, environment, keys)
    asked = None if metric is None else [metric] if isinstance(metric, str) else list(metric)
    forget_files()
    root = Path(folder)
    files = list_files(root)
    notes = Notes()
    found = recognized(root, files, format, notes)
    tasks = () if environment is None else (environment,) if isinstance(environment, str) else tuple(environment)
    of_formats = {
        name: _read(formats()[name], [place._replace(tasks=tasks, step=step) for place in places], root, asked, notes)
        for name, places in found.items()
    }
    _leave_to_others(of_formats, notes)
    if step is not None and (fixed := [name for name in found if not hasattr(formats()[name], "STEPS_BY_NAME")]):
        raise InputError("step", f"the format {fixed[0]} has steps of its own", "leave --step out")
    curves = [curve for of_format in of_formats.values() for curve in of_format]
    if not curves:
        raise _without_curves(root, " or ".join(found), asked, notes)
    chosen = of_one_kind(named_curves(curves, naming, root, pattern, notes), kind, notes)
    if asked is None:
        refuse_unlike_metrics(chosen, root)
    refuse_doubles(chosen, root)
    table = run_table(chosen, root, several=asked is not None and len(asked) > 1)
    table = _finite(table, invalid_scores, notes)
    for remark in remarks_on_times(table["score"]):
        notes.remark(remark)
    kinds = {one.curve.kind for one in chosen}
    name = next(name for name, read in of_formats.items() if kinds & {curve.kind for curve in read})
    table.attrs = {"format": name, "returns": asked is None, "metrics": metric_names(chosen)}
    table.attrs |= {"kind_is_stated": not notes.kind_is_guessed, "points_are_numbered": notes.points_are_numbered}
    if notes.stated and len(files) == 1:
        # Of a table that was written by `surefoot read`, the card is that of the logs.
        table.attrs |= notes.stated | {"format": name, "logged_as": notes.stated.get("format")}
    unlike = unlike_in_logs(table, ("kind", "metric"))
    if unlike and unlike_protocols == "error":
        names = dict.fromkeys(one.curve.kind for one in chosen)
        ways = [f"ask for one (--kind {' or --kind '.join(names)})"] if len(names) > 1 else ["ask for one by --metric"]
        raise InputError(str(root), f"{NOT_COMPARED}: {unlike}", " or ".join([*ways, COMPARE_NEVERTHELESS]))
    for alike in names_alike(map(str, dict.fromkeys(table["algorithm"]))):
        notes.remark(
            f"{' and '.join(alike)} are taken for different algorithms; if they are one, rename it in the logs"
        )
    table.attrs["remarks"] = notes.grouped()
    for remark in table.attrs["remarks"]:
        warnings.warn(remark, Remark, stacklevel=2)
    return table


def _check_choices(format: str | None, kind: str | None, invalid_scores: str, unlike_protocols: str) -> None:
    for where, value, allowed in (
        ("format", format, tuple(formats())),
        ("kind", kind, KINDS),
        ("invalid_scores", invalid_scores, INVALID_SCORES),
        ("unlike_protocols", unlike_protocols, UNLIKE_PROTOCOLS),
    ):
        if value is not None and value not in allowed:
            raise InputError(where, f'"{value}" is not known', nearest(value, allowed))


def _naming(
    pattern: str | None, algorithm: str | None, environment: str | Sequence[str] | None, keys: Mapping[str, str] | None
) -> Naming:
    keys = {{"seed": "run"}.get(name, name): key for name, key in (keys or {}).items()}
    for name in keys:
        if name not in NAMES:
            raise InputError("keys", f'"{name}" is not a name of runs', nearest(name, NAMES))
    fixed = {"algorithm": algorithm, "environment": environment if isinstance(environment, str) else None}
    known = {name: value for name, value in fixed.items() if value is not None}
    return Naming(None if pattern is None else compiled(pattern), keys, known)


def _read(
    reader: Format, places: Sequence[Place], root: Path, asked: Sequence[str] | None, notes: Notes
) -> list[Curve]:
    """The curves of all places, read one after the other, each averaged over the episodes of a step."""
    sizes = [[size_of(path) for path in place.paths] for place in places]
    report = reporter(sum(map(len, sizes)), sum(map(sum, sizes)))
    curves: list[Curve] = []
    files = done = points = 0
    for place, size in zip(places, sizes, strict=True):
        before, said = len(curves), len(notes.remarks)
        try:
            with guarded(str(place.paths[0]), WHOLE):
                for curve in reader.read(place, root, asked, notes):
                    if curve.scores.size:
                        curves.append(averaged(curve))
                        points += curves[-1].scores.size
        except PermissionError as error:
            raise unreadable(error, place.paths[0]) from None
        except FileNotFoundError as error:
            notes.remark(f"{place.name}: {error.filename} was gone when it was to be read; what it had is left out")
        if len(curves) == before and len(notes.remarks) == said:
            notes.remark(f"{place.name}: no scores of an episode, so it is left out")
        files, done = files + len(size), done + sum(size)
        report(files, done, points)
    return curves


def _leave_to_others(of_formats: dict[str, list[Curve]], notes: Notes) -> None:
    """Leave out curves of which another format, read beside theirs, has the same kind of scores in more detail."""
    for name, curves in of_formats.items():
        for other in getattr(formats()[name], "BESIDE", ()):
            better = {(curve.place, curve.kind) for curve in of_formats.get(other, ())}
            for kind in dict.fromkeys(curve.kind for curve in curves if (curve.place, curve.kind) in better):
                notes.remark(f"scores of the kind {kind} are those of {other}, not of {name} (--format {name})")
            curves[:] = [curve for curve in curves if (curve.place, curve.kind) not in better]


def _without_curves(root: Path, format: str, asked: Sequence[str] | None, notes: Notes) -> InputError:
    there = sorted(notes.metrics)
    if asked is not None and there:
        return InputError(str(root), f"no scores under {', '.join(asked)}", nearest(asked[0], there))
    if there:
        what = "none of the metrics is one that is known for the return of an episode"
        return InputError(str(root), what, f"say which is the score: --metric one of {', '.join(there)}")
    said = f": {notes.remarks[0]}" if notes.remarks else ""
    named = any(hasattr(reader, "STEPS_BY_NAME") for name, reader in formats().items() if name == format)
    hint = "name the columns by --metric and --step" if named else "is the training still at its beginning?"
    return InputError(str(root), f"no scores in its files of the format {format}{said}", hint)


def _finite(table: pd.DataFrame, invalid_scores: str, notes: Notes) -> pd.DataFrame:
    bad = ~np.isfinite(table["score"])
    if not bad.any():
        return table
    row = table[bad].iloc[0]
    at = f" at step {row['step']:,}" if "step" in table.columns else ""
    what = (
        f"{int(bad.sum()):,} scores are not finite, the first {row['score']} of {row['algorithm']} in "
        f"{row['environment']}, run {row['run']}{at}"
    )
    if invalid_scores == "error" or bad.all():
        raise InputError(row["source"], what, "give them the score that they deserve, or --invalid-scores drop")
    notes.remark(f"{what}: left out")
    return table[~bad].reset_index(drop=True)
