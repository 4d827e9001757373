"""Columns that name runs, and checks of the names."""

import datetime
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import InputError, listed, nearest, shortened, shown

_LISTED = 12
_NEVER_IN_NAMES = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that names must not contain: control characters, line separators, marks that change the direction of text,
and surrogates, which UTF-8 cannot encode.
"""
_OTHER_KINDS = {
    "true and false": (bool, np.bool_),
    "dates": (datetime.date, np.datetime64),
    "times": (datetime.time,),
    "durations": (datetime.timedelta, np.timedelta64),
    "bytes": (bytes,),
    "complex numbers": (complex, np.complexfloating),
    "lists": (list, tuple, set, dict, np.ndarray),
}
"""Unsupported types of values in columns, by name."""
RUN = ("algorithm", "environment", "run")
"""Columns that identify a run."""
STEPS = (
    *("global_step", "env_step", "env_steps", "environment_steps", "total_env_steps", "num_env_steps", "agent_steps"),
    *("total_timesteps", "time/total_timesteps", "timesteps", "timestep", "total_steps", "steps", "step", "Step"),
    *("frames", "frame", "total_frames", "TotalEnvInteracts", "_step"),
)
"""Names under which tools log the step; the first one present is used."""
COLUMN_NAMES = {
    "algorithm": ("algorithm", "algo", "agent", "method"),
    "environment": ("environment", "env", "env_id", "task", "game"),
    "run": ("run", "seed"),
    "score": ("score", "return", "reward", "episode_return", "episodic_return"),
    "step": tuple(dict.fromkeys(["step", *(name.casefold() for name in STEPS)])),
}
"""Common names of the columns of a table of runs, in lower case."""

_ADDED = {
    "algorithm": "for a single algorithm, use table.assign(algorithm='my algorithm')",
    "environment": "for a single environment, use table.assign(environment='my environment')",
    "run": "to number the runs, use table.assign(run=table.groupby(['algorithm', 'environment']).cumcount())",
}
"""Hints for columns that can be added."""
FROM_A_FILE = 'surefoot.read_runs("scores.csv") reads a file or a folder'
"""Hint for a path where runs are required."""


def named_run(row: Mapping[Any, Any]) -> str:
    """Return the name of the run in a row of a table, for messages."""
    return shortened(f"{row['algorithm']} in {row['environment']}, run {row['run']}")


def with_usual_names(table: pd.DataFrame) -> pd.DataFrame:
    """Rename columns such as agent, env, seed and return to the standard names, if the match is unique.

    The column `frames` is not renamed to `step`, since questions about curves accept it under this name.
    """
    there = {str(name).casefold(): name for name in table.columns}
    renamed = {}
    for usual, names in COLUMN_NAMES.items():
        found = [there[name] for name in names if name in there]
        if len(found) == 1 and found[0] not in (usual, "frames"):
            renamed[found[0]] = usual
    return table.rename(columns=renamed) if renamed else table


def _hint_for_missing(missing: Sequence[str], columns: Sequence[str], there: pd.Index) -> str:
    """Return a hint for a table that lacks columns: rename a column, add one, or pass a wide table as an array."""
    required = f"the required columns are {', '.join(columns)}"
    if len(missing) == len(columns) and "algorithm" in columns:
        return f"{required}; for a table with one column per task, use {{'my algorithm': table.to_numpy()}}"
    if others := [name for name in there if name not in columns]:
        return f"{required}; rename yours, for example with table.rename(columns={{{others[0]!r}: {missing[0]!r}}})"
    if "step" in missing:
        return f"{required}; arrays of learning curves are runs x tasks x steps"
    return f"{required}; {_ADDED[missing[0]]}" if missing[0] in _ADDED else required


def refuse_missing_columns(where: str, table: Any, columns: Sequence[str]) -> None:
    """Raise an InputError for an input that is not a pandas table, or lacks columns or rows.

    Duplicate column names are also an error.
    """
    if not isinstance(table, pd.DataFrame):
        what = "an empty dict" if isinstance(table, Mapping) and not table else f"a {type(table).__name__}"
        hint = f"use a pandas table with the columns {', '.join(columns)}"
        hint = FROM_A_FILE if isinstance(table, str | PathLike) else hint
        raise InputError(where, f"{what} is not a table", hint)
    columns_there = pd.Index(map(str, table.columns))
    missing = [name for name in columns if name not in columns_there]
    if missing:
        is_missing = f"columns {', '.join(missing)} are" if len(missing) > 1 else f"column {missing[0]} is"
        what = f"{is_missing} missing; there are {listed(list(columns_there), _LISTED)}"
        raise InputError(where, what, _hint_for_missing(missing, columns, columns_there))
    for name in columns_there[columns_there.duplicated()][:1]:
        raise InputError(where, f'two columns have the name "{shortened(name)}"', "rename or remove one of them")
    if table.empty:
        hint = f"write one row per run{' and step' if 'step' in columns else ''}"
        raise InputError(where, "the table has no rows", hint)


def refuse_absent(where: str, column: str, names: Iterable[str], runs: pd.DataFrame) -> None:
    """Raise an InputError if a named algorithm or environment has no runs; the hint is the nearest name."""
    there = list(dict.fromkeys(runs[column].astype(str)))
    for name in names:
        if name not in there:
            raise InputError(where, f'no runs for the {column} "{shortened(name)}"', nearest(name, there))


def refuse_bad_names(where: str, column: str, names: pd.Series) -> None:
    """Raise an InputError for names that are missing, empty, not printable, or look the same.

    For example, 1 and "1" look the same, and so do two Unicode encodings of é.

    Parameters
    ----------
    where : name of the argument in error messages
    column : name of the column
    names : one name per row
    """
    if names.dtype.kind in "iu":
        return
    refuse_other_kinds(where, names, column, "names")
    distinct = names.reset_index(drop=True).drop_duplicates()
    texts = list(map(str, distinct.to_numpy(object)))
    together = "".join(texts)
    plain = together.isascii() and together.isprintable() and len(set(map(str.strip, texts))) == len(texts)
    if plain and all(map(str.strip, texts)) and not distinct.isna().any():  # fast path, for tables with a million names
        return
    written: dict[str, object] = {}
    for row, name in distinct.items():
        text = "" if pd.isna(name) else str(name)
        if not text.strip():
            hint = "every run needs a name, and the names of its algorithm and environment"
            raise InputError(where, f"data row {row + 1} has no {column}", hint)
        if _NEVER_IN_NAMES.search(text):
            what = f"the {column} {shortened(text)!a} has a character that cannot be printed"
            raise InputError(where, what, "rename it, using letters, digits and punctuation")
        alike = unicodedata.normalize("NFC", "".join(sign for sign in text if unicodedata.category(sign) != "Cf"))
        alike = alike.strip()
        if alike in written:
            hint = (
                "write it in one way: as a text or as a number, without spaces around it or invisible characters, and "
                "accents as one character (Unicode's form NFC)"
            )
            raise InputError(where, f'two values of {column} look the same: "{shortened(text)}"', hint)
        written[alike] = name


def refuse_other_kinds(where: str, values: pd.Series, column: str, expected: str = "numbers") -> None:
    """Raise an InputError for a column that contains anything except numbers and strings.

    Without this check, pandas would convert dates, durations, booleans and bytes to numbers, and any value to a name.

    Parameters
    ----------
    column : name of the column in the input
    expected : expected kind of values
    """
    if isinstance(values.dtype, pd.StringDtype) or values.dtype.kind in "iuf":
        return
    present = values.astype(object)
    if values.dtype.kind not in "mM":  # a missing date would become the smallest integer
        present = present.dropna()
    for value in present[~present.map(type).duplicated()]:
        if isinstance(value, bool | np.bool_) or not isinstance(value, str | Real | Decimal):
            kind = next((name for name, kinds in _OTHER_KINDS.items() if isinstance(value, kinds)), "other things")
            description = f"{kind} instead of {expected}, such as {shown(value)}"
            hint = "use another column, or convert it"
            raise InputError(where, f'the column "{shortened(column)}" contains {description}', hint)
