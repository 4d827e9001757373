"""Write the scores and the study of a report."""

import shlex
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pandas as pd

from surefoot.cli.reading import ask_about_names, say, summary_lines, write_whole_table
from surefoot.cli.report_against import joined_with
from surefoot.cli.report_choices import Choices
from surefoot.cli.report_files import (
    STUDY_FILE,
    check_folder,
    kept_studies,
    path_of_runs,
    renew_study_file,
    study_text,
)
from surefoot.cli.report_parts import Scored, print_summary, scored_part, write_tables
from surefoot.cli.report_study import (
    SAID,
    cut_to_shortest,
    letters,
)
from surefoot.errors import InputError, Remark, noted, printable, raise_all
from surefoot.runs.columns.run_names import STEPS
from surefoot.runs.logs.account import ACCOUNT, account_lines, account_summary, reading_account
from surefoot.runs.logs.folder_runs import read_runs
from surefoot.runs.result_tables import ACCOUNT_SUMMARY
from surefoot.workflow.files import write_whole

ACCOUNT_FILE = "account.csv"
"""File of a report that lists what became of each file and row."""
ENTRY = "report.html"
"""File of a report that links to its page, even if the folder is moved."""
_LENIENT = {"invalid_scores": "drop", "allow_mixed_protocols": True}
"""Options for reading a folder again after an error."""
_LONGEST_NAME = 40


def write_study(
    runs: Path, folder: Path, choices: Choices, agreed: bool = True, against: Sequence[str] = (), **reading: Any
) -> list[str]:
    """Read a folder of runs, write scores and a study for each metric, and return the names of the studies.

    An existing study is not changed, since it may have been edited; only its scores and the protocol in the logs are
    rewritten.

    Raises
    ------
    InputError
        if no study can be made from the runs and choices, or if choices contradict an existing study
    """
    file = folder / STUDY_FILE
    check_folder(folder)
    problems: list[InputError] = []
    table = _read(runs, reading, problems)
    say(summary_lines(table))
    if not agreed and not file.is_file():
        ask_about_names(table)
    account = reading_account(table)
    table.attrs.pop(ACCOUNT, None)  # the page contains only the summary
    if "step" in table and reading.get("step") not in (None, *STEPS) and choices.short_runs is None:
        table = cut_to_shortest(table, str(reading["step"]))
        say("\n".join(table.attrs[SAID]))
    if against:
        table, choices, account = _with_others(table, account, runs, against, choices, reading)
    table.attrs[ACCOUNT_SUMMARY] = account_summary(account)
    metrics = _by_metric(table)
    kept = kept_studies(file, runs, len(metrics))
    names = list(kept) or _names_of_studies(runs, list(metrics))
    parts = [
        scored_part(name, metric, metrics, choices, runs, file, kept.get(name), problems)
        for name, metric in zip(names, metrics, strict=True)
    ]
    for part in parts:
        print_summary(part)
        write_tables(folder, part)
    write_whole_table(account, folder / ACCOUNT_FILE)
    if kept:
        renewed = renew_study_file(file, [part.protocol for part in parts])
        say(f"{file} is unchanged{', except for the information from the logs' if renewed else ''}")
    else:
        command = " --against ".join([f"surefoot report {runs}", *against])
        _write_study_file(file, runs, command, parts, choices, table.attrs["remarks"])
    _write_entry(folder, names[0])
    again = shlex.join(["surefoot", "run", *targets(names), "--directory", str(folder), "--configfile", str(file)])
    say(f"to run it again after editing {file}: {again}")
    return names


def _read(runs: Path, reading: Mapping[str, Any], problems: list[InputError]) -> pd.DataFrame:
    """Read a folder of runs; after an error, read it with lenient options to find further problems.

    Raises
    ------
    InputError
        if the folder cannot be read with lenient options either
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Remark)  # the summary contains the remarks
        with noted(problems):
            return read_runs(runs, **reading)
        try:
            return read_runs(runs, **{**reading, **_LENIENT})
        except InputError:
            raise_all(str(runs), problems)
            raise


def _with_others(
    table: pd.DataFrame,
    account: pd.DataFrame,
    runs: Path,
    against: Sequence[str],
    choices: Choices,
    reading: Mapping[str, Any],
) -> tuple[pd.DataFrame, Choices, pd.DataFrame]:
    """Return the joined runs, the remaining choices, and the outcomes of all files.

    Raises
    ------
    InputError
        if the runs have several metrics; see also `report_against.joined_with`
    """
    if "metric" in table and table["metric"].nunique() > 1:
        raise InputError("command line: --against", "--against requires a single metric", "choose one with --metric")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Remark)
        table, choices, of_others = joined_with(table, runs, against, choices, reading)
    say("\n".join(table.attrs[SAID]))
    if len(of_others):
        say("\n".join(account_lines(of_others)))
        account = pd.concat([account, of_others], ignore_index=True)
    return table, choices, account


def _by_metric(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the runs of each metric, with "" as the name of a single metric."""
    if "metric" not in table or table["metric"].nunique() == 1:
        return {"": table}
    of_each = table.groupby("metric", sort=False, observed=True)
    return {str(name): rows.drop(columns="metric").reset_index(drop=True) for name, rows in of_each}


def _names_of_studies(runs: Path, metrics: Sequence[str]) -> list[str]:
    """Return the name of the study of each metric.

    Raises
    ------
    InputError
        if two metrics have the same name in letters and digits
    """
    titles = [letters(f"{runs.resolve().stem[:_LONGEST_NAME]} {metric}") for metric in metrics]
    names = [title if title[:1].isalpha() else f"runs_{title}".rstrip("_") for title in titles]
    if len(set(names)) < len(names):
        what = f"{' and '.join(metrics)} would give two studies the same name"
        raise InputError("command line: --metric", what, "choose fewer metrics")
    return names


def _write_study_file(
    file: Path, runs: Path, command: str, parts: Sequence[Scored], choices: Choices, remarks: Sequence[str]
) -> None:
    """Write the studies, after comments with the command and the remarks."""
    again = " ".join(["surefoot run", *targets([part.name for part in parts]), f"--configfile {STUDY_FILE}"])
    lines = [f"Written by `{command}`: edit it, and run it again in this folder with", again, *remarks]
    head = "".join(f"# {printable(' '.join(line.split()))}\n" for line in lines)
    texts = [study_text(part.name, part.section, part.protocol, choices.allow_mixed_protocols) for part in parts]
    of_runs = f"# Runs: {path_of_runs(runs, file.parent)}\n"
    write_whole(file, f"{of_runs}{head}shipped_studies: false\nstudies:\n{''.join(texts)}")


def _write_entry(folder: Path, name: str) -> None:
    """Write the file that links to the page of the first study."""
    page = quote(f"results/render/{name}.html")
    link = f'<meta http-equiv="refresh" content="0; url={page}">\n<a href="{page}">The report</a>\n'
    write_whole(folder / ENTRY, link)


def targets(names: Sequence[str]) -> Sequence[str]:
    """Return the Snakemake targets of a report: its only study, or an empty list (everything) if it has several."""
    return names if len(names) == 1 else []
