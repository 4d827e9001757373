"""The command `read`: read runs into one table."""

import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from surefoot.errors import InputError, Remark, listed, printable
from surefoot.runs.columns.run_names import RUN
from surefoot.runs.columns.run_tables import HYPERPARAMETERS
from surefoot.runs.logs.account import USED, account_lines, reading_account
from surefoot.runs.logs.folder_runs import read_runs
from surefoot.runs.logs.protocol_in_logs import protocols_in_logs
from surefoot.runs.logs.run_table import summarize_runs
from surefoot.runs.protocol_card import counts_of, methods_sentence, selection_sentence, unfinished, unlike_remark
from surefoot.runs.text_columns import plain_cell
from surefoot.workflow.files import whole_file

_SUFFIXES = (".parquet", ".csv")
_LISTED = 12
_SHOWN = 4
"""Number of runs whose names are shown before a page is made."""
_ENDS = {
    "min_runs": ("runs_of_each", "max_runs"),
    "last_step_of_shortest": ("last_step", "last_step_of_longest"),
}
"""Columns with a minimum, mapped to the title of the range and the column with the maximum."""


def read_folder(folder: Path, output: Path | None, account: Path | None, reading: Mapping[str, Any]) -> int:
    """Read a folder of runs, print a summary, write the table, and return the exit status.

    Parameters
    ----------
    output : file for the table (.parquet or .csv); None writes nothing
    account : file for the outcome of each file and row; None writes nothing
    reading : arguments of `surefoot.read_runs`
    """
    for option, path in (("-o", output), ("--account", account)):
        if path is not None:
            check_output(path, option)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Remark)  # the summary contains the remarks
        table = read_runs(folder, **reading)
    say(summary_lines(table))
    for line in protocol_lines({"logs": protocols_in_logs(table)}, table):
        say(line)
    if account is not None:
        write_whole_table(reading_account(table), account)
    if output is None:
        say("nothing is written. Hint: use -o scores.parquet to write the table")
    else:
        write_whole_table(table, output)
    return 0


def write_whole_table(table: pd.DataFrame, path: Path) -> None:
    """Write a table as Parquet or CSV, depending on the suffix, and print the path.

    Strings in a CSV are escaped so that spreadsheets do not evaluate them.
    """
    with whole_file(path) as temporary:
        if path.suffix == ".parquet":
            table.to_parquet(temporary, index=False)
        else:
            texts = table.select_dtypes(["string", "category"]).columns
            table.assign(**{name: table[name].map(plain_cell, na_action="ignore") for name in texts}).to_csv(
                temporary, index=False
            )
    say(str(path))


def say(text: str) -> None:
    """Print text that may contain names from the user, with control characters escaped."""
    print(printable(text, "\n"), flush=True)


def check_output(path: Path, option: str) -> None:
    """Raise an InputError if a file already exists, or has an unsupported suffix."""
    where = f"command line: {option}"
    if path.suffix not in _SUFFIXES:
        raise InputError(
            where, f'"{path}" is neither Parquet nor CSV', f"use a name that ends in {' or '.join(_SUFFIXES)}"
        )
    if path.exists():
        raise InputError(where, f"{path} already exists", "choose another name, or move the file away first")


def protocol_lines(protocol: Mapping[str, Any], runs: pd.DataFrame) -> list[str]:
    """Return lines for the terminal: definition of a score, differences in protocols, bias of selected maxima.

    Parameters
    ----------
    protocol : protocol in the format of a study
    runs : the table that was read, or the scores
    """
    environments = list(map(str, dict.fromkeys(runs["environment"])))
    counts = counts_of(runs, environments, runs.attrs.get(HYPERPARAMETERS, ()))
    remark = unlike_remark(protocol)
    names = {name: name for name in runs["algorithm"].astype(str)}
    said = [methods_sentence(protocol, names, counts), unfinished(protocol, names)]
    lines = [f"what a score is: {' '.join(filter(None, said))}"]
    lines += [f"remark: {remark}"] if remark else []
    selection = selection_sentence(protocol)
    return lines + ([f"selection: {selection}"] if selection else [])


def summary_lines(table: pd.DataFrame) -> str:
    """Return a summary of a table of runs, as lines for the terminal."""
    summary = summarize_runs(table)
    if not table.attrs.get("kind_is_stated", True):
        summary = summary.drop(columns="kind")
    constant = [name for name in ("format", "kind") if name in summary.columns and summary[name].nunique() == 1]
    lines = [", ".join(f"{name} {summary[name].iloc[0]}" for name in constant)]
    environments = list(map(str, dict.fromkeys(table["environment"])))
    lines.append(f"environments: {listed(environments, _LISTED)}")
    lines.append(_as_text(summary.drop(columns=constant)))
    account = reading_account(table)
    lines += account_lines(account)
    if "guessed_pattern" in table.attrs:
        lines += guessed_names(account)
    lines += [f"remark: {remark}" for remark in table.attrs["remarks"]]
    return "\n".join(lines)


def guessed_names(account: pd.DataFrame) -> list[str]:
    """Return a small table of the names extracted from paths, as lines for the terminal."""
    each = account.loc[account["outcome"] == USED, ["file", *RUN]].drop_duplicates(list(RUN))
    shown = pd.concat([each.iloc[:_SHOWN], each.iloc[max(_SHOWN, len(each) - 1) :]]).map(printable)
    return ["names that were read from the paths alone:", *shown.to_string(index=False).splitlines()]


def ask_about_names(table: pd.DataFrame) -> None:
    """Ask in the terminal whether names that were only extracted from paths are right.

    Raises
    ------
    InputError
        if the names are wrong, or if there is no terminal
    """
    if "guessed_pattern" not in table.attrs:
        return
    pattern = table.attrs["guessed_pattern"]
    what = "only the paths indicate the algorithm and environment of a run"
    if sys.stdin is not None and sys.stdin.isatty():
        if input("Are these names right? [y/N] ").strip().lower() in ("y", "yes"):
            return
        what = "the names read from the paths are wrong"
    hint = f'describe the paths, such as --pattern "{pattern}"; or use --yes if the names above are right'
    raise InputError("command line: --pattern", what, hint)


def _as_text(summary: pd.DataFrame) -> str:
    """Format the summary; minimum and maximum share a column, so that the table fits a terminal."""
    for least, (title, greatest) in _ENDS.items():
        if least in summary:
            ends = zip(summary[least], summary.pop(greatest), strict=True)
            summary[least] = [f"{low:,}" if low == high else f"{low:,} to {high:,}" for low, high in ends]
            summary = summary.rename(columns={least: title})
    texts = summary.map(lambda value: printable(value) if isinstance(value, str) else f"{value:,}")
    return str(texts.to_string(index=False))
