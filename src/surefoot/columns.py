"""Reading and validating user-supplied tables: CSV texts, columns, names of runs, numbers, and arguments."""

import csv
import datetime
import functools
import inspect
import io
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, ParamSpec, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt
import pandas as pd
from pydantic import TypeAdapter, ValidationError

from surefoot.build.errors import InputError, nearest
from surefoot.build.given_files import refuse_long_lines
from surefoot.errors import listed, shortened, shown
from surefoot.rounding import counted

P = ParamSpec("P")
R = TypeVar("R")
_LISTED = 12
_MISSING = ["", "nan", "NaN", "NAN", "NA", "N/A", "null", "None"]
"""Texts that tools write in a CSV for a missing number."""
_SEPARATORS = (";", "\t", "|")
"""Column separators other than commas."""
_DECIMAL_COMMA = re.compile(r'(?:^|;)[ "]*[-+]?(\d+,\d+)(?:[eE][-+]?\d+)?[ "]*(?=;|$)', re.MULTILINE)
_THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}")
"""A number whose comma could also be a thousands separator."""
_FIRST_SECOND, _LAST_SECOND = 1.0e9, 2.3e9  # since 1970: in 2001 and 2042
_UNITS = {"seconds": 1.0, "milliseconds": 1e3, "microseconds": 1e6, "nanoseconds": 1e9}
_NEVER_IN_NAMES = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, line ends, changes of text direction, and surrogates, which files cannot hold."""
UNFINISHED = "unfinished"
"""Key of the `attrs` of a table of runs that holds [algorithm, environment, run] of each unfinished run.

An unfinished run ended early or left no score.
"""
SHORT_RUNS = "short_runs"
"""Key of the `attrs` of learning curves that holds the arguments `short_runs` and `tolerance` of their source.

With them, curves treat a run that ended early like its score does.
"""
WITHOUT_SCORE = "without_score"
"""Key of the `attrs` of a table of runs that holds the unfinished runs without a score."""
UNNAMED_JOBS = "unnamed_jobs"
"""Key of the `attrs` of a table of runs that holds the paths of jobs without a score that have no place in it.

They belong to no algorithm with scores in their environment, or cannot be named.
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
"""Names under which tools log the step; the first that is present is used."""
HYPERPARAMETERS = "hyperparameters"
"""Key of the `attrs` of a table that holds its columns of hyperparameters.

Runs with the same name may differ in them.
"""


def unfinished_runs(attrs: Mapping[Any, Any]) -> dict[str, list[list[str]]]:
    """Return [algorithm, environment, run] of unfinished runs by "ended early" and "left no score", if any.

    attrs : attributes of the table
    """
    without = {tuple(map(str, run)) for run in attrs.get(WITHOUT_SCORE, ())}
    by_outcome: dict[str, list[list[str]]] = {}
    for run in attrs.get(UNFINISHED, ()):
        by_outcome.setdefault("left no score" if tuple(map(str, run)) in without else "ended early", []).append(
            list(run)
        )
    return by_outcome


def named_run(row: Mapping[Any, Any]) -> str:
    """Return the name of the run in a row of a table, for messages."""
    return shortened(f"{row['algorithm']} in {row['environment']}, run {row['run']}")


def directed(runs: pd.DataFrame, lower_is_better: bool | Sequence[str]) -> pd.DataFrame:
    """Return the runs with their direction (-1 if lower scores are better, else 1), negating such scores.

    lower_is_better : True for all environments, False for none, or a list of environments
    """
    is_lower = runs["environment"].astype(str).isin([] if isinstance(lower_is_better, bool) else lower_is_better)
    direction = np.where(is_lower | (lower_is_better is True), -1, 1)
    return runs.assign(score=runs["score"] * direction, direction=direction)


