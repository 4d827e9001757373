"""Run a script of the workflow: copy the results from the content store, or compute and store them."""

import contextlib
import datetime
import gc
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import surefoot
from surefoot.registry import function_named, module_named
from surefoot.workflow.files import sha256_file
from surefoot.workflow.fingerprint import is_file
from surefoot.workflow.folder import UNFINISHED
from surefoot.workflow.interrupts import end_at_once, raise_again
from surefoot.workflow.job import result_key
from surefoot.workflow.kernel_cache import keep_kernels, kernels_of
from surefoot.workflow.log import job_log, log_interrupted
from surefoot.workflow.machine_errors import EXPLAINED, tell
from surefoot.workflow.project import PACKAGE
from surefoot.workflow.store import get, put, read_entry, store_folder, unit_key

logger = logging.getLogger("surefoot")


class Task(NamedTuple):
    """The work of a job.

    Parameters
    ----------
    settings : dict
        The part of the configuration that determines the results.
    inputs : dict of Path
        Files by name.
    outputs : dict of Path
        Temporary paths by name, which are renamed when the work is done.
    threads : int
        Number of threads, which never affects results.
    unit : callable
        ``unit(kind, settings, hashes, compute, path)`` writes one part of the work to `path`, from the store or by
        calling ``compute(path)``.
    missing : callable
        ``missing(kind, settings, hashes)`` returns True if the store does not have such a part.
    hashes : dict of str
        SHA-256 of the inputs by name.
    """

    settings: dict[str, Any]
    inputs: dict[str, Path]
    outputs: dict[str, Path]
    threads: int
    unit: Callable[..., None]
    missing: Callable[..., bool]
    hashes: dict[str, str]


def run(snakemake: Any, work: Callable[[Task], None] | str, compiled: bool = True) -> None:
    """Run the work of a Snakemake script, and exit the process if it fails.

    Errors in user input are reported in one sentence, which is also written to the log.

    Parameters
    ----------
    snakemake : Snakemake
        The object `snakemake` of a script; its rule has the parameters `settings`, `code` and `versions`.
    work : callable or str
        Function that writes the outputs of a `Task`, or its name, such as ``surefoot.charts.draw.draw``. A function
        given by name is imported only if its results are not in the store.
    compiled : bool, default True
        False if the work uses no compiled functions, so that numba is not imported.
    """
    started = time.perf_counter()
    raise_again()
    end_at_once(lambda: log_interrupted(started))
    run_logged(snakemake, work, compiled)


def run_logged(snakemake: Any, work: Callable[[Task], None] | str, compiled: bool = True) -> None:
    """Run the work of a script with its log, and exit the process if it fails; see `run` for the parameters."""
    libraries = ", ".join(f"{name} {version}" for name, version in snakemake.params.versions.items())
    facts = {"versions": f"surefoot {surefoot.__version__}, {libraries}", "threads": str(snakemake.threads)}
    try:
        with job_log(Path(snakemake.log[0]), f"{snakemake.rule} {snakemake.wildcards}", facts):
            perform(snakemake, work, compiled)
    except EXPLAINED as error:
        sys.exit(tell(error))


def perform(snakemake: Any, work: Callable[[Task], None] | str, compiled: bool = True) -> None:
    """Copy the outputs of a script from the store, or compute and store them; see `run` for the parameters."""
    settings = snakemake.params.settings
    code = snakemake.params.code
    versions = snakemake.params.versions
    inputs = _named(snakemake.input, snakemake.params.get("names"))
    outputs = _named(snakemake.output)
    hashes = {}
    for name, path in inputs.items():
        hashes[name] = sha256_file(path)
        logger.info("input     %s sha256 %s", path, hashes[name][:16])
    store = store_folder()
    named = work if isinstance(work, str) else f"{work.__module__}.{work.__name__}"
    key = result_key(named, settings, code | versions, hashes, list(outputs))
    known = get(store, key, outputs)
    if known is not None:
        logger.info("store     found: computed in %.1f s on %s", known["seconds"], known["made"])
    else:
        _prepare(store, code, compiled)
        compute = function_named(work) if isinstance(work, str) else work
        units = _Units(store, code)
        with _unfinished(outputs) as unfinished:
            started = time.perf_counter()
            compute(Task(settings, inputs, unfinished, snakemake.threads, units.fetch, units.is_missing, hashes))
            _check_written(unfinished)
            seconds = time.perf_counter() - started
            made = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
            put(store, key, unfinished, {"seconds": round(seconds, 3), "made": made})
        logger.info("store     computed %d of %d parts in %.1f s", units.computed, units.used, seconds)
    for path in outputs.values():
        logger.info("output    %s %d bytes", path, path.stat().st_size)


