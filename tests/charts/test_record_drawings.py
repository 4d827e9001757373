"""Figures and pages of studies of published scores, drawn from the records that are kept with the project."""

import functools
import json
import re
from pathlib import Path

import pandas as pd
import pytest
from comparing import made, with_comparisons

from surefoot.charts.catalogue import CATALOGUE, COMPARISONS
from surefoot.charts.draw import pictures
from surefoot.charts.drawing import Need
from surefoot.reporting.render import render
from surefoot.reporting.source import read_source, texts
from surefoot.workflow.configuration.places import read_configuration
from surefoot.workflow.configuration.validation import validate_configuration
from surefoot.workflow.planning.plan import plan

ROOT = Path(__file__).parents[2]
STUDIES = ("recht2018", "agarwal2021")
ENTRIES = [(study, name) for study in STUDIES for name in CATALOGUE[study]]


@functools.cache
def recorded_tables(study):
    """All that a run without scores draws from."""
    folder = ROOT / "reports" / "records" / study
    tables = {f"numbers/{path.stem}": read(path) for path in folder.glob("*.csv") if path.stem != "record"}
    published = read(ROOT / "config" / "published" / f"{study}.csv")
    return with_comparisons(study, tables | {"record": read(folder / "record.csv"), "published": published})


def read(path):
    return pd.read_csv(path, keep_default_na=False, na_values=[""]).pipe(
        lambda table: table.assign(**{name: table[name].fillna("") for name in table.select_dtypes(["object", "str"])})
    )


@functools.cache
def configured(study):
    """The study as it is shipped, and the plan of its drawings, by name."""
    files = [ROOT / "config" / "studies" / f"{study}.yaml"]
    config = validate_configuration(read_configuration(files), files)
    jobs = [job for job in plan(config) if (job.stage, job.study) == ("draw", study)]
    return config.studies[study], {name: told for job in jobs for name, told in job.settings["drawings"].items()}


def drawn(study, name, tables):
    facts = configured(study)[1][name]["keywords"]
    return made(CATALOGUE[study][name], tables, {"recorded": "2026-01-02", "analyses": []} | facts)


@functools.cache
def drawings(study):
    """{name: (Vega-Lite or None, what pages have of its picture or None, numbers)} of all that is drawn from the
    record."""
    tables, found = recorded_tables(study), {}
    for name in CATALOGUE[study]:
        chart, numbers = drawn(study, name, tables)
        specification = None if chart is None else chart.to_dict()
        picture = None if chart is None else pictures(specification, name)[1]
        found[name] = specification, picture, numbers
    return found


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
    page = ROOT / "reports" / f"{study}.qmd"
    listed = texts(read_source(page), {"study": study})["reads"]
    assert set(listed) == {f"draw/{study}/{name}" for name in CATALOGUE[study]}
    folder = tmp_path / "draw" / study
    folder.mkdir(parents=True)
    for name, (specification, picture, numbers) in drawings(study).items():
        numbers.to_csv(folder / f"{name}.csv", index=False)
        if specification is not None:
            (folder / f"{name}.json").write_text(json.dumps(specification))
            (folder / f"{name}.html").write_text(picture)
    output = tmp_path / "render" / "page.html"
    render(page, output, tmp_path, {"study": study}, "embedded")
    text = re.sub(r"<(script|style)\b.*?</\1>", "", output.read_text(), flags=re.DOTALL)
    text = " ".join(re.sub("<[^>]*>", " ", text).split())
    assert "are of a record made from the published scores" in text
    assert " nan " not in text
    assert "no numbers of it" not in text
    assert output.stat().st_size < 9e6


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
