"""What somebody gives: texts of CSV, tables and their columns (whether these are there, the names of runs, scores and
other numbers), and arguments of public functions that are no questions."""

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

P = ParamSpec("P")
R = TypeVar("R")
_LISTED = 12
_MISSING = ["", "nan", "NaN", "NAN", "NA", "N/A", "null", "None"]
"""What tools write in a CSV where a number is missing."""
_SEPARATORS = (";", "\t", "|")
"""Signs that separate columns in place of commas."""
_DECIMAL_COMMA = re.compile(r'(?:^|;)[ "]*[-+]?(\d+,\d+)(?:[eE][-+]?\d+)?[ "]*(?=;|$)', re.MULTILINE)
_THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}")
"""A number whose comma may also stand between thousands."""
_FIRST_SECOND, _LAST_SECOND = 1.0e9, 2.3e9  # since 1970: in 2001 and 2042
_UNITS = {"seconds": 1.0, "milliseconds": 1e3, "microseconds": 1e6, "nanoseconds": 1e9}
_NEVER_IN_NAMES = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, ends of lines, changes of the direction of writing, and halves of characters, which no file can
hold."""
UNFINISHED = "unfinished"
"""The key of the `attrs` of a table of runs under which it has [algorithm, environment, run] of each run that ended
early or left no score."""
SHORT_RUNS = "short_runs"
"""The key of the `attrs` of learning curves under which it has the arguments `short_runs` and `tolerance` of their
source, so that curves treat a run that ended early as its score does."""
WITHOUT_SCORE = "without_score"
"""The key of the `attrs` of a table of runs under which it has those of them that left no score."""
UNNAMED_JOBS = "unnamed_jobs"
"""The key of the `attrs` of a table of runs under which it has the paths of jobs that began and left no score, and that
are of no algorithm with scores in their environment, or cannot be named."""
_OTHER_KINDS = {
    "true and false": (bool, np.bool_),
    "dates": (datetime.date, np.datetime64),
    "times": (datetime.time,),
    "durations": (datetime.timedelta, np.timedelta64),
    "bytes": (bytes,),
    "complex numbers": (complex, np.complexfloating),
    "lists": (list, tuple, set, dict, np.ndarray),
}
"""What columns hold in place of numbers and names, by what it is called."""
RUN = ("algorithm", "environment", "run")
"""The columns that name a run."""
STEPS = (
    *("global_step", "env_step", "env_steps", "environment_steps", "total_env_steps", "num_env_steps", "agent_steps"),
    *("total_timesteps", "time/total_timesteps", "timesteps", "timestep", "total_steps", "steps", "step", "Step"),
    *("frames", "frame", "total_frames", "TotalEnvInteracts", "_step"),
)
"""Names under which tools log the step, the first that is there counts."""
HYPERPARAMETERS = "hyperparameters"
"""What `attrs` of a table calls the columns of hyperparameters, in which runs of one name may differ."""


def unfinished_runs(attrs: Mapping[Any, Any]) -> dict[str, list[list[str]]]:
    """Return [algorithm, environment, run] of unfinished runs of a table by what happened: "ended early" or "left no
    score"; nothing that happened to none.

    attrs : of the table
    """
    without = {tuple(map(str, run)) for run in attrs.get(WITHOUT_SCORE, ())}
    found: dict[str, list[list[str]]] = {}
    for run in attrs.get(UNFINISHED, ()):
        found.setdefault("left no score" if tuple(map(str, run)) in without else "ended early", []).append(list(run))
    return found


def named_run(row: Mapping[Any, Any]) -> str:
    """The run of a row of a table, as messages name it."""
    return shortened(f"{row['algorithm']} in {row['environment']}, run {row['run']}")


def directed(runs: pd.DataFrame, lower_is_better: bool | Sequence[str]) -> pd.DataFrame:
    """The runs with their direction (-1 where lower scores are better, else 1), and scores of which higher is better.

    lower_is_better : in all environments (True), in none (False), or in those of a list
    """
    is_lower = runs["environment"].astype(str).isin([] if isinstance(lower_is_better, bool) else lower_is_better)
    direction = np.where(is_lower | (lower_is_better is True), -1, 1)
    return runs.assign(score=runs["score"] * direction, direction=direction)


def trainings_apart(table: pd.DataFrame) -> pd.DataFrame:
    """The table with a number in place of each run's name where runs of one name differ in hyperparameters."""
    names = table.attrs.get(HYPERPARAMETERS)
    return table.assign(run=table.groupby([*RUN, *names], observed=True).ngroup()) if names else table


