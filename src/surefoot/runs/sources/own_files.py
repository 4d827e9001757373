"""Checks of users' Python files, which are only parsed, since executing them may take long."""

import ast
import functools
from collections.abc import Iterable, Mapping
from pathlib import Path

from surefoot.runs.setting_errors import SettingError


@functools.cache
def defined_functions(path: Path) -> Mapping[str, ast.FunctionDef]:
    """Return the functions of a file by name.

    Raises
    ------
    SyntaxError
        if the file is not valid Python
    UnicodeDecodeError
        if it is not valid UTF-8
    """
    tree = ast.parse(path.read_text(), filename=str(path))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def check_file(file: str, functions: Iterable[str], example: str) -> None:
    """Check that a Python file exists and defines the named functions.

    Parameters
    ----------
    example : hint with an example of the functions

    Raises
    ------
    SettingError
        if the file is missing or invalid, or lacks a function
    """
    if not file.endswith(".py") or not Path(file).is_file():
        hint = f"paths are relative to {Path.cwd()}, where the workflow runs"
        raise SettingError([], f"{file}: no such Python file", hint)
    try:
        defined = defined_functions(Path(file))
    except SyntaxError as error:
        what = f"{file}: not valid Python, line {error.lineno}: {error.msg}"
        raise SettingError([], what, f"correct this line; python {file} shows it, too") from None
    except UnicodeDecodeError as error:
        raise SettingError([], f"{file}: byte {error.start} is not valid UTF-8", "save it as UTF-8") from None
    for name in functions:
        if name not in defined:
            raise SettingError([], f'{file}: no function "{name}"', example)
