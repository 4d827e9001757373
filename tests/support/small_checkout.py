"""Small checkout of the project in a separate folder, with a separate store."""

import os
import re
import shutil
import sys
import time
from pathlib import Path

import pytest
from support.fork_server import run_module
from support.paths import ROOT

FOLDERS = ("benchmarks", "config", "docs", "profiles", "reports", "src", "workflow")
PARTS = ("CHANGELOG.md", "Snakefile", "environment.yml", *FOLDERS)
"""Files and folders that a run of the workflow opens."""

SIMULATED = """
studies:
  small:
    title: A small study
    seed: 7
    confidence_level: 0.9
    n_resamples: 20
    sources:
      runs:
        kind: trials
        algorithms: [sarsa, q, ac]
        environments: [chain_10_deterministic, gridworld_5_stochastic]
        trials: 20
        block: 10
      pool: {kind: trials, inherits: runs}
    questions:
      evaluation_game_scores: {}
      evaluation_game_intervals: {methods: [pbp, bootstrap, anderson, dkw]}
      tiny:
        kind: coverage
        source: pool
        sizes: [5]
        datasets: 4
        block: 2
        methods: [pbp]
"""

TABLE = """
studies:
  table:
    title: A score table
    sources:
      runs: {kind: score_table, file: scores.csv}
    questions:
      evaluation_game_scores: {}
      evaluation_game_intervals: {methods: [pbp, anderson, dkw]}
"""

SAME_CONTENT = {"collect/small/runs", "collect/small/pool"}
"""Jobs with the same result: the second one to run may find the result in the store."""


class Checkout:
    """A checkout with its store, and the output of its last run of the workflow."""

    def __init__(self, folder: Path):
        self.folder = folder / "checkout"
        self.store = folder / "store"

    def command(self, *arguments, program="snakemake", **settings):
        """Return arguments for subprocess that run Snakemake, or another program, in the checkout."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA")}
        environment["SUREFOOT_STORE"] = str(self.store)
        command = [sys.executable, "-m", program, *arguments]
        return {"args": command, "cwd": self.folder, "env": environment, "text": True, **settings}

    def run(self, *arguments, succeeds=True, program="snakemake"):
        """Run the workflow, and return what each started job did: `found`, `computed a of b` or `failed`.

        succeeds : True if the run must succeed, False if it must fail, None if it may do either
        """
        started = time.time()
        done = run_module(**self.command(*arguments, program=program))
        self.output = done.stdout + done.stderr
        if succeeds is not None and succeeds != (done.returncode == 0):
            pytest.fail(f"{program} ended with {done.returncode}:\n{self.output}")
        return self.jobs_since(started)

    def jobs_since(self, started):
        did = {}
        for log in sorted((self.folder / "results" / "logs").rglob("*.log")):
            if log.stat().st_mtime >= started:
                found = re.search(r"^store +(found|computed \d+ of \d+)", log.read_text(), re.MULTILINE)
                name = log.relative_to(self.folder / "results" / "logs").with_suffix("")
                did[str(name)] = found[1] if found else "failed"
        return did

    def edit(self, file, old, new):
        """Replace a text that must occur exactly once in a file of the checkout."""
        path = self.folder / file
        text = path.read_text()
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {file}"
        path.write_text(text.replace(old, new))

    def results(self):
        """Return the bytes of every result, by path, except logs, which contain times, and hidden files."""
        folder = self.folder / "results"
        paths = {path.relative_to(folder): path for path in sorted(folder.rglob("*")) if path.is_file()}
        return {
            str(name): path.read_bytes()
            for name, path in paths.items()
            if name.parts[0] != "logs" and not any(part.startswith(".") for part in name.parts)
        }

    def copied_to(self, folder: Path):
        """Return a copy with all file times and Snakemake's metadata."""
        copy = Checkout(folder)
        shutil.copytree(self.folder, copy.folder, symlinks=True)
        shutil.copytree(self.store, copy.store, symlinks=True)
        return copy


def new_checkout(folder: Path) -> Checkout:
    """Make a checkout of the current project with two small studies."""
    checkout = Checkout(folder)
    checkout.folder.mkdir(parents=True)
    checkout.store.mkdir()
    for part in PARTS:
        source = ROOT / part
        copy = shutil.copytree if source.is_dir() else shutil.copy2
        copy(source, checkout.folder / part)
    for file in (checkout.folder / "config/studies").iterdir():
        file.write_text("studies: {}\n")
    (checkout.folder / "config/trust.yaml").write_text("trust: null\n")
    (checkout.folder / "config/studies/jordan2020.yaml").write_text(SIMULATED)
    (checkout.folder / "config/studies/example.yaml").write_text(TABLE)
    # The notes make the file larger than Snakemake's usual limit for checksums.
    rows = [
        f"{algorithm},{environment},{run},{score},{'x' * 20_000}"
        for algorithm, shift in (("plain", 0.0), ("fancy", 1.5), ("odd", -1.0))
        for environment in ("maze", "pole")
        for run in range(12)
        for score in [(run * 7919 + len(algorithm) * 31 + len(environment)) % 101 / 10 + shift]
    ]
    (checkout.folder / "scores.csv").write_text("\n".join(["algorithm,environment,run,score,note", *rows]) + "\n")
    return checkout


MINE = """
studies:
  mine:
    title: Mine
    sources: {runs: {kind: score_table, file: scores.csv}}
    questions: {aggregate_metrics: {metrics: [iqm], n_resamples: 50}}
"""


def write_study(folder: Path) -> None:
    """Write a small score table, and a study `mine` that uses it."""
    (folder / "mine.yaml").write_text(MINE)
    rows = [f"{a},{e},{run},{run % 3 + len(e)}" for a in "ab" for e in ("maze", "walk") for run in range(5)]
    (folder / "scores.csv").write_text("\n".join(["algorithm,environment,run,score", *rows]) + "\n")
