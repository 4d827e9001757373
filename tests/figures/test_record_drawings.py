"""Figures and pages of studies of published scores, drawn from the records that are kept with the project."""

import importlib
import json
import re
from pathlib import Path

import pandas as pd
import pytest
import vl_convert

from surefoot.figures.catalogue import CATALOGUE
from surefoot.reporting.front_matter import reads
from surefoot.reporting.render import render

ROOT = Path(__file__).parents[2]
STUDIES = ("recht2018",)
ENTRIES = [(study, name) for study in STUDIES for name in CATALOGUE[study]]


def recorded_tables(study):
    """All that a run without scores draws from."""
    folder = ROOT / "reports" / "records" / study
    tables = {f"numbers/{path.stem}": read(path) for path in folder.glob("*.csv") if path.stem != "record"}
    published = read(ROOT / "config" / "published" / f"{study}.csv")
    return tables | {"record": read(folder / "record.csv"), "published": published}


def read(path):
    return pd.read_csv(path, keep_default_na=False, na_values=[""]).pipe(
        lambda table: table.assign(**{name: table[name].fillna("") for name in table.select_dtypes(["object", "str"])})
    )


def drawn(study, name, tables):
    drawing = CATALOGUE[study][name]
    wanted = {key: tables[key] for key in (*drawing.needs, *drawing.optional) if key in tables}
    recorded = [key.removeprefix("numbers/") for key in tables if key.startswith("numbers/")]
    settings = {"study": study, "title": "A title", "question": "Which?", "recorded": recorded}
    settings |= {"at_hand": recorded, "algorithm_titles": {}, "environment_titles": {}}
    settings |= dict([drawing.setting]) if drawing.setting else {}
    module, _, function = drawing.function.partition(":")
    return getattr(importlib.import_module(module), function)(wanted, settings)


@pytest.mark.parametrize(("study", "name"), ENTRIES)
def test_every_figure_is_drawn_from_its_record_and_says_so(study, name):
    chart, numbers = drawn(study, name, recorded_tables(study))
    assert len(numbers)
    if chart is None:
        return
    specification = chart.to_dict()
    assert sum(len(rows) for rows in specification.get("datasets", {}).values()) <= 5000
    picture = vl_convert.vegalite_to_svg(specification)
    assert "NaN" not in picture
    if any(key.startswith("numbers/") for key in CATALOGUE[study][name].optional):
        assert "from the record of 20" in picture
        assert "from the record of 20" in specification["description"]


@pytest.mark.parametrize(("study", "name"), ENTRIES)
def test_nothing_fails_where_there_is_no_record_either(study, name):
    tables = {key: table for key, table in recorded_tables(study).items() if key == "published"}
    chart, numbers = drawn(study, name, tables)
    assert len(numbers.columns)
    if chart is not None:
        assert "<svg" in vl_convert.vegalite_to_svg(chart.to_dict())


@pytest.mark.parametrize("study", STUDIES)
def test_the_page_reads_what_is_drawn_and_renders(study, tmp_path):
    page = ROOT / "reports" / f"{study}.qmd"
    listed = reads(page, {"study": study})
    assert set(listed) <= {f"draw/{study}/{name}" for name in CATALOGUE[study]}
    folder, tables = tmp_path / "draw" / study, recorded_tables(study)
    folder.mkdir(parents=True)
    for name in CATALOGUE[study]:
        chart, numbers = drawn(study, name, tables)
        numbers.to_csv(folder / f"{name}.csv", index=False)
        if chart is not None:
            (folder / f"{name}.json").write_text(json.dumps(chart.to_dict()))
            (folder / f"{name}.svg").write_text(vl_convert.vegalite_to_svg(chart.to_dict()))
    render(page, tmp_path / "render" / "page.html", tmp_path, {"study": study}, "embedded")
    text = re.sub(r"<(script|style)\b.*?</\1>", "", (tmp_path / "render" / "page.html").read_text(), flags=re.DOTALL)
    assert "drawn from the record of a run that had the published scores" in " ".join(
        re.sub("<[^>]*>", " ", text).split()
    )
