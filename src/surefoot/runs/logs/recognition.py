"""Recognize which files of a folder are logs of runs, and their format."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from surefoot.errors import InputError, counted, listed
from surefoot.runs.columns.run_names import STEPS
from surefoot.runs.given_files import guarded
from surefoot.runs.logs.account import (
    CONFIGURATION,
    LEFT_OUT,
    NOT_ASKED,
    OF_ANOTHER_FORMAT,
    OTHER_FILE,
    SECOND_RECORD,
    Entry,
)
from surefoot.runs.logs.formats.array_files import is_damaged, other_types
from surefoot.runs.logs.log_files import CONFIGURATIONS, head
from surefoot.runs.logs.logged_curves import Place, Reading
from surefoot.runs.logs.run_formats import RUN_FORMATS
from surefoot.runs.logs.table_files import column_names, kind_of_table, missing_columns, table_error

WHOLE = "is the file complete? If it is not one of these runs, move it out of the folder"
ANOTHER_LOG = "another log of the run"
"""Recorded reason for not reading a file with scores of a run that is read from other files."""
_SPREADSHEETS = (".xlsx", ".xls", ".ods")
_LISTED = 3
_BLANK = 64
"""Largest size in bytes of a file that may count as empty if it has nothing but blanks and line ends."""
_LACKING = 2
"""Largest number of missing columns with which a file still counts as an incomplete table of runs."""


def chosen_files(files: Sequence[Path], patterns: Sequence[str], reading: Reading) -> list[Path]:
    """Return the files that match a glob pattern, and configurations; all files if there are no patterns.

    Raises
    ------
    InputError
        if no file matches
    """
    if not patterns:
        return list(files)
    matching: set[Path] = set()
    for pattern in patterns:
        of_pattern = {path for path in files if PurePosixPath(reading.below(path)).match(pattern)}
        if not of_pattern:
            there = listed([reading.below(path) for path in files], _LISTED)
            what = f"no file matches {pattern} among {there}"
            raise InputError("files", what, 'give the end of a path, such as "*/eval.csv"')
        matching |= of_pattern
    matching |= {path for path in files if path.name in CONFIGURATIONS}
    reading.entries += [Entry(reading.below(path), NOT_ASKED, "by --files") for path in files if path not in matching]
    return [path for path in files if path in matching]


def recognized(files: Sequence[Path], format: str | None, reading: Reading) -> dict[str, list[Place]]:
    """Return each `Place` to read by format: of a single format, or of several formats of the same runs.

    The outcomes of all other files are recorded.
    """
    formats = RUN_FORMATS.complete()
    asked = [format] if format else sorted(formats)
    with guarded(str(reading.root), WHOLE):
        by_format = {name: formats[name].recognize(reading, files) for name in asked}
        not_asked = {name: formats[name].recognize(reading, files) for name in sorted(formats) if name not in asked}
    outside, contained = _without_contained(by_format)
    left = {name: places for name, places in outside.items() if not formats[name].fallback} or dict(outside)
    if not left:
        raise _without_runs(files, format, reading)
    contained += _recorded_otherwise(left)
    aside = _left_aside(left, reading)
    aside |= {name: places for name, places in (not_asked or outside).items() if name not in left}
    remaining = _files_not_read(files, left)
    for place in contained:
        _account(place, SECOND_RECORD, ANOTHER_LOG, remaining, reading)
    _account_for_places_aside(aside, left, format, remaining, reading)
    _account_for_other_files(remaining, left, format, reading)
    return left


def _without_contained(by_format: Mapping[str, Sequence[Place]]) -> tuple[dict[str, list[Place]], list[Place]]:
    """Return each `Place` outside runs of other formats, by format; and a list of each `Place` inside such a run."""
    outside: dict[str, list[Place]] = {}
    contained: list[Place] = []
    for name, places in by_format.items():
        containers = [other for other in by_format if name in RUN_FORMATS.complete()[other].contains]
        folders = {place.name for other in containers for place in by_format[other]}
        for place in places:
            if _is_below(place, folders):
                contained.append(place)
            else:
                outside.setdefault(name, []).append(place)
    return outside, contained


def _is_below(place: Place, folders: set[str]) -> bool:
    """Check whether a `Place` is one of the folders, or inside one of them."""
    return not folders.isdisjoint([place.name, *map(str, PurePosixPath(place.name).parents)])


def _left_aside(left: dict[str, list[Place]], reading: Reading) -> dict[str, list[Place]]:
    """Remove and return the formats whose runs are in other folders than the runs of the main format.

    For such formats, it is unclear which runs belong together.

    Raises
    ------
    InputError
        if there are formats that are not read together, in any folders
    """
    beside = next((name for name in left if set(left) <= {name, *RUN_FORMATS.complete()[name].beside}), None)
    if beside is None:
        what = " and ".join(
            f"{counted(len(places), 'place')} of the format {name} (such as {places[0].name})"
            for name, places in left.items()
        )
        hint = "choose one: " + " or ".join(f"--format {name}" for name in left)
        raise InputError(str(reading.root), f"runs of several formats: {what}", hint)
    folders = {place.name for place in left[beside]}
    aside = {name: left.pop(name) for name in list(left) if name != beside and _are_apart(left[name], folders)}
    for name, places in aside.items():
        number = counted(len(places), "place")
        reading.remark(f"runs of the format {name} in {number} are not used (--format {name} reads them)")
    return aside


def _recorded_otherwise(left: dict[str, list[Place]]) -> list[Place]:
    """Remove formats whose runs all have logs in a format that contains them; return each removed `Place`.

    An example is the logger's file of a training that ended before its first evaluation, next to its monitor file.
    """
    taken: list[Place] = []
    for name in list(left):
        others = {place.name for other in left if other != name for place in left[other]}
        is_contained = any(name in RUN_FORMATS.complete()[other].contains for other in left if other != name)
        if is_contained and others.issuperset(place.name for place in left[name]):
            taken += left.pop(name)
    return taken


def _are_apart(places: Sequence[Place], folders: set[str]) -> bool:
    return not folders & {place.name for place in places}


def _paths_of(read: Mapping[str, Sequence[Place]]) -> list[Path]:
    return [path for places in read.values() for place in places for path in place.paths]


def _files_not_read(files: Sequence[Path], read: Mapping[str, Sequence[Place]]) -> dict[Path, None]:
    """Return the files that are not read, as keys of a mapping."""
    paths_read = set(_paths_of(read))
    return dict.fromkeys(path for path in files if path not in paths_read)


def _account_for_places_aside(
    aside: Mapping[str, Sequence[Place]],
    read: Mapping[str, Sequence[Place]],
    format: str | None,
    remaining: dict[Path, None],
    reading: Reading,
) -> None:
    """Record the outcomes of files whose format is not read.

    Files of a fallback format are recorded as a second record if they are below a run that is read; otherwise they are
    skipped if they have no steps.
    """
    formats = RUN_FORMATS.complete()
    runs = {place.name for places in read.values() for place in places}
    for name in sorted(aside, key=lambda name: formats[name].fallback):
        for place in aside[name]:
            if formats[name].fallback and _is_below(place, runs):
                _account(place, SECOND_RECORD, ANOTHER_LOG, remaining, reading)
            elif format and (not formats[name].fallback or _has_steps(place)):
                _account(place, NOT_ASKED, f"{OF_ANOTHER_FORMAT}{name} (--format {format})", remaining, reading)
            elif not formats[name].fallback or _has_steps(place):
                _account(place, LEFT_OUT, f"{OF_ANOTHER_FORMAT}{name}", remaining, reading)


def _account_for_other_files(
    remaining: Iterable[Path], read: Mapping[str, Sequence[Place]], format: str | None, reading: Reading
) -> None:
    """Record the outcomes of files without a known format, with remarks on files that look like unusable logs."""
    logs = _paths_of(read)
    names = {path.name for path in logs}
    are_single = not {"run_files", "run_arrays"}.isdisjoint(read)
    suffixes = {path.suffix for path in logs} if are_single else set()
    for path in remaining:
        is_table = "table" in read and len(missing_columns(path, reading)) <= _LACKING
        is_alike = is_table or path.name in names or path.suffix in suffixes
        is_looked_at = is_alike or _is_damaged(path)
        why = _why_unusable(path, "table" if is_table else format, reading) if is_looked_at else ""
        if not why:
            reading.entries.append(Entry(reading.below(path), OTHER_FILE, _why_not_a_log(path)))
            continue
        run = reading.below(path.with_suffix("") if are_single else path.parent)
        reading.leave_out(path, why, f"{reading.below(path)}: it {why}, so it is left out", place=run)
        if is_alike and not is_table:
            reading.without_scores.append(run)


def _why_not_a_log(path: Path) -> str:
    """Return the reason why a file is not a log of scores, if its name or size shows it."""
    if path.name in CONFIGURATIONS:
        return CONFIGURATION
    if ".tfevents." in path.name:
        return "hyperparameters"
    if path.suffix.lower() in _SPREADSHEETS:
        return "a spreadsheet, which is not read"
    return "empty" if _is_empty(path) else ""


def _is_empty(path: Path) -> bool:
    """Check whether a file has nothing but a few blanks and line ends."""
    return path.stat().st_size < _BLANK and not head(path).strip()


def _account(place: Place, outcome: str, reason: str, remaining: dict[Path, None], reading: Reading) -> None:
    """Record the outcome of the files of a `Place` that have no entry yet."""
    for path in place.paths:
        if path in remaining:
            del remaining[path]
            reading.entries.append(Entry(reading.below(path), outcome, reason, place.name))


def _has_steps(place: Place) -> bool:
    """Check whether a generic log has a common column of steps; text files may contain anything."""
    names = column_names(place.paths[0])
    return not names or not set(STEPS).isdisjoint(names)


def _without_runs(files: Sequence[Path], format: str | None, reading: Reading) -> InputError:
    tables = [path for path in files if len(column_names(path)) > 1]
    if len(files) == len(tables) == 1 and not _why_unusable(tables[0], None, reading):
        return table_error(tables[0], reading)
    if sheets := [path for path in files if path.suffix.lower() in _SPREADSHEETS]:
        hint = "save each sheet that has scores as CSV (UTF-8); CSV files are read"
        raise InputError(str(sheets[0]), "spreadsheets are not read", hint)
    kinds = Counter(path.suffix or path.name for path in files)
    has = ", ".join(f"{number:,} {suffix}" for suffix, number in kinds.most_common(5))
    looked = f"of the format {format}" if format else "of a known format"
    what = f"no runs {looked} among its {counted(len(files), 'file')}" + (f" ({has})" if has else "")
    unusable = [f"{reading.below(path)} {why}" for path in files if (why := _why_unusable(path, format, reading))]
    what += f": {listed(unusable, _LISTED, '; ')}" if unusable else ""
    others = "export other formats to a long table (algorithm, environment, run, step, score)"
    if {".pkl", ".pickle", ".npy"} & set(kinds):
        others += "; a pickle is opened only if its own path is given"
    return InputError(str(reading.root), what, f"the formats are {', '.join(sorted(RUN_FORMATS.complete()))}; {others}")


def _is_damaged(path: Path) -> bool:
    """Check whether a compressed or binary file has a supported format but unreadable contents."""
    if path.suffix in (".npy", ".npz"):
        return is_damaged(path)
    return kind_of_table(path) in (".csv.gz", ".tsv.gz", ".parquet") and not column_names(path)


def _why_unusable(path: Path, format: str | None, reading: Reading) -> str:
    """Return the reason why a file is not usable as a log of runs, or ""."""
    names = column_names(path)
    if _is_empty(path):
        return "is empty"
    if _is_damaged(path):
        return f"is not readable as {path.suffix}"
    if path.suffix == ".npz" and (types := other_types(path)):
        return f"has arrays that are not of numbers: {listed(types, _LISTED)}"
    missing = missing_columns(path, reading) if names and format == "table" else []
    return f"has no column{'s' if len(missing) > 1 else ''} {', '.join(missing)}" if missing else ""
