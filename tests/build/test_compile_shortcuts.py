"""What is compiled by the shortcuts is what numba compiles without them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.build.compile_shortcuts import WRITTEN_FOR

ROOT = Path(__file__).parents[2]
COMPILED = """
import sys
import numpy as np
from numba import float64, int64, njit
from numba.core import inline_closurecall

if sys.argv[1] == "shortcuts":
    from surefoot.build.compile_shortcuts import take_shortcuts

    take_shortcuts()
    assert type(inline_closurecall.copy).__name__ == "_CopiesOfBlocks"


@njit(inline="always")
def larger(x, y):
    if x > y:
        return x
    return y


@njit(inline="always")
def largest(values, first):
    found = first
    for value in values:
        if value == value:
            found = larger(found, value)
        else:
            continue
    return found


@njit(float64(float64[::1], int64), error_model="numpy")
def both(values, times):
    total = 0.0
    for number in range(times):
        total += largest(values, float(number)) + larger(total, largest(values[number:], 0.5))
    return total


print(both(np.array([3.0, np.nan, 7.0, 1.0]), 3))
(code,) = both.inspect_llvm().values()
print(code)
"""


def compiled(how: str) -> list[str]:
    """What is computed, and the code without what numba pickles for errors, in the same order in every process."""
    variables = os.environ | {"PYTHONHASHSEED": "0", "PYTHONPATH": str(ROOT / "src")}
    asked = [sys.executable, "-c", COMPILED, how]
    lines = subprocess.run(asked, env=variables, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line for line in lines if not re.search(r"pickledata|numba_unpickle", line)]


def test_code_is_the_same_with_and_without_the_shortcuts():
    ours = compiled("shortcuts")
    value, total = float(ours[0]), 0.0
    for _ in range(3):  # by hand: the largest number is 7.0, and so it is from each place but the last
        total += 7.0 + max(total, 7.0)
    assert value == total
    assert ours == compiled("plain") and len(ours) > 100


def test_options_are_equal_whether_a_default_was_set_or_left(monkeypatch):
    script = (
        "from numba.core.compiler import Flags\n"
        "from surefoot.build.compile_shortcuts import take_shortcuts\n"
        "before, after = Flags(), Flags()\n"
        "after.nrt = False\n"
        "take_shortcuts()\n"
        "assert before == after and hash(before) == hash(after)\n"
        "after.nrt = True\n"
        "assert before != after and before != 1\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")})


def test_the_shortcuts_are_for_the_locked_numba():
    """Whoever takes another numba looks at what they replace, and writes that version there."""
    locked = re.search(r"^numba==(.*)$", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    assert locked is not None and locked[1] == WRITTEN_FOR


@pytest.mark.parametrize("version", ["0.68.2", "1.0.0"])
def test_another_numba_stays_as_it_is(version):
    script = (
        "import copy, numba\n"
        "from numba.core import inline_closurecall\n"
        "from surefoot.build.compile_shortcuts import take_shortcuts\n"
        f"numba.__version__ = {version!r}\n"
        "take_shortcuts()\n"
        "assert inline_closurecall.copy is copy\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env=os.environ | {"PYTHONPATH": str(ROOT / "src")})
