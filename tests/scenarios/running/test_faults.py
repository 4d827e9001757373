"""Whatever happens to a run, the same command with no option ends with the bytes of an undisturbed run.

Each case draws at random, from a seed of its own, what happens, where and when. `pytest -m long` tries more seeds.
"""

import contextlib
import os
import random
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest
from support.small_checkout import Checkout

pytestmark = pytest.mark.workflow

LEFT_OUT = ("draw/methods/", "draw/small/", "estimate/small/", "logs/", "render/")
"""Results that are not made here: pages, which take longest, and what has the same kinds of jobs as the rest."""
MEGABYTE = 1 << 20


class Ground:
    """A checkout on which faults are tried, after an undisturbed run.

    Attributes
    ----------
    checkout : Checkout
    results : dict of bytes
        Results of the undisturbed run, but for those left out.
    targets : list of str
        Paths of all of them: what only leads to a target is not made again if it is deleted.
    """

    def __init__(self, checkout: Checkout, kept: Path):
        self.checkout = checkout
        self._kept = kept
        for name in LEFT_OUT:
            shutil.rmtree(checkout.folder / "results" / name)
        self.results = checkout.results()
        self.targets = [f"results/{path}" for path in self.results if path != "configuration.json"]
        for name, path in self._parts().items():
            shutil.copytree(path, kept / name)

    def _parts(self) -> dict[str, Path]:
        """Folders of what a run writes."""
        folder, store = self.checkout.folder, self.checkout.store
        names = {"results": folder / "results", ".snakemake": folder / ".snakemake"}
        return names | {name: store / name for name in ("entries", "blobs")}

    def clear(self) -> None:
        """Delete everything that was made, except for compiled kernels."""
        for path in self._parts().values():
            shutil.rmtree(path, ignore_errors=True)

    def restore(self) -> None:
        """Put back what the undisturbed run made."""
        self.clear()
        for name, path in self._parts().items():
            shutil.copytree(self._kept / name, path)

    def start(self, **settings) -> subprocess.Popen:
        """Start a run in a process group of its own."""
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "start_new_session": True}
        return subprocess.Popen(**self.checkout.command(*self.targets, **pipes, **settings))

    def assert_recovers(self) -> None:
        """Run the same command again, and compare every byte."""
        assert_whole(self.checkout, self.results)
        self.checkout.run(*self.targets)
        assert self.checkout.results() == self.results
        folder = self.checkout.folder / "results"
        assert [path for path in folder.rglob(".*") if path.name != ".lock"] == []


def assert_whole(checkout: Checkout, results: dict[str, bytes]) -> None:
    """No result has other bytes, such as those of a file that is half-written."""
    assert [path for path, content in checkout.results().items() if content != results[path]] == []


@pytest.fixture(scope="module")
def ground(built, tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    return Ground(built.copied_to(folder), folder / "kept")


def seeds(short: int, long: int):
    """Seeds of cases, most of which only a long test tries."""
    return [*range(short), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(short, long))]


def finished(checkout: Checkout) -> int:
    """How many results there are by now."""
    return sum(path.is_file() for path in checkout.folder.glob("results/[a-z]*/*/*") if "logs" not in path.parts)


def wait_for_a_moment(ground: Ground, run: subprocess.Popen, draw: random.Random) -> None:
    """Wait for a random number of results, then for a part of a second."""
    number = draw.randrange(25)
    while run.poll() is None and finished(ground.checkout) < number:
        time.sleep(0.02)
    time.sleep(draw.uniform(0, 2))


def strike(run: subprocess.Popen, draw: random.Random) -> None:
    """Send a signal to a run or to one of its jobs."""
    kind = draw.choice(["kill all", "kill Snakemake", "kill a job", "terminate", "interrupt"])
    with contextlib.suppress(ProcessLookupError, psutil.NoSuchProcess):
        if kind == "kill all":
            os.killpg(run.pid, signal.SIGKILL)
        elif kind == "kill Snakemake":
            run.kill()
        elif kind == "kill a job":
            children = psutil.Process(run.pid).children(recursive=True)
            for child in draw.sample(children, min(1, len(children))):
                child.kill()
        elif kind == "terminate":
            run.terminate()
        else:
            os.killpg(run.pid, signal.SIGINT)


@pytest.mark.parametrize("seed", seeds(1, 12))
def test_a_run_that_is_killed_goes_on(ground, seed):
    draw = random.Random(f"kill {seed}")
    ground.clear()
    for _ in range(2):
        run = ground.start()
        wait_for_a_moment(ground, run, draw)
        strike(run, draw)
        run.communicate(timeout=300)
    ground.assert_recovers()


