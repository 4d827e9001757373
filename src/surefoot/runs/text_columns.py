"""Columns of strings in result tables, and escaping of cells for spreadsheets.

Cells of pages import this module, so it imports nothing heavy.
"""

import csv
import io
import re

NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|[-+]?inf")
_OF_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""First characters of cells that spreadsheets interpret as formulas."""


def plain_cell(text: str) -> str:
    """Prefix a string, but not a number, with an apostrophe if a spreadsheet would run it as a formula (``=A1``)."""
    return f"'{text}" if text.startswith(_OF_FORMULAS) and not NUMBER.fullmatch(text) else text


def for_spreadsheets(text: str) -> str:
    """Apply `plain_cell` to each cell of a CSV text."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    cells = [list(map(plain_cell, row)) for row in rows]
    if cells == rows:
        return text
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows(cells)
    return written.getvalue()


# An algorithm may be called 007, 1e3, NA or None, and a title may be a number.
TEXT_COLUMNS = frozenset(
    (
        *("algorithm", "environment", "opponent", "cell", "study", "stage", "part", "baseline", "game", "env"),
        *("curve", "run_name"),
        *("title", "environment_title", "opponent_title"),
        *("variant", "parameters", "algorithms", "environments"),
        *("method", "aggregate", "item", "text", "source", "verdict", "reason", "finding", "effect"),
        *("scores", "metric", "profile", "protocol", "resample", "quantity", "degrees_of_freedom"),
        *("scenario", "normalization", "procedure", "jumps", "view", "machine"),
        *("hyperparameters", "setting"),
        *("analysis", "made", "code", "configuration"),
        *("subject", "data", "target", "remark", "outcome", "shared_runs", "group_letters", "better", "comparisons"),
    )
)
