"""The package as it is imported: light, typed, with its compiled kernels kept, and used as the README says."""

import os
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from ours_and_base import ARRAYS

import surefoot

README = Path(__file__).parents[1] / "README.md"


def test_importing_surefoot_imports_nothing_heavy():
    path = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1])}
    code = "import sys, surefoot; print({'numpy', 'pandas', 'numba', 'scipy'} & set(sys.modules), surefoot.__version__)"
    assert (
        subprocess.check_output([sys.executable, "-c", code], text=True, env=path) == f"set() {surefoot.__version__}\n"
    )
    light = (
        "import sys, surefoot; surefoot.profiles; dir(surefoot); print({'numpy', 'pandas', 'numba'} & set(sys.modules))"
    )
    assert subprocess.check_output([sys.executable, "-c", light], text=True, env=path) == "set()\n"
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
from surefoot.statistics.comparison.improvement_kernels import improvement_replicates
assert numba.config.CACHE_DIR == before
print(improvement_replicates.stats.cache_path)
"""
    environment = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1]), "SUREFOOT_STORE": str(tmp_path)}
    del environment["NUMBA_CACHE_DIR"]
    folder = subprocess.check_output([sys.executable, "-c", code], text=True, env=environment)
    assert Path(folder).is_relative_to(tmp_path / "kernels")


def test_the_lines_of_the_readme_run():
    (lines,) = re.findall(r"```python\n(found = surefoot.*?)```", README.read_text(), re.DOTALL)
    names = {"surefoot": surefoot, "scores": {"ours": ARRAYS["ours"], "baseline": ARRAYS["base"]}}
    names |= {"pilot": {"ours": ARRAYS["ours"][:, :2]}, "thresholds": np.linspace(0, 2, 5), "factors": [1.5, 2.0]}
    names |= {
        "curves": {"ours": ARRAYS["ours"][:, :, None] * [1.0, 2.0]},
        "times": dict(zip("ab", ARRAYS["ours"][:2], strict=True)),
    }
    exec(lines, names)
    asked = set(re.findall(r"surefoot\.(\w+)", lines))
    assert len(asked) > 8 and asked <= set(dir(surefoot))
