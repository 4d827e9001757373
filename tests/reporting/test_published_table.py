"""Tables of published numbers: what is not reproduced comes first."""

import re

import pytest

from surefoot.reporting import page
from surefoot.reporting.published_table import FEW, published_table


@pytest.fixture
def reading(site):
    """The cells' surroundings: both files listed."""
    items = ["draw/demo/bars", "draw/demo/scores", "draw/demo/none"]
    with page.surrounded(page.Surroundings(site.results, items)):
        yield


def cells(fragment):
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", fragment)]


HEAD = "label,claim,published,ours,verdict,tolerance,detectable,undecided_by,reason,allowed,matters\n"
HEADINGS = ["Claim or number", "Verdict", "Published", "Ours", "Tolerance"]
SAME = '"Mean, {}",False,0.18936086395020874,0.189361,reproduced,1e-06,1e-06,,,,\n'
OTHERS = (
    "Off,False,1.0,2.0,explained,0.5,0.5,,a cause,1,\n"
    "A claim,True,1.0,0.0,contradicted,,0.5,our runs,few runs,,\n"
    "Another,True,1.0,1.0,reproduced,,,,,,\n"
    "Far,False,31.12,40.0,differs,1,2,,,4,\n"
    "Blind,False,3,4.0,undecided,5,6,our runs,,,2\n"
)


def test_the_page_shows_first_what_is_not_reproduced(reading, site):
    (site.results / "draw/demo/scores.csv").write_text(
        HEAD + "".join(SAME.format(place) for place in range(FEW)) + OTHERS
    )
    shown = published_table("demo/scores")
    seen, fold = re.split(r"<details class=.fold.", shown)
    assert cells(seen) == [
        [*HEADINGS, "Why"],
        ["A claim", "contradicted", "yes", "no", page.MISSING, "few runs"],
        ["Far", "differs", "31.12", "40", "1", "a known cause (explains differences up to 4)"],
        ["Off", "cause known", "1", "2", "0.5", "a cause (explains differences up to 1)"],
    ]
    assert re.search(r"<summary>(.*?)</summary>", fold)[1] == f"1 undecided, {FEW + 1} reproduced"
    assert cells(fold)[:3] == [
        [*HEADINGS, "Why"],
        [
            *("Blind", "undecided, since our runs are too few", "3", "4", "5"),
            "a difference of up to 6 could have been missed, and one of 2 would matter",
        ],
        ["Mean, 0", "reproduced", "0.1894", "0.1894", "1e-6", page.MISSING],
    ]
    linked = published_table("demo/scores", "ledger.html?filter=Demo")
    assert f'<a href="ledger.html?filter=Demo">1 undecided, {FEW + 1} reproduced: in the ledger</a>' in linked
    assert "fold" not in linked
    assert shown.count('download="demo_scores.csv') == 1


@pytest.mark.parametrize(
    ("detectable", "matters", "missed"),
    [
        ("6", "2", "a difference of up to 6 could have been missed, and one of 2 would matter"),
        ("6", "0", "a difference of up to 6 could have been missed, and any would matter"),
        ("6", "", "a difference of up to 6 could have been missed"),
        ("inf", "2", "a difference of any size could have been missed"),
        ("", "2", "a difference of any size could have been missed"),
    ],
)
def test_an_undecided_number_says_what_could_be_missed(reading, site, detectable, matters, missed):
    row = f"Blind,False,3,4.0,undecided,5,{detectable},our runs,,,{matters}\n"
    (site.results / "draw/demo/scores.csv").write_text(HEAD + row)
    assert cells(published_table("demo/scores"))[1][-1] == missed


def test_few_published_numbers_are_one_table_exceptions_first(reading, site):
    (site.results / "draw/demo/scores.csv").write_text(HEAD + SAME.format(1) + OTHERS)
    few = published_table("demo/scores")
    assert "fold" not in few
    undecided = "undecided, since our runs are too few"
    verdicts = ["contradicted", "differs", "cause known", undecided, "reproduced", "reproduced"]
    assert [row[1] for row in cells(few)[1:]] == verdicts
