"""Weights & Biases: exported charts (wide), API exports (long), Parquet histories, and folders of runs.

Folders of offline runs are read too (``wandb/offline-run-*/run-*.wandb``). The file of a run is a LevelDB log (blocks
of 32 KiB, records in one or several fragments) after a header of seven bytes. A record is a protocol buffer message;
the few required fields are read with the package `protobuf`. The package `wandb` is not needed and has no Python
function for this (since 0.20, it reads the files in Go).

Sources: LevelDB's log format (github.com/google/leveldb, doc/log_format.md), protocol buffers' encoding
(protobuf.dev/programming-guides/encoding), and the field numbers of wandb/proto/wandb_internal.proto.
"""

import json
import re
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import InputError
from surefoot.runs.columns.numbers import numbers
from surefoot.runs.columns.run_names import STEPS
from surefoot.runs.given_files import read_text
from surefoot.runs.logs.log_files import GOING_ON, Log, csv_log, head, read_configuration_beside, record_log
from surefoot.runs.logs.logged_curves import Curve, Place, Reading
from surefoot.runs.logs.logged_rows import curves_of_rows
from surefoot.runs.logs.metrics import kind_of_metric, says_kind, steps_among
from surefoot.runs.logs.run_formats import run_format
from surefoot.runs.logs.table_files import column_names, read_rows

_OWN = ("_step", "_runtime", "_timestamp")
_RUNS = ("run_id", "id", "run", "run_name", "name", "Name")
_EXTREMES = ("__MIN", "__MAX")
_SAMPLED = 500
_BEGIN = b":W&B"
_PREFIX = 7
_BLOCK = 32_768
_FRAME = 7
_WHOLE = 1
_FIRST = 2
_MIDDLE = 3
_LAST = 4
# Field numbers of messages: three in a record, two in a run, and one in a history or configuration.
_HISTORY = 2
_CONFIG = 5
_RUN = 17
_CONFIG_OF_RUN = 4
_NAME_OF_RUN = 8
_ITEMS = 1
_BYTES = 2
"""Wire type of fields that contain a string or a message."""


def _is_export(names: Sequence[str]) -> bool:
    return any(name in _OWN for name in names) or any(name.endswith(_EXTREMES) and " - " in name for name in names)


