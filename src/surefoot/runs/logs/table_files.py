"""Tables in files: their formats, the columns that are read, and the error for a table that lacks some."""

import csv
import errno
import json
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import pandas as pd

from surefoot.errors import InputError, listed, nearest, shown
from surefoot.runs.columns.csv_text import is_of_numbers, parse_csv, split_header, without_comments
from surefoot.runs.columns.run_names import COLUMN_NAMES, STEPS, refuse_bad_names
from surefoot.runs.given_files import MOST_JSON, MOST_UNPACKED, parse_json, read_text, utf8_text
from surefoot.runs.logs.log_files import csv_header, head, json_lines
from surefoot.runs.logs.logged_curves import Reading
from surefoot.runs.logs.metrics import UNITS, steps_among
from surefoot.runs.logs.naming import NAMES

_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet", ".json", *_LINES)


def kind_of_table(path: Path) -> str:
    """Return the suffix of a file that may be a table, or ""."""
    return next((suffix for suffix in _TABLES if path.name.lower().endswith(suffix)), "")


def column_names(path: Path) -> tuple[str, ...]:
    """Return the column names of a table, or () if the file is not a table."""
    kind = kind_of_table(path)
    if kind == ".csv":
        return csv_header(path)
    if kind in _LINES:
        return _keys_of_scores(path)
    if kind == ".json":
        return _keys_of_records(path) if head(path).lstrip()[:1] == b"[" else ()
    if kind == ".parquet":
        from pyarrow import ArrowException, parquet

        try:
            return tuple(parquet.read_schema(path).names)
        except PermissionError:  # pyarrow's error does not name the file
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path)) from None
        except (OSError, ArrowException):
            return ()
    if kind:
        try:
            return tuple(split_header(_text(path).partition("\n")[0])[0])
        except (InputError, OSError, EOFError, csv.Error):
            return ()
    return ()


def _keys_of_scores(path: Path) -> tuple[str, ...]:
    """Return the keys in the first line of JSON lines with one score per run; () for the log of a single run."""
    try:
        record = json.loads(head(path).lstrip().partition(b"\n")[0])
    except (ValueError, RecursionError):
        return ()
    return tuple(record) if isinstance(record, dict) and set(STEPS).isdisjoint(record) else ()


@lru_cache(maxsize=1000)
def _keys_of_records(path: Path) -> tuple[str, ...]:
    """Return the keys of the objects in a JSON list."""
    try:
        records = parse_json(read_text(path, str(path), MOST_JSON), str(path))
    except (ValueError, RecursionError):
        return ()
    is_table = isinstance(records, list) and all(isinstance(record, Mapping) for record in records)
    return tuple(dict.fromkeys(str(name) for record in records for name in record)) if is_table else ()


def _text(path: Path) -> str:
    """Return the text of a CSV, decompressed if necessary, without comments before its header."""
    kind = kind_of_table(path)
    if kind.endswith(".gz"):
        import gzip

        with gzip.open(path) as file:
            content = file.read(MOST_UNPACKED + 1)
        if len(content) > MOST_UNPACKED:
            what = f"it unpacks to more than {MOST_UNPACKED / 1e9:,.1f} GB"
            raise InputError(str(path), what, "write it as Parquet")
        text = utf8_text(content, str(path))
    else:
        text = read_text(path, str(path))
    return without_comments(text)


def read_rows(path: Path, texts: Sequence[str], reading: Reading | None = None) -> pd.DataFrame:
    """Return the rows of a table.

    Parameters
    ----------
    texts : columns to read as categories of strings
    reading : state in which an incomplete line of JSON is recorded

    Raises
    ------
    InputError
        if the file is not readable as CSV, or a row has no name
    """
    kind = kind_of_table(path)
    if kind == ".parquet":
        table = pd.read_parquet(path)
        table = table.reset_index(drop=table.index.names == [None])
    elif kind in _LINES:
        table = pd.DataFrame(json_lines(path, reading or Reading(path)))
    elif kind == ".json":
        table = pd.DataFrame(parse_json(read_text(path, str(path), MOST_JSON), str(path)))
    else:
        table = parse_csv(_text(path), str(path), texts)
    for name in table.columns.intersection(list(texts)):
        refuse_bad_names(str(path), name, table[name])
        # Reading as categories would turn 007 into 7.
        table[name] = table[name].astype(str).astype("category")
    return table


