"""Audit hook that logs every imported module of the package and every file that is opened for reading."""

import os
import sys
from collections.abc import Callable


def install(path: str) -> Callable[[str, str], None]:
    """Install the hook in this process, and return a function that writes a line of a given kind to the log."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    noted = set()

    def note(kind: str, text: str) -> None:
        if (kind, text) not in noted:
            noted.add((kind, text))
            os.write(descriptor, f"{kind} {text}\n".encode())

    def hook(event: str, arguments: tuple) -> None:
        if event == "import" and arguments[0].partition(".")[0] == "surefoot":
            note("import", arguments[0])
        elif event == "open" and isinstance(arguments[0], str | bytes):
            reads = not arguments[2] & (os.O_WRONLY | os.O_CREAT)
            if reads:
                note("open", os.path.abspath(os.fsdecode(arguments[0])))  # noqa: PTH100 (links are not followed)

    sys.addaudithook(hook)
    return note
