"""What work takes on the machine at hand: the shipped costs, corrected by what jobs took that were done there."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from surefoot.build.job import Job
from surefoot.build.kept_costs import keep_costs, read_costs
from surefoot.build.kernels import kernels_of, room_folder
from surefoot.build.spending import Spent
from surefoot.pipeline.charges import (
    ANSWERS,
    Charge,
    charge_of_compiling,
    charge_of_piece,
    charge_of_rest,
    charges,
    room_of_kernels,
)

ENOUGH_SECONDS = 300.0
"""Of the latest work of a name, after which older measurements count no more: the code may have become faster."""
PRIOR = 3.0
"""Repetitions of a piece of work, such as trials, that what is known of similar work counts for beside its own."""
PRIOR_SECONDS = 0.5
"""Of estimated work that it counts for at least: the first piece of a job bears what is done but once."""

Name = tuple[str, ...]


class _Sums(NamedTuple):
    estimated: float = 0.0
    measured: float = 0.0
    repeated: float = 0.0


class Calibration(NamedTuple):
    """Measured seconds divided by estimated ones, for names of work and their beginnings.

    ratios : by name
    memory : median of the most megabytes that jobs of a work held
    compiled : names of the kernels that are known to be compiled, and the rooms of which nothing is known but that
        there are compiled kernels
    """

    ratios: Mapping[Name, float]
    memory: Mapping[str, float]
    compiled: frozenset[Name]

    def seconds(self, charge: Charge) -> float:
        """CPU seconds that some work will take: by its own ratio, or by that of the most similar work that was done."""
        name = charge.name
        while name and name not in self.ratios:
            name = name[:-1]
        return charge.seconds * self.ratios.get(name, 1.0)


SHIPPED = Calibration({}, {}, frozenset())
"""Where nothing was measured yet."""


def note_spent(store: Path, job: Job, spent: Spent) -> None:
    """Keep in the store what a job took, whose inputs are still there."""
    megabytes = sum(Path(path).stat().st_size for path in job.inputs.values()) / 1e6
    measured: dict[Name, list[float]] = {}

    def add(charge: Charge, seconds: float) -> None:
        sums = measured.setdefault(charge.name, [0.0, 0.0, 0.0])
        for position, number in enumerate((charge.seconds, seconds, charge.repeated)):
            sums[position] += number

    for piece in spent.pieces:
        add(charge_of_piece(piece.kind, piece.settings, megabytes), piece.seconds)
    rest = [charge_of_rest(job, megabytes)]
    if job.work == ANSWERS and len(job.settings["questions"]) == 1:  # which is answered without a piece of its own
        rest += charges(job, megabytes)
    whole = sum(charge.seconds for charge in rest)
    for charge in rest:
        add(charge, spent.other * charge.seconds / whole)
    compiling = charge_of_compiling(job)
    if compiling is not None and spent.compiling > 0:
        add(compiling, spent.compiling)
    costs: dict[str, Any] = {
        "charges": [[list(name), *sums] for name, sums in sorted(measured.items())],
        "work": job.work,
        "megabytes": spent.megabytes,
    }
    if compiling is not None:
        costs |= {"compiled": list(compiling.name), "kernels": room_folder(room_of_kernels(job))}
    keep_costs(store, spent.key, costs)


def calibration(store: Path) -> Calibration:
    """What the jobs whose costs a store keeps took."""
    return calibrated(read_costs(store), _has_kernels(store))


def calibrated(costs: Iterable[Mapping[str, Any]], has_kernels: Callable[[str], bool]) -> Calibration:
    """The calibration by what is kept of jobs, the latest first.

    Parameters
    ----------
    has_kernels : whether the folder of a name has compiled kernels
    """
    found: dict[Name, _Sums] = {}
    memory: dict[str, list[float]] = defaultdict(list)
    compiled: set[Name] = set()
    told: set[str] = set()
    folders = {room: room_folder(room) for room in ("simulation", "bayesian", "statistics")}
    for job in costs:
        try:
            noted = [(tuple(name), _Sums(*map(float, sums))) for name, *sums in job["charges"]]
            memory[job["work"]].append(float(job["megabytes"]))
            # Those of other code are of no use.
            if "compiled" in job and job["kernels"] in folders.values() and has_kernels(job["kernels"]):
                compiled.add(tuple(job["compiled"]))
                told.add(job["kernels"])
        except (KeyError, TypeError, ValueError):  # of another form
            continue
        for name, sums in noted:
            known = found.get(name, _Sums())
            if known.measured < ENOUGH_SECONDS:
                found[name] = _Sums(*(a + b for a, b in zip(known, sums, strict=True)))
    for room, folder in folders.items():
        if folder not in told and has_kernels(folder):  # by processes that kept no costs
            compiled.add(("room", room))
    return Calibration(_ratios(found), {work: median(all_) for work, all_ in memory.items()}, frozenset(compiled))


def is_compiled(job: Job, known: Calibration) -> bool:
    """Whether the kernels of a job are compiled, as far as one can tell without it."""
    charge = charge_of_compiling(job)
    return charge is None or charge.name in known.compiled or ("room", room_of_kernels(job)) in known.compiled


def _ratios(found: Mapping[Name, _Sums]) -> dict[Name, float]:
    """For each name and each beginning of one: the measured divided by the estimated seconds of all that it has.

    What was done a few times tells little, since single trials differ by far: so a ratio counts together with that of
    the shorter name, as if this were that of some more repetitions. That of the first word is the median of all, each
    with the weight of its seconds.
    """
    sums: dict[Name, list[_Sums]] = defaultdict(list)
    for name, own in found.items():
        if own.estimated > 0 and own.repeated > 0:
            for length in range(1, len(name) + 1):
                sums[name[:length]].append(own)
    ratios: dict[Name, float] = {}
    for name in sorted(sums, key=len):
        below = sums[name]
        if len(name) == 1:
            ratios[name] = _weighted_median([(own.measured / own.estimated, own.estimated) for own in below])
            continue
        estimated, measured, repeated = (sum(numbers) for numbers in zip(*below, strict=True))
        prior = max(PRIOR * estimated / repeated, PRIOR_SECONDS)
        ratios[name] = (measured + prior * ratios[name[:-1]]) / (estimated + prior)
    return ratios


def _weighted_median(weighted: Iterable[tuple[float, float]]) -> float:
    """The value below and above which at most half of the weight lies; each comes with its weight, above 0."""
    ordered = sorted(weighted)
    half, passed = sum(weight for _, weight in ordered) / 2, 0.0
    for value, weight in ordered:
        passed += weight
        if passed >= half:
            return value
    raise ValueError("no values")


def _has_kernels(store: Path) -> Callable[[str], bool]:
    def has_kernels(folder: str) -> bool:
        return any((kernels_of(store) / folder).glob("*/*.nbi"))

    return has_kernels
