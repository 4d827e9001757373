"""Fingerprints of code: what decides a number, not how it is laid out or explained.

The fingerprint of a module is a hash of its syntax tree, without docstrings, comments and positions, together with
those of all the modules of this package that it imports, directly or through others. So a comment or a
reformatted line changes nothing, and an edit in a module that is not reached changes nothing either.

The modules of `MACHINERY` only move bytes, or say what is wrong, and do not count.

Parsing all files of the package takes longer than everything else that happens before the first job, so what was
parsed is remembered under the hash of the source: an edited file is parsed again. It is kept beside the compiled
modules of a checkout, and for an installed package, into which nothing is written, in the store.
"""

import ast
import atexit
import functools
import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.build.files import read_sealed, sealed, write_whole
from surefoot.build.project import CARRIED, INSTALLED, PACKAGE, SOURCE
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


MACHINERY = (f"{PACKAGE}.build.", f"{PACKAGE}.errors")
"""How the names of modules begin that run in jobs and decide no number."""


@functools.cache
def fingerprint(module: str) -> str:
    """Fingerprint (64 hexadecimal digits) of a module of the package, such as ``surefoot.statistics.ties``, or of a
    user's file, such as ``mine.py``."""
    digest = hashlib.sha256()
    for reached in reached_modules(module):
        digest.update(f"{reached}\n{syntax_of(module_path(reached)).digest}\n".encode())
    return digest.hexdigest()


@functools.cache
def reached_modules(module: str) -> tuple[str, ...]:
    """The module and every module of the package that it imports, through others too, sorted by name."""
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        current = waiting.pop()
        if current not in reached and not current.startswith(MACHINERY):
            reached.add(current)
            waiting.extend(_imports(current))
    return tuple(sorted(reached))


def is_file(module: str) -> bool:
    """Whether a module is given as a file of a user's, not by its dotted name."""
    return module.endswith(".py")


def module_path(module: str) -> Path:
    """Path of a module's source.

    Raises
    ------
    ModuleNotFoundError
    """
    if is_file(module):
        return Path(module)
    try:
        return package_files(SOURCE)[module]
    except KeyError:
        raise ModuleNotFoundError(f"no module {module} below {SOURCE}") from None


@functools.cache
def package_files(source: Path) -> dict[str, Path]:
    """The file of every module of the package: one look at the folders costs less than one for each import."""
    found = {}
    for folder, folders, files in os.walk(source / PACKAGE):
        folders[:] = [name for name in folders if Path(folder, name) != CARRIED]  # its examples are users' files
        parts = Path(folder).relative_to(source).parts
        for file in files:
            if file.endswith(".py"):
                stem = file.removesuffix(".py")
                found[".".join(parts if stem == "__init__" else (*parts, stem))] = Path(folder, file)
    return found


@functools.cache
def _imports(module: str) -> tuple[str, ...]:
    found: set[str] = set()
    for statement in syntax_of(module_path(module)).imports:
        if statement.plain:
            found.update(statement.names)
            continue
        base = statement.module
        if statement.level:
            package = module.split(".")
            if module_path(module).name != "__init__.py":
                package = package[:-1]
            package = package[: len(package) - (statement.level - 1)]
            base = ".".join([*package, base] if base else package)
        found.add(base)
        names = _modules_of(base) if statement.names == ("*",) else statement.names
        found.update(f"{base}.{name}" for name in names)
    inside = {name for name in found if name == PACKAGE or name.startswith(f"{PACKAGE}.")}
    beside = [file for name in found - inside for file in _users_files(name)] if is_file(module) else []
    return tuple(sorted([*beside, *(name for name in inside if name in package_files(SOURCE))]))


def _modules_of(package: str) -> list[str]:
    """All modules of a package that are files."""
    modules = ((*name.rpartition("."), path) for name, path in package_files(SOURCE).items())
    return [stem for parent, _, stem, path in modules if parent == package and path.stem != "__init__"]


def _users_files(name: str) -> list[str]:
    """A user's file can import others from the folder in which the workflow runs."""
    base = Path(*name.split(".")) if name else Path()
    return [str(path) for path in (base.with_suffix(".py"), base / "__init__.py") if name and path.is_file()]
