"""What is still to be made of a study, and what it will take: CPU seconds, memory and disk of each job."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.build.canonical import canonical_json, sha256_text
from surefoot.build.job import Job, specification
from surefoot.build.manifest import read_manifest
from surefoot.build.repair import hash_or_none
from surefoot.build.runner import content_text, unit_key
from surefoot.build.store import entry_key, entry_path, read_entry
from surefoot.pipeline.calibration import Calibration, is_compiled
from surefoot.pipeline.charges import (
    COLLECTING,
    DRAWINGS,
    INTERVALS,
    PLAYS,
    REPEATED,
    TRIALS,
    Charge,
    charge_of_compiling,
    charge_of_piece,
    charge_of_rest,
    charges,
)
from surefoot.pipeline.needs import megabytes_of_inputs

MEMORY_MB = 450.0
"""Most memory of a job, beside what its inputs take, where none of its work was measured."""
_BYTES = {TRIALS: 12.5, PLAYS: 60.0, REPEATED: 7.0, INTERVALS: 30.0, COLLECTING: 12.5}
"""Of a row of the tables that a work makes."""
_ROWS_OF_OTHERS = 1000.0
_BYTES_OF_OTHERS = 50.0
_BYTES_OF_A_DRAWING = 150_000.0
_BYTES_OF_A_PAGE = 800_000.0


class Forecast(NamedTuple):
    """What a job will take.

    job : the job
    made : whether its results are there as they should be
    work : its charges with the CPU seconds that they will take; none where the store has its result
    megabytes : the most memory that it will hold
    disk : bytes of its results, made or not
    kept : bytes that the store keeps of it beside these
    """

    job: Job
    made: bool
    work: tuple[Charge, ...]
    megabytes: float
    disk: float
    kept: float

    @property
    def seconds(self) -> float:
        """CPU seconds."""
        return sum(charge.seconds for charge in self.work)

    def seconds_on(self, threads: int) -> float:
        """Seconds by the clock on so many threads."""
        return sum(charge.seconds / max(1.0, min(threads, charge.parallel)) for charge in self.work)


def forecast(jobs: Sequence[Job], store: Path, known: Calibration) -> list[Forecast]:
    """What each job will take, in their order, in which each comes after those that make its inputs.

    Kernels that several need are compiled by the first. A job whose inputs will be made anew counts as to be made,
    although these may turn out as they were.
    """
    made: dict[str, str | None] = {}
    sizes: dict[str, float] = {}
    compiled: set[tuple[str, ...]] = set()
    return [_forecast(job, store, known, made, sizes, compiled) for job in jobs]


def _forecast(
    job: Job,
    store: Path,
    known: Calibration,
    made: dict[str, str | None],
    sizes: dict[str, float],
    compiled: set[tuple[str, ...]],
) -> Forecast:
    spec = specification(job)
    hashes = {name: made[path] if path in made else hash_or_none(path) for name, path in job.inputs.items()}
    complete = {name: digest for name, digest in hashes.items() if digest is not None}
    outputs = _outputs_in_place(job, spec, complete)
    in_place = outputs is not None
    stored = None
    if outputs is None and len(complete) == len(hashes):
        stored = read_entry(store, entry_key(job.stage, complete | {"spec": sha256_text(content_text(spec))}))
        if stored is not None:
            outputs = {job.outputs[name]: digest for name, digest in stored["blobs"].items()}
    made.update({path: (outputs or {}).get(path) for path in job.outputs.values()})
    of_inputs = sum(sizes.get(path, 0.0) or _size(path) for path in job.inputs.values()) / 1e6
    disk, kept = _bytes(job, of_inputs * 1e6)
    if in_place:
        disk = sum(_size(path) for path in job.outputs.values())
    sizes.update(dict.fromkeys(job.outputs.values(), disk / len(job.outputs)))
    work: list[Charge] = []
    if not in_place:
        rest = charge_of_rest(job, of_inputs)
        work.append(rest if stored is None else rest._replace(seconds=min(rest.seconds, _SECONDS_OF_A_COPY)))
        if stored is None:
            work += _missing(job, store, complete, of_inputs)
            compiling = charge_of_compiling(job)
            if compiling is not None and compiling.name not in compiled and not is_compiled(job, known):
                work.append(compiling)
                compiled.add(compiling.name)
    calibrated = tuple(charge._replace(seconds=known.seconds(charge)) for charge in work)
    memory = known.memory.get(job.work, MEMORY_MB) + megabytes_of_inputs(job, of_inputs)
    return Forecast(job, in_place, calibrated, memory, disk, kept)


_SECONDS_OF_A_COPY = 1.0
"""Of a job whose result the store has, by the shipped constants."""


def _missing(job: Job, store: Path, hashes: Mapping[str, str], of_inputs: float) -> Iterable[Charge]:
    """The charges of what the store has not of a job's pieces; of all, where it is not known what they will be."""
    if not job.in_pieces or len(hashes) < len(job.inputs) or not (store / "entries").is_dir():
        return charges(job, of_inputs)
    found: dict[tuple[str, ...], Charge] = {}
    for charge in _missing_pieces(job, store, hashes):
        before = found.get(charge.name)
        found[charge.name] = charge if before is None else _together(before, charge)
    return found.values()


