"""The parser of each command; one is made at a time, since every job of a run starts a command."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from surefoot.build.errors import InputError, nearest
from surefoot.build.job import CONFIGURATION
from surefoot.cli.command_list import Command
from surefoot.cli.read_arguments import add_export_arguments, add_read_arguments, add_report_arguments


class _Parser(argparse.ArgumentParser):
    """One whose complaints are those of all other input."""

    def error(self, message: str) -> NoReturn:
        """Raise an InputError."""
        raise InputError("command line", message, f"`{self.prog} --help` shows what it takes")


def parsed(command: Command, words: Sequence[str]) -> argparse.Namespace:
    """What the words after the name of a command say, and as `words` these themselves.

    Raises
    ------
    InputError
        for an option that there is not, with the nearest one, and for anything else that is wrong
    """
    parser = parser_of(command)
    check_options(words, [name for action in parser._actions for name in action.option_strings])
    return parser.parse_args(words, argparse.Namespace(words=words))


def check_options(words: Sequence[str], known: Sequence[str]) -> None:
    """Raise an InputError for the first option that is neither known nor the beginning of one that is."""
    for word in words:
        if word == "--":
            return
        name = word.partition("=")[0] if word.startswith("--") else word[:2]
        is_option = word.startswith("--") or (word[:1] == "-" and word[1:2].isalpha())
        if is_option and not any(option.startswith(name) for option in known):
            raise InputError("command line", f"there is no option {name}", nearest(name, sorted(known)))


def parser_of(command: Command) -> argparse.ArgumentParser:
    """The parser of a command."""
    parser = _Parser(
        prog=f"surefoot {command.name}",
        description=f"{command.says[0].upper()}{command.says[1:]}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _ARGUMENTS.get(command.name, _add_configurations)(parser)
    examples = "\n".join(["examples:", *(f"  {example}" for example in command.examples)]) if command.examples else ""
    parser.epilog = "\n\n".join(filter(None, [parser.epilog, examples]))
    return parser


def _add_job_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", type=Path, help="the job's spec file")
    parser.add_argument("--log", type=Path, help="where the log goes")
    parser.add_argument("--threads", type=int, default=1, help="threads it may use (never changes a result)")


def _add_plan_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", nargs="*", help="studies, figures, tables or files; by default everything")
    parser.add_argument("--configfile", nargs="+", default=[], help="files to merge over the configuration")
    parser.add_argument("--configuration", type=Path, help="a checked configuration, which the workflow wrote, instead")


def _add_prune_arguments(parser: argparse.ArgumentParser) -> None:
    _add_looking_arguments(parser)
    parser.add_argument(
        "--days", type=float, default=30.0, help="keep what was used within this many days (%(default)g)"
    )
    parser.add_argument("--dry-run", action="store_true", help="only list what would be deleted")


def _add_configurations(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "configuration",
        type=Path,
        nargs="*",
        default=[CONFIGURATION],
        help=f"checked configurations, which the workflow wrote ({CONFIGURATION})",
    )


def _add_run_arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "surefoot run [TARGET ...] [OPTION ...]"
    parser.description = (
        "Make studies, figures, tables or files; without a target, the whole site. What\n"
        "exists already, or is in the store, is not remade. This runs Snakemake, with the\n"
        "workflow in this folder or else Surefoot's own, and takes all of Snakemake's\n"
        "options (snakemake --help). Often used:"
    )
    parser.add_argument("--configfile", metavar="FILE", help="files to merge over the configuration")
    parser.add_argument("--directory", metavar="FOLDER", help="where the results go (this folder)")
    parser.add_argument("--cores", metavar="N", help="number of cores to use (all)")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be made")
    parser.add_argument("--all-messages", action="store_true", help="show all of Snakemake's output, not only errors")


def _add_looking_arguments(parser: argparse.ArgumentParser) -> None:
    _add_configurations(parser)
    parser.add_argument(
        "--directory",
        type=Path,
        default=Path(),
        help="the folder that contains results/, such as that of a report (this folder)",
    )


_ARGUMENTS: dict[str, Callable[[argparse.ArgumentParser], None]] = {
    "check": _add_looking_arguments,
    "export": add_export_arguments,
    "job": _add_job_arguments,
    "plan": _add_plan_arguments,
    "prune": _add_prune_arguments,
    "read": add_read_arguments,
    "report": add_report_arguments,
    "run": _add_run_arguments,
    "why": _add_looking_arguments,
}
"""What adds the arguments of a command; the others take configurations."""
