"""Jobs that began but left no score: Hydra jobs, folders with only a configuration, and runs without scores."""

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

import numpy as np
import pandas as pd

from surefoot.runs.columns.run_tables import UNFINISHED, UNNAMED_JOBS
from surefoot.runs.logs.account import (
    CONFIGURATION,
    HIDDEN,
    LEFT_OUT,
    NO_SCORE,
    OF_ANOTHER_FORMAT,
    OTHER_FILE,
    SECOND_RECORD,
    USED,
    Entry,
    jobs_without_scores,
)
from surefoot.runs.logs.log_files import CONFIGURATIONS, HYDRA, Listing, job_configuration, read_configuration_beside
from surefoot.runs.logs.logged_curves import Curve, Reading
from surefoot.runs.logs.logged_rows import NOT_A_NUMBER
from surefoot.runs.logs.naming import NAMES, Naming, flat, names_of, pairs_in_path, plain_run


def account_for_unread(listing: Listing, reading: Reading) -> None:
    """Record links, hidden files and folders, and the configurations of Hydra jobs, which are not read as logs."""
    reading.entries += [Entry(reading.below(path), SECOND_RECORD, "a link to another name") for path in listing.links]
    for path in listing.broken:
        reading.leave_out(path, "a link to nothing", f"{reading.below(path)}: a broken link, left out")
    reading.entries += [
        Entry(reading.below(job / HYDRA), OTHER_FILE, CONFIGURATION, reading.below(job)) for job in listing.jobs
    ]
    reading.entries += [
        Entry(reading.below(path), HIDDEN, "not read", rows=files) for path, files in listing.hidden.items() if files
    ]


def account_for_jobs(
    listing: Listing, of_formats: Mapping[str, Sequence[Curve]], naming: Naming, reading: Reading
) -> None:
    """Record jobs that began but left no log, and infer the names of all jobs without a score."""
    read = {curve.source for curves in of_formats.values() for curve in curves}
    accounted = {entry.file for entry in reading.entries if entry.outcome in (USED, LEFT_OUT, NO_SCORE)}
    read |= {path for path in listing.files if reading.below(path) in accounted}
    for job in jobs_without_scores(listing.files, listing.jobs, read, CONFIGURATIONS):
        shown = reading.below(job)
        reading.without_score(job, "a job without a log", f"{shown}: a job began but left no score", shown)
        reading.without_scores.append(shown)
    depths = {len(path.parent.parts) for path in read}
    for folder in listing.empty:
        shown = reading.below(folder)
        if len(folder.parts) in depths and (names := _names_of_job(shown, naming, reading)):
            reading.names[shown] = names
            reading.without_score(folder, "an empty folder", f"{shown}: a job began but left no file", shown)
            reading.without_scores.append(shown)
    _account_for_runs_of_other_formats(naming, reading)
    _account_for_folders_without_logs(depths, read, naming, reading)
    for place in reading.without_scores:
        if place not in reading.names and (names := _names_of_job(place, naming, reading)):
            reading.names[place] = names


def _runs_read(reading: Reading) -> set[tuple[str | None, ...]]:
    """Return the names of the runs that were read, ordered as in `NAMES`."""
    return {tuple(map(names.get, NAMES)) for names in reading.names.values()}


def _account_for_runs_of_other_formats(naming: Naming, reading: Reading) -> None:
    """Record runs whose only log has a format that is not read, such as a monitor file, as runs without a score."""
    runs = _runs_read(reading)
    cells = {run[:2] for run in runs}
    for number, entry in enumerate(reading.entries):
        if entry.outcome != LEFT_OUT or not entry.reason.startswith(OF_ANOTHER_FORMAT):
            continue
        names = _names_of_job(entry.place, naming, reading)
        run = tuple(map(names.get, NAMES))
        if run[:2] in cells and run not in runs:
            reading.names[entry.place] = names
            reading.entries[number] = entry._replace(outcome=NO_SCORE)


