"""The command line: `surefoot report` makes a page of a folder of runs, `surefoot run` runs the workflow, and
`python -m surefoot job SPEC` one of its jobs; other commands look after the results.

Light: every job of a run starts a command, so what a command does is imported once it is chosen.
"""

import argparse
import inspect
import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import surefoot
from surefoot.build.errors import EXPLAINED, InputError, near, raise_again, tell
from surefoot.build.project import PACKAGE, SOURCE, check_report
from surefoot.cli.running import mistyped
from surefoot.export.venues import VENUES

Call = Callable[[], int]
"""What a command does; it returns the exit status."""
Command = Callable[[argparse.ArgumentParser, Sequence[str]], Call]
"""Takes a parser without arguments, and the words of the command line after its name."""


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        return _main(arguments)
    except BrokenPipeError:  # as of `surefoot why | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except EXPLAINED as error:
        return tell(error)


def _main(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(overview())
        return 0
    if arguments[0] in ("-V", "--version"):
        print(f"surefoot {surefoot.__version__}")
        return 0
    name, *words = arguments
    if name in OF_WORKFLOW:
        use_clone_here(arguments)
    call = chosen(name, words)
    raise_again()
    return call()


def chosen(name: str, words: Sequence[str]) -> Call:
    """What a command does with the words after its name.

    Raises
    ------
    InputError
        for a command or an option that there is not, with the nearest one, for anything else that is wrong, and where
        the packages of the extra `report` are not installed, which most commands need
    """
    if name not in COMMANDS:
        close = near(name, SHOWN)
        hint = f"did you mean `surefoot {close[0]}`?" if close else f"the commands are {', '.join(SHOWN)}"
        what = f"there is no option {name} here" if name.startswith("-") else f'there is no command "{name}"'
        raise InputError("command line", what, hint)
    command = COMMANDS[name]
    layout = argparse.RawDescriptionHelpFormatter
    parser = _Parser(prog=f"surefoot {name}", description=inspect.getdoc(command), formatter_class=layout)
    if name not in WITHOUT_PAGES and not {"-h", "--help"} & set(words):
        check_report(parser.prog)
    return command(parser, words)


def use_clone_here(arguments: Sequence[str]) -> None:
    """Start the same command anew with the code of the clone in this folder, where there is one and it is not this
    code's: planned by one and run by the other, jobs would not be what was planned."""
    source = Path("src").absolute()
    is_clone = Path("Snakefile").is_file() and (source / PACKAGE / "__main__.py").is_file()
    if is_clone and source.resolve() != SOURCE.resolve():
        paths = [str(source), *filter(None, [os.environ.get("PYTHONPATH")])]
        variables = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
        os.execve(sys.executable, [sys.executable, "-m", PACKAGE, *arguments], variables)


class _Parser(argparse.ArgumentParser):
    """One whose complaints are those of all other input."""

    def error(self, message: str) -> NoReturn:
        """Raise an InputError."""
        raise mistyped(message, self.format_help(), f"`{self.prog} --help` shows what it takes")


# The docstring of a command is its help, with the examples; it adds its arguments and says what is to be called.


def _report(parser: argparse.ArgumentParser, words: Sequence[str]) -> Call:
    """Make a page of a folder of runs.

    examples:
      surefoot report runs/
      surefoot report runs/ --pattern "{environment}__{algorithm}__{seed}"
      surefoot report runs/ --rule auc -o my-report
    """
    _add_reading(parser)
    parser.add_argument(
        "-o", "--output", type=Path, default=Path("surefoot-report"), help="folder for the report (%(default)s)"
    )
    parser.add_argument("--rule", help="how a learning curve becomes a score (window)")
    parser.add_argument("--amount", type=float, help="argument of the rule, such as 0.1 (of the steps) for window")
    parser.add_argument("--short-runs", help="what to do with runs that end before the others (error)")
    parser.add_argument(
        "--missing-cells",
        help="what to do if an algorithm has no run in an environment: error, drop_algorithm or drop_environment "
        "(error)",
    )
    parser.add_argument(
        "--scale",
        help="min_max, none, or a table of reference scores such as atari_human; by default the table that "
        "has all environments, else min_max, or none if there is a single environment",
    )
    parser.add_argument(
        "--lower-is-better",
        nargs="?",
        type=lambda names: [name.strip() for name in names.split(",")],
        const=True,
        default=False,
        metavar="ENVIRONMENTS",
        help="lower scores are better, in all environments or in those named, separated by commas; metrics can be "
        "named too",
    )
    parser.add_argument("--cores", type=int, help="number of cores to use (all)")
    options = parser.parse_args(words)
    from surefoot.cli.report_study import Choices
    from surefoot.cli.reporting import report_folder

    choices = Choices(*(getattr(options, name) for name in Choices._fields))
    return partial(report_folder, options.folder, options.output, choices, options.cores, _reading(options))


def _read(parser: argparse.ArgumentParser, words: Sequence[str]) -> Call:
    """Make one table of a folder of runs.

    examples:
      surefoot read runs/
      surefoot read runs/ -o scores.parquet
      surefoot read runs/ --format tensorboard --kind eval -o scores.csv
    """
    _add_reading(parser)
    parser.add_argument(
        "-o", "--output", type=Path, help="file for the table (.parquet or .csv); by default nothing is written"
    )
    options = parser.parse_args(words)
    from surefoot.cli.reading import read_folder

    return partial(read_folder, options.folder, options.output, _reading(options))


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `surefoot.read_runs`."""
    parser.add_argument("folder", type=Path, help="folder of runs, or a single file")
    parser.add_argument("--format", help="format of the logs, if the folder has several")
    parser.add_argument("--pattern", help='what paths look like, such as "{environment}__{algorithm}__{seed}__{}"')
    parser.add_argument("--kind", help="eval, train or absolute; by default eval if all runs have it, else train")
    parser.add_argument("--metric", action="append", help="name under which the score is logged; may be repeated")
    parser.add_argument("--step", help="name under which the steps are logged, where files have several or another one")
    parser.add_argument("--algorithm", help="the algorithm of all runs")
    parser.add_argument("--environment", help="the environment of all runs; for arrays, the tasks separated by commas")
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="NAME=KEY",
        help="a key of the runs' configurations that gives a name, such as algorithm=agent.name; may be repeated",
    )
    parser.add_argument(
        "--hyperparameters",
        nargs="+",
        default=[],
        metavar="KEY",
        help="keys of the runs' configurations that become columns, such as optimizer.lr",
    )
    parser.add_argument(
        "--invalid-scores",
        default="error",
        help="what to do with scores that are not finite: error or drop (%(default)s)",
    )
    parser.add_argument(
        "--unlike-protocols",
        default="error",
        help="what to do if algorithms were scored in different ways: error, or remark, which compares them and says "
        "so (%(default)s)",
    )
    from surefoot.logs.run_formats import RUN_FORMATS

    parser.epilog = textwrap.fill(f"formats: {', '.join(sorted(RUN_FORMATS.complete()))}", 80, subsequent_indent="  ")


def _reading(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `surefoot.read_runs`, as they were given."""
    for text in options.key:
        if "=" not in text:
            raise InputError("command line: --key", f'"{text}" gives no key', "such as --key algorithm=agent.name")
    environment = options.environment
    names = ("format", "pattern", "kind", "metric", "step", "algorithm", "hyperparameters", "invalid_scores")
    return {name: getattr(options, name) for name in (*names, "unlike_protocols")} | {
        "environment": environment.split(",") if environment and "," in environment else environment,
        "keys": dict(text.split("=", 1) for text in options.key),
    }


def _export(parser: argparse.ArgumentParser, words: Sequence[str]) -> Call:
    """Write figures, tables and methods.

    examples:
      surefoot export mine --venue iclr
      surefoot export runs --directory surefoot-report --venue icml_column
    """
    parser.add_argument("study", help="name of a study that has been made")
    parser.add_argument(
        "--venue", required=True, help=f"the venue, which decides widths and fonts: {', '.join(VENUES)}"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("paper"), help="folder for the files (%(default)s)")
    _add_directory(parser)
    parser.add_argument("--font", help="font family; by default one like Times, if there is one")
    parser.add_argument(
        "--replace", action="store_true", help="also replace files that were edited, or that no export wrote"
    )
    options = parser.parse_args(words)
    from surefoot.cli.exporting import export

    return partial(export, **vars(options))


def _run(parser: argparse.ArgumentParser, words: Sequence[str]) -> Call:
    """Make pages, figures and tables.

    Targets are studies, figures, tables or files; without one, the whole site is
    made. What exists already, or is in the store, is not remade. This runs
    Snakemake, with the workflow in this folder or else Surefoot's own, and takes
    all of Snakemake's options (snakemake --help). Often used are those below.

    examples:
      surefoot run example
      surefoot run mine --configfile mine.yaml
      surefoot run figure_5 --dry-run
      surefoot run --cores 4
    """
    parser.usage = "surefoot run [TARGET ...] [OPTION ...]"
    parser.add_argument("--configfile", metavar="FILE", help="files to merge over the configuration")
    parser.add_argument("--directory", metavar="FOLDER", help="where the results go (this folder)")
    parser.add_argument("--cores", metavar="N", help="number of cores to use (all)")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be made")
    parser.add_argument("--verbose", action="store_true", help="show all of Snakemake's output")
    if {"-h", "--help"} & set(words):
        parser.parse_args(["--help"])
    from surefoot.cli.running import run

    return partial(run, words)


def _plan(parser: argparse.ArgumentParser, words: Sequence[str]) -> Call:
    """Say what a run will take.

    examples:
      surefoot plan
      surefoot plan mine --configfile mine.yaml
      surefoot plan jordan2020 --configfile config/overlays/paper.yaml
    """
    parser.add_argument("target", nargs="*", help="studies, figures, tables or files; by default everything")
    parser.add_argument("--configfile", nargs="+", default=[], help="files to merge over the configuration")
    options = parser.parse_args(words)
    from surefoot.cli.planning import plan

    return partial(plan, options.target, options.configfile)


def _check(parser: argparse.ArgumentParser, words: Sequence[str]) -> Call:
    """Verify files and published numbers.

    examples:
      surefoot check
      surefoot check --directory surefoot-report
    """
    _add_directory(parser)
    options = parser.parse_args(words)
    from surefoot.cli.housekeeping import check

    return partial(check, options.directory)


def _why(parser: argparse.ArgumentParser, words: Sequence[str]) -> Call:
    """Say why results are out of date.

    examples:
      surefoot why
      surefoot why --directory surefoot-report
    """
    _add_directory(parser)
    options = parser.parse_args(words)
    from surefoot.cli.housekeeping import why

    return partial(why, options.directory)


def _prune(parser: argparse.ArgumentParser, words: Sequence[str]) -> Call:
    """Delete what is no longer used.

    examples:
      surefoot prune --dry-run
      surefoot prune --days 7
    """
    parser.add_argument(
        "--days", type=float, default=30.0, help="keep what was used within this many days (%(default)g)"
    )
    parser.add_argument("--dry-run", action="store_true", help="only list what would be deleted")
    _add_directory(parser)
    options = parser.parse_args(words)
    from surefoot.cli.housekeeping import prune

    return partial(prune, options.directory, options.days, options.dry_run)


def _add_directory(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--directory",
        type=Path,
        default=Path(),
        help="the folder that contains results/, such as that of a report (this folder)",
    )


def _job(parser: argparse.ArgumentParser, words: Sequence[str]) -> Call:
    """Run a job of the workflow, which starts this itself."""
    parser.add_argument("spec", type=Path, help="the job's spec file")
    parser.add_argument("--log", type=Path, help="where the log goes")
    parser.add_argument("--threads", type=int, default=1, help="threads it may use (never changes a result)")
    options = parser.parse_args(words)
    from surefoot.cli.jobs import job

    return partial(job, options.spec, options.log, options.threads)


def _record(parser: argparse.ArgumentParser, words: Sequence[str]) -> Call:
    """Keep the rows of a large run in reports/records, or its failure rates in reports/records/trust."""
    parser.add_argument("--trust", action="store_true", help="the failure rates")
    options = parser.parse_args(words)
    from surefoot.cli.record import record, record_trust

    return record_trust if options.trust else record


def _schemas(parser: argparse.ArgumentParser, words: Sequence[str]) -> Call:
    """Write the schema and the reference, which are made of the code."""
    parser.parse_args(words)
    from surefoot.reference import schemas

    return schemas


SHOWN: dict[str, Command] = {
    "report": _report,
    "read": _read,
    "export": _export,
    "run": _run,
    "plan": _plan,
    "check": _check,
    "why": _why,
    "prune": _prune,
}
"""The commands that people use, in the order of `surefoot --help`."""
COMMANDS = SHOWN | {"job": _job, "record": _record, "schemas": _schemas}
"""With what the workflow starts, and those who work on Surefoot."""
OF_WORKFLOW = COMMANDS.keys() - {"report", "read", "export", "job"}
"""Commands about the workflow of the folder in which they are typed, where there is one."""
WITHOUT_PAGES = frozenset(("read", "job", "schemas"))
"""Commands that need no package of the extra `report`."""


def overview() -> str:
    """What `surefoot --help` shows."""
    rows = []
    for name, command in SHOWN.items():
        lines = str(inspect.getdoc(command)).splitlines()
        example = lines[lines.index("examples:") + 1].strip()
        rows.append(f"  {name:7} {lines[0]:36} {example}")
    return _OVERVIEW.format(commands="\n".join(rows))


_OVERVIEW = """\
Surefoot tells you how good reinforcement-learning algorithms are, and how sure
you can be.

usage: surefoot COMMAND ...

{commands}

`surefoot COMMAND --help` shows the options of a command, with more examples.
`surefoot --version` prints the version.

Exit status
  0       all went well
  1       something failed, or a check found something
  2       the command line or the input is wrong; nothing was run
  130     interrupted"""
