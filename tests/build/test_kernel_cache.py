"""Damaged files of compiled kernels are never loaded: they are deleted, and the kernel is compiled once more."""

import errno
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from surefoot.build import kernel_cache
from surefoot.build.kernel_cache import KernelLocator, damaged_kernels

ROOT = Path(__file__).parents[2]
CODE = """
from numba import njit

@njit(cache=True)
def total(numbers):
    result = 0
    for number in numbers:
        result += number
    return result
"""
DAMAGE = {
    "emptied": lambda content: b"",
    "cut in half": lambda content: content[: len(content) // 2],
    "random bytes": lambda content: np.random.default_rng(1).bytes(len(content)),
    "one bit": lambda content: content[:-40] + bytes([content[-40] ^ 1]) + content[-39:],
    "of another kernel": lambda content: content.replace(b"total", b"final"),
}


@pytest.fixture
def total(tmp_path, monkeypatch):
    """A function that sums numbers by a kernel as a new process finds it, and says whether it was compiled for that."""
    (tmp_path / "kernel.py").write_text(CODE)
    monkeypatch.setattr(KernelLocator, "below", tmp_path / "kernels")

    def run(numbers):
        kernel_cache._whole_folder.cache_clear()
        specification = importlib.util.spec_from_file_location("kernel", tmp_path / "kernel.py")
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        result = module.total(np.array(numbers))
        return result, "loaded" if module.total.stats.cache_hits else "compiled"

    return run


def folder_of_kernels(tmp_path):
    (folder,) = (path for path in (tmp_path / "kernels").iterdir() if path.is_dir())
    return folder


def kernel_files(tmp_path, ending):
    return sorted((tmp_path / "kernels").rglob(f"*.{ending}"))


@pytest.mark.parametrize(("kind", "ending"), [*zip(DAMAGE, ["nbi", "nbc", "nbc", "nbi", "nbc"], strict=True)])
def test_a_damaged_kernel_is_compiled_once_more(total, tmp_path, kind, ending):
    assert total([1, 2]) == (3, "compiled")
    assert total([1, 2]) == (3, "loaded")
    (path,) = kernel_files(tmp_path, ending)
    content = path.read_bytes()
    path.write_bytes(DAMAGE[kind](content))
    assert path.read_bytes() != content
    assert list(damaged_kernels(folder_of_kernels(tmp_path))) == [path]
    assert total([1, 2]) == (3, "compiled")
    assert total([1, 2]) == (3, "loaded")
    assert list(damaged_kernels(folder_of_kernels(tmp_path))) == []


@pytest.mark.parametrize(("whose", "ending"), [("another user's", "nbc"), ("everybody's", "nbi")])
def test_kernels_that_others_may_have_written_are_compiled_again(total, tmp_path, ending, whose):
    """What is loaded is run, and anybody can compute the hash of what they forged."""
    assert total([1, 2]) == (3, "compiled")
    (path,) = kernel_files(tmp_path, ending)
    if whose == "everybody's":
        path.chmod(0o666)
    elif os.geteuid() == 0:
        os.chown(path, 12345, 12345)
    else:
        pytest.skip("only root can give a file away")
    assert total([1, 2]) == (3, "compiled")


def test_a_list_of_checksums_that_others_may_have_written_proves_nothing(total, tmp_path):
    assert total([1, 2]) == (3, "compiled")
    (folder_of_kernels(tmp_path) / "SHA256SUMS").chmod(0o666)
    assert total([1, 2]) == (3, "compiled")
    assert total([1, 2]) == (3, "loaded")


def test_a_full_disk_gives_its_kernels_and_ends_no_compilation(total, tmp_path, monkeypatch):
    assert total([1, 2]) == (3, "compiled")
    before = {path: path.read_bytes() for path in (tmp_path / "kernels").rglob("*") if path.is_file()}

    def full(**options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), options["dir"])

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    assert total([1, 2]) == (3, "loaded")
    assert total([0.25, 0.5]) == (0.75, "compiled")
    assert {path: path.read_bytes() for path in (tmp_path / "kernels").rglob("*") if path.is_file()} == before


