"""Files of Weights & Biases (``run-<id>.wandb``), which it writes for every run, offline ones too.

A file is a log as LevelDB writes it (blocks of 32 KiB, records in one or several fragments) after seven bytes of its
own; a record is a message of protocol buffers, of which a few fields are read. The package `wandb` has no function for
it (since 0.20 it reads the files in Go), and is not needed.

Sources: LevelDB's log format (github.com/google/leveldb, doc/log_format.md), protocol buffers' encoding
(protobuf.dev/programming-guides/encoding), and the field numbers of wandb/proto/wandb_internal.proto.
"""

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.build.errors import InputError
from surefoot.logs.curves import Reading
from surefoot.logs.files import GOING_ON

_BEGIN = b":W&B"
_OWN, _BLOCK, _FRAME = 7, 32_768, 7
_WHOLE, _FIRST, _MIDDLE, _LAST = 1, 2, 3, 4
_HISTORY, _CONFIG, _RUN = 2, 5, 17
"""Fields of a record."""


class LoggedRun(NamedTuple):
    """What a file holds.

    name : of the run as W&B shows it
    config : its configuration
    rows : what was logged together, by key
    """

    name: str
    config: dict[str, Any]
    rows: list[dict[str, Any]]


def is_wandb_file(path: Path) -> bool:
    """Whether a file is one of a run."""
    if path.suffix != ".wandb":
        return False
    with path.open("rb") as file:
        return file.read(len(_BEGIN)) == _BEGIN


def read_wandb_file(path: Path, reading: Reading) -> LoggedRun:
    """What was logged, up to a record that is not whole."""
    name, config, rows = path.stem, dict[str, Any](), list[dict[str, Any]]()
    try:
        for record in _records(path, reading):
            for number, message in _fields(record):
                if number == _HISTORY:
                    rows.append(_items(message, 1))
                elif number == _CONFIG:
                    config |= _items(message, 1)
                elif number == _RUN:
                    for inner, value in _fields(message):
                        if inner == 4:
                            config |= _items(value, 1)
                        elif inner == 8:
                            name = value.decode("utf-8")
    except (ValueError, IndexError, struct.error):
        raise InputError(
            str(path), "a record of it is damaged", "wandb sync uploads it; then export the run's history by the API"
        ) from None
    return LoggedRun(name, config, rows)


def _records(path: Path, reading: Reading) -> Iterator[bytes]:
    parts: list[bytes] = []
    with path.open("rb") as file:
        at = len(file.read(_OWN))
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
                    reading.remark(f"{shown}: its last record is half-written (or damaged) and left out, {GOING_ON}")
                    return
                parts = [*parts, piece] if kind in (_MIDDLE, _LAST) else [piece]
                if kind in (_WHOLE, _LAST):
                    yield b"".join(parts)
            at = 0


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """(number, bytes) of the fields of a message that are texts or messages; others are passed over."""
    at = 0
    while at < len(message):
        key, at = _number(message, at)
        if key & 7 == 2:
            length, at = _number(message, at)
            if at + length > len(message):
                raise ValueError(length)
            yield key >> 3, message[at : at + length]
            at += length
        elif key & 7 == 0:
            _, at = _number(message, at)
        elif key & 7 in (1, 5):
            at += 8 if key & 7 == 1 else 4
        else:
            raise ValueError(key)


def _number(message: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    found = shift = 0
    while True:
        found |= (message[at] & 0x7F) << shift
        if message[at] < 0x80 or shift > 63:
            return found, at + 1
        at, shift = at + 1, shift + 7


def _items(message: bytes, field: int) -> dict[str, Any]:
    """The keys and values of a history or a configuration, which are JSON."""
    found: dict[str, Any] = {}
    for number, item in _fields(message):
        if number == field:
            key: list[str] = []
            value = b"null"
            for inner, text in _fields(item):
                if inner in (1, 2):
                    key.append(text.decode("utf-8"))
                elif inner == 16:
                    value = text
            found[".".join(key)] = json.loads(value)
    return found
