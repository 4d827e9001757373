"""Small studies that are really made, from their configuration to their pages; stand-ins of tables look the same."""

import json
import re
from html import escape
from pathlib import Path

import pypandoc
import pytest
from support.drawn_panels import misplaced_marks
from support.one_study import make, told
from support.small_studies import planned, write_raw_tables, write_sources
from support.snapshots import assert_as_kept
from support.stand_in_plays import tables_of_plays
from support.stand_in_tables import analyses, coverage_tables, published_names, sharper, stand_in_tables

from surefoot.questions._framework.question_registry import questions
from surefoot.runs.result_tables import read_table

STUDIES = ("small", "table", "curves", "plays", "published")
"""Between them they ask every question; see `support.small_studies`."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(jobs, the folder of their results) of these studies with their pages."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("SUREFOOT_STORE", str(folder / "store"))
        configurations = write_sources(folder)
        write_raw_tables(folder / "folder", patch)
        jobs = [job for job in planned(configurations) if job.study.removesuffix("_how_many_runs") in STUDIES]
        make(jobs)
    return jobs, folder / "results"


def read_results(results: Path, study: str) -> dict:
    """The tables that a study made, by stage and name."""
    stages = ("collect", "aggregate", "estimate", "cover")
    paths = [path for stage in stages for path in results.glob(f"{stage}/{study}/*")]
    return {f"{path.parts[-3]}/{path.stem}": read_table(path) for path in paths}


def test_every_question_is_asked(made):
    jobs, _ = made
    asked = {kind for study in STUDIES for _, kind, *_ in told(jobs, "asked", study)}
    assert asked == set(questions())


def test_every_answer_is_on_a_page(made):
    """That of a question with a chart as a chart, beside its finding where it has one."""
    _, results = made
    for study in STUDIES:
        page = (results / f"render/{study}.html").read_text().replace("&nbsp;", " ").replace("\u00a0", " ")
        contents = read_table(results / f"draw/{study}/contents.csv")
        for row in contents.dropna(subset="drawing").itertuples():
            assert f'id="sec-question-{row.question}"' in page, row
            is_figure = (results / f"draw/{study}/{row.drawing}.svg").is_file()
            assert is_figure == bool(questions()[row.kind].chart), row
            assert not is_figure or f'id="fig-{row.drawing}"' in page, row
            if not questions()[row.kind].finding:
                continue
            if is_figure:
                chart = json.loads((results / f"draw/{study}/{row.drawing}.json").read_text())
                finding = chart["usermeta"]["finding"]
            else:
                finding = read_table(results / f"draw/{study}/{row.drawing}_finding.csv")["finding"].item()
            for sentence in finding.split(". "):
                # A page has minus signs in the place of hyphens.
                text = escape(sentence.rstrip(".")).replace("\N{MINUS SIGN}", "-")
                assert text in page.replace("\N{MINUS SIGN}", "-"), row


def test_every_chart_shows_what_was_made(made):
    _, results = made
    for path in sorted(results.glob("draw/*/*.json")):
        chart = json.loads(path.read_text())
        assert any(map(len, chart.get("datasets", {}).values())), path
        assert misplaced_marks(chart) == [], path
        picture = path.with_suffix(".svg").read_text()
        assert not re.search(r"\bNaN\b|undefined", picture), path


def test_stored_tables_have_the_columns_that_are_declared(made):
    """Those of tests/snapshots/columns.json, with the type of what is in them."""
    _, results = made
    declared = {}
    for path in sorted((*results.rglob("*.parquet"), *results.rglob("*.csv"))):
        table = read_table(path)
        declared[str(path.relative_to(results))] = {
            column: "empty" if table[column].isna().all() else str(table[column].dtype) for column in table
        }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(columns)}" for name, columns in declared.items())
    assert_as_kept("columns.json", f"{{\n{lines}\n}}\n")


def test_a_page_reads_as_it_did(made):
    _, results = made
    page = (results / "render/table.html").read_text()
    main = page[page.index("<main") : page.index("</main>")]
    assert_as_kept("page.txt", pypandoc.convert_text(main, "plain", "html", ["--columns=120"]))


def stand_ins():
    runs = stand_in_tables(*published_names())
    coverage = {"cover/tiny": coverage_tables()["cover/corrected"].assign(variant="corrected")}
    return [("small", runs | analyses(runs) | sharper(runs) | coverage), ("plays", tables_of_plays())]


def test_what_stands_in_for_tables_has_their_columns(made):
    """Else a column could be renamed and all drawings of stand-ins would go on passing."""
    _, results = made
    for study, tables in stand_ins():
        real = read_results(results, study)
        common = sorted(real.keys() & tables.keys())
        assert len(common) >= 3
        drift = {name: set(tables[name].columns) ^ set(real[name].columns) for name in common}
        assert {name: columns for name, columns in drift.items() if columns} == {}
