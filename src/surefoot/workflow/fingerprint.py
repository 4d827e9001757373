"""Fingerprints of code, independent of layout, comments and docstrings.

The fingerprint of a module is a hash of its syntax tree, without docstrings, comments and positions, together with the
trees of all modules of this package that it imports, directly or indirectly. So the fingerprint does not change with
comments or formatting, or with modules that are not imported. For a module of another installed package, which adds
entries to a registry, all modules of that package are included. For a user's file, the files that it imports from the
folder of the workflow are included too.

The modules in `MACHINERY` only copy data or create messages, and are excluded.

Parsing all files of the package takes longer than everything else before the first job, so results of parsing are
cached by the hash of the source. The cache is next to the compiled modules of a checkout, or in the store for an
installed package, into which nothing is written.
"""

import ast
import atexit
import functools
import hashlib
import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from surefoot.workflow.files import FileState, file_state, write_whole
from surefoot.workflow.project import CARRIED, INSTALLED, PACKAGE, SOURCE
from surefoot.workflow.store import store_folder

_MACHINERY = (
    *("files", "fingerprint", "folder", "interrupts", "job", "kernel_cache", "log", "machine_errors", "project"),
    *("runner", "store"),
)
_READING = f"{PACKAGE}.runs.given_files"
MACHINERY = (
    *(f"{PACKAGE}.workflow.{name}" for name in _MACHINERY),
    f"{PACKAGE}.errors",
    f"{PACKAGE}.registry",
    _READING,
)
"""Prefixes of the names of modules that run in jobs but do not determine results."""
_MOST = 5_000
"""Largest number of cached sources; if there are more, sources that this process did not use are removed."""
_USED: dict[str, list[Any]] = {}
"""Results of `syntax_of` for the sources that this process needed, by their hashes."""


@functools.cache
def fingerprint(module: str) -> str:
    """Return the fingerprint of a module, as 64 hexadecimal digits.

    Parameters
    ----------
    module : dotted name of a module of any package, such as ``surefoot.statistics.arrays``, or a user's file such as
        ``mine.py``
    """
    digest = hashlib.sha256()
    for reached in reached_modules(module):
        digest.update(f"{reached}\n{syntax_of(module_path(reached))[0]}\n".encode())
    return digest.hexdigest()


@functools.cache
def reached_modules(module: str) -> tuple[str, ...]:
    """Return the module and all other modules that its fingerprint includes, sorted by name."""
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        current = waiting.pop()
        if current not in reached and not current.startswith(MACHINERY):
            reached.add(current)
            waiting.extend(_imports(current))
    return tuple(sorted(reached))


def source_states(modules: Iterable[str]) -> dict[Path, FileState | None]:
    """Return the state of each source file that the fingerprints of some modules include."""
    paths = {module_path(reached) for module in modules for reached in reached_modules(module)}
    return {path: file_state(path) for path in paths}


def forget_sources() -> None:
    """Make the next fingerprints read all sources again."""
    for function in (fingerprint, reached_modules, _imports, syntax_of):
        function.cache_clear()


def is_file(module: str) -> bool:
    """Return True if a module is given as a user's file instead of a dotted name."""
    return module.endswith(".py")


def module_path(module: str) -> Path:
    """Return the path of a module's source.

    Raises
    ------
    ModuleNotFoundError
        If the module is neither in this package nor installed.
    """
    if is_file(module):
        return Path(module)
    path = _files_beside(module).get(module)
    if path is None:
        raise ModuleNotFoundError(f"no module {module}, neither below {SOURCE} nor installed")
    return path


def _files_beside(module: str) -> dict[str, Path]:
    """Return the file of every module in the package of a module."""
    package = module.partition(".")[0]
    if package == PACKAGE:
        return own_files()
    found = find_spec(package)
    if found is None or not found.origin or not found.origin.endswith(".py"):
        return {}
    folder = Path(found.origin).parent
    return package_files(folder.parent, package) if found.submodule_search_locations else {package: Path(found.origin)}