def split_header(line: str) -> tuple[list[str], str]:
    """Return the names of columns in the first line of a CSV, and the sign between them: a comma, or else another."""
    names = next(csv.reader([line]), [])
    sign = next((sign for sign in _SEPARATORS if len(names) == 1 and sign in names[0]), ",")
    return (names if sign == "," else next(csv.reader([line], delimiter=sign))), sign


def _decimal_sign(text: str, where: str) -> str:
    """Return the decimal sign of a CSV whose columns are separated by semicolons.

    Raises
    ------
    InputError
        where commas may stand between thousands
    """
    with_commas = [found[1] for found in _DECIMAL_COMMA.finditer(text)]
    if with_commas and all(map(_THOUSANDS.fullmatch, with_commas)):
        what = f"commas may be decimal signs or stand between thousands, as in {with_commas[0]}"
        hint = "pandas.read_csv(file, sep=';', decimal=',').to_csv(other, index=False) takes them for decimal signs"
        raise InputError(where, what, hint)
    return "," if with_commas else "."


def parse_csv(text: str, where: str, texts: Sequence[str] | None = ()) -> pd.DataFrame:
    """The table of a text of CSV, numbers as numbers; a table without columns where it is empty.

    Columns may be separated by semicolons, tabs or vertical bars, and with semicolons numbers may have decimal commas.

    Parameters
    ----------
    where : how errors name it
    texts : columns of texts, which may look like numbers or be called NA; None for all

    Raises
    ------
    InputError
        where it is not readable as CSV, or has two columns of one name
    """
    if not text.strip():
        return pd.DataFrame()
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # as old programs of the Mac end lines; pandas mixes them up
    refuse_long_lines(text, where)
    try:
        names, sign = split_header(text.lstrip("\r\n").partition("\n")[0])
        if again := [name for position, name in enumerate(names) if name and name in names[:position]]:
            raise InputError(where, f'two columns are called "{shortened(again[0])}"', "rename or remove one of them")
        types = str if texts is None else dict.fromkeys(texts, str)  # of all columns, also those without a name
        texts = names if texts is None else texts
        with warnings.catch_warnings():
            # Cells beyond the header are lost, of which some loggers write an empty one at the end of each line.
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
    except (ValueError, csv.Error, OverflowError) as error:  # pandas' errors of parsing are among these
        what = " ".join(str(error).split())
        raise InputError(where, f"not readable as CSV: {what}", "as many cells in each row as in the header") from None


def check_runs(where: str, table: Any, columns: Sequence[str] = (*RUN, "score")) -> None:
    """Raise an InputError for what is no table of runs, with names in its columns `RUN`, and numbers in score and
    step."""
    refuse_missing_columns(where, table, columns)
    for name in RUN:
        refuse_bad_names(where, name, table[name])
    for name in table.columns.intersection(["step", "score"]):
        numbers(where, table[name])


