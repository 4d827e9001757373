"""Which rooms of the package may know which others."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "surefoot"


def imported_rooms(path: Path) -> set[str]:
    """Rooms that a file imports from, as (room, module) names of the package."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {name.split(".")[1] for name in names if name.startswith("surefoot.")}


DRAWN_KINDS = SOURCE / "statistics/coverage/trust/drawn_kinds.py"
"""It measures what users get by default, remarks included, so it asks the questions themselves."""


def imports_of(room: str) -> set[str]:
    """What a folder of modules, or a single module, imports from."""
    paths = {*(SOURCE / room).rglob("*.py"), *SOURCE.glob(f"{room}.py")} - {DRAWN_KINDS}
    assert paths
    return set().union(*map(imported_rooms, paths))


MAY_KNOW = {
    "errors": "",
    "measured_seconds": "",
    "build": "build registry errors",
    "pickled_arrays": "build",
    "rounding": "",
    "protocol": "protocol curves rounding",
    "columns": "columns rounding build errors",
    "curves": "curves columns statistics build result_tables errors",
    "logs": "logs curves columns protocol pickled_arrays rounding registry build errors",
    "registry": "errors",
    "kernel_files": "",
    "statistics": "statistics kernel_files streams registry errors",
    "simulation": "simulation measured_seconds streams registry errors",
    "bayesian": "bayesian streams build simulation registry errors",
    "reporting": "reporting statistics build tables rounding errors",
    "sources": "sources configuration statistics simulation bayesian build result_tables errors pickled_arrays columns "
    "curves measured_seconds registry",
    "scales": "scales configuration sources columns statistics build registry result_tables errors",
    "questions": "questions configuration sources scales statistics build result_tables streams errors charts curves "
    "measured_seconds registry columns protocol rounding",
    "export": "export methods pipeline protocol charts questions configuration statistics build columns reporting "
    "result_tables tables rounding errors",
    "methods": "methods charts questions scales statistics build",
    "charts": "charts questions protocol statistics sources build result_tables rounding registry errors",
}
"""The rooms that each may import from."""


@pytest.mark.parametrize("room", MAY_KNOW)
def test_a_room_knows_only_what_is_below_it(room):
    assert imports_of(room) <= {*MAY_KNOW[room].split()}


def test_runs_as_people_have_them_are_read_by_the_public_functions_alone():
    """A study's runs are collected, and no number of a study is made again where this reading changes."""
    given = "surefoot.sources.given"
    knowing = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if given in path.read_text()}
    assert {name for name in knowing if not name.startswith("sources/given/")} == {
        "questions/_framework/calling.py",
        "scales/functions.py",
        "cli/reporting.py",
    }


def test_nothing_general_imports_from_a_paper():
    knowing = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py") if "papers" in imported_rooms(path)}
    assert {name for name in knowing if not name.startswith("papers/")} == set()