PROCESS = """
import sys
from pathlib import Path
from surefoot.build.kernel_cache import keep_kernels
keep_kernels(Path(sys.argv[1]))
sys.path.insert(0, sys.argv[2])
import numpy
from kernel import total
print(total(numpy.array([1, 2])), len(total.stats.cache_hits))
"""


def test_processes_that_find_a_damaged_kernel_at_once_all_get_the_right_number(total, tmp_path):
    def run(count):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA")}
        environment["PYTHONPATH"] = str(ROOT / "src")
        command = [sys.executable, "-c", PROCESS, tmp_path / "kernels", tmp_path]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        processes = [subprocess.Popen(command, env=environment, **pipes) for _ in range(count)]
        return [(*process.communicate(), process.returncode)[::2] for process in processes]

    assert run(1) == [("3 0\n", 0)]
    assert run(1) == [("3 1\n", 0)]
    for path in (*kernel_files(tmp_path, "nbi"), *kernel_files(tmp_path, "nbc")):
        path.write_bytes(b"")
    assert {(text[:2], code) for text, code in run(3)} == {("3 ", 0)}
    assert run(1) == [("3 1\n", 0)]
    assert list(damaged_kernels(folder_of_kernels(tmp_path))) == []


LIBRARY = """
import surefoot
surefoot.improvement({"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 3.0, 5.0, 3.0]}).table()
from numba import config
from surefoot.statistics.comparison.improvement import improvement_replicates
from surefoot.statistics.intervals.payoff_limits import hit_law
import numpy
hit_law(numpy.ones(2), numpy.ones(2))  # whether the answer needed it or not
print(improvement_replicates.stats.cache_path)
print(repr(config.CACHE_DIR))
"""


def test_the_library_loads_no_damaged_kernel_and_leaves_other_packages_alone(tmp_path):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA")}
    environment |= {"PYTHONPATH": str(ROOT / "src"), "SUREFOOT_STORE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", LIBRARY], env=environment, capture_output=True, text=True, check=True)
    path, folder_of_others = done.stdout.splitlines()
    folder = tmp_path / "kernels" / kernel_cache.room_folder("statistics")
    assert Path(path).parent == folder and list(damaged_kernels(folder)) == [] and (folder / "SHA256SUMS").is_file()
    assert folder_of_others == "''"


CHECKOUT = """
import sys
from pathlib import Path
from surefoot.build.kernel_cache import keep_kernels
keep_kernels(Path(sys.argv[1]))
import numpy
from surefoot.streams import start_stream
stream = numpy.empty(4, dtype=numpy.uint64)
start_stream(numpy.arange(4, dtype=numpy.uint64), 1, stream)
print(stream[0], "loaded" if start_stream.stats.cache_hits else "compiled")
"""


def test_checkouts_share_kernels_until_the_code_of_one_differs(tmp_path):
    def run(checkout):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA")}
        environment["PYTHONPATH"] = str(tmp_path / checkout)
        command = [sys.executable, "-c", CHECKOUT, tmp_path / "kernels"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()

    for checkout in ("one", "two"):
        shutil.copytree(ROOT / "src", tmp_path / checkout, ignore=shutil.ignore_patterns("__pycache__"))
    number, did = run("one")
    assert did == "compiled"
    assert run("two") == [number, "loaded"]
    streams = tmp_path / "two" / "surefoot" / "streams.py"
    code = streams.read_text()
    streams.write_text("# A comment moves all lines and changes nothing.\n" + code)
    assert run("two") == [number, "loaded"]
    streams.write_text(f"{code}\nNEW = 1\n")
    assert run("two") == [number, "compiled"]
    assert run("one") == [number, "loaded"]
