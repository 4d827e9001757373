"""What a command line of Snakemake asks for, known while the Snakefile is read; and what is mistyped in one."""

import argparse
import contextlib
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from surefoot.build.errors import InputError, nearest

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

LOOKING = frozenset({"check", "why"})
"""Targets that look at the results as they are."""


class CommandLine(NamedTuple):
    """What is asked for.

    targets : names of rules and files; none asks for everything
    makes : whether results will be made
    dry_run : whether it will only be said which
    options : those that decide the configuration, as they were typed
    """

    targets: list[str]
    makes: bool
    dry_run: bool
    options: list[str]


def read_command_line(arguments: Sequence[str]) -> CommandLine | None:
    """What a process's arguments ask Snakemake for; None where they are those of another program."""
    if "snakemake" not in Path(arguments[0]).parts[-2:]:
        return None
    from snakemake.cli import parse_args

    with contextlib.redirect_stderr(io.StringIO()):  # it has already said which profile it uses
        options = parse_args(list(arguments[1:]))[1]
    targets = [str(target) for target in options.targets]
    looks = bool(targets) and LOOKING.issuperset(targets)
    modes = [mode for mode in OTHER_MODES if mode != "report" or not options.report_after_run]
    runs = not looks and not any(getattr(options, mode) for mode in modes)
    makes, dry_run = runs and not options.dryrun, runs and options.dryrun
    return CommandLine(targets, makes, dry_run, _deciding_options(options))


def _deciding_options(options: argparse.Namespace) -> list[str]:
    given = {
        "--snakefile": [options.snakefile] if options.snakefile else [],
        "--directory": [options.directory] if options.directory else [],
        "--configfile": options.configfile or [],
        "--config": options.config or [],
    }
    return [str(word) for option, words in given.items() if words for word in (option, *words)]


def mistyped(message: str, usage: str, hint: str) -> InputError:
    """What is wrong with a command line, by what argparse says of it.

    Parameters
    ----------
    message : of argparse
    usage : of the parser, with all its options; one that is not among them gets the nearest for a hint
    hint : for all else
    """
    unknown = message.removeprefix("unrecognized arguments: ").split()
    if unknown and message.startswith("unrecognized arguments: -"):
        name = unknown[0].partition("=")[0]
        options = sorted(set(re.findall(r"--[a-z][a-z-]*", usage)))
        return InputError("command line", f"there is no option {name}", nearest(name, options))
    return InputError("command line", message, hint)
