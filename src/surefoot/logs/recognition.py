"""Recognize which files of a folder are logs of runs, and in which format."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from surefoot.build.errors import InputError
from surefoot.build.given_files import guarded
from surefoot.columns import STEPS
from surefoot.errors import listed
from surefoot.logs.account import CONFIGURATION, LEFT_OUT, NOT_ASKED, OTHER_FILE, SECOND_RECORD, Entry
from surefoot.logs.curves import Place, Reading
from surefoot.logs.files import CONFIGURATIONS
from surefoot.logs.formats.arrays import other_types
from surefoot.logs.formats.long_tables import column_names, missing_columns, table_error
from surefoot.logs.run_formats import RUN_FORMATS
from surefoot.rounding import counted

WHOLE = "is the file whole? If it is not one of these runs, move it out of the folder"
_LISTED = 3
_LACKING = 2
"""Most columns of a table of runs that a file may lack and still count as an incomplete table."""


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
            what = f"no file matches {pattern}, such as {there}"
            raise InputError("files", what, 'the end of a path, such as "*/eval.csv"')
        matching |= of_pattern
    matching |= {path for path in files if path.name in CONFIGURATIONS}
    reading.entries += [Entry(reading.below(path), NOT_ASKED, "by --files") for path in files if path not in matching]
    return [path for path in files if path in matching]


def recognized(files: Sequence[Path], format: str | None, reading: Reading) -> dict[str, list[Place]]:
    """Return the places of the format of the folder, or of several formats of the same runs, by format.

    All other files are accounted for.
    """
    formats = RUN_FORMATS.complete()
    with guarded(str(reading.root), WHOLE):
        others = {
            name: formats[name].recognize(reading, files) for name in sorted(formats) if format not in (None, name)
        }
        by_format = {
            name: formats[name].recognize(reading, files) for name in ([format] if format else sorted(formats))
        }
    contained: list[Place] = []
    outside: dict[str, list[Place]] = {}
    for name, places in by_format.items():
        containers = [other for other in by_format if name in formats[other].contains]
        folders = {place.name for other in containers for place in by_format[other]}
        for place in places:
            if folders.isdisjoint([place.name, *map(str, PurePosixPath(place.name).parents)]):
                outside.setdefault(name, []).append(place)
            else:
                contained.append(place)
    left = {name: places for name, places in outside.items() if not formats[name].fallback} or dict(outside)
    if not left:
        raise _without_runs(files, format, reading)
    contained += _recorded_otherwise(left)
    beside = next((name for name in left if set(left) <= {name, *formats[name].beside}), None)
    if beside is None:
        what = " and ".join(
            f"{counted(len(places), 'place')} of the format {name} (such as {places[0].name})"
            for name, places in left.items()
        )
        hint = "ask for one: " + " or ".join(f"--format {name}" for name in left)
        raise InputError(str(reading.root), f"runs of several formats: {what}", hint)
    folders = {place.name for place in left[beside]}
    aside = {name: left.pop(name) for name in list(left) if name != beside and _are_apart(left[name], folders)}
    for name, places in aside.items():
        # They are in other folders, so nothing shows which of them belong together.
        reading.remark(f"{counted(len(places), 'place')} of the format {name} are left aside (--format {name})")
    aside |= {name: places for name, places in (others or outside).items() if name not in left}
    _account_for_others(files, left, contained, aside, format, reading)
    return left


def _recorded_otherwise(left: dict[str, list[Place]]) -> list[Place]:
    """Remove formats whose runs all have logs in a containing format, and return their places.

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


def _account_for_others(
    files: Sequence[Path],
    read: Mapping[str, Sequence[Place]],
    contained: Sequence[Place],
    aside: Mapping[str, Sequence[Place]],
    format: str | None,
    reading: Reading,
) -> None:
    """Account for all files that are not read, with a remark on files that look like unreadable logs.

    Parameters
    ----------
    read : places that are read
    contained : places whose runs are read from other files
    aside : places of formats that are not read
    """
    remaining = dict.fromkeys(files)
    runs = {place.name for places in read.values() for place in places}
    paths_read = {path for places in read.values() for place in places for path in place.paths}
    for path in paths_read:
        remaining.pop(path, None)
    for place in contained:
        _account(place, SECOND_RECORD, "another log of the run", remaining, reading)
    for name, places in sorted(aside.items(), key=lambda named: RUN_FORMATS.complete()[named[0]].fallback):
        for place in places:
            is_again = RUN_FORMATS.complete()[name].fallback and not runs.isdisjoint(
                [place.name, *map(str, PurePosixPath(place.name).parents)]
            )
            if is_again:
                _account(place, SECOND_RECORD, "another log of the run", remaining, reading)
            elif not RUN_FORMATS.complete()[name].fallback or _has_steps(place):
                outcome, why = (NOT_ASKED, f" (--format {format})") if format else (LEFT_OUT, "")
                _account(place, outcome, f"of the format {name}{why}", remaining, reading)
    names = {path.name for path in paths_read}
    endings = {path.suffix for path in paths_read} if "run_files" in read else set()
    for path in remaining:
        is_table = "table" in read and len(missing_columns(path, reading)) <= _LACKING
        is_alike = path.name in names or path.suffix in endings or is_table
        if is_alike and (why := _why_unusable(path, "table" if is_table else format, reading)):
            run = reading.below(path.with_suffix("") if "run_files" in read else path.parent)
            reading.leave_out(path, why, f"{reading.below(path)}: it {why}, so it is left out", place=run)
            reading.without_scores += [] if is_table else [run]
        else:
            reading.entries.append(Entry(reading.below(path), OTHER_FILE, _why_not_a_log(path)))


def _why_not_a_log(path: Path) -> str:
    """Return the reason why a file is not a log of scores, if its name or size shows it."""
    if path.name in CONFIGURATIONS:
        return CONFIGURATION
    return "empty" if path.stat().st_size == 0 else ""


def _account(place: Place, outcome: str, reason: str, remaining: dict[Path, None], reading: Reading) -> None:
    """Account for the files of a place that have no entry yet."""
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
    kinds = Counter(path.suffix or path.name for path in files)
    has = ", ".join(f"{number:,} {suffix}" for suffix, number in kinds.most_common(5))
    looked = f"of the format {format}" if format else "of a format that is known"
    what = f"no runs {looked} among its {counted(len(files), 'file')}" + (f" ({has})" if has else "")
    unusable = [f"{reading.below(path)} {why}" for path in files if (why := _why_unusable(path, format, reading))]
    what += f": {listed(unusable, _LISTED, '; ')}" if unusable else ""
    others = "export others to a long table (algorithm, environment, run, step, score)"
    if {".pkl", ".pickle", ".npy"} & set(kinds):
        others += "; pickles are opened only if they are given themselves"
    return InputError(str(reading.root), what, f"the formats are {', '.join(sorted(RUN_FORMATS.complete()))}; {others}")


def _why_unusable(path: Path, format: str | None, reading: Reading) -> str:
    """Return the reason why a file is not usable as a log of runs, or ""."""
    names = column_names(path)
    if path.stat().st_size == 0:
        return "is empty"
    if path.suffix == ".parquet" and not names:
        return "is not readable as Parquet"
    if path.suffix == ".npz" and (types := other_types(path)):
        return f"has arrays that are not of numbers: {listed(types, _LISTED)}"
    missing = missing_columns(path, reading) if names and format == "table" else []
    return f"has no column {', '.join(missing)}" if missing else ""
