"""List the files of a folder, and read files that training tools may still be writing.

Code in the files is never executed.
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

from surefoot.errors import InputError
from surefoot.runs.columns.csv_text import is_before_header, parse_csv, split_header, without_comments
from surefoot.runs.given_files import (
    MOST_JSON,
    MOST_UNPACKED,
    MOST_YAML,
    parse_json,
    read_text,
    refuse_repetition,
    refuse_special,
    refuse_utf_16,
)
from surefoot.runs.logs.logged_curves import Reading

HYDRA = ".hydra/config.yaml"
"""Path of the configuration that Hydra writes for a job."""
GOING_ON = "as is normal while a training is running"
_HEAD = 65_536
_MOST_CELLS = 5_000_000
"""Largest number of cells of a sparse table that is made from JSON objects."""
_SPARSE = 50
"""Largest ratio of all cells to filled cells in tables with more than `_MOST_CELLS` cells."""
_SHOWN = 2
_NAN = re.compile(r'(?i)(?:^|[,;\t|])\s*"?nan"?\s*(?:[,;\t|]|$)', re.MULTILINE)


class Listing(NamedTuple):
    """Contents of a folder.

    files : sorted files without hidden ones, each once even if several links lead to it
    jobs : folders in which Hydra started a job
    empty : folders without files and subfolders
    hidden : number of files in each hidden folder, except for the configurations of jobs, and 1 for each hidden file
    broken : links to missing files
    links : links to files and folders that are listed under another name
    """

    files: list[Path]
    jobs: list[Path]
    empty: list[Path]
    hidden: dict[Path, int]
    broken: list[Path]
    links: list[Path]


def list_files(folder: Path) -> Listing:
    """List the contents of a folder, or a single file.

    Raises
    ------
    InputError
        if the folder does not exist
    PermissionError
        if a part of it is not readable
    """
    if folder.is_file():
        return Listing([folder], [], [], {}, [], [])
    if not folder.is_dir():
        refuse_special(folder, str(folder))
        raise InputError(str(folder), "no such folder", "give the folder of the runs, or a file with runs")
    listing = Listing([], [], [], {}, [], [])
    # Visit real folders before links, so that a run keeps its name if a link such as `latest` also leads to it.
    tops = [folder]
    walked = set[Path]()
    for top in tops:
        for current, folders, names in os.walk(top, onerror=_raise):
            path = Path(current)
            if (real := path.resolve()) in walked:
                folders.clear()
                listing.links.append(path)
                continue
            walked.add(real)
            _list_folder(path, folders, names, listing)
            folders[:] = sorted(name for name in folders if not _is_hidden(name))
            tops += [inside for inside in map(path.joinpath, folders) if inside.is_symlink()]
    return listing._replace(files=_each_once(listing), jobs=sorted(listing.jobs), empty=sorted(listing.empty))


def _is_hidden(name: str) -> bool:
    return name.startswith(".")


def _list_folder(path: Path, folders: Sequence[str], names: Sequence[str], listing: Listing) -> None:
    """Add the contents of a folder to the listing, without its visible subfolders."""
    listing.files.extend(path / name for name in sorted(names) if not _is_hidden(name))
    listing.hidden.update({path / name: 1 for name in names if _is_hidden(name)})
    if not folders and not names:
        listing.empty.append(path)
    for name in filter(_is_hidden, folders):
        listing.hidden[path / name] = sum(len(inside) for *_, inside in os.walk(path / name))
    if (path / HYDRA).is_file():
        listing.jobs.append(path)
        listing.hidden[path / ".hydra"] -= 1


def _each_once(listing: Listing) -> list[Path]:
    """Return the sorted files without duplicates; add broken and duplicate links to the listing."""
    by_target: dict[Path, Path] = {}
    for path in sorted(listing.files, key=Path.is_symlink):
        refuse_special(path, str(path))
        if not path.is_file():
            listing.broken.append(path)
        elif by_target.setdefault(path.resolve(), path) != path:
            listing.links.append(path)
    return sorted(by_target.values())


def _raise(error: OSError) -> None:
    raise error


@functools.lru_cache(maxsize=100_000)
def csv_header(path: Path) -> tuple[str, ...]:
    """Return the column names of a CSV from its first line that is not a comment, or () if there are none."""
    refuse_special(path, str(path))
    try:
        with path.open("rb") as start:
            refuse_utf_16(start.read(2), str(path))
        with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            lines = []
            for line in file:
                lines.append(line)
                if not is_before_header(line):
                    break
        header = without_comments("".join(lines)).partition("\n")[0]
        return tuple(split_header(header)[0]) if header.strip() else ()
    except PermissionError:
        raise
    except (OSError, csv.Error):
        return ()


def forget_files() -> None:
    """Clear cached headers and configurations, since files may change between two calls."""
    csv_header.cache_clear()
    read_configuration.cache_clear()


class Log(NamedTuple):
    """Rows of a log, and a boolean table with the same index that shows where NaN was logged."""

    rows: pd.DataFrame
    undefined: pd.DataFrame


def csv_log(text: str, where: str) -> Log:
    """Return the rows of a CSV log."""
    rows = parse_csv(text, where)
    if rows.empty or not _NAN.search(text):
        return Log(rows, pd.DataFrame())
    return Log(rows, parse_csv(text, where, texts=None).isin(["nan", "NaN", "NAN"]))


def record_log(records: Sequence[Mapping[str, Any]], where: str) -> Log:
    """Return the rows of a log of JSON objects; keys of nested objects are joined by slashes.

    Raises
    ------
    InputError
        if nearly all objects have different keys, so that the memory of a table would grow quadratically
    """
    keys = Counter(key for record in records for key in _keys(record))
    if len(records) * len(keys) > max(_MOST_CELLS, _SPARSE * keys.total()):
        what = (
            f"its {len(records):,} objects have {len(keys):,} different keys, most of which are in only a few objects"
        )
        shown = [name for name, _ in keys.most_common(_SHOWN)]
        # For a nested key, jq keeps the whole object that contains it.
        there = [name if any(name in record for record in records) else name.partition("/")[0] for name in shown]
        names = [name if name.isidentifier() else json.dumps(name) for name in dict.fromkeys(there)]
        hint = f"always log the same keys, or keep only those: jq -c '{{{', '.join(names)}}}'"
        raise InputError(where, what, hint)
    rows = pd.json_normalize(list(records), sep="/")
    marks = [found for record in records if (found := _undefined_in(record))]
    if not marks:
        return Log(rows, pd.DataFrame())
    undefined = pd.json_normalize([_undefined_in(record) for record in records], sep="/")
    return Log(rows, undefined.notna())


def _keys(record: Mapping[str, Any], start: str = "") -> Iterator[str]:
    """Yield the keys of an object; keys of nested objects are joined by slashes."""
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from _keys(value, f"{start}{key}/")
        else:
            yield f"{start}{key}"


def _undefined_in(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys with NaN values in an object, in the same nested structure."""
    undefined: dict[str, Any] = {}
    for key, value in record.items():
        if isinstance(value, Mapping):
            if inner := _undefined_in(value):
                undefined[key] = inner
        elif isinstance(value, float) and value != value:
            undefined[key] = True
    return undefined


