"""Kernels are compiled once, not once a pair, and found in the cache by later processes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import surefoot

WORK = """
import json, sys, time
from surefoot.simulation.registry import simulate
started = time.process_time()
for name in sys.argv[1:]:
    simulate(*name.split("."), 1, 0, 1)
seconds = time.process_time() - started

from numba.core.dispatcher import Dispatcher
import gc
loaded, compiled = {}, {}
for kernel in gc.get_objects():
    if issubclass(type(kernel), Dispatcher) and kernel.__module__.startswith("surefoot.simulation"):
        for counts, into in ((kernel.stats.cache_hits, loaded), (kernel.stats.cache_misses, compiled)):
            if counts:
                name = f"{kernel.__module__.removeprefix('surefoot.simulation.')}.{kernel.__qualname__}"
                into[name] = into.get(name, 0) + sum(counts.values())
print(json.dumps({"seconds": seconds, "loaded": loaded, "compiled": compiled}))
"""


def run(folder, *cells):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": str(Path(surefoot.__file__).parents[1])}
    command = [sys.executable, "-c", WORK, *cells]
    process = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def kernels(counts):
    """How often the kernel of Sarsa and Q was compiled or loaded."""
    return sum(count for name, count in counts.items() if name.startswith("agents.sarsa._kernel"))


def test_one_compilation_for_all_environments_and_none_in_a_second_process(tmp_path):
    first = run(tmp_path, "sarsa.chain_10_stochastic", "q_parl2.chain_50_deterministic")
    assert kernels(first["compiled"]) == 1
    assert first["loaded"] == {}
    files = sorted(path.name for path in tmp_path.rglob("*"))

    second = run(tmp_path, "q.chain_10_deterministic", "sarsa_parl2.chain_50_stochastic")
    assert second["compiled"] == {}
    assert kernels(second["loaded"]) == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == files
    # Most of what is left is numba's own start.
    assert second["seconds"] < 0.2 * first["seconds"]
