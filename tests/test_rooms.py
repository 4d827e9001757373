"""The order of the rooms of the package: which may import from which; and where their tests are."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.paths import ROOT, TESTS

SOURCE = ROOT / "src" / "surefoot"
OF_THE_PACKAGE = {"test_docstrings.py", "test_documentation.py", "test_package.py", "test_rooms.py"}
"""Tests of the package and the documentation as wholes."""
MACHINERY = {
    *("files", "fingerprint", "folder", "interrupts", "job", "kernel_cache", "log", "machine_errors"),
    *("measured_seconds", "project", "runner", "store"),
}
"""Modules of `workflow` that run jobs and know of no configuration: every room with jobs may import from them."""

MAY_KNOW = {
    "errors": "",
    "rounding": "",
    "kernel_files": "",
    "other_libraries": "errors",
    "progress": "",
    "registry": "errors",
    "streams": "kernel_files",
    "statistics": "errors kernel_files progress registry streams",
    "runs": "errors machinery registry rounding statistics",
    "simulation": "errors machinery registry runs statistics streams",
    "bayesian": "errors machinery registry runs statistics streams",
    "questions": "charts errors machinery progress registry rounding runs statistics streams",
    "charts": "errors machinery questions registry rounding runs statistics",
    "papers": "bayesian charts errors machinery questions rounding runs simulation statistics",
    "validation": "questions statistics streams",
    "reporting": "charts errors machinery questions rounding runs statistics workflow",
    "workflow": "bayesian charts errors questions registry reporting rounding runs simulation statistics validation",
    "cli": "charts errors machinery questions reporting rounding runs statistics workflow",
}
"""The rooms that each may import from; `charts` and `questions` name each other's functions."""


def imports_of(path: Path) -> Iterator[tuple[str, ...]]:
    """Yield the names of the modules of the package that a file imports from, in parts."""
    for node in _imports(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        yield from (tuple(name.split(".")[1:]) for name in names if name.startswith("surefoot."))


def _imports(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree that run, which those for type checkers do not."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield child
            yield from _imports(child)


def room_of(name: tuple[str, ...]) -> str:
    """Return the room of a module of the package, given the parts of its name after the package."""
    return "machinery" if name[0] == "workflow" and name[1] in MACHINERY else name[0]


def rooms_known(path: Path) -> set[str]:
    """Return the rooms that a file imports from."""
    return {room_of(name) for name in imports_of(path)}


def allowed(room: str) -> set[str]:
    """Return the rooms whose modules a room may import."""
    return {*MAY_KNOW[room].split(), room} | ({"machinery"} if room == "workflow" else set())


@pytest.mark.parametrize("room", MAY_KNOW)
def test_a_room_imports_only_from_those_that_it_may_know(room):
    paths = [*(SOURCE / room).rglob("*.py"), *SOURCE.glob(f"{room}.py")]
    assert paths
    found = {str(path.relative_to(SOURCE)): rooms_known(path) - allowed(room) for path in paths}
    assert {name: rooms for name, rooms in found.items() if rooms} == {}


IMPORTED_BY_NAME = {
    "runs/sources/source_settings.py": {"simulation", "bayesian"},
    "questions/_framework/question_registry.py": {"papers"},
    "questions/_framework/question_settings.py": {"workflow"},
    "questions/_framework/results.py": {"other_libraries"},
}
"""Modules that import from a room that theirs may not know by its name: what registers itself there, and checks and
hints on whose code no number depends.
"""


def rooms_named(path: Path) -> set[str]:
    """Return the rooms of the modules and functions that are named by strings in a file."""
    strings = (node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant))
    names = (value for value in strings if isinstance(value, str))
    found = {tuple(name.split(".")[1:3]) for name in names if re.fullmatch(r"surefoot(\.\w+)+(:\w+)?", name)}
    return {room_of(name) for name in found if name[0] in MAY_KNOW}


def test_names_of_modules_in_strings_keep_the_order_of_rooms():
    unknown = {}
    for path in SOURCE.glob("*/**/*.py"):
        room = path.relative_to(SOURCE).parts[0]
        if rooms := rooms_named(path) - allowed(room):
            unknown[path.relative_to(SOURCE).as_posix()] = rooms
    assert unknown == IMPORTED_BY_NAME


def test_every_room_has_a_place_in_the_order():
    rooms = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}
    assert rooms - {"__init__", "__main__"} == set(MAY_KNOW)


def test_nothing_but_a_paper_imports_from_a_paper():
    knowing = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if "papers" in rooms_known(path)}
    assert {name for name in knowing if not name.startswith("papers/")} == set()


def test_tables_in_memory_are_read_by_the_public_functions_alone():
    """A study's runs are collected, and no number of a study is made again where this reading changes."""
    paths = (path for path in SOURCE.rglob("*.py") if "surefoot.runs.given." in path.read_text())
    knowing = {str(path.relative_to(SOURCE)) for path in paths}
    assert {name for name in knowing if not name.startswith("runs/given/")} == {
        "questions/_framework/calling.py",
        "runs/scales/normalization.py",
        "cli/reporting.py",
        "runs/columns/arguments.py",  # the decorator of public functions
    }


OF_EVERY_PAPER = ("catalogue", "comparison", "question_charts")
"""Modules that several papers have, each in its folder, where the workflow finds them."""


def test_a_name_belongs_to_one_module():
    paths = sorted(path for path in SOURCE.rglob("*.py") if not path.name.startswith("__"))
    named = [path.stem for path in paths if not (path.parts[-3] == "papers" and path.stem in OF_EVERY_PAPER)]
    assert sorted({name for name in named if named.count(name) > 1 or name in OF_EVERY_PAPER}) == []


def test_a_test_file_has_the_name_and_place_of_its_module():
    paths = {path.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    modules = {path: SOURCE / path.parent / path.name.removeprefix("test_") for path in paths}
    strays = {str(path) for path, module in modules.items() if path.parts[0] != "scenarios" and not module.is_file()}
    assert strays - OF_THE_PACKAGE == set()


def test_a_module_has_a_test_file_of_its_name():
    modules = (path.relative_to(SOURCE) for path in SOURCE.rglob("*.py") if not path.name.startswith("__"))
    without = [str(path) for path in modules if not (TESTS / path.parent / f"test_{path.name}").is_file()]
    assert without == []


def test_names_of_tests_are_short():
    """At most 60 characters."""
    names = (name for path in TESTS.rglob("test_*.py") for name in re.findall(r"def (test_\w+)\(", path.read_text()))
    assert [name for name in names if len(name) > 60] == []