def _missing_pieces(job: Job, store: Path, hashes: Mapping[str, str]) -> Iterator[Charge]:
    pieces: Iterable[tuple[str, dict[str, Any], dict[str, Any]]] = import_module(job.module).pieces(
        job.settings, hashes
    )
    for kind, settings, parts in pieces:
        if not entry_path(store, unit_key(kind, settings, parts)).exists():
            yield charge_of_piece(kind, settings)


def _together(one: Charge, other: Charge) -> Charge:
    return one._replace(seconds=one.seconds + other.seconds, repeated=one.repeated + other.repeated)


def _outputs_in_place(job: Job, spec: Mapping[str, Any], hashes: Mapping[str, str]) -> dict[str, str] | None:
    """The hashes of a job's results where they are in place and made of this spec and these inputs."""
    manifest = read_manifest(job)
    if manifest is None or manifest["spec_sha256"] != sha256_text(canonical_json(spec)):
        return None
    if manifest["facts"]["input_sha256"] != hashes or not all(map(os.path.isfile, job.outputs.values())):
        return None
    outputs: dict[str, str] = manifest["outputs"]
    return outputs


def _bytes(job: Job, of_inputs: float) -> tuple[float, float]:
    """Bytes of a job's results, and of what else the store keeps."""
    settings = job.settings
    rows, kept = _ROWS_OF_OTHERS * len(job.outputs), 0.0
    if job.work == TRIALS:
        rows = sum(cell["trials"] for cell in settings["cells"].values())
        kept = 8.0 * rows
    elif job.work == PLAYS:
        rows = sum(entry["mdps"] for entry in settings["cells"].values())
        kept = _BYTES[PLAYS] * rows
    elif job.work == INTERVALS:
        rows = settings["datasets"] * len(settings["methods"]) * len(settings["variants"]) * 4
        kept = _BYTES[INTERVALS] * rows
    elif job.work == DRAWINGS:
        return _BYTES_OF_A_DRAWING * len(settings["drawings"]), _BYTES_OF_A_DRAWING * len(settings["drawings"])
    elif job.stage == "render":
        return _BYTES_OF_A_PAGE, 0.0
    elif "rows" in settings and job.stage == "collect":
        rows = sum(row[-1] for row in settings["rows"])
    elif job.stage in ("collect", "normalize"):
        return max(of_inputs, _ROWS_OF_OTHERS * _BYTES_OF_OTHERS), 0.0
    return rows * _BYTES.get(job.work, _BYTES_OF_OTHERS), kept


def _size(path: str) -> float:
    try:
        return float(Path(path).stat().st_size)
    except OSError:
        return 0.0
