"""Files from untrusted authors: limits and checks that protect the process that reads them."""

import codecs
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from surefoot.errors import HintedError, InputError, shortened
from surefoot.workflow.machine_errors import MACHINE_ERRORS

MOST_UNPACKED = 512 << 20
"""Largest size in bytes of an unpacked compressed file; readers need up to three times as much memory."""
MOST_TEXT = 512 << 20
"""Largest size in bytes of a table in text form; its runs take about eight times as much memory."""
MOST_YAML = 1 << 20
"""Largest size in bytes of a YAML file; the reader takes about a hundred times as much memory."""
MOST_JSON = 64 << 20
"""Largest size in bytes of a file with a single JSON value; Python takes up to 25 times as much memory."""
LONGEST_LINE = 200_000
"""Largest number of characters in a line of a table."""
_MOST_NODES = 1_000_000
_MOST_DIGITS = 400
"""Integers in JSON with at least this many digits are read as floats, that is, as infinity."""
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SAVE = "save it as UTF-8, which spreadsheets call CSV UTF-8"


@contextlib.contextmanager
def guarded(where: str, hint: str) -> Iterator[None]:
    """Convert any error of a reader to an InputError with one sentence, chained to the original error.

    Raises
    ------
    InputError
        for any exception except a HintedError, a missing file, a system error or an interrupt, which are not converted
    """
    try:
        yield
    except (HintedError, FileNotFoundError):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in MACHINE_ERRORS:
            raise
        text = shortened(" ".join(str(error).split()))
        raise InputError(where, f"not readable ({type(error).__name__}{': ' if text else ''}{text})", hint) from error


def refuse_special(path: Path, where: str) -> None:
    """Raise an InputError for a path to a pipe, a device or a socket, since reading it may never end."""
    if path.exists() and not path.is_file() and not path.is_dir():
        what = "it is a pipe, a device or a socket, not a data file"
        raise InputError(where, what, "write the data to a file, and use that file")


def refuse_utf_16(content: bytes, where: str) -> None:
    """Raise an InputError for a file that begins with the byte order mark of UTF-16."""
    if content.startswith(_UTF_16):
        raise InputError(where, "the file is encoded as UTF-16", _SAVE)


def utf8_text(content: bytes, where: str) -> str:
    """Return the text of a file, without a byte order mark.

    Raises
    ------
    InputError
        if the file is not UTF-8 or contains a NUL character; the message names the line
    """
    refuse_utf_16(content, where)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        content = content.removeprefix(codecs.BOM_UTF8)
        line = content[: error.start].count(b"\n") + 1
        what = f"the file is not encoded as UTF-8: line {line} has the byte 0x{content[error.start]:02x}"
        raise InputError(where, what, _SAVE) from None
    if (position := text.find("\0")) >= 0:
        if position < 4:
            raise InputError(where, "the file is encoded as UTF-16", _SAVE)
        line = text.count("\n", 0, position) + 1
        what = f"line {line} has a NUL character, as in UTF-16, and in files cut off by a crash"
        raise InputError(where, what, f"save it as UTF-8; after a crash, keep the intact lines: head -n {line - 1}")
    return text


def read_text(path: Path, where: str, most: int = MOST_TEXT) -> str:
    """Return the text of a file; see `utf8_text`.

    Raises
    ------
    InputError
        for other encodings, for pipes and devices, and for files of more than `most` bytes
    """
    refuse_special(path, where)
    if (size := path.stat().st_size) > most:
        hint = "is it the right file?"
        if most == MOST_TEXT:
            hint = f"write a table as Parquet: pandas.read_csv({path.name!r}).to_parquet({path.stem + '.parquet'!r})"
        raise InputError(where, f"it has {size:,} bytes, but text files of at most {most:,} are read", hint)
    return utf8_text(path.read_bytes(), where)


def parse_json(text: str | bytes, where: str) -> Any:
    """Parse JSON; NaN and Infinity are numbers, and integers with very many digits become infinite.

    Raises
    ------
    InputError
        for an object with a duplicate key, for which Python would use the last value
    json.JSONDecodeError, UnicodeDecodeError, RecursionError
        if the text is not JSON
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            again = next(name for name in names if names.count(name) > 1)
            raise InputError(where, f'an object has the key "{shortened(again)}" twice', "keep one of the two")
        return found

    # Python refuses to read whole numbers of more than 4300 digits.
    return json.loads(
        text,
        object_pairs_hook=once,
        parse_int=lambda digits: int(digits) if len(digits) < _MOST_DIGITS else float(digits),
    )


def refuse_long_lines(text: str, where: str) -> None:
    """Raise an InputError for a table with an extremely long line; parsing it would take minutes and much memory."""
    begin = 0
    while len(text) - begin > LONGEST_LINE:
        end = text.rfind("\n", begin, begin + LONGEST_LINE)
        if end < 0:
            line = text.count("\n", 0, begin) + 1
            what = f"line {line} has more than {LONGEST_LINE:,} characters"
            raise InputError(where, what, "use one row per run, with only the required columns")
        begin = end + 1


def refuse_repetition(tree: yaml.Node | None, where: str) -> None:
    """Raise an InputError for YAML whose aliases make it endless or expand it to more than a million values.

    Aliases and merge keys (``<<``) repeat the node to which they refer: nine lines with nine aliases each can stand for
    a billion values.

    Raises
    ------
    RecursionError
        if the YAML is nested too deeply
    """
    if tree is not None and _size(tree, {}, where) > _MOST_NODES:
        what = f"more than {_MOST_NODES:,} values, including those repeated by aliases"
        raise InputError(where, what, "use fewer aliases (*name) and merge keys (<<)")


def _size(node: yaml.Node, known: dict[int, int], where: str) -> int:
    """Return the number of values in a node, counting repetitions by aliases.

    `known` maps nodes to their sizes, and nodes that contain this one to 0.
    """
    if isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) not in known:
        known[id(node)] = 0
        parts = [part for entry in node.value for part in (entry if isinstance(entry, tuple) else (entry,))]
        known[id(node)] = 1 + sum(_size(part, known, where) for part in parts)
    elif not known[id(node)]:
        line = node.start_mark.line + 1
        raise InputError(where, f"an alias refers to a node that contains it and begins in line {line}", "write it out")
    return known[id(node)]
