"""The command that asks Snakemake for something with the configuration that the results here were planned with.

Hints print it whole: without the overlays (`--configfile`) of a run, the same target would be made with other settings.
"""

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

from surefoot.build.atomic_write import write_whole
from surefoot.build.project import PROJECT

PLANNED_BY = Path("results/spec/.command")
"""Where the options of the last command that planned jobs here are kept: a JSON list of texts."""


def keep_options(options: Sequence[str]) -> None:
    """Keep the options of Snakemake that decide the configuration, as `read_command_line` finds them."""
    if kept_options() != list(options) or not PLANNED_BY.is_file():
        write_whole(PLANNED_BY, json.dumps(list(options)) + "\n")


def kept_options() -> list[str]:
    """The options that `keep_options` kept last; empty where it never did, or where its file is damaged."""
    try:
        options = json.loads(PLANNED_BY.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [str(option) for option in options] if isinstance(options, list) else []


def command(*targets: str, options: Sequence[str] | None = None) -> str:
    """The command for these targets, as it is typed into a shell.

    Parameters
    ----------
    options : those that decide the configuration; by default those that were kept
    """
    options = [*(kept_options() if options is None else options)]
    program = ["snakemake"]
    own = ["--snakefile", str(PROJECT / "Snakefile")]
    if options[:2] == own and not Path("Snakefile").is_file():  # which `surefoot run` adds in a folder without one
        program, options = ["surefoot", "run"], options[2:]
    # The targets first: Snakemake takes all words after --configfile for files, up to the next option.
    return shlex.join([*program, *targets, *options])
