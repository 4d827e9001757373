"""What cases stand on: the undisturbed project, which jobs are cheap, and the judgement after each case."""

import ctypes
import json
import os
import random
import shutil
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from processes import Ended, Extent, check, extent_of, job_command, next_run, start
from small_project import OF_ALL, Project, project_in, restore

from surefoot.build.job import Job, read_spec, result_key
from surefoot.build.store import blob_path, entry_path, read_entry

CHEAP_STAGES = ("simulate", "collect", "normalize", "aggregate", "estimate")
"""The stages of which jobs are made anew in forked processes; drawing and rendering takes seconds, and is left to the
cases of whole workflows. Damage to all results is repaired in both."""
_PR_SET_CHILD_SUBREAPER = 36


class Outcome(NamedTuple):
    """How a case ended.

    verdict : ``recovered`` with the undisturbed bytes, ``refused`` with a sentence that says what to do, or ``wrong``
    detail : what was wrong
    corrupted, found : how many files were corrupted, and how many of them the target `check` named
    """

    verdict: str
    detail: str = ""
    corrupted: int = 0
    found: int = 0


class Stored(NamedTuple):
    """What the store keeps of a job: the files of its entry, those of its pieces, by key and by blob."""

    entry: Path
    blobs: list[Path]
    unit_entries: list[Path]
    unit_blobs: list[Path]


