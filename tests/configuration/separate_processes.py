"""A program in two processes, one after the other, as the jobs of a workflow are."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def outputs_of_two(program: str, kernels: Path) -> list[str]:
    """What the program prints in each process; the first leaves its compiled functions in the folder `kernels`."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(kernels), "PYTHONPATH": str(ROOT / "src")}
    texts = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert list(kernels.rglob("*.nbc"))
        texts.append(done.stdout)
    return texts
