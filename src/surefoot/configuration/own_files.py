"""Python files that are read and not run; what can be wrong in a user's that a configuration names."""

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from surefoot.build.errors import nearest

Mistake = tuple[list[Any], str, str]
"""Keys that lead to it, what is wrong, a hint."""


@functools.cache
def defined_functions(path: Path) -> Mapping[str, ast.FunctionDef]:
    """The functions of a file by name; the file is read and not run: that would take too long.

    Raises
    ------
    SyntaxError
    UnicodeDecodeError
    """
    tree = ast.parse(path.read_text(), filename=str(path))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def file_mistakes(at: list[Any], file: str, names: Iterable[str], example: str) -> Iterator[Mistake]:
    """All mistakes: the file must be there and define functions of these names; `example` says where such are shown."""
    if not file.endswith(".py") or not Path(file).is_file():
        yield at, f"{file}: no such Python file", f"paths are relative to {Path.cwd()}, where the workflow runs"
        return
    try:
        defined = defined_functions(Path(file))
    except SyntaxError as error:
        yield at, f"{file}: not valid Python, line {error.lineno}: {error.msg}", "run it by itself first"
        return
    except UnicodeDecodeError as error:
        yield at, f"{file}: byte {error.start} is not valid UTF-8", "save it as UTF-8"
        return
    for name in names:
        if name not in defined:
            yield at, f'{file}: no function "{name}"', example


def argument_mistakes(at: list[Any], file: str, name: str, before: int, given: Iterable[str]) -> Iterator[Mistake]:
    """Whether a function of a file, which is read and not run, can be called with these arguments by name.

    Parameters
    ----------
    at : keys that lead to the mapping of the arguments
    file, name : a Python file, and a function that it defines
    before : number of arguments that it gets by position before those
    given : names of the arguments
    """
    function = defined_functions(Path(file))[name]
    if function.decorator_list:  # which may take other arguments
        return
    arguments = function.args
    by_position = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    if len(by_position) < before and arguments.vararg is None:
        yield at, f"{file}: {name} takes fewer than {before} arguments by position", "see surefoot.bayesian.interfaces"
        return
    with_default = by_position[len(by_position) - len(arguments.defaults) :]
    with_default += [
        argument.arg
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    ]
    accepted = [*by_position[before:], *(argument.arg for argument in arguments.kwonlyargs)]
    for argument in given:
        if argument in by_position[:before] or (argument not in accepted and arguments.kwarg is None):
            hint = nearest(argument, accepted) if accepted else f"{name} takes no parameters"
            yield [*at, argument], f'{file}: {name} has no parameter "{argument}"', hint
    for argument in accepted:
        if argument not in given and argument not in with_default:
            yield at[:-1], f"{file}: {name} needs its parameter {argument}", f"parameters: {{{argument}: [...]}}"
