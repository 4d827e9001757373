"""The package as it is imported: light, typed, and with its compiled kernels kept."""

import os
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest

import surefoot


def test_importing_surefoot_imports_nothing_heavy():
    path = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1])}
    code = "import sys, surefoot; print({'numpy', 'pandas', 'numba', 'scipy'} & set(sys.modules), surefoot.__version__)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True, env=path) == "set() 0.1.0\n"
    assert set(surefoot.__all__) <= set(dir(surefoot))
    with pytest.raises(AttributeError, match="no attribute 'agregate'"):
        surefoot.agregate  # noqa: B018


def test_type_checkers_are_told_that_the_package_is_typed():
    assert resources.files(surefoot).joinpath("py.typed").is_file()


def test_compiled_kernels_are_kept_by_the_state_of_the_code(tmp_path):
    code = """
import numba, surefoot
numba.config.CACHE_DIR = before = "elsewhere"
surefoot.improvement({"a": [1.0, 2.0], "b": [2.0, 3.0]}, replicates=2)
from surefoot.statistics.improvement_kernels import improvement_replicates
assert numba.config.CACHE_DIR == before
print(improvement_replicates.stats.cache_path)
"""
    environment = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1]), "SUREFOOT_STORE": str(tmp_path)}
    del environment["NUMBA_CACHE_DIR"]
    folder = subprocess.check_output([sys.executable, "-c", code], text=True, env=environment)
    assert Path(folder).is_relative_to(tmp_path / "kernels")
