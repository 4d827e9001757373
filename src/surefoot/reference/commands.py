"""The page of the command line, made of what `--help` shows."""

import contextlib
import io
import os
from unittest.mock import patch

from surefoot.cli.commands import SHOWN, chosen, overview

_HEAD = """# The command line

This is what `surefoot --help` and `surefoot COMMAND --help` print."""
_COLUMNS = {"COLUMNS": "82", "NO_COLOR": "1"}


def commands_page() -> str:
    """The page, as Markdown."""
    with patch.dict(os.environ, _COLUMNS):  # the help fits the terminal otherwise
        sections = [f"## surefoot {name}\n\n```text\n{_help(name)}\n```" for name in SHOWN]
    return "\n\n".join([_HEAD, f"```text\n{overview()}\n```", *sections]) + "\n"


def _help(name: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
        chosen(name, ["--help"])
    return output.getvalue().strip()
