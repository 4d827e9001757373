"""fork: a process beside a local run of the workflow that starts its jobs, with all modules imported already.

A process start costs 0.6 CPU seconds of imports, and numba's first kernel half a second more. A job that is forked from
a process which has paid for that costs a twentieth. The run starts this process and holds the other end of its standard
input; the commands of the jobs (`python -m surefoot job`) find it by an address in their environment, hand it their
working folder, variables and streams, and end as the forked process does. Where it cannot be reached, or has threads,
which no fork survives, a command runs its job itself: nothing depends on this process but time.
"""

import argparse
import contextlib
import ctypes
import gc
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import traceback
from collections.abc import Mapping
from importlib import import_module
from itertools import filterfalse
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from surefoot.build.interrupts import end_at_once

ADDRESS = "SUREFOOT_FORKS"
"""The variable that says where jobs are forked."""
_WITHOUT_THREADS = {"JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""Variables with which what jobs import starts no thread: Arrow's allocator would."""
_LONGEST = 1 << 17  # bytes of a request, which the variables fill
_DECIDES = ("LD_", "LC_", "NUMBA_", "PYTHON", "SUREFOOT_", "XDG_", "HOME", "LANG")
"""Beginnings of variables that what is imported may have read: a job with others is not forked."""
_COMPILE_WHEN_IMPORTED = ("surefoot.bayesian.", "surefoot.simulation.")
"""Beginnings of the names of such modules."""
_SECONDS_TO_ASK = 1.0
"""Within which one who connects has said what it asks for: all others wait for that."""
_SECONDS_TO_END = 1.0
"""Within which a job has ended for a Ctrl-C that reached it."""
_PR_SET_PDEATHSIG = 1


class _Job(NamedTuple):
    """A job that runs: the command that waits for it, its process, and a descriptor that is ready when that ends."""

    command: socket.socket
    process: int
    end: int


def start_forking() -> "subprocess.Popen[bytes] | None":
    """Start the process, and tell the commands of this one's jobs of it; None where the system cannot."""
    if sys.platform != "linux" or not hasattr(os, "pidfd_open"):
        return None
    address = f"surefoot-{os.urandom(16).hex()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(f"\0{address}")  # an address that needs no file, and ends with its process
        listener.listen(128)
        command = [sys.executable, "-m", "surefoot", "fork", str(listener.fileno())]
        variables = os.environ | _WITHOUT_THREADS
        started = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=[listener.fileno()], env=variables)
    os.environ[ADDRESS] = address
    return started


def forked(arguments: list[str]) -> int | None:
    """The exit status of a command that the process beside the run forks; None where there is none, or it does not."""
    if not os.environ.get(ADDRESS):
        return None
    handler = signal.getsignal(signal.SIGINT)
    hears = handler is not signal.SIG_IGN
    request = {
        "arguments": arguments,
        "folder": str(Path.cwd()),
        "variables": dict(os.environ),
        "hears_of_interrupts": hears,
        "python": sys.prefix,
    }
    interrupted: list[bool] = []
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asking:
            asking.connect(f"\0{os.environ[ADDRESS]}")
            if hears:
                signal.signal(signal.SIGINT, lambda *_: _interrupt(asking, interrupted))
            socket.send_fds(asking, [json.dumps(request).encode()], [0, 1, 2])
            message = asking.recv(100)
    except OSError:
        message = b""
    finally:
        if hears:
            signal.signal(signal.SIGINT, handler)
    if not message:
        return 130 if interrupted else None
    status = int(message)
    if status < 0:  # a signal ended it: whoever waits for this process sees the same
        with contextlib.suppress(OSError):  # SIGKILL has no handler
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


def _interrupt(asking: socket.socket, interrupted: list[bool]) -> None:
    """Hand on an interrupt that reached this process alone: one of the terminal reaches all of a run."""
    interrupted.append(True)
    if not select.select([asking], [], [], _SECONDS_TO_END)[0]:
        with contextlib.suppress(OSError):
            asking.send(b"interrupt")


