"""The first call of a question, in a process and with a cache that are new."""

import os
import subprocess
import sys

import pytest

ASK = """
import sys
import numpy as np
from numba.core import event
import surefoot
from surefoot.workflow import fingerprint

rng = np.random.default_rng(0)
scores = {name: rng.normal(size=(10, 26)) for name in "abc"}
with event.install_recorder("numba:compile") as compiled:
    getattr(surefoot, sys.argv[1])(scores, **eval(sys.argv[2])).table()
assert not compiled.buffer, compiled.buffer
assert not fingerprint.reached_modules.cache_info().misses
assert not fingerprint.fingerprint.cache_info().misses
"""


@pytest.mark.parametrize(
    ("question", "arguments"),
    [
        ("aggregate_metrics", "{}"),
        ("pairwise_differences", "{}"),
        ("probability_of_improvement", "{}"),
        ("multiple_comparisons", "{}"),
        ("sequential_comparison", "{'algorithms': ['a', 'b']}"),
        ("rank_probabilities", "{}"),
        ("shared_run_test", "{}"),
        ("performance_profiles", "{}"),
        ("evaluation_game_scores", "{}"),
        ("evaluation_game_intervals", "{'n_resamples': 100}"),
    ],
)
def test_it_compiles_nothing_and_reads_no_source(question, arguments, tmp_path):
    """A small question takes about a second, where compiling its kernels took more than ten."""
    caches = {"XDG_CACHE_HOME": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    program = [sys.executable, "-c", ASK, question, arguments]
    subprocess.run(program, check=True, cwd=tmp_path, env=os.environ | caches)
    assert not list(tmp_path.rglob("*.nbi"))
