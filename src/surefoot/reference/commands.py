"""The page of the command line, made of what `--help` shows."""

import os
from unittest.mock import patch

from surefoot.cli.command_list import overview, shown_commands
from surefoot.cli.parsing import parser_of

_HEAD = """# The command line

This is what `surefoot --help` and `surefoot COMMAND --help` print."""
_COLUMNS = {"COLUMNS": "82", "NO_COLOR": "1"}


def commands_page() -> str:
    """The page, as Markdown."""
    with patch.dict(os.environ, _COLUMNS):  # the help fits the terminal otherwise
        helps = {command.name: parser_of(command).format_help().strip() for command in shown_commands()}
    sections = [f"## surefoot {name}\n\n```text\n{text}\n```" for name, text in helps.items()]
    return "\n\n".join([_HEAD, f"```text\n{overview()}\n```", *sections]) + "\n"