def own_files() -> dict[str, Path]:
    """Return the file of every module of this package."""
    return package_files(SOURCE)


@functools.cache
def package_files(source: Path, package: str = PACKAGE) -> dict[str, Path]:
    """Return the file of every module of a package, in one pass over its folder."""
    files = {}
    for folder, folders, names in os.walk(source / package):
        # The folder contains examples, which are not modules of the package.
        folders[:] = [name for name in folders if Path(folder, name) != CARRIED]
        parts = Path(folder).relative_to(source).parts
        for name in names:
            if name.endswith(".py"):
                stem = name.removesuffix(".py")
                files[".".join(parts if stem == "__init__" else (*parts, stem))] = Path(folder, name)
    return files


@functools.cache
def _imports(module: str) -> tuple[str, ...]:
    """Return the modules that a module imports, as far as fingerprints include them; see the module docstring."""
    names, files = syntax_of(module_path(module))[1], own_files()
    imported = [name for name in names if name in files]
    if is_file(module):
        # A user's file can import others from the folder in which the workflow runs.
        bases = [Path(*name.split(".")) for name in names]
        beside = (path for base in bases for path in (base.with_suffix(".py"), base / "__init__.py"))
        imported += [str(path) for path in beside if path.is_file()]
        if PACKAGE in names:  # the package imports its public names lazily
            public = syntax_of(module_path(PACKAGE).with_suffix(".pyi"))[1]
            imported += [PACKAGE + name for name in public if PACKAGE + name in files]
    elif module not in files:
        imported += _files_beside(module)
    return tuple(sorted(imported))


@functools.cache
def syntax_of(path: Path) -> list[Any]:
    """Return [SHA-256 of a file's syntax tree without docstrings and positions, names of its imports].

    Imports inside functions are included, imports for type checkers are not. For ``from a import b``, the names are
    ``a`` and ``a.b``, since b may be a module. Relative imports, which the package itself uses only in the list of its
    public names, keep their dots.

    Raises
    ------
    SyntaxError
        If the file is not valid Python.
    """
    source = path.read_bytes()
    key = hashlib.sha256(source).hexdigest()
    _USED[key] = _remembered().get(key) or _parsed(source, path)
    return _USED[key]


def _parsed(source: bytes, path: Path) -> list[Any]:
    tree = ast.parse(source, filename=str(path))
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = [statement for statement in node.body if not (_is_text(statement) or _is_for_types(statement))]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            dots, module = "." * node.level, node.module or ""
            names.update([dots + module, *(f"{dots}{module and module + '.'}{alias.name}" for alias in node.names)])
    return [hashlib.sha256(ast.dump(tree).encode()).hexdigest(), sorted(names)]


def _is_text(statement: ast.stmt) -> bool:
    """Return True for a bare string, such as a docstring, also below a constant or field."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _is_for_types(statement: ast.stmt) -> bool:
    """Return True for ``if TYPE_CHECKING:``, which is never executed."""
    return isinstance(statement, ast.If) and getattr(statement.test, "id", "") == "TYPE_CHECKING"


def _file() -> Path:
    """Return the path of the cache for this version of Python, since syntax trees differ between versions."""
    in_store = INSTALLED or sys.dont_write_bytecode
    folder = store_folder(None) if in_store else Path(__file__).parent / "__pycache__"
    return folder / f"runtime_syntax.{sys.implementation.cache_tag}.json"


@functools.cache
def _remembered() -> dict[str, list[Any]]:
    return _read()


@atexit.register
def _remember() -> None:
    if _USED.keys() <= _remembered().keys():
        return
    entries = _read() | _USED
    with suppress(OSError):  # the cache is optional
        write_whole(_file(), json.dumps(entries if len(entries) <= _MOST else _USED))


def _read() -> dict[str, list[Any]]:
    try:
        entries: dict[str, list[Any]] = json.loads(_file().read_bytes())
    except (OSError, ValueError):
        return {}
    return entries
