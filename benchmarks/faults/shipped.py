"""The configuration that the project ships: whole runs of it are killed, or meet damage, after some of it was lost.

The undisturbed project is made by Snakemake, and takes what the store of this machine (SUREFOOT_STORE) has of it.
"""

import functools
import json
import os
import random
import shutil
import signal
import time
from pathlib import Path

from damaging import ALTERED, damage
from ground import Ground, Outcome, wait_for_orphans
from small_project import LINKED, ROOT, Project, project_in
from workflows import said_by_check, send

from surefoot.build.job import result_key
from surefoot.build.kernel_cache import kernels_of
from surefoot.build.store import entry_path, read_entry, store_folder

_DISTURBED_AFTER = (3.0, 40.0)
"""Seconds; a run in which a few jobs are missing takes some 10 to 60."""
_STORE_PARTS = ("entries", "blobs")
_MEASURED = "castronovo2016"
"""The study whose agents' decisions are timed: what is simulated of it would not come out the same again."""


def disturbed(ground: Ground, stream: random.Random, number: signal.Signals | None) -> Outcome:
    """Results of a few jobs are lost, with what the store has of some; then a run is disturbed, or files are damaged.

    number : the signal that the run's process group gets; None for damage to three results instead
    """
    reference = _undisturbed(ground.base)
    project = project_in(ground.base / "shipped case")
    _copy(reference, project)
    hashes = _hashes(project)
    _forget_some(project, stream)
    corrupted = 0
    if number is None:
        for name in stream.sample(sorted(_hashes(project)), 3):
            damage(project.folder / "results" / name, stream.choice(list(ALTERED)), [], stream)
            corrupted += 1
        found = _named(project)
    else:
        run = project.snakemake()
        time.sleep(stream.uniform(*_DISTURBED_AFTER))
        send(run, number, "group")
        run.communicate()
        wait_for_orphans()
        there = _hashes(project)
        if changed := sorted(name for name in there if hashes.get(name) != there[name]):
            return Outcome("wrong", f"half-written before the next run: {changed}")
        found = 0
    run = project.snakemake()
    output = run.communicate()[0]
    if run.returncode:
        return Outcome("wrong", output)
    there = _hashes(project)
    if different := sorted(name for name in hashes.keys() | there.keys() if hashes.get(name) != there.get(name)):
        return Outcome("wrong", f"other bytes than undisturbed: {different}")
    if problems := _named(project):
        return Outcome("wrong", f"check says afterwards that {problems} results are not as they were made")
    if found != corrupted:
        return Outcome("wrong", f"check named {found} of {corrupted} damaged results", corrupted, found)
    return Outcome("recovered", "", corrupted, found)


@functools.cache
def _undisturbed(base: Path) -> Project:
    """The project that is copied, with a store of its own.

    Raises
    ------
    RuntimeError
        where the workflow fails
    """
    project = project_in(base / "shipped")
    if not project.folder.exists():
        project.folder.mkdir(parents=True)
        project.store.mkdir()
        for name in LINKED:
            (project.folder / name).symlink_to(ROOT / name)
        shutil.copytree(ROOT / "config", project.folder / "config")
        own = store_folder(None)
        for part in _STORE_PARTS:
            if (own / part).is_dir():
                shutil.copytree(own / part, project.store / part)
        (project.store / "kernels").symlink_to(kernels_of(own))
    run = project.snakemake("--cores", str(os.cpu_count() or 1))
    output = run.communicate()[0]
    if run.returncode:
        raise RuntimeError(f"the undisturbed workflow failed:\n{output}")
    return project


def _copy(reference: Project, project: Project) -> None:
    shutil.rmtree(project.folder.parent, ignore_errors=True)
    shutil.copytree(reference.folder.parent, project.folder.parent, symlinks=True)


def _hashes(project: Project) -> dict[str, str]:
    return project.result_hashes(home=True)


def _forget_some(project: Project, stream: random.Random) -> None:
    """Delete the results of a few jobs, their manifests, and what the store has of half of them, pieces included."""
    found = sorted((project.folder / "results/manifest").rglob("*.json"))
    manifests = [path for path in found if _MEASURED not in path.parts]
    for path in stream.sample(manifests, stream.randint(1, 6)):
        manifest = json.loads(path.read_text())
        for output in manifest["outputs"]:
            (project.folder / output).unlink()
        if stream.random() < 0.5:
            key = result_key(manifest["spec"], manifest["facts"]["input_sha256"])
            entry = read_entry(project.store, key)
            for unit in (key, *(entry["facts"]["units"] if entry is not None else ())):
                entry_path(project.store, unit).unlink(missing_ok=True)
        path.unlink()


def _named(project: Project) -> int:
    """How many results `check` says are not as they were made; missing ones are none."""
    return sum("missing" not in line for line in said_by_check(project))
