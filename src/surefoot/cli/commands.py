"""Command line: `surefoot report` makes a page about a folder of runs, `surefoot run` runs the workflow.

Other commands manage the results. The code of a command is imported only when the command is called.
"""

import argparse
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import surefoot
from surefoot.cli.running import mistyped
from surefoot.errors import InputError, nearest
from surefoot.reporting.export.venues import VENUES
from surefoot.workflow.interrupts import raise_again
from surefoot.workflow.machine_errors import EXPLAINED, tell
from surefoot.workflow.project import PACKAGE, SOURCE, check_report

Call = Callable[[], int]
"""Function that executes a command and returns the exit status."""
SHOWN = ("report", "read", "export", "run", "check", "prune")
"""Commands for users; other commands are for the workflow and for developers."""
OF_WORKFLOW = ("run", "check", "prune", "schemas")
"""Commands that use the workflow in the current folder, if there is one."""
WITHOUT_PAGES = ("read", "schemas")
"""Commands that need no package of the extra `report`."""
_ABOUT = """\
Surefoot tells you how good reinforcement-learning algorithms are, and how sure
you can be."""
_ENDING = """\
`surefoot COMMAND --help` shows the options of a command, with examples.

exit status:
  0     all went well
  1     something failed, or a check found something
  2     the command line or the input is wrong; nothing was run
  130   interrupted"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if arguments and arguments[0] in OF_WORKFLOW:
            use_clone_here(arguments)
        options = parsed(arguments)
        if options.command not in WITHOUT_PAGES:
            check_report(f"surefoot {options.command}")
        call: Call = options.call(options)  # this imports modules; an interrupt ends it at once
        raise_again()
        return call()
    except BrokenPipeError:  # such as `surefoot check | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except EXPLAINED as error:
        return tell(error)


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command line into `command`, `call` (a function that returns the `Call`), and options.

    Exits the process if the command line asks for help.

    Raises
    ------
    InputError
        if a command or option is unknown (the hint is the nearest one), or the command line is invalid
    """
    name, *words = ["--help"] if not arguments or arguments[0] == "help" else arguments
    if name == "run" and not {"-h", "--help"} & set(words):
        return argparse.Namespace(command=name, call=_run, words=words)  # Snakemake parses the options
    whole, commands = parsers()
    if name in commands:
        return commands[name].parse_args(words)
    if name not in ("-h", "--help", "-V", "--version"):
        what = f"unknown option {name} for this command" if name.startswith("-") else f'unknown command "{name}"'
        raise InputError("command line", what, nearest(name, SHOWN))
    return whole.parse_args([name])


def use_clone_here(arguments: Sequence[str]) -> None:
    """Restart the command with the code of the clone in the working folder, unless that code is already running.

    Otherwise one version of the code would plan the jobs and another one would run them.
    """
    source = Path("src").absolute()
    is_clone = Path("Snakefile").is_file() and (source / PACKAGE / "__main__.py").is_file()
    if is_clone and source.resolve() != SOURCE.resolve():
        paths = [str(source), *filter(None, [os.environ.get("PYTHONPATH")])]
        variables = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
        os.execve(sys.executable, [sys.executable, "-m", PACKAGE, *arguments], variables)


class _Parser(argparse.ArgumentParser):
    """Parser that raises InputErrors."""

    def error(self, message: str) -> NoReturn:
        """Raise an InputError."""
        raise mistyped(message, self.format_help(), f"see `{self.prog} --help`")


