"""Functions for cells of pages: figures, tables and single numbers from the files that a page reads.

Importing this module is fast. Figures and tables are named as in `reads` in the front matter, and ``draw/`` may be
left out: ``figure("jordan2020/figure_5")`` shows ``draw/jordan2020/figure_5``. The data of every figure and table are
embedded as a download link that needs no network and no other file.
"""

import contextlib
import csv
import functools
import html
import io
import json
import re
import urllib.parse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

import yaml

import surefoot
from surefoot.errors import nearest
from surefoot.reporting.page_source import ContentError, check_known, escape_markup
from surefoot.reporting.table import MISSING, Column, table_html
from surefoot.rounding import written
from surefoot.runs.text_columns import NUMBER, TEXT_COLUMNS, for_spreadsheets
from surefoot.workflow.files import packed

SENTENCE_END = re.compile(r"(?:(?<=[a-z\d)%][.!?])|(?<=[A-Z]{2}[.!?])) (?=[A-Z])")
LIVE = "live"
"""Class of the scripts with the data of interactive charts."""
_SEE_ROWS = "`page.rows` returns all rows"
_LONG_NUMBERS = 4_000
"""Number of characters above which tables are compressed."""
_ANSWERS = frozenset(("True", "False"))
# Characters that are safe in a data: URL and in an HTML attribute; all others are written as %XX.
_PLAIN_IN_URL = " !$()*,-./:;=?@[]^_|~+{}"


class Surroundings(NamedTuple):
    """Context of a page that is being rendered.

    results : the folder of results
    items : results that the page may read, as paths relative to the folder of results, without suffix
    provenance : how the page was made; see `provenance_markdown`
    """

    results: Path
    items: Sequence[str]
    provenance: Mapping[str, Any] | None = None


SURROUNDINGS: ContextVar[Surroundings | None] = ContextVar("surroundings", default=None)


@contextlib.contextmanager
def surrounded(by: Surroundings) -> Iterator[None]:
    """Set the context of a page while its cells run."""
    _records.cache_clear()
    token = SURROUNDINGS.set(by)
    try:
        yield
    finally:
        SURROUNDINGS.reset(token)


class Fragment(str):
    """A piece of HTML that Jupyter, and therefore Quarto, treats as Markdown."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return f"```{{=html}}\n{self}\n```"


class Markdown(str):
    """A piece of Markdown, including formulas."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return str(self)


