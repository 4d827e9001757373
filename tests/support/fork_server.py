"""Run `python -m` in forks of a process that has imported Snakemake and what it imports.

These imports take most of the time of a command that starts no job.
"""

import atexit
import functools
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from pathlib import Path


def run_module(
    args: list[str], cwd: Path, env: dict[str, str], timeout: int = 1500, **settings: object
) -> "subprocess.CompletedProcess[str]":
    """Return what `subprocess.run` does for a command of the form `python -m module ...`, with captured text.

    A command that takes longer than `timeout` seconds is ended by a signal. Other settings are ignored. On macOS, whose
    libraries may crash in a fork, the command has a process of its own.
    """
    if sys.platform == "darwin":
        return subprocess.run(args, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=timeout)
    server = _start_server()
    with tempfile.TemporaryDirectory() as folder:
        printed = [f"{folder}/stdout", f"{folder}/stderr"]
        call = {"words": [str(word) for word in args[2:]], "folder": str(cwd), "environment": env}
        call |= {"printed": printed, "timeout": timeout}
        print(json.dumps(call), file=server.stdin, flush=True)
        status = int(server.stdout.readline())
        return subprocess.CompletedProcess(args, status, *(Path(path).read_text() for path in printed))


@functools.cache
def _start_server() -> "subprocess.Popen[str]":
    """Start the process; it ends when this one does.

    From Python 3.12 on, a fork warns of threads, which imported libraries may have started.
    """
    command = [sys.executable, "-P", "-W", "ignore:This process:DeprecationWarning", __file__]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(server.communicate)
    return server


def _serve() -> None:
    """Run a module for each line of the standard input, and print its exit status."""
    import snakemake.cli  # noqa: F401

    # What Snakemake and the planning import only when they read a workflow.
    for name in ("nbformat", "smart_open", "snakemake.report", "jinja2", "pydantic", "pyarrow", "narwhals", "yte"):
        importlib.import_module(name)

    for line in sys.stdin:
        call = json.loads(line)
        if os.fork() == 0:
            _run_here(**call)
        print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)


def _run_here(words: list[str], folder: str, environment: dict[str, str], printed: list[str], timeout: int) -> None:
    """Run a module in this process, which ends with its exit status."""
    signal.alarm(timeout)
    for number, path in enumerate([os.devnull, *printed]):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:0] = [folder, *environment.get("PYTHONPATH", "").split(os.pathsep)]
    sys.argv = words
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    sys.exit()


if __name__ == "__main__":
    _serve()
