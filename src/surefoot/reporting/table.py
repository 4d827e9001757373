"""A table as HTML: numbers on the right, in figures of one width, and the whole in a box that scrolls."""

import html
import string
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from surefoot.reporting.errors import check_known
from surefoot.rounding import written

MISSING = "\N{EN DASH}"
SHORT = 32  # characters; a column of texts no longer than this is never broken into lines


LONG = 25
"""Rows: a longer table scrolls in a box of its own, below its headings."""


class Column(NamedTuple):
    """One column of a table that is shown.

    heading : what stands above it
    source : the column of the records that it shows; or, with `is_template`, a template of several of them, such as
        "{value:.3f} ({low:.3f} to {high:.3f})"
    format : how the numbers of a single column are written, such as ".3f"
    link : template of the address that its cells lead to
    """

    heading: str
    source: str
    is_template: bool = False
    format: str = ""
    link: str | None = None


def table_html(records: Sequence[Mapping[str, Any]], columns: Sequence[Column]) -> str:
    """HTML of a table of `records`: at least one mapping of names to numbers, texts, or None."""
    classes = [_class(column, records) for column in columns]
    head = "".join(
        f'<th scope="col"{kind}>{html.escape(column.heading)}</th>' if column.heading else f"<td{kind}></td>"
        for column, kind in zip(columns, classes, strict=True)
    )
    lines = []
    for record in records:
        cells = []
        for position, (column, kind) in enumerate(zip(columns, classes, strict=True)):
            text = html.escape(_text(column, record))
            if column.link is not None:
                text = f'<a href="{html.escape(_fill(column.link, record))}">{text}</a>'
            is_name = position == 0 and "number" not in kind
            cells.append(f'<th scope="row"{kind}>{text}</th>' if is_name else f"<td{kind}>{text}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    # Quarto would parse the table and lay it out anew.
    return (
        f'<div class="scroll{" long" * (len(records) > LONG)}"><table data-quarto-disable-processing="true">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody></table></div>"
    )


class _ByName(string.Formatter):
    """A field is the whole name of a column, dots and brackets too."""

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Any, str]:
        return kwargs[field_name], field_name

    def format_field(self, value: Any, format_spec: str) -> str:
        return written(value, format_spec)


def _fields(column: Column, record: Mapping[str, Any]) -> list[str]:
    fields = _template_fields(column.source) if column.is_template else [column.source]
    for field in fields:
        check_known(field, record, "column")
    return fields


def _template_fields(template: str) -> list[str]:
    return [field for _, field, _, _ in string.Formatter().parse(template) if field is not None]


def _text(column: Column, record: Mapping[str, Any]) -> str:
    if column.is_template:
        return _fill(column.source, record)
    single = record[column.source]
    return MISSING if single is None else written(single, column.format)


def _fill(template: str, record: Mapping[str, Any]) -> str:
    for field in _template_fields(template):
        check_known(field, record, "column")
        if record[field] is None:
            return MISSING
    return _ByName().vformat(template, (), record)


def _class(column: Column, records: Sequence[Mapping[str, Any]]) -> str:
    fields = _fields(column, records[0])
    if fields and all(isinstance(record[field], int | float | None) for record in records for field in fields):
        return ' class="number"'
    return ' class="short"' if max(len(_text(column, record)) for record in records) <= SHORT else ""
