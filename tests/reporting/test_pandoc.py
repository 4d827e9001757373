"""HTML of documents and pages: converted once for all navigations, and again whenever the text changes."""

import types

import pytest

from surefoot.reporting.pandoc import convert_stored
from surefoot.reporting.render import make_documentation, make_page
from surefoot.workflow.fingerprint import fingerprint
from surefoot.workflow.runner import Task, run_logged


class Named(dict):
    """Names and values of a rule, as Snakemake gives them."""

    __getattr__ = dict.__getitem__

    def __iter__(self):
        return iter(self.values())


@pytest.fixture
def job(site, own_folder):
    """A function that runs a job with a navigation, and returns the line of its log about the store, and the HTML."""
    docs = site.reports.with_name("docs")
    docs.mkdir()
    (docs / "index.md").write_text("# Documentation\n\nSee [the page](../reports/page.qmd).\n")
    site.write("---\ntitle: Methods\n---\n\nA formula.\n", "methods")

    def start(work, target, inputs, settings, output):
        snakemake = types.SimpleNamespace(
            rule=target,
            wildcards="",
            threads=1,
            params=Named(settings=settings, code={}, versions={"python": "3"}, names=list(inputs)),
            input=list(map(str, inputs.values())),
            output=Named({target: f"results/render/{output}"}),
            log=[f"results/logs/{target}.log"],
        )
        run_logged(snakemake, work)
        lines = (own_folder / f"results/logs/{target}.log").read_text().splitlines()
        html = (own_folder / f"results/render/{output}").read_text()
        return next(line for line in lines if line.startswith("store")), html

    def document(navigation):
        inputs = {"docs/index": docs / "index.md", "project": site.reports / "_quarto.yml"}
        return start(make_documentation, "index", inputs, {"navigation": navigation}, "docs-index.html")

    def page(navigation):
        settings = {"parameters": {}, "renderer": "embedded", "navigation": navigation}
        return start(make_page, "page", {"page": site.reports / "methods.qmd"}, settings, "methods.html")

    return types.SimpleNamespace(document=document, page=page, site=site, text=docs / "index.md")


@pytest.mark.parametrize("kind", ["document", "page"])
def test_sites_of_other_studies_share_the_converted_text(job, kind):
    make = getattr(job, kind)
    line, first = make([("Page", "page.html"), ("Mine & yours", "mine.html")])
    assert line.startswith("store     computed 1 of 1 parts")
    line, second = make([("Other", "other.html"), ("Page", "page.html"), ("Home", "index.html")])
    assert line.startswith("store     computed 0 of 1 parts")
    assert '<a class="name" href="page.html">' in first and '<a href="mine.html">Mine &amp; yours</a>' in first
    assert '<a class="name" href="other.html">' in second and '<a href="other.html">Other</a>' in second
    assert "mine" not in second
    assert first.partition("<main")[2] == second.partition("<main")[2]


def test_a_document_links_only_to_pages_of_its_site(job):
    _, alone = job.document([("Methods", "methods.html")])
    line, whole = job.document([("Methods", "methods.html"), ("Page", "page.html")])
    assert line.startswith("store     computed 0 of 1 parts")
    assert '<a href="page.html">the page</a>' in whole
    assert "See the page." in alone


def test_a_changed_text_is_converted_again(job):
    job.document([])
    job.text.write_text("# Documentation\n\nAnother text.\n")
    line, html = job.document([])
    assert line.startswith("store     computed 1 of 1 parts") and "Another text." in html


def test_the_code_that_converts_decides_what_the_store_has(tmp_path):
    asked = []

    def unit(kind, settings, hashes, compute, path):
        asked.append(settings["code"])
        path.write_text("<p>A text.</p>")

    task = Task({}, {}, {"page": tmp_path / "page.html"}, 1, unit, lambda *part: True, {})
    assert convert_stored(task, tmp_path / "page.md", "A text.", {}) == "<p>A text.</p>"
    assert asked == [{"surefoot.reporting.pandoc": fingerprint("surefoot.reporting.pandoc")}]
