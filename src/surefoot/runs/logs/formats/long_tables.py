"""Tables with the names of runs in columns: one row per run and step, or final scores."""

import csv
import errno
import json
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import InputError, listed, nearest, shown
from surefoot.runs.columns.csv_text import is_of_numbers, parse_csv, split_header, without_comments
from surefoot.runs.columns.numbers import counts, numbers
from surefoot.runs.columns.run_names import COLUMN_NAMES, STEPS, refuse_bad_names
from surefoot.runs.columns.run_tables import UNFINISHED, UNNAMED_JOBS, refuse_clusters
from surefoot.runs.given_files import MOST_JSON, MOST_UNPACKED, parse_json, read_text, utf8_text
from surefoot.runs.logs.account import LEFT_OUT, entries_of, entries_of_rows
from surefoot.runs.logs.curves import Curve, Place, Reading
from surefoot.runs.logs.files import csv_header, head, json_lines
from surefoot.runs.logs.metrics import UNITS, kind_of_metric, says_kind, steps_among
from surefoot.runs.logs.naming import NAMES
from surefoot.runs.logs.run_formats import run_format
from surefoot.runs.logs.score_cells import NOT_A_NUMBER, without_texts

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
"""Common column names in a table of final scores, normalized by `_folded`."""
_NEEDED = ("algorithm", "environment", "run", "score")
_PARTS = ("kind", "metric")
"""Columns that divide a table into parts with separate curves."""
_OF_WANDB = {"name", "state"}
"""Columns that identify a table of runs exported from Weights & Biases, in which a step is the last step of a run."""
_NOT_FINISHED = ("crashed", "failed", "killed", "running", "preempted")
_SPREAD = {"tasks": "environment", "algorithms": "algorithm", "runs": "run"}
"""Meaning of the names of score columns in a wide table, by `Reading.wide`."""
_SUMMARIES = {"mean", "average", "avg", "median", "iqm", "std", "stdev", "sem", "stderr", "total", "overall", "sum"}
"""Names of rows or columns that summarize other rows or columns, normalized by `_folded`."""
_SPREADS = {"std", "stdev", "std_dev", "sd", "sem", "se", "stderr", "std_err", "ci", "variance", "n"}
"""Names of columns that accompany means over runs, normalized by `_folded`."""
_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet", ".json", *_LINES)
_EPISODES = ("episode", "eval_episode")
_LISTED = 12


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


def _folded(name: str) -> str:
    """Return the name of a column in lower case, with underscores between words."""
    return "_".join(name.split()).casefold()


def table_columns(header: Sequence[str], reading: Reading) -> dict[str, str]:
    """Return the columns for algorithm, environment, run, step and score, if present.

    Names that the user specifies take precedence over common names, which are matched without regard to case and
    blanks. Fewer common names are recognized in a table with steps, which is a log.
    """
    folded = {_folded(name): name for name in reversed(header)}
    is_of_wandb = set(folded) >= _OF_WANDB
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
        there |= {_SPREAD[reading.wide], "run", "score"}
    return [f"{name} (or {', '.join(COLUMN_NAMES[name][1:])})" for name in _NEEDED if name not in there]


def _is_table(path: Path, reading: Reading) -> bool:
    names = column_names(path)
    return bool(names) and not missing_columns(path, reading) and not {"_step", "_runtime"} & set(names)


