"""Fingerprints of code: what decides a number, not how it is laid out or explained.

The fingerprint of a module is the SHA-256 of its syntax tree, without docstrings, comments and positions, together
with the trees of all the modules of this package that it imports, directly or through others. So a comment or a
reformatted line changes nothing, and an edit in a module that is not reached changes nothing either.
"""

import ast
import functools
import hashlib
from pathlib import Path

PACKAGE = "surefoot"
SOURCE = Path(__file__).parents[2]


@functools.cache
def fingerprint(module: str) -> str:
    """Fingerprint of a module of the package, such as ``surefoot.statistics.game`` (64 hexadecimal digits)."""
    digest = hashlib.sha256()
    for reached in reached_modules(module):
        digest.update(f"{reached}\n{_tree_text(module_path(reached))}\n".encode())
    return digest.hexdigest()


@functools.cache
def reached_modules(module: str) -> tuple[str, ...]:
    """The module and every module of the package that it imports, through others too, sorted by name."""
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        current = waiting.pop()
        if current not in reached:
            reached.add(current)
            waiting.extend(_imports(current))
    return tuple(sorted(reached))


def module_path(module: str) -> Path:
    """Path of a module's source.

    Raises
    ------
    ModuleNotFoundError
    """
    base = SOURCE.joinpath(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    raise ModuleNotFoundError(f"no module {module} below {SOURCE}")


def _is_module(name: str) -> bool:
    base = SOURCE.joinpath(*name.split("."))
    return base.with_suffix(".py").is_file() or (base / "__init__.py").is_file()


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), filename=str(path))


@functools.cache
def _imports(module: str) -> tuple[str, ...]:
    found = set()
    for node in ast.walk(_tree(module_path(module))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module.split(".")
                if module_path(module).name != "__init__.py":
                    package = package[:-1]
                package = package[: len(package) - (node.level - 1)]
                base = ".".join([*package, base] if base else package)
            found.add(base)
            found.update(f"{base}.{alias.name}" for alias in node.names)
    inside = (name for name in found if name == PACKAGE or name.startswith(f"{PACKAGE}."))
    return tuple(sorted(name for name in inside if _is_module(name)))


@functools.cache
def _tree_text(path: Path) -> str:
    tree = ast.parse(path.read_text(), filename=str(path))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and ast.get_docstring(node, clean=False) is not None:
            node.body = body[1:]
    return ast.dump(tree)
