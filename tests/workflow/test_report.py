"""Snakemake's own report shows the figures, with titles, captions and a category for each study."""

import json
import re
import zipfile
from html import unescape

import pytest
from browser import find_browser, open_page
from docutils.core import publish_parts
from jinja2 import Environment

from surefoot.pipeline.report_figures import escaped

pytestmark = pytest.mark.workflow


def listed(report, what):
    """What the report keeps under a name, `results` by path or `categories` by name."""
    start = re.search(rf'<script id="{what}">\s*var {what} = ', report).end()
    return json.JSONDecoder().raw_decode(report, start)[0]


def test_every_figure_stands_in_the_category_of_its_study_with_its_caption(checkout):
    checkout.run("--report", "report.html")
    report = (checkout.folder / "report.html").read_text()
    figures = listed(report, "results")
    drawn = {f"results/draw/{path.parent.name}/{path.name}" for path in checkout.folder.glob("results/draw/*/*.svg")}
    assert figures.keys() == drawn
    assert listed(report, "categories").keys() == {"A small study", "A score table", "All studies"}
    for path, facts in figures.items():
        chart = json.loads((checkout.folder / path).with_suffix(".json").read_text())
        assert " ".join(chart["description"].split()) in " ".join(unmarked(facts["caption"]).split()), path
        assert facts["labels"]["name"] == path.rpartition("/")[2].removesuffix(".svg")
        assert facts["labels"]["figure"]


def unmarked(caption):
    """The text of a paragraph of HTML."""
    return unescape(re.sub("<[^>]+>", "", caption))


def test_an_archive_holds_the_pictures(checkout):
    checkout.run("--report", "report.zip", "table")
    with zipfile.ZipFile(checkout.folder / "report.zip") as archive:
        pictures = [name for name in archive.namelist() if name.endswith(".svg")]
        assert archive.read(next(name for name in pictures if name.endswith("scores.svg"))).startswith(b"<svg")
    assert len(pictures) == len(list(checkout.folder.glob("results/draw/table/*.svg")))


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason="no Chromium")
def test_it_is_read_without_a_network(checkout):
    checkout.run("--report", "report.html", "table")
    page = open_page(checkout.folder / "report.html")
    assert page.fetched == []
    assert "A score table" in page.dom


def test_what_is_escaped_is_shown_letter_for_letter():
    text = "*a* |b| `c`_ d_ {{ e }} {% f %} \\ :ref:`g` <h> 95 % [1]_ ↓"
    body = publish_parts(Environment().from_string(escaped(text)).render(), writer="html")["body"]
    assert unmarked(body).strip() == text
