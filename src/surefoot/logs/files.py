"""Files as training tools leave them: the list of a folder's, and their data as far as they are whole.

Nothing in them is ever run.
"""

import codecs
import csv
import functools
import json
import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
import yaml

from surefoot.build.errors import InputError
from surefoot.build.given_files import (
    MOST_JSON,
    MOST_UNPACKED,
    MOST_YAML,
    parse_json,
    read_text,
    refuse_repetition,
    refuse_special,
    refuse_utf_16,
)
from surefoot.columns import parse_csv, split_header
from surefoot.logs.curves import Reading

HYDRA = ".hydra/config.yaml"
"""Where Hydra keeps the configuration of a job."""
GOING_ON = "which is so while a training goes on"
_HEAD = 65_536
_MOST_CELLS = 5_000_000
"""Cells of a table of objects that is made however few of them are filled."""
_SPARSE = 50
"""Cells for each one that is filled, in a larger table."""
_SHOWN = 2
_NAN = re.compile(r'(?i)(?:^|[,;\t|])\s*"?nan"?\s*(?:[,;\t|]|$)', re.MULTILINE)


class Listing(NamedTuple):
    """What lies below a folder.

    files : sorted; hidden ones left out, and each once, whatever links lead to it
    jobs : folders in which Hydra started a job
    empty : folders without a file or folder in them
    """

    files: list[Path]
    jobs: list[Path]
    empty: list[Path]


def list_files(folder: Path) -> Listing:
    """Return what lies below a folder, or the one file that is given.

    Raises
    ------
    InputError
        where there is no such folder
    PermissionError
        where a part of it may not be read
    """
    if folder.is_file():
        return Listing([folder], [], [])
    if not folder.is_dir():
        refuse_special(folder, str(folder))
        raise InputError(str(folder), "no such folder", "the folder in which the runs are, or a file with runs")
    paths: list[Path] = []
    jobs: list[Path] = []
    empty: list[Path] = []
    # Real folders before links, so that a run has its own name where a link such as `latest` leads to it as well.
    tops, walked = [folder], set[Path]()
    for top in tops:
        for current, folders, names in os.walk(top, onerror=_raise):
            if (real := Path(current).resolve()) in walked:
                folders.clear()
                continue
            walked.add(real)
            if ".hydra" in folders and Path(current, HYDRA).is_file():
                jobs.append(Path(current))
            if not folders and not names:
                empty.append(Path(current))
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            inside = [Path(current, name) for name in sorted(names) if not name.startswith(".")]
            paths += inside
            tops += [path for path in map(Path(current).joinpath, folders) if path.is_symlink()]
    found: dict[Path, Path] = {}
    for path in sorted(paths, key=Path.is_symlink):
        refuse_special(path, str(path))
        if path.is_file():
            found.setdefault(path.resolve(), path)
    return Listing(sorted(found.values()), sorted(jobs), sorted(empty))


def _raise(error: OSError) -> None:
    raise error


@functools.lru_cache(maxsize=100_000)
def csv_header(path: Path) -> tuple[str, ...]:
    """The column names of a CSV, from its first line that is not a comment; none where there is no whole line."""
    refuse_special(path, str(path))
    try:
        with path.open("rb") as start:
            refuse_utf_16(start.read(2), str(path))
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            for line in file:
                if not line.startswith("#"):
                    return tuple(split_header(line)[0]) if line.strip() else ()
    except PermissionError:
        raise
    except (OSError, csv.Error):
        return ()
    return ()


def forget_files() -> None:
    """Forget headers and configurations, which are kept while one folder is read: files may have changed since."""
    csv_header.cache_clear()
    read_configuration.cache_clear()


class Log(NamedTuple):
    """The rows of a log, and by column in which of them NaN was logged, where the file shows it: a table of the same
    index."""

    rows: pd.DataFrame
    undefined: pd.DataFrame


def csv_log(text: str, where: str) -> Log:
    """Return the rows of a log that is CSV."""
    rows = parse_csv(text, where)
    if rows.empty or not _NAN.search(text):
        return Log(rows, pd.DataFrame())
    return Log(rows, parse_csv(text, where, texts=None).isin(["nan", "NaN", "NAN"]))