_FINAL = {
    "algorithm": (*COLUMN_NAMES["algorithm"], "alg", "algorithm_name", "algo_name", "exp_name", "policy"),
    "environment": (*COLUMN_NAMES["environment"], "env_name", "environment_name", "task_name"),
    "run": (*COLUMN_NAMES["run"], "trial", "random_seed"),
    "score": (
        *COLUMN_NAMES["score"],
        *("final_score", "final_return", "final_reward", "mean_score", "mean_return", "mean_reward"),
        *("eval/mean_reward", "eval/episodic_return", "eval/episode_return", "eval/return", "eval_return"),
        *("charts/episodic_return", "rollout/ep_rew_mean", "success_rate", "normalized_score"),
    ),
}
"""Common column names in a table of final scores, normalized by `folded_name`."""
_NEEDED = ("algorithm", "environment", "run", "score")
OF_WANDB = {"name", "state"}
"""Columns that identify a table of runs exported from Weights & Biases, in which a step is the last step of a run."""
SPREAD = {"tasks": "environment", "algorithms": "algorithm", "runs": "run"}
"""Meaning of the names of score columns in a wide table, by `Reading.wide`."""
_SPREADS = {"std", "stdev", "std_dev", "sd", "sem", "se", "stderr", "std_err", "ci", "variance", "n"}
"""Names of columns that accompany means over runs, normalized by `folded_name`."""
LISTED = 12
"""Maximum number of names of columns in a message."""


def folded_name(name: str) -> str:
    """Return the name of a column in lower case, with underscores between words."""
    return "_".join(name.split()).casefold()


def table_columns(header: Sequence[str], reading: Reading) -> dict[str, str]:
    """Return the columns for algorithm, environment, run, step and score, if present.

    Names that the user specifies take precedence over common names, which are matched without regard to case and
    blanks. Fewer common names are recognized in a table with steps, which is a log.
    """
    folded = {folded_name(name): name for name in reversed(header)}
    is_of_wandb = set(folded) >= OF_WANDB
    has_steps = reading.step is not None or not {step.casefold() for step in STEPS}.isdisjoint(folded)
    is_log = has_steps and not is_of_wandb
    usual = COLUMN_NAMES if is_log else _FINAL
    columns = _usual_columns(folded, usual)
    columns |= {name: key for name, key in reading.keys.items() if key in header}
    asked = [name for name in reading.asked or () if name in header]
    if asked and not is_log:
        columns["score"] = asked[0]
    if is_of_wandb:
        columns.setdefault("run", folded["name"])
    return columns


