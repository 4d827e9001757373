"""A folder of runs as one tidy table, whichever tool wrote it."""

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.build.given_files import guarded
from surefoot.errors import listed
from surefoot.logs.curves import IN_COLUMNS, KINDS, Curve, Notes, Place, averaged
from surefoot.logs.data_files import forget_files
from surefoot.logs.formats import Format, formats
from surefoot.logs.formats.table import column_names, missing_columns
from surefoot.logs.hydra import job_configuration
from surefoot.logs.listing import UNREADABLE, below, list_files
from surefoot.logs.naming import (
    NAMES,
    Naming,
    compiled,
    named_by_paths,
    names_alike,
    names_of,
    plain_run,
    refuse_unmatched,
    refuse_unnamed,
)
from surefoot.logs.progress import reporter
from surefoot.logs.protocol import COMPARE_NEVERTHELESS, unlike_in_logs
from surefoot.protocol.sentences import NOT_COMPARED

COLUMNS = ("algorithm", "environment", "run", "step", "score", "kind", "episodes", "source")
INVALID_SCORES = ("error", "drop")
UNLIKE_PROTOCOLS = ("error", "remark")
_LISTED = 3
_WHOLE = "is the file whole? If it is not one of these runs, move it out of the folder"


_Run = tuple[str, str, str]


class Remark(UserWarning):
    """What whoever uses the runs of a folder should know of how they were read."""


class _Named(NamedTuple):
    """A curve with its names, each `IN_COLUMNS` where it differs between the points of a table."""

    names: Mapping[str, str]
    curve: Curve

    def categories(self, name: str) -> tuple[npt.NDArray[np.intp], list[str]]:
        """int[points], and the names that these number."""
        if self.curve.runs is None or self.names[name] != IN_COLUMNS:
            return np.zeros(self.curve.scores.size, np.intp), [self.names[name]]
        return pd.factorize(self.curve.runs[name])[0], list(map(str, self.curve.runs[name].unique()))

    def algorithms(self) -> list[str]:
        return self.categories("algorithm")[1]

    def runs(self) -> list[_Run]:
        """The names of its runs: of algorithm, environment and run."""
        if self.curve.runs is None:
            return [(self.names["algorithm"], self.names["environment"], self.names["run"])]
        unlike = (~self.curve.runs.duplicated()).to_numpy()
        columns = [(codes[unlike], names) for codes, names in map(self.categories, NAMES)]
        return list(zip(*(np.array(names, object)[codes].tolist() for codes, names in columns), strict=True))

    def only(self, algorithms: set[str]) -> "_Named":
        """The points of some of its algorithms."""
        codes, names = self.categories("algorithm")
        if self.curve.runs is None or algorithms.issuperset(names):
            return self
        kept = np.isin(codes, [code for code, name in enumerate(names) if name in algorithms])
        one = self.curve
        steps = one.steps[kept] if one.steps.size else one.steps
        runs = self.curve.runs[kept]
        return _Named(
            self.names, one._replace(steps=steps, scores=one.scores[kept], episodes=one.episodes[kept], runs=runs)
        )


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
    found = _recognized(root, files, format, notes)
    tasks = () if environment is None else (environment,) if isinstance(environment, str) else tuple(environment)
    of_formats = {
        name: _read(formats()[name], [place._replace(tasks=tasks, step=step) for place in places], root, asked, notes)
        for name, places in found.items()
    }
    if step is not None and (fixed := [name for name in found if not hasattr(formats()[name], "STEPS_BY_NAME")]):
        raise InputError("step", f"the format {fixed[0]} has steps of its own", "leave --step out")
    curves = [curve for of_format in of_formats.values() for curve in of_format]
    if not curves:
        raise _without_curves(root, " or ".join(found), asked, notes)
    chosen = _of_one_kind(_named(curves, naming, root, pattern, notes), kind, notes)
    if asked is None:
        _refuse_unlike_metrics(chosen, root)
    _refuse_doubles(chosen, root)
    table = _table(chosen, root, several=asked is not None and len(asked) > 1)
    table = _finite(table, invalid_scores, notes)
    kinds = {one.curve.kind for one in chosen}
    name = next(name for name, read in of_formats.items() if kinds & {curve.kind for curve in read})
    table.attrs = {"format": name, "returns": asked is None, "metrics": _metrics(chosen)}
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


