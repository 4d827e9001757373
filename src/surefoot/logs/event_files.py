"""Event files of TensorBoard, whose messages the package `tensorboard` reads, which is asked for where there are any.

A file of any size takes the memory of its scalars alone.
"""

import io
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from surefoot.build.errors import InputError
from surefoot.build.given_files import refuse_special
from surefoot.logs.curves import Counts, Floats, Notes
from surefoot.logs.data_files import GOING_ON, head
from surefoot.logs.listing import below

_FRAME = 16
"""Bytes of a record beside its data: its length (8), a checksum of that (4), and a checksum of the data (4)."""
_AFTER = 4
"""Those after the data."""
_LENGTH = struct.Struct("<Q")
_TEXT = "hyperparameters"
_ROW = re.compile(r"^\|([^|]+)\|(.*)\|$")


class Scalars(NamedTuple):
    """The scalars of a tag in the order in which they were written.

    steps : float64[points]
    scores : float64[points]
    """

    steps: Floats
    scores: Floats

    @property
    def episodes(self) -> Counts:
        """int64[points]: one each."""
        return np.ones(self.steps.size, dtype=np.int64)


def is_event_file(path: Path) -> bool:
    """Whether the name is one of an event file."""
    return ".tfevents." in path.name or path.name.endswith(".tfevents")


def holds_any(path: Path, tags: Sequence[str]) -> bool:
    """Whether the first records have one of the tags; tags stand in the file as they are."""
    begin = head(path)
    return any(tag.encode() in begin for tag in tags)


def read_events(
    paths: Sequence[Path], root: Path, tags: Sequence[str], notes: Notes
) -> tuple[dict[str, Scalars], dict[str, str]]:
    """The scalars of these tags in the files of one folder, by tag, and the hyperparameters that are logged as text.

    What a later file logs overwrites what earlier ones have at its first step and after it: the training was started
    again from there.
    """
    ordered = sorted(paths, key=_written)
    found: dict[str, list[Scalars]] = {}
    parameters: dict[str, str] = {}
    for path in ordered:
        steps: dict[str, list[int]] = {}
        values: dict[str, list[float]] = {}
        for tag, step, value in _values(path, below(root, path), tags, notes):
            if isinstance(value, str):
                parameters |= _parameters(value)
            else:
                steps.setdefault(tag, []).append(step)
                values.setdefault(tag, []).append(value)
        for tag, of_tag in steps.items():
            new = Scalars(np.array(of_tag, np.float64), np.array(values[tag], np.float64))
            found[tag] = _continued(found.get(tag, []), new, below(root, path), tag, notes)
    joined = {
        tag: Scalars(np.concatenate([part.steps for part in parts]), np.concatenate([part.scores for part in parts]))
        for tag, parts in found.items()
    }
    return joined, parameters


def tags_of(paths: Sequence[Path], root: Path, notes: Notes) -> set[str]:
    """The tags of all scalars of the files."""
    return {tag for path in paths for tag, _, _ in _values(path, below(root, path), None, notes)} - {_TEXT}


def _continued(before: list[Scalars], new: Scalars, shown: str, tag: str, notes: Notes) -> list[Scalars]:
    first = new.steps.min()
    kept = [Scalars(part.steps[part.steps < first], part.scores[part.steps < first]) for part in before]
    lost = sum(part.steps.size for part in before) - sum(part.steps.size for part in kept)
    if lost:
        notes.remark(
            f"{shown}: it begins at step {first:,.0f}, which an earlier file of the run has passed, as after a "
            f"restart; {lost:,} earlier points of {tag} from there on are left out"
        )
    return [*kept, new]


def _written(path: Path) -> tuple[float, str]:
    """By the time in the file's name, which is when it was begun."""
    match = re.search(r"\.tfevents\.(\d+)", path.name)
    return (float(match[1]) if match else path.stat().st_mtime, path.name)


def _values(path: Path, shown: str, tags: Sequence[str] | None, notes: Notes) -> Iterator[tuple[str, int, float | str]]:
    """(tag, step, value) of the scalars with these tags, or all, and of the hyperparameters."""
    event, make_array, damaged = _messages()
    wanted = None if tags is None else set(tags)
    marks = None if tags is None else [tag.encode() for tag in (*tags, _TEXT)]
    for record in _records(path, shown, notes):
        # Records of images and histograms are large: those without a tag that is wanted are not taken apart.
        if marks is not None and not any(mark in record for mark in marks):
            continue
        try:
            read = event.FromString(record)
        except damaged:
            notes.remark(f"{shown}: a record of it is damaged; it and what comes after are left out")
            return
        for value in read.summary.value:
            tag = value.tag
            if wanted is None or tag in wanted:
                if value.HasField("simple_value"):
                    yield tag, read.step, value.simple_value
                elif value.HasField("tensor") and (array := _numbers(value.tensor, make_array)) is not None:
                    yield tag, read.step, array
            elif tag.startswith(_TEXT) and value.HasField("tensor"):
                yield _TEXT, read.step, b"".join(value.tensor.string_val).decode("utf-8", "replace")


def _records(path: Path, shown: str, notes: Notes) -> Iterator[bytes]:
    """The records of the file, up to one that is not whole.

    A record is its length, a checksum of that, the data and a checksum of these. The package's own loop checks them in
    Python, byte by byte, at less than a megabyte a second; here they are not looked at.
    """
    refuse_special(path, str(path))
    left = path.stat().st_size
    with path.open("rb") as file:
        while left >= _FRAME:
            (length,) = _LENGTH.unpack(file.read(_FRAME - _AFTER)[:8])
            left -= length + _FRAME
            if left < 0 or not length:  # an event has its time: only what a crash left behind is empty
                break
            yield file.read(length)
            file.seek(_AFTER, io.SEEK_CUR)
    if left:
        notes.remark(f"{shown}: its last record is half-written (or damaged) and left out, {GOING_ON}")


def _numbers(tensor: Any, make_array: Any) -> float | None:
    """The one number of a tensor, as TensorFlow 2 writes scalars; None of any other tensor."""
    try:
        array = np.asarray(make_array(tensor))
        return float(array.reshape(())) if array.size == 1 and array.dtype.kind in "fiub" else None
    except (TypeError, ValueError):
        return None


def _parameters(text: str) -> dict[str, str]:
    """The rows of the table in Markdown that CleanRL logs."""
    rows = (_ROW.match(line) for line in text.splitlines())
    pairs = {row[1].strip(): row[2].strip() for row in rows if row}
    return {name: value for name, value in pairs.items() if name != "param" and not name.startswith("-")}


def _messages() -> tuple[Any, Any, type[Exception]]:
    """(message of an event, what makes an array of a tensor, error of a damaged message), as the package has them."""
    try:
        event = import_module("tensorboard.compat.proto.event_pb2")
        tensors = import_module("tensorboard.util.tensor_util")
        messages = import_module("google.protobuf.message")
    except ImportError:
        what = "event files are read by the package tensorboard, which is not installed"
        raise InputError(
            "TensorBoard", what, "pip install 'surefoot[tensorboard]', or pip install tensorboard"
        ) from None
    return event.Event, tensors.make_ndarray, messages.DecodeError


def configuration_of(parameters: Mapping[str, str]) -> dict[str, str]:
    """The hyperparameters without those that are unset."""
    return {name: value for name, value in parameters.items() if value not in ("", "None")}
