"""The syntax of source files: a hash that ignores docstrings, comments and layout, and what a file imports.

Parsing all files of the package takes longer than everything else that happens before the first job, so what was
parsed is remembered under the hash of the source: an edited file is parsed again. It is kept beside the compiled
modules of a checkout, and for an installed package, into which nothing is written, in the store.
"""

import ast
import atexit
import functools
import hashlib
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.build.atomic_write import write_whole
from surefoot.build.project import INSTALLED
from surefoot.build.sealed import read_sealed, sealed
from surefoot.build.store import store_folder

_ENTRIES, _MOST = 2_000, 100
"""So many files are remembered before those that this process did not ask for are dropped, if it asked for so many: one
that asked for a few alone would have the next parse nearly all."""
_USED: dict[str, list[Any]] = {}
"""What this process asked for, under the hash of the source: [digest, imports]."""


class Import(NamedTuple):
    """One import statement.

    module : what is imported from; empty for ``import a, b`` and for ``from . import a``
    names : what is imported
    level : number of dots of a relative import
    plain : whether it has no ``from``
    """

    module: str
    names: tuple[str, ...]
    level: int
    plain: bool


class Syntax(NamedTuple):
    """What a source file says.

    digest : SHA-256 of the syntax tree, without docstrings and positions
    imports : every import statement, those inside functions too; a package that uses its `__path__` imports all beside
    """

    digest: str
    imports: tuple[Import, ...]


@functools.cache
def syntax_of(path: Path) -> Syntax:
    """The syntax of a file.

    Raises
    ------
    SyntaxError
    """
    source = path.read_bytes()
    key = hashlib.sha256(source).hexdigest()
    known = _remembered().get(key) or _parsed(source, path)
    _USED[key] = known
    digest, imports = known
    return Syntax(digest, tuple(Import(module, tuple(names), level, plain) for module, names, level, plain in imports))


def _parsed(source: bytes, path: Path) -> list[Any]:
    tree = ast.parse(source, filename=str(path))
    imports: list[list[Any]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:]
        elif isinstance(node, ast.Import):
            imports.append(["", [alias.name for alias in node.names], 0, True])
        elif isinstance(node, ast.ImportFrom):
            imports.append([node.module or "", [alias.name for alias in node.names], node.level, False])
        elif isinstance(node, ast.Name) and node.id == "__path__":  # a package that finds its modules by itself
            imports.append(["", ["*"], 1, False])
    return [hashlib.sha256(ast.dump(tree).encode()).hexdigest(), imports]


def _file() -> Path:
    """For one version of Python, as compiled modules are: others have other syntax trees."""
    folder = store_folder(None) if INSTALLED else Path(__file__).parent / "__pycache__"
    return folder / f"syntax.{sys.implementation.cache_tag}.json"


@functools.cache
def _remembered() -> dict[str, list[Any]]:
    return read_sealed(_file()) or {}


@atexit.register
def _remember() -> None:
    if (sys.dont_write_bytecode and not INSTALLED) or _USED.keys() <= _remembered().keys():
        return
    entries = (read_sealed(_file()) or {}) | _USED
    with suppress(OSError):  # only a cache
        write_whole(_file(), sealed(_USED if len(entries) > _ENTRIES and len(_USED) >= _MOST else entries))
