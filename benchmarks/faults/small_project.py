"""A small project with one study of each kind of source, its undisturbed results, and copies of it to be disturbed."""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LINKED = ("Snakefile", "workflow", "profiles", "src", "reports", "docs", "environment.yml", "benchmarks")
OF_ALL = ("home", "index")
"""The studies of the home page, which has all others for its input: cases of forked processes leave it out."""
_HOME = ("draw/home/", "render/index")
STUDIES = """
studies:
  table:
    title: A score table
    replicates: 50
    sources:
      runs: {kind: score_table, file: scores.csv}
    scales:
      runs: {kind: min_max}
    questions:
      game_scores: {}
      game_intervals: {methods: [pbp, anderson]}
      aggregates: {metrics: [iqm, mean], methods: [percentile], replicates: 50}
  simulated:
    title: A simulated study
    seed: 7
    replicates: 20
    sources:
      runs:
        kind: trials
        algorithms: [sarsa, q]
        environments: [chain_10_deterministic, gridworld_5_stochastic]
        trials: 10
        block: 5
    questions:
      game_scores: {}
      game_intervals: {methods: [pbp]}
  bayesian:
    title: A Bayesian study
    sources:
      runs:
        kind: plays
        environments: [accurate/corridor]
        mdps: 4
        block: 2
        horizon: 5
        distributions: {corridor: {file: example_bayesian.py}}
        agents:
          - {agent: thompson, file: example_bayesian.py, parameters: {period: [1]}}
          - {agent: random}
    questions:
      game_scores: {}
      agents: {}
"""
BASE = "store: null\nrender: auto\nstudies: {}\n"


class Project(NamedTuple):
    """A folder in which the workflow runs, and the store it uses."""

    folder: Path
    store: Path

    def environment(self) -> dict[str, str]:
        """The variables of a process that runs here."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA")}
        return kept | {"SUREFOOT_STORE": str(self.store), "PYTHONPATH": str(self.folder / "src")}

    def snakemake(self, *arguments: str, **settings: object) -> subprocess.Popen[str]:
        """Snakemake, started here in a process group of its own; both its streams go to a pipe."""
        command = [sys.executable, "-m", "snakemake", *arguments]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "start_new_session": True}
        return subprocess.Popen(command, cwd=self.folder, env=self.environment(), **(streams | settings))

    def result_hashes(self, home: bool = False) -> dict[str, str]:
        """SHA-256 of every result, by its path below results/, without logs, manifests and specs.

        home : whether the home page is among them
        """
        folder = self.folder / "results"
        others = ("logs", "manifest", "spec", ".partial")
        names = (
            (str(path.relative_to(folder)), path)
            for part in sorted(folder.glob("*"))
            if part.name not in others
            for path in sorted(part.rglob("*"))
        )
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in names
            if path.is_file() and (home or not name.startswith(_HOME))
        }


def project_in(folder: Path) -> Project:
    """The project of a folder. Projects in neighbouring folders have one spec: paths to the code are relative there."""
    return Project(folder / "checkout", folder / "store")


def reference_in(folder: Path, kernels: Path, small: bool = False) -> Project:
    """The undisturbed project: made and run where it is not there, and brought up to date where it is.

    Parameters
    ----------
    kernels : folder of compiled kernels, which is added to
    small : whether it is left as it is: forked processes run what they need

    Raises
    ------
    RuntimeError
        where the workflow fails
    """
    project = project_in(folder)
    if not project.folder.exists():
        write_project(project)
        project.store.mkdir()
        kernels.mkdir(parents=True, exist_ok=True)
        (project.store / "kernels").symlink_to(kernels)
    if small:
        return project
    run = project.snakemake()
    output = run.communicate()[0]
    if run.returncode:
        raise RuntimeError(f"the undisturbed workflow failed:\n{output}")
    return project


def write_project(project: Project) -> None:
    """Write the configuration and the sources of the studies, beside links to the code."""
    (project.folder / "config" / "studies").mkdir(parents=True)
    for name in LINKED:
        (project.folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "config" / "published", project.folder / "config" / "published")
    shutil.copy(ROOT / "config" / "studies" / "recht2018.yaml", project.folder / "config" / "studies")
    shutil.copy(ROOT / "config" / "example_bayesian.py", project.folder)
    texts = {"config.yaml": BASE, "trust.yaml": "trust: null\n", "studies/small.yaml": STUDIES}
    for name, text in texts.items():
        (project.folder / "config" / name).write_text(text)
    rows = [
        f"{algorithm},{environment},{run},{(run * 7919 + len(algorithm) * 31 + len(environment)) % 101 / 10 + shift}"
        for algorithm, shift in (("plain", 0.0), ("fancy", 1.5), ("odd", -1.0))
        for environment in ("maze", "pole")
        for run in range(8)
    ]
    (project.folder / "scores.csv").write_text("\n".join(["algorithm,environment,run,score", *rows]) + "\n")


def restore(project: Project, reference: Project, metadata: bool = False) -> None:
    """Make a project what the reference is, with all times; the code is shared.

    Parameters
    ----------
    metadata : whether Snakemake's metadata are there too, and the compiled kernels; forked processes need neither,
        and the kernels are shared, so that no case may prune or damage them
    """
    if not project.folder.exists():
        project.folder.mkdir(parents=True)
        project.store.mkdir(exist_ok=True)
        for name in LINKED:
            (project.folder / name).symlink_to((reference.folder / name).resolve())
        shutil.copytree(reference.folder / "config", project.folder / "config")
    kernels = project.store / "kernels"
    if metadata and not kernels.exists():
        kernels.symlink_to((reference.store / "kernels").resolve())
    elif not metadata and kernels.is_symlink():
        kernels.unlink()
    shutil.rmtree(project.folder / ".snakemake", ignore_errors=True)
    if metadata:
        shutil.copytree(reference.folder / ".snakemake", project.folder / ".snakemake", symlinks=True)
    for name in ("scores.csv", "example_bayesian.py", "config/studies/small.yaml", "config/studies/recht2018.yaml"):
        _restore_file(project.folder / name, reference.folder / name)
    _restore_tree(project.folder / "results", reference.folder / "results")
    for part in ("entries", "blobs", "leases"):
        _restore_tree(project.store / part, reference.store / part)


def _restore_tree(tree: Path, wanted: Path) -> None:
    there, names = _files_of(tree), _files_of(wanted)
    for name in there - names:
        _remove(tree / name)
    for name in names:
        _restore_file(tree / name, wanted / name)


def _files_of(tree: Path) -> set[str]:
    return {str(Path(folder, name).relative_to(tree)) for folder, _, names in os.walk(tree) for name in names}


_restored: dict[Path, tuple[Path, int, int]] = {}
"""By path, what it was restored to, and its number and the time of its last change, which nothing can set back."""


def _restore_file(path: Path, wanted: Path) -> None:
    with contextlib.suppress(OSError):
        there = path.lstat()
        if _restored.get(path) == (wanted, there.st_ino, there.st_ctime_ns):
            return
    status = wanted.stat()
    if not path.is_file() or path.read_bytes() != wanted.read_bytes():
        _remove(path)
        if not path.parent.is_dir():
            _remove(path.parent)
            path.parent.mkdir(parents=True)
        shutil.copy2(wanted, path)
    path.chmod(status.st_mode)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    there = path.lstat()
    _restored[path] = (wanted, there.st_ino, there.st_ctime_ns)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
