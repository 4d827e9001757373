"""The command `report` and the function `surefoot.report`: make a page about runs, and an editable study."""

import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from surefoot.cli.reading import say
from surefoot.cli.report_choices import Choices
from surefoot.cli.report_files import (
    RUNS_FILE,
    STUDY_FILE,
    check_folder,
    kept_studies,
)
from surefoot.cli.report_writing import targets, write_study
from surefoot.cli.running import run_with_progress, snakemake_command
from surefoot.errors import HintedError, InputError, listed
from surefoot.runs.columns.arguments import types_checked
from surefoot.runs.columns.run_names import RUN
from surefoot.runs.columns.run_tables import HYPERPARAMETERS, UNFINISHED, UNNAMED_JOBS, check_runs
from surefoot.runs.given.given_arrays import scores_table
from surefoot.runs.logs.account import ACCOUNT
from surefoot.runs.result_tables import SCALE
from surefoot.workflow.files import whole_file

_FROM_READING = (
    ACCOUNT,
    UNFINISHED,
    UNNAMED_JOBS,
    "format",
    "metrics",
    "returns",
    "kind_is_stated",
    "points_are_numbered",
    "unit",
)
"""Attributes from `surefoot.read_runs` that are kept in a file in addition to the rows."""
_LISTED = 3
_LINES = 20
"""Number of lines at the end of Snakemake's output that an error quotes."""


@types_checked
def report(
    runs: Any,
    folder: str | Path = "surefoot-report",
    *,
    rule: str | None = None,
    rule_argument: float | None = None,
    short_runs: str | None = None,
    missing_cells: Literal["error", "drop_algorithm", "drop_environment"] | None = None,
    scale: str | None = None,
    lower_is_better: bool | str | Sequence[str] = False,
    allow_mixed_protocols: bool = False,
    baseline: str | None = None,
    cores: int | None = None,
) -> Path:
    """Make a page about runs, and a study that can be edited and run again, like the command `surefoot report`.

    The table is stored in the folder as runs.parquet. Another call with the same folder updates the scores and keeps
    the study. It is an error if arguments contradict the study, if the environments differ from the earlier runs, or
    if no algorithm is the same.

    Parameters
    ----------
    runs : DataFrame or dict
        Columns algorithm, environment, run and score, with one row per run, or with a column step, one row per run and
        step, as returned by `surefoot.read_runs` and `surefoot.normalize_scores`.
    folder : str or Path, default "surefoot-report"
        Folder of the report: new, empty, or the folder of an earlier report on a table.
    rule, rule_argument, short_runs : optional
        Arguments of `surefoot.score_curves`, which reduces a learning curve to a score.
    missing_cells : {"error", "drop_algorithm", "drop_environment"}, optional
        Policy for algorithms without runs in an environment: "error", "drop_algorithm" or "drop_environment".
    scale : str, optional
        One of min_max, none, or a table of reference scores. Default: none for tables from `surefoot.normalize_scores`
        and for a single environment; otherwise the table of reference scores that has all environments. If there is no
        such table, none for scores of 0 and 1, and min_max for all other scores.
    lower_is_better : bool or list of str, default False
        True if lower scores are better in all environments, or the names of the environments where they are better.
    allow_mixed_protocols : bool, default False
        If True, compare algorithms whose scores have different protocols; the page then states this prominently.
    baseline : str, optional
        Algorithm with which the other algorithms are compared. Default: all pairs are compared.
    cores : int, optional
        Number of cores to use. Default: all.

    Returns
    -------
    Path
        Path of the page.

    Raises
    ------
    HintedError
        If the table or an argument is invalid, the folder contains other files, or the page cannot be made.

    Notes
    -----
    Source: see the functions of the questions on the page.
    """
    if cores is not None and cores < 1:
        raise HintedError("surefoot.report: cores", f"{cores} is too small", "use at least 1")
    output = Path(folder)
    table = scores_table(runs)
    check_runs("runs", table)
    if scale is None and SCALE in table.attrs:
        scale = "none"
    lower = [lower_is_better] if isinstance(lower_is_better, str) else lower_is_better
    choices = Choices(rule, rule_argument, short_runs, missing_cells, scale, lower, allow_mixed_protocols, baseline)
    metrics = list(dict.fromkeys(table["metric"].astype(str))) if "metric" in table else None
    file = output / RUNS_FILE
    hyperparameters = table.attrs.get(HYPERPARAMETERS, ())
    try:
        check_folder(output)
        kept_studies(output / STUDY_FILE, file, len(metrics or [""]))
        _refuse_other_names(table, file)
        # Names that may be numbers in one row and strings in another are kept as strings.
        mixed = [name for name in RUN if table[name].dtype == object]
        kept = table.astype(dict.fromkeys(mixed, str)).reset_index(drop=True)
        kept.attrs = {name: table.attrs[name] for name in _FROM_READING if name in table.attrs}
        output.mkdir(parents=True, exist_ok=True)
        with whole_file(file) as temporary:
            kept.to_parquet(temporary, index=False)
        names = write_study(file, output, choices, format="table", metric=metrics, hyperparameters=hyperparameters)
    except InputError as error:
        raise HintedError(_as_argument(error.where), error.what, _as_argument(error.hint)) from None
    arguments = _arguments(output, names, cores)
    done = subprocess.run(snakemake_command(arguments), capture_output=True, text=True, check=False)
    if done.returncode:
        output_lines = "\n".join([*done.stdout.splitlines(), *done.stderr.splitlines()][-_LINES:])
        what = f"its page could not be made:\n{output_lines}"
        raise HintedError(str(output / STUDY_FILE), what, f"try {shlex.join(['surefoot', 'run', *arguments])}")
    return page_of(output, names)