class Ground:
    """The undisturbed project, and a folder for copies of it.

    reference : as forked processes make it, for their cases: the paths to the code differ in its specs
    of_snakemake : as the real Snakemake makes it, for the cases of whole workflows
    next_run : what forked processes do as Snakemake does
    """

    def __init__(self, of_snakemake: Project, base: Path, jobs: Sequence[Job], small: bool = False):
        self.of_snakemake, self.base = of_snakemake, base
        self.reference = reference = project_in(base / "forked")
        self.next_run = partial(next_run, CHEAP_STAGES if small else None)
        restore(reference, of_snakemake)
        made = start(reference, self.next_run).wait()
        if made.status or not (small or reference.result_hashes() == of_snakemake.result_hashes()):
            raise RuntimeError(f"forked processes make other results than Snakemake: {made.output}")
        self.jobs = [job for job in jobs if job.study not in OF_ALL and (not small or job.stage in CHEAP_STAGES)]
        self.cheap = [job for job in self.jobs if job.stage in CHEAP_STAGES]
        self.hashes = reference.result_hashes()
        self.stored = {job.spec: self._stored(job) for job in self.jobs}
        self.extents = {job.spec: self._extent(job) for job in self.cheap}
        # Jobs that outlive the process that started them become children of this one, which waits for their end.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def _stored(self, job: Job) -> Stored:
        store, folder = self.reference.store, self.reference.folder
        spec = read_spec(folder / job.spec)
        hashes = json.loads((folder / job.manifest).read_text())["facts"]["input_sha256"]
        key = result_key(spec, hashes)
        entry = read_entry(store, key)
        assert entry is not None, f"the store has nothing of {job.spec}"
        # The times of Bayesian agents' decisions are measured, so these pieces would not come out the same again.
        lasting = job.study == "bayesian"
        units = [(unit, read_entry(store, unit)) for unit in entry["facts"]["units"] if not lasting]
        return Stored(
            entry_path(store, key).relative_to(store),
            [blob_path(store, digest).relative_to(store) for digest in entry["blobs"].values()],
            [entry_path(store, unit).relative_to(store) for unit, _ in units],
            [blob_path(store, found["blobs"]["unit"]).relative_to(store) for _, found in units if found],
        )

    def project(self, name: str = "case", metadata: bool = False) -> Project:
        """A copy of the undisturbed project in the folder of this name."""
        project = project_in(self.base / name)
        restore(project, self.of_snakemake if metadata else self.reference, metadata)
        return project

    def _extent(self, job: Job) -> Extent:
        """How long a cheap job takes where the store has nothing of it."""
        project = self.project()
        self.forget(project, job, units=True)
        return extent_of(project, job_command(job))

    def forget(self, project: Project, job: Job, units: bool = False, stored: bool = True) -> None:
        """Delete a job's results, and what the store keeps of it: its entry, and its pieces if `units`."""
        for path in (*job.outputs.values(), job.manifest):
            (project.folder / path).unlink(missing_ok=True)  # a case may have deleted it already
        kept = self.stored[job.spec]
        for path in ((kept.entry,) if stored else ()) + (tuple(kept.unit_entries) if units else ()):
            (project.store / path).unlink(missing_ok=True)

    def forget_some(self, project: Project, stream: random.Random, most: int = 4, timed: bool = True) -> list[Job]:
        """Do so for a few random cheap jobs; these.

        timed : whether those of the study of measured times are among them, of which the store must keep the pieces
        """
        jobs = [job for job in self.cheap if timed or job.study != "bayesian"]
        chosen = stream.sample(jobs, stream.randint(1, most))
        for job in chosen:
            self.forget(project, job, units=stream.random() < 0.5, stored=stream.random() < 0.8)
        return chosen

    def paths(self, what: str) -> list[str]:
        """Paths of all results, or of all manifests or specs."""
        if what == "result":
            return [path for job in self.jobs for path in job.outputs.values()]
        return [getattr(job, what) for job in self.jobs]

    def judged(
        self,
        project: Project,
        disturbed: Iterable[Ended] = (),
        before: Callable[[], object] = lambda: None,
        expected: dict[str, str] | None = None,
    ) -> Outcome:
        """What the next run makes of it.

        Parameters
        ----------
        disturbed : the processes that were disturbed and could tell so: each must have ended well or with a sentence
        before : what is done to the process of the next run first
        expected : hashes of the results, by default the undisturbed ones
        """
        for ended in disturbed:
            if not is_sentence(ended):
                return Outcome("wrong", f"the disturbed process said: {ended.output}")
        if changed := self.half_written(project) if expected is None else []:
            return Outcome("wrong", f"half-written before the next run: {changed}")
        ended = start(project, lambda: self.next_run() or check(False), before).wait()
        wait_for_orphans()
        if ended.status:
            return Outcome("refused" if is_sentence(ended) else "wrong", ended.output)
        return self._compared(project, self._lines(ended), self.hashes if expected is None else expected)

    def half_written(self, project: Project) -> list[str]:
        """Results that are there and have other bytes than the undisturbed ones."""
        return [name for name, digest in project.result_hashes().items() if self.hashes.get(name, digest) != digest]

    def compared(self, project: Project) -> Outcome:
        """Whether the results have the undisturbed bytes, are all proven, and nothing else is left."""
        return self._compared(project, self.problems(project), self.hashes)

    def _compared(self, project: Project, problems: list[str], expected: dict[str, str]) -> Outcome:
        found = project.result_hashes()
        names = sorted(expected.keys() | found.keys())
        if different := [name for name in names if expected.get(name) != found.get(name)]:
            return Outcome("wrong", f"other bytes than undisturbed: {different}")
        if problems := [line for line in problems if line.startswith("results/")]:
            return Outcome("wrong", f"check says afterwards: {problems}")
        if left := list((project.folder / "results").glob(".partial/*")):
            return Outcome("wrong", f"left behind: {left}")
        return Outcome("recovered")

    def problems(self, project: Project, store: bool = False) -> list[str]:
        """What `check` says of the results, and of the store if asked, or the sentence with which it refuses."""
        ended = start(project, lambda: check(store)).wait()
        if ended.status:
            return [ended.output.partition("surefoot: ")[2]] if is_sentence(ended) else [f"failed: {ended.output}"]
        return self._lines(ended)

    def _lines(self, ended: Ended) -> list[str]:
        """Of what `check` printed last, that on the jobs of this ground."""
        known = {path for job in self.jobs for path in (job.spec, job.manifest, *job.outputs.values())}
        said = [line for line in ended.output.splitlines() if line.startswith("[")]  # other lines are on standard error
        lines: list[str] = json.loads(said[-1])
        return [line for line in lines if line.startswith("/") or line.partition(": ")[0] in known]


def is_sentence(ended: Ended) -> bool:
    """Whether a process ended well, by a signal, or with sentences for a user and no traceback."""
    if ended.status < 0:
        return True
    told = ended.status == 0 or ("surefoot: " in ended.output and "Hint: " in ended.output)
    return told and "Traceback" not in ended.output


def wait_for_orphans() -> None:
    """Wait until no process is left that a case started."""
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def move_away(project: Project, name: str) -> None:
    """Do what a refusal says of a folder in the way, which has a file of this name."""
    for found in list((project.folder / "results").rglob(name)):
        shutil.rmtree(found.parent)
