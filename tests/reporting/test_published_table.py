"""The table of published numbers on a page: exceptions in sight, the rest in folds."""

import json
import re

import pytest

from surefoot.reporting import page
from surefoot.reporting.published_table import FEW, published_table

HEAD = "label,claim,published,ours,verdict,tolerance,detectable,reason,allowed,record_ours,record_verdict,"
HEAD += "record_tolerance,record_detectable,record_reason,record_allowed\n"
HEADINGS = ["Published number or claim", "Verdict", "Published", "Ours", "Tolerance", "Detectable from"]
SAME = '"Mean, {}",False,0.18936086395020874,0.189361,reproduced,1e-06,1e-06,,,0.19,not testable,1,2,,\n'
OTHERS = (
    "A claim,True,1.0,0.0,explained,,0.5,few runs,1,,,,,,\n"
    "Another,True,1.0,1.0,reproduced,,,,,1.0,reproduced,,,,\n"
    "Far,False,31.12,40.0,differs,1,2,,4,,,,,,\n"
    "Blind,False,3,4.0,not testable,5,6,,,,,,,,\n"
)


@pytest.fixture
def numbers(site, monkeypatch):
    monkeypatch.setenv(page.RESULTS_VARIABLE, str(site.results))
    monkeypatch.setenv(page.READS_VARIABLE, json.dumps(["draw/demo/scores"]))

    def write(text):
        (site.results / "draw/demo/scores.csv").write_text(text)

    page._allowed.cache_clear()
    page._records.cache_clear()
    yield write
    page._allowed.cache_clear()
    page._records.cache_clear()


def cells(fragment):
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", fragment)]


def test_what_is_not_reproduced_comes_first_and_the_rest_is_folded(numbers):
    numbers(HEAD + "".join(SAME.format(place) for place in range(FEW)) + OTHERS)
    shown = published_table("demo/scores")
    seen, *folds = re.split(r"<details class=.fold.", shown)
    assert cells(seen) == [
        [*HEADINGS, "Explains up to", "Reason"],
        ["Far", "differs", "31.12", "40", "1", "2", "4", page.MISSING],
        ["A claim", "explained", "yes", "no", page.MISSING, page.MISSING, page.MISSING, "few runs"],
    ]
    summaries = [re.search(r"<summary>(.*?)</summary>", fold)[1] for fold in folds]
    assert summaries == ["1 not testable", f"{FEW + 1} reproduced"]
    assert cells(folds[1])[1] == ["Mean, 0", "reproduced", "0.1894", "0.1894", "1e-6", "1e-6"]
    assert all(heading not in cells(folds[1])[0] for heading in ("Reason", "Explains up to"))
    assert shown.count('download="demo_scores.csv') == 1


def test_few_numbers_stand_in_one_table_with_the_exceptions_first(numbers):
    numbers(HEAD + SAME.format(1) + OTHERS)
    shown = published_table("demo/scores")
    assert "fold" not in shown
    assert [row[1] for row in cells(shown)[1:]] == [
        "differs",
        "explained",
        "not testable",
        "reproduced",
        "reproduced",
    ]


def test_the_record_has_columns_of_its_own_and_rows_that_it_lacks_are_left_out(numbers):
    numbers(HEAD + SAME.format(1) + OTHERS)
    shown = cells(published_table("demo/scores", "record_"))[1:]
    assert [row[:4] for row in shown] == [
        ["Mean, 1", "not testable", "0.1894", "0.19"],
        ["Another", "reproduced", "yes", "yes"],
    ]
