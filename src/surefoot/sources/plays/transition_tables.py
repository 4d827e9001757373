"""CSV tables of the possible transitions of a distribution over MDPs, as a study's `distributions` names them."""

import csv
import math
from pathlib import Path

from surefoot.bayesian.distributions import COLUMNS

PLACES = COLUMNS[:3]
"""The columns that say where a transition leads from and to."""

MOST_NUMBERS = 125_000_000
"""Of states x actions x states: pseudo-counts and rewards are kept dense, and this many float64 are 1 GB."""


def read_transitions(path: Path) -> list[list[float]]:
    """The rows for `surefoot.bayesian.distributions.from_rows`, each with the numbers that `COLUMNS` name.

    Raises
    ------
    ValueError
        one sentence and a hint: no such file, no text, other columns or fields, no numbers, too many states
    """
    header, rows = _fields(path)
    twice = [name for name in COLUMNS if header.count(name) > 1]
    if twice:
        raise ValueError(f'{path}: column "{twice[0]}" stands twice. Hint: keep one.')
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        raise ValueError(f'{path}: no column "{missing[0]}". Hint: the columns are {", ".join(COLUMNS)}.')
    if not rows:
        raise ValueError(f"{path}: no row below the columns. Hint: one row per transition.")
    table = [_numbers(f"{path}, line {line}", header, fields) for line, fields in rows]
    states, actions = (int(max(row[at] for row in table for at in which)) + 1 for which in ((0, 2), (1,)))
    if states * actions * states > MOST_NUMBERS:
        raise ValueError(
            f"{path}: {states:.8g} states and {actions:.8g} actions are too many. Hint: number them from 0 on without "
            f"gaps; states x actions x states at most {MOST_NUMBERS:,}, which take 1 GB of memory."
        )
    return table


def _fields(path: Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The names of the columns, and (line, fields) of every row."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:  # spreadsheets put a byte order mark first
            reader = csv.reader(file)
            rows = [(reader.line_num, fields) for fields in reader if fields]
    except FileNotFoundError:
        hint = f"paths are relative to {Path.cwd()}, where the workflow runs"
        raise ValueError(f"{path}: no such file. Hint: {hint}.") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}. Hint: it must be a CSV file that can be read.") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: byte {error.start} is no text in UTF-8. Hint: save it as CSV in UTF-8.") from None
    except csv.Error as error:
        raise ValueError(f"{path}: not a CSV table: {error}. Hint: save it as CSV with commas.") from None
    return (rows[0][1], rows[1:]) if rows else ([], [])


def _numbers(where: str, header: list[str], fields: list[str]) -> list[float]:
    if len(fields) != len(header):
        raise ValueError(f"{where}: {len(fields)} fields, and {len(header)} columns. Hint: one field for each column.")
    given = dict(zip(header, fields, strict=True))
    numbers = []
    for name in COLUMNS:
        try:
            number = float(given[name])
        except ValueError:
            hint = "number states and actions from 0 on"
            raise ValueError(f'{where}: {name} "{given[name]}" is no number. Hint: {hint}.') from None
        if not math.isfinite(number):
            raise ValueError(f"{where}: {name} {number:g} is not finite. Hint: a number.")
        if name in PLACES and (number < 0.0 or number != math.floor(number)):
            raise ValueError(f"{where}: {name} {number:g} is none of the whole numbers from 0 on. Hint: number them.")
        numbers.append(number)
    return numbers
