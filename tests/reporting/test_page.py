"""What cells call: figures, tables and values, read from listed files only."""

import json
import re
import urllib.parse

import pytest
from support.small_site import CHART, NUMBERS, TABLE

from surefoot.reporting import page
from surefoot.reporting.page_source import ContentError


@pytest.fixture
def reading(site):
    """The cells' surroundings: both files listed."""
    items = ["draw/demo/bars", "draw/demo/scores", "draw/demo/none"]
    with page.surrounded(page.Surroundings(site.results, items)):
        yield


def decoded(url):
    head, _, data = url.partition(",")
    return head, urllib.parse.unquote(data)


def test_figure_carries_picture_what_it_tells_and_numbers(reading):
    fragment = page.figure("demo/bars")
    picture = re.search(r'<svg role="img" aria-label="([^"]*)"[^>]*>', fragment)
    assert picture[1] == "Bars: sarsa 0.6, q 0.5, &lt;ac&gt; 0.3"
    assert all(f'data-tooltip="v: {value}; a: ' in fragment for value in (0.6, 0.5, 0.3))
    data = re.search(
        r'<a download="demo_bars.csv" aria-label="CSV: numbers of demo bars" href="([^"]*)">CSV</a>', fragment
    )[1]
    assert decoded(data) == ("data:text/csv;charset=utf-8", NUMBERS)
    assert '<details class="export" data-name="demo_bars" data-study="demo"><summary>Export</summary>' in fragment


def test_a_title_stands_above_the_picture_and_is_its_text(reading):
    fragment = page.figure("demo/bars", title="a < b.")
    assert fragment.index('<p class="title">a &lt; b</p>') < fragment.index("<svg")
    assert 'aria-label="a &lt; b."' in fragment
    for end in (".", ""):
        assert '<p class="title">One</p><p>Two.</p>' in page.figure("demo/bars", title=f"One. Two{end}")
    assert 'class="title"' not in page.figure("demo/bars")


def test_a_finding_is_the_title_unless_none_is_wanted(reading, site):
    path = site.results / "draw/demo/bars.json"
    path.write_text(json.dumps(CHART | {"usermeta": {"finding": "b is best."}}))
    assert '<p class="title">b is best</p>' in page.figure("demo/bars")
    path.write_text(json.dumps(CHART | {"usermeta": {"finding": "b is best by IQM. All pairs, as J. Doe has it."}}))
    shown = page.figure("demo/bars")
    assert '<p class="title">b is best by IQM</p><p>All pairs, as J. Doe has it.</p>' in shown
    untitled = page.figure("demo/bars", title="")
    assert 'class="title"' not in untitled and "aria-label=" in untitled


def test_alt_text_is_given_or_the_description_or_an_error(reading, site):
    assert 'aria-label="Other &quot;words&quot;"' in page.figure("demo/bars", title='Other "words"')
    path = site.results / "draw/demo/bars.json"
    path.write_text(json.dumps({**CHART, "description": ""}))
    with pytest.raises(ContentError, match="has no description"):
        page.figure("demo/bars")


def cells(fragment):
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", fragment)]


def test_table_takes_columns_templates_formats_rows_and_links(reading):
    fragment = page.table(
        "demo/scores",
        {"Who": "algorithm", "Score": "value", "Limits": "{low:.1f} to {high:.1f}"},
        format={"value": ".2f"},
        records=page.rows("demo/scores", environment="chain_10"),
        links={"Who": "{algorithm}.html"},
    )
    assert cells(fragment) == [
        ["Who", "Score", "Limits"],
        ['<a href="sarsa.html">sarsa</a>', "0.61", "0.5 to 0.7"],
        ['<a href="q.html">q</a>', "0.50", page.MISSING],
    ]
    assert fragment.count('class="number"') == 6
    assert fragment.count('<th scope="row" class="short">') == 2
    data = re.search(r'<a download="demo_scores.csv" [^>]*href="([^"]*)">', fragment)[1]
    assert decoded(data)[1] == TABLE


def test_a_wide_table_has_texts_and_offers_its_numbers(reading, site):
    text = "place,name,value\nfar,place,2\nfar,b,-1.5\nnear,b,3\n"
    (site.results / "draw/demo/scores.csv").write_text(text)
    fragment = page.wide_table(
        "demo/scores", "place", "name", lambda row: f"about {row['value']:g}".replace("-", "\N{MINUS SIGN}")
    )
    assert cells(fragment) == [
        ["Place", "place", "b"],
        ["far", "about 2", "about \N{MINUS SIGN}1.5"],
        ["near", page.MISSING, "about 3"],
    ]
    assert decoded(re.search(r'<a download="demo_scores.csv" [^>]*href="([^"]*)">', fragment)[1])[1] == text


def test_names_are_texts_whatever_they_look_like(reading, site):
    text = "algorithm,title,low,high\n007,1e3,1,2.50\nNA,nan,2,\n1,-inf,3,1\n"
    (site.results / "draw/demo/scores.csv").write_text(text)
    assert cells(page.table("demo/scores"))[1:] == [
        ["007", "1e3", "1", "2.5"],
        ["NA", "nan", "2", page.MISSING],
        ["1", "-inf", "3", "1.0"],
    ]
    assert page.value("demo/scores", "title", algorithm="007") == "1e3"


