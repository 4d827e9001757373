"""Tables as HTML: marks of rows and columns, digits that are aligned, and values that are missing."""

import re

import pytest

from surefoot.reporting.page_source import ContentError
from surefoot.reporting.table import LONG, MISSING, MOST_COLUMNS, SHORT, Column, is_number, table_html


def cells(html):
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", html)]


def test_numbers_of_a_column_have_the_same_digits():
    records = [{"name": "a", "mean": 0.5, "count": 3}, {"name": "b", "mean": 12.25, "count": None}]
    html = table_html(records, [Column("Name", "name"), Column("Mean", "mean"), Column("n", "count")])
    assert cells(html)[0] == ["Name", "Mean", "n"]
    (_, first, n), (_, second, none) = cells(html)[1:]
    assert (n, none) == ("3", MISSING)
    assert len(first.partition(".")[2]) == len(second.partition(".")[2])
    assert html.count('class="number"') == 6


def test_names_of_rows_are_headings_and_measured_numbers_are_not():
    names = table_html([{"x": 1, "y": 2.5}], [Column("X", "x"), Column("Y", "y")])
    assert names.count('scope="row"') == 1
    measured = table_html([{"x": 1.5, "y": 2.5}], [Column("X", "x"), Column("Y", "y")])
    assert 'scope="row"' not in measured


def test_rows_are_bold_and_have_addresses_where_asked():
    records = [{"study": "a<b", "best": True}, {"study": "c", "best": False}]
    html = table_html(records, [Column("Study", "study")], bold="best", anchor="{study}/row")
    assert re.findall(r"<tr([^>]*)><th", html)[1:] == [' class="best" id="a&lt;b/row"', ' id="c/row"']


def test_columns_of_short_texts_do_not_break():
    for length, marked in ((SHORT, True), (SHORT + 1, False)):
        html = table_html([{"text": "x" * length, "n": 1}], [Column("n", "n"), Column("Text", "text")])
        assert ('class="short"' in html) == marked


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (LONG + 1, 1), (1, MOST_COLUMNS + 1), (LONG, MOST_COLUMNS)])
def test_the_box_of_long_and_of_wide_tables_scrolls(rows, columns):
    record = {str(place): place for place in range(columns)}
    html = table_html([record] * rows, [Column(name, name) for name in record])
    box = re.match(r'<div class="([^"]*)">', html)[1].split()
    assert ("long" in box, "wide" in box) == (rows > LONG, columns > MOST_COLUMNS)


def test_templates_links_and_times():
    records = [{"a": "x&y", "low": 0.25, "high": 0.5, "t": 3e-3}, {"a": "z", "low": 0.25, "high": None, "t": 12.0}]
    columns = [
        Column("A", "a", link="{a}.html"),
        Column("Limits", "{low:.2f} to {high:.2f}", is_template=True),
        Column("Time", "t", format="seconds"),
    ]
    html = table_html(records, columns)
    assert cells(html)[1:] == [
        ['<a href="x&amp;y.html">x&amp;y</a>', "0.25 to 0.50", "3.0 ms"],
        ['<a href="z.html">z</a>', MISSING, "12 s"],
    ]
    assert re.findall(r'data-value="([^"]*)"', html) == ["0.003", "12.0"]
    with pytest.raises(ContentError, match=r'unknown column "hihg"\. Hint: did you mean "high"'):
        table_html(records, [Column("Limits", "{low} {hihg}", is_template=True)])


def test_bools_are_no_numbers():
    assert [is_number(value) for value in (1, 0.5, True, "1", None)] == [True, True, False, False, False]
    assert cells(table_html([{"x": True}, {"x": False}], [Column("X", "x")]))[1:] == [["yes"], ["no"]]