def _recognized(root: Path, files: Sequence[Path], format: str | None, notes: Notes) -> dict[str, list[Place]]:
    """The places of the one format of the folder, or of several of the same runs, by format."""
    names = [format] if format else list(formats())
    try:
        found = {name: places for name in names if (places := _places(formats()[name], root, files))}
    except PermissionError as error:
        raise _unreadable(error, root) from None
    except FileNotFoundError as error:
        what = f"{error.filename} was there and is gone: something writes in the folder"
        raise InputError(str(root), what, "give the same command again, or read a copy of the folder") from None
    contained = {
        (other, place)
        for name, places in found.items()
        for other in formats()[name].CONTAINS
        if other in found
        for place in _inside(found[other], {place.name for place in places})
    }
    left = {name: [place for place in places if (name, place) not in contained] for name, places in found.items()}
    left = {name: places for name, places in left.items() if places}
    if any(not hasattr(formats()[name], "FALLBACK") for name in left):
        left = {name: places for name, places in left.items() if not hasattr(formats()[name], "FALLBACK")}
    if not left:
        raise _without_runs(root, files, format)
    beside = next((name for name in left if set(left) <= {name, *getattr(formats()[name], "BESIDE", ())}), None)
    if beside is None:
        what = " and ".join(
            f"{_counted(len(places), 'place')} of the format {name} (such as {places[0].name})"
            for name, places in left.items()
        )
        hint = "ask for one: " + " or ".join(f"--format {name}" for name in left)
        raise InputError(str(root), f"runs of several formats: {what}", hint)
    folders = {place.name for place in left[beside]}
    for name in [name for name in left if name != beside and not folders & {place.name for place in left[name]}]:
        # Not in the folders of the same runs, so that nothing says which belong together.
        notes.remark(f"{_counted(len(left.pop(name)), 'place')} of the format {name} are left aside (--format {name})")
    return left


def _places(reader: Format, root: Path, files: Sequence[Path]) -> list[Place]:
    """What a format recognizes; where a file is in its way, the error names the file."""
    try:
        return reader.recognize(root, files)
    except (InputError, FileNotFoundError, PermissionError):
        raise
    except Exception:
        for path in files:
            with guarded(str(path), _WHOLE):
                reader.recognize(root, [path])
        raise


def _without_runs(root: Path, files: Sequence[Path], format: str | None) -> InputError:
    kinds = Counter(path.suffix or path.name for path in files)
    has = ", ".join(f"{number:,} {suffix}" for suffix, number in kinds.most_common(5))
    looked = f"of the format {format}" if format else "of a format that is known"
    empty = sum(_size(path) == 0 for path in files)
    broken = [below(root, path) for path in files if path.suffix == ".parquet" and not column_names(path)]
    what = f"no runs {looked} among its {_counted(len(files), 'file')}" + (f" ({has})" if has else "")
    what += f", of which {empty:,} {'is' if empty == 1 else 'are'} empty" if empty else ""
    what += f"; not readable as Parquet: {listed(broken, _LISTED)}" if broken else ""
    tables = [path for path in files if column_names(path)] if format == "table" else []
    what += "".join(
        f"; {below(root, path)} has no column {', '.join(missing_columns(path))}" for path in tables[:_LISTED]
    )
    others = "export others to a long table (algorithm, environment, run, step, score)"
    if {".pkl", ".pickle", ".npy"} & set(kinds):
        others += "; pickles are opened only if they are given themselves"
    return InputError(str(root), what, f"the formats are {', '.join(formats())}; {others}")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _inside(places: Iterable[Place], folders: set[str]) -> list[Place]:
    """The places that are one of the folders, or lie in one."""
    return [
        place
        for place in places
        if place.name in folders
        or any(place.name[:end] in folders for end, letter in enumerate(place.name) if letter == "/")
    ]


def _read(
    reader: Format, places: Sequence[Place], root: Path, asked: Sequence[str] | None, notes: Notes
) -> list[Curve]:
    """The curves of all places, read one after the other, each averaged over the episodes of a step."""
    sizes = [[_size(path) for path in place.paths] for place in places]
    report = reporter(sum(map(len, sizes)), sum(map(sum, sizes)))
    curves: list[Curve] = []
    files = done = points = 0
    for place, size in zip(places, sizes, strict=True):
        before, said = len(curves), len(notes.remarks)
        try:
            with guarded(str(place.paths[0]), _WHOLE):
                for curve in reader.read(place, root, asked, notes):
                    if curve.scores.size:
                        curves.append(averaged(curve))
                        points += curves[-1].scores.size
        except PermissionError as error:
            raise _unreadable(error, place.paths[0]) from None
        except FileNotFoundError as error:
            notes.remark(f"{place.name}: {error.filename} was gone when it was to be read; what it had is left out")
        if len(curves) == before and len(notes.remarks) == said:
            notes.remark(f"{place.name}: no scores of an episode, so it is left out")
        files, done = files + len(size), done + sum(size)
        report(files, done, points)
    return curves


