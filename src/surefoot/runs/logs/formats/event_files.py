"""Event files of TensorBoard, including event files of CleanRL and Tianshou.

Their records are parsed by the package `tensorboard`, which is only required if there are event files. Only the scalars
of a file are kept in memory.
"""

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import InputError, conjugated, counted
from surefoot.runs.given_files import refuse_special
from surefoot.runs.logs.continued import PART, joins_parts, split_parts
from surefoot.runs.logs.log_files import GOING_ON, head
from surefoot.runs.logs.logged_curves import Curve, Place, Reading
from surefoot.runs.logs.logged_rows import WALL_TIME, along
from surefoot.runs.logs.metrics import ENVIRONMENT_STEPS, RETURNS, UNITS, chosen_metrics, steps_among
from surefoot.runs.logs.naming import CLEANRL
from surefoot.runs.logs.run_formats import Logged, run_format

_FRAME = 16
"""Number of bytes of a record in addition to its data: length (8), checksum of the length (4) and of the data (4)."""
_AFTER = 4
"""Number of bytes of the checksum after the data."""
_LENGTH = struct.Struct("<Q")
_CHECKSUM = struct.Struct("<I")
_SMALL = 256
"""Largest size in bytes of a record that may be a scalar."""
_AT_ONCE = 4096
"""Number of records whose checksums are computed together."""
_TEXT = "hyperparameters"
_HPARAMS = b"_hparams_/"
"""Beginning of the tags of hyperparameters that TensorBoard shows as a table."""
_ROW = re.compile(r"^\|([^|]+)\|(.*)\|$")
_EVALUATION = "eval/episodic_return"
_TRAINING = "charts/episodic_return"
_OF_TIANSHOU = {
    "eval": ("test/returns_stat/mean", "test/reward"),
    "train": ("training/returns_stat/mean", "train/returns_stat/mean", "train/reward"),
}
_MARKS = ("test/returns_stat/mean", "training/returns_stat/mean", "test/env_step", "test/reward")
"""Tags at the beginning of Tianshou's files."""


def _recognize(reading: Reading, files: Sequence[Path]) -> list[Place]:
    """Return a `Place` for each folder with event files, since each such folder is a run.

    Subfolders in which PyTorch's `add_hparams` repeats the last values of a run do not count as runs.
    """
    events = [path for path in files if ".tfevents." in path.name or path.name.endswith(".tfevents")]
    runs = {path.parent for path in events}
    return reading.run_places(path for path in events if path.parent.parent not in runs or _HPARAMS not in head(path))


