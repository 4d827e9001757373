"""Kernels that numba keeps where nothing else was chosen, as in notebooks."""

import os
import shutil
import subprocess
import sys

from support.paths import ROOT

SOURCE = ROOT / "src"
PROGRAM = """
import numpy
from surefoot.statistics.metrics.metric_kernels import add_counts
totals = numpy.zeros(3, numpy.int32)
add_counts(numpy.ones(3, numpy.uint8), totals)
print(totals.sum(), "loaded" if add_counts.stats.cache_hits else "compiled")
"""


def test_an_edit_of_any_file_compiles_a_kernel_again(tmp_path):
    shutil.copytree(SOURCE, tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    variables = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA")}

    def run():
        command = [sys.executable, "-c", PROGRAM]
        return subprocess.check_output(command, env=variables | {"PYTHONPATH": str(tmp_path / "src")}, text=True)

    assert run() == "3 compiled\n"
    assert run() == "3 loaded\n"
    edited = tmp_path / "src" / "surefoot" / "rounding.py"
    edited.write_text(edited.read_text() + "# An edit.\n")
    assert run() == "3 compiled\n"
