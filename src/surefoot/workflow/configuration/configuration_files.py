"""Read and merge configuration files, and find the file that contains a key.

Duplicate keys in a file are an error, since YAML readers silently use the last one.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from surefoot.errors import InputError, shortened
from surefoot.runs.given_files import MOST_YAML, read_text, refuse_repetition
from surefoot.workflow.project import short_path

DEEPEST = 100
"""Maximum depth of nested lists and mappings."""
_SAFE = 2_000
"""Maximum depth for the C reader, whose stack overflow would end the process; the Python reader raises an error
instead.
"""
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> object:
    """Return the content of a YAML file.

    Raises
    ------
    InputError
        If the file does not exist or is not YAML, or a mapping has a key twice.
    """
    shown = short_path(path)
    try:
        text = read_text(path, shown, MOST_YAML)
        # Every list and mapping starts with one of five characters, so their number is at least the depth.
        loader = (_Loader if sum(map(text.count, "[{-:?")) <= _SAFE else yaml.SafeLoader)(text)
        tree = loader.get_single_node()
        _refuse_keys_given_twice(tree, shown, 0, set())
        refuse_repetition(tree, shown)
        return None if tree is None else loader.construct_document(tree)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(shown, "no such configuration file", "check the path") from None
    except IsADirectoryError:
        raise InputError(shown, "it is a folder, not a configuration file", "name a YAML file in it") from None
    except yaml.YAMLError as error:
        what = shortened(" ".join(str(error).split()))
        raise InputError(shown, f"not valid YAML: {what}", "check the indentation") from None
    except RecursionError:
        raise InputError(shown, "lists or mappings are nested too deeply", "check the brackets") from None
    except OSError:
        raise
    except Exception as error:  # a date such as 2020-13-45, or a number of more than 4300 digits
        raise InputError(shown, shortened(f"a value cannot be read: {error}"), "put strings in quotes") from None


def _refuse_keys_given_twice(node: yaml.Node | None, where: str, depth: int, seen: set[int]) -> None:
    """Raise an InputError for a duplicate key in a mapping.

    Only keys written in the file count: keys from a merge key (<<) may be overridden.

    Raises
    ------
    RecursionError
        If lists and mappings are nested deeper than `DEEPEST`.
    """
    if id(node) in seen or not isinstance(node, yaml.CollectionNode):
        return
    if depth >= DEEPEST:
        raise RecursionError
    seen.add(id(node))  # an alias refers to another part of the file, which may contain it
    lines: dict[tuple[str, str], int] = {}
    for entry in node.value:
        key, value = entry if isinstance(node, yaml.MappingNode) else (None, entry)
        if isinstance(key, yaml.ScalarNode):
            name, line = (key.tag, key.value), key.start_mark.line + 1
            if name in lines:
                what = f"duplicate key, in lines {lines[name]} and {line}"
                raise InputError(f"{where}: {key.value}", what, "keep one of them")
            lines[name] = line
        _refuse_keys_given_twice(value, where, depth + 1, seen)


def read_configuration(paths: Sequence[Path]) -> dict[str, Any]:
    """Merge configuration files in order. Mappings are merged recursively; other values come from the later file."""
    merged: dict[str, Any] = {}
    for path in paths:
        read: Any = read_yaml(Path(path)) or {}
        merged = _merge(merged, read)
    return merged


def _merge(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        if isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = _merge(merged[key], value)
        else:
            merged[key] = value
    return merged


def shipped_files(project: Path) -> list[Path]:
    """Return the configuration files of the project, in the order in which they are merged."""
    folder = project / "config"
    return [folder / "config.yaml", *folder.glob("trust.yaml"), *sorted(folder.glob("studies/*.yaml"))]


def own_studies(files: Sequence[Path | str], shipped: Sequence[Path | str]) -> list[str]:
    """Return the names of the studies that are not in the shipped files, in order."""
    named: list[str] = []
    for file in files:
        studies = read_configuration([Path(file)]).get("studies") or {}
        named += map(str, studies)
    known = read_configuration([Path(file) for file in shipped]).get("studies") or {}
    return [name for name in dict.fromkeys(named) if name not in known]


def where_given(keys: Sequence[Any], given: Mapping[str, Any], sources: Sequence[Path]) -> str:
    """Return where a key is defined, as "file: key" or "command line: key".

    For a key that is missing in all files, it is the file with the section that should contain the key.

    Parameters
    ----------
    keys : keys of the value, from the outermost
    given : the configuration without defaults, from `without_null`
    sources : files of the configuration; later ones take precedence
    """
    key, around = ".".join(map(str, keys)), list(keys)
    while (value := _value_at(given, around)) is _ABSENT:
        around.pop()
    for source in reversed([Path(source) for source in sources if Path(source).is_file()]):
        here = _value_at(content(source), around)
        # Compare as strings too, since nan is not equal to itself.
        if here is not _ABSENT and (isinstance(value, Mapping) or here == value or repr(here) == repr(value)):
            return f"{short_path(source)}: {key}" if key else short_path(source)
    return f"command line: {key}"


_ABSENT = object()
_NULL_IS_A_VALUE = ("columns",)
"""Sections in which null is a value, meaning that the file has no such column."""


def _value_at(content: Any, keys: Sequence[Any]) -> object:
    for key in keys:
        known = content if isinstance(content, Mapping) else range(len(content)) if isinstance(content, list) else ()
        if key not in known:
            return _ABSENT
        content = content[key]
    return content


def without_null(given: Any, section: str = "") -> Any:
    """Return the content of a file without null values, and with strings as keys.

    An overlay sets a key to null to restore its default, or to leave an entry out. YAML reads some keys as numbers,
    dates or bools.
    """
    if isinstance(given, Mapping):
        kept = {str(key): value for key, value in given.items() if value is not None or section in _NULL_IS_A_VALUE}
        return {key: without_null(value, key) for key, value in kept.items()}
    return [without_null(value) for value in given] if isinstance(given, list) else given


def content(source: Path) -> object:
    """Return the content of a configuration file, processed by `without_null`."""
    return without_null(read_yaml(source))
