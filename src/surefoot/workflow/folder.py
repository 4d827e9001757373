"""The folder of the workflow: a lock against concurrent executions, and the configuration of the results."""

import json
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from surefoot.errors import InputError
from surefoot.workflow.files import TEMPORARY, write_whole
from surefoot.workflow.machine_errors import tell
from surefoot.workflow.project import has_workflow

CONFIGURATION = Path("results/configuration.json")
"""File with the validated configuration of the results, which `surefoot check` and `surefoot export` read."""
LOGS = Path("results/logs")
"""Folder of the logs of jobs."""
UNFINISHED = ".unfinished-"
"""Prefix of the temporary folders of jobs."""
_PATIENCE = 5.0
"""Seconds to wait for the end of another execution."""
_held: list[FileLock] = []
"""Locks of this process, which the system releases when the process ends."""


def begin(configuration: Mapping[str, Any]) -> None:
    """Prepare the folder for executing the workflow; exit the process if another execution is active there.

    Unfinished files of an execution that was killed are deleted.

    Parameters
    ----------
    configuration : mapping
        The validated configuration as plain data.
    """
    try:
        _lock()
    except InputError as error:
        sys.exit(tell(error))
    for folder in Path("results").glob(f"**/{UNFINISHED}*"):
        shutil.rmtree(folder, ignore_errors=True)
    for path in Path("results").glob(f"**/.*{TEMPORARY}"):
        path.unlink(missing_ok=True)
    # Not sorted, since pages show studies and their entries in this order.
    write_whole(CONFIGURATION, json.dumps(configuration, indent=1) + "\n")


def _lock() -> None:
    """Hold the lock of the folder until this process ends."""
    Path("results").mkdir(exist_ok=True)
    lock = FileLock(Path("results/.lock").absolute(), timeout=_PATIENCE)
    try:
        lock.acquire()
    except Timeout:
        what = "another run of the workflow is making results here"
        hint = "wait until it ends, or run in another folder (--directory)"
        raise InputError(str(Path.cwd()), what, hint) from None
    except (OSError, NotImplementedError):  # a file system without locks
        return
    _held.append(lock)


def read_configuration_of_results() -> dict[str, Any]:
    """Return the validated configuration of the results in this folder.

    Raises
    ------
    InputError
        If there are no results, or the file is missing, such as if another workflow uses this one as a module.
    """
    try:
        content = json.loads(CONFIGURATION.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        content = None
    if isinstance(content, dict) and "studies" in content:
        return content
    if LOGS.is_dir():
        hint = "run the workflow by itself and with --force, which writes this file; as a module, it never does"
        raise InputError(str(CONFIGURATION), "it is missing or damaged, so the results have unknown settings", hint)
    hint = "run the workflow first" if has_workflow() else "name the folder of the results with --directory"
    raise InputError(str(CONFIGURATION), "there are no results here", hint)
