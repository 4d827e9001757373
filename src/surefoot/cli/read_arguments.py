"""What `surefoot read`, `report` and `export` take; light, since every command's parser is made with it."""

import argparse
import textwrap
from pathlib import Path

import surefoot
from surefoot.export.venues import VENUES

_FORMATS = Path(surefoot.__file__).parent / "logs" / "formats"


def add_read_arguments(command: argparse.ArgumentParser) -> None:
    """Those of the function `surefoot.read_runs`, and where the table goes."""
    _add_arguments(command)
    command.add_argument(
        "-o", "--output", type=Path, help="file for the table (.parquet or .csv); by default nothing is written"
    )


def add_report_arguments(command: argparse.ArgumentParser) -> None:
    """Those of `surefoot.read_runs` and `surefoot.scores_of_curves`, and where the report goes."""
    _add_arguments(command)
    command.add_argument(
        "-o", "--output", type=Path, default=Path("surefoot-report"), help="folder for the report (%(default)s)"
    )
    command.add_argument("--rule", help="how a learning curve becomes a score (window)")
    command.add_argument("--amount", type=float, help="argument of the rule, such as 0.1 (of the steps) for window")
    command.add_argument("--short-runs", help="what to do with runs that end before the others (error)")
    command.add_argument(
        "--missing-cells",
        help="what to do if an algorithm has no run in an environment: error, drop_algorithm or drop_environment "
        "(error)",
    )
    command.add_argument(
        "--scale",
        help="min_max, none, or a table of reference scores such as atari_human; by default the table that "
        "has all environments, else min_max, or none if there is a single environment",
    )
    command.add_argument(
        "--lower-is-better",
        nargs="?",
        const=True,
        default=False,
        metavar="ENVIRONMENTS",
        help="lower scores are better, in all environments or in those named, separated by commas; metrics can be "
        "named too",
    )
    command.add_argument("--cores", type=int, help="number of cores to use (all)")


def add_export_arguments(command: argparse.ArgumentParser) -> None:
    """Which study, for which venue, and where the files go."""
    command.add_argument("study", help="name of a study that has been made")
    command.add_argument(
        "--venue", required=True, help=f"the venue, which decides widths and fonts: {', '.join(VENUES)}"
    )
    command.add_argument("-o", "--output", type=Path, default=Path("paper"), help="folder for the files (%(default)s)")
    command.add_argument(
        "--directory",
        type=Path,
        default=Path(),
        help="the folder that contains results/, such as that of a report (this folder)",
    )
    command.add_argument("--font", help="font family; by default one like Times, if there is one")
    command.add_argument("--fonts", type=Path, help="folder with font files (.ttf, .otf)")
    command.add_argument(
        "--replace", action="store_true", help="also replace files that were edited, or that no export wrote"
    )


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", type=Path, help="folder of runs, or a single file")
    command.add_argument("--format", help="format of the logs, if the folder has several")
    command.add_argument("--pattern", help='what paths look like, such as "{environment}__{algorithm}__{seed}__{}"')
    command.add_argument("--kind", help="eval, train or absolute; by default eval if all runs have it, else train")
    command.add_argument("--metric", action="append", help="name under which the score is logged; may be repeated")
    command.add_argument(
        "--step", help="name under which the steps are logged, where files have several or another one"
    )
    command.add_argument("--algorithm", help="the algorithm of all runs")
    command.add_argument("--environment", help="the environment of all runs; for arrays, the tasks separated by commas")
    command.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="NAME=KEY",
        help="a key of the runs' configurations that gives a name, such as algorithm=agent.name; may be repeated",
    )
    command.add_argument(
        "--invalid-scores",
        default="error",
        help="what to do with scores that are not finite: error or drop (%(default)s)",
    )
    command.add_argument(
        "--unlike-protocols",
        default="error",
        help="what to do if algorithms were scored in different ways: error, or remark, which compares them and says "
        "so (%(default)s)",
    )
    names = sorted(path.stem for path in _FORMATS.glob("*.py") if path.stem != "__init__")
    command.epilog = textwrap.fill(f"formats: {', '.join(names)}", 80, subsequent_indent="  ")
