"""Figures and pages of studies of published scores, drawn from the records that are kept with the project."""

import json
import re

import pytest
from support.drawings import with_comparisons
from support.paths import ROOT
from support.recorded_studies import ENTRIES, STUDIES, configured, drawings, drawn, recorded_tables

from surefoot.charts.drawing import Need
from surefoot.charts.drawing_catalogue import CATALOGUE, COMPARISONS
from surefoot.reporting.page_source import read_source, texts
from surefoot.reporting.render import render


@pytest.mark.parametrize(("study", "name"), ENTRIES)
def test_every_figure_is_drawn_from_its_record_and_says_so(study, name):
    specification, picture, numbers = drawings(study)[name]
    assert len(numbers)
    if specification is None:
        return
    assert sum(len(rows) for rows in specification.get("datasets", {}).values()) <= 5000
    assert "NaN" not in picture.partition("<script")[0]  # what is packed may spell anything
    if any(isinstance(needs, Need) and needs.of == "answer" for needs in CATALOGUE[study][name].tables.values()):
        assert "from the record of 20" in specification["description"]


@pytest.mark.parametrize(("study", "name"), ENTRIES)
def test_nothing_fails_where_there_is_no_record_either(study, name):
    tables = {key: table for key, table in recorded_tables(study).items() if key == "published"}
    chart, numbers = drawn(study, name, with_comparisons(study, tables))
    assert len(numbers.columns)
    if chart is not None:
        assert chart.to_dict()["description"]


@pytest.mark.parametrize("study", STUDIES)
def test_the_page_reads_what_is_drawn_and_renders(study, tmp_path):
    pages = sorted((ROOT / "reports").glob(f"{study}*.qmd"))  # the appendix too
    listed = [item for page in pages for item in texts(read_source(page), {"study": study})["reads"]]
    assert set(listed) == {f"draw/{study}/{name}" for name in CATALOGUE[study]}
    folder = tmp_path / "draw" / study
    folder.mkdir(parents=True)
    for name, (specification, picture, numbers) in drawings(study).items():
        numbers.to_csv(folder / f"{name}.csv", index=False)
        if specification is not None:
            (folder / f"{name}.json").write_text(json.dumps(specification))
            (folder / f"{name}.html").write_text(picture)
    text = ""
    for page in pages:
        output = tmp_path / "render" / f"{page.stem}.html"
        render(page, output, tmp_path, {"study": study}, "embedded")
        assert output.stat().st_size < 9e6
        shown = re.findall(r'<div class="chart"[^>]*>(?:<p class="title">(.*?)</p>)?', output.read_text())
        assert shown and all(re.search("[a-z]", title) for title in shown), page.stem
        text += re.sub(r"<(script|style)\b.*?</\1>", "", output.read_text(), flags=re.DOTALL)
    text = " ".join(re.sub("<[^>]*>", " ", text).split())
    assert "come from a record made from the published scores" in text
    assert " nan " not in text
    assert "no numbers of it" not in text


@pytest.mark.parametrize("study", STUDIES)
def test_every_analysis_that_is_asked_for_is_recorded_and_drawn(study):
    questions = configured(study)[0].questions
    asked, tables = set(questions), recorded_tables(study)
    assert asked == {key.removeprefix("numbers/") for key in tables if key.startswith("numbers/")}
    assert asked == set(tables["record"]["analysis"])
    takers = (*CATALOGUE[study].values(), *COMPARISONS[study].values())
    taken = [needs for taker in takers for needs in taker.tables.values()]
    needed = {name for needs in taken for name in ([needs.name] if isinstance(needs, Need) else needs)}
    of_runs = {name for name, question in questions.items() if question.group == "how_many_runs"}
    assert asked - of_runs <= needed
