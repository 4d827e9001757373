"""What the methods page says: of everything that there is, completely, with sources that exist."""

import html
import json
import re

import pypandoc
import pytest
from support.paths import ROOT

from surefoot.questions._framework.question_registry import questions
from surefoot.reporting.descriptions import (
    BIBLIOGRAPHY,
    COLUMNS,
    citation,
    described,
    read_bibliography,
    short_name,
    sources_as_markdown,
)
from surefoot.reporting.render import render
from surefoot.runs.scales.scale_settings import SCALES
from surefoot.statistics.intervals.interval_catalogue import ESTIMATORS, INTERVAL_METHODS
from surefoot.statistics.metrics.metric_catalogue import METRICS
from surefoot.statistics.resampling.replicate_intervals import METHODS

REPORTS = ROOT / "reports"


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("question", questions()),
        ("metric", METRICS),
        ("interval", METHODS),
        ("game", ESTIMATORS),
        ("scale", SCALES.complete()),
    ],
)
def test_everything_that_there_is_is_described_completely(methods_entries, kind, names):
    rows = {row["name"]: row for row in methods_entries if row["kind"] == kind}
    assert rows.keys() == set(names)
    for row in rows.values():
        assert all(row[column] for column in COLUMNS if column != "family"), row["name"]
        assert bool(row["family"]) == (kind == "question")
    if kind == "game":  # as tables and legends list them
        assert list(rows)[: len(INTERVAL_METHODS)] == list(INTERVAL_METHODS)


def test_what_an_interval_promises_is_what_its_entry_says(methods_entries):
    rows = {row["name"]: row for row in methods_entries if row["kind"] == "game"}
    for name, method in INTERVAL_METHODS.items():
        assert method.guarantee[1:] in rows[name]["guarantee"]
        assert rows[name]["guarantee"].count("As published, it ") == bool(method.as_published)
        assert method.as_published.rpartition(": ")[2] in rows[name]["guarantee"]
        assert rows[name]["title"].lower() == method.title.lower()


def test_citations_and_bibliography_agree(methods_entries):
    cited = " ".join(row["sources"] for row in methods_entries)
    for key, entry in read_bibliography().items():
        assert short_name(entry) in cited, key
    with pytest.raises(KeyError):
        sources_as_markdown("Nobody 1900, section 1", read_bibliography())


def test_the_bibliography_is_read_as_pandoc_reads_it():
    converted = json.loads(pypandoc.convert_file(str(BIBLIOGRAPHY), "csljson", format="bibtex"))
    theirs = {entry["id"]: entry for entry in converted}
    ours = read_bibliography()
    assert ours.keys() == theirs.keys()
    for key, entry in ours.items():
        assert theirs[key]["issued"]["date-parts"][0][0] == int(entry["year"])
        families = [author.get("family") or author.get("literal") for author in theirs[key]["author"]]
        assert [author.partition(",")[0] for author in entry["author"].split(" and ")] == families


def test_references_are_in_order_and_without_markup():
    entries = read_bibliography()
    assert list(entries) == sorted(entries)
    for key, entry in entries.items():
        assert not re.search(r"[{}\\]", citation(entry)), key
    of_mathieu = citation(entries["mathieu2024"])
    assert of_mathieu.startswith("Timothée Mathieu, ") and "AdaStop: Adaptive" in of_mathieu


def test_a_docstring_describes_one_method_or_several(tmp_path):
    path = tmp_path / "several.py"
    path.write_text(
        '"""Two.\n\nsource : whole\n    still the same\n\n'
        "first\n    about : one\n    formula : $x$\n        and more\n    not for : y\n\n"
        'second\n    source : a2000\n\nOther words : no field.\n"""\n'
    )
    assert described(path) == {
        "": {"about": "Two.", "source": "whole still the same"},
        "first": {"about": "one", "formula": "$x$ and more", "not for": "y"},
        "second": {"source": "a2000"},
    }


def plain(text):
    """A text with plain quotation marks and spaces."""
    return " ".join(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())


def test_the_methods_page_has_all_sections_and_formulas(methods_tables, methods_entries):
    output = methods_tables / "render" / "methods.html"
    render(REPORTS / "methods.qmd", output, methods_tables, {}, "embedded")
    page = output.read_text(encoding="utf-8")
    words = plain(html.unescape(re.sub(r"<[^>]*>", "", page)))
    for row in methods_entries:
        assert f'id="sec-{row["kind"]}-{row["name"]}"' in page
        assert plain(row["about"]) in words
    assert page.count("<math") >= sum(row["formula"].count("$") // 2 for row in methods_entries)
    assert "$" not in page.partition("<main")[2].partition("</main>")[0]
    assert page.count("https://doi.org/10.48550/arXiv.2108.13264") > 10


def test_links_of_pages_to_methods_lead_to_one(methods_entries):
    known = {f"{row['kind']}-{row['name']}" for row in methods_entries}
    known |= {"choosing", "choosing-interval", "notation", "questions", "resample", "intervals", "metrics", "scales"}
    known |= {"references"}
    for page in REPORTS.glob("*.qmd"):
        linked = re.findall(r"methods\.qmd#sec-([\w-]+)\)", page.read_text(encoding="utf-8"))
        assert set(linked) <= known, page.name
