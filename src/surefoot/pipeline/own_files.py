"""What can be wrong in a Python file of a user's that a configuration names; it is read, not run."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

Mistake = tuple[list, str, str]
"""Keys that lead to it, what is wrong, a hint."""


def file_mistakes(at: list, file: str, names: Iterable[str], example: str) -> Iterator[Mistake]:
    """All mistakes: the file must be there and define functions of these names; `example` says where such are shown."""
    if not file.endswith(".py") or not Path(file).is_file():
        yield at, f"{file}: no such Python file", f"paths are relative to {Path.cwd()}, where the workflow runs"
        return
    try:
        tree = ast.parse(Path(file).read_text(), filename=file)
    except SyntaxError as error:
        yield at, f"{file}: not valid Python, line {error.lineno}: {error.msg}", "run it by itself first"
        return
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for name in names:
        if name not in defined:
            yield at, f'{file}: no function "{name}"', example
