"""Faults: a small project is disturbed at random, time and again, and after each time the next run must end with the
undisturbed bytes, or refuse with a sentence that says what to do.

    python benchmarks/faults --cases 1000 --seed 1

Compiled kernels are taken from, and added to, the store (SUREFOOT_STORE). A second user and a full disk need root.
"""

import argparse
import csv
import itertools
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))

import damaging
import killing
import machine
import on_slurm
import sharing
import shipped
import workflows
from ground import Ground, Outcome, wait_for_orphans
from processes import warm_up
from small_project import reference_in

from surefoot.build.kernel_cache import kernels_of
from surefoot.build.store import store_folder

COLUMNS = ("kind", "where", "level", "cases", "recovered", "refused", "wrong", "corrupted", "named_by_check")
SIGNALS = (signal.SIGTERM, signal.SIGKILL, signal.SIGINT)


class Kind(NamedTuple):
    """A kind of fault.

    name, where : what happens, and what it happens to
    level : ``job`` for the project's own commands in forked processes, ``workflow`` for the real Snakemake
    share : how many of a thousand cases
    run : the case, given the ground and a random stream
    """

    name: str
    where: str
    level: str
    share: int
    run: Callable[[Ground, random.Random], Outcome]


def kinds(mounts: bool, changes_user: bool) -> list[Kind]:
    """The kinds that can be tried: full disks need `mounts`, and second users need `changes_user`."""

    def job(name: str, where: str, share: int, function: Callable[..., Outcome], *values: object) -> Kind:
        return Kind(name, where, "job", share, partial(_swapped, function, values))

    def whole(name: str, where: str, share: int, function: Callable[..., Outcome], *values: object) -> Kind:
        return Kind(name, where, "workflow", share, partial(_swapped, function, values))

    found = [
        *(job("damage", what, share, damaging.damaged_results, what) for what, share in _DAMAGED),
        job("damage", "file of the plan", 40, damaging.damaged_plan),
        *(job("damage", f"store {what}", 90, damaging.damaged_store, what) for what in ("entry", "blob")),
        job("damage", "compiled kernel", 3, damaging.damaged_kernel),
        *(job(number.name, "job", 56, killing.killed_job, number) for number in SIGNALS),
        *(job(number.name, "planning or any job", 20, killing.killed_planner, number) for number in SIGNALS),
        job("limit of file size", "job", 25, machine.limited_files),
        *(job("clock set back", f"then {change}", 20, machine.clock_set_back, change) for change in _CHANGES[:2]),
        job("clock set back", "then another seed", 6, machine.clock_set_back, "seed"),
        job("source replaced", "of any time", 20, machine.source_of_another_time),
        job("two at once", "two folders", 25, sharing.two_folders),
        job("two at once", "one folder", 20, sharing.one_folder),
        job("two at once", "orphaned job", 25, sharing.orphaned_job),
        job("prune", "during a run", 25, sharing.pruned),
        *(
            whole(number.name, who, 1, workflows.killed, number, who)
            for number, who in itertools.product(SIGNALS, ("snakemake", "group", "job"))
        ),
        *(whole(number.name, "group, cold store", 1, workflows.killed, number, "group", True) for number in SIGNALS),
        *(whole("damage", what, share, workflows.damaged, what) for what, share in (("result", 3), ("manifest", 1))),
        whole("lost metadata", "folder of Snakemake", 3, workflows.lost_metadata),
        whole("clock set back", "then missing results", 1, workflows.clock_set_back),
        *(whole("two at once", where, 1, workflows.two_at_once, where) for where in ("one folder", "two folders")),
        *(whole(number.name, "shipped configuration", 2, shipped.disturbed, number) for number in SIGNALS),
        whole("damage", "shipped configuration", 4, shipped.disturbed, None),
    ]
    if on_slurm.can_be_tried():
        found.append(whole("SIGKILL", "node of Slurm", 5, on_slurm.lost_node))
    if mounts:
        found += [
            job("full disk", "job", 60, machine.full_disk, "job"),
            job("full disk", "planning or any job", 20, machine.full_disk, "planning"),
        ]
    if changes_user:
        found += [
            job("second user", "own folder", 30, machine.second_user, "own folder"),
            job("second user", "folder of another", 10, machine.second_user, "folder of another"),
        ]
    return found


_DAMAGED = (("result", 130), ("manifest", 75), ("spec", 50))
_CHANGES = ("nothing", "damage")


def _swapped(
    function: Callable[..., Outcome], values: Sequence[object], ground: Ground, stream: random.Random
) -> Outcome:
    return function(ground, stream, *values)


