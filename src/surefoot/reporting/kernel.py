"""Python code run in a Jupyter kernel of its own, as Quarto runs it."""

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from surefoot.reporting.inline import print_failure

SECONDS_ALLOWED = 300
_LONGEST_SOCKET_PATH = 80  # of some 104 characters that the systems allow; the kernel adds a port
_ASK = (
    f"__import__('importlib').import_module({print_failure.__module__!r}).print_failure(__import__('sys').last_value)"
)
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class CellError(Exception):
    """Code that failed: which step, which of its lines (from 1), the error as `print_failure` has it, and its
    traceback."""

    def __init__(self, step: int, line: int, error: Mapping[str, Any], traceback: str):
        super().__init__(f"{error['name']}: {error['text']}")
        self.step, self.line, self.error, self.traceback = step, line, error, traceback


class Outputs(NamedTuple):
    """What one step showed: printed text, displayed data by media type in order, and what went to stderr."""

    printed: str
    displayed: list[dict[str, Any]]
    warned: str


def run_steps(steps: Sequence[str], folder: Path, environment: Mapping[str, str]) -> list[Outputs]:
    """Run each step's code, in one kernel that starts in `folder` with `environment` added to this process's.

    Raises
    ------
    CellError
        at the first step that fails
    """
    if not steps:
        return []
    cells = [nbformat.v4.new_code_cell(code, id=f"step-{number}") for number, code in enumerate(steps)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    with _private_folder() as private:
        client = NotebookClient(
            notebook,
            km=_manager(private),
            timeout=SECONDS_ALLOWED,
            allow_errors=True,  # the kernel is asked about an error, and must not abort what comes after it
            resources={"metadata": {"path": str(folder)}},
        )
        # Kept apart from the user's own IPython: no start-up files, no history, no colours, no debugger.
        private_environment = {"IPYTHONDIR": str(private), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
        with client.setup_kernel(cleanup_kc=True, env=os.environ | private_environment | dict(environment)):
            for number, cell in enumerate(notebook.cells):
                _run(client, cell, number)
    return [_outputs(cell) for cell in notebook.cells]


def _run(client: NotebookClient, cell: Any, number: int) -> None:
    try:
        client.execute_cell(cell, number)
        failure = next((output for output in cell.outputs if output.output_type == "error"), None)
        if failure is None:
            return
        traceback = _COLOURS.sub("", "\n".join(failure.traceback))
        lines = re.findall(rf"Cell In\[{number + 1}\], line (\d+)", traceback)
        asked = client.execute_cell(nbformat.v4.new_code_cell(_ASK), number)
        error = json.loads("".join(output.text for output in asked.outputs))
        raise CellError(number, int(lines[-1]) if lines else 1, error, traceback)
    except CellTimeoutError:
        text = f"the cell did not end within {SECONDS_ALLOWED} s"
        raise CellError(number, 1, {"name": "TimeoutError", "text": text}, text) from None
    except DeadKernelError:
        text = "the process that runs the cells died"
        raise CellError(number, 1, {"name": "DeadKernelError", "text": text}, text) from None


def _outputs(cell: Any) -> Outputs:
    printed = "".join(output.text for output in cell.outputs if output.get("name") == "stdout")
    warned = "".join(output.text for output in cell.outputs if output.get("name") == "stderr")
    displayed = [dict(output.data) for output in cell.outputs if "data" in output]
    return Outputs(printed, displayed, warned)


def _manager(private: Path) -> AsyncKernelManager:
    # No kernel that the user has installed under the same name: the one of this very interpreter.
    manager = AsyncKernelManager(
        kernel_spec_manager=KernelSpecManager(kernel_dirs=[], ensure_native_kernel=True),
        connection_file=str(private / "kernel.json"),
    )
    if sys.platform != "win32" and len(str(private)) <= _LONGEST_SOCKET_PATH:
        manager.transport = "ipc"  # no open port; the path must be absolute, as the kernel starts in another folder
        manager.ip = str(private / "socket")
    return manager


@contextmanager
def _private_folder() -> Iterator[Path]:
    usual = Path(tempfile.gettempdir())
    short = usual if len(str(usual)) <= _LONGEST_SOCKET_PATH - 20 or os.name == "nt" else Path("/tmp")
    with tempfile.TemporaryDirectory(prefix="surefoot-", dir=short, ignore_cleanup_errors=True) as name:
        yield Path(name)
