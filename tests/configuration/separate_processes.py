"""A program on a file of one's own in two processes, one after the other, as the jobs of a workflow are."""

import json
import os
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

from surefoot.build.kernel_cache import file_folder, kernels_of
from surefoot.build.store import store_folder

ROOT = Path(__file__).parents[2]
KERNELS_KEPT = """
import sys
from surefoot.build.kernel_cache import keep_kernels, kernels_of
from surefoot.build.store import store_folder
keep_kernels(kernels_of(store_folder(None)))
file = sys.argv[1]
"""
KERNELS_COUNTED = """
import gc, json
from numba.core.dispatcher import Dispatcher
found = [found for found in gc.get_objects() if issubclass(type(found), Dispatcher)]
kernels = [kernel for kernel in found if kernel.stats.cache_path is not None]  # the others cannot be kept
print(json.dumps({
    "compiled": sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels),
    "loaded": sum(sum(kernel.stats.cache_hits.values()) for kernel in kernels),
}))
"""


def check_two_processes(program: str, example: str, folder: Path) -> None:
    """The program, on a copy of the example `file` that nobody has compiled, prints the same in both processes, of
    which only the first compiles anything that can be kept."""
    file = folder / "mine.py"
    file.write_text((ROOT / example).read_text() + f"\n\nNEVER_SEEN_BEFORE = {uuid.uuid4().hex!r}\n")
    found = []
    try:
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", KERNELS_KEPT + program + KERNELS_COUNTED, str(file)],
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            *printed, kernels = done.stdout.splitlines()
            found.append((printed, json.loads(kernels)))
    finally:
        shutil.rmtree(kernels_of(store_folder(None)) / file_folder(str(file)), ignore_errors=True)
    (first, made), (second, taken) = found
    assert first and first == second
    assert made["compiled"] > 0 and taken["compiled"] == 0 and taken["loaded"] > 0
