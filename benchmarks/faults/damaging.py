"""Results, manifests, specs, files of the plan, and files of the store that are truncated, altered or deleted."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

from ground import Ground, Outcome, move_away
from small_project import Project

from surefoot.build.files import sha256_file
from surefoot.build.job import Job
from surefoot.build.kernel_cache import kernels_of, listed, room_folder

MINE = "a_user_put_this_here"
OF_THE_PLAN = ("configuration.json", ".command", ".run", ".run_by")
STUDY = "simulated"


def _one_byte(content: bytes, stream: random.Random) -> bytes:
    place = stream.randrange(len(content))
    return content[:place] + bytes([content[place] ^ (1 << stream.randrange(8))]) + content[place + 1 :]


ALTERED = {
    "emptied": lambda content, stream: b"",
    "truncated": lambda content, stream: content[: stream.randrange(len(content))],
    "one byte altered": _one_byte,
    "filled with zeros": lambda content, stream: bytes(len(content)),
    "lengthened": lambda content, stream: content + stream.randbytes(1 + stream.randrange(50)),
    "replaced by {}": lambda content, stream: b"{}",
}


def damage(path: Path, way: str, others: list[Path], stream: random.Random) -> bool:
    """Damage a file; whether that left it other than it was, and there."""
    content = path.read_bytes() if path.is_file() else b""
    if way in ALTERED:
        path.write_bytes(ALTERED[way](content or b" ", stream))
    elif way == "that of another":
        path.write_bytes(stream.choice(others).read_bytes())
    else:
        path.unlink(missing_ok=True)
        if way != "deleted":
            path.mkdir(parents=True)
        if way == "a folder with a file":
            (path / MINE).touch()
        return way != "deleted"
    return path.read_bytes() != content


RESULT_WAYS = [*ALTERED, "that of another", "deleted", "an empty folder", "a folder with a file"]


def damaged_results(ground: Ground, stream: random.Random, what: str) -> Outcome:
    """One result, manifest or spec is damaged, its times kept or not."""
    project = ground.project()
    name = stream.choice(ground.paths(what))
    path, others = project.folder / name, [project.folder / other for other in ground.paths(what)]
    way = stream.choice(RESULT_WAYS)
    there = damage(path, way, others, stream)
    counted = int(there or way == "deleted")
    found = int(any(line.startswith(name) for line in ground.problems(project))) if counted else 0
    outcome = ground.judged(project) if not counted else _moved_if_refused(ground, project, way)
    if outcome.verdict != "wrong" and found < counted:
        outcome = Outcome("wrong", f"check did not name {name}: {way}")
    if outcome.verdict == "refused" and way != "a folder with a file":
        outcome = Outcome("wrong", f"refused although nothing was in the way: {outcome.detail}")
    return outcome._replace(corrupted=counted, found=found, detail=f"{name}: {way}: {outcome.detail}")


def _moved_if_refused(ground: Ground, project: Project, way: str) -> Outcome:
    """The judgement of the next run; where it refuses since a folder is in the way, also after it is moved."""
    # A damaged file may look half-written, so that this is not looked for here.
    outcome = ground.judged(project, expected=ground.hashes)
    if outcome.verdict == "refused" and "move the folder out of the way" in outcome.detail:
        move_away(project, MINE)
        after = ground.judged(project, expected=ground.hashes)
        return outcome if after.verdict == "recovered" else after._replace(verdict="wrong")
    return outcome


def damaged_plan(ground: Ground, stream: random.Random) -> Outcome:
    """One of the files that planning keeps beside the specs is damaged."""
    project = ground.project()
    path = project.folder / "results" / "spec" / stream.choice(OF_THE_PLAN)
    way = stream.choice([*ALTERED, "deleted", "an empty folder"])
    damage(path, way, [], stream)
    ground.problems(project)
    outcome = ground.judged(project)
    return outcome._replace(detail=f"{path.name}: {way}: {outcome.detail}")


def damaged_store(ground: Ground, stream: random.Random, what: str) -> Outcome:
    """A file of the store is damaged, and the results that it would give back are gone."""
    project = ground.project()
    job = stream.choice(ground.cheap)
    stored = ground.stored[job.spec]
    of_unit = bool(stored.unit_entries) and stream.random() < 0.5
    ground.forget(project, job, stored=of_unit)
    if what == "entry":
        choice = stored.unit_entries if of_unit else [stored.entry]
    else:
        choice = stored.unit_blobs if of_unit else stored.blobs
    path = project.store / stream.choice(choice)
    others = [project.store / other for known in ground.stored.values() for other in (known.entry, *known.blobs)]
    way = stream.choice(RESULT_WAYS)
    counted = int(damage(path, way, [other for other in others if other.is_file()], stream))
    # An entry of a piece is known to `check` through that of its job, or where its module lists its pieces.
    found = int(any(line.startswith(str(path)) for line in ground.problems(project, store=True))) if counted else 0
    outcome = ground.judged(project)
    if outcome.verdict == "refused":
        outcome = Outcome("wrong", outcome.detail)
    return outcome._replace(corrupted=counted, found=found, detail=f"{path}: {way}: {outcome.detail}")


def damaged_kernel(ground: Ground, stream: random.Random) -> Outcome:
    """A file of a compiled kernel is damaged; a new process runs a job that may load it."""
    project = ground.project("kernels")
    kernels = project.store / "kernels"
    if not kernels.exists():
        shared = kernels_of(ground.of_snakemake.store)
        for name in (room_folder("simulation"), room_folder("statistics")):
            shutil.copytree(shared / name, kernels / name)
    job = stream.choice([job for job in ground.cheap if job.stage == "simulate" and job.study == STUDY])
    ground.forget(project, job, units=True)
    folder = kernels / room_folder("simulation")
    path = stream.choice(sorted(folder.rglob("*.nb[ci]")))
    way = stream.choice([*ALTERED, "deleted"])
    counted = int(damage(path, way, [], stream))
    whole = path.is_file() and listed(folder).get(str(path.relative_to(folder))) == sha256_file(path)
    found = int(not whole) if counted else 0
    command = [sys.executable, "-m", "surefoot", "job", job.spec]
    done = subprocess.run(
        command, cwd=project.folder, env=project.environment(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        return Outcome("wrong", f"{path}: {way}: {done.stdout}{done.stderr}", counted, found)
    outcome = ground.compared(project)
    return outcome._replace(corrupted=counted, found=found, detail=f"{path}: {way}: {outcome.detail}")


def damaged_job(ground: Ground, job: Job, project: Project, stream: random.Random) -> None:
    """Damage one result of a job in a way that leaves a file or nothing."""
    path = project.folder / stream.choice(list(job.outputs.values()))
    damage(path, stream.choice([*ALTERED, "deleted"]), [], stream)