def parsers() -> tuple[_Parser, dict[str, _Parser]]:
    """Return the parser of the whole command line, and the parsers of the commands by name."""
    layout = argparse.RawDescriptionHelpFormatter
    whole = _Parser(prog="surefoot", description=_ABOUT, epilog=_ENDING, formatter_class=layout)
    whole.add_argument("-V", "--version", action="version", version=f"surefoot {surefoot.__version__}")
    commands = whole.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, call: Callable[[argparse.Namespace], Call], usage: str | None = None) -> _Parser:
        """Add the parser of a command, with the docstring of its call as help text."""
        about = inspect.getdoc(call) or ""
        shown: dict[str, Any] = {"help": about.partition("\n")[0]} if name in SHOWN else {}
        added = commands.add_parser(name, description=about, usage=usage, formatter_class=layout, **shown)
        added.set_defaults(command=name, call=call)
        return added

    report = command("report", _report)
    _add_reading(report)
    report.add_argument(
        "-o", "--output", type=Path, default=Path("surefoot-report"), help="folder for the report (%(default)s)"
    )
    report.add_argument("--rule", help="how a learning curve becomes a score (window)")
    report.add_argument(
        "--rule-argument", type=float, help="argument of the rule, such as 0.1 (of the steps) for window"
    )
    report.add_argument("--short-runs", help="what to do with runs that end before the others (worst_score)")
    report.add_argument(
        "--missing-cells",
        choices=("error", "drop_algorithm", "drop_environment"),
        help="what to do if an algorithm has no run in an environment (error)",
    )
    report.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="OTHER",
        help="compare with the runs of a folder, a table or an earlier report, or with published ones, such as "
        "atari_100k:SPR,DER; may be repeated",
    )
    report.add_argument("--baseline", metavar="ALGORITHM", help="compare each algorithm only with this one")
    report.add_argument(
        "--scale",
        help="min_max, none, or a table of reference scores such as atari_human; by default the table that "
        "has all environments, else min_max, or none if there is a single environment or all scores are 0 or 1",
    )
    report.add_argument(
        "--lower-is-better",
        nargs="?",
        type=lambda names: [name.strip() for name in names.split(",")],
        const=True,
        default=False,
        metavar="ENVIRONMENTS",
        help="lower scores are better, in all environments or in those named, separated by commas; metrics can be "
        "named too",
    )
    report.add_argument("--cores", type=int, help="number of cores to use (all)")
    report.add_argument("--yes", action="store_true", help="accept names that are only read from paths, without asking")

    read = command("read", _read)
    _add_reading(read)
    read.add_argument(
        "-o", "--output", type=Path, help="file for the table (.parquet or .csv); by default nothing is written"
    )
    read.add_argument(
        "--account", type=Path, help="write the outcome of each file and row to this .csv or .parquet file"
    )

    export = command("export", _export)
    export.add_argument("study", help="name of a study whose results exist")
    export.add_argument(
        "--venue", required=True, choices=VENUES, metavar="VENUE", help=f"venue of the paper: {', '.join(VENUES)}"
    )
    export.add_argument("-o", "--output", type=Path, default=Path("paper"), help="folder for the files (%(default)s)")
    export.add_argument("--font", help="font family; by default one like Times, if installed")
    export.add_argument("--replace", action="store_true", help="overwrite existing files")

    run = command("run", _run, usage="surefoot run [TARGET ...] [OPTION ...]")
    run.add_argument("--configfile", metavar="FILE", help="files to merge over the configuration")
    run.add_argument("--directory", metavar="FOLDER", help="folder for the results (this folder)")
    run.add_argument("--cores", metavar="N", help="number of cores to use (all)")
    run.add_argument("--dry-run", action="store_true", help="only show what would be made")
    run.add_argument("--verbose", action="store_true", help="show all of Snakemake's output")

    check = command("check", _check)
    prune = command("prune", _prune)
    prune.add_argument("--days", type=float, default=30.0, help="keep files used within this many days (%(default)g)")
    prune.add_argument("--dry-run", action="store_true", help="only list what would be deleted")
    for each in (export, check, prune):
        each.add_argument(
            "--directory",
            type=Path,
            default=Path(),
            help="the folder that contains results/, such as that of a report (this folder)",
        )

    command("schemas", _schemas)
    return whole, commands.choices


