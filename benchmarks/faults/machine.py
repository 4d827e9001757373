"""What the machine refuses: full disks, limits, stores of others; and clocks that were set back."""

import contextlib
import os
import random
import resource
import shutil
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from damaging import damaged_job
from ground import Ground, Outcome
from processes import job_command, start
from small_project import Project, project_in

MEGABYTES = 48
NOBODY = 65534
DAY = 24 * 3600.0
_PAGE = 4096
_NEW_SEED = ("seed: 7", "seed: 8")


def can_mount(base: Path) -> bool:
    """Whether this process may mount a file system in memory."""
    if os.geteuid() != 0:
        return False
    with contextlib.suppress(OSError, subprocess.CalledProcessError), _small_disk(base / "try"):
        return True
    return False


def can_be_reached(folder: Path) -> bool:
    """Whether another user can go into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in (folder, *folder.absolute().parents))


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def full_disk(ground: Ground, stream: random.Random, where: str) -> Outcome:
    """Results and store lie on a disk that has no more room than a few pages; then room is made.

    where : ``job`` or ``planning``, whatever is disturbed
    """
    with _small_disk(ground.base / "full"):
        project = ground.project("full")
        if where == "job":
            job = stream.choice(ground.cheap)
            ground.forget(project, job, units=stream.random() < 0.5)
            work = job_command(job)
        else:
            for job in stream.sample(ground.cheap, 2):
                damaged_job(ground, job, project, stream)
            ground.forget_some(project, stream, most=2)
            work = ground.next_run
        filler = ground.base / "full" / "filler"
        pages = stream.choice([0, 1, 2, 3, 4, 6, 8, 12, 16, 24])
        _fill(filler, pages * _PAGE)
        ended = start(project, work).wait()
        filler.unlink()
        expected = ground.hashes if where == "planning" else None
        outcome = ground.judged(project, [ended], expected=expected)
    return outcome._replace(detail=f"{pages} pages free, ended with {ended.status}: {outcome.detail}")


def _fill(filler: Path, left: int) -> None:
    with filler.open("wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while True:
                file.write(bytes(_PAGE))
        file.truncate(max(file.tell() - left, 0))


def limited_files(ground: Ground, stream: random.Random) -> Outcome:
    """A job may write no file larger than a random number of bytes (ulimit -f)."""
    job = stream.choice(ground.cheap)
    project = ground.project()
    ground.forget(project, job, units=stream.random() < 0.5)
    # What the job says goes to a file as well, and its sentence must fit.
    largest = stream.choice([1000, 1500, 2000, 3000, 5000, 10_000])

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    ended = start(project, job_command(job), limit).wait()
    outcome = ground.judged(project, [ended])
    return outcome._replace(detail=f"{job.spec}, {largest} bytes, ended with {ended.status}: {outcome.detail}")


STORES = ("may be read", "may be written", "has files that may not be read", "may not be opened")


def second_user(ground: Ground, stream: random.Random, whose: str) -> Outcome:
    """Another user runs the workflow with a store that root has made; then root does.

    whose : ``own folder`` of that user, or ``folder of another``, who lets nobody write there
    """
    shutil.rmtree(ground.base / "user", ignore_errors=True)
    project = ground.project("user")
    ground.forget_some(project, stream, timed=False)  # the store may be without pieces that can be read
    store = stream.choice(STORES)
    _protect(project, store, stream)
    if whose == "own folder":
        for path in (project.folder, *project.folder.rglob("*")):
            os.lchown(path, NOBODY, NOBODY)
    outcome = ground.judged(project, before=_become_nobody)
    if outcome.verdict != "wrong":
        expected_refusal = whose == "folder of another" or store == "may not be opened"
        if (outcome.verdict == "refused") != expected_refusal:
            outcome = Outcome("wrong", outcome.detail)
        else:
            after = ground.judged(project)  # root may do all of it
            outcome = outcome if after.verdict == "recovered" else after._replace(verdict="wrong")
    return outcome._replace(detail=f"the store {store}: {outcome.detail}")


def _protect(project: Project, store: str, stream: random.Random) -> None:
    if store == "may not be opened":
        project.store.chmod(0o700)
    for part in ("entries", "blobs", "leases"):
        for path in (project.store / part).rglob("*"):
            if store == "may be written":
                path.chmod(0o777 if path.is_dir() else 0o666)
            elif store == "has files that may not be read" and path.is_file() and stream.random() < 0.5:
                path.chmod(0o600)
        if store == "may be written" and (project.store / part).is_dir():
            (project.store / part).chmod(0o777)
    if store == "may be written":
        project.store.chmod(0o777)


def _become_nobody() -> None:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def clock_set_back(ground: Ground, stream: random.Random, change: str) -> Outcome:
    """Files are from the future or from long ago, and then something changes.

    change : ``nothing``, ``damage`` to a result, or ``seed`` of the simulated study
    """
    mixed = _with_two_seeds(ground)
    project = project_in(ground.base / "case")
    mixed.restore(project)
    trees = stream.sample(["results", "spec", "manifest", "store"], stream.randint(1, 4))
    seconds = stream.choice([-1, 1, 1]) * stream.choice([3.0, 3600.0, DAY, 400 * DAY])
    some = stream.choice([1.0, 0.5])
    for path in _files(project, trees):
        if stream.random() < some:
            moment = path.stat().st_mtime + seconds
            os.utime(path, (moment, moment))
    expected = None
    if change == "seed":
        study = project.folder / "config/studies/small.yaml"
        study.write_text(study.read_text().replace(*_NEW_SEED))
        expected = mixed.changed
    elif change == "damage":
        damaged_job(ground, stream.choice(ground.cheap), project, stream)
        expected = ground.hashes
    outcome = ground.judged(project, expected=expected)
    return outcome._replace(detail=f"{seconds} s, {trees}, {change}: {outcome.detail}")


def _files(project: Project, trees: list[str]) -> Iterator[Path]:
    results = project.folder / "results"
    roots = {"spec": results / "spec", "manifest": results / "manifest", "store": project.store / "entries"}
    for tree in trees:
        for path in (results if tree == "results" else roots[tree]).rglob("*"):
            if path.is_file() and (tree != "results" or path.relative_to(results).parts[0] not in roots):
                yield path


class _TwoSeeds:
    """The undisturbed project with a store that has the results of another seed too, and their hashes."""

    def __init__(self, ground: Ground):
        self.ground = ground
        self.project = ground.project("seeds")
        study = self.project.folder / "config/studies/small.yaml"
        text = study.read_text()
        for changed in (text.replace(*_NEW_SEED), text):
            study.write_text(changed)
            ended = start(self.project, ground.next_run).wait()
            if ended.status:
                raise RuntimeError(ended.output)
            if changed != text:
                self.changed = {
                    name: digest for name, digest in self.project.result_hashes().items() if name in ground.hashes
                }
        if ground.compared(self.project).verdict != "recovered":
            raise RuntimeError("the undisturbed results did not come back with their seed")

    def restore(self, project: Project) -> None:
        from small_project import restore

        restore(project, self.project)


_two_seeds: list[_TwoSeeds] = []


def _with_two_seeds(ground: Ground) -> _TwoSeeds:
    if not _two_seeds:
        _two_seeds.append(_TwoSeeds(ground))
    return _two_seeds[0]


def source_of_another_time(ground: Ground, stream: random.Random) -> Outcome:
    """The score table is replaced by other scores of any time, then by the first, again of any time."""
    project = ground.project()
    path = project.folder / "scores.csv"
    undisturbed = path.read_text()
    path.write_text(undisturbed.replace("plain,maze,0,", f"plain,maze,0,{stream.randint(1, 9)}"))
    moment = time.time() + stream.choice([-400, -1, -0.01, 1, 30]) * DAY
    os.utime(path, (moment, moment))
    job = next(job for job in ground.jobs if "scores.csv" in job.inputs.values())
    found = any(line.startswith(job.manifest) for line in ground.problems(project))
    path.write_text(undisturbed)
    os.utime(path, (moment, moment))
    outcome = ground.judged(project)
    if outcome.verdict != "wrong" and not found:
        outcome = Outcome("wrong", "check did not name the job")
    if outcome.verdict == "refused":
        os.utime(path)  # as the hint says
        after = ground.judged(project)
        outcome = outcome if after.verdict == "recovered" else after._replace(verdict="wrong")
    return outcome._replace(corrupted=1, found=int(found))
