"""Pages through a `quarto` that is none: a script in its place notes how it was called. One page through a real one."""

import json
import os
import re
import shutil
import sys
from html import unescape
from pathlib import Path

import pytest
from support.small_site import EVERYTHING

from surefoot.reporting.page_source import PageError

SHIM = """\
#!{python}
import json, pathlib, sys
here = pathlib.Path.cwd()
files = {{path.name: path.read_text() for path in here.iterdir() if path.is_file()}}
call = {{"arguments": sys.argv[1:], "files": files, "here": str(here)}}
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


@pytest.fixture
def shim(tmp_path, monkeypatch):
    """Puts a `quarto` with some behaviour on the PATH; returns what reads the note of its call."""

    def install(behaviour: str):
        folder, note = tmp_path / "bin", tmp_path / "call.json"
        folder.mkdir()
        script = SHIM.format(python=sys.executable, note=str(note), behaviour=behaviour)
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
    before[site.reports / "page.qmd"] = PAGE.encode()
    assert {path: path.read_bytes() for path in site.reports.iterdir()} == before


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        (
            f"{WRITES}\nsys.stderr.write('WARNING: Unable to resolve crossref @fig-x')",
            r"page.qmd:12: unresolved reference @fig-x",
        ),
        ("sys.stderr.write('NameError: n')\nsys.exit(1)", r"page.qmd:1: Quarto failed: NameError: n"),
    ],
)
def test_failures_leave_no_page(site, shim, behaviour, message):
    shim(behaviour)
    with pytest.raises(PageError, match=message):
        site.render(PAGE, renderer="quarto", study="demo")
    assert not (site.results / "render").exists()


RUN = """\
---
title: "About {study}"
---

```{python}
#| tags: [parameters]
study = "none"
```

Of `{python} study.upper()`, see @sec-more, (@sec-more), @sec-none.

```{python}
#| label: fig-bars
#| fig-cap: "Bars."
from surefoot.reporting.page import Fragment
Fragment("<b>bars</b>")
```

## More of *it* {#sec-more}
"""


def test_quarto_is_handed_a_page_whose_cells_have_run(site, shim):
    call = shim(WRITES)
    site.render(RUN, renderer="quarto", study="demo")
    given = call()["files"]["page.qmd"]
    assert given.startswith("---\ntitle: About demo\n") and "engine: markdown\n---\n" in given
    link = "[More of *it*](#sec-more)"
    assert f"\nOf DEMO, see {link}, ({link}), @sec-none.\n" in given
    assert "::: {#fig-bars}\n\n```{=html}\n<b>bars</b>\n```\n\nBars.\n\n:::\n" in given
    assert "{python}" not in given


def read_by_people(html: str) -> str:
    """Return the text of a page's main part, without its scripts and styles, with single spaces."""
    main = html.partition("<main")[2].partition("</main>")[0]
    text = re.sub(r"<(script|style)\b.*?</\1>", " ", main, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


@pytest.mark.skipif(shutil.which("quarto") is None, reason="no program quarto on the PATH (https://quarto.org)")
def test_a_real_quarto_renders_what_the_embedded_renderer_does(site):
    of_quarto, embedded = (
        site.render(EVERYTHING, renderer=renderer, study="demo").read_text() for renderer in ("quarto", "embedded")
    )
    for part in (r' id="((?:fig|tbl|sec)-[\w-]+)"', r'data-tooltip="([^"]*)"', r'download="([\w.]+)"'):
        ours = {unescape(one) for one in re.findall(part, embedded)}
        assert ours and ours <= {unescape(one) for one in re.findall(part, of_quarto)}, part
    for text in map(read_by_people, (of_quarto, embedded)):
        assert "Sarsa has 0.61" in text and "The same, of 3 algorithms." in text
        assert "{python} page" not in text and "?@" not in text
