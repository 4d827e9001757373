"""Python files that are read and not run; what can be wrong in a user's that a configuration names."""

import ast
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path

Mistake = tuple[list, str, str]
"""Keys that lead to it, what is wrong, a hint."""


@functools.cache
def defined_functions(path: Path) -> frozenset[str]:
    """Names of the functions of a file, which is read and not run: that would take too long.

    Raises
    ------
    SyntaxError
    """
    tree = ast.parse(path.read_text(), filename=str(path))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def file_mistakes(at: list, file: str, names: Iterable[str], example: str) -> Iterator[Mistake]:
    """All mistakes: the file must be there and define functions of these names; `example` says where such are shown."""
    if not file.endswith(".py") or not Path(file).is_file():
        yield at, f"{file}: no such Python file", f"paths are relative to {Path.cwd()}, where the workflow runs"
        return
    try:
        defined = defined_functions(Path(file))
    except SyntaxError as error:
        yield at, f"{file}: not valid Python, line {error.lineno}: {error.msg}", "run it by itself first"
        return
    for name in names:
        if name not in defined:
            yield at, f'{file}: no function "{name}"', example
