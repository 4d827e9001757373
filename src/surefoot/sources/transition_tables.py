"""CSV tables of the possible transitions of a distribution over MDPs, as a study's `distributions` names them."""

import csv
import math
from pathlib import Path

from surefoot.bayesian.distributions import COLUMNS
from surefoot.errors import HintedError, shortened

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
        raise HintedError(str(path), f'column "{twice[0]}" stands twice', "keep one")
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        raise HintedError(str(path), f'no column "{missing[0]}"', f"the columns are {', '.join(COLUMNS)}")
    if not rows:
        raise HintedError(str(path), "no row below the columns", "one row per transition")
    table = [_numbers(f"{path}, line {line}", header, fields) for line, fields in rows]
    states, actions = (int(max(row[at] for row in table for at in which)) + 1 for which in ((0, 2), (1,)))
    if states * actions * states > MOST_NUMBERS:
        raise HintedError(
            str(path),
            f"{states:.8g} states and {actions:.8g} actions are too many",
            "number them from 0 on without gaps; states x actions x states at most "
            f"{MOST_NUMBERS:,}, which take 1 GB of memory",
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
        raise HintedError(str(path), "no such file", hint) from None
    except OSError as error:
        raise HintedError(str(path), error.strerror or str(error), "it must be a CSV file that can be read") from None
    except UnicodeDecodeError as error:
        raise HintedError(str(path), f"byte {error.start} is not valid UTF-8", "save it as CSV in UTF-8") from None
    except csv.Error as error:
        raise HintedError(str(path), f"not a CSV table: {error}", "save it as CSV with commas") from None
    return (rows[0][1], rows[1:]) if rows else ([], [])


def _numbers(where: str, header: list[str], fields: list[str]) -> list[float]:
    if len(fields) != len(header):
        raise HintedError(where, f"{len(fields)} fields, and {len(header)} columns", "one field for each column")
    given = dict(zip(header, fields, strict=True))
    numbers = []
    for name in COLUMNS:
        try:
            number = float(given[name])
        except ValueError:
            hint = "number states and actions from 0 on"
            raise HintedError(where, f'{name} "{shortened(given[name])}" is not a number', hint) from None
        if not math.isfinite(number):
            raise HintedError(where, f"{name} {number:g} is not finite", "a number")
        if name in PLACES and (number < 0.0 or number != math.floor(number)):
            raise HintedError(where, f"{name} {number:g} is none of the whole numbers from 0 on", "number them")
        numbers.append(number)
    return numbers