def _unreadable(error: PermissionError, path: Path) -> InputError:
    return InputError(str(error.filename or path), f"it cannot be read ({error.strerror})", UNREADABLE)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


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


def _named(curves: Sequence[Curve], naming: Naming, root: Path, pattern: str | None, notes: Notes) -> list[_Named]:
    """The curves with their names; an InputError where these cannot be told."""
    places = list(dict.fromkeys(curve.place for curve in curves))
    if naming.pattern and pattern:
        refuse_unmatched(places, naming.pattern, pattern)
    told: dict[str, dict[str, str]] = {}
    jobs = {source: job_configuration(source, root) for source in dict.fromkeys(curve.source for curve in curves)}
    for curve in curves:  # of the same run, one kind of files may tell what others do not
        told[curve.place] = {**curve.told, **told.get(curve.place, {})}
    found = []
    for curve in curves:
        own, around = {**told[curve.place], **curve.told}, jobs[curve.source]
        found.append(_Named(names_of(naming, curve.place, own, curve.config, around), curve))
    lacking = {one.curve.place: one.names for one in found if {"algorithm", "environment"} - set(one.names)}
    if lacking and not naming.pattern:
        by_paths = named_by_paths(list(lacking), list(lacking.values()), notes)
        found = [_Named({**by_paths.get(one.curve.place, {}), **one.names}, one.curve) for one in found]
    for name in ("algorithm", "environment"):
        lacking = {one.curve.place: one.names for one in found if name not in one.names}
        if lacking:
            refuse_unnamed(str(root), name, list(lacking), list(lacking.values()))
    # A folder is a run: where no seed is known, the run goes by the folder's name.
    return [_Named({"run": one.curve.place, **one.names}, one.curve) for one in found]


def _of_one_kind(found: Sequence[_Named], kind: str | None, notes: Notes) -> list[_Named]:
    """The curves of the kind that is asked for; else of evaluations where all runs have them, of training where none
    has; and where no kind is common to all runs, that of each algorithm."""
    if {one.curve.kind for one in found} == {kind or found[0].curve.kind}:
        _remarks_of(found, notes)
        return list(found)
    runs_of: dict[str, set[_Run]] = {}
    for one in found:
        runs_of.setdefault(one.curve.kind, set()).update(one.runs())
    everyone = set().union(*runs_of.values())
    counted = ", ".join(f"{name} of {len(runs):,} runs" for name, runs in runs_of.items())
    if kind is not None and kind not in runs_of:
        raise InputError("kind", f'no scores of the kind "{kind}": there are {counted}', f"one of {', '.join(runs_of)}")
    common = kind or _common_kind(runs_of, everyone)
    wanted = {
        name: common or _common_kind(runs_of, {key for key in everyone if key[0] == name})
        for name in dict.fromkeys(key[0] for key in everyone)
    }
    if None in wanted.values():
        what = f"runs of different kinds are not compared: {counted}"
        raise InputError("kind", what, "ask for one: " + " or ".join(f"--kind {name}" for name in runs_of))
    for name, runs in runs_of.items():
        aside = sum(wanted[key[0]] != name for key in runs)
        if aside:
            notes.remark(f"scores of the kind {name} of {aside:,} runs are left aside (--kind {name} reads them)")
    missing = sum(key not in runs_of[wanted[key[0]] or ""] for key in everyone)
    if missing:
        notes.remark(f"{missing:,} of {len(everyone):,} runs have no scores of the kind {kind} and are left out")
    having = {kind: {name for name, own in wanted.items() if own == kind} for kind in runs_of}
    chosen = [one.only(having[one.curve.kind]) for one in found if having[one.curve.kind] & set(one.algorithms())]
    _remarks_of(chosen, notes)
    return chosen


def _remarks_of(found: Sequence[_Named], notes: Notes) -> None:
    for one in found:
        if one.curve.remark:
            notes.remark(one.curve.remark)


def _common_kind(runs_of: Mapping[str, set[_Run]], runs: set[_Run]) -> str | None:
    """The first kind of which all these runs have scores."""
    return next((name for name in KINDS if runs <= runs_of.get(name, set())), None)