def read_csv_log(path: Path, reading: Reading) -> Log:
    """Return the rows of a CSV log, without an incomplete last line."""
    return csv_log(whole_lines(read_text(path, str(path)), path, reading), str(path))


def read_csv(path: Path, texts: Sequence[str] = ()) -> pd.DataFrame:
    """Read a CSV file as a table, converting numbers.

    Parameters
    ----------
    texts : columns to read as strings, even if their values look like numbers or NA

    Raises
    ------
    InputError
        if the file is not readable as CSV
    """
    return parse_csv(read_text(path, str(path)), str(path), texts)


def whole_lines(text: str, path: Path, reading: Reading) -> str:
    """Return the text up to its last line end; record an incomplete line after it as left out."""
    whole, end, rest = text.rpartition("\n")
    if rest.strip():
        _leave_out_last_line(path, reading)
    return whole + end


def _leave_out_last_line(path: Path, reading: Reading) -> None:
    """Record the incomplete last line of a file as left out."""
    remark = f"{reading.below(path)}: its last line is half-written and left out, {GOING_ON}"
    reading.leave_out(path, "half-written", remark, rows=1)


def json_lines(path: Path, reading: Reading) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON lines file; an incomplete last line is left out with a remark.

    Raises
    ------
    InputError
        if another line is not JSON
    """
    refuse_special(path, str(path))
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                value = parse_json(line.decode("utf-8-sig"), f"{path}: line {number}") if line.strip() else None
            except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
                if file.peek(1):
                    where = f"{path}: line {number}"
                    raise InputError(where, "not valid JSON (in UTF-8)", "is the file complete?") from None
                _leave_out_last_line(path, reading)
                return
            if isinstance(value, dict):
                yield value


def leave_out_incomplete(path: Path, reading: Reading) -> None:
    """Record an incomplete file as left out."""
    reading.leave_out(path, "damaged", f"{reading.below(path)}: incomplete and left out, {GOING_ON}")


def read_json(path: Path, reading: Reading) -> Any:
    """Return the content of a JSON file, or None, with a remark, if it is incomplete."""
    text = read_text(path, str(path), MOST_JSON)
    try:
        return parse_json(text, str(path))
    except (json.JSONDecodeError, RecursionError):
        leave_out_incomplete(path, reading)
        return None


def head(path: Path) -> bytes:
    """Return the first 64 KiB of a file, without a byte order mark."""
    with path.open("rb") as file:
        return file.read(_HEAD).removeprefix(codecs.BOM_UTF8)


def read_npz(path: Path, reading: Reading) -> Mapping[str, npt.NDArray[Any]] | None:
    """Return the arrays of a .npz file by name, or None, with a remark, if it is incomplete.

    Raises
    ------
    InputError
        if an array contains objects, which would have to be unpickled
    """
    refuse_special(path, str(path))
    try:
        with zipfile.ZipFile(path) as archive:  # reading never unpacks more than the declared sizes
            size = sum(member.file_size for member in archive.infolist())
        if size > MOST_UNPACKED:
            what = f"its arrays unpack to {size / 1e9:,.1f} GB, and at most {MOST_UNPACKED / 1e9:,.1f} are read"
            raise InputError(str(path), what, "save fewer arrays per file, or save them as float32")
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except InputError:
        raise
    except ValueError as error:
        if "allow_pickle" in str(error) or "Object arrays" in str(error):
            what = "an array of Python objects, which cannot be read without executing code in the file"
            raise InputError(str(path), what, "save arrays of numbers, with rows of equal length") from None
    except (zipfile.BadZipFile, EOFError, KeyError):
        pass
    leave_out_incomplete(path, reading)
    return None


class _DataLoader(yaml.SafeLoader):  # type: ignore[misc]  # PyYAML has no types
    """YAML loader that treats tags of Python objects as data: nothing is imported, constructed or called."""


def _construct_python(loader: _DataLoader, suffix: str, node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.ScalarNode):
        return node.value or suffix.rpartition(":")[2]
    items = loader.construct_sequence(node, deep=True)
    if suffix.endswith("OrderedDict"):
        pairs = items[0] if len(items) == 1 and isinstance(items[0], list) else items
        return {pair[0]: pair[1] for pair in pairs if isinstance(pair, list) and len(pair) == 2}
    return items


_DataLoader.add_multi_constructor("tag:yaml.org,2002:python/", _construct_python)
_DataLoader.add_multi_constructor("!", _construct_python)


@functools.lru_cache(maxsize=4096)
def read_configuration(path: Path) -> Mapping[str, Any]:
    """Return the content of a configuration in YAML or JSON, or {} if it is not a mapping.

    Tags of Python objects are treated as data: an OrderedDict becomes a mapping; for other objects their arguments
    are kept.
    """
    try:
        text = read_text(path, str(path), MOST_JSON if path.suffix == ".json" else MOST_YAML)
        if path.suffix == ".json":
            content = parse_json(text, str(path))
        else:
            loader = _DataLoader(text)
            tree = loader.get_single_node()
            refuse_repetition(tree, str(path))
            content = None if tree is None else loader.construct_document(tree)
    except (PermissionError, InputError):  # the file may be the only source of names and seeds
        raise
    except (OSError, ValueError, TypeError, RecursionError, yaml.YAMLError):
        return {}
    return content if isinstance(content, dict) else {}


_YAML = ("hparams.yaml", "config.yaml")
_JSON = ("config.json", "wandb-config.json", "params.json", "args.json", "hparams.json", "variant.json", "flags.json")
CONFIGURATIONS = frozenset((*_YAML, *_JSON, "args.yml", "config.yml", "meta.yaml"))
"""Common file names of configurations of runs."""


def read_configuration_beside(path: Path) -> Mapping[str, Any]:
    """Return the configuration next to a file of a run, from a file with the same stem or a common name."""
    for name in (f"{path.stem}.json", f"{path.stem}.yaml", *_YAML, *_JSON):
        if path.with_name(name) != path and (configuration := read_configuration(path.with_name(name))):
            return configuration
    return {}


def job_configuration(path: Path, root: Path) -> Mapping[str, Any]:
    """Return the configuration (``.hydra/config.yaml``) of the Hydra job that wrote a file.

    The nearest folder above the file that has one is used, up to the folder that is read; {} if there is none.
    """
    top = root.parent if root.is_file() else root
    for folder in path.parents:
        config = folder / HYDRA
        if config.is_file():
            return read_configuration(config)
        if folder == top:
            break
    return {}