@run_format(
    "table",
    "tables (CSV, TSV, Parquet, JSON records) with the columns algorithm, environment, run, score, and step where "
    "there is one",
    # Matches a file that has these columns, under these names or common aliases.
    lambda reading, files: reading.single_places(path for path in files if _is_table(path, reading)),
    steps_by_name=True,
)
def read_long_table(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the curves of all runs of each kind and metric in the table."""
    (path,) = place.paths
    table, columns = _rows_and_columns(path, reading)
    _keep_what_is_stated(table, reading)
    _remark_on_unfinished(table, reading.below(path), reading)
    names = _columns_of_names(columns)
    parts = [name for name in _PARTS if name in table]
    hyperparameters = [name for name in reading.hyperparameters if name in table]
    _keep_metrics(table, columns, reading)
    table = _with_asked_metrics(table, reading)
    if table.empty:
        return
    _refuse_repeated_rows(table, [*names.values(), *parts, *hyperparameters], columns.get("step"), str(path))
    _refuse_summaries(table, names, path)
    refuse_clusters(str(path), table, [*columns.values(), *hyperparameters])
    common = _common_columns(table, columns, hyperparameters, path)
    metrics = _score_columns(table, columns, reading)
    reading.kind_is_guessed = "kind" not in parts and not any(map(says_kind, metrics.values()))
    for column, metric in metrics.items():
        scores = without_texts(Curve(place.name, path, metric=metric or column), table[column], reading)
        numeric = table.index.isin(scores.index)
        points = common[numeric].assign(score=scores)
        texts = common[~numeric].assign(source=reading.below(path), metric=metric)
        reading.entries += entries_of_rows(texts, LEFT_OUT, NOT_A_NUMBER)
        for stated, rows in _rows_by_part(table[numeric], parts):
            kind = stated.get("kind") or kind_of_metric(metric)
            yield Curve(place.name, path, kind, metric or stated["metric"], points.iloc[rows])


def _refuse_summaries(table: pd.DataFrame, names: Mapping[str, str], path: Path) -> None:
    """Raise an InputError for rows that summarize other rows, such as a run or task called "mean"."""
    for name, column in names.items():
        for value in map(str, table[column].unique()):
            if _folded(value) in _SUMMARIES:
                what = f"the {name} {shown(value)} seems to be a summary of the others"
                raise InputError(str(path), what, "remove these rows (or columns), and keep one score per run")


def _with_asked_metrics(table: pd.DataFrame, reading: Reading) -> pd.DataFrame:
    """Return the rows of the requested metrics if a column states the metric of each row."""
    if reading.asked is None or "metric" not in table:
        return table
    return table[table["metric"].isin(reading.asked)]


def _keep_metrics(table: pd.DataFrame, columns: Mapping[str, str], reading: Reading) -> None:
    """Record the names of the metrics in a table, for messages."""
    if "metric" in table:
        reading.metrics.update(table["metric"])
    else:
        others = {*_columns_of_names(columns).values(), columns.get("step"), *_PARTS}
        reading.metrics.update(set(table) - others)


def _columns_of_names(columns: Mapping[str, str]) -> dict[str, str]:
    return {name: columns[name] for name in NAMES if name in columns}


def _rows_and_columns(path: Path, reading: Reading) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the rows of a table, and its columns by role; a wide table is converted to a long table.

    Raises
    ------
    InputError
        if the table has no rows, or its columns do not fit the options
    """
    header = column_names(path)
    columns = _columns_to_read(path, header, reading)
    parts = [name for name in _PARTS if name in header]
    table = read_rows(path, [*_columns_of_names(columns).values(), *parts], reading)
    if table.empty:
        raise InputError(str(path), "the table has no rows", "write one row per run, or one per run and step")
    return (table, columns) if reading.wide is None else _melted(table, columns, reading, path)


def _score_columns(table: pd.DataFrame, columns: Mapping[str, str], reading: Reading) -> dict[str, str]:
    """Return the columns of scores to read, with their metrics; "" if a column states the metric of each row."""
    if "metric" in table:
        return {columns["score"]: ""}
    if reading.asked is None or reading.wide is not None:
        return {columns["score"]: columns["score"]}
    return {name: name for name in reading.asked if name in table}


def _common_columns(
    table: pd.DataFrame, columns: Mapping[str, str], hyperparameters: Sequence[str], path: Path
) -> pd.DataFrame:
    """Return the names of runs, hyperparameters, steps and episodes of each row, with standard column names."""
    names = _columns_of_names(columns)
    common = table[[*names.values(), *hyperparameters]].set_axis([*names, *hyperparameters], axis="columns")
    if "step" in columns:
        common["step"] = numbers(str(path), table[columns["step"]])
    if "episodes" in table:
        common["episodes"] = counts(str(path), table["episodes"])
    return common


def _rows_by_part(table: pd.DataFrame, parts: Sequence[str]) -> Iterator[tuple[dict[str, str], npt.NDArray[np.int64]]]:
    """Yield each combination of values in the columns `parts` (kind and metric), with the positions of its rows."""
    if not parts:
        yield {}, np.arange(len(table))
        return
    for key, rows in table.groupby(list(parts), sort=False, observed=True).indices.items():
        yield dict(zip(parts, key if isinstance(key, tuple) else (key,), strict=True)), rows


def _columns_to_read(path: Path, header: Sequence[str], reading: Reading) -> dict[str, str]:
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
        alike = [name for name in header if _folded(name) == _folded(column)]
        if len(alike) > 1:
            what = f"the columns {' and '.join(map(shown, alike))} differ only in case or blanks"
            raise InputError(str(path), what, "rename or remove all but one of them")


def _refuse_several_scores(path: Path, header: Sequence[str], score: str) -> None:
    """Raise an InputError if several columns could be the score, unless one of them is named "score"."""
    scores = [name for name in header if _folded(name) in _FINAL["score"]]
    if len(scores) > 1 and _folded(score) != "score":
        what = f"the columns {listed(list(map(shown, scores)), _LISTED)} may all be the score"
        raise InputError(str(path), what, f"choose one with --metric, such as --metric {scores[0]}")


def _melted(
    table: pd.DataFrame, columns: Mapping[str, str], reading: Reading, path: Path
) -> tuple[pd.DataFrame, dict[str, str]]:
    """Convert a table with one column per task, algorithm or run to a long table; return it with its column names.

    Raises
    ------
    InputError
        if no column is left for scores
    """
    spread = _SPREAD[str(reading.wide)]
    if spread in columns:
        what = f"--wide needs a column of scores for each of the {reading.wide}, but {columns[spread]} names them"
        raise InputError(str(path), what, "leave --wide out, or rename the column if it has another meaning")
    kept = {name: column for name, column in columns.items() if name in (*NAMES, "step") and name != spread}
    if "run" not in (*kept, spread):
        table = _with_numbered_runs(table, [column for name, column in kept.items() if name != "step"])
        kept["run"] = "run"
        reading.remark(
            f"{reading.below(path)}: it does not name runs, so each row is taken as a run, and rows are numbered"
        )
    scores = [name for name in table if name not in kept.values() and not _is_index(str(name))]
    if not scores:
        what = f"no columns of scores in addition to {', '.join(kept.values())}"
        raise InputError(str(path), what, f"--wide {reading.wide} needs a column of scores for each of them")
    long = table.melt(list(kept.values()), scores, spread, "score")
    return long, {**kept, spread: spread, "score": "score"}


def _is_index(name: str) -> bool:
    """Return True for the name of an unnamed column, such as the index that pandas writes."""
    return name == "" or name.startswith("Unnamed: ")


def _with_numbered_runs(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Add a column run that numbers the rows with the same names."""
    rows = table.groupby(list(names), observed=True).cumcount() if names else pd.Series(range(len(table)), table.index)
    return table.assign(run=rows.astype(str))


def _keep_what_is_stated(table: pd.DataFrame, reading: Reading) -> None:
    """Record the information on the original logs in a table that `surefoot read` wrote."""
    metrics = table.attrs.get("metrics")
    if reading.asked is None and isinstance(metrics, dict):
        flags = {"returns": False, "kind_is_stated": True, "points_are_numbered": False}
        reading.stated = {name: bool(table.attrs.get(name, usual)) for name, usual in flags.items()}
        reading.stated["metrics"] = {str(name): str(metric) for name, metric in metrics.items()}
        reading.stated["format"] = str(table.attrs.get("format"))
        reading.entries += entries_of(table)
        for name in (UNFINISHED, UNNAMED_JOBS, "unit"):
            if name in table.attrs:
                reading.stated[name] = table.attrs[name]


def _remark_on_unfinished(table: pd.DataFrame, name: str, reading: Reading) -> None:
    """Add a remark on unfinished runs in a table of Weights & Biases; their last logged score is used."""
    folded = {str(name).casefold(): name for name in table}
    if set(folded) >= _OF_WANDB:
        states = table[folded["state"]].astype(str).str.casefold()
        for state in _NOT_FINISHED:
            if number := int((states == state).sum()):
                reading.remark(f"{name}: {number:,} of its {len(table):,} runs are {state}, but are read")


def _refuse_repeated_rows(table: pd.DataFrame, names: Sequence[str], step: str | None, where: str) -> None:
    """Raise an InputError for two scores of a run (and step) without a column `episode` to number them.

    A table with a column `episodes` and without steps, as `surefoot read` writes it, may have one row per episode.
    """
    if step is None and "episodes" in table:
        return
    keys = [*names, *(name for name in (step, *_EPISODES) if name in table)]
    again = table.duplicated(keys)
    if step is not None:  # rows without a step cause another error
        again &= table[step].notna()
    if not again.any():
        return
    row = table[again].iloc[0]
    first = table[(table[keys] == row[keys]).all(axis="columns")].iloc[0]
    others = [str(name) for name in table if str(first[name]) != str(row[name])]
    what = f"two rows have {', '.join(f'{name} {row[name]}' for name in keys)}"
    what += f", and differ in {listed(others, _LISTED)}" if others else ", and are equal in all columns"
    hint = "write one row for each; select a column of algorithms or runs with --name-from, such as algorithm=COLUMN, "
    hint += "or one that distinguishes training runs with --hyperparameters, such as learning_rate; "
    raise InputError(where, what, f"{hint}if rows are episodes, number them in a column episode")


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
        listed_names = listed(list(map(str, header)), _LISTED)
        hint = f"specify the columns with --metric and --step, if it is the log of a run; {wide}"
        return InputError(str(path), f"no column of steps among {listed_names}, and none with names of runs", hint)
    what = f"its columns are {listed([shown(name) for name in header], _LISTED)}"
    if not missing:
        return InputError(str(path), f"{what}; none is a column of steps", "use --step COLUMN if it is a log")
    free = [name for name in header if name not in columns.values() and name.strip()]
    what += f"; none is recognized as the {' or the '.join(missing)}"
    if missing == ["run"] and all(_folded(name) in _SPREADS for name in free):
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
