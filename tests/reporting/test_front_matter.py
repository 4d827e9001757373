"""What the workflow asks of a page without rendering it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import surefoot
from surefoot.reporting.errors import PageError
from surefoot.reporting.front_matter import default_parameters, filled_text, reads, title
from surefoot.reporting.source import read_source

PAGE = """\
---
title: "The study {study}"
description: >
  It asks of {study}
  and of nothing else.
reads:
  - draw/{study}/figure_1
  - draw/paper/table_2
---

```{python}
#| tags: [parameters]
study = "mine"
trials = 10
```

{study}
"""


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.qmd"
    path.write_text(PAGE)
    return path


def test_parameters_are_put_into_reads_and_title(page):
    assert reads(page, {"study": "yours"}) == ["draw/yours/figure_1", "draw/paper/table_2"]
    assert title(page, {"study": "yours"}) == "The study yours"


def test_the_cell_of_parameters_gives_defaults(page):
    assert default_parameters(read_source(page)) == {"study": "mine", "trials": 10}
    assert reads(page, {})[0] == "draw/mine/figure_1"
    assert title(page) == "The study mine"


def test_a_page_without_that_cell_takes_the_given_ones(tmp_path):
    path = tmp_path / "page.qmd"
    path.write_text("---\ntitle: x\nreads: ['draw/{study}/a']\n---\n")
    assert reads(path, {"study": "yours"}) == ["draw/yours/a"]
    with pytest.raises(PageError, match=r':3: unknown parameter "study". Hint: give the page a cell'):
        reads(path, {})


def test_unknown_parameter_is_an_error_at_its_line(tmp_path):
    path = tmp_path / "page.qmd"
    path.write_text(PAGE.replace("draw/{study}", "draw/{studdy}"))
    with pytest.raises(PageError, match=r':7: unknown parameter "studdy". Hint: did you mean "study"'):
        reads(path, {})


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("study = open('x')", 13),
        ("a = 1\nimport os", 14),
        ("a = 1\n\nb = (", 15),
        ("a[0] = 1", 13),
    ],
)
def test_parameters_are_literals(tmp_path, code, line):
    path = tmp_path / "page.qmd"
    path.write_text(PAGE.replace('study = "mine"', code))
    with pytest.raises(PageError, match=rf":{line}: "):
        default_parameters(read_source(path))


def test_filled_text_reads_as_the_page_with_its_parameters(page):
    text = filled_text(read_source(page), {"study": "its"})
    page.write_text(text)
    assert title(page) == "The study its"
    assert "It asks of its" in text
    assert reads(page, {}) == ["draw/its/figure_1", "draw/paper/table_2"]
    assert default_parameters(read_source(page)) == {"study": "its", "trials": 10}
    assert text.endswith("\n\n{study}\n")


def test_a_parameter_is_no_markup_in_what_quarto_reads(page):
    name = 'a "b": *c* # {d\n\\$'
    page.write_text(filled_text(read_source(page), {"study": name}))
    assert title(page) == r"The study a \"b\"\: \*c\* \# \{d \\\$"
    assert reads(page, {})[0] == f"draw/{name}/figure_1"
    assert default_parameters(read_source(page))["study"] == name


@pytest.mark.parametrize("module", ["front_matter", "page"])
def test_import_is_light(module):
    heavy = ["numpy", "pandas", "altair", "numba", "vl_convert", "pypandoc"]
    code = f"import sys, surefoot.reporting.{module}; print([name for name in {heavy} if name in sys.modules])"
    environment = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