def trainings_apart(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with numbered runs if runs with the same name differ in hyperparameters."""
    names = table.attrs.get(HYPERPARAMETERS)
    return table.assign(run=table.groupby([*RUN, *names], observed=True).ngroup()) if names else table


def split_header(line: str) -> tuple[list[str], str]:
    """Return the column names in the first line of a CSV, and the separator."""
    names = next(csv.reader([line]), [])
    sign = next((sign for sign in _SEPARATORS if len(names) == 1 and sign in names[0]), ",")
    return (names if sign == "," else next(csv.reader([line], delimiter=sign))), sign


def _decimal_sign(text: str, where: str) -> str:
    """Return the decimal sign of a CSV whose columns are separated by semicolons.

    Raises
    ------
    InputError
        if commas could be thousands separators
    """
    with_commas = [match[1] for match in _DECIMAL_COMMA.finditer(text)]
    if with_commas and all(map(_THOUSANDS.fullmatch, with_commas)):
        what = f"commas may be decimal signs or stand between thousands, as in {with_commas[0]}"
        hint = "pandas.read_csv(file, sep=';', decimal=',').to_csv(other, index=False) takes them for decimal signs"
        raise InputError(where, what, hint)
    return "," if with_commas else "."


def parse_csv(text: str, where: str, texts: Sequence[str] | None = ()) -> pd.DataFrame:
    """Parse a CSV, with numbers as numbers; an empty text gives a table without columns.

    Columns may be separated by semicolons, tabs or vertical bars. With semicolons, numbers may have decimal commas.

    Parameters
    ----------
    where : name of the CSV in errors
    texts : columns to read as texts, even if they look like numbers or NA; None for all

    Raises
    ------
    InputError
        if it is not readable as CSV, or two columns have the same name
    """
    if not text.strip():
        return pd.DataFrame()
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # old Mac line ends, which confuse pandas
    refuse_long_lines(text, where)
    try:
        names, sign = split_header(text.lstrip("\r\n").partition("\n")[0])
        if again := [name for position, name in enumerate(names) if name and name in names[:position]]:
            raise InputError(where, f'two columns are called "{shortened(again[0])}"', "rename or remove one of them")
        types = str if texts is None else dict.fromkeys(texts, str)  # for all columns, including unnamed ones
        texts = names if texts is None else texts
        with warnings.catch_warnings():
            # Ignore cells beyond the header, since some loggers write an empty one at the end of each line.
            warnings.simplefilter("error" if texts else "ignore", pd.errors.ParserWarning)
            return pd.read_csv(
                io.BytesIO(text.encode()),
                sep=sign,
                decimal=_decimal_sign(text, where) if sign == ";" else ".",
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
        raise InputError(where, f"not readable as CSV: {what}", "as many cells in each row as in the header") from None


def check_runs(where: str, table: Any, columns: Sequence[str] = (*RUN, "score")) -> None:
    """Raise an InputError unless the input is a table of runs with valid names and numeric score and step."""
    refuse_missing_columns(where, table, columns)
    for name in RUN:
        refuse_bad_names(where, name, table[name])
    for name in table.columns.intersection(["step", "score"]):
        numbers(where, table[name])


def refuse_missing_columns(where: str, table: Any, columns: Sequence[str]) -> None:
    """Raise an InputError for an input that is not a pandas table, or lacks columns or rows.

    Duplicate column names are also an error.
    """
    if not isinstance(table, pd.DataFrame):
        what = "an empty dict" if isinstance(table, Mapping) and not table else f"a {type(table).__name__}"
        raise InputError(where, f"{what} is not a table", f"a pandas table with the columns {', '.join(columns)}")
    columns_there = pd.Index(map(str, table.columns))
    missing = [name for name in columns if name not in columns_there]
    if missing:
        what = f"column {', '.join(missing)} is missing; there are {listed(list(columns_there), _LISTED)}"
        rename = "table.rename(columns={'task': 'environment'})"
        raise InputError(where, what, f"the columns are {', '.join(columns)}; rename yours, such as {rename}")
    for name in columns_there[columns_there.duplicated()][:1]:
        raise InputError(where, f'two columns are called "{shortened(name)}"', "rename or remove one of them")
    if table.empty:
        raise InputError(where, "the table has no rows", f"one row per run{' and step' if 'step' in columns else ''}")


def refuse_absent(where: str, column: str, names: Iterable[str], runs: pd.DataFrame) -> None:
    """Raise an InputError for the name of an algorithm or environment without runs, with the nearest name."""
    there = list(dict.fromkeys(runs[column].astype(str)))
    for name in names:
        if name not in there:
            raise InputError(where, f'no runs of the {column} "{shortened(name)}"', nearest(name, there))


def refuse_bad_names(where: str, column: str, names: pd.Series) -> None:
    """Raise an InputError for names that are missing, empty, not printable, or look the same.

    Names such as 1 and "1", or é as one character and as two, look the same.

    Parameters
    ----------
    where : name of the argument
    column : column of the names
    names : one name per row
    """
    if names.dtype.kind in "iu":
        return
    refuse_other_kinds(where, names, column, "names")
    distinct = names.reset_index(drop=True).drop_duplicates()
    texts = list(map(str, distinct.to_numpy(object)))
    together = "".join(texts)
    plain = together.isascii() and together.isprintable() and len(set(map(str.strip, texts))) == len(texts)
    if plain and all(map(str.strip, texts)) and not distinct.isna().any():  # fast path for a million names
        return
    written: dict[str, object] = {}
    for row, name in distinct.items():
        text = "" if pd.isna(name) else str(name)
        if not text.strip():
            hint = "every run has the names of its algorithm and environment, and one of its own"
            raise InputError(where, f"data row {row + 1} has no {column}", hint)
        if _NEVER_IN_NAMES.search(text):
            what = f"the {column} {shortened(text)!a} has a character that cannot be printed"
            raise InputError(where, what, "rename it, with letters, digits and punctuation")
        alike = unicodedata.normalize("NFC", "".join(sign for sign in text if unicodedata.category(sign) != "Cf"))
        alike = alike.strip()
        if alike in written:
            hint = (
                "write it in one way: as a text or as a number, without blanks around it or signs of no width, and "
                "accents as one character (Unicode's form NFC)"
            )
            raise InputError(where, f'two values of {column} are written alike: "{shortened(text)}"', hint)
        written[alike] = name


def refuse_other_kinds(where: str, values: pd.Series, column: str, expected: str = "numbers") -> None:
    """Raise an InputError for a column of anything but numbers and texts.

    pandas would convert dates, durations, booleans and bytes to numbers, and anything to names.

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
            description = f"{kind} where {expected} are expected, the first {shown(value)}"
            hint = "name the right column, or convert it"
            raise InputError(where, f'the column "{shortened(column)}" has {description}', hint)


def as_floats(column: pd.Series) -> pd.Series:
    """Return a column of numbers and texts as float64: NaN if not a number, infinity if too large."""
    if column.dtype == object:
        column = column.map(lambda value: float(Decimal(value)) if isinstance(value, int) else value)
    return pd.to_numeric(column, errors="coerce").astype(np.float64)


def numbers(where: str, column: pd.Series) -> pd.Series:
    """Return a column as float64, keeping missing values; other texts raise an InputError."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiu":
        return column.astype(np.float64)
    refuse_other_kinds(where, column, str(column.name))
    floats = as_floats(column)
    bad = floats.isna() & column.notna()
    if bad.any():
        value = str(column[bad].iloc[0])
        hint = f"the column {column.name} holds numbers only"
        if "±" in value or "+-" in value:
            hint = "give one number a row, of one run; a mean over runs has lost what intervals are made of"
        raise InputError(where, f'the {column.name} "{shortened(value)}" is not a number', hint)
    return floats


def with_steps(where: str, table: pd.DataFrame, column: str = "step", least: float = 0.0) -> pd.DataFrame:
    """Return a table of runs with steps as int64, or as float64 if some are not integers.

    Raises
    ------
    InputError
        if a step is missing, infinite, below `least` or beyond int64, with its run, and its file if there is a column
        source
    """
    steps = as_floats(table[column])
    bad = ~(np.isfinite(steps) & (steps >= least) & (steps < 2.0**63))
    for row in table[bad][:1].to_dict("records"):
        counts = counted(int(bad.sum()), "row")
        what = f"{counts} without a step, the first of {named_run(row)}: {column} {shown(row[column])}"
        raise InputError(str(row.get("source", where)), what, "environment steps from 0, one for each score")
    return table.assign(**{column: steps.astype(np.int64) if (steps % 1 == 0).all() else steps})


def counts(where: str, column: pd.Series) -> npt.NDArray[np.int64]:
    """Return a column of numbers of episodes as int64; an invalid number raises an InputError."""
    episodes = numbers(where, column)
    bad = ~((episodes >= 1) & (episodes % 1 == 0) & (episodes < 2**53))
    if bad.any():
        value = column[bad].iloc[0]
        what = f"the {column.name} of a score are {'missing' if pd.isna(value) else shown(value)}"
        raise InputError(where, what, "whole numbers from 1, or leave the column out where each score is of one")
    whole: npt.NDArray[np.int64] = episodes.to_numpy(np.int64)
    return whole


def score_array(where: str, name: str, values: Any, truths: bool = False) -> npt.NDArray[np.float64]:
    """Return an array of scores or steps as float64, with None as NaN.

    Parameters
    ----------
    name : name of the array in the input
    truths : allow booleans, which become 1 and 0, as outcomes of trials

    Raises
    ------
    InputError
        if there are masked values, dates, complex numbers, texts or other objects, or rows of unequal length
    """
    if np.ma.is_masked(values):
        what = f"{name}: {int(np.ma.getmaskarray(values).sum())} of {np.size(values)} values are masked"
        raise InputError(where, what, "leave out runs without a score, and give one that failed what it deserves")
    try:
        array = np.array(values)
        if array.dtype == object:
            array = np.array(np.where(array == None, np.nan, array).tolist())  # noqa: E711 (of each value)
    except (TypeError, ValueError):
        hint = "arrays of numbers, or a list of one a task; a run that stopped early may carry its last score forward"
        raise InputError(where, f"{name} has runs that differ in length", hint) from None
    if array.size and array.dtype.kind not in ("biuf" if truths else "iuf"):
        what = f"{name} holds values of the type {array.dtype}"
        raise InputError(where, what, "scores and steps are real numbers")
    return array.astype(np.float64)


def remarks_on_times(scores: pd.Series) -> list[str]:
    """Return a remark on scores that all look like times, if they do."""
    least = float(scores.min())
    greatest = float(scores.max())
    return [
        f"All scores lie between {least:.10g} and {greatest:.10g}, as {unit} since 1970 do today: is the column of "
        "scores one of times?"
        for unit, factor in _UNITS.items()
        if _FIRST_SECOND * factor <= least and greatest <= _LAST_SECOND * factor
    ]


def types_checked(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function to raise an InputError for arguments whose types do not match its signature.

    The first argument, which is data, is not checked. Arrays are accepted as lists. Values are passed on unchanged.
    """
    signature = inspect.signature(function)
    hints = get_type_hints(function)
    named = [one for one in list(signature.parameters.values())[1:] if one.kind is not one.VAR_KEYWORD]
    types: dict[str, TypeAdapter[object]] = {one.name: TypeAdapter(hints[one.name]) for one in named}

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            arguments = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            name = f"surefoot.{function.__name__}"
            what = str(error)
            hint = f"help(surefoot.{function.__name__})"
            for unknown in (one for one in kwargs if f"argument '{one}'" in what):
                what = f"no argument {unknown}"
                hint = nearest(unknown, signature.parameters)
            raise TypeError(f"{name}: {what}. Hint: {hint}") from None
        for name in types.keys() & arguments.keys():
            value = list(arguments[name]) if isinstance(arguments[name], range) else arguments[name]
            try:
                types[name].validate_python(value.tolist() if hasattr(value, "tolist") else value, strict=True)
            except ValidationError:
                allowed = inspect.formatannotation(signature.parameters[name].annotation)
                where = f"surefoot.{function.__name__}: {name}"
                hint = allowed.replace("collections.abc.", "")
                raise InputError(where, f"{shown(value)} is not allowed", f"its type is {hint}") from None
        return function(*args, **kwargs)

    return call
