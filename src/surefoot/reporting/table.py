"""A table as HTML: numbers on the right, in figures of one width, and the whole in a box that scrolls."""

import html
import string
from collections.abc import Mapping, Sequence
from typing import Any

from surefoot.reporting.errors import check_known

MISSING = "\N{EN DASH}"
SHORT = 32  # characters; a column of texts no longer than this is never broken into lines


def table_html(records: Sequence[Mapping[str, Any]], columns: Mapping[str, str], links: Mapping[str, str]) -> str:
    """HTML of a table.

    Parameters
    ----------
    records : rows, as mappings of names to numbers, texts, or None; at least one
    columns : headings and the templates of their cells, such as "{value:.3f} ({low:.3f} to {high:.3f})"
    links : for some of the headings, the template of the address that a cell leads to
    """
    classes = {heading: _class(template, records) for heading, template in columns.items()}
    head = "".join(f'<th scope="col"{classes[heading]}>{html.escape(heading)}</th>' for heading in columns)
    lines = []
    for record in records:
        cells = []
        for position, (heading, template) in enumerate(columns.items()):
            text = html.escape(_fill(template, record))
            if heading in links:
                text = f'<a href="{html.escape(_fill(links[heading], record))}">{text}</a>'
            kind = classes[heading]
            is_name = position == 0 and "number" not in kind
            cells.append(f'<th scope="row"{kind}>{text}</th>' if is_name else f"<td{kind}>{text}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    # Quarto would parse the table and lay it out anew.
    return (
        '<div class="scroll" tabindex="0"><table data-quarto-disable-processing="true">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody></table></div>"
    )


def _fields(template: str, record: Mapping[str, Any]) -> list[str]:
    fields = [field for _, field, _, _ in string.Formatter().parse(template) if field is not None]
    for field in fields:
        check_known(field, record, "column")
    return fields


def _fill(template: str, record: Mapping[str, Any]) -> str:
    if any(record[field] is None for field in _fields(template, record)):
        return MISSING
    return template.format(**record)


def _class(template: str, records: Sequence[Mapping[str, Any]]) -> str:
    fields = _fields(template, records[0])
    if fields and all(isinstance(record[field], int | float | None) for record in records for field in fields):
        return ' class="number"'
    return ' class="short"' if max(len(_fill(template, record)) for record in records) <= SHORT else ""
