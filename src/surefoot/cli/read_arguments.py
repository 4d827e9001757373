"""What `surefoot read` and `surefoot report` take; light, since every command's parser is made with it."""

import argparse
from pathlib import Path

import surefoot

_FORMATS = Path(surefoot.__file__).parent / "logs" / "formats"


def add_read_arguments(command: argparse.ArgumentParser) -> None:
    """Those of the function `surefoot.read_runs`, and where the table goes."""
    _add_arguments(command)
    command.add_argument("-o", "--output", type=Path, help="where the table goes (.parquet or .csv)")


def add_report_arguments(command: argparse.ArgumentParser) -> None:
    """Those of `surefoot.read_runs` and `surefoot.scores_of_curves`, and where the report goes."""
    _add_arguments(command)
    command.add_argument(
        "-o", "--output", type=Path, default=Path("surefoot-report"), help="the folder of the report (%(default)s)"
    )
    command.add_argument("--rule", default="window", help="how a learning curve becomes a score (%(default)s)")
    command.add_argument("--amount", type=float, help="what the rule is given, such as 0.1 of the steps for window")
    command.add_argument(
        "--short-runs", default="error", help="what becomes of runs that end before the others (%(default)s)"
    )
    command.add_argument(
        "--scale",
        help="min_max, none, or a table of reference scores such as atari_human; min_max by default, or none where "
        "there is a single environment",
    )
    command.add_argument(
        "--lower-is-better",
        nargs="?",
        const=True,
        default=False,
        metavar="ENVIRONMENTS",
        help="lower scores are better, in all environments or in these, separated by commas; metrics may be named too",
    )
    command.add_argument("--cores", type=int, help="how many cores are used; all of the machine by default")


def _add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("folder", type=Path, help="the folder in which the runs are, or a file of runs")
    command.add_argument("--format", help="the format, where files of several lie in the folder")
    command.add_argument("--pattern", help='how paths are made, such as "{environment}__{algorithm}__{seed}__{}"')
    command.add_argument("--kind", help="eval, train or absolute; by default eval where all runs have it, else train")
    command.add_argument("--metric", action="append", help="name under which the score is logged; may be repeated")
    command.add_argument("--algorithm", help="the algorithm of all runs")
    command.add_argument(
        "--environment", help="the environment of all runs; tasks separated by commas where arrays name none"
    )
    command.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="NAME=KEY",
        help="a key of the runs' configurations that tells a name, such as algorithm=agent.name; may be repeated",
    )
    command.add_argument("--invalid-scores", default="error", help="error or drop, of scores that are not finite")
    command.add_argument(
        "--unlike-protocols",
        default="error",
        help="error or remark, where algorithms were scored in unlike ways; a comparison then says so everywhere",
    )
    names = sorted(path.stem for path in _FORMATS.glob("*.py") if path.stem != "__init__")
    command.epilog = f"formats: {', '.join(names)}"