@contextlib.contextmanager
def small_disk(folder: Path, size: int):
    """Mount a file system of some bytes; yields a function that makes it large."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield lambda: subprocess.run(["mount", "-o", f"remount,size={64 * MEGABYTE}", folder], check=True)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@contextlib.contextmanager
def disk_or_limit(ground: Ground, draw: random.Random):
    """Make a disk small, or limit the size of files; yields settings of a process, and a function that ends that."""
    sizes = sorted(map(len, ground.results.values()))
    if os.geteuid() != 0 or draw.random() < 0.5:
        limit = draw.randrange(sizes[0], sizes[-1])
        yield {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))}, lambda: None
        return
    folder = draw.choice([ground.checkout.folder / "results", ground.checkout.store / "blobs"])
    with small_disk(folder, draw.randrange(4096, sum(sizes))) as enlarge:
        yield {}, enlarge


@pytest.mark.parametrize("seed", seeds(0, 10))
def test_a_full_disk_is_a_sentence_and_then_the_run_goes_on(ground, seed):
    draw = random.Random(f"full {seed}")
    ground.clear()
    with disk_or_limit(ground, draw) as (settings, enlarge):
        run = ground.start(**settings)
        output = run.communicate(timeout=600)[0]
        if run.returncode != 0 and "surefoot: " in output:
            lines = [line for line in output.splitlines() if line.startswith("surefoot: ")]
            told = ("no space is left there", "a file would exceed the size limit of this process")
            assert all(any(words in line for words in told) and "Hint:" in line for line in lines), output
        enlarge()
        ground.assert_recovers()


def assert_succeeded_or_refused(run: subprocess.Popen) -> bool:
    """Return True if a run succeeded; a run that was refused says so in one sentence."""
    output = run.communicate(timeout=600)[0]
    if run.returncode == 0:
        return True
    assert output.count("another run of the workflow is making results here") == 1, output
    assert "Traceback" not in output, output
    return False


@pytest.mark.parametrize("seed", seeds(0, 4))
def test_two_runs_in_one_folder_do_not_disturb_each_other(ground, seed):
    draw = random.Random(f"folder {seed}")
    ground.clear()
    first = ground.start()
    time.sleep(draw.uniform(0, 8))
    second = ground.start()
    assert [assert_succeeded_or_refused(run) for run in (first, second)].count(True) >= 1
    assert ground.checkout.results() == ground.results
    ground.assert_recovers()


@pytest.mark.parametrize("seed", seeds(0, 3))
def test_two_folders_share_a_store(ground, tmp_path, seed):
    ground.clear()
    other = Checkout(tmp_path)
    shutil.copytree(ground.checkout.folder, other.folder)
    other.store = ground.checkout.store
    first = ground.start()
    time.sleep(random.Random(f"store {seed}").uniform(0, 5))
    other.run(*ground.targets)
    assert assert_succeeded_or_refused(first)
    assert other.results() == ground.results
    ground.assert_recovers()


def damage(path: Path, draw: random.Random) -> None:
    """Empty, cut, change by one bit, or delete a file."""
    content = path.read_bytes()
    kind = draw.choice(["empty", "cut", "flip", "delete"])
    if kind == "delete" or not content:
        path.unlink()
    elif kind == "flip":
        place = draw.randrange(len(content))
        path.write_bytes(content[:place] + bytes([content[place] ^ 1 << draw.randrange(8)]) + content[place + 1 :])
    else:
        path.write_bytes(content[: draw.randrange(len(content)) if kind == "cut" else 0])


def results_in(ground: Ground) -> list[Path]:
    names = sorted(ground.results.keys() - {"configuration.json"})
    return [ground.checkout.folder / "results" / name for name in names]


@pytest.mark.parametrize("seed", seeds(1, 8))
def test_results_that_are_deleted_come_back_from_a_damaged_store(ground, seed):
    draw = random.Random(f"store {seed}")
    ground.restore()
    files = sorted(path for path in ground.checkout.store.glob("[eb]*/*/*") if path.is_file())
    for path in draw.sample(files, len(files) // 4):
        damage(path, draw)
    for path in draw.sample(results_in(ground), 6):
        path.unlink()
    if draw.random() < 0.5:
        shutil.rmtree(ground.checkout.folder / ".snakemake")
    ground.assert_recovers()


@pytest.mark.parametrize("seed", seeds(0, 6))
def test_altered_results_are_named_by_check_and_made_anew(ground, seed):
    """Snakemake takes an altered file for a new one, and makes what depends on it; so does whoever alters it."""
    draw = random.Random(f"result {seed}")
    ground.restore()
    chosen = draw.sample(results_in(ground), 3)
    for path in chosen:
        damage(path, draw)
    if draw.random() < 0.5:
        ground.checkout.run(*ground.targets, succeeds=None)
    for _ in range(5):  # what was made of an altered file is out of date once that is whole
        ground.checkout.run("check", program="surefoot", succeeds=None)
        named = [line for line in ground.checkout.output.splitlines() if line.startswith("results/")]
        if not named:
            break
        for name, _, problem in (line.partition(": ") for line in named):
            if problem == "not made from the present inputs: it or one of them was changed":
                (ground.checkout.folder / name).unlink()
        ground.checkout.run(*ground.targets)
    assert named == []
    ground.assert_recovers()