def _add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `surefoot.read_runs`."""
    parser.add_argument("folder", type=Path, help="folder with the logs of your runs, or a single file or table")
    parser.add_argument(
        "--format", help="read only logs of this format, such as tensorboard, if the folder has several"
    )
    parser.add_argument(
        "--pattern",
        help='where the names of a run are in its path, such as "{algorithm}/{environment}/{seed}"; {} skips a part',
    )
    parser.add_argument(
        "--score-kind",
        help="read only scores of this kind: eval (evaluation episodes), train (training episodes) or absolute (final "
        "evaluation of the best policy); by default eval if there are any, else train",
    )
    parser.add_argument(
        "--metric",
        action="append",
        help="name under which the score is logged, such as eval/return; repeat it for several metrics, or give "
        "one for each environment as ENVIRONMENT=NAME",
    )
    parser.add_argument(
        "--step",
        help="name under which the steps are logged, or another counter; wall_time: seconds since the start of a run",
    )
    parser.add_argument("--algorithm", help="name of the algorithm, if it is the same for all runs")
    parser.add_argument(
        "--environment",
        help="name of the environment, if it is the same for all runs; for arrays, names of the tasks, separated by "
        "commas",
    )
    parser.add_argument(
        "--name-from",
        action="append",
        default=[],
        metavar="NAME=KEY",
        help="take algorithm, environment or run from a key of the runs' configurations or a column of a table, such "
        "as algorithm=agent.name; may be repeated",
    )
    parser.add_argument(
        "--hyperparameters",
        nargs="+",
        default=[],
        metavar="KEY",
        help="keys of the runs' configurations, or columns of a table, that distinguish runs with the same seed, such "
        "as optimizer.lr",
    )
    parser.add_argument(
        "--invalid-scores",
        default="error",
        help="what to do with scores that are NaN, infinite or not numbers: error or drop (%(default)s)",
    )
    parser.add_argument(
        "--allow-mixed-protocols",
        action="store_true",
        help="compare algorithms with different protocols, and state this everywhere",
    )
    parser.add_argument(
        "--continued",
        help="how to read a log whose steps begin again, or begin where another log ends: join (one training that "
        "continued) or separate (separate runs)",
    )
    parser.add_argument(
        "--wide",
        help="meaning of the columns, if a table has a column of scores for each task, algorithm or run: tasks, "
        "algorithms or runs",
    )
    parser.add_argument(
        "--files",
        nargs="+",
        default=[],
        metavar="GLOB",
        help='read only files whose paths match this pattern, such as "*/eval.csv"',
    )
    parser.add_argument(
        "--strict", action="store_true", help="fail if a file or a row is left out, or a run left no score"
    )


def _reading(options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `surefoot.read_runs` from the options."""
    for text in options.name_from:
        if "=" not in text:
            raise InputError(
                "command line: --name-from", f'"{text}" has no key', "use one such as algorithm=agent.name"
            )
    environment = options.environment
    metrics = options.metric or [""]
    names = ("format", "pattern", "score_kind", "metric", "step", "algorithm", "hyperparameters", "invalid_scores")
    return {
        name: getattr(options, name)
        for name in (*names, "allow_mixed_protocols", "files", "strict", "continued", "wide")
    } | {
        "environment": environment.split(",") if environment and "," in environment else environment,
        "metric": dict(text.split("=", 1) for text in metrics)
        if all("=" in text for text in metrics)
        else options.metric,
        "names_from": dict(text.split("=", 1) for text in options.name_from),
    }


def _report(options: argparse.Namespace) -> Call:
    """Compare algorithms in logs or a table on a page.

    examples:
      surefoot report runs/
      surefoot report runs/ --pattern "{environment}__{algorithm}__{seed}"
      surefoot report runs/ --rule auc -o my-report
      surefoot report runs/ --baseline ppo
      surefoot report runs/ --against atari_100k:SPR,DER
    """
    from surefoot.cli.report_study import Choices
    from surefoot.cli.reporting import report_folder

    choices = Choices(*(getattr(options, name) for name in Choices._fields))
    names = ("folder", "output", "cores", "yes", "against")
    folder, output, cores, agreed, against = (getattr(options, name) for name in names)
    return partial(report_folder, folder, output, choices, cores, agreed, against, _reading(options))


def _read(options: argparse.Namespace) -> Call:
    """Read logs as one table, and list what became of every file.

    examples:
      surefoot read runs/
      surefoot read runs/ -o scores.parquet
      surefoot read runs/ --format tensorboard --score-kind eval -o scores.csv
      surefoot read runs/ --account account.csv
      surefoot read scores.csv --wide tasks
    """
    from surefoot.cli.reading import read_folder

    return partial(read_folder, options.folder, options.output, options.account, _reading(options))


def _export(options: argparse.Namespace) -> Call:
    """Write figures, tables and methods.

    examples:
      surefoot export mine --venue iclr
      surefoot export runs --directory surefoot-report --venue icml_column
    """
    from surefoot.cli.exporting import export

    names = ("study", "venue", "output", "directory", "font", "replace")
    return partial(export, *(getattr(options, name) for name in names))


def _run(options: argparse.Namespace) -> Call:
    """Make pages, figures and tables.

    Targets are studies, figures, tables or files; without one, the whole site
    is made. Existing files, and results in the store, are not made again. This
    runs Snakemake, with the workflow in this folder, or Surefoot's own if there
    is none, and accepts all of Snakemake's options (snakemake --help). The most
    common ones are listed below.

    examples:
      surefoot run example
      surefoot run mine --configfile mine.yaml
      surefoot run figure_5 --dry-run
      surefoot run --cores 4
    """
    from surefoot.cli.running import run

    return partial(run, options.words)


def _check(options: argparse.Namespace) -> Call:
    """Verify files and published numbers.

    examples:
      surefoot check
      surefoot check --directory surefoot-report
    """
    from surefoot.cli.housekeeping import check

    return partial(check, options.directory)


def _prune(options: argparse.Namespace) -> Call:
    """Delete files that are no longer used.

    examples:
      surefoot prune --dry-run
      surefoot prune --days 7
    """
    from surefoot.cli.housekeeping import prune

    return partial(prune, options.directory, options.days, options.dry_run)


def _schemas(options: argparse.Namespace) -> Call:
    """Write the schema and the reference pages, which are generated from the code."""
    from surefoot.cli.reference import schemas

    return schemas