def refuse_missing_columns(where: str, table: Any, columns: Sequence[str]) -> None:
    """Raise an InputError for what is no pandas table, lacks one of the columns, has two of one name, or no rows."""
    if not isinstance(table, pd.DataFrame):
        what = "an empty dict" if isinstance(table, Mapping) and not table else f"a {type(table).__name__}"
        raise InputError(where, f"{what} is not a table", f"a pandas table with the columns {', '.join(columns)}")
    given = pd.Index(map(str, table.columns))
    missing = [name for name in columns if name not in given]
    if missing:
        what = f"column {', '.join(missing)} is missing; there are {listed(list(given), _LISTED)}"
        rename = "table.rename(columns={'task': 'environment'})"
        raise InputError(where, what, f"the columns are {', '.join(columns)}; rename yours, such as {rename}")
    for name in given[given.duplicated()][:1]:
        raise InputError(where, f'two columns are called "{shortened(name)}"', "rename or remove one of them")
    if table.empty:
        raise InputError(where, "the table has no rows", f"one row per run{' and step' if 'step' in columns else ''}")


def refuse_absent(where: str, column: str, names: Iterable[str], runs: pd.DataFrame) -> None:
    """Raise an InputError for a name of an algorithm or environment of which there are no runs, with the nearest."""
    there = list(dict.fromkeys(runs[column].astype(str)))
    for name in names:
        if name not in there:
            raise InputError(where, f'no runs of the {column} "{shortened(name)}"', nearest(name, there))


def refuse_bad_names(where: str, column: str, names: pd.Series) -> None:
    """Raise an InputError for names of algorithms, environments or runs that are missing, empty or not printable, and
    for two that are written alike, such as 1 and "1", or é as one character and as two.

    Parameters
    ----------
    where : what the names were given as
    column : what they are names of
    names : one a row
    """
    if names.dtype.kind in "iu":
        return
    refuse_other_kinds(where, names, column, "names")
    distinct = names.reset_index(drop=True).drop_duplicates()
    texts = list(map(str, distinct.to_numpy(object)))
    together = "".join(texts)
    plain = together.isascii() and together.isprintable() and len(set(map(str.strip, texts))) == len(texts)
    if plain and all(map(str.strip, texts)) and not distinct.isna().any():  # a million of them in a moment
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
            raise InputError(where, f'two of the column {column} are written "{shortened(text)}"', hint)
        written[alike] = name


def refuse_other_kinds(where: str, values: pd.Series, column: str, expected: str = "numbers") -> None:
    """Raise an InputError for a column of anything but numbers and texts: pandas turns dates, durations, truth values
    and bytes into numbers as well, and anything at all into names.

    Parameters
    ----------
    column : what it is called in what was given
    expected : what it should hold
    """
    if isinstance(values.dtype, pd.StringDtype) or values.dtype.kind in "iuf":
        return
    present = values.astype(object)
    if values.dtype.kind not in "mM":  # a missing date would be read as the least of all numbers
        present = present.dropna()
    for value in present[~present.map(type).duplicated()]:
        if isinstance(value, bool | np.bool_) or not isinstance(value, str | Real | Decimal):
            kind = next((name for name, kinds in _OTHER_KINDS.items() if isinstance(value, kinds)), "other things")
            found = f"{kind} where {expected} are expected, the first {shown(value)}"
            hint = "name the right column, or convert it"
            raise InputError(where, f'the column "{shortened(column)}" has {found}', hint)


def as_floats(column: pd.Series) -> pd.Series:
    """A column of numbers and texts as float64: NaN for what is not a number, infinity for what is too great."""
    if column.dtype == object:
        column = column.map(lambda value: float(Decimal(value)) if isinstance(value, int) else value)
    return pd.to_numeric(column, errors="coerce").astype(np.float64)


