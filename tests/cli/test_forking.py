"""Jobs of a local run are forked from a process that has imported what they need, and end as if they were not."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import surefoot
from surefoot.cli.forking import ADDRESS, start_forking

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has what forking takes")

# What a job did is in its output: the process, its parent, whether pandas was there when it began, and its threads.
WORK = """
import json, os, random, sys, time
there = "pandas" in sys.modules
def tell(task):
    facts = {"process": os.getpid(), "parent": os.getppid(), "there": there, "folder": os.getcwd(),
             "variable": os.environ.get("ONLY_OF_THIS_JOB"), "threads": len(os.listdir("/proc/self/task")),
             "random": random.random()}
    task.outputs["told"].write_text(json.dumps(facts))
    time.sleep(task.settings.get("seconds", 0))
    if task.settings.get("fails"):
        raise ZeroDivisionError("on purpose")
    if task.settings.get("signal"):
        os.kill(os.getpid(), task.settings["signal"])
"""
BEGUN = []


@pytest.fixture
def forking(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUREFOOT_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("PYTHONPATH", str(Path(surefoot.__file__).parents[1]))
    monkeypatch.setenv(ADDRESS, "")  # so that what is set is undone
    (tmp_path / "work.py").write_text(WORK)
    process = start_forking()
    yield process
    process.stdin.close()
    for run in BEGUN:
        run.kill()
        run.communicate()
    BEGUN.clear()
    assert process.wait(20) in (0, -signal.SIGKILL)


def begun(name="one", more=(), **settings):
    """The command of a job with these settings, started as a rule starts it."""
    spec = {
        **{"stage": "simulate", "study": "tried", "part": name, "work": "work.py:tell"},
        **{"settings": settings | {"name": name}},  # jobs with equal ones are one job to the store
        **{"inputs": {}, "made_by": {}, "outputs": {"told": f"results/simulate/tried/{name}.json"}, "versions": {}},
        **{"code": {"surefoot.result_tables": "", "work.py": ""}, "manifest": f"results/manifest/{name}.json"},
    }
    path = Path(f"results/spec/simulate/tried/{name}.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(spec))
    command = [sys.executable, "-m", "surefoot", "job", str(path), "--log", f"results/logs/{name}.log"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    BEGUN.append(subprocess.Popen(command, env=os.environ | dict(more), start_new_session=True, **streams))
    return BEGUN[-1]


def told(name="one"):
    return json.loads(Path(f"results/simulate/tried/{name}.json").read_text())


def at_work(name="one"):
    """What a job told, once it is in the midst of its work, from its partial output."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        for path in Path("results/.partial").glob(f"*{name}*/*.json"):
            if text := path.read_text():
                return json.loads(text)
        time.sleep(0.05)
    raise AssertionError("the job does not begin")


def is_gone(process):
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if not Path(f"/proc/{process}").exists():
            return True
        time.sleep(0.05)
    return False


def test_a_job_is_forked_from_a_process_that_has_imported_what_it_needs(forking):
    run = begun(more={"ONLY_OF_THIS_JOB": "yes"})
    output, _ = run.communicate(timeout=60)
    facts = told()
    assert (run.returncode, output) == (0, "")
    assert (facts["parent"], facts["there"], facts["threads"]) == (forking.pid, True, 2)  # one hears of interrupts
    assert (facts["folder"], facts["variable"]) == (str(Path.cwd()), "yes")
    assert f"process {facts['process']}" in Path("results/logs/one.log").read_text()


def test_later_jobs_are_forked_too_whatever_came_before_them(forking):
    Path("results/spec").mkdir(parents=True)
    for number, text in enumerate(("[]", "{}", '{"code": 3}')):
        Path(f"results/spec/{number}.json").write_text(text)
        odd = [sys.executable, "-m", "surefoot", "job", f"results/spec/{number}.json"]
        assert subprocess.run(odd, check=False, capture_output=True).returncode == 2
    assert subprocess.run(odd[:-1], check=False, capture_output=True).returncode == 2
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as silent:
        silent.connect(f"\0{os.environ[ADDRESS]}")
        assert [begun(name).wait(60) for name in ("one", "two")] == [0, 0]
    assert [told(name)["parent"] for name in ("one", "two")] == [forking.pid] * 2
    assert told("one")["random"] != told("two")["random"]


def test_jobs_run_beside_each_other(forking):
    runs = [begun(name, seconds=2.0) for name in ("one", "two")]
    both = [at_work(name)["process"] for name in ("one", "two")]
    assert all(Path(f"/proc/{process}").exists() for process in both)
    assert [run.wait(60) for run in runs] == [0, 0]


def test_a_job_that_fails_says_so_and_fails(forking):
    run = begun(fails=True)
    output, _ = run.communicate(timeout=60)
    assert run.returncode == 1
    assert "ZeroDivisionError: on purpose" in output
    assert not Path("results/simulate/tried/one.json").exists()


def test_a_job_that_a_signal_ends_ends_so(forking):
    assert begun(signal=int(signal.SIGSEGV)).wait(60) == -signal.SIGSEGV


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_end_of_the_command_ends_its_job(forking, number):
    run = begun(seconds=60)
    process = at_work()["process"]
    run.send_signal(number)
    assert run.wait(10) == -number
    assert is_gone(process)
    assert begun("two").wait(60) == 0


def test_an_interrupt_of_the_command_alone_reaches_its_job(forking):
    run = begun(seconds=60)
    process = at_work()["process"]
    run.send_signal(signal.SIGINT)
    output, _ = run.communicate(timeout=10)
    assert run.returncode == 130
    assert "surefoot: interrupted: nothing is left half-written" in output
    assert is_gone(process)
    assert not Path("results/.partial").exists()


def test_a_job_with_other_variables_runs_by_itself(forking):
    run = begun(more={"NUMBA_OPT": "1"})
    assert run.wait(60) == 0
    assert (told()["process"], told()["there"]) == (run.pid, False)


def test_jobs_run_by_themselves_where_that_process_is_gone(forking):
    forking.stdin.close()
    assert forking.wait(20) == 0
    run = begun()
    assert run.wait(60) == 0
    assert told()["process"] == run.pid


def test_a_job_whose_forking_process_is_killed_runs_by_itself(forking):
    run = begun(seconds=2.0)
    first = at_work()["process"]
    forking.kill()
    assert run.wait(60) == 0
    assert is_gone(first)
    assert told()["process"] == run.pid


def test_jobs_outlive_a_run_that_was_killed(forking):
    run = begun(seconds=2.0)
    process = at_work()["process"]
    forking.stdin.close()
    assert run.wait(60) == 0
    assert told()["process"] == process