@run_format(
    "wandb",
    "Weights & Biases: CSV exports of its pages, tables of its API, and histories of runs in Parquet",
    # Matches a table with columns of Weights & Biases: `_step` and the like, or ``<run> - <metric>__MIN``.
    lambda reading, files: reading.single_places(path for path in files if _is_export(column_names(path))),
    contains=("rliable",),
    steps_by_name=True,
)
def read_export(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the curves of an export, by environment steps if they were logged."""
    (path,) = place.paths
    names = column_names(path)
    if any(name.endswith(_EXTREMES) for name in names):
        yield from _wide(place, reading)
        return
    table = read_rows(path, [name for name in names if name in _RUNS])
    is_csv = path.suffix == ".csv"
    undefined = csv_log(read_text(path, str(path)), str(path)).undefined if is_csv else pd.DataFrame()
    runs = next((name for name in _RUNS if name in names), None)
    if runs is None:
        log = Log(table, undefined)
        yield from _history(Curve(place.name, path, config=read_configuration_beside(path)), log, reading)
        return
    for name, rows in table.groupby(runs, sort=False):
        (config,) = rows[:1].to_dict("records")
        own = Curve(f"{place.name}/{name}", path, config=config)
        found = [curve for curve in _history(own, Log(rows, undefined), reading) if len(curve.points)]
        yield from found
        if not found:
            reading.run_without_score(own)


@run_format(
    "wandb_folders",
    "Weights & Biases' folders of runs (wandb/run-*, wandb/offline-run-*)",
    # A run is a folder with a .wandb file.
    lambda reading, files: [
        Place(reading.below(path.parent), (path,))
        for path in files
        if path.suffix == ".wandb" and head(path).startswith(_BEGIN)
    ],
    contains=("run_files", "run_arrays"),
    fallback=True,  # if another format is found, the same runs were usually logged a second time
    steps_by_name=True,
)
def read_wandb_folder(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the curves of a run, named as on its web page."""
    (path,) = place.paths
    name = path.stem
    config = dict[str, Any]()
    rows = list[dict[str, Any]]()
    try:
        for record in _records(path, reading):
            for number, message in _fields(record):
                if number == _HISTORY:
                    rows.append(_items(message))
                elif number == _CONFIG:
                    config |= _items(message)
                elif number == _RUN:
                    for inner, value in _fields(message):
                        config |= _items(value) if inner == _CONFIG_OF_RUN else {}
                        name = value.decode("utf-8") if inner == _NAME_OF_RUN else name
    except InputError:
        raise
    except ValueError:
        hint = "upload it with wandb sync, then export the run's history with the API"
        raise InputError(str(path), "it has a damaged record", hint) from None
    if not rows:
        return
    yield from _history(Curve(name, path, config=config), record_log(rows, str(path)), reading, whole=True)


def _history(curve: Curve, log: Log, reading: Reading, whole: bool = False) -> Iterator[Curve]:
    """Yield the curves of one run.

    whole : True if the log is known to be complete, not a sample
    """
    rows, undefined = log
    axis = steps_among(list(rows.columns), reading, str(curve.source))
    if axis == "_step":
        reading.remark(f"{curve.place}: its steps count logging events (_step), since it has no global_step")
    if rows[axis].count() == _SAMPLED and not whole:
        reading.remark(
            f"{curve.place}: it has {_SAMPLED} rows, which is how many history() returns of any longer run; "
            "scan_history() returns all rows"
        )
    yield from curves_of_rows(curve, rows, axis, reading, others=_OWN, undefined=undefined)


def _wide(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield a curve for each column of an exported chart; raise an InputError for means over buckets or groups."""
    (path,) = place.paths
    rows = read_rows(path, ())
    axis = reading.step or next((name for name in STEPS if name in rows.columns), str(rows.columns[0]))
    if axis in ("Step", "_step"):
        reading.remark(f"{place.name}: its steps are those of the chart (Step), which may count logging events")
    with_scores: dict[str, bool] = {}
    for name in map(str, rows.columns):
        run, dash, metric = name.rpartition(" - ")
        if not dash or name.endswith(_EXTREMES) or metric in STEPS:
            continue
        _refuse_aggregates(path, name, run, rows)
        column = rows[[axis, name]].set_axis(["step", metric], axis="columns")
        curve = Curve(f"{place.name}/{run}", path)
        known = {kind_of_metric(metric): (metric,)}
        found = list(curves_of_rows(curve, column, "step", reading, known, counts_empty_cells=False))
        yield from found
        with_scores[run] = with_scores.get(run, False) or bool(found)
        reading.kind_is_guessed |= not says_kind(metric)
    for run in (run for run, has_scores in with_scores.items() if not has_scores):
        reading.run_without_score(Curve(f"{place.name}/{run}", path))


def _refuse_aggregates(path: Path, column: str, run: str, rows: pd.DataFrame) -> None:
    hint = "export ungrouped runs, or their whole history with scan_history() of the API"
    if re.match(r"[\w.]+: ", run):
        raise InputError(str(path), f'"{column}" is for a group of runs: "{run}"', hint)
    scores = numbers(str(path), rows[column])
    for extreme in _EXTREMES:
        if column + extreme in rows.columns:
            other = numbers(str(path), rows[column + extreme])
            unlike = (other - scores).abs() > 1e-9 * scores.abs()
            if unlike.any():
                row = int(np.flatnonzero(unlike)[0])
                what = f'"{column}" is {scores[row]:g} in row {row} and its {extreme[2:]} {other[row]:g}: a mean over'
                raise InputError(str(path), f"{what} a bucket of steps or a group of runs", hint)


def _records(path: Path, reading: Reading) -> Iterator[bytes]:
    parts: list[bytes] = []
    with path.open("rb") as file:
        at = len(file.read(_PREFIX))
        while block := file.read(_BLOCK - at):
            begin = 0
            while begin + _FRAME <= len(block):
                length, kind = struct.unpack_from("<HB", block, begin + 4)
                piece = block[begin + _FRAME : begin + _FRAME + length]
                begin += _FRAME + length
                if kind == 0:  # the rest of the block is empty
                    break
                if len(piece) < length or kind > _LAST:
                    shown = reading.below(path)
                    remark = f"{shown}: its last record is half-written (or damaged) and left out, {GOING_ON}"
                    reading.leave_out(path, "half-written", remark, rows=1)
                    return
                parts = [*parts, piece] if kind in (_MIDDLE, _LAST) else [piece]
                if kind in (_WHOLE, _LAST):
                    yield b"".join(parts)
            at = 0


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (number, bytes) of each field of a message that contains a string or another message."""
    try:
        from google.protobuf.empty_pb2 import Empty
        from google.protobuf.message import DecodeError
        from google.protobuf.unknown_fields import UnknownFieldSet
    except ImportError:
        what = "reading folders of Weights & Biases needs the package protobuf, which is not installed"
        raise InputError("Weights & Biases", what, "pip install protobuf") from None
    try:
        fields = UnknownFieldSet(Empty.FromString(message))
    except DecodeError as error:
        raise ValueError(str(error)) from None
    for field in fields:
        if field.wire_type == _BYTES:
            yield field.field_number, field.data


def _items(message: bytes) -> dict[str, Any]:
    """Return the items of a history or configuration, parsing their values as JSON."""
    found: dict[str, Any] = {}
    for number, item in _fields(message):
        if number == _ITEMS:
            key: list[str] = []
            value = b"null"
            for inner, text in _fields(item):
                if inner in (1, 2):
                    key.append(text.decode("utf-8"))
                elif inner == 16:
                    value = text
            found[".".join(key)] = json.loads(value)
    return found
