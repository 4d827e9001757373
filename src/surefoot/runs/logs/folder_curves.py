"""Read the curves of all runs in a folder by format, and record what became of their files."""

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from surefoot.errors import InputError, counted, listed, nearest
from surefoot.rounding import joined
from surefoot.runs.given_files import guarded
from surefoot.runs.logs.account import OTHER_FILE, SECOND_RECORD, USED, WITH_OTHERS, Entry
from surefoot.runs.logs.formats.one_file_per_run import NO_STEPS
from surefoot.runs.logs.logged_curves import KINDS, Curve, Place, Reading, of_place
from surefoot.runs.logs.naming import plain_run
from surefoot.runs.logs.recognition import WHOLE
from surefoot.runs.logs.run_formats import RUN_FORMATS, RunFormat
from surefoot.runs.logs.table_files import table_error

_BETWEEN_REPORTS = 3.0
"""Seconds between two progress lines in the terminal."""


def read_places(places: Mapping[str, Sequence[Place]], reading: Reading) -> dict[str, list[Curve]]:
    """Read the curves of all runs, and return them by format.

    Parameters
    ----------
    places : the places to read, by format

    Raises
    ------
    InputError
        if there are no curves, or a column of steps is requested for a format in which it cannot be chosen
    """
    of_formats = {name: _read(RUN_FORMATS.complete()[name], each, reading) for name, each in places.items()}
    _leave_to_others(of_formats, reading)
    reading.remark(_unlike_steps(reading.places_by_axis))
    fixed = [name for name in of_formats if not RUN_FORMATS.complete()[name].steps_by_name]
    if reading.step is not None and fixed:
        formats = [name for name, reader in sorted(RUN_FORMATS.complete().items()) if reader.steps_by_name]
        hint = f"leave --step out; it is for the formats {', '.join(formats)}"
        raise InputError("step", f"the step column of the format {fixed[0]} cannot be chosen", hint)
    if not any(of_formats.values()):
        raise _without_curves(" or ".join(of_formats), reading)
    return of_formats


def _unlike_steps(places_by_axis: Mapping[str, Sequence[str]]) -> str:
    """Return a remark if steps of different runs are in columns of different names, or ""."""
    if len(places_by_axis) < 2:
        return ""
    parts = [
        f"{axis} in {counted(len(places), 'run')} (such as {places[0]})" for axis, places in places_by_axis.items()
    ]
    return f"steps come from different columns, which may count different things: {joined(parts)}"


def _read(reader: RunFormat, places: Sequence[Place], reading: Reading) -> list[Curve]:
    """Return the curves of one format, read in sequence, and record what became of the files."""
    curves: list[Curve] = []
    without: list[Place] = []
    next_report = time.monotonic() + _BETWEEN_REPORTS
    for number, place in enumerate(places, 1):
        of_one = _read_place(reader, place, reading)
        curves += of_one
        if not of_one:
            without.append(place)
        if time.monotonic() >= next_report:
            next_report += _BETWEEN_REPORTS
            print(f"read {number:,} of {len(places):,} runs", file=sys.stderr, flush=True)
    _account_for_scoreless(without, {curve.place for curve in curves}, reading)
    return curves


def _read_place(reader: RunFormat, place: Place, reading: Reading) -> list[Curve]:
    """Return the curves of a `Place` that have points; if there are any, record the files as used."""
    accounted = len(reading.entries)
    reading.place_kind = place.kind
    curves: list[Curve] = []
    try:
        with guarded(str(place.paths[0]), WHOLE):
            curves = [of_place(curve, place, reading) for curve in reader.read(place, reading) if len(curve.points)]
    except FileNotFoundError as error:
        remark = f"{place.name}: {error.filename} disappeared before it was read, and is left out"
        reading.leave_out(Path(str(error.filename)), "gone", remark, place=place.name)
    new = [entry if entry.place else entry._replace(place=place.name) for entry in reading.entries[accounted:]]
    reading.entries[accounted:] = new
    if curves:
        _account_for_rest(place, curves, new, reading)
    return curves


def _account_for_rest(place: Place, curves: Sequence[Curve], entries: Sequence[Entry], reading: Reading) -> None:
    """Record as used the files of a run that are not the first file of a curve and have no entry yet.

    An entry gets the kind of the curves whose first file has the same suffix.
    """
    named = {entry.file for entry in entries}
    sources = {curve.source for curve in curves}
    for path in place.paths:
        if path not in sources and reading.below(path) not in named:
            kinds = {curve.kind for curve in curves if curve.source.suffix == path.suffix}
            entry = Entry(reading.below(path), USED, WITH_OTHERS, place.name)
            reading.entries.append(entry._replace(kind=kinds.pop() if len(kinds) == 1 else ""))


def _account_for_scoreless(places: Sequence[Place], with_scores: set[str], reading: Reading) -> None:
    """Record the files of a `Place` without scores.

    The outcome is "no score", or "other file" if the scores of the run are in other files.
    """
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
    """Leave out curves that exist in two formats, keeping the preferred format.

    If format A lists format B in `beside`, evaluations are kept from A, since only A has training steps, and all other
    scores from B, which has more detail.
    """
    for name in of_formats:
        for other in RUN_FORMATS.complete()[name].beside:
            if other in of_formats:
                _leave_to(name, other, [kind for kind in KINDS if kind != "eval"], of_formats, reading)
                _leave_to(other, name, ["eval"], of_formats, reading)


def _leave_to(
    name: str, other: str, kinds: Sequence[str], of_formats: dict[str, list[Curve]], reading: Reading
) -> None:
    """Leave out curves of the given kinds in one format if another format has the same run and kind."""
    better = {(curve.place, curve.kind) for curve in of_formats[other] if curve.kind in kinds}
    curves = of_formats[name]
    lost = [curve for curve in curves if (curve.place, curve.kind) in better]
    for kind in dict.fromkeys(curve.kind for curve in lost):
        reading.remark(f"scores of the kind {kind} are read from {other}, not from {name} (--format {name})")
    for curve in lost:
        entry = Entry(reading.below(curve.source), SECOND_RECORD, f"read from {other}", curve.place)
        reading.entries.append(entry._replace(kind=curve.kind, metric=curve.metric, rows=len(curve.points)))
    of_formats[name] = [curve for curve in curves if (curve.place, curve.kind) not in better]


def _without_curves(format: str, reading: Reading) -> InputError:
    root = str(reading.root)
    there = sorted(reading.metrics)
    if reading.asked is not None and there:
        return InputError(root, f"no scores under {', '.join(reading.asked)}", nearest(reading.asked[0], there))
    if there and all(plain_run(name) != name for name in there):
        what = f"its columns {listed(there)} look like runs"
        return InputError(root, what, "use --wide runs with --algorithm and --environment, or with --pattern")
    if there:
        what = "none of the metrics is known to be the return of an episode"
        return InputError(root, what, f"choose a score with --metric: {', '.join(there)}")
    without_steps = [entry.file for entry in reading.entries if entry.reason == NO_STEPS]
    if without_steps and reading.step is None:
        top = reading.root.parent if reading.root.is_file() else reading.root
        return table_error(top / without_steps[0], reading, len(without_steps))
    first_remark = f": {next(iter(reading.remarks))}" if reading.remarks else ""
    named = format in RUN_FORMATS.complete() and RUN_FORMATS.complete()[format].steps_by_name
    hint = "specify the columns with --metric and --step" if named else "has the training just begun?"
    return InputError(root, f"no scores in its files of the format {format}{first_remark}", hint)