def _account_for_folders_without_logs(depths: set[int], read: set[Path], naming: Naming, reading: Reading) -> None:
    """Record numbered folders with files but no log as jobs without a score, if they look like folders of runs.

    Parameters
    ----------
    depths : depths of the folders with logs
    read : files that were read, or whose outcome is already recorded
    """
    top = reading.root.parent if reading.root.is_file() else reading.root
    others = (top / entry.file for entry in reading.entries if entry.outcome == OTHER_FILE)
    with_logs = {folder for path in read for folder in path.parents}
    runs = _runs_read(reading)
    cells = {run[:2] for run in runs}
    for folder in sorted({path.parent for path in others} - with_logs):
        if len(folder.parts) not in depths:
            continue
        shown = reading.below(folder)
        names = _names_of_job(shown, naming, reading)
        run = tuple(map(names.get, NAMES))
        is_alike = run[:2] in cells and plain_run(names["run"]).isdecimal()
        if is_alike and run not in runs:
            reading.names[shown] = names
            reading.without_score(folder, "a folder without a log", f"{shown}: a job began but left no log", shown)
            reading.without_scores.append(shown)


def _names_of_job(place: str, naming: Naming, reading: Reading) -> dict[str, str]:
    """Return the algorithm, environment and run of a job without a score, or {}.

    Names come from the path and the configurations, which have to state the algorithm and the environment.
    """
    top = reading.root.parent if reading.root.is_file() else reading.root
    log = top / place / "log"  # the path that a log would have
    found = (
        reading.configurations.get(place, {}),
        read_configuration_beside(log),
        job_configuration(log, reading.root),
        pairs_in_path(place),
    )
    configurations = [flat(config) for config in found]
    pattern = naming.pattern or reading.pattern
    # The last part of the path, which the pattern ignores, may be the name of a missing log; the name of an existing
    # log may not be part of the run's name.
    without = pattern and pattern.removesuffix("/{}")
    with_scores = {(names["algorithm"], names["environment"]) for names in reading.names.values()}
    first: dict[str, str] = {}
    for of_path, named in dict.fromkeys(
        [(pattern, place), (without, place), (pattern, str(PurePosixPath(place).parent))]
    ):
        names = names_of(naming._replace(pattern=of_path), named, {}, configurations)
        if {*NAMES[:2]} <= names.keys():
            names = {"run": place, **names}
            if (names["algorithm"], names["environment"]) in with_scores:
                return names
            first = first or names
    return first


def keep_unfinished(table: pd.DataFrame, reading: Reading) -> None:
    """Store in `attrs` the runs that began but left no score, and the paths of jobs that cannot be assigned.

    A job cannot be assigned if its names are unknown, or if its algorithm has no scores in its environment.
    """
    runs = _names_of_runs(table)
    cells = {run[:2] for run in runs}
    are_plain = all(plain_run(run) == run for *_, run in runs)
    unfinished: list[list[str]] = []
    unnamed: list[str] = []
    for place, *cell, run in _runs_without_scores(reading):
        named = (*cell, plain_run(run) if are_plain else run)
        if named[:2] not in cells:
            unnamed.append(place)
        elif named not in runs:
            unfinished.append(list(named))
    finite = _names_of_runs(table[np.isfinite(table["score"])])
    unfinished += [list(run) for run in runs if run not in finite]
    table.attrs |= {UNFINISHED: unfinished} if unfinished else {}
    table.attrs |= {UNNAMED_JOBS: unnamed} if unnamed else {}


def _runs_without_scores(reading: Reading) -> list[tuple[str, ...]]:
    """Return [path, algorithm, environment, run] of each run that may lack a score; unknown names are "".

    A run with strings among its scores is included if its names are known, since it may have no other score.
    """
    entries = [Entry("", NO_SCORE, place=place) for place in reading.without_scores]
    entries += [entry for entry in reading.entries if entry.outcome == NO_SCORE]
    lost = [(entry.place, *_names_of_entry(entry, reading)) for entry in entries]
    of_texts = [entry for entry in reading.entries if entry.reason == NOT_A_NUMBER]
    lost += [(entry.file, *names) for entry in of_texts if all(names := _names_of_entry(entry, reading))]
    return list(dict.fromkeys(lost))


def _names_of_entry(entry: Entry, reading: Reading) -> tuple[str, ...]:
    return tuple(entry.of_run(name, reading.names) for name in NAMES)


def _names_of_runs(table: pd.DataFrame) -> dict[tuple[str, ...], None]:
    """Return the names of the runs of a table, without duplicates."""
    each = table[[*NAMES]].drop_duplicates().astype(str)
    return dict.fromkeys(each.itertuples(index=False, name=None))