def record_log(records: Sequence[Mapping[str, Any]], where: str) -> Log:
    """Return the rows of a log of objects, nested ones with a slash between their keys.

    Raises
    ------
    InputError
        where nearly all objects have keys of their own, of which a table would take memory by the square
    """
    keys = Counter(key for record in records for key in _keys(record))
    if len(records) * len(keys) > max(_MOST_CELLS, _SPARSE * keys.total()):
        what = f"its {len(records):,} objects have {len(keys):,} different keys, most of them in one or a few"
        shown = [name for name, _ in keys.most_common(_SHOWN)]
        # A key that is nested is kept with all beside it.
        there = [name if any(name in record for record in records) else name.partition("/")[0] for name in shown]
        names = [name if name.isidentifier() else json.dumps(name) for name in dict.fromkeys(there)]
        hint = f"log under the same keys each time, or keep those: jq -c '{{{', '.join(names)}}}'"
        raise InputError(where, what, hint)
    rows = pd.json_normalize(list(records), sep="/")
    marks = [found for record in records if (found := _undefined_in(record))]
    if not marks:
        return Log(rows, pd.DataFrame())
    undefined = pd.json_normalize([_undefined_in(record) for record in records], sep="/")
    return Log(rows, undefined.notna())


def _keys(record: Mapping[str, Any], start: str = "") -> Iterator[str]:
    """Yield the keys of an object, those in nested ones with a slash between."""
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from _keys(value, f"{start}{key}/")
        else:
            yield f"{start}{key}"


