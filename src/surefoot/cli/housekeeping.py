"""The commands `check`, `why` and `prune`, which inspect the results and clean up the store.

One store serves many folders: entries that this folder does not need may have taken days to compute for another one.
Therefore `prune` deletes by time of last use.
"""

import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from surefoot.build.errors import InputError
from surefoot.build.job import CONFIGURATION, Job, planned_configuration, read_manifest
from surefoot.build.kernel_cache import kernel_folders, kernels_of
from surefoot.build.project import command, has_workflow
from surefoot.build.store import damaged_files, delete, files_of, other_blobs, read_entry, store_folder
from surefoot.build.verify import (
    altered_results,
    changes,
    damaged_results,
    needed,
    results_of_others,
    unplanned_files,
)
from surefoot.cli.running import MADE_PAGES
from surefoot.configuration.models import Configuration
from surefoot.configuration.validation import read_back
from surefoot.configuration.validation_errors import SettingError
from surefoot.pipeline.plan import plan
from surefoot.result_tables import read_table

DAY = 24 * 3600.0
HAS_RESULTS = "the one that has results/, such as that of a report"
TARGET_LOGS = tuple(f"results/logs/{name}.log" for name in ("check", "why", "record", "record_trust"))
"""Logs of targets that are not jobs."""


def check(directory: Path) -> int:
    """Verify the hash of every result, and compare results with published numbers.

    Prints missing, altered and foreign files, counts of verdicts, and deviations from published numbers, and ends
    with hints for repair.
    """
    config = enter_folder(directory)
    planned = plan(config)
    store = store_folder(None)
    jobs, never = _begun(planned, config)
    others = results_of_others(planned)
    problems_by_hint = [
        (list(altered_results(jobs)), f"`{command()}` {REPAIR}"),
        ([f"{path}: damaged" for path in damaged_files(store, needed(store))], DELETE),
        (list(unplanned_files(planned, {*others, *TARGET_LOGS, str(MADE_PAGES)})), MOVE),
    ]
    problems = [problem for sentences, _ in problems_by_hint for problem in sentences]
    for problem in problems:
        print(problem)
    for study, files in Counter(others.values()).items():
        what = f"{study}: {files} files of a study that this configuration does not know"
        print(f"{what}. Hint: `surefoot run check --configfile FILE` checks them, with the file that has it")
    judging = (job for job in jobs if job.stage == "compare")
    compared = [job for job in judging if not list(damaged_results(job, read_manifest(job.manifest)))]
    known, failed = verdict_lines(compared)
    for line in (*known, *failed):
        print(line)
    if never:
        print(f"nothing was made here of {never}")
    results = sum(len(job.outputs) for job in jobs)
    print(f"{results} results of {len(jobs)} jobs checked: {len(problems)} problems")
    for sentences, hint in problems_by_hint:
        if sentences:
            print(f"Hint: {hint}")
    return 1 if problems or failed else 0


REPAIR = (
    "puts altered and missing results back as they were made, or makes them anew; copy a file that you edited "
    "elsewhere first"
)
DELETE = "a damaged file of the store is never used and replaced when it is needed; it can be deleted"
MOVE = "move files that belong to no job elsewhere, or delete them"


def why(directory: Path) -> int:
    """Print what changed since each outdated result was made."""
    config = enter_folder(directory)
    count = 0
    jobs, never = _begun(plan(config), config)
    for job in jobs:
        for line in changes(job):
            print(line)
            count += 1
    if never:
        print(f"Nothing was made here of {never}.")
    if not count:
        print("Nothing changed since the results were made.")
    return 0


def _begun(jobs: Sequence[Job], config: Configuration) -> tuple[list[Job], str]:
    """Return the jobs of studies and pages with results in this folder, and the names of the other studies.

    In a user's folder, the shipped studies are also planned, but never made.
    """
    begun = {job.study for job in jobs if any(os.path.lexists(path) for path in (job.manifest, *job.outputs.values()))}
    if not begun:
        return list(jobs), ""
    never = ", ".join(name for name in config.studies if name not in begun)
    return [job for job in jobs if job.study in begun], never


def enter_folder(folder: Path) -> Configuration:
    """Change to the folder with the results, and return the configuration they were made with.

    Raises
    ------
    InputError
        if the folder does not exist or has no checked configuration
    """
    if not folder.is_dir():
        raise InputError("command line: --directory", f"{folder} is not a folder", HAS_RESULTS)
    os.chdir(folder)
    return read_checked()