@run_format(
    "tensorboard",
    "TensorBoard's event files: scalars that any tool logged, one run per folder",
    _recognize,
    beside=("stable_baselines3_monitor",),
    steps_by_name=True,
)
def read_tensorboard(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the scalars with the requested tags, by default the tags that tools use for returns."""
    return _curves(place, reading, RETURNS)


@run_format(
    "cleanrl",
    "CleanRL's folders (<environment>__<experiment>__<seed>__<time>/ with event files)",
    # A run is a folder with event files; the folder's name has these four parts, split from the right.
    lambda reading, files: [
        place for place in _recognize(reading, files) if CLEANRL.fullmatch(place.paths[0].parent.name)
    ],
    contains=("tensorboard",),
    steps_by_name=True,
    # Returns of single episodes of training, then of evaluation; in some scripts, the evaluated policy is stochastic.
    unit=ENVIRONMENT_STEPS,
    logged={"train": Logged("CleanRL", "episode"), "eval": Logged("CleanRL", "mean", counted=True)},
)
def read_cleanrl(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the curves of CleanRL's event files.

    Names are read from the logged hyperparameters if there are any, since the folder's name cannot contain the slash in
    the name of an environment. Evaluation takes place after training and is logged by episode number, so its step is
    set to the last step of training.
    """
    match = CLEANRL.fullmatch(place.paths[0].parent.name)
    labels = match.groupdict() if match else {}
    logged = {"environment": "env_id", "algorithm": "exp_name", "run": "seed"}
    for curve in _curves(place, reading, RETURNS):
        labels |= {name: curve.config[key] for name, key in logged.items() if key in curve.config}
        points = curve.points
        if curve.metric == _EVALUATION and reading.step is None:
            training, _ = read_events(place.paths, reading, [_TRAINING])
            points = points.assign(step=training["step"].max())
        yield curve._replace(labels=labels, points=points)


@run_format(
    "tianshou",
    "Tianshou's event files: returns of its test and training collectors",
    # A run is a folder with event files that begin with Tianshou's tags, which are plain text in the file.
    lambda reading, files: [
        place
        for place in _recognize(reading, files)
        if any(mark.encode() in head(path) for path in place.paths for mark in _MARKS)
    ],
    contains=("tensorboard",),
    steps_by_name=True,
    # Means over the episodes of a collector; the number of episodes is not logged.
    unit=ENVIRONMENT_STEPS,
    logged={"": Logged("Tianshou", "mean")},
)
def read_tianshou(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the curves of Tianshou's training and test collectors, by environment steps."""
    return _curves(place, reading, _OF_TIANSHOU)


def _curves(place: Place, reading: Reading, returns: Mapping[str, Sequence[str]]) -> Iterator[Curve]:
    """Yield curves of the requested tags, by default of the tags in `returns` (tags by kind of scores)."""
    tags = reading.asked if reading.asked is not None else [tag for known in returns.values() for tag in known]
    counter = [] if reading.step in (None, WALL_TIME) else [reading.step]
    scalars, parameters = read_events(place.paths, reading, [*tags, *counter])
    _keep_other_tags(set(scalars["tag"]), counter, place, reading)
    config = {name: value for name, value in parameters.items() if value not in ("", "None")}
    by_tag = {str(tag): points.drop(columns="tag") for tag, points in scalars.groupby("tag", sort=False)}
    start = (min(map(_begun, place.paths)) or scalars["time"].min()) if reading.step == WALL_TIME else 0.0
    for metric, kind in chosen_metrics([tag for tag in by_tag if tag not in counter], reading, returns):
        reading.units.add(UNITS.get(metric, ""))
        curve = Curve(place.name, place.paths[0], kind, metric, config=config)
        yield from split_parts(curve, along(by_tag[metric], by_tag, start, curve, reading))


def _keep_other_tags(found: set[str], counter: Sequence[str], place: Place, reading: Reading) -> None:
    """Record the names of all scalars, for error messages, if a file lacks the requested scalars.

    Raises
    ------
    InputError
        if the file lacks the requested counter of steps
    """
    lacks_counter = not found.issuperset(counter)
    if found - set(counter) and not lacks_counter:
        return
    logged = {tag for tag, *_ in _values(place.paths[0], reading, None)} - {_TEXT}
    if lacks_counter:
        steps_among([WALL_TIME, *sorted(logged)], reading, place.name)
    reading.metrics.update(logged)


def _begun(path: Path) -> float:
    """Return the time of the first event of a file, in seconds since the epoch."""
    from tensorboard.compat.proto.event_pb2 import Event

    with path.open("rb") as file:
        (length,) = _LENGTH.unpack(file.read(_FRAME - _AFTER)[:8])
        return float(Event.FromString(file.read(length)).wall_time)


def read_events(paths: Sequence[Path], reading: Reading, tags: Sequence[str]) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return the scalars with the given tags in the files of one folder, and the logged hyperparameters.

    The table has the columns tag, step, score and time, with rows in the order written. A later file overwrites earlier
    files from its first step on, since training was restarted there.
    """
    scalars = pd.DataFrame(columns=["tag", "step", "score", "time"])
    parameters: dict[str, str] = {}
    for path in sorted(paths, key=_written):
        rows: list[tuple[str, int, float, float]] = []
        for tag, step, value, logged in _values(path, reading, tags):
            if isinstance(value, str):
                # The rows of the table in Markdown that CleanRL logs.
                cells = [(row[1].strip(), row[2].strip()) for row in map(_ROW.match, value.splitlines()) if row]
                parameters |= {name: text for name, text in cells if name != "param" and not name.startswith("-")}
            else:
                rows.append((tag, step, value, logged))
        new = pd.DataFrame(rows, columns=scalars.columns).astype(dict.fromkeys(["step", "score", "time"], np.float64))
        if not new.empty:
            scalars, new = _begun_anew(scalars, new, path, reading)
        first = new.groupby("tag")["step"].min()
        lost = scalars["step"] >= scalars["tag"].map(first)
        if PART in new:
            lost &= scalars[PART] == new[PART].max()
        for tag, count in scalars.loc[lost, "tag"].value_counts(sort=False).items():
            reading.leave_out(
                path,
                "before a restart",
                f"{reading.below(path)}: it begins at step {first[tag]:,.0f}, which an earlier file of the run has "
                f"passed, as after a restart; {counted(count, 'earlier point')} of {tag} from there on "
                f"{conjugated('are', count)} left out",
                rows=count,
                metric=tag,
            )
        scalars = pd.concat([scalars[~lost], new]) if len(scalars) else new
    return scalars, parameters


def _begun_anew(
    earlier: pd.DataFrame, new: pd.DataFrame, path: Path, reading: Reading
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the scalars of earlier files and of a new file, treating restarted steps as requested.

    Steps restart if the new file begins at the first step of the earlier files or before it. The steps of the new file
    are then accumulated, or the files are marked as parts.

    Raises
    ------
    InputError
        if steps restart and `Reading.continued` is None
    """
    first, last, count = (earlier.groupby("tag")["step"].agg(name) for name in ("min", "max", "nunique"))
    begins = new.groupby("tag")["step"].min().reindex(first.index)
    anew = (begins <= first) & (count > 1)
    part = int(earlier[PART].max()) if PART in earlier else 1
    if not anew.any():
        return earlier, new.assign(**{PART: part}) if PART in earlier else new
    tag = anew.idxmax()
    found = f"steps begin again at {begins[tag]:,.0f}, after {last[tag]:,.0f} in earlier files"
    shown = reading.below(path)
    if not joins_parts(shown, shown, found, 2, reading):
        return earlier.assign(**{PART: earlier.get(PART, 1)}), new.assign(**{PART: part + 1})
    return earlier, new.assign(step=new["step"] + last.max())


def _written(path: Path) -> tuple[float, str]:
    """Return a key that sorts event files by the creation time in their names."""
    match = re.search(r"\.tfevents\.(\d+)", path.name)
    return (float(match[1]) if match else path.stat().st_mtime, path.name)


def _values(path: Path, reading: Reading, tags: Sequence[str] | None) -> Iterator[tuple[str, int, float | str, float]]:
    """Yield (tag, step, value, time) of the hyperparameters, and of scalars with the given tags (all if None)."""
    try:
        from google.protobuf.message import DecodeError
        from tensorboard.compat.proto.event_pb2 import Event
    except ImportError:
        what = "reading event files needs the package tensorboard, which is not installed"
        hint = "pip install 'surefoot[tensorboard]', or pip install tensorboard"
        raise InputError("TensorBoard", what, hint) from None
    wanted = None if tags is None else set(tags)
    marks = None if tags is None else [tag.encode() for tag in (*tags, _TEXT)]
    for record in _whole_records(path, marks, reading):
        try:
            read = Event.FromString(record)
        except DecodeError:
            remark = f"{reading.below(path)}: it has a damaged record; this and all later records are left out"
            reading.leave_out(path, "damaged", remark, rows=1)
            return
        for value in read.summary.value:
            if wanted is None or value.tag in wanted:
                number = _number_of(value)
                if number is not None:
                    yield value.tag, read.step, number, read.wall_time
            elif value.tag.startswith(_TEXT) and value.HasField("tensor"):
                text = b"".join(value.tensor.string_val).decode("utf-8", "replace")
                yield _TEXT, read.step, text, read.wall_time


def _number_of(value: Any) -> float | None:
    """Return the number in a value of a summary, or None for other values; TensorFlow 2 writes it as an array."""
    from tensorboard.util.tensor_util import make_ndarray

    if value.HasField("simple_value"):
        return float(value.simple_value)
    if not value.HasField("tensor"):
        return None
    array = np.asarray(make_ndarray(value.tensor))
    return float(array.reshape(())) if array.size == 1 and array.dtype.kind in "fiub" else None


def _whole_records(path: Path, marks: Sequence[bytes] | None, reading: Reading) -> Iterator[bytes]:
    """Yield the records with correct checksums that contain one of the marks (all if `marks` is None).

    Large records, such as images and histograms, are skipped unless they have a requested tag. Small records are always
    checked, since the tag itself may be damaged.
    """

    def is_wanted(record: bytes) -> bool:
        return marks is None or any(mark in record for mark in marks)

    looked_at = (found for found in _records(path, reading) if len(found[0]) <= _SMALL or is_wanted(found[0]))
    damaged = 0
    while some := list(islice(looked_at, _AT_ONCE)):
        right = _right_checksums(some)
        damaged += len(some) - int(right.sum())
        yield from (record for (record, _), is_right in zip(some, right, strict=True) if is_right and is_wanted(record))
    if damaged:
        remark = f"{reading.below(path)}: {counted(damaged, 'record')} with a wrong checksum left out"
        reading.leave_out(path, "damaged", remark, rows=damaged)


def _right_checksums(records: Sequence[tuple[bytes, int]]) -> npt.NDArray[np.bool_]:
    """Return a mask of the records whose checksums (masked CRC-32C, as in TFRecord files) are correct."""
    right = np.zeros(len(records), np.bool_)
    lengths = np.array([len(record) for record, _ in records])
    for length in np.unique(lengths):  # byte by byte, for all records of equal length at once
        places = np.flatnonzero(lengths == length)
        data = np.frombuffer(b"".join(records[place][0] for place in places.tolist()), np.uint8).reshape(
            places.size, length
        )
        checksum = np.full(places.size, 0xFFFFFFFF, np.uint32)
        for column in data.T:
            checksum = _CASTAGNOLI[(checksum ^ column) & 0xFF] ^ (checksum >> np.uint32(8))
        checksum ^= np.uint32(0xFFFFFFFF)
        masked = ((checksum >> np.uint32(15)) | (checksum << np.uint32(17))) + np.uint32(0xA282EAD8)
        right[places] = masked == np.array([records[place][1] for place in places.tolist()], np.uint32)
    return right


def _castagnoli() -> npt.NDArray[np.uint32]:
    """Return the CRC-32C of each byte, as a lookup table."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.where(table & 1, (table >> 1) ^ np.uint32(0x82F63B78), table >> 1)
    return table.astype(np.uint32)


_CASTAGNOLI = _castagnoli()


def _records(path: Path, reading: Reading) -> Iterator[tuple[bytes, int]]:
    """Yield the records of a file with their checksums, up to the first incomplete record.

    A record consists of its length, the checksum of the length, the data, and the checksum of the data.
    """
    refuse_special(path, str(path))
    left = path.stat().st_size
    with path.open("rb") as file:
        while left >= _FRAME:
            (length,) = _LENGTH.unpack(file.read(_FRAME - _AFTER)[:8])
            left -= length + _FRAME
            if left < 0 or not length:  # an event contains at least its time, so an empty record is due to a crash
                break
            record = file.read(length)
            yield record, _CHECKSUM.unpack(file.read(_AFTER))[0]
    if left:
        remark = f"{reading.below(path)}: its last record is half-written (or damaged) and left out, {GOING_ON}"
        reading.leave_out(path, "half-written", remark, rows=1)