class Text(str):
    """Plain text, which is displayed unchanged even if it contains Markdown."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return escape_markup(str(self))


def heading(text: str, label: str, level: int = 2) -> Markdown:
    """Return a heading of plain text, in which names of algorithms are not interpreted as Markdown.

    Parameters
    ----------
    text : plain text
    label : anchor for links, such as "sec-standings"
    level : 2 for a section, 3 for a subsection
    """
    return Markdown(f"{'#' * level} {escape_markup(text)} {{#{label}}}")


def show(*parts: str) -> None:
    """Print text, figures and tables as Markdown, from a cell with the option ``output: asis``.

    Use it for sections that only some studies have, and for several figures from one cell.
    """
    for part in parts:
        print(part._repr_markdown_() if isinstance(part, Fragment | Markdown | Text) else part, end="\n\n")


def folded(about: str, content: Markdown, name: str = "") -> tuple[Fragment, Markdown, Fragment]:
    """Put the content below a heading into a collapsible block; links to the heading open it.

    Parameters
    ----------
    about : a sentence, plain text
    content : content of the block
    name : name in the configuration of what the block describes, if it differs from the heading
    """
    code = f"<code>{html.escape(name)}</code> " if name else ""
    summary = f"<summary>{code}{html.escape(about)}</summary>"
    return Fragment(f'<details class="entry">{summary}'), content, Fragment("</details>")


def captioned(label: str, content: Fragment, caption: str) -> Markdown:
    """Return a figure or table with a caption, for a cell that decides whether to show it.

    Parameters
    ----------
    label : label for references, such as "fig-scores" or "tbl-ranks"
    content : result of `figure` or `table`
    caption : plain text
    """
    return Markdown(f"::: {{#{label}}}\n\n{content._repr_markdown_()}\n\n{escape_markup(caption)}\n:::")


def figure(name: str, title: str | None = None) -> Fragment:
    """Return a chart with tooltips (if JavaScript is on), and download links for its data and image.

    The alternative text is the title, or else the first sentence of the finding, followed by the `description` of the
    Vega-Lite file.

    Parameters
    ----------
    name : the figure, such as "jordan2020/figure_5"
    title : text above the figure, or "" for none; its first sentence is the heading. Default: the finding of the chart
    """
    item = _item(name)
    chart = json.loads(_text(item, "json"))
    finding = chart.get("usermeta", {}).get("finding", "")
    first, *others = SENTENCE_END.split(finding if title is None else title, maxsplit=1)
    headed = f'<p class="title">{_unbroken(first.removesuffix("."))}</p>' if first else ""
    # Like a headline, a finding has no full stop at its end.
    headed += "".join(f"<p>{_unbroken(other.removesuffix('.'))}.</p>" for other in others)
    alt = title or " ".join(filter(None, (first, chart.get("description"))))
    if not alt:
        raise ContentError(f'the figure "{name}" has no description', "set `description` of the chart")
    wide, *narrow = re.findall("<svg.*?</svg>", _text(item, "html"), re.DOTALL)
    shown = _picture(wide, alt) + "".join(_picture(picture, alt, "picture narrow") for picture in narrow)
    live = ""
    if any("bind" in parameter for parameter in chart.get("params", ())):  # drawn by Vega if scripts are enabled
        text = json.dumps(chart, ensure_ascii=False, separators=(",", ":")).replace("</", r"<\/")
        live = f'<script type="application/json" class="{LIVE}">{text}</script>'
    source = f"Surefoot {surefoot.__version__}: {item.removeprefix('draw/')}"
    return Fragment(f'<div class="chart" data-source="{source}">{headed}{shown}{live}\n{download(item)}</div>')


def _picture(svg: str, alt: str, kind: str = "picture") -> str:
    """Return the HTML element that contains an image."""
    height = re.search(r'<svg[^>]*? height="([\d.]+)"', svg)
    pixels = f"{float(height[1]):.0f}px" if height else ""
    high = f' style="contain-intrinsic-height:auto {pixels};--high:{pixels}"' if height else ""
    named = svg.replace("<svg", f'<svg role="img" aria-label="{html.escape(alt)}"', 1)
    return f'<div class="{kind}"{high}>{named}</div>'


def _unbroken(text: str) -> str:
    """Return the text as HTML, without line breaks between numbers and their percent signs."""
    return re.sub(r"(?<=\d) (?=%)", "&nbsp;", html.escape(text))


def table(
    name: str,
    columns: Sequence[str] | Mapping[str, str] | None = None,
    format: Mapping[str, str] | None = None,
    links: Mapping[str, str] | None = None,
    headings: Mapping[str, str] | None = None,
    records: Sequence[Mapping[str, Any]] | None = None,
    bold: str = "",
) -> Fragment:
    """Return a table, with a download link for its numbers.

    By default, headings are the names of the columns in the file, since users may name columns.

    Parameters
    ----------
    name : the table, such as "jordan2020/table_5"
    columns : the columns to show, or a mapping of headings to columns, or to templates such as "{estimate:.3f}
        ({low:.3f} to {high:.3f})"; by default all columns
    format : number formats by column, such as {"estimate": ".3f"}
    links : templates of link addresses by heading, such as {"Study": "{study}.html"}
    headings : headings of columns, such as {"environment": "Environment"}; by default the names of the columns
    records : rows to show instead of all rows of the table, for example a selection, or rows with further columns
    bold : a column of bools; rows in which it is true are bold
    """
    item = _item(name)
    records = rows(name) if records is None else records
    if not records:
        raise ContentError(f'no row of "{name}" is selected', _SEE_ROWS)
    if isinstance(columns, Mapping):
        pairs = list(columns.items())
    else:
        names = list(records[0]) if columns is None else columns
        for one in headings or {}:
            check_known(one, names, "column")
        pairs = [((headings or {}).get(one, one), one) for one in names]
    shown = _shown_columns(pairs, records[0], format or {}, links or {})
    return Fragment(f"{table_html(records, shown, bold)}\n{download(item)}")


def _shown_columns(
    pairs: Iterable[tuple[str, str]], record: Mapping[str, Any], formats: Mapping[str, str], links: Mapping[str, str]
) -> list[Column]:
    """Return the columns of a table.

    Parameters
    ----------
    pairs : heading of each column, and the column of the records or a template of several columns
    record : a row of the table
    formats : number format of each column
    links : template of the address to which the cells of a heading link
    """
    shown = []
    for heading, source in pairs:
        # A column that a user named may contain braces, too.
        is_template = source not in record and "{" in source
        shown.append(Column(heading, source, is_template, formats.get(source, ""), links.get(heading)))
    for heading in links:
        check_known(heading, (column.heading for column in shown), "heading")
    for name in formats:
        check_known(name, (column.source for column in shown if not column.is_template), "column")
    return shown


def wide_table(name: str, row: str, column: str, cell: Callable[[Mapping[str, Any]], str]) -> Fragment:
    """Return a table with one row per value of one column and one column per value of another one.

    Parameters
    ----------
    name : the table, such as "example/table_tasks"; the download link has its numbers
    row, column : the columns whose values become rows and columns, in order of appearance
    cell : function from a row of the numbers to the text of a cell
    """
    texts: dict[Any, dict[Any, str]] = {}
    item = _item(name)
    records = rows(name)
    for record in records:
        texts.setdefault(record[row], {})[record[column]] = cell(record)
    headings = list(dict.fromkeys(record[column] for record in records))
    # Separate keys, since an algorithm may have the same name as the first column.
    shown = [Column(row.capitalize(), "row"), *(Column(str(name), f"column {name}") for name in headings)]
    lines = [
        {"row": key} | {f"column {heading}": cells.get(heading) for heading in headings} for key, cells in texts.items()
    ]
    return Fragment(f"{table_html(lines, shown)}\n{download(item)}")


def value(name: str, column: str, /, format: str | None = None, **where: Any) -> Any:
    """Return the single value of `column` in the row with the given values; formatted as text if `format` is given.

    ``value("jordan2020/reproduction", "z", format=".1f", item="mean/chain_10/sarsa")``
    """
    matching = rows(name, **where)
    if len(matching) != 1:
        hint = "give more columns, so that one row remains" if matching else _SEE_ROWS
        raise ContentError(f'{len(matching)} rows of "{name}" match {where}, instead of one', hint)
    check_known(column, matching[0], "column")
    single = matching[0][column]
    if format is None:
        return single
    return MISSING if single is None else written(single, format)


def count(name: str, /, **where: Any) -> int:
    """Return the number of rows with the given values."""
    return len(rows(name, **where))


def rows(name: str, /, **where: Any) -> list[dict[str, Any]]:
    """Return the rows with the given values, as dicts from columns to numbers, strings, bools, or None if empty."""
    records = _records(_item(name))
    wanted = {
        column: single if isinstance(single, list | tuple | set) else [single] for column, single in where.items()
    }
    for column in wanted:
        check_known(column, records[0] if records else (), "column")
    return [dict(row) for row in records if all(row[column] in allowed for column, allowed in wanted.items())]


def is_there(name: str) -> bool:
    """Return True if an item is available.

    An item in one of the folders in `reads` is only available if the study requests it.
    """
    return not {name, f"draw/{name}"}.isdisjoint(_surroundings().items)


def is_figure(name: str) -> bool:
    """Return True if an item has a chart in addition to its numbers."""
    return (_surroundings().results / f"{_item(name)}.json").is_file()


def download(name: str) -> Fragment:
    """Return the collapsible block with downloads below a figure or table.

    It has a link to the numbers that needs no network; a script adds further downloads. A table that is too long to
    read may be represented by this block alone.
    """
    item = _item(name)
    _, study, *_ = parts = item.split("/")
    file = "_".join(parts[1:])
    numbers = for_spreadsheets(_text(item, "csv"))
    if len(numbers) <= _LONG_NUMBERS:
        ending = "csv"
        address = f"data:text/csv;charset=utf-8,{urllib.parse.quote(numbers, safe=_PLAIN_IN_URL)}"
    else:  # compressed; a script decompresses it, and many programs can read it directly
        ending = "csv.gz"
        address = f"data:application/gzip;base64,{packed(numbers)}"
    label = f"CSV: numbers of {file.replace('_', ' ')}"
    link = f'<a download="{file}.{ending}" aria-label="{label}" href="{address}">CSV</a>'
    return Fragment(
        f'<details class="export" data-name="{file}" data-study="{study}"><summary>Export</summary>'
        f'<p class="downloads">{link}</p></details>'
    )


def _item(name: str) -> str:
    allowed = _surroundings().items
    for item in (name, f"draw/{name}"):
        if item in allowed:
            return item
    hint = nearest(f"draw/{name}", allowed) if allowed else "add it to the list"
    raise ContentError(f'"{name}" is not listed under reads: in the front matter', hint)


def _surroundings() -> Surroundings:
    if (by := SURROUNDINGS.get()) is None:
        raise ContentError("no page is being rendered", "render it with `snakemake`")
    return by


def _text(item: str, suffix: str) -> str:
    path = _surroundings().results / f"{item}.{suffix}"
    if not path.is_file():
        raise ContentError(f"the results have no {item}.{suffix}", "run `snakemake`, which makes it if a study uses it")
    return path.read_text(encoding="utf-8")


@functools.cache
def _records(item: str) -> list[dict[str, Any]]:
    """Return the rows of a table.

    Empty cells are None, and columns that contain only numbers or only booleans are converted.
    """
    columns, *lines = csv.reader(io.StringIO(_text(item, "csv"), newline=""))
    read: list[list[Any]] = []
    for column, *texts in zip(columns, *lines, strict=True):
        if column not in TEXT_COLUMNS and _ANSWERS.issuperset(filter(None, texts)) and any(texts):
            read.append([text == "True" if text else None for text in texts])
        elif column in TEXT_COLUMNS or not all(NUMBER.fullmatch(text) for text in texts if text):
            read.append([text or None for text in texts])
        else:
            numbers = (int if re.fullmatch(r"[-+]?\d+", text) else float for text in texts)
            read.append([number(text) if text else None for number, text in zip(numbers, texts, strict=True)])
    return [dict(zip(columns, row, strict=True)) for row in zip(*read, strict=True)]


FILE = "file@"
"""Prefix of the inputs of a page's job that are files of its study."""
HOW_IT_WAS_MADE = "How this page was made"
"""First words of the paragraph on how a page was made."""