def _refuse_unlike_metrics(found: Sequence[_Named], root: Path) -> None:
    """Within an algorithm; between algorithms they are unlike protocols."""
    first: dict[str, _Named] = {}
    for name, one in ((name, each) for each in found for name in each.algorithms()):
        other = first.setdefault(name, one)
        if other.curve.metric != one.curve.metric:
            what = " and ".join(f"{each.curve.metric} ({each.curve.place})" for each in (other, one))
            raise InputError(
                str(root), f"runs log their returns under different names: {what}", "ask for one by --metric"
            )


def _metrics(found: Sequence[_Named]) -> dict[str, str]:
    """The name under which each algorithm logs its score; of several names, all of them."""
    names: dict[str, dict[str, None]] = {}
    for name, one in ((name, each) for each in found for name in each.algorithms()):
        names.setdefault(_text(name), {})[one.curve.metric] = None
    return {name: ", ".join(metrics) for name, metrics in names.items()}


def _refuse_doubles(found: Sequence[_Named], root: Path) -> None:
    if len(found) == 1 and set(found[0].names.values()) == {IN_COLUMNS}:
        return
    first: dict[tuple[str, ...], Curve] = {}
    for key, one in (((*run, each.curve.metric), each) for each in found for run in each.runs()):
        if other := first.get(key):
            what = (
                f"{key[0]} in {key[1]} has run {key[2]} twice: {below(root, other.source)} and "
                f"{below(root, one.curve.source)}"
            )
            hint = "move the one that does not count out of the folder, or tell them apart by --pattern with {run}"
            raise InputError(str(root), what, hint)
        first[key] = one.curve


def _table(found: Sequence[_Named], root: Path, several: bool) -> pd.DataFrame:
    """The table of all points, by the order of their names; numbers of names until then, as there may be a million
    runs."""
    names = {name: [one.categories(name) for one in found] for name in NAMES}
    runs = {run: plain_run(run) for _, own in names["run"] for run in own}
    if len(set(runs.values())) < len(runs):
        keys = {run for one in found for run in one.runs()}
        if len({(*key[:2], runs[key[2]]) for key in keys}) < len(keys):
            runs = {run: run for run in runs}
    numbers = all(run.isascii() and run.isdigit() and len(run) < 19 for run in runs.values())
    columns = {
        "algorithm": _numbered(names["algorithm"], _text),
        "environment": _numbered(names["environment"], _text),
        "run": _numbered(names["run"], lambda run: int(runs[run]) if numbers else _text(runs[run])),
    }
    sizes = [one.curve.scores.size for one in found]
    sources = {source: below(root, source) for source in dict.fromkeys(one.curve.source for one in found)}
    constants = {
        "kind": [one.curve.kind for one in found],
        "source": [sources[one.curve.source] for one in found],
        "metric": [one.curve.metric for one in found],
    }
    of_curves = {
        name: _numbered([(np.zeros(size, np.intp), [value]) for size, value in zip(sizes, values, strict=True)], str)
        for name, values in constants.items()
        if several or name != "metric"
    }
    order = [columns[name][0] for name in NAMES] + ([of_curves["metric"][0]] if several else [])
    values: dict[str, npt.NDArray[Any]] = {}
    if any(one.curve.steps.size for one in found):
        for one in found:
            if one.curve.steps.size != one.curve.scores.size:
                what = "it has scores without steps, and other files have steps"
                raise InputError(below(root, one.curve.source), what, "read the files apart")
        steps = np.concatenate([one.curve.steps for one in found])
        values["step"] = steps.astype(np.int64) if (steps % 1 == 0).all() else steps
        order.append(values["step"])
    values["score"] = np.concatenate([one.curve.scores for one in found])
    values["episodes"] = np.concatenate([one.curve.episodes for one in found])
    rows = np.lexsort(order[::-1])
    made: dict[str, Any] = {name: value[rows] for name, value in values.items()}
    for name, (codes, told) in (columns | of_curves).items():
        made[name] = pd.Series(told).take(codes[rows]).array
    return pd.DataFrame({name: made[name] for name in (*COLUMNS, "metric") if name in made})


def _numbered(
    parts: Sequence[tuple[npt.NDArray[np.intp], Sequence[str]]], told: Callable[[str], str | int]
) -> tuple[npt.NDArray[np.int32], list[str | int]]:
    """int32[points], and the names in order that these number."""
    names: list[Any] = sorted({told(name) for _, own in parts for name in own})
    place = {name: number for number, name in enumerate(names)}
    codes = [np.array([place[told(name)] for name in own], np.int32)[own_codes] for own_codes, own in parts]
    return np.concatenate(codes), names


def _text(name: str) -> str:
    """The name without what is no Unicode, which no file of a table could hold."""
    return name.encode("utf-8", "replace").decode("utf-8")


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
