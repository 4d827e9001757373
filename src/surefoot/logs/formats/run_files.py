"""A file for each run, as loggers that people write themselves leave it: CSV, text in columns, or JSON lines."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from surefoot.build.errors import InputError
from surefoot.build.given_files import read_text
from surefoot.logs.curves import Curve, Notes, Place, chosen_metrics, kept_rows, returns_among, says_kind, steps_among
from surefoot.logs.data_files import csv_header, head, json_lines, parse_csv, read_configuration, read_csv, whole_lines
from surefoot.logs.formats.table import numbers
from surefoot.logs.listing import below

DESCRIPTION = "a file for each run (CSV, JSON lines, progress.txt) with a column of steps, as Lightning, torchrl, "
DESCRIPTION += "Spinning Up and loggers of one's own write"
CONTAINS: tuple[str, ...] = ()
FALLBACK = STEPS_BY_NAME = True
_LINES = (".jsonl", ".ndjson", ".json")
_CONFIGURATION = ("hparams.yaml", "config.json", "config.yaml", "params.json", "args.json", "hparams.json")
_VALUES = re.compile(rb"[\d.eE+-]+,[^,\n]+\n?")
_KNOWN = {"eval": ("AverageTestEpRet",), "train": ("AverageEpRet",)}
"""Spinning Up's names."""


def recognize(root: Path, files: Sequence[Path]) -> list[Place]:
    """A CSV, a progress.txt in columns, or a file of JSON lines; of torchrl, a folder with a CSV for each metric."""
    found: dict[Path, tuple[Path, ...]] = {}
    for path in files:
        if path.suffix == ".csv" and "scalars" in path.parts and _VALUES.match(head(path)):
            run = path.parents[path.parts[::-1].index("scalars")]
            found[run] = (*found.get(run, ()), path)
        elif path.suffix in (".csv", ".tsv") or path.name == "progress.txt":
            names = csv_header(path)
            if len(names) > 1 or (names and "\t" in names[0]):
                found[path] = (path,)
        elif path.suffix in _LINES and (begin := head(path).lstrip()).startswith(b"{"):
            first, _, second = begin.partition(b"\n")
            if path.suffix != ".json" or (first.rstrip().endswith(b"}") and second.startswith(b"{")):
                found[path] = (path,)
    return [Place(below(root, path if path.is_dir() else path.with_suffix("")), paths) for path, paths in found.items()]


def read(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """The columns that are asked for; a row has values of what was logged then."""
    path = place.paths[0]
    if _VALUES.match(head(path)) and "scalars" in path.parts:
        yield from _of_columns(place, root, asked, notes)
        return
    rows = _rows(path, below(root, path), notes)
    if rows.empty:
        return
    try:
        axis = steps_among(list(rows.columns), place.step, str(path))
    except InputError as error:
        if place.step is not None:
            raise
        notes.remark(f"{below(root, path)}: {error.what}, so it is left out")
        return
    rows = rows[rows[axis].notna()]
    rows = rows[kept_rows(numbers(rows[axis], path), below(root, path), notes)]
    first = dict(rows.iloc[0]) if len(rows) else {}
    config = {**{name: value for name, value in first.items() if isinstance(value, str)}, **_beside(path)}
    available = [name for name in rows.columns if name != axis and rows[name].dtype.kind in "fiu"]
    if asked is not None:
        available += [name for name in asked if name in rows.columns and name not in available]
    for metric, kind in _chosen(available, asked, notes):
        logged = rows[rows[metric].notna()]
        steps, scores = numbers(logged[axis], path), numbers(logged[metric], path)
        notes.remark(f"scores are those of the column {metric}, at the steps of the column {axis}")
        yield Curve(place.name, path, kind, metric, steps, scores, np.ones(steps.size, np.int64), {}, config)


def _chosen(available: Sequence[str], asked: Sequence[str] | None, notes: Notes) -> list[tuple[str, str]]:
    usual = returns_among(available)
    known = {kind: (*names, *_KNOWN[kind]) for kind, names in usual.items()}
    chosen = chosen_metrics(available, asked, known, notes)
    notes.kind_is_guessed |= any(
        not says_kind(metric) and metric not in sum(_KNOWN.values(), ()) for metric, _ in chosen
    )
    return chosen


def _rows(path: Path, shown: str, notes: Notes) -> pd.DataFrame:
    if path.suffix in _LINES:
        return pd.json_normalize(list(json_lines(path, shown, notes)), sep="/")
    if path.suffix == ".csv":
        return read_csv(path, shown, notes, written_by_line=False)
    text = whole_lines(read_text(path, str(path)), shown, notes)
    return parse_csv("\n".join(line.strip("\t ").replace("\t", ",") for line in text.splitlines()), path)


def _of_columns(place: Place, root: Path, asked: Sequence[str] | None, notes: Notes) -> Iterator[Curve]:
    """Of torchrl: a file of steps and values for each metric, whose name is that of the file."""
    top = place.paths[0].parents[place.paths[0].parts[::-1].index("scalars") - 1]
    files = {path.relative_to(top).with_suffix("").as_posix(): path for path in place.paths}
    for metric, kind in _chosen(list(files), asked, notes):
        path = files[metric]
        text = whole_lines(read_text(path, str(path)), below(root, path), notes)
        rows = parse_csv(f"step,value\n{text}", path)
        rows = rows[kept_rows(numbers(rows["step"], path), below(root, path), notes)]
        steps, scores = numbers(rows["step"], path), numbers(rows["value"], path)
        notes.remark(f"scores are those of the file {metric}.csv")
        yield Curve(place.name, path, kind, metric, steps, scores, np.ones(steps.size, np.int64))


def _beside(path: Path) -> Mapping[str, Any]:
    """The configuration of a run that lies beside its file."""
    for name in (f"{path.stem}.json", f"{path.stem}.yaml", *_CONFIGURATION):
        if path.with_name(name) != path and (found := read_configuration(path.with_name(name))):
            return found
    return {}
