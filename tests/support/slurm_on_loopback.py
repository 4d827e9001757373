"""Slurm with one node that only listens on loopback, using Debian's packages slurm-wlm and munge."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "sinfo")
OPTIONS = [
    *("--profile", "profiles/default", "--workflow-profile", "profiles/slurm"),
    # for a Slurm without accounting that answers quickly
    *("--slurm-status-command", "squeue", "--slurm-no-account", "--latency-wait", "10"),
    *("--slurm-init-seconds-before-status-checks", "3", "--seconds-between-status-checks", "2"),
]
"""Options with which Snakemake submits jobs to this Slurm."""
# The submitting plugin deletes all variables of Slurm, including SLURM_CONF, so the file must be at the default
# location.
CONFIGURATION = Path("/etc/slurm/slurm.conf")
_MUNGE_SOCKET = Path("/run/munge/munge.socket.2")
_SETTINGS = """\
ClusterName=loopback
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
ReturnToService=2
SlurmdParameters=config_overrides
MinJobAge=600
MaxArraySize=1001
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName=localhost NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=main Nodes=localhost Default=YES MaxTime=01:00:00 State=UP
"""


def why_not() -> str | None:
    """Return why Slurm cannot be started on this machine; None if it can."""
    path = f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/sbin"
    missing = [program for program in PROGRAMS if shutil.which(program, path=path) is None]
    if missing:
        return f"{', '.join(missing)} not installed (Debian: apt-get install slurm-wlm munge)"
    if os.geteuid() != 0:
        return "only root can start a Slurm that manages jobs"
    if os.path.lexists(CONFIGURATION):
        return f"{CONFIGURATION} exists: this machine belongs to a cluster"
    return None


@contextlib.contextmanager
def slurm(folder: Path, cpus: int, memory: int) -> Iterator[None]:
    """Run a Slurm with one node while the block is executed.

    Parameters
    ----------
    folder : folder for state and logs
    cpus, memory : number of cores, and memory in megabytes, that the node reports

    Raises
    ------
    RuntimeError
        if the node is not ready within a minute
    """
    folder.mkdir(parents=True)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    with contextlib.ExitStack() as stack:
        if not _MUNGE_SOCKET.exists():
            stack.enter_context(_munge(folder))
        described = {"ports": _free_ports(2), "host": socket.gethostname().partition(".")[0]}
        CONFIGURATION.parent.mkdir(exist_ok=True)
        CONFIGURATION.write_text(_SETTINGS.format(folder=folder, cpus=cpus, memory=memory, **described))
        stack.callback(CONFIGURATION.unlink)
        stack.enter_context(_daemon(["/usr/sbin/slurmctld", "-D", "-c"], folder))
        stack.enter_context(_daemon(["/usr/sbin/slurmd", "-D", "-N", "localhost"], folder))
        _wait_for("idle", _states)
        yield
        subprocess.run(["scancel", "--partition=main"], check=False)


@contextlib.contextmanager
def _munge(folder: Path) -> Iterator[None]:
    """Run the daemon that authenticates Slurm's programs, as its own user, with the key of its package."""
    _MUNGE_SOCKET.parent.mkdir(exist_ok=True)
    shutil.chown(_MUNGE_SOCKET.parent, "munge", "munge")
    alone = ["setpriv", "--reuid=munge", "--regid=munge", "--clear-groups"]
    with _daemon([*alone, "/usr/sbin/munged", "--foreground"], folder):
        _wait_for("socket", lambda: "socket" if _MUNGE_SOCKET.exists() else "")
        yield


@contextlib.contextmanager
def _daemon(command: list[str], folder: Path) -> Iterator[None]:
    name = next(Path(word).name for word in command if word.startswith("/"))
    with (folder / f"{name}.out").open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _states() -> str:
    """Return the states of the nodes; an empty string if the controller does not answer yet."""
    return subprocess.run(["sinfo", "-h", "-o", "%t"], check=False, capture_output=True, text=True).stdout


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def _wait_for(what: str, seen, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while what not in seen():
        if time.monotonic() > end:
            raise RuntimeError(f"Slurm is not ready after {seconds:g} seconds: no {what}")
        time.sleep(0.2)
