"""Pages through a `quarto` that is none: a script in its place notes how it was called."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
import yaml

from surefoot.build.errors import InputError
from surefoot.reporting.page import READS_VARIABLE, RESULTS_VARIABLE, Markdown
from surefoot.reporting.quarto import quarto_value, with_counted_ids
from surefoot.reporting.source import PageError

SHIM = """\
#!{python}
import json, os, pathlib, sys
here = pathlib.Path.cwd()
environment = {{name: os.environ.get(name) for name in {variables}}}
files = {{path.name: path.read_text() for path in here.iterdir() if path.is_file()}}
call = {{"arguments": sys.argv[1:], "environment": environment, "files": files, "here": str(here)}}
pathlib.Path({note!r}).write_text(json.dumps(call))
{behaviour}
"""
WRITES = """\
output = here / sys.argv[sys.argv.index("--output-dir") + 1] / sys.argv[sys.argv.index("--output") + 1]
output.parent.mkdir()
output.write_text("<p>by the shim</p>")
"""
PAGE = """\
---
title: "About {study}"
reads:
  - draw/{study}/bars
---

```{python}
#| tags: [parameters]
study = "none"
```

See @fig-x.
"""
VARIABLES = (RESULTS_VARIABLE, READS_VARIABLE, "QUARTO_PYTHON", "PYTHONPATH")


@pytest.fixture
def shim(tmp_path, monkeypatch):
    """Puts a `quarto` with some behaviour on the PATH; returns what reads the note of its call."""

    def install(behaviour: str):
        folder, note = tmp_path / "bin", tmp_path / "call.json"
        folder.mkdir()
        script = SHIM.format(python=sys.executable, variables=VARIABLES, note=str(note), behaviour=behaviour)
        (folder / "quarto").write_text(script)
        (folder / "quarto").chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        return lambda: json.loads(note.read_text())

    return install


def test_quarto_is_called_in_a_copy_of_the_project(site, shim):
    call = shim(WRITES)
    before = {path: path.read_bytes() for path in site.reports.iterdir()}
    output = site.render(PAGE, renderer="quarto", study="demo")
    assert output.read_text() == "<p>by the shim</p>"
    noted = call()
    assert noted["arguments"] == ["render", "page.qmd", "--to", "html", "--output", "page.html", "--output-dir", "site"]
    assert not Path(noted["here"]).exists()
    environment = noted["environment"]
    assert environment[RESULTS_VARIABLE] == str(site.results)
    assert json.loads(environment[READS_VARIABLE]) == ["draw/demo/bars"]
    assert environment["QUARTO_PYTHON"] == sys.executable
    assert Path(environment["PYTHONPATH"].split(os.pathsep)[0], "surefoot", "reporting").is_dir()
    before[site.reports / "page.qmd"] = PAGE.encode()
    assert {path: path.read_bytes() for path in site.reports.iterdir()} == before


def test_the_copy_has_the_parameters_and_the_charts_script(site, shim):
    call = shim(WRITES)
    site.render(PAGE, renderer="quarto", study="demo")
    files = call()["files"]
    assert set(files) == {"_quarto.yml", "content.css", "index.qmd", "page.js", "page.qmd"}
    assert "title: About demo\n" in files["page.qmd"]
    assert "study = \"none\"\nstudy = 'demo'\n```" in files["page.qmd"]
    project = yaml.safe_load(files["_quarto.yml"])
    assert project["website"]["title"] == "Tracks"
    assert project["execute"] == {"echo": False, "daemon": False}
    assert project["format"]["html"]["embed-resources"] and project["format"]["html"]["css"] == "content.css"
    (header,) = project["format"]["html"]["include-in-header"]
    assert header["text"].endswith('<script src="page.js"></script>')
    assert "prefers-color-scheme" in header["text"]
    assert files["page.js"].startswith('document.addEventListener("DOMContentLoaded", () => {')
    assert "div.chart" in files["page.js"]


def test_auto_takes_quarto_where_there_is_one_and_embedded_does_not(site, shim):
    shim(WRITES)
    assert site.render("---\ntitle: x\n---\n", renderer="auto").read_text() == "<p>by the shim</p>"
    assert "<h1>x</h1>" in site.render("---\ntitle: x\n---\n", renderer="embedded").read_text()


def test_without_quarto_auto_is_embedded_and_quarto_an_error(site, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "<h1>x</h1>" in site.render("---\ntitle: x\n---\n", renderer="auto").read_text()
    with pytest.raises(InputError, match=r"there is no quarto command\. Hint: install Quarto"):
        site.render("---\ntitle: x\n---\n", renderer="quarto")


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        (
            f"{WRITES}\nsys.stderr.write('WARNING: Unable to resolve crossref @fig-x')",
            r"page.qmd:12: unresolved reference @fig-x",
        ),
        ("sys.stderr.write('NameError: n')\nsys.exit(1)", r"page.qmd:1: Quarto failed: NameError: n"),
        ("pass", r"page.qmd:1: Quarto did not write page.html"),
    ],
)
def test_failures_leave_no_page(site, shim, behaviour, message):
    shim(behaviour)
    with pytest.raises(PageError, match=message):
        site.render(PAGE, renderer="quarto", study="demo")
    assert not (site.results / "render").exists()


INLINE = """\
---
title: x
---

Of `{python} nothing`, see @sec-more, (@sec-more), @sec-none.

```text
`{python} kept`, @sec-more
```

## More of *it* {#sec-more}

`{python} f(
  1)` ends.
"""


def test_quarto_is_handed_expressions_that_have_a_value_and_titles_of_sections(site, shim):
    call = shim(WRITES)
    site.render(INLINE, renderer="quarto")
    given = call()["files"]["page.qmd"].split("\n")
    expression = '`{python} __import__("surefoot.reporting.quarto", fromlist=["x"]).quarto_value(nothing)`'
    link = "[More of *it*](#sec-more)"
    assert given[5] == f"Of {expression}, see {link}, ({link}), @sec-none."
    assert given[8] == "`{{python}} kept`, @sec-more"
    assert "quarto_value(f(" in given[13] and given[14] == "  1))` ends."


@pytest.mark.parametrize(
    ("value", "shown"),
    [("", "&#8203;"), ("it's *so*", "it\\'s \\*so\\*"), (3, "3"), ("1,234.5", "1,234.5"), (Markdown("*a*"), "*a*")],
)
def test_what_quarto_shows_of_a_value(value, shown):
    assert quarto_value(value)._repr_markdown_() == shown


def test_ids_of_cells_do_not_change_from_one_render_to_the_next():
    page = '<div id="{0}" class="cell" data-n="1"><a href="#{0}">x</a></div><div id="{1}" class="cell"></div>'
    labelled = '<div id="fig-a" class="cell"></div><p id="0badcafe">0badcafe</p>'
    drawn = (("1a2b3c4d", "ffffffff"), ("00c0ffee", "99999999"))
    one, other = (with_counted_ids(page.format(*ids) + labelled) for ids in drawn)
    assert one == other == page.format("cell-1", "cell-2") + labelled


def test_the_home_page_has_the_title_of_the_site(site, shim):
    shim(WRITES.replace("<p>by the shim</p>", "<head><title>Home of all</title></head>"))
    assert "<title>Tracks</title>" in site.render("---\ntitle: x\n---\n", name="index", renderer="quarto").read_text()
    assert "<title>Home of all</title>" in site.render("---\ntitle: x\n---\n", renderer="quarto").read_text()