def read_checked() -> Configuration:
    """Return the checked configuration that the workflow wrote to results/spec/configuration.json.

    Raises
    ------
    InputError
        if it is missing or damaged
    """
    if not has_workflow() and not CONFIGURATION.parent.is_dir():
        hint = f"name with --directory the folder of the results, {HAS_RESULTS}"
        raise InputError(str(CONFIGURATION), "no checked configuration", hint)
    try:
        return read_back(planned_configuration())
    except SettingError:  # it was written by another version of the code
        hint = f"`{command('--dry-run')}` writes it anew"
        raise InputError(str(CONFIGURATION), "no checked configuration", hint) from None


def verdict_lines(jobs: Sequence[Job]) -> tuple[list[str], list[str]]:
    """Return sentences about published numbers that pass the check, and about numbers that fail it.

    The first count the rows of each table by verdict, and list each contradicted claim with the reason. The second
    list each number that differs, each claim that our runs decide against, and each file that is not a table of
    verdicts, since an unreadable file does not show agreement.

    Parameters
    ----------
    jobs : jobs of the stage compare, for this run of a study or the record of its large run
    """
    from surefoot.statistics.reproduction.comparison import AGAINST, contradicted_first
    from surefoot.statistics.reproduction.verdicts import verdict_counts

    known: list[str] = []
    failed: list[str] = []
    for job in jobs:
        whose = job.study if job.part == "run" else f"{job.study} (record of a large run)"
        path = job.outputs["comparison"]
        try:
            table = read_table(Path(path)).astype({"published": float, "ours": float})
            counts = verdict_counts(table["verdict"])
            shown = contradicted_first(table[table["verdict"].isin(("contradicted", "differs"))])
            rows = shown[["item", "published", "ours", "verdict", "reason"]]
        except (OSError, ValueError, KeyError):
            what = f"not a table of verdicts, so nothing is known of the published numbers of {whose}"
            failed.append(f"{path}: {what}")
            continue
        numbers = ", ".join(f"{verdict} {count}" for verdict, count in counts.items())
        known.append(f"{whose}: {len(table)} published numbers compared: {numbers}")
        for item, published, ours, verdict, reason in rows.itertuples(index=False):
            why = f": {reason}" if verdict == "contradicted" else ""
            fails = verdict == "differs" or reason == AGAINST
            sentence = f"{whose}: {item}: published {published:g}, ours {ours:g}: {verdict}{why} ({path})"
            (failed if fails else known).append(sentence)
    return known, failed


def prune(directory: Path, days: float, dry_run: bool) -> int:
    """Delete stored files that no result here needs and that were not used recently, and return the exit status.

    Parameters
    ----------
    directory : the folder that contains results/
    days : keep files used within this number of days
    dry_run : only print what would be deleted
    """
    config = enter_folder(directory)
    store = store_folder(config.store)
    needed_keys = needed(store)
    since = time.time() - days * DAY
    # Delete unreadable entries regardless of their age.
    kept = {
        path.name
        for path in files_of(store / "entries")
        if read_entry(store, path.name) is not None and (path.name in needed_keys or _last_use(path) > since)
    }
    entries = [path for path in files_of(store / "entries") if path.name not in kept]
    doomed = [*entries, *other_blobs(store, kept)]
    # Delete compiled kernels of other versions of the code, and of users' files.
    for folder in (path for path in kernels_of(store).glob("*") if path.is_dir() and path.name not in kernel_folders()):
        files = [path for path in folder.rglob("*") if not path.is_dir()]
        if max(map(_last_use, (folder, *files))) <= since:
            doomed.extend(files)
    freed = sum(path.lstat().st_size for path in doomed if path.exists()) / 1e6
    if not dry_run:
        delete(doomed)
    done = "would be deleted" if dry_run else "deleted"
    print(f"{store}: {len(doomed)} files {done}, {freed:.1f} MB freed, {len(needed_keys & kept)} needed entries kept")
    if recent := kept - needed_keys:
        print(f"kept {len(recent)} entries used within {days:g} days. Hint: `--days 0` keeps none for that reason")
    return 0


def _last_use(path: Path) -> float:
    """Return the time of last use in seconds since the epoch, or 0 for a file that was just deleted."""
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0
