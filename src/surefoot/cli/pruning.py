"""prune: delete from the store what no study has a use for any more.

One store serves many folders and configurations, and what an overlay's study computed may have taken days. So what this
configuration does not need is deleted only where its study is known to the configuration, and no one used it of late,
or where the command names the study.
"""

import argparse
import os
import shlex
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from surefoot.build.errors import InputError, nearest
from surefoot.build.kernel_cache import kernels_of
from surefoot.build.planned_command import command
from surefoot.build.results import needed
from surefoot.build.spec_files import STUDY_FILES
from surefoot.build.store import delete, entry_path, entry_paths, other_blobs, read_entry, store_folder
from surefoot.build.store_uses import Use, read_uses
from surefoot.cli.folders import enter_folder
from surefoot.cli.housekeeping import read_checked
from surefoot.cli.workflow import checked_table_key
from surefoot.configuration.models import Configuration
from surefoot.configuration.study_files import kept_study_files
from surefoot.pipeline.drawing_jobs import RUN_NUMBERS
from surefoot.pipeline.plan import plan

DAY = 24 * 3600.0
_UNNOTED = "of no study that is noted"


class Wanted(NamedTuple):
    """What stays.

    keys : of the entries that the configurations need
    kernels : names of the folders of kernels that they need
    known : the studies of the configurations
    named : studies of which all else goes
    since : what was used after this time stays, in seconds since the epoch
    folder : the folder in which the command runs
    """

    keys: set[str]
    kernels: set[str]
    known: set[str]
    named: set[str]
    since: float
    folder: str


def prune(options: argparse.Namespace) -> int:
    """Delete from the store what no given configuration needs and no other rule keeps; or only say what would go."""
    enter_folder(options)
    store = store_folder(read_checked(options.configuration[0]).store)
    uses = list(read_uses(store))
    wanted = _wanted(store, options, {study_of(use.study) for use in uses})
    going, foreign, recent = sorted_entries(store, wanted, uses)
    kernels = old_kernels(store, wanted)
    kept_keys = {path.name for path in entry_paths(store)} - going.keys()
    blobs = list(other_blobs(store, kept_keys))
    notes = [
        use.path for use in uses if not use.keys & kept_keys and use.time <= time.time() - DAY
    ]  # of no running job
    entries = [entry_path(store, key) for key in going]
    doomed = [*entries, *blobs, *kernels, *notes]
    freed = sum(status.st_size for path in doomed if (status := _status(path)) is not None)
    for label, count in sorted(Counter(going.values()).items()):
        print(f"{label}: {count} entries {'would be deleted' if options.dry_run else 'deleted'}")
    kept = sum(read_entry(store, key) is not None for key in wanted.keys)
    if options.dry_run:
        print(f"{store}: {len(doomed)} files would be deleted, {freed / 1e6:.1f} MB freed, {kept} needed entries kept")
    else:
        delete(store, doomed)
        print(f"{store}: {len(doomed)} files deleted, {freed / 1e6:.1f} MB freed, {kept} needed entries kept")
    again = ["surefoot", "prune"]
    if options.directory != Path():
        again += ["--directory", str(options.directory)]
    for line in _kept(foreign, recent, options.days, again):
        print(line)
    return 0


def study_of(name: str) -> str:
    """The study of a job: the page on how many runs a study needs has a name of its own."""
    return name.removesuffix(f"_{RUN_NUMBERS}") or name