def numbers(where: str, column: pd.Series) -> pd.Series:
    """A column as float64, in which missing values stay missing; an InputError shows the first that is no number."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiu":
        return column.astype(np.float64)
    refuse_other_kinds(where, column, str(column.name))
    found = as_floats(column)
    bad = found.isna() & column.notna()
    if bad.any():
        value = str(column[bad].iloc[0])
        hint = f"the column {column.name} holds numbers only"
        if "±" in value or "+-" in value:
            hint = "give one number a row, of one run; a mean over runs has lost what intervals are made of"
        raise InputError(where, f'the {column.name} "{shortened(value)}" is not a number', hint)
    return found


def with_steps(where: str, table: pd.DataFrame, column: str = "step", least: float = 0.0) -> pd.DataFrame:
    """A table of runs with its steps as int64, or as float64 where some are no whole numbers.

    Raises
    ------
    InputError
        for a step that is missing, infinite, below `least` or beyond int64, with its run, and its file where there is a
        column source
    """
    steps = as_floats(table[column])
    bad = ~(np.isfinite(steps) & (steps >= least) & (steps < 2.0**63))
    for row in table[bad][:1].to_dict("records"):
        what = f"{int(bad.sum()):,} rows without a step, the first of {named_run(row)}: {column} {shown(row[column])}"
        raise InputError(str(row.get("source", where)), what, "environment steps from 0, one for each score")
    return table.assign(**{column: steps.astype(np.int64) if (steps % 1 == 0).all() else steps})


def counts(where: str, column: pd.Series) -> npt.NDArray[np.int64]:
    """A column of numbers of episodes as int64; an InputError shows the first that is none."""
    found = numbers(where, column)
    bad = ~((found >= 1) & (found % 1 == 0) & (found < 2**53))
    if bad.any():
        value = column[bad].iloc[0]
        what = f"the {column.name} of a score are {'missing' if pd.isna(value) else shown(value)}"
        raise InputError(where, what, "whole numbers from 1, or leave the column out where each score is of one")
    whole: npt.NDArray[np.int64] = found.to_numpy(np.int64)
    return whole


def score_array(where: str, name: str, values: Any, truths: bool = False) -> npt.NDArray[np.float64]:
    """An array of scores or steps as float64, None as NaN.

    Parameters
    ----------
    name : of the array in what was given
    truths : whether it may hold true and false, which become 1 and 0, as outcomes of trials

    Raises
    ------
    InputError
        masked values; dates, complex numbers, texts and other objects; rows of unequal length
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
    """A sentence on scores all of which look like times; none where they do not."""
    least = float(scores.min())
    greatest = float(scores.max())
    return [
        f"All scores lie between {least:.10g} and {greatest:.10g}, as {unit} since 1970 do today: is the column of "
        "scores one of times?"
        for unit, factor in _UNITS.items()
        if _FIRST_SECOND * factor <= least and greatest <= _LAST_SECOND * factor
    ]


def types_checked(function: Callable[P, R]) -> Callable[P, R]:
    """A function that raises an InputError for an argument of another type than its signature names.

    The first argument, which is data, is left to the function. Arrays may stand for lists. Values are passed on as they
    are given.
    """
    signature = inspect.signature(function)
    hints = get_type_hints(function)
    named = [one for one in list(signature.parameters.values())[1:] if one.kind is not one.VAR_KEYWORD]
    types: dict[str, TypeAdapter[object]] = {one.name: TypeAdapter(hints[one.name]) for one in named}

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            name = f"surefoot.{function.__name__}"
            what = str(error)
            hint = f"help(surefoot.{function.__name__})"
            for unknown in (one for one in kwargs if f"argument '{one}'" in what):
                what = f"no argument {unknown}"
                hint = nearest(unknown, signature.parameters)
            raise TypeError(f"{name}: {what}. Hint: {hint}") from None
        for name in types.keys() & given.keys():
            value = list(given[name]) if isinstance(given[name], range) else given[name]
            try:
                types[name].validate_python(value.tolist() if hasattr(value, "tolist") else value, strict=True)
            except ValidationError:
                allowed = inspect.formatannotation(signature.parameters[name].annotation)
                where = f"surefoot.{function.__name__}: {name}"
                hint = allowed.replace("collections.abc.", "")
                raise InputError(where, f"{shown(value)} is not allowed", f"its type is {hint}") from None
        return function(*args, **kwargs)

    return call