def provenance() -> str:
    """Return, as Markdown, how the page was made; empty if unknown, as in an editor's preview."""
    by = SURROUNDINGS.get()
    return provenance_markdown(by.provenance) if by is not None and by.provenance else ""


def provenance_markdown(facts: Mapping[str, Any]) -> str:
    """Return the paper that the page is about, and how the page was made, as Markdown.

    The configuration and the checksums are links to files embedded in the page.

    Parameters
    ----------
    facts : paper (its citation as Markdown, or empty), bibtex (of the works to cite), surefoot (version), libraries
        ({name: version}), seed, command (to make the page), study (name), configuration (of the study), files
        ({path: SHA-256}); a page of recorded results has no seed, study and configuration
    """
    libraries = ", ".join(f"{name} {version}" for name, version in facts["libraries"].items())
    seed = f" Seed {facts['seed']}." if "seed" in facts else ""
    configured = ""
    if "study" in facts:
        configuration = {"studies": {facts["study"]: facts["configuration"]}}
        text = yaml.safe_dump(configuration, sort_keys=False, allow_unicode=True, default_flow_style=None)
        configured = f" with {_file_link('study.yaml', text)}"
    checksums = ""
    if facts["files"]:
        lines = "".join(f"{digest}  {path}\n" for path, digest in facts["files"].items())
        checksums = f"Checksums of its files: {_file_link('SHA256SUMS', lines)}."
    command = f"<code>{html.escape(facts['command'])}</code>"
    parts = [
        f'<p class="made"><strong>{HOW_IT_WAS_MADE}.</strong>',
        f"Surefoot {facts['surefoot']}; {html.escape(libraries)}.{seed}",
        f"To make it again{configured}, run {command} in the folder that contains <code>results/</code>.",
        f"{checksums}</p>",
        f'<script type="application/x-bibtex">\n{facts["bibtex"]}</script>',
    ]
    made = Fragment("\n".join(parts))._repr_markdown_()
    return f"**Paper.** {facts['paper']}\n\n{made}" if facts["paper"] else made


def _file_link(name: str, text: str) -> str:
    """Return a link to a file embedded in the page."""
    address = f"data:text/plain;charset=utf-8,{urllib.parse.quote(text, safe=_PLAIN_IN_URL)}"
    return f'<a download="{name}" href="{address}">{name}</a>'
