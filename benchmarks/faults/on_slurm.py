"""The node of a Slurm on this machine is lost, with all that runs there, and comes back."""

import contextlib
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import psutil
from ground import Ground, Outcome, wait_for_orphans
from small_project import ROOT
from workflows import TARGETS, judged

sys.path.insert(0, str(ROOT / "tests" / "workflow"))

import slurm_on_loopback as loopback

_DAEMONS = ("slurmd", "slurmstepd")
"""That of the node, and those that look after a job each."""
_SECONDS = (5.0, 40.0)
"""After which the node is lost; a job of the small project is done after some 15."""


def can_be_tried() -> bool:
    """Whether a Slurm can be started here, and jobs be given to it."""
    return loopback.why_not() is None and find_spec("snakemake_executor_plugin_slurm") is not None


def lost_node(ground: Ground, stream: random.Random) -> Outcome:
    """A run gives its jobs to Slurm; the node's daemon and every process of its jobs are killed, and the node comes
    back. The run goes on by itself or fails; then the next run, on this machine, is judged."""
    project = ground.project(metadata=True)
    chosen = ground.forget_some(project, stream, most=3)
    with _slurm(ground.base / "slurm") as node:
        run = project.snakemake(*loopback.OPTIONS, "--jobs", "4", "--", *TARGETS)
        time.sleep(stream.uniform(*_SECONDS))
        node.lose()
        time.sleep(stream.choice([0.0, 5.0]))
        node.come_back()
        try:
            output = run.communicate(timeout=240)[0]
        except subprocess.TimeoutExpired:  # Slurm takes minutes until it gives up a job that nobody answers for
            run.send_signal(signal.SIGINT)
            output = run.communicate()[0]
    wait_for_orphans()
    if changed := ground.half_written(project):
        return Outcome("wrong", f"half-written before the next run: {changed}")
    outcome = judged(ground, project)
    return outcome._replace(detail=f"{[job.spec for job in chosen]}: {output[-500:]} {outcome.detail}")


class _Node:
    """The node: a daemon of Slurm's, which starts each job in a process of its own."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._daemon: subprocess.Popen[bytes] | None = None

    def lose(self) -> None:
        """Kill the daemon and what it started, so that nobody can say how any job ended."""
        daemons = [process for process in psutil.process_iter(["name"]) if process.info["name"] in _DAEMONS]
        started = [child for daemon in daemons for child in daemon.children(recursive=True)]
        for process in (*daemons, *started):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()

    def come_back(self) -> None:
        """Start the daemon anew."""
        with (self._folder / "slurmd_again.out").open("w") as output:
            command = ["/usr/sbin/slurmd", "-D", "-N", "localhost"]
            self._daemon = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)

    def end(self) -> None:
        """End the daemon that came back."""
        if self._daemon is not None:
            self._daemon.terminate()
            self._daemon.wait()


@contextlib.contextmanager
def _slurm(folder: Path) -> Iterator[_Node]:
    shutil.rmtree(folder, ignore_errors=True)
    with loopback.slurm(folder, cpus=4, memory=12_000):
        node = _Node(folder)
        try:
            yield node
        finally:
            node.end()
