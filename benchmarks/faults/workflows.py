"""Whole workflows, started by the real Snakemake, which are killed, lose their metadata, or meet what jobs meet."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from damaging import damage
from ground import Ground, Outcome, wait_for_orphans
from processes import Ended
from small_project import OF_ALL, Project, project_in, restore

TARGETS = ("table", "simulated", "bayesian", "recht2018")
SHIFT = 24 * 3600.0
_SECONDS = (2.0, 25.0)


def _run(project: Project, *arguments: str) -> Ended:
    run = project.snakemake(*(arguments or TARGETS))
    output = run.communicate()[0]
    return Ended(run.returncode, output)


def said_by_check(project: Project) -> list[str]:
    """What the command `check` says of files below results/."""
    command = [sys.executable, "-m", "surefoot", "check"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run(command, cwd=project.folder, env=project.environment(), check=False, **streams)
    return [line for line in done.stdout.splitlines() if line.startswith("results/")]


def _problems(project: Project) -> list[str]:
    """The same, but of the home page and of Snakemake's targets."""
    lines = said_by_check(project)
    return [line for line in lines if not set(OF_ALL).intersection(Path(line.partition(": ")[0]).with_suffix("").parts)]


def judged(ground: Ground, project: Project, *targets: str) -> Outcome:
    """What the next run, and `check` after it, make of a project."""
    ended = _run(project, *targets)
    if ended.status:
        return Outcome("wrong", ended.output)
    return _compared(ground, project, whole=not targets)


def _compared(ground: Ground, project: Project, whole: bool = True) -> Outcome:
    """Whether what is there has the undisturbed bytes; of a whole run also whether all is there, and proven."""
    found = project.result_hashes()
    names = sorted(ground.hashes.keys() if whole else ground.hashes.keys() & found.keys())
    if different := [name for name in names if found.get(name) != ground.hashes[name]]:
        return Outcome("wrong", f"other bytes than undisturbed: {different}")
    if whole and (problems := _problems(project)):
        return Outcome("wrong", f"check says afterwards: {problems}")
    return Outcome("recovered")


def killed(ground: Ground, stream: random.Random, number: signal.Signals, who: str, cold: bool = False) -> Outcome:
    """Snakemake alone, its whole process group, or one of its jobs is killed.

    cold : whether neither store nor folder has any result; then one study's intervals are asked for
    """
    project = ground.project(metadata=True)
    targets = ()
    if cold:
        targets = (stream.choice(["results/estimate/simulated/pbp.csv", "results/estimate/table/pbp.csv"]),)
        for folder in (project.folder / "results", project.folder / ".snakemake", project.store / "entries"):
            shutil.rmtree(folder)
        shutil.rmtree(project.store / "blobs")
    else:
        ground.forget_some(project, stream, most=3)
    run = project.snakemake(*(targets or TARGETS), stdout=subprocess.DEVNULL)
    time.sleep(stream.uniform(*_SECONDS))
    send(run, number, who)
    run.wait()
    if stream.random() < 0.5:  # else jobs may outlive their run, and go on beside the next
        wait_for_orphans()
    if changed := ground.half_written(project):
        return Outcome("wrong", f"half-written before the next run: {changed}")
    outcome = judged(ground, project, *targets)
    missing = [target for target in targets if not (project.folder / target).is_file()]
    return Outcome("wrong", f"missing: {missing}") if missing else outcome


def send(run: subprocess.Popen[str], number: signal.Signals, who: str) -> None:
    """Send a signal to a run that still goes on: to its ``group``, to ``snakemake`` alone, or to its latest job."""
    if run.poll() is not None:
        return
    if who == "group":
        os.killpg(run.pid, number)
    elif who == "snakemake":
        run.send_signal(number)
    else:
        found = subprocess.run(
            ["pgrep", "-g", str(run.pid), "-f", "surefoot job"], capture_output=True, text=True, check=False
        )
        for process in found.stdout.split()[-1:]:
            subprocess.run(["kill", f"-{number.value}", process], check=False, capture_output=True)


def lost_metadata(ground: Ground, stream: random.Random) -> Outcome:
    """All or half of what Snakemake remembers is lost, after a result was damaged or not."""
    project = ground.project(metadata=True)
    metadata = project.folder / ".snakemake"
    if stream.random() < 0.3:
        shutil.rmtree(metadata)
    else:
        for path in sorted((metadata / "metadata").iterdir()):
            if stream.random() < 0.5:
                path.unlink()
    if stream.random() < 0.5:
        path = project.folder / stream.choice(ground.paths("result"))
        damage(path, stream.choice(["truncated", "deleted", "one byte altered"]), [], stream)
    return judged(ground, project)


def damaged(ground: Ground, stream: random.Random, what: str) -> Outcome:
    """A result, manifest or spec is damaged: any, those that are dear to make anew among them."""
    project = ground.project(metadata=True)
    name = stream.choice(ground.paths(what))
    damage(project.folder / name, stream.choice(["truncated", "emptied", "one byte altered", "deleted"]), [], stream)
    found = int(any(line.startswith(name) for line in _problems(project)))
    outcome = judged(ground, project)
    if not found and outcome.verdict != "wrong":
        outcome = Outcome("wrong", f"check did not name {name}")
    return outcome._replace(corrupted=1, found=found)


def clock_set_back(ground: Ground, stream: random.Random) -> Outcome:
    """All that a run left is from the future, and something is missing."""
    project = ground.project(metadata=True)
    for tree in (project.folder / "results", project.folder / ".snakemake"):
        for path in tree.rglob("*"):
            if path.is_file() and not path.is_symlink():
                moment = path.stat().st_mtime + SHIFT
                os.utime(path, (moment, moment))
    ground.forget_some(project, stream, most=2)
    return judged(ground, project)


def two_at_once(ground: Ground, stream: random.Random, where: str) -> Outcome:
    """Two runs start together, in one folder or in two that share a store."""
    project = ground.project(metadata=True)
    chosen = ground.forget_some(project, stream, most=2)
    other = project
    if where == "two folders":
        other = project_in(ground.base / "other")._replace(store=project.store)
        restore(other, ground.of_snakemake, metadata=True)
        for job in chosen:
            for path in (*job.outputs.values(), job.manifest):
                (other.folder / path).unlink()
    runs = [one.snakemake(*TARGETS) for one in (project, other)]
    ended = [Ended(run.returncode, output) for run in runs for output in [run.communicate()[0]]]
    refused = [one for one in ended if one.status]
    told = all("another run of the workflow is making results here" in one.output for one in refused)
    if len(refused) > (where == "one folder") or not told:
        return Outcome("wrong", " | ".join(one.output for one in refused))
    for one in (project, other):
        outcome = _compared(ground, one)
        if outcome.verdict != "recovered":
            return outcome
    return Outcome("refused", refused[0].output) if refused else outcome
