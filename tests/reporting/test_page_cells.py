"""Cells of a page: what they show, what they see, and their errors."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.html_elements import Elements

import surefoot
from surefoot.reporting.page_source import PageError

HEAD = "---\ntitle: x\nreads:\n  - draw/demo/scores\n---\n"


@pytest.mark.parametrize(
    ("body", "line", "what"),
    [
        ("```{python}\nx = 1\n\n1 / 0\n```\n", 9, "the cell failed: ZeroDivisionError: division by"),
        ("a\n\nb `{python} 1`, `{python}\nc`, `{python} nothing`\n", 9, "NameError: name 'nothing'"),
        ("`{python} 'a\\nb'`\n", 6, "more than one line"),
        ("```{python}\nimport sys\nsys.exit(1)\n```\n", 8, "SystemExit: 1"),
        (
            "```{python}\nfrom surefoot.reporting import page\n\npage.table('demo/bars')\n```\n",
            9,
            '"demo/bars" is not listed under reads: in the front matter. Hint: did you mean "draw/demo/scores"',
        ),
        ('```{python}\n#| label: fig-a\n#| fig-cap: "A"\nx = 1\n```\n', 6, 'the cell of "fig-a" shows nothing'),
        (
            "```{python}\nfrom surefoot.reporting.page import Markdown\nMarkdown('@fig-b')\n```\n",
            8,
            "unresolved reference @fig-b",
        ),
    ],
)
def test_errors_of_cells_name_their_line(site, body, line, what):
    output = site.results / "render" / "page.html"
    output.parent.mkdir()
    output.write_text("as before")
    with pytest.raises(PageError) as error:
        site.render(HEAD + body)
    assert f"page.qmd:{line}: " in str(error.value)
    assert what in str(error.value)
    assert [path.name for path in output.parent.iterdir()] == ["page.html"]
    assert output.read_text() == "as before"


def test_cells_see_their_parameters_and_leave_nothing_behind(site):
    before = (Path.cwd(), list(sys.path))
    text = (
        "---\ntitle: x\n---\n```{python}\n#| tags: [parameters]\nstudy = 'a'\nn = 1\n```\n"
        "`{python} study` `{python} n` `{python} __import__('pathlib').Path.cwd().name`\n"
    )
    (shown,) = (
        element for element in Elements(site.render(text, study="it's", n=3)).by_tag("p") if "main." in element.around
    )
    assert shown.text == "it's 3 reports"
    assert (Path.cwd(), list(sys.path)) == before
    again = site.render("---\ntitle: x\n---\n`{python} 'study' in globals()`\n")
    assert "<p>False</p>" in again.read_text()


def test_a_figure_with_its_caption_may_come_from_a_cell_or_not(site):
    cell = "```{{python}}\ncaptioned('fig-{0}', figure('demo/bars'), 'Of [a] *b* $c$.') if {1} else None\n```\n\n"
    text = HEAD.replace("scores", "bars") + "```{python}\n#| include: false\n"
    text += "from surefoot.reporting.page import captioned, figure\n```\n\n"
    text += cell.format("no", False) + cell.format("yes", True) + "See @fig-yes.\n"
    page = Elements(site.render(text))
    (caption,) = page.by_tag("figcaption")
    assert caption.text == "Figure 1: Of [a] *b* $c$."
    assert page.by_id("fig-yes").tag == "figure"
    assert len(page.by_class("chart")) == 1


def test_what_cells_import_is_light():
    heavy = ["numpy", "pandas", "altair", "numba", "vl_convert", "pypandoc"]
    code = f"import sys, surefoot.reporting.page; print([name for name in {heavy} if name in sys.modules])"
    environment = os.environ | {"PYTHONPATH": str(Path(surefoot.__file__).parents[1])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
