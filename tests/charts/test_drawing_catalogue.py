"""The list of figures and tables: light, complete, and the one that the pages read from."""

import importlib
import inspect
import re
import subprocess
import sys

import altair as alt
import pandas as pd
import pytest
from support.paths import ROOT

from surefoot.charts.drawing import signature_of
from surefoot.charts.drawing_catalogue import CATALOGUE
from surefoot.questions._framework.question_registry import questions
from surefoot.registry import function_named
from surefoot.reporting.page_source import read_source, texts
from surefoot.workflow.planning.drawing_jobs import ACCOUNT, CARD, FINDING_TABLE, NOTE

REPORTS = ROOT / "reports"
ENTRIES = [(group, name) for group, drawings in CATALOGUE.items() for name in drawings]


@pytest.mark.parametrize(("group", "name"), ENTRIES)
def test_each_entry_names_a_documented_function(group, name):
    drawing = CATALOGUE[group][name]
    module, _, function = drawing.function.partition(":")
    assert getattr(importlib.import_module(module), function).__doc__
    assert drawing.kind in ("figure", "table")
    assert drawing.title or drawing.kind == "figure"
    signature = signature_of(drawing.function)
    assert set(drawing.tables) <= {*signature.required, *signature.optional}
    assert set(signature.required) <= set(drawing.tables)
    assert set(drawing.keywords) <= set(signature.keywords)


CHARTS = {drawing.function for group in CATALOGUE.values() for drawing in group.values() if drawing.kind == "figure"}
CHARTS |= {model.chart for model in questions().values() if model.chart}
CHARTS = sorted({*CHARTS, NOTE})


@pytest.mark.parametrize("name", CHARTS)
def test_charts_return_an_altair_chart(name):
    """Tests that draw them check what they return (see `chart_by`)."""
    assert inspect.signature(function_named(name)).return_annotation is alt.TopLevelMixin


def test_tables_return_a_table():
    for group, name in ENTRIES:
        if CATALOGUE[group][name].kind == "table":
            function = function_named(CATALOGUE[group][name].function)
            assert inspect.signature(function).return_annotation is pd.DataFrame, name


def test_numbers_are_those_of_a_chart_and_take_its_arguments():
    """A misspelt name would have no effect."""
    found = set()
    for chart in CHARTS:
        draw = function_named(chart)
        name = f"{draw.__name__.removesuffix('_chart')}_numbers"
        compute = getattr(sys.modules[draw.__module__], name, None)
        if compute is not None:
            found.add((draw.__module__, name))
            given, taken = (inspect.signature(function).parameters for function in (draw, compute))
            assert taken.keys() <= given.keys(), chart
            assert inspect.signature(compute).return_annotation is pd.DataFrame, chart
        else:
            first = next(iter(inspect.signature(draw).parameters.values()))
            assert first.annotation is pd.DataFrame and first.default is first.empty, chart
    modules = {chart.partition(":")[0] for chart in CHARTS}
    named = {(module, name) for module in modules for name in vars(sys.modules[module]) if name.endswith("_numbers")}
    assert len(found) > 20 and named == found


def test_pages_show_questions_without_a_chart_as_one_table():
    functions = {model.page_table for model in questions().values() if model.page_table}
    assert functions
    for function in (*functions, FINDING_TABLE):
        assert inspect.signature(function_named(function)).return_annotation is pd.DataFrame, function


@pytest.mark.parametrize("shown_by", ["chart", "finding"])
def test_the_only_table_of_a_question_is_called_table(shown_by):
    functions = [name for model in questions().values() if (name := getattr(model, shown_by))]
    assert functions
    for function in functions:
        signature = signature_of(function)
        taken = (*signature.required, *signature.optional)
        assert len(taken) > 1 or taken == ("table",), function


def test_importing_the_catalogue_imports_nothing_heavy():
    code = "import surefoot.charts.drawing_catalogue, sys; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    source = str(ROOT / "src")
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {source!r}); {code}"]
    imported = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert not {"altair", "numba", "scipy"} & set(imported)


@pytest.mark.parametrize(
    ("page", "parameters", "group"),
    [
        ("index", {}, "home"),
        ("ledger", {}, "home"),
    ],
)
def test_pages_read_what_the_catalogue_has(page, parameters, group):
    listed = texts(read_source(REPORTS / f"{page}.qmd"), parameters)["reads"]
    assert listed
    assert set(listed) <= {f"draw/{group}/{name}" for name in CATALOGUE[group]}


def test_the_page_of_a_study_shows_the_whole_catalogue():
    page = (REPORTS / "study.qmd").read_text()
    shown = set(re.findall(r'show_(?:figure|table)\(\s*"(\w+)"', page))
    shown |= set(re.findall(r'published_table\(f"\{study\}/(\w+)"', page))
    shown |= set(re.findall(r'wide_table\(\s*f"\{study\}/(\w+)"', page))
    assert shown == CATALOGUE["study"].keys() - {"verdict"} | {CARD, ACCOUNT}
