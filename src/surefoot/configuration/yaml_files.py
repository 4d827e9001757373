"""YAML files in which no key is given twice: YAML's readers silently let the last one win."""

from collections.abc import Iterator
from pathlib import Path

import yaml

from surefoot.build.errors import InputError
from surefoot.build.given_files import MOST_YAML, read_text, refuse_repetition
from surefoot.errors import shortened

DEEPEST = 100
"""Levels of lists and mappings in each other that a file may have."""
_SAFE = 2_000
"""So many levels the reader in C has the stack for, of which each takes it some 350 bytes."""
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> object:
    """What a YAML file says.

    Raises
    ------
    InputError
        where there is no such file, where it is not YAML, and where a mapping has a key twice
    """
    shown = short_path(path)
    try:
        text = read_text(path, shown, MOST_YAML)
        if _may_exhaust_the_stack(text):
            raise RecursionError
        loader = _Loader(text)
        tree = loader.get_single_node()
        for keys, first, second in _keys_given_twice(tree, [], set()):
            where = f"{shown}: {'.'.join(keys)}"
            raise InputError(where, f"given twice, in lines {first} and {second}", "keep one of them")
        refuse_repetition(tree, shown)
        return None if tree is None else loader.construct_document(tree)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(shown, "no such configuration file", "check the path") from None
    except IsADirectoryError:
        raise InputError(shown, "a folder, and no configuration file", "name a YAML file in it") from None
    except yaml.YAMLError as error:
        what = shortened(" ".join(str(error).split()))
        raise InputError(shown, f"not valid YAML: {what}", "check the indentation") from None
    except RecursionError:
        raise InputError(shown, "lists or mappings are nested too deeply", "check the brackets") from None
    except OSError:
        raise
    except Exception as error:  # a date such as 2020-13-45, or a number of more than 4300 digits
        raise InputError(shown, shortened(f"a value cannot be read: {error}"), "put a text in quotes") from None


def _may_exhaust_the_stack(text: str) -> bool:
    """Whether the reader in C might end the process, as it does where it runs out of stack.

    Every list and mapping has one of five characters of its own, so their number is at least the depth. To count them
    is far faster than to follow the events, which only a long file needs.
    """
    if sum(map(text.count, "[{-:?")) <= _SAFE:
        return False
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _SAFE:
            return True
    return False


def short_path(path: Path) -> str:
    """The path as errors name it: relative where it is below the folder in which the workflow runs."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def _keys_given_twice(node: yaml.Node | None, above: list[str], seen: set[int]) -> Iterator[tuple[list[str], int, int]]:
    """(keys that lead to it, line of the first, line of the second) of every key that its mapping has before.

    In the tree as written: what a merge key (<<) brings may be overridden.

    Raises
    ------
    RecursionError
        where more than `DEEPEST` lists and mappings are in each other
    """
    if id(node) in seen or isinstance(node, yaml.ScalarNode | None):
        return
    if len(above) >= DEEPEST:
        raise RecursionError
    seen.add(id(node))  # an alias leads to another part of the file, which may be around it
    lines: dict[tuple[str, str], int] = {}
    for position, entry in enumerate(node.value):
        if isinstance(node, yaml.SequenceNode):
            yield from _keys_given_twice(entry, [*above, str(position)], seen)
            continue
        key, value = entry
        if not isinstance(key, yaml.ScalarNode):
            continue
        line = key.start_mark.line + 1
        if (key.tag, key.value) in lines:
            yield [*above, key.value], lines[key.tag, key.value], line
        lines[key.tag, key.value] = line
        yield from _keys_given_twice(value, [*above, key.value], seen)
