"""The table of published numbers on a page: exceptions in sight, the rest in folds."""

import re

import pytest

from surefoot.reporting import page
from surefoot.reporting.published_table import FEW, published_table

HEAD = "label,claim,published,ours,verdict,tolerance,detectable,limited_by,reason,allowed\n"
HEADINGS = ["Published number or claim", "Verdict", "Published", "Ours", "Tolerance", "Detectable from"]
SAME = '"Mean, {}",False,0.18936086395020874,0.189361,reproduced,1e-06,1e-06,,,\n'
OTHERS = (
    "A claim,True,1.0,0.0,explained,,0.5,,few runs,1\n"
    "Another,True,1.0,1.0,reproduced,,,,,\n"
    "Far,False,31.12,40.0,differs,1,2,,,4\n"
    "Blind,False,3,4.0,limited,5,6,our runs,,\n"
)


@pytest.fixture
def numbers(site):
    with page.surrounded(page.Surroundings(site.results, ["draw/demo/scores"])):
        yield (site.results / "draw/demo/scores.csv").write_text


def cells(fragment):
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", fragment)]


def test_what_is_not_reproduced_comes_first_and_the_rest_is_folded(numbers):
    numbers(HEAD + "".join(SAME.format(place) for place in range(FEW)) + OTHERS)
    shown = published_table("demo/scores")
    seen, fold = re.split(r"<details class=.fold.", shown)
    assert cells(seen) == [
        [*HEADINGS, "Explains up to", "Reason"],
        ["Far", "differs", "31.12", "40", "1", "2", "4", page.MISSING],
        ["A claim", "explained", "yes", "no", page.MISSING, page.MISSING, page.MISSING, "few runs"],
    ]
    assert re.search(r"<summary>(.*?)</summary>", fold)[1] == f"1 limited, {FEW + 1} reproduced"
    assert cells(fold)[:3] == [
        [*HEADINGS, "Limited by"],
        ["Blind", "limited", "3", "4", "5", "6", "our runs"],
        ["Mean, 0", "reproduced", "0.1894", "0.1894", "1e-6", "1e-6", page.MISSING],
    ]
    assert shown.count('download="demo_scores.csv') == 1


def test_few_numbers_stand_in_one_table_with_the_exceptions_first(numbers):
    numbers(HEAD + SAME.format(1) + OTHERS)
    shown = published_table("demo/scores")
    assert "fold" not in shown
    assert [row[1] for row in cells(shown)[1:]] == [
        "differs",
        "explained",
        "limited",
        "reproduced",
        "reproduced",
    ]
