"""One job: look the result up in the content store, else compute it; then put every output in place at once.

A spec file says all about a job: stage, study, part, settings, code fingerprints, versions, and the paths of its inputs
and outputs. The outputs' key in the store is the hash of the stage and of the bytes of all inputs, the spec among them.
Outputs are written into a folder of their own, checked, renamed into place, and entered into the store; a manifest that
travels with them says what they are made of.
"""

import contextlib
import datetime
import logging
import os
import platform
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.build.errors import InputError
from surefoot.build.files import LONGEST_NAME, make_way, sha256_file, sweep, temporary_path
from surefoot.build.fingerprint import is_file
from surefoot.build.job import read_spec, result_key, write_manifest
from surefoot.build.kernel_cache import keep_kernels, kernels_of
from surefoot.build.locks import lease
from surefoot.build.project import PACKAGE
from surefoot.build.store import enter, fetch_blob, lease_path, mark_used, read_entry, store_folder, unit_key
from surefoot.build.verify import proven_hash
from surefoot.registry import function_named, module_named

logger = logging.getLogger("surefoot")

PARTIAL = Path("results") / ".partial"
"""Where jobs write, each in a folder of its own process: two runs of the workflow do not get into each other's way."""


class Task(NamedTuple):
    """What the work of a job gets.

    settings : the job's slice of the configuration
    inputs, outputs : paths by name; the outputs' are temporary ones
    threads : how many threads it may use
    unit : unit(kind, settings, hashes, compute, path) puts one piece of the work at `path`, from the store where it
        is there, else by calling compute(path) and entering it
    missing : missing(kind, settings, hashes) says whether the store is without such a piece: what there is costs no
        time, and an estimate of the time left should not count it
    hashes : SHA-256 of the inputs by name
    """

    settings: dict[str, Any]
    inputs: dict[str, Path]
    outputs: dict[str, Path]
    threads: int
    unit: Callable[..., Any]
    missing: Callable[..., Any]
    hashes: dict[str, str]


def run_job(spec_path: Path, threads: int = 1) -> None:
    """Run the job of a spec file.

    Raises
    ------
    InputError
        where an input is missing, or is not what the job that made it left and cannot be put back
    RuntimeError
        where its work did not write one of its outputs
    """
    sweep(PARTIAL.glob("*"))  # what killed processes left behind
    spec = read_spec(spec_path)
    outputs = {name: Path(path) for name, path in spec["outputs"].items()}
    store = store_folder(None)
    hashes: dict[str, str] = {}
    for name, path in spec["inputs"].items():
        maker = spec["made_by"].get(name)
        if maker is None and not Path(path).is_file():
            raise InputError(path, "no such file", "it is a source of the workflow, not a result: put it back")
        hashes[name] = sha256_file(path) if maker is None else proven_hash(path, maker, store)
        logger.info("input     %s: %s sha256 %s", name, path, hashes[name][:16])
    key = result_key(spec, hashes)
    mark_used(store, key)
    entry = _hit(store, key, outputs)
    if entry is None:
        with lease(lease_path(store, key), f"{spec['stage']} {spec['study']}/{spec['part']}"):
            # Another process may have entered it while this one waited.
            entry = _hit(store, key, outputs) or _compute(spec, key, store, outputs, hashes, threads)
    write_manifest(spec, entry)
    for path in outputs.values():
        with contextlib.suppress(FileNotFoundError):  # another run may be making it anew already
            logger.info("output    %s %d bytes", path, path.stat().st_size)


def _hit(store: Path, key: str, outputs: dict[str, Path]) -> dict[str, Any] | None:
    """What `_fetched` returns, with a line in the log where it is an entry."""
    entry = _fetched(store, key, outputs)
    if entry is not None:
        facts = entry["facts"]
        logger.info("store     hit: nothing computed, made in %.1f s on %s", facts["seconds"], facts["made"])
    return entry


def _fetched(store: Path, key: str, outputs: dict[str, Path]) -> dict[str, Any] | None:
    """The entry under a key, once its files are at the outputs; None where the store does not have all of it."""
    entry = read_entry(store, key)
    if entry is None or entry["blobs"].keys() != outputs.keys():
        return None
    if not all(fetch_blob(store, digest, outputs[name]) for name, digest in entry["blobs"].items()):
        return None
    return entry


def _compute(
    spec: dict[str, Any], key: str, store: Path, outputs: dict[str, Path], hashes: dict[str, str], threads: int
) -> dict[str, Any]:
    """Do the work of a job, put its outputs in place, and enter them into the store; returns the entry."""
    folder = temporary_path(Path(f"{spec['stage']}-{spec['study']}-{spec['part']}"[:LONGEST_NAME]), PARTIAL)
    folder.mkdir(parents=True)
    partial = {name: folder / path.name for name, path in outputs.items()}
    # Before numpy is imported: with more threads OpenBLAS adds in another order.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    keep_kernels(kernels_of(store))
    for module in spec["code"]:  # they add their entries to the registries, so that no other module is looked for
        if not is_file(module):  # a user's file is run where its mistakes are reported
            module_named(module)
    work = function_named(spec["work"])
    # The modules of other installed packages that decide the job decide each of its pieces.
    packages = {name: name.partition(".")[0] for name in spec["code"] if not is_file(name)}
    installed = {name: spec["code"][name] for name, package in packages.items() if package != PACKAGE}
    units = _Units(store, {"installed": installed} if installed else {})
    inputs = {name: Path(path) for name, path in spec["inputs"].items()}
    started = time.perf_counter()
    try:
        work(Task(spec["settings"], inputs, partial, threads, units.ask, units.missing, hashes))
        seconds = time.perf_counter() - started
        for name, path in partial.items():
            if not path.is_file() or path.stat().st_size == 0:
                raise RuntimeError(f"{spec['work']} did not write its output {name}")
        facts = {
            "made": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
            "seconds": round(seconds, 3),
            "units": units.used,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "system": platform.system(),
            "input_sha256": hashes,
        }
        entry = enter(store, key, partial, facts)
        for name, path in partial.items():
            make_way(outputs[name])
            outputs[name].parent.mkdir(parents=True, exist_ok=True)
            path.replace(outputs[name])
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    logger.info("store     computed %d of %d units in %.1f s", units.computed, len(units.used), seconds)
    return entry


class _Units:
    """Pieces of a job that the store keeps apart, and the count of those that had to be computed.

    installed : what decides each of them beside its settings
    """

    def __init__(self, store: Path, installed: dict[str, Any]):
        self.store, self.installed = store, installed
        self.used: list[str] = []
        self.computed = 0

    def ask(
        self, kind: str, settings: dict[str, Any], hashes: dict[str, Any], compute: Callable[..., Any], path: Path
    ) -> None:
        key = unit_key(kind, settings | self.installed, hashes)
        self.used.append(key)
        mark_used(self.store, key)
        if _fetched(self.store, key, {"unit": path}):
            return
        with lease(lease_path(self.store, key), kind):
            if not _fetched(self.store, key, {"unit": path}):
                started = time.perf_counter()
                compute(path)
                self.computed += 1
                enter(self.store, key, {"unit": path}, {"seconds": round(time.perf_counter() - started, 3)})

    def missing(self, kind: str, settings: dict[str, Any], hashes: dict[str, Any]) -> bool:
        return read_entry(self.store, unit_key(kind, settings | self.installed, hashes)) is None
