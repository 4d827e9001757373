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
from surefoot.errors import InputError
from surefoot.registry import function_named, module_named
from surefoot.workflow.files import FileState, file_state, sha256_file
from surefoot.workflow.fingerprint import fingerprint, forget_sources, is_file, source_states
from surefoot.workflow.folder import UNFINISHED
from surefoot.workflow.interrupts import end_at_once, raise_again
from surefoot.workflow.job import result_key
from surefoot.workflow.kernel_cache import keep_kernels, kernels_of
from surefoot.workflow.log import job_log, log_interrupted
from surefoot.workflow.machine_errors import EXPLAINED, tell
from surefoot.workflow.project import PACKAGE
from surefoot.workflow.store import get, put, read_entry, store_folder, unit_key

logger = logging.getLogger("surefoot")

_UNREADABLE = (OSError, SyntaxError, ValueError)
"""Errors of a source that is gone or no valid Python."""
_AGAIN = "run the same command again; what was computed before the change is kept"


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
        name = str(snakemake.wildcards)
        with job_log(Path(snakemake.log[0]), f"{snakemake.rule} {name}", facts), _in_study(name.partition("/")[0]):
            perform(snakemake, work, compiled)
    except EXPLAINED as error:
        sys.exit(tell(error))


@contextlib.contextmanager
def _in_study(study: str) -> Iterator[None]:
    """Add the study and the configuration file to the location of an error in a setting, with few imports before it."""
    try:
        yield
    except InputError as error:
        from surefoot.workflow.configuration.located_errors import located_in

        with located_in(study):
            raise error


def perform(snakemake: Any, work: Callable[[Task], None] | str, compiled: bool = True) -> None:
    """Copy the outputs of a script from the store, or compute and store them; see `run` for the parameters."""
    settings = snakemake.params.settings
    code = snakemake.params.code
    versions = snakemake.params.versions
    inputs = _named(snakemake.input, snakemake.params.get("names"))
    outputs = _named(snakemake.output)
    sources = _Sources(code, versions.get("python", ""), inputs)
    store = store_folder()
    named = work if isinstance(work, str) else f"{work.__module__}.{work.__name__}"
    key = result_key(named, settings, code | versions, sources.hashes, list(outputs))
    known = get(store, key, outputs)
    if known is not None:
        logger.info("store     found: computed in %.1f s on %s", known["seconds"], known["made"])
    else:
        sources.check()
        _prepare(store, code, compiled)
        compute = function_named(work) if isinstance(work, str) else work
        units = _Units(store, sources)
        with _unfinished(outputs) as unfinished:
            started = time.perf_counter()
            task = Task(settings, inputs, unfinished, snakemake.threads, units.fetch, units.is_missing, sources.hashes)
            compute(task)
            _check_written(unfinished)
            sources.check()
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


class _Sources:
    """The code and the input files of a job, which must not change while it runs.

    Otherwise, the store would keep the results under the key of other code or of other inputs.

    Parameters
    ----------
    code : mapping of str to str
        Fingerprints of modules when the run was planned.
    python : str
        Version of Python that planned the run, such as "3.12". Other versions have other fingerprints.
    inputs : mapping of str to Path
        Files by name; `hashes` are their SHA-256.
    """

    def __init__(self, code: Mapping[str, str], python: str, inputs: Mapping[str, Path]) -> None:
        self.code = code
        self._is_comparable = python == f"{sys.version_info.major}.{sys.version_info.minor}"
        self._code_states: dict[Path, FileState | None] | None = None
        self._inputs = inputs
        self._input_states = self._states()
        self.hashes = {}
        for name, path in inputs.items():
            self.hashes[name] = sha256_file(path)
            logger.info("input     %s sha256 %s", path, self.hashes[name][:16])

    def check(self) -> None:
        """Raise an InputError if the code or an input file changed."""
        if self._is_comparable:
            self._check_code()
        states = self._states()
        if states != self._input_states:
            for name, path in self._inputs.items():
                if not path.is_file() or sha256_file(path) != self.hashes[name]:
                    raise InputError(str(path), "it changed while a job read it", _AGAIN)
            self._input_states = states

    def _check_code(self) -> None:
        try:
            states = source_states(self.code)
        except _UNREADABLE:
            states = None
        if states is None or states != self._code_states:
            forget_sources()
            for module, planned in self.code.items():
                if _fingerprint_now(module) != planned:
                    raise InputError(module, "its code, or code that it imports, changed during the run", _AGAIN)
            self._code_states = states

    def _states(self) -> dict[Path, FileState | None]:
        return {path: file_state(path) for path in self._inputs.values()}


def _fingerprint_now(module: str) -> str:
    """Return the fingerprint of a module, or an empty string if its source is gone or no valid Python."""
    try:
        return fingerprint(module)
    except _UNREADABLE:
        return ""


class _Units:
    """The parts of a job that are stored separately, such as blocks of trials.

    Parameters
    ----------
    store : Path
    sources : _Sources
        Code and inputs of the job. Modules of other installed packages affect every part.
    """

    def __init__(self, store: Path, sources: _Sources) -> None:
        self._store = store
        self._sources = sources
        others = {module: value for module, value in sources.code.items() if _is_of_another_package(module)}
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
        self._sources.check()
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
