"""Compiled kernels that are damaged, or that others may have written, are never loaded: they are compiled anew."""

import errno
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core import config

from surefoot.build import kernel_cache
from surefoot.build.kernel_cache import KernelLocator

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
DAMAGE = [
    (".nbi", lambda path: path.write_bytes(b"")),
    (".nbc", lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])),
    (".nbc", lambda path: path.write_bytes(np.random.default_rng(1).bytes(path.stat().st_size))),
    (".nbi", lambda path: path.write_bytes(flipped(path.read_bytes()))),
    (".nbc", lambda path: path.write_bytes(path.read_bytes().replace(b"total", b"final"))),
    (".nbi", lambda path: path.chmod(0o666)),
    ("SHA256SUMS", lambda path: path.chmod(0o666)),
    *([(".nbc", lambda path: os.chown(path, 12345, 12345))] if os.geteuid() == 0 else []),  # only root can give it away
]


def flipped(content):
    """With another bit near the end."""
    return content[:-40] + bytes([content[-40] ^ 1]) + content[-39:]


@pytest.fixture
def total(tmp_path, monkeypatch):
    """A function that sums numbers by a kernel as a new process finds it, and says whether it was compiled for that."""
    (tmp_path / "kernel.py").write_text(CODE)
    monkeypatch.setattr(KernelLocator, "below", tmp_path / "kernels")

    def run(numbers):
        kernel_cache._own_folder.cache_clear()
        kernel_cache.may_be_run.cache_clear()
        specification = importlib.util.spec_from_file_location("kernel", tmp_path / "kernel.py")
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        result = module.total(np.array(numbers))
        return result, "loaded" if module.total.stats.cache_hits else "compiled"

    return run


def test_damaged_kernels_and_those_that_others_may_have_written_are_compiled_once_more(total, tmp_path):
    """What is loaded is run, and anybody can compute the checksum of what they forged."""
    assert total([1, 2]) == (3, "compiled")
    for ending, damage in DAMAGE:
        assert total([1, 2]) == (3, "loaded")
        (path,) = (tmp_path / "kernels").rglob(f"*{ending}")
        damage(path)
        assert total([1, 2]) == (3, "compiled")
    assert total([1, 2]) == (3, "loaded")


@pytest.mark.parametrize("folder", ["kernels", "kernels/*"])
def test_no_kernel_of_a_folder_in_which_others_can_write_is_run(total, tmp_path, caplog, folder):
    assert total([1, 2]) == (3, "compiled")
    (path,) = tmp_path.glob(folder)
    path.chmod(0o775)
    assert [total([1, 2])[1] for _ in range(2)] == ["compiled"] * 2
    assert caplog.text.count(f"{path}: other users can write there") == 2, "once in each process"
    path.chmod(0o755)
    assert total([1, 2]) == (3, "loaded"), "what was kept before"


def test_kernels_of_a_store_of_several_users_are_kept_in_the_cache_of_each(tmp_path, monkeypatch, caplog):
    (tmp_path / "store").mkdir()
    (tmp_path / "store").chmod(0o770)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(config, "CACHE_LOCATOR_CLASSES", config.CACHE_LOCATOR_CLASSES)
    monkeypatch.setattr(KernelLocator, "below", None)
    kernel_cache.keep_kernels(tmp_path / "store" / "kernels")
    assert KernelLocator.below == tmp_path / "cache" / "surefoot" / "kernels"
    assert f"{tmp_path / 'store'}: other users can write there" in caplog.text


def test_a_link_to_a_kernel_is_not_followed(total, tmp_path):
    assert total([1, 2]) == (3, "compiled")
    (path,) = (tmp_path / "kernels").rglob("*.nbc")
    path.rename(tmp_path / "moved")
    path.symlink_to(tmp_path / "moved")
    assert total([1, 2]) == (3, "compiled")


def test_a_full_disk_gives_its_kernels_and_ends_no_compilation(total, tmp_path, monkeypatch):
    assert total([1, 2]) == (3, "compiled")
    before = {path: path.read_bytes() for path in (tmp_path / "kernels").rglob("*") if path.is_file()}

    def full(path, content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    monkeypatch.setattr(kernel_cache, "_write", full)
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
print(total(numpy.array([1, 2])), len(total.stats.cache_misses))
"""


def variables(source, **others):
    """Those of a process that takes the package from a folder."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA")}
    return kept | {"PYTHONPATH": str(source)} | others


def test_of_processes_that_need_a_kernel_at_once_one_compiles_it_also_where_it_is_damaged(total, tmp_path):
    def run():
        command = [sys.executable, "-c", PROCESS, tmp_path / "kernels", tmp_path]
        pipes = {"stdout": subprocess.PIPE, "text": True, "env": variables(ROOT / "src")}
        return sorted(process.communicate()[0] for process in [subprocess.Popen(command, **pipes) for _ in range(3)])

    assert run() == ["3 0\n", "3 0\n", "3 1\n"]
    for path in (tmp_path / "kernels").rglob("*.nb[ci]"):
        path.write_bytes(b"")
    assert {text[:2] for text in run()} == {"3 "}
    assert run() == ["3 0\n"] * 3


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
        command = [sys.executable, "-c", CHECKOUT, tmp_path / "kernels"]
        return subprocess.check_output(command, env=variables(tmp_path / checkout), text=True).split()

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