def _named(files: Any, names: Sequence[str] | None = None) -> dict[str, Path]:
    """Return {name: path} for the files of a Snakemake job.

    The names are `names` if given, else the names in the rule, else the file names.
    """
    paths = [Path(path) for path in files]
    if names is None:
        named = {name: Path(path) for name, path in files.items()}
        return named or {path.name: path for path in paths}
    return dict(zip(names, paths, strict=True))


def _prepare(store: Path, code: Mapping[str, str], compiled: bool) -> None:
    """Set up this process for computing."""
    # Set before numpy is imported; with more threads, OpenBLAS adds in another order.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    if compiled:
        keep_kernels(kernels_of(store))
    for module in code:  # modules that add entries to the registries
        if not is_file(module):  # a user's file is run later, where its errors are reported
            module_named(module)


@contextlib.contextmanager
def _unfinished(outputs: Mapping[str, Path]) -> Iterator[dict[str, Path]]:
    """Yield temporary paths for the outputs, which are renamed at the end."""
    parent = next(iter(outputs.values())).parent
    parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=parent, prefix=UNFINISHED))
    try:
        unfinished = {name: folder / path.name for name, path in outputs.items()}
        yield unfinished
        for name, path in unfinished.items():
            outputs[name].parent.mkdir(parents=True, exist_ok=True)
            path.replace(outputs[name])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check_written(outputs: Mapping[str, Path]) -> None:
    """Raise a RuntimeError if an output was not written."""
    for name, path in outputs.items():
        if not path.is_file() or path.stat().st_size == 0:
            raise RuntimeError(f"the output {name} was not written")


class _Units:
    """The parts of a job that are stored separately, such as blocks of trials.

    Parameters
    ----------
    store : Path
    code : mapping of str to str
        Code of the job. Modules of other installed packages affect every part.
    """

    def __init__(self, store: Path, code: Mapping[str, str]) -> None:
        self._store = store
        others = {module: value for module, value in code.items() if _is_of_another_package(module)}
        self._always: dict[str, Any] = {"installed": others} if others else {}
        self.used = 0
        self.computed = 0

    def fetch(
        self,
        kind: str,
        settings: Mapping[str, Any],
        hashes: Mapping[str, str],
        compute: Callable[[Path], None],
        path: Path,
    ) -> None:
        """Write a part of the work to a path, from the store or by computing it."""
        key = unit_key(kind, {**settings, **self._always}, hashes)
        self.used += 1
        if get(self._store, key, {"unit": path}) is not None:
            return
        started = time.perf_counter()
        compute(path)
        self.computed += 1
        put(self._store, key, {"unit": path}, {"seconds": round(time.perf_counter() - started, 3)})

    def is_missing(self, kind: str, settings: Mapping[str, Any], hashes: Mapping[str, str]) -> bool:
        """Return True if the store does not have a part."""
        return read_entry(self._store, unit_key(kind, {**settings, **self._always}, hashes)) is None


def _is_of_another_package(module: str) -> bool:
    return not is_file(module) and module.partition(".")[0] != PACKAGE


if hasattr(sys.modules["__main__"], "snakemake"):
    # In a Snakemake script, the next imports take about a second, in which Ctrl-C would show a traceback.
    end_at_once()
    # A job creates little garbage, and collecting it would take a tenth of a first run.
    gc.set_threshold(1_000_000)
