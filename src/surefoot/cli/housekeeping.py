"""The commands `check` and `prune`, which compare the results with the store and clean it up."""

import contextlib
import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from surefoot.errors import InputError, counted, listed
from surefoot.reporting.site import LIST
from surefoot.runs.result_tables import read_table
from surefoot.workflow.configuration.models import Configuration
from surefoot.workflow.configuration.validation import read_back
from surefoot.workflow.files import sha256_file
from surefoot.workflow.folder import read_configuration_of_results
from surefoot.workflow.job import LIBRARIES, Job
from surefoot.workflow.kernel_cache import kernel_folders, kernels_of
from surefoot.workflow.planning.plan import plan
from surefoot.workflow.store import last_changed, read_entry, store_folder, unused_files

DAY = 24 * 3600.0
MISSING = "missing"
CHANGED = "not made from the present inputs: it or one of them was changed"
NO_ENTRY = (
    "no entry in the store: made with other settings, code or inputs, or the entry was deleted (surefoot prune), "
    "or the run used another store or could not write to it"
)
DEPENDENT = "not checked, since an input is one of the files above"
_DELETE = "delete files that were changed, and run the workflow again, which makes these and missing ones"
HINTS = {
    MISSING: _DELETE,
    CHANGED: _DELETE,
    DEPENDENT: _DELETE,  # these have an entry again once the inputs are as they were
    NO_ENTRY: "run the workflow again, which makes what is out of date; for files that still have no entry, "
    "name the store of that run with SUREFOOT_STORE, or move results/ elsewhere and run the workflow with a store "
    "that you can write to, which makes again what has no entry",
}
"""Hint for each problem of a file."""


def check(directory: Path) -> int:
    """Compare every result with the store, and published numbers with ours.

    Prints results that are missing, altered or unknown to the store, results of other jobs, and published numbers that
    differ, and returns the exit status.
    """
    config = enter_folder(directory)
    jobs = plan(config)
    if others := files_of_no_job(jobs):
        print(f"{listed(others)}: not made with the settings of the last run, and not checked")
    made = [job for job in jobs if any(os.path.lexists(path) for path in job.outputs.values())]
    return check_jobs(made, store_folder(config.store))


def files_of_no_job(jobs: Iterable[Job]) -> list[str]:
    """Return the results of other jobs, such as those of a question that was renamed since."""
    made = {path for job in jobs for path in job.outputs.values()}
    files = (path for stage in LIBRARIES for path in Path("results", stage).rglob("[!.]*") if path.is_file())
    return sorted(path.as_posix() for path in files if path.as_posix() not in made and path.name != LIST)


def check_jobs(jobs: Sequence[Job], store: Path) -> int:
    """Print what is wrong with the results of jobs, and return the exit status.

    Results without an entry in the store fail the check, since they may be out of date, but are not called wrong.
    """
    found: dict[str, str] = {}
    for job in jobs:
        found |= problems_of(job, store)
    wrong = {path: problem for path, problem in found.items() if problem != NO_ENTRY}
    for job in jobs:
        if not wrong.keys().isdisjoint(job.inputs.values()):
            found |= {path: DEPENDENT for path in job.outputs.values() if found.get(path) == NO_ENTRY}
    known, failed = verdict_lines([job for job in jobs if job.stage == "compare"])
    for path, problem in wrong.items():
        print(f"{path}: {problem}")
    for problem in (DEPENDENT, NO_ENTRY):
        if paths := [path for path in found if found[path] == problem]:
            print(f"{listed(paths)}: {problem}")
    for line in (*known, *failed):
        print(line)
    results = sum(len(job.outputs) for job in jobs)
    checked = f"{results} results of {len(jobs)} jobs checked with the settings of the last run"
    unknown = len(found) - len(wrong)
    print(f"{checked}: {counted(len(wrong), 'problem')}" + (f", {unknown} without an entry" if unknown else ""))
    for hint in dict.fromkeys(hint for problem, hint in HINTS.items() if problem in found.values()):
        print(f"Hint: {hint}")
    return 1 if found or failed else 0


