"""Files as training tools leave them: the list of a folder's, and their data as far as they are whole.

Nothing in them is ever run.
"""

import csv
import functools
import json
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

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
from surefoot.columns import parse_csv
from surefoot.logs.curves import Reading

GOING_ON = "which is so while a training goes on"
_HEAD = 65_536


def list_files(folder: Path) -> list[Path]:
    """The files below a folder, sorted, or the one file that is given; hidden ones left out, and each once, whatever
    links lead to it.

    Raises
    ------
    InputError
        where there is no such folder
    PermissionError
        where a part of it may not be read
    """
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        refuse_special(folder, str(folder))
        raise InputError(str(folder), "no such folder", "the folder in which the runs are, or a file with runs")
    paths: list[Path] = []
    # Real folders before links, so that a run has its own name where a link such as `latest` leads to it as well.
    tops, walked = [folder], set[Path]()
    for top in tops:
        for current, folders, names in os.walk(top, onerror=_raise):
            if (real := Path(current).resolve()) in walked:
                folders.clear()
                continue
            walked.add(real)
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            inside = [Path(current, name) for name in sorted(names) if not name.startswith(".")]
            paths += inside
            tops += [path for path in map(Path(current).joinpath, folders) if path.is_symlink()]
    found: dict[Path, Path] = {}
    for path in sorted(paths, key=Path.is_symlink):
        refuse_special(path, str(path))
        if path.is_file():
            found.setdefault(path.resolve(), path)
    return sorted(found.values())


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
                    return tuple(next(csv.reader([line]))) if line.strip() else ()
    except PermissionError:
        raise
    except (OSError, csv.Error):
        return ()
    return ()


def forget_files() -> None:
    """Forget headers and configurations, which are kept while one folder is read: files may have changed since."""
    csv_header.cache_clear()
    read_configuration.cache_clear()


def read_csv(path: Path, reading: Reading, written_by_line: bool = True, texts: Sequence[str] = ()) -> pd.DataFrame:
    """The table of a CSV, texts as they are and numbers as numbers; the last line only where it is whole.

    Parameters
    ----------
    written_by_line : whether the writer ends each line, so that a last one without an end is half-written
    texts : columns of texts, which may look like numbers or be called NA

    Raises
    ------
    InputError
        where it is not readable as CSV
    """
    text = read_text(path, str(path))
    return parse_csv(whole_lines(text, path, reading) if written_by_line else text, str(path), texts)


def whole_lines(text: str, path: Path, reading: Reading) -> str:
    """The text up to its last end of a line; a remark where a line has none."""
    whole, end, rest = text.rpartition("\n")
    if rest.strip():
        reading.remark(f"{reading.below(path)}: its last line is half-written and left out, {GOING_ON}")
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
                reading.remark(f"{reading.below(path)}: its last line is half-written and left out, {GOING_ON}")
                return
            if isinstance(found, dict):
                yield found


def read_json(path: Path, reading: Reading) -> Any:
    """What a JSON file says; None, with a remark, where it is not whole."""
    text = read_text(path, str(path), MOST_JSON)
    try:
        return parse_json(text, str(path))
    except (json.JSONDecodeError, RecursionError):
        reading.remark(f"{reading.below(path)}: not whole and left out, {GOING_ON}")
        return None


def head(path: Path) -> bytes:
    """The first 64 KiB of a file."""
    with path.open("rb") as file:
        return file.read(_HEAD)


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
    reading.remark(f"{reading.below(path)}: not whole and left out, {GOING_ON}")
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
_JSON = ("config.json", "wandb-config.json", "params.json", "args.json", "hparams.json")
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
        config = folder / ".hydra" / "config.yaml"
        if config.is_file():
            return read_configuration(config)
        if folder == top:
            break
    return {}
