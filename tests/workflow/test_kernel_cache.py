"""Compiled kernels are found again by the same code alone, and only in folders that no other user can write to."""

import importlib.util
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from support.paths import ROOT

from surefoot.workflow.kernel_cache import KernelLocator, private_folder

CODE = """
from numba import njit

@njit(cache=True)
def total(numbers):
    result = 0
    for number in numbers:
        result += number
    return result
"""


@pytest.fixture
def total(tmp_path, monkeypatch):
    """A function that sums numbers by a kernel as a new process finds it, and says whether it was compiled for that."""
    (tmp_path / "kernel.py").write_text(CODE)
    monkeypatch.setattr(KernelLocator, "folder", tmp_path / "kernels")

    def run(numbers):
        specification = importlib.util.spec_from_file_location("kernel", tmp_path / "kernel.py")
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        result = module.total(np.array(numbers))
        return result, "loaded" if module.total.stats.cache_hits else "compiled"

    return run


@pytest.mark.parametrize("ending", [".nbi", ".nbc"])
def test_kernels_that_were_deleted_are_compiled_once_more(total, tmp_path, ending):
    assert total([1, 2]) == (3, "compiled")
    assert total([1, 2]) == (3, "loaded")
    (path,) = (tmp_path / "kernels").rglob(f"*{ending}")
    path.unlink()
    assert total([1, 2]) == (3, "compiled")
    assert total([1, 2]) == (3, "loaded")


@pytest.mark.parametrize(
    ("mode", "owner", "is_used"),
    [(0o700, None, True), (0o755, None, True), (0o770, None, False), (0o707, None, False), (0o700, 12345, False)],
)
def test_kernels_are_kept_where_no_other_user_can_write(tmp_path, monkeypatch, mode, owner, is_used):
    if owner is not None and os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    folder = tmp_path / "store" / "kernels"
    folder.mkdir(parents=True)
    folder.chmod(mode)
    if owner is not None:
        os.chown(folder, owner, owner)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    chosen = private_folder(folder)
    assert chosen == (folder if is_used else tmp_path / "cache" / "surefoot" / "kernels")
    assert chosen.stat().st_mode & 0o022 == 0


PROCESS = """
import sys
from pathlib import Path
from surefoot.workflow.kernel_cache import keep_kernels
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


def test_processes_may_compile_a_kernel_at_once(total, tmp_path):
    def run(processes):
        command = [sys.executable, "-c", PROCESS, tmp_path / "kernels", tmp_path]
        pipes = {"stdout": subprocess.PIPE, "text": True, "env": variables(ROOT / "src")}
        return [process.communicate()[0] for process in [subprocess.Popen(command, **pipes) for _ in range(processes)]]

    assert {text[:2] for text in run(3)} == {"3 "}
    assert run(1) == ["3 0\n"]


CHECKOUT = """
import sys
from pathlib import Path
from surefoot.workflow.kernel_cache import keep_kernels
keep_kernels(Path(sys.argv[1]))
import numpy
from numba import config
from surefoot.streams import start_stream
stream = numpy.empty(4, dtype=numpy.uint64)
start_stream(numpy.arange(4, dtype=numpy.uint64), 1, stream)
print(stream[0], "loaded" if start_stream.stats.cache_hits else "compiled", repr(config.CACHE_DIR))
"""


def test_checkouts_share_kernels_until_the_code_of_one_differs(tmp_path):
    def run(checkout):
        command = [sys.executable, "-c", CHECKOUT, tmp_path / "kernels"]
        number, did, folder_of_others = subprocess.check_output(
            command, env=variables(tmp_path / checkout), text=True
        ).split()
        assert folder_of_others == "''", "other packages are left alone"
        return number, did

    for checkout in ("one", "two"):
        shutil.copytree(ROOT / "src", tmp_path / checkout, ignore=shutil.ignore_patterns("__pycache__"))
    number, did = run("one")
    assert did == "compiled"
    assert run("two") == (number, "loaded")
    streams = tmp_path / "two" / "surefoot" / "streams.py"
    code = streams.read_text()
    streams.write_text("# A comment moves all lines and changes nothing.\n" + code)
    assert run("two") == (number, "loaded")
    streams.write_text(f"{code}\nNEW = 1\n")
    assert run("two") == (number, "compiled")
    assert run("one") == (number, "loaded")
