"""prune: delete from the store what no result here comes from and nobody used of late.

One store serves many folders, so what this one does not need may be another's, which may have taken
days: the time of its last use decides.
"""

import os
import shlex
import time
from pathlib import Path

from surefoot.build.kernel_cache import kernel_folders, kernels_of
from surefoot.build.store import delete, entry_paths, other_blobs, read_entry, store_folder
from surefoot.build.verify import needed
from surefoot.cli.housekeeping import enter_folder, read_checked
from surefoot.cli.workflow import checked_table_key
from surefoot.configuration.models import Configuration
from surefoot.pipeline.drawing_jobs import RUN_NUMBERS

DAY = 24 * 3600.0


def prune(configurations: list[Path], directory: Path, days: float, dry_run: bool) -> int:
    """Delete from the store what no result here comes from and nobody used of late; returns the exit status.

    Parameters
    ----------
    configurations : checked ones, which the workflow wrote
    directory : the folder that contains results/
    days : what was used within so many is kept
    dry_run : whether to say only what would be deleted
    """
    enter_folder(directory)
    store = store_folder(read_checked(configurations[0]).store)
    needed_keys = needed(store).union(*(_checked_tables(read_checked(path)) for path in configurations))
    since = time.time() - days * DAY
    others = [
        path for path in entry_paths(store) if path.name not in needed_keys or read_entry(store, path.name) is None
    ]
    recent = {path for path in others if read_entry(store, path.name) is not None and _last_use(path) > since}
    entries = [path for path in others if path not in recent]
    kept = {path.name for path in entry_paths(store)} - {path.name for path in entries}
    doomed = [*entries, *other_blobs(store, kept), *_old_kernels(store, kernel_folders(), since)]
    freed = sum(_size(path) for path in doomed) / 1e6
    if not dry_run:
        delete(store, doomed)
    done = "would be deleted" if dry_run else "deleted"
    print(f"{store}: {len(doomed)} files {done}, {freed:.1f} MB freed, {len(needed_keys & kept)} needed entries kept")
    if recent:
        folder = [] if directory == Path() else ["--directory", str(directory)]
        hint = f"`{shlex.join(['surefoot', 'prune', *folder, '--days', '0'])}` keeps none for that reason"
        print(f"kept {len(recent)} entries used within {days:g} days. Hint: {hint}")
    return 0


def study_of(name: str) -> str:
    """The study of a job: the page on how many runs a study needs has a name of its own."""
    return name.removesuffix(f"_{RUN_NUMBERS}") or name


def _checked_tables(config: Configuration) -> list[str]:
    read = [(study, name) for study in config.studies.values() for name in study.sources]
    return [key for study, name in read if (key := checked_table_key(study, name)) is not None]


def _old_kernels(store: Path, needed_folders: set[str], since: float) -> list[Path]:
    """The compiled kernels of other states of the code, and of users' files, that nobody used of late."""
    doomed = []
    for folder in (path for path in kernels_of(store).glob("*") if path.is_dir() and path.name not in needed_folders):
        files = [Path(parent, name) for parent, _, names in os.walk(folder) for name in names]
        if max(map(_last_use, (folder, *files))) <= since:
            doomed.extend(files)
    return doomed


def _last_use(path: Path) -> float:
    """Seconds since the epoch; 0 of a file that another process has just deleted."""
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0
