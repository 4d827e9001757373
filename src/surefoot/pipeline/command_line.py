"""What a command line of Snakemake asks for: known while the Snakefile is read, before Snakemake tells it."""

import contextlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

OTHER_MODES = (
    "archive",
    "cleanup_metadata",
    "cleanup_shadow",
    "conda_cleanup_envs",
    "conda_create_envs_only",
    "container_cleanup_images",
    "containerize",
    "d3dag",
    "dag",
    "delete_all_output",
    "delete_temp_output",
    "detailed_summary",
    "export_cwl",
    "filegraph",
    "generate_unit_tests",
    "lint",
    "list_changes",
    "list_conda_envs",
    "list_input_changes",
    "list_params_changes",
    "list_rules",
    "list_target_rules",
    "list_untracked",
    "print_compilation",
    "report",
    "rulegraph",
    "summary",
    "touch",
    "unlock",
)
"""Options other than --dry-run, by their names in Snakemake's parser, with which it runs no job."""

LOOKING = frozenset({"check", "why", "prune"})
"""Targets that look at the results as they are."""


class CommandLine(NamedTuple):
    """What is asked for.

    targets : names of rules and files; none asks for everything
    makes : whether results will be made
    dry_run : whether it will only be said which
    """

    targets: list[str]
    makes: bool
    dry_run: bool


def read_command_line(arguments: Sequence[str]) -> CommandLine | None:
    """What a process's arguments ask Snakemake for; None where they are those of another program."""
    if "snakemake" not in Path(arguments[0]).parts[-2:]:
        return None
    from snakemake.cli import parse_args

    with contextlib.redirect_stderr(io.StringIO()):  # it has told already which profile it takes
        options = parse_args(list(arguments[1:]))[1]
    targets = [str(target) for target in options.targets]
    looks = bool(targets) and LOOKING.issuperset(targets)
    runs = not looks and not any(getattr(options, mode) for mode in OTHER_MODES)
    return CommandLine(targets, runs and not options.dryrun, runs and options.dryrun)