def fork(options: argparse.Namespace) -> int:
    """Fork jobs until standard input ends, and the last of them has."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Before numpy is imported: with more threads OpenBLAS adds in another order.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    running: list[_Job] = []
    with socket.socket(fileno=options.listener) as listener:
        goes_on = True
        while goes_on or running:
            waited = [wanted for job in running for wanted in (job.end, job.command)]
            ready = select.select([*waited, *((listener, 0) if goes_on else ())], [], [])[0]
            for job in list(running):
                if job.end in ready or (job.command in ready and not _hand_on(job)):
                    _tell_the_end(job)
                    running.remove(job)
            if goes_on and listener in ready:
                running += _answer(listener, running)
            goes_on = goes_on and (0 not in ready or bool(os.read(0, 1)))
    return 0


def _hand_on(job: _Job) -> bool:
    """Interrupt a job, as the command that waits for it was; False where that is gone, and the job with it."""
    try:
        message = job.command.recv(100)
    except OSError:
        message = b""
    os.kill(job.process, signal.SIGINT if message else signal.SIGKILL)
    return bool(message)


def _tell_the_end(job: _Job) -> None:
    status = os.waitstatus_to_exitcode(os.waitpid(job.process, 0)[1])
    with contextlib.suppress(OSError):  # nobody waits any more
        job.command.send(str(status).encode())
    job.command.close()
    os.close(job.end)


def _answer(listener: socket.socket, running: list[_Job]) -> list[_Job]:
    """Fork the job that is asked for next; none where the one who asks has to do it."""
    asking, _ = listener.accept()
    streams: list[int] = []
    try:
        _, user, _ = struct.unpack("3i", asking.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if user != os.getuid():
            raise PermissionError
        asking.settimeout(_SECONDS_TO_ASK)
        content, streams, _, _ = socket.recv_fds(asking, _LONGEST, 3)
        asking.settimeout(None)
        asked = json.loads(content)
        if asked["python"] != sys.prefix or _decisive(asked["variables"]) != _decisive(os.environ):
            raise ValueError
        _import_what_it_needs(Path(asked["folder"], asked["arguments"][1]))
        if len(list(Path("/proc/self/task").iterdir())) > 1:
            raise ValueError
        process = os.fork()
    except Exception:  # whatever it is, other jobs go on, and the one who asks says what is wrong
        asking.close()
        process = 0
    else:
        if not process:
            for held in (listener, asking, *(job.command for job in running)):
                held.close()
            _become(asked, streams)
    for stream in streams:
        os.close(stream)
    return [_Job(asking, process, os.pidfd_open(process))] if process else []


def _decisive(variables: Mapping[str, str]) -> dict[str, str]:
    own = (ADDRESS, "NUMBA_CACHE_DIR")  # the folder of kernels follows from that of the store
    return {name: value for name, value in variables.items() if name.startswith(_DECIDES) and name not in own}


def _import_what_it_needs(spec: Path) -> None:
    """Import the modules that decide what the job of a spec makes, and let numba prepare itself.

    Not those that compile kernels while they are imported: other jobs would wait for that.
    """
    from surefoot.build.fingerprint import is_file, reached_modules
    from surefoot.build.kernel_cache import keep_kernels, kernels_of
    from surefoot.build.store import store_folder

    keep_kernels(kernels_of(store_folder(None)))
    decisive = json.loads(spec.read_text(encoding="utf-8"))["code"]
    for module in ("numba", "pandas", "surefoot.cli.jobs", "surefoot.build.runner"):
        import_module(module)
    for module in filterfalse(is_file, decisive):
        # The job says what is wrong.
        with contextlib.suppress(Exception):
            if not any(reached.startswith(_COMPILE_WHEN_IMPORTED) for reached in reached_modules(module)):
                import_module(module)
    from numba.core.registry import cpu_target

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    gc.freeze()  # pages that the collector does not touch are shared by the forked processes


def _become(asked: dict[str, Any], streams: list[int]) -> NoReturn:
    """Be the process of a command, and end as it does."""
    status = 1
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler if asked["hears_of_interrupts"] else signal.SIG_IGN)
        end_at_once()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
        for generators in ("random", "numpy.random"):  # a process of its own would have begun them elsewhere
            if generators in sys.modules:
                sys.modules[generators].seed()
        os.environ.clear()
        os.environ.update(asked["variables"])
        os.chdir(asked["folder"])
        if not sys.flags.safe_path:
            sys.path[0] = asked["folder"]
        from surefoot.cli.commands import main

        status = main(asked["arguments"])
    except SystemExit as end:  # of a mistake in the command line, or a user's function
        if end.code is not None and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        with contextlib.suppress(OSError):
            sys.stderr.flush()
        os._exit(status)
