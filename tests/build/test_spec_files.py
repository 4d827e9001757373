"""One run at a time makes results in a folder, and its specs are left alone until it ends; a dead one blocks none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.build import locks
from surefoot.build.errors import InputError
from surefoot.build.job import put_specs
from surefoot.build.locks import lock_run

ROOT = Path(__file__).parents[2]
SPEC = Path("results/spec/estimate/study/pbp.json")
OTHER = Path("results/spec/estimate/other/pbp.json")
HOLD = """
import sys
from pathlib import Path
from surefoot.build.job import put_specs
from surefoot.build.locks import lock_run
lock = lock_run()
put_specs({Path(sys.argv[1]): sys.argv[2]})
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(locks, "_PATIENCE", 0.1)


@pytest.fixture
def run():
    """Another process that planned with the spec `first`, until its input is closed."""
    command = [sys.executable, "-c", HOLD, str(SPEC), "first"]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_only_what_changes_is_written():
    put_specs({SPEC: "first", OTHER: "1"})
    times = {path: path.stat().st_mtime_ns for path in (SPEC, OTHER)}
    put_specs({SPEC: "second", OTHER: "1"})
    assert SPEC.read_text() == "second"
    assert OTHER.stat().st_mtime_ns == times[OTHER]
    assert sorted(path.name for path in SPEC.parent.iterdir()) == [SPEC.name]


def test_a_run_that_goes_on_keeps_its_specs(run):
    with pytest.raises(InputError, match=r"pbp\.json: a run that is going on in .* Hint: wait for its end"):
        put_specs({OTHER: "1", SPEC: "second"})
    assert SPEC.read_text() == "first" and not OTHER.exists()


def test_a_second_run_in_a_folder_is_refused(run, tmp_path):
    with pytest.raises(InputError) as refused:
        lock_run()
    assert str(tmp_path) in str(refused.value) and "Hint: wait for its end" in str(refused.value)


def test_a_second_run_of_the_same_specs_may_go_on_beside_it(run):
    put_specs({SPEC: "first"})


@pytest.mark.parametrize("end", [subprocess.Popen.kill, lambda process: process.communicate()])
def test_nothing_is_left_behind_by_a_run_that_ended(run, end):
    end(run)
    run.wait()
    put_specs({SPEC: "second"})
    assert SPEC.read_text() == "second"
    lock_run().release()
