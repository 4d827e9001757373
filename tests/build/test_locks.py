"""One run at a time makes results in a folder; a dead process blocks none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.build.errors import InputError
from surefoot.build.locks import lock_run

ROOT = Path(__file__).parents[2]
HOLD = """
import sys
from surefoot.build.locks import lock_run
lock_run()
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Another process that makes results here, until it is killed."""
    monkeypatch.chdir(tmp_path)
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    process = subprocess.Popen([sys.executable, "-c", HOLD], **pipes, text=True, env=environment)
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_run_in_a_folder_is_refused(run, tmp_path):
    with pytest.raises(InputError) as refused:
        lock_run()
    assert str(tmp_path) in str(refused.value) and "Hint: wait for its end" in str(refused.value)


def test_a_killed_run_blocks_no_other(run):
    run.kill()
    run.wait()
    lock_run().release()
