"""Parse CSV text with any common separator and decimal sign."""

import csv
import io
import re
import warnings
from collections.abc import Sequence

import pandas as pd

from surefoot.errors import InputError, shortened
from surefoot.runs.given_files import refuse_long_lines

_MISSING = ["", "nan", "NaN", "NAN", "NA", "N/A", "null", "None"]
"""Strings that tools write to a CSV for a missing number."""
_SEPARATORS = (";", "\t", "|")
"""Column separators other than commas."""
_BLANKS_AFTER_NAMES = re.compile(r" +(?=[,;|\t\r]|$)")
_BEFORE_HEADER = ("#", "sep=")
_DECIMAL_COMMA = re.compile(r'(?:^|;)[ "]*[-+]?(\d+,\d+)(?:[eE][-+]?\d+)?[ "]*(?=;|$)', re.MULTILINE)
_THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}")
"""A number in which a comma could also be a thousands separator."""


def without_comments(text: str) -> str:
    """Remove blank lines, comments and Excel's line ``sep=;`` before the header of CSV text.

    A comment line directly above rows of numbers is used as the header, as `numpy.savetxt` writes it.
    """
    comment = ""
    while text and is_before_header(first := text.partition("\n")[0]):
        comment = first.strip() and first
        text = text[len(first) + 1 :]
    first = text.partition("\n")[0]
    header = comment.lstrip("# ")
    if header and is_of_numbers(first) and len(split_header(header)[0]) == len(split_header(first)[0]):
        return f"{header}\n{text}"
    plain = first if '"' in first else _BLANKS_AFTER_NAMES.sub("", first)
    return text if plain == first else plain + text[len(first) :]


def is_before_header(line: str) -> bool:
    """Return True for a line that may precede the header of a CSV: blank, a comment, or Excel's ``sep=;``."""
    return not line.strip() or line.startswith(_BEFORE_HEADER)


def is_of_numbers(line: str) -> bool:
    """Return True if all cells of a line are numbers, as in a file without a header."""
    try:
        return bool([float(cell) for cell in re.split(r"[,;|\s]+", line.strip(",;| \t\r"))])
    except ValueError:
        return False


def split_header(line: str) -> tuple[list[str], str]:
    """Return the column names in the first line of a CSV, and the separator."""
    names = next(csv.reader([line], skipinitialspace=True), [])
    sign = next((sign for sign in _SEPARATORS if len(names) == 1 and sign in names[0]), ",")
    return (names if sign == "," else next(csv.reader([line], delimiter=sign, skipinitialspace=True))), sign


def _without_repeated_header(text: str) -> str:
    """Remove repeated header lines from CSV text; a resumed training writes the header again."""
    end = text.find("\n")
    header = text[:end]
    if text.find(f"\n{header}\n", end) < 0 or not any(map(str.isalpha, header)):
        return text
    return "\n".join([header, *(row for row in text[end + 1 :].split("\n") if row != header)])


def _decimal_sign(text: str, where: str) -> str:
    """Return the decimal sign of CSV text whose columns are separated by semicolons.

    Raises
    ------
    InputError
        if commas could be thousands separators
    """
    with_commas = [match[1] for match in _DECIMAL_COMMA.finditer(text)]
    if with_commas and all(map(_THOUSANDS.fullmatch, with_commas)):
        what = f"commas may be decimal signs or thousands separators, as in {with_commas[0]}"
        hint = "pandas.read_csv(file, sep=';', decimal=',').to_csv(other, index=False) treats them as decimal signs"
        raise InputError(where, what, hint)
    return "," if with_commas else "."


def parse_csv(text: str, where: str, texts: Sequence[str] | None = ()) -> pd.DataFrame:
    """Parse CSV text, converting numbers. Empty text gives a table without columns.

    Columns may be separated by semicolons, tabs or vertical bars. With semicolons, numbers may have decimal commas.

    Parameters
    ----------
    where : name of the CSV in error messages
    texts : columns to read as strings, even if their values look like numbers or NA; None for all columns

    Raises
    ------
    InputError
        if the text is not readable as CSV, or two columns have the same name
    """
    if not text.strip():
        return pd.DataFrame()
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # line endings of old Macs (CR), which pandas does not handle
    text = _without_repeated_header(without_comments(text))
    refuse_long_lines(text, where)
    try:
        names, sign = split_header(text.partition("\n")[0])
        if again := [name for position, name in enumerate(names) if name and name in names[:position]]:
            raise InputError(
                where, f'two columns have the name "{shortened(again[0])}"', "rename or remove one of them"
            )
        types = str if texts is None else dict.fromkeys(texts, str)  # for all columns, including unnamed ones
        texts = names if texts is None else texts
        with warnings.catch_warnings():
            # Ignore cells beyond the header, since some loggers write an empty one at the end of each line.
            warnings.simplefilter("error" if texts else "ignore", pd.errors.ParserWarning)
            return pd.read_csv(
                io.BytesIO(text.encode()),
                sep=sign,
                decimal=_decimal_sign(text, where) if sign == ";" else ".",
                skipinitialspace=True,
                low_memory=False,
                index_col=False,
                dtype=types,
                keep_default_na=False,
                na_values={name: _MISSING for name in names if name not in texts},
            )
    except pd.errors.ParserWarning:
        raise InputError(where, "rows have more cells than the header", "name all columns") from None
    except InputError:
        raise
    except (ValueError, csv.Error, OverflowError) as error:  # including pandas' parser errors
        what = " ".join(str(error).split())
        raise InputError(
            where, f"not readable as CSV: {what}", "use as many cells in each row as in the header"
        ) from None