def sorted_entries(
    store: Path, wanted: Wanted, uses: Sequence[Use]
) -> tuple[dict[str, str], dict[str, set[str]], set[str]]:
    """What becomes of the entries that the configurations do not need.

    Returns
    -------
    keys of the entries that go, each with a label of whose it is; of those that stay since their studies are unknown
    here, with the studies; of those that stay since they were used of late
    """
    users: dict[str, list[Use]] = {}
    for use in uses:
        units = [
            unit for key in use.keys for unit in (read_entry(store, key) or {"facts": {}})["facts"].get("units", ())
        ]
        for key in use.keys.union(units):
            users.setdefault(key, []).append(use)
    going: dict[str, str] = {}
    foreign: dict[str, set[str]] = {}
    recent: set[str] = set()
    for path in entry_paths(store):
        key, all_users, status = path.name, users.get(path.name, []), _status(path)
        if status is None:
            continue
        if read_entry(store, key) is None:
            going[key] = "damaged"
        elif key not in wanted.keys:
            # The command gives up what its studies left here, and elsewhere what no one used of late.
            left = [use for use in all_users if not _is_given_up(use, wanted)]
            unknown = {study_of(use.study) for use in left} - wanted.known - wanted.named
            last = max([status.st_mtime, *(use.time for use in left)])
            if unknown:
                foreign[key] = unknown
            elif (left or not all_users) and last > wanted.since:
                recent.add(key)
            else:
                going[key] = _label(all_users)
    return going, foreign, recent


def old_kernels(store: Path, wanted: Wanted) -> list[Path]:
    """The compiled kernels in folders that the configurations do not need and no one used of late."""
    doomed = []
    for folder in kernels_of(store).glob("*"):
        files = [Path(parent, name) for parent, _, names in os.walk(folder) for name in names]
        last = max((status.st_mtime for path in (folder, *files) if (status := _status(path)) is not None), default=0.0)
        if folder.name not in wanted.kernels and last <= wanted.since:
            doomed.extend(files)
    return doomed


def _status(path: Path) -> os.stat_result | None:
    """What the file system says of a file, or None where another process has just deleted it."""
    try:
        return path.lstat()
    except OSError:
        return None


def _wanted(store: Path, options: argparse.Namespace, noted: set[str]) -> Wanted:
    keys: set[str] = set()
    kernels: set[str] = set()
    known: set[str] = set()
    for path in options.configuration:
        config = read_checked(path)
        jobs = plan(config, files=kept_study_files(path.with_name(STUDY_FILES.name)))
        found_keys, found_kernels = needed(store, jobs)
        keys |= found_keys | set(_checked_tables(config))
        kernels |= found_kernels
        known |= {study_of(job.study) for job in jobs} | set(config.studies)
    named = {name.strip() for name in options.studies.split(",") if name.strip()}
    for name in sorted(named - noted - known):
        raise InputError("command line: prune", f'the store has nothing of a study "{name}"', nearest(name, noted))
    return Wanted(keys, kernels, known, named, time.time() - options.days * DAY, str(Path.cwd()))


def _checked_tables(config: Configuration) -> list[str]:
    read = [(study, name) for study in config.studies.values() for name in study.sources]
    return [key for study, name in read if (key := checked_table_key(study, name)) is not None]


def _is_given_up(use: Use, wanted: Wanted) -> bool:
    return study_of(use.study) in wanted.named and (use.folder == wanted.folder or use.time <= wanted.since)


def _label(users: Sequence[Use]) -> str:
    """The study of an entry, with the command that made it."""
    if not users:
        return _UNNOTED
    last = max(users, key=lambda use: use.time)
    return f"{study_of(last.study)} (`{command(study_of(last.study), options=last.options)}` in {last.folder})"


def _kept(foreign: Mapping[str, set[str]], recent: set[str], days: float, again: Sequence[str]) -> list[str]:
    """Lines on what is kept, with the commands that would delete it.

    again : the words of this command, without those that decide what goes
    """
    lines = []
    if recent:
        hint = f"`{shlex.join([*again, '--days', '0'])}` keeps none for that reason"
        lines.append(f"kept {len(recent)} entries used within {days:g} days. Hint: {hint}")
    if foreign:
        names = sorted(set().union(*foreign.values()))
        what = f"{len(names)} studies that this configuration does not know ({', '.join(names)})"
        hint = shlex.join([*again, "--studies", ",".join(names)])
        lines.append(f"kept {len(foreign)} entries of {what}. Hint: name them to remove them: `{hint}`")
    return lines
