"""Configuration files merged in order, and where each key stands."""

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.configuration.yaml_files import read_yaml, short_path

Locate = Callable[..., str]
"""The place of a key as errors name it: of its path, given one part an argument; `others` are paths of keys that may be
as much at fault."""


def locating(given: Mapping[str, Any], sources: Sequence[Path]) -> Locate:
    """What finds the place of a key in these files; see `where_given`."""

    def locate(*keys: str | int, others: Sequence[Sequence[str | int]] = ()) -> str:
        return where_given(keys, given, sources, others)

    return locate


def read_configuration(paths: Sequence[Path]) -> dict[str, Any]:
    """Configuration files merged in order: mappings at depth, everything else replaced by the later file."""
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


def where_given(
    path: Sequence[Any], given: Mapping[str, Any], sources: Sequence[Path], others: Sequence[Sequence[Any]] = ()
) -> str:
    """Who gives the key its value, the last of the files or the command line, and the key.

    Parameters
    ----------
    path : of the key; where no one gives it, the place is that of the section around it
    given : the configuration as read, without defaults
    sources : the files it was read from, the last winning
    others : paths of other keys, where a mistake lies between several: the one given last is named
    """
    asked = [keys for keys in (path, *others) if value_at(given, keys) is not ABSENT]
    around = list(path)
    while not asked and value_at(given, around) is ABSENT:
        around.pop()
    last = {tuple(keys): _last_source(keys, given, sources) for keys in asked or [around]}
    named = max(last, key=lambda keys: last[keys])
    key = ".".join(str(part) for part in (named if asked else path))
    if last[named] == len(sources):
        return f"command line: {key}"
    file = short_path(Path(sources[last[named]]))
    return f"{file}: {key}" if key else file


def _last_source(path: Sequence[Any], given: Mapping[str, Any], sources: Sequence[Path]) -> int:
    """Position of the last file that gives the key this value; their number, where the command line gives it."""
    value = value_at(given, path)
    for position, source in reversed(list(enumerate(sources))):
        given_here = value_at(content(Path(source)), path) if Path(source).is_file() else ABSENT
        # As texts too: nan is not equal to itself.
        if given_here is not ABSENT and (
            given_here == value or repr(given_here) == repr(value) or isinstance(value, Mapping)
        ):
            return position
    return len(sources)


def content(source: Path) -> object:
    state = source.stat()
    return _content_of(source, state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=64)
def _content_of(source: Path, time: int, size: int) -> object:
    """What a file says, read once for each version of it: every value that is checked asks where it stands."""
    return read_yaml(source)


ABSENT = object()


def value_at(content: Any, path: Sequence[Any]) -> object:
    for part in path:
        keys = content if isinstance(content, Mapping) else range(len(content)) if isinstance(content, list) else ()
        if part not in keys:
            return ABSENT
        content = content[part]
    return content