def _undefined_in(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of an object whose values are NaN, nested as they are."""
    found: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping):
            if inner := _undefined_in(value):
                found[key] = inner
        elif isinstance(value, float) and value != value:
            found[key] = True
    return found


def read_csv_log(path: Path, reading: Reading) -> Log:
    """Return the rows of a CSV that a tool writes line by line, its last one only if it is whole."""
    return csv_log(whole_lines(read_text(path, str(path)), path, reading), str(path))


def read_csv(path: Path, texts: Sequence[str] = ()) -> pd.DataFrame:
    """The table of a CSV, texts as they are and numbers as numbers.

    Parameters
    ----------
    texts : columns of texts, which may look like numbers or be called NA

    Raises
    ------
    InputError
        where it is not readable as CSV
    """
    return parse_csv(read_text(path, str(path)), str(path), texts)


def whole_lines(text: str, path: Path, reading: Reading) -> str:
    """The text up to its last end of a line; a remark where a line has none."""
    whole, end, rest = text.rpartition("\n")
    if rest.strip():
        remark = f"{reading.below(path)}: its last line is half-written and left out, {GOING_ON}"
        reading.leave_out(path, "half-written", remark, rows=1)
    return whole + end


def json_lines(path: Path, reading: Reading) -> Iterator[dict[str, Any]]:
    """The objects of a file with one object a line; a last line that is half-written is left out, with a remark.

    Raises
    ------
    InputError
        for another line that is not JSON
    """
    refuse_special(path, str(path))
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                found = parse_json(line.decode("utf-8-sig"), f"{path}: line {number}") if line.strip() else None
            except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
                if file.peek(1):
                    raise InputError(f"{path}: line {number}", "not JSON in UTF-8", "is the file whole?") from None
                remark = f"{reading.below(path)}: its last line is half-written and left out, {GOING_ON}"
                reading.leave_out(path, "half-written", remark, rows=1)
                return
            if isinstance(found, dict):
                yield found


def read_json(path: Path, reading: Reading) -> Any:
    """What a JSON file says; None, with a remark, where it is not whole."""
    text = read_text(path, str(path), MOST_JSON)
    try:
        return parse_json(text, str(path))
    except (json.JSONDecodeError, RecursionError):
        reading.leave_out(path, "damaged", f"{reading.below(path)}: not whole and left out, {GOING_ON}")
        return None


def head(path: Path) -> bytes:
    """The first 64 KiB of a file, without a byte order mark."""
    with path.open("rb") as file:
        return file.read(_HEAD).removeprefix(codecs.BOM_UTF8)


def read_npz(path: Path, reading: Reading) -> Mapping[str, npt.NDArray[Any]] | None:
    """The arrays of a .npz file by name; None, with a remark, where it is not whole.

    Raises
    ------
    InputError
        where an array holds objects, which only a pickle could bring back
    """
    refuse_special(path, str(path))
    try:
        with zipfile.ZipFile(path) as archive:  # no more is unpacked than its members say, whatever they hold
            size = sum(member.file_size for member in archive.infolist())
        if size > MOST_UNPACKED:
            what = f"its arrays unpack to {size / 1e9:,.1f} GB, and at most {MOST_UNPACKED / 1e9:,.1f} are read"
            raise InputError(str(path), what, "save fewer arrays in a file, or as numbers of 32 bits")
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except InputError:
        raise
    except ValueError as error:
        if "allow_pickle" in str(error) or "Object arrays" in str(error):
            what = "an array of Python objects, which no reader can bring back without running what the file says"
            raise InputError(str(path), what, "save it with arrays of numbers, such as rows of equal length") from None
    except (zipfile.BadZipFile, EOFError, KeyError):
        pass
    reading.leave_out(path, "damaged", f"{reading.below(path)}: not whole and left out, {GOING_ON}")
    return None


class _DataLoader(yaml.SafeLoader):  # type: ignore[misc]  # PyYAML has no types
    """YAML in which tags of Python objects are data: nothing is imported, constructed or called."""


def _construct_python(loader: _DataLoader, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.ScalarNode):
        return node.value or suffix.rpartition(":")[2]
    found = loader.construct_sequence(node, deep=True)
    if suffix.endswith("OrderedDict"):
        pairs = found[0] if len(found) == 1 and isinstance(found[0], list) else found
        return {pair[0]: pair[1] for pair in pairs if isinstance(pair, list) and len(pair) == 2}
    return found


_DataLoader.add_multi_constructor("tag:yaml.org,2002:python/", _construct_python)
_DataLoader.add_multi_constructor("!", _construct_python)


@functools.lru_cache(maxsize=4096)
def read_configuration(path: Path) -> Mapping[str, Any]:
    """The keys of a YAML or JSON file of a configuration, tags of Python objects taken as data; none where it has none.

    An OrderedDict is a mapping; of any other object what it would be made of is kept.
    """
    try:
        text = read_text(path, str(path), MOST_JSON if path.suffix == ".json" else MOST_YAML)
        if path.suffix == ".json":
            found = parse_json(text, str(path))
        else:
            loader = _DataLoader(text)
            tree = loader.get_single_node()
            refuse_repetition(tree, str(path))
            found = None if tree is None else loader.construct_document(tree)
    except (PermissionError, InputError):  # names and seeds may stand in it, which nothing else tells
        raise
    except (OSError, ValueError, TypeError, RecursionError, yaml.YAMLError):
        return {}
    return found if isinstance(found, dict) else {}


_YAML = ("hparams.yaml", "config.yaml")
_JSON = ("config.json", "wandb-config.json", "params.json", "args.json", "hparams.json", "variant.json", "flags.json")
CONFIGURATIONS = frozenset((*_YAML, *_JSON, "args.yml", "config.yml", "meta.yaml"))
"""What configurations of runs are usually called."""


def read_configuration_beside(path: Path) -> Mapping[str, Any]:
    """The configuration of a run that lies beside its file, under the file's name or a usual one."""
    for name in (f"{path.stem}.json", f"{path.stem}.yaml", *_YAML, *_JSON):
        if path.with_name(name) != path and (found := read_configuration(path.with_name(name))):
            return found
    return {}


def job_configuration(path: Path, root: Path) -> Mapping[str, Any]:
    """The configuration that Hydra wrote for the job that wrote a file (``.hydra/config.yaml``): of the nearest folder
    around it, up to the folder that is read, that has one; nothing where none has."""
    top = root.parent if root.is_file() else root
    for folder in path.parents:
        config = folder / HYDRA
        if config.is_file():
            return read_configuration(config)
        if folder == top:
            break
    return {}
