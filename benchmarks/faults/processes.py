"""The project's own commands in forked processes: what they import is there already, so a case costs a fraction of a
second. Of Snakemake, `next_run` does what decides which jobs run; cases of whole workflows start the real one."""

import contextlib
import copy
import functools
import gc
import importlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml
from small_project import OF_ALL, Project
from snakemake.utils import update_config

from surefoot.build.errors import EXPLAINED, tell
from surefoot.build.files import sha256_file
from surefoot.build.job import Job, read_manifest
from surefoot.build.kernel_cache import keep_kernels, kernel_folders, kernels_of
from surefoot.build.store import damaged_files, store_folder
from surefoot.build.verify import altered_results, needed
from surefoot.cli.commands import main
from surefoot.cli.housekeeping import read_checked
from surefoot.cli.workflow import prepare, settle_results
from surefoot.pipeline.plan import plan

FILE_OPERATIONS = frozenset(
    ("open", "os.chmod", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.truncate", "os.utime")
)
"""The events of Python's audit hooks at which a process may be disturbed."""
CONFIGURATIONS = (
    "config/config.yaml",
    "config/trust.yaml",
    "config/studies/recht2018.yaml",
    "config/studies/small.yaml",
)
_FEWEST_SECONDS = 0.005


class Ended(NamedTuple):
    """How a process ended: its exit status, negative where a signal ended it, and what it wrote."""

    status: int
    output: str


class Running:
    """A forked process."""

    def __init__(self, process: int, output: Path):
        self.process, self.output = process, output

    def kill(self, number: int) -> None:
        """Send it a signal, if it runs still; until `wait` its number is not given to another."""
        os.kill(self.process, number)

    def wait(self) -> Ended:
        """Wait for its end."""
        _, status = os.waitpid(self.process, 0)
        text = self.output.read_text(errors="replace")
        self.output.unlink()
        return Ended(os.waitstatus_to_exitcode(status), text)


def warm_up(reference: Project) -> list[Job]:
    """Import what jobs import, so that forked processes need not; the jobs of the project."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ["SUREFOOT_STORE"] = str(reference.store)
    os.chdir(reference.folder)
    keep_kernels(kernels_of(reference.store))
    jobs = list(prepare(merged_configuration(), CONFIGURATIONS, ())[1].values())
    for module in sorted({module for job in jobs for module in (job.module, *job.modules)}):
        if not module.endswith(".py"):
            importlib.import_module(module)
    kernel_folders()
    gc.collect()
    gc.freeze()  # pages that the collector does not touch are shared by the forked processes
    return jobs


def start(project: Project, work: Callable[[], int], before: Callable[[], object] = lambda: None) -> Running:
    """Fork a process in the project's folder.

    Parameters
    ----------
    work : what it does; returns the exit status
    before : what is done to it first, such as setting a limit
    """
    descriptor, name = tempfile.mkstemp(prefix="surefoot_faults_")
    os.close(descriptor)
    output = Path(name)
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        return Running(process, output)
    status = 1
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        streams = os.open(output, os.O_WRONLY | os.O_APPEND)
        os.dup2(streams, 1)
        os.dup2(streams, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w", closefd=False), os.fdopen(2, "w", closefd=False)
        os.chdir(project.folder)
        os.environ["SUREFOOT_STORE"] = str(project.store)
        before()
        status = work()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    raise AssertionError  # not reached


def job_command(job: Job) -> Callable[[], int]:
    """The command that runs a job, as its rule starts it."""
    return lambda: main(["job", job.spec, "--log", job.log])


def next_run(stages: Collection[str] | None = None) -> int:
    """What Snakemake's process does: plan, repair, and run what is missing or out of date, home and index page apart.

    A job runs where one of its files is missing, or where an input is newer than one of them and has other bytes.

    stages : those whose results are asked for, by default all
    """
    try:
        options = ("--configfile", "none")
        jobs = list(prepare(merged_configuration(), CONFIGURATIONS, (), makes=True, options=options)[1].values())
        asked = [job for job in jobs if job.study not in OF_ALL and (stages is None or job.stage in stages)]
        settle_results(jobs, [path for job in asked for path in (*job.outputs.values(), job.manifest)], True)
    except EXPLAINED as error:
        tell(error)
        return 1
    here = Project(Path.cwd(), Path(os.environ["SUREFOOT_STORE"]))
    for job in asked:
        if _has_to_run(job):
            for path in (*job.outputs.values(), job.manifest):
                Path(path).unlink(missing_ok=True)
            done = start(here, job_command(job)).wait()
            sys.stderr.write(done.output)
            if done.status:
                return 1
    return 0


def _has_to_run(job: Job) -> bool:
    files = [Path(path) for path in (*job.outputs.values(), job.manifest)]
    if not all(path.is_file() for path in files):
        return True
    oldest = min(path.stat().st_mtime_ns for path in files)
    newer = [name for name, path in job.inputs.items() if Path(path).stat().st_mtime_ns > oldest]
    manifest = read_manifest(job.manifest)
    if manifest is None:
        return bool(newer) or Path(job.spec).stat().st_mtime_ns > oldest
    made_of = manifest["facts"]["input_sha256"]
    if Path(job.spec).stat().st_mtime_ns > oldest and sha256_file(job.spec) != manifest["spec_sha256"]:
        return True
    return any(sha256_file(job.inputs[name]) != made_of.get(name) for name in newer)


def merged_configuration() -> dict[str, object]:
    """The configuration of the project in the present folder, merged as Snakemake does."""
    return copy.deepcopy(_merged(tuple(Path(name).read_text() for name in CONFIGURATIONS)))


@functools.cache
def _merged(texts: tuple[str, ...]) -> dict[str, object]:
    merged: dict[str, object] = {}
    for text in texts:
        update_config(merged, yaml.safe_load(text))
    return merged


def check(store: bool) -> int:
    """Print what the target `check` says of the results, and of the store if asked, as one JSON list."""
    try:
        jobs = plan(read_checked())
    except EXPLAINED as error:
        tell(error)
        return 2
    folder = store_folder(None)
    damaged = damaged_files(folder, needed(folder)) if store else ()
    print(json.dumps([*altered_results(jobs), *(f"{path}: damaged" for path in damaged)]))
    return 0


def at_file_operation(number: int, act: Callable[[], object]) -> None:
    """Do something at this process's file operation of this number, counted from now on."""
    left = [number]

    def hook(event: str, _: object) -> None:
        if event in FILE_OPERATIONS:
            left[0] -= 1
            if left[0] == 0:
                act()

    sys.addaudithook(hook)


class Extent(NamedTuple):
    """How many file operations an undisturbed process has, and how many seconds it takes."""

    operations: int
    seconds: float


def extent_of(project: Project, work: Callable[[], int]) -> Extent:
    """Run a process undisturbed, measure it, and import what it imported.

    Raises
    ------
    RuntimeError
        where it fails
    """
    count = [0]

    def counted() -> int:
        def hook(event: str, _: object) -> None:
            count[0] += event in FILE_OPERATIONS

        sys.addaudithook(hook)
        status = work()
        print(f"\n{json.dumps([count[0], sorted(sys.modules)])}")
        return status

    started = time.monotonic()
    done = start(project, counted).wait()
    if done.status:
        raise RuntimeError(done.output)
    seconds = max(time.monotonic() - started, _FEWEST_SECONDS)
    operations, modules = json.loads(done.output.splitlines()[-1])
    for module in modules:  # another user may be unable to read where they are
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    return Extent(operations, seconds)


def wait_all(running: Sequence[Running]) -> list[Ended]:
    """Wait for the end of each."""
    return [one.wait() for one in running]
