"""A table as HTML: numbers on the right, in figures of one width, and the whole in a box that scrolls.

A column of numbers without a format of its own has one that keeps them in line; answers are "yes" and "no", and a cell
in which nothing stands is a dash.
"""

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from surefoot.reporting.source import check_known
from surefoot.rounding import column_format, written, yes_or_no

MISSING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
SHORT = 32
"""Characters: a column of texts no longer than this is never broken into lines."""
LONG = 25
"""Rows: a longer table scrolls in a box of its own, below its headings."""
_FIELD = re.compile(r"\{([^{}:]*):?([^{}]*)\}")
"""A column in a template, and the format of its numbers."""
MOST_COLUMNS = 5
"""Columns of a table that takes the width of the text; a wider one takes that of the page."""


class Column(NamedTuple):
    """One column of a table that is shown.

    heading : what stands above it
    source : the column of the records that it shows; or, with `is_template`, a template of several of them, such as
        "{value:.3f} ({low:.3f} to {high:.3f})"
    format : how the numbers of a single column are written, such as ".3f"; see `surefoot.rounding.written`
    link : template of the address that its cells lead to
    """

    heading: str
    source: str
    is_template: bool = False
    format: str = ""
    link: str | None = None


def table_html(records: Sequence[Mapping[str, Any]], columns: Sequence[Column], bold: str = "") -> str:
    """HTML of a table of `records`: at least one mapping of names to numbers, texts, answers, or None.

    Rows in which the column `bold` is true are bold.
    """
    columns = [_with_format(column, records) for column in columns]
    classes = [_class(column, records) for column in columns]
    head = "".join(
        f'<th scope="col"{kind}>{html.escape(column.heading)}</th>' if column.heading else f"<td{kind}></td>"
        for column, kind in zip(columns, classes, strict=True)
    )
    names = _names_rows(columns[0], records)
    lines = []
    for record in records:
        cells = []
        for position, (column, kind) in enumerate(zip(columns, classes, strict=True)):
            text = html.escape(_text(column, record))
            if column.link is not None:
                text = f'<a href="{html.escape(_fill(column.link, record))}">{text}</a>'
            is_name = position == 0 and names
            order = _order(column, record)
            cells.append(f'<th scope="row"{kind}{order}>{text}</th>' if is_name else f"<td{kind}{order}>{text}</td>")
        mark = ' class="best"' if record.get(bold) else ""
        lines.append(f"<tr{mark}>{''.join(cells)}</tr>")
    box = "scroll" + " long" * (len(records) > LONG) + " wide" * (len(columns) > MOST_COLUMNS)
    # Quarto would parse the table and lay it out anew.
    return (
        f'<div class="{box}"><table data-quarto-disable-processing="true">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody></table></div>"
    )


def _names_rows(column: Column, records: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the first column says what each row is about: as all but measured numbers does."""
    values = [record[field] for record in records for field in _fields(column, record)]
    return not any(isinstance(value, float) and not value.is_integer() for value in values)


def _with_format(column: Column, records: Sequence[Mapping[str, Any]]) -> Column:
    """The column with a format for its numbers."""
    if column.is_template or column.format or not records or column.source not in records[0]:
        return column
    numbers = [record[column.source] for record in records if _is_number(record[column.source])]
    return (
        column._replace(format=column_format(numbers))
        if any(isinstance(number, float) for number in numbers)
        else column
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _order(column: Column, record: Mapping[str, Any]) -> str:
    """What a script sorts by where the text does not say it: 3 ms are more than 12 ns."""
    field, form = _FIELD.findall(column.source)[0] if column.is_template else (column.source, column.format)
    return f' data-value="{record[field]!r}"' if form == "seconds" and _is_number(record[field]) else ""


def _fields(column: Column, record: Mapping[str, Any]) -> list[str]:
    fields = [field for field, _ in _FIELD.findall(column.source)] if column.is_template else [column.source]
    for field in fields:
        check_known(field, record, "column")
    return fields


def _text(column: Column, record: Mapping[str, Any]) -> str:
    if column.is_template:
        return _fill(column.source, record)
    return _written(record[column.source], column.format)


def _written(value: Any, form: str) -> str:
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return yes_or_no(value)
    if not _is_number(value):
        return format(value, "")
    text = written(value, form or "figures").replace("%", " %")
    return f"{MINUS}{text[1:]}" if text.startswith("-") else text  # as in the charts


def _fill(template: str, record: Mapping[str, Any]) -> str:
    fields = _fields(Column("", template, is_template=True), record)
    if any(record[field] is None for field in fields):
        return MISSING
    return _FIELD.sub(lambda match: _written(record[match[1]], match[2]), template)


def _class(column: Column, records: Sequence[Mapping[str, Any]]) -> str:
    fields = _fields(column, records[0])
    values = [record[field] for record in records for field in fields if record[field] is not None]
    are_numbers = fields and all(isinstance(value, int | float) for value in values)
    # A column of answers alone is one of words; among numbers they stand as these do.
    if are_numbers and (not values or any(map(_is_number, values))):
        return ' class="number"'
    return ' class="short"' if max(len(_text(column, record)) for record in records) <= SHORT else ""