def problems_of(job: Job, store: Path) -> dict[str, str]:
    """Return the problems of the files of a job by path: MISSING, CHANGED or NO_ENTRY.

    The key of the results is computed from the settings, the present code and the inputs. The store has the hashes of
    the files made by a job with this key.
    """
    inputs = job.inputs.values()
    found = {path: MISSING for path in (*inputs, *job.outputs.values()) if not Path(path).is_file()}
    entry = None
    if found.keys().isdisjoint(inputs):
        entry = read_entry(store, job.key({name: sha256_file(path) for name, path in job.inputs.items()}))
    for name, path in job.outputs.items():
        if entry is None:
            found.setdefault(path, NO_ENTRY)
        elif path not in found and sha256_file(path) != entry["blobs"].get(name):
            found[path] = CHANGED
    return found


def enter_folder(folder: Path) -> Configuration:
    """Change to the folder with the results, and return the configuration with which they were made.

    Raises
    ------
    InputError
        If the folder does not exist or has no results.
    """
    if not folder.is_dir():
        what = f"{folder} is not a folder"
        raise InputError(
            "command line: --directory", what, "name the folder that contains results/, such as that of a report"
        )
    os.chdir(folder)
    return read_back(read_configuration_of_results())


def verdict_lines(jobs: Sequence[Job]) -> tuple[list[str], list[str]]:
    """Return sentences on published numbers that pass the check, and sentences on numbers that fail it.

    The first list counts the rows of each table by verdict, and has each contradicted claim with its reason. The second
    list has each number that differs, each claim that our runs contradict, and each file that is not a table of
    verdicts.

    Parameters
    ----------
    jobs : jobs of the stage compare, for the results of a study or for recorded results of a large simulation
    """
    from surefoot.statistics.reproduction.published_comparison import AGAINST, contradicted_first
    from surefoot.statistics.reproduction.verdicts import verdict_counts, verdict_in_words

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
            what = f"not a table of verdicts, so nothing is known about the published numbers of {whose}"
            failed.append(f"{path}: {what}")
            continue
        verdicts = ", ".join(f"{verdict_in_words(verdict)} {count}" for verdict, count in counts.items())
        known.append(f"{whose}: {counted(len(table), 'published number')} compared: {verdicts}")
        for item, published, ours, verdict, reason in rows.itertuples(index=False):
            why = f": {reason}" if verdict == "contradicted" else ""
            fails = verdict == "differs" or reason == AGAINST
            sentence = f"{whose}: {item}: published {published:g}, ours {ours:g}: {verdict}{why} ({path})"
            (failed if fails else known).append(sentence)
    return known, failed


def prune(directory: Path, days: float, dry_run: bool) -> int:
    """Delete stored files that were not used recently, and return the exit status.

    Parameters
    ----------
    directory : Path
        The folder that contains results/, whose configuration may name the store.
    days : float
        Files used within this number of days are kept.
    dry_run : bool
        If True, only print what would be deleted.

    Raises
    ------
    InputError
        If the number of days is negative or NaN.
    """
    if not days >= 0.0:
        raise InputError("command line: --days", f"{days:g} is not a number of days", "use 0 or more")
    store = store_folder(enter_folder(directory).store)
    since = time.time() - days * DAY
    unused = list(unused_files(store, since))
    for folder in kernels_of(store).glob("*"):
        if folder.name not in kernel_folders():
            unused += [path for path in folder.rglob("*") if path.is_file() and last_changed(path) <= since]
    sizes = []
    for path in unused:
        with contextlib.suppress(FileNotFoundError):  # another process has deleted it
            sizes.append(path.lstat().st_size)
            if not dry_run:
                path.unlink()
    done = "would be deleted" if dry_run else "deleted"
    print(f"{store}: {len(sizes)} files {done}, {sum(sizes) / 1e6:.1f} MB freed")
    return 0
