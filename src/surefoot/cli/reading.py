"""read: runs as people have them, as one table."""

import argparse
import warnings
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.build.files import whole_file
from surefoot.cli.protocols import protocol_lines, protocol_of
from surefoot.errors import Remark, listed, printable
from surefoot.logs.reading import read_runs
from surefoot.logs.summary import what_was_found

_SUFFIXES = (".parquet", ".csv")
_LISTED = 12
_ENDS = {
    "fewest_runs": ("runs_of_each", "most_runs"),
    "last_step_of_shortest": ("last_step", "last_step_of_longest"),
}
"""Columns with the least of something: what it is called, and the column with the greatest."""


def read(options: argparse.Namespace) -> int:
    """Read a folder of runs, say what was found, and write the table where that is asked for."""
    if options.output is not None:
        check_output(options.output)
    table = read_as_asked(options)
    print(told(table))
    for line in protocol_lines(protocol_of(table), table):
        print(printable(line))
    if options.output is None:
        print("nothing is written. Hint: -o scores.parquet writes the table")
    else:
        with whole_file(options.output) as temporary:
            if options.output.suffix == ".parquet":
                table.to_parquet(temporary, index=False)
            else:
                table.to_csv(temporary, index=False)
        print(options.output)
    return 0


def read_as_asked(options: argparse.Namespace) -> pd.DataFrame:
    """The folder of the command line, read as its options say; see `surefoot.read_runs`, whose remarks `told` tells."""
    environments = options.environment.split(",") if options.environment and "," in options.environment else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Remark)
        return read_runs(
            options.folder,
            format=options.format,
            pattern=options.pattern,
            step=options.step,
            kind=options.kind,
            metric=options.metric,
            algorithm=options.algorithm,
            environment=environments or options.environment,
            keys=_keys(options.key),
            invalid_scores=options.invalid_scores,
            unlike_protocols=options.unlike_protocols,
        )


def check_output(path: Path) -> None:
    """Raise an InputError for a file that is there already, or of a kind that is not written."""
    if path.suffix not in _SUFFIXES:
        raise InputError(
            "command line: -o", f'"{path}" is neither Parquet nor CSV', f"a name in {' or '.join(_SUFFIXES)}"
        )
    if path.exists():
        raise InputError("command line: -o", f"{path} is there already", "another name, or move the file away first")


def _keys(given: Sequence[str]) -> dict[str, str]:
    for text in given:
        if "=" not in text:
            raise InputError("command line: --key", f'"{text}" gives no key', "such as --key algorithm=agent.name")
    return dict(text.split("=", 1) for text in given)


def told(table: pd.DataFrame) -> str:
    """What was found, as lines for the terminal."""
    summary = what_was_found(table)
    constant = [name for name in ("format", "kind") if name in summary.columns and summary[name].nunique() == 1]
    lines = [", ".join(f"{name} {summary[name].iloc[0]}" for name in constant)]
    environments = [printable(name) for name in dict.fromkeys(table["environment"])]
    lines.append(f"environments: {listed(environments, _LISTED)}")
    lines.append(_as_text(summary.drop(columns=constant)))
    lines += [f"remark: {printable(remark)}" for remark in table.attrs["remarks"]]
    return "\n".join(lines)


def _as_text(summary: pd.DataFrame) -> str:
    """Columns one below the other, numbers to the right; the least and the greatest of something share a column, which
    keeps the table narrow enough for a terminal."""
    cells: dict[str, list[str]] = {}
    numbers = set()
    for name in summary.columns.difference([greatest for _, greatest in _ENDS.values()], sort=False):
        title, greatest = _ENDS.get(name, (name, name))
        if summary[name].dtype.kind in "iuf":
            numbers.add(title)
            cells[title] = [_range(*ends) for ends in zip(summary[name], summary[greatest], strict=True)]
        else:
            cells[title] = [printable(str(value)) for value in summary[name]]
    widths = {name: max(map(len, [name, *values])) for name, values in cells.items()}

    def line(values: Sequence[str]) -> str:
        pairs = zip(cells, values, strict=True)
        return "  ".join(
            text.rjust(widths[name]) if name in numbers else text.ljust(widths[name]) for name, text in pairs
        )

    return "\n".join(line(row).rstrip() for row in [list(cells), *map(list, zip(*cells.values(), strict=True))])


def _range(least: float, greatest: float) -> str:
    return f"{least:,}" if least == greatest else f"{least:,} to {greatest:,}"
