"""Format tables as HTML, with right-aligned tabular figures, in a box that scrolls.

Columns of numbers without a format get one with aligned digits. Bools are shown as "yes" and "no", and empty cells as a
dash.
"""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from surefoot.reporting.page_source import check_known
from surefoot.rounding import column_format, written, yes_or_no

MISSING = "\N{EN DASH}"
SHORT = 32
"""Largest number of characters per cell in a column that is shown without line breaks."""
LONG = 25
"""Largest number of rows of a table without a scrolling box below its headings."""
_FIELD = re.compile(r"\{([^{}:]*):?([^{}]*)\}")
"""A column in a template, with the format of its numbers."""
MOST_COLUMNS = 5
"""Largest number of columns of a table with the width of the text; wider tables have the width of the page."""


class Column(NamedTuple):
    """One column of a displayed table.

    heading : heading of the column
    source : column of the records; or, with `is_template`, a template of several columns, such as
        "{estimate:.3f} ({low:.3f} to {high:.3f})"
    format : number format of a single column, such as ".3f"; see `surefoot.rounding.written`
    link : template of the link addresses of its cells
    """

    heading: str
    source: str
    is_template: bool = False
    format: str = ""
    link: str | None = None


def table_html(
    records: Sequence[Mapping[str, Any]], columns: Sequence[Column], bold: str = "", anchor: str = ""
) -> str:
    """Return the HTML of a table of `records`: one or more mappings of names to numbers, texts, bools, or None.

    Rows in which the column `bold` is true are bold. `anchor`, a template such as "{study}/{item}", defines the address
    of each row within the page.
    """
    head, *rows = zip(*(_cells(column, records, column is columns[0]) for column in columns), strict=True)
    marks = [' class="best"' if record.get(bold) else "" for record in records]
    if anchor:
        addresses = (html.escape(_filled(anchor, record)) for record in records)
        marks = [f'{mark} id="{address}"' for mark, address in zip(marks, addresses, strict=True)]
    lines = [f"<tr{mark}>{''.join(cells)}</tr>" for mark, cells in zip(marks, rows, strict=True)]
    box = "scroll" + " long" * (len(records) > LONG) + " wide" * (len(columns) > MOST_COLUMNS)
    # Quarto would parse the table and change its layout.
    return (
        f'<div class="{box}"><table data-quarto-disable-processing="true">\n'
        f"<thead><tr>{''.join(head)}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody></table></div>"
    )


def _cells(column: Column, records: Sequence[Mapping[str, Any]], is_first: bool) -> Iterator[str]:
    """Yield the HTML of a column's cells, starting with its heading.

    Cells of the first column are row headings, unless the column contains numbers that are not integers.
    """
    fields = _FIELD.findall(column.source) if column.is_template else [(column.source, column.format)]
    for name, _ in fields:
        check_known(name, records[0], "column")
    values = [record[name] for name, _ in fields for record in records if record[name] is not None]
    texts = _texts(column, records)
    kind = ' class="short"' if max(map(len, texts)) <= SHORT else ""
    if fields and _are_numbers(values):
        kind = ' class="number"'
    yield f'<th scope="col"{kind}>{html.escape(column.heading)}</th>' if column.heading else f"<td{kind}></td>"
    names_rows = is_first and not any(isinstance(value, float) and not value.is_integer() for value in values)
    for record, text in zip(records, texts, strict=True):
        shown = html.escape(text)
        order = ""
        if column.link is not None:
            shown = f'<a href="{html.escape(_filled(column.link, record))}">{shown}</a>'
        if fields and fields[0][1] == "seconds" and is_number(record[fields[0][0]]):
            # Sort key for the script, as the text does not sort correctly: 3 ms are more than 12 ns.
            order = f' data-value="{record[fields[0][0]]!r}"'
        yield f'<th scope="row"{kind}{order}>{shown}</th>' if names_rows else f"<td{kind}{order}>{shown}</td>"


def _texts(column: Column, records: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the texts of a column's cells; if the column has no format, its numbers get a common one."""
    if column.is_template:
        return [_filled(column.source, record) for record in records]
    values = [record[column.source] for record in records]
    numbers = [value for value in values if is_number(value)]
    form = column.format
    if not form and any(isinstance(number, float) for number in numbers):
        form = column_format(numbers)
    return [_written(value, form) for value in values]


def _are_numbers(values: Sequence[Any]) -> bool:
    """Return True for a column of numbers, which may include bools, and for an empty column."""
    return all(isinstance(value, int | float) for value in values) and (any(map(is_number, values)) or not values)


def is_number(value: Any) -> bool:
    """Return True for numbers other than bools."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _written(value: Any, form: str) -> str:
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return yes_or_no(value)
    if not is_number(value):
        return format(value, "")
    return written(value, form or "figures").replace("%", " %")


def _filled(template: str, record: Mapping[str, Any]) -> str:
    fields = [name for name, _ in _FIELD.findall(template)]
    for name in fields:
        check_known(name, record, "column")
    if any(record[name] is None for name in fields):
        return MISSING
    return _FIELD.sub(lambda match: _written(record[match[1]], match[2]), template)