def _usual_columns(folded: Mapping[str, str], usual: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the columns for the keys of `usual` (such as "run" and "score"): the first with a common name, if any.

    Parameters
    ----------
    folded : columns by their names in lower case
    usual : common names in lower case, in order of preference
    """
    found = {name: [folded[one] for one in candidates if one in folded] for name, candidates in usual.items()}
    return {name: columns[0] for name, columns in found.items() if columns}


def missing_columns(path: Path, reading: Reading) -> list[str]:
    """Return the required columns that a file lacks, each with its alternative names."""
    columns = table_columns(column_names(path), reading)
    there = {*columns, *reading.fixed}
    is_log = reading.step is not None or "step" in columns or set(NAMES).isdisjoint(columns)
    if reading.wide is not None or not is_log:
        there |= {*reading.named_in_paths}
    if reading.wide is not None:
        there |= {SPREAD[reading.wide], "run", "score"}
    return [f"{name} (or {', '.join(COLUMN_NAMES[name][1:])})" for name in _NEEDED if name not in there]


def is_long_table(path: Path, reading: Reading) -> bool:
    """Return True if a table has the required columns, under these names or common aliases."""
    names = column_names(path)
    return bool(names) and not missing_columns(path, reading) and not {"_step", "_runtime"} & set(names)


def columns_to_read(path: Path, header: Sequence[str], reading: Reading) -> dict[str, str]:
    """Return the columns for names, steps and scores that the options select; see `table_columns`.

    Raises
    ------
    InputError
        if a requested column is missing, two columns have the same name, or several could be the score
    """
    for name, key in reading.keys.items():
        if key not in header:
            raise InputError(str(path), f'no column "{key}" ({name})', nearest(key, header))
    columns = table_columns(header, reading)
    if reading.step is not None:
        columns["step"] = steps_among(header, reading, str(path))
    elif "step" in columns:
        reading.units.add(UNITS.get(columns["step"], ""))
    _refuse_similar_columns(path, header, columns.values())
    if reading.asked is None and reading.wide is None and "step" not in columns:
        _refuse_several_scores(path, header, columns.get("score", ""))
    return columns


def _refuse_similar_columns(path: Path, header: Sequence[str], columns: Iterable[str]) -> None:
    """Raise an InputError if the names of two columns differ only in case or blanks."""
    for column in columns:
        alike = [name for name in header if folded_name(name) == folded_name(column)]
        if len(alike) > 1:
            what = f"the columns {' and '.join(map(shown, alike))} differ only in case or blanks"
            raise InputError(str(path), what, "rename or remove all but one of them")


def _refuse_several_scores(path: Path, header: Sequence[str], score: str) -> None:
    """Raise an InputError if several columns could be the score, unless one of them is named "score"."""
    scores = [name for name in header if folded_name(name) in _FINAL["score"]]
    if len(scores) > 1 and folded_name(score) != "score":
        what = f"the columns {listed(list(map(shown, scores)), LISTED)} may all be the score"
        raise InputError(str(path), what, f"choose one with --metric, such as --metric {scores[0]}")


def table_error(path: Path, reading: Reading, files: int = 1) -> InputError:
    """Return the error for an unreadable table, with its header, the missing columns, and a command that reads it.

    In the command, COLUMN and NAME are placeholders for unknown columns and names.

    Parameters
    ----------
    files : number of such tables in the folder
    """
    header = column_names(path)
    columns = table_columns(header, reading)
    missing = [name for name in _NEEDED if name not in {*columns, *reading.fixed, *reading.named_in_paths}]
    wide = "use --wide tasks, algorithms or runs if each of them has a column of scores"
    if is_of_numbers(",".join(map(str, header))):
        what = "its first line has numbers instead of column names"
        return InputError(str(path), what, "add a line with names before it, such as step,return")
    if not set(NAMES) & set(columns):
        listed_names = listed(list(map(str, header)), LISTED)
        hint = f"specify the columns with --metric and --step, if it is the log of a run; {wide}"
        return InputError(str(path), f"no column of steps among {listed_names}, and none with names of runs", hint)
    what = f"its columns are {listed([shown(name) for name in header], LISTED)}"
    if not missing:
        return InputError(str(path), f"{what}; none is a column of steps", "use --step COLUMN if it is a log")
    free = [name for name in header if name not in columns.values() and name.strip()]
    what += f"; none is recognized as the {' or the '.join(missing)}"
    if missing == ["run"] and all(folded_name(name) in _SPREADS for name in free):
        hint = "write one row per run, and number the runs of each algorithm and environment in a column run: 1, 2, ..."
        return InputError(str(path), what, f"{hint}; intervals cannot be computed from means over runs")
    command = _reading_command(path, missing, free, reading, files)
    return InputError(str(path), what, f"{command}; {wide}")


def _reading_command(path: Path, missing: Sequence[str], free: Sequence[str], reading: Reading, files: int) -> str:
    """Return a command that reads a table, with an option for each required column that it lacks.

    Parameters
    ----------
    missing : required columns that the table lacks
    free : columns of the table without a known meaning
    files : number of such tables in the folder
    """
    kinds = _kinds_of_columns(path, free)
    scores = [name for name in free if kinds.get(name) == "f"]
    names = [name for name in free if name in kinds and kinds[name] not in "iuf"]
    in_path = "--algorithm NAME" if files == 1 else "--pattern '{algorithm}'"
    options = {
        "score": f"--metric {shlex.quote(scores[0]) if len(scores) == 1 else 'COLUMN'}",
        "algorithm": f"--name-from algorithm={shlex.quote(names[0])}" if len(names) == 1 else in_path,
        "environment": "--environment NAME",
        "run": "--name-from run=COLUMN",
    }
    given = "".join(f" --{name} {shlex.quote(value)}" for name, value in reading.fixed.items())
    place = path if files == 1 else reading.root
    return f"surefoot read {shlex.quote(str(place))}{given} {' '.join(options[name] for name in missing)}"


def _kinds_of_columns(path: Path, names: Sequence[str]) -> dict[str, str]:
    """Return numpy's kind code of each column's dtype, such as "f" for scores and "i" for seeds."""
    try:
        table = read_rows(path, ())
    except InputError:
        return {}
    return {name: table[name].dtype.kind for name in names if name in table}