def test_answers_times_and_missing_values_in_tables(reading, site):
    text = "told,seconds,share\nTrue,1.2e-08,0.3333333\nFalse,250,0.5\n,,\n"
    (site.results / "draw/demo/scores.csv").write_text(text)
    fragment = page.table("demo/scores", format={"seconds": "seconds"})
    none = [page.MISSING] * 3
    assert cells(fragment)[1:] == [["yes", "12 ns", "0.333"], ["no", "4.2 min", "0.500"], none]
    assert re.findall(r'data-value="([^"]*)"', fragment) == ["1.2e-08", "250"]  # by which a script sorts
    assert page.rows("demo/scores", told=True) == [{"told": True, "seconds": 1.2e-08, "share": 0.3333333}]
    shown = cells(page.table("demo/scores", {"All": "{told}, {seconds:seconds}, {share}"}))[1]
    assert shown == ["yes, 12 ns, 0.3333"]


ODD = ["PPO v1.0", "a.b[c]", "{a}", "{", "a:b", "0", "DQN (lr=0.1)", "*star* $x^2$ [l](u)"]
NAMED_ALIKE = ["q", "Q", "a_b", "a b", "A b", "none", "None", "a|b"]


@pytest.mark.parametrize("names", [ODD, NAMED_ALIKE])
def test_a_users_column_keeps_its_name(reading, site, names):
    lines = [["environment", *names], ["pong", *map(str, range(len(names)))]]
    (site.results / "draw/demo/scores.csv").write_text("\n".join(map(",".join, lines)))
    everything = page.table("demo/scores", headings={"environment": "Place"})
    assert cells(everything) == [["Place", *names], lines[1]]
    assert everything.count('class="number"') == 2 * len(names)
    assert cells(page.table("demo/scores", names, format=dict.fromkeys(names, ".1f"))) == [
        names,
        [f"{number}.0" for number in range(len(names))],
    ]
    assert cells(page.table("demo/scores", {"First": names[0], "Two": "{environment} {environment}"})) == [
        ["First", "Two"],
        ["0", "pong pong"],
    ]


def test_texts_of_a_table_are_escaped(reading, site):
    (site.results / "draw/demo/scores.csv").write_text('a<b,text\n1,"x <b>&\ny"\n')
    assert cells(page.table("demo/scores").replace("\n", " ")) == [["a&lt;b", "text"], ["1", "x &lt;b&gt;&amp; y"]]


def test_value_count_and_rows(reading):
    assert page.value("demo/scores", "value", algorithm="q", environment="gridworld_5") == 0.125
    assert page.value("demo/scores", "runs", algorithm="q", environment="gridworld_5") == 90
    assert page.value("demo/scores", "value", format=".1%", algorithm="q", runs=90) == "12.5%"
    assert page.value("demo/scores", "high", algorithm="q", runs=100) is None
    assert page.value("demo/scores", "high", format=".1f", algorithm="q", runs=100) == page.MISSING
    assert page.count("demo/scores", algorithm="sarsa") == 2
    assert page.count("demo/scores", runs=[90, 100]) == 4
    assert [row["low"] for row in page.rows("draw/demo/scores", algorithm="sarsa")] == [0.5, -0.001]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: page.figure("demo/bar"), '"demo/bar" is not listed under reads: .* did you mean "draw/demo/bars"'),
        (lambda: page.table("demo/none"), "the results have no draw/demo/none.csv"),
        (lambda: page.table("demo/scores", ["algoritm"]), 'unknown column "algoritm". Hint: did you mean "algorithm"'),
        (lambda: page.table("demo/scores", links={"value": "{valu}"}), 'unknown column "valu"'),
        (lambda: page.table("demo/scores", records=page.rows("demo/scores", runs=7)), 'no row of "demo/scores" is'),
        (lambda: page.value("demo/scores", "value", algorithm="sarsa"), "2 rows .* give more columns"),
    ],
)
def test_errors_say_what_is_there(reading, ask, message):
    with pytest.raises(ContentError, match=message):
        ask()


def test_outside_of_a_page_nothing_is_read():
    with pytest.raises(ContentError, match="no page is being rendered"):
        page.count("demo/scores")


def test_downloads_hold_no_names_that_spreadsheets_would_run(reading, site):
    names = ["=HYPERLINK(1)", "+a", "-b", "@c", "plain"]
    lines = "".join(f'"{name}",-1.5\n' for name in names)
    (site.results / "draw/demo/scores.csv").write_text(f"algorithm,low\n{lines}")
    fragment = page.table("demo/scores")
    data = re.search(r'<a download="demo_scores.csv" [^>]*href="([^"]*)">', fragment)[1]
    assert decoded(data)[1] == "algorithm,low\n'=HYPERLINK(1),-1.5\n'+a,-1.5\n'-b,-1.5\n'@c,-1.5\nplain,-1.5\n"
    assert "=HYPERLINK(1)" in fragment and "'=HYPERLINK(1)" not in fragment