def chosen(found: Sequence[Kind], cases: int, names: Sequence[str], level: str | None) -> Iterator[tuple[Kind, int]]:
    """The cases, each with its number within its kind: so many in all, in proportion to the shares."""
    kept = [kind for kind in found if (not names or kind.name in names) and level in (None, kind.level)]
    total, done, before = sum(kind.share for kind in kept), 0, 0
    for kind in kept:
        before += kind.share
        until = round(cases * before / total)
        yield from ((kind, number) for number in range(until - done))
        done = until


def main() -> int:
    """Run the cases; the exit status is 1 where one went wrong."""
    options = _parser().parse_args()
    root = os.geteuid() == 0
    found = kinds(root and machine.can_mount(options.folder), root and machine.can_be_reached(options.folder))
    if options.repeat:
        name, where, level, number = options.repeat.split("/")
        cases = [(kind, int(number)) for kind in found if kind[:3] == (name, where, level)]
    else:
        cases = list(chosen(found, options.cases, options.kinds, "job" if options.small else options.level))
        random.Random(options.seed).shuffle(cases)  # so that the first ones are of all kinds
    kernels = kernels_of(store_folder(None))
    reference = reference_in(options.folder / "undisturbed", kernels, options.small)
    ground = Ground(reference, options.folder, warm_up(reference), options.small)
    counts: dict[tuple[str, str, str], Counter[str]] = {kind[:3]: Counter() for kind, _ in cases}
    started = time.monotonic()
    for done, (kind, number) in enumerate(cases, start=1):
        if options.minutes and time.monotonic() - started > 60 * options.minutes:
            break
        outcome = _outcome(ground, kind, options.seed, number)
        wait_for_orphans()
        counts[kind[:3]].update(
            {"cases": 1, outcome.verdict: 1, "corrupted": outcome.corrupted, "named_by_check": outcome.found}
        )
        if outcome.verdict == "wrong" or options.repeat:
            again = f"python benchmarks/faults --seed {options.seed} --repeat '{'/'.join(kind[:3])}/{number}'"
            print(f"{outcome.verdict}: {outcome.detail}\n    again: {again}", flush=True)
        if done % 20 == 0 or done == len(cases):
            wrong = sum(count["wrong"] for count in counts.values())
            print(f"{done} of {len(cases)} cases, {wrong} wrong, {time.monotonic() - started:.0f} s", flush=True)
        if options.output and not options.repeat:
            write(options.output, counts)
    seconds = sum(os.times()[:4])
    print(f"{seconds:.0f} CPU seconds")
    return int(any(count["wrong"] for count in counts.values()))


def _outcome(ground: Ground, kind: Kind, seed: int, number: int) -> Outcome:
    stream = random.Random(f"{seed}/{'/'.join(kind[:3])}/{number}")
    try:
        return kind.run(ground, stream)
    except Exception as error:  # counted, and repeated by its command: the other cases go on
        return Outcome("wrong", f"the case itself failed: {type(error).__name__}: {error}")


def write(path: Path, counts: dict[tuple[str, str, str], Counter[str]]) -> None:
    """Write the counts, one row a kind; rows of kinds that were not tried this time stay."""
    rows = {names: [*names, *(count[column] for column in COLUMNS[3:])] for names, count in counts.items()}
    if path.is_file():
        with path.open(newline="") as file:
            there = list(csv.reader(file))[1:]
        rows = {tuple(row[:3]): row for row in there} | rows
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(row for _, row in sorted(rows.items()) if int(row[3]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python benchmarks/faults", description=__doc__.partition("\n\n")[0])
    parser.add_argument("--cases", type=int, default=1000, help="how many, in proportion to the shares of the kinds")
    parser.add_argument("--seed", type=int, default=1, help="which cases")
    parser.add_argument("--kinds", nargs="*", default=[], help="only kinds of these names, such as damage SIGKILL")
    parser.add_argument("--level", choices=["job", "workflow"], help="only cases of this level")
    parser.add_argument("--minutes", type=float, help="begin no case after so many")
    parser.add_argument("--small", action="store_true", help="no figures, pages and whole workflows: for a few cases")
    parser.add_argument("--repeat", metavar="CASE", help="one case, as a failure names it")
    parser.add_argument("--output", type=Path, help="where the counts go, such as reports/records/faults.csv")
    folder = Path(tempfile.gettempdir()) / f"surefoot_faults_{os.getuid()}"
    parser.add_argument("--folder", type=Path, default=folder, help="of the undisturbed project and its copies")
    return parser


if __name__ == "__main__":
    sys.exit(main())