def report_folder(
    folder: Path,
    output: Path,
    choices: Choices,
    cores: int | None,
    agreed: bool,
    against: Sequence[str],
    reading: Mapping[str, Any],
) -> int:
    """Read a folder of runs, write scores and a study, make its page, and return the exit status.

    The path of the page is the last printed line.

    Parameters
    ----------
    output : folder of the report
    cores : number of cores; None for all
    agreed : True to accept names that were only extracted from paths; otherwise ask in the terminal
    against : runs to compare with; see `report_against.joined_with`
    reading : arguments of `surefoot.read_runs`
    """
    if cores is not None and cores < 1:
        raise InputError("command line: --cores", f"{cores} cores are too few", "use at least 1")
    names = write_study(folder, output, choices, agreed, against, **reading)
    status = run_with_progress(_arguments(output, names, cores))
    if status == 0:
        say(str(page_of(output, names)))
    return status


def page_of(folder: Path, names: Sequence[str]) -> Path:
    """Return the path of the page of the first study of a report."""
    return folder / "results" / "render" / f"{names[0]}.html"


def _arguments(folder: Path, names: Sequence[str], cores: int | None) -> list[str]:
    """Return the Snakemake arguments that make the pages of a report."""
    arguments = [*targets(names), "--directory", str(folder), "--configfile", str(folder / STUDY_FILE)]
    return [*arguments, "--cores", str(cores or "all")]


def _refuse_other_names(table: pd.DataFrame, file: Path) -> None:
    """Raise an InputError if the table and the study of an earlier report are about other runs."""
    if not file.is_file():
        return
    earlier = pd.read_parquet(file, columns=list(RUN[:2])).astype(str)
    algorithms, environments = (sorted(earlier[name].unique()) for name in RUN[:2])
    same_environments = set(environments) == set(table["environment"].astype(str))
    if not same_environments or set(algorithms).isdisjoint(table["algorithm"].astype(str)):
        names = f"{listed(algorithms, _LISTED)} in {listed(environments, _LISTED)}"
        what = f"{file.parent} has a report on other runs ({names})"
        raise InputError(
            "command line: -o", what, f"use -o {shlex.quote(f'{file.parent}-2')}, or any other folder, to keep both"
        )


def _as_argument(text: str) -> str:
    """Convert options of the command in a message to arguments of the function."""
    text = re.sub(r"(?<![\w-])-o(?![\w-])", "--folder", text.removeprefix("command line: "))

    def argument(option: re.Match[str]) -> str:
        name = option[1].replace("-", "_")
        value = option[2]
        return f'{name}="{shlex.split(value)[0]}"' if value else name

    return re.sub(r"--([a-z-]+)(?: ('.+?'|[\w/.][^\s,;]*))?", argument, text)
