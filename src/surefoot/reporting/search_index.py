"""The index of a site's search: what stands in each section of each page, as a script that every page may load.

A page that is opened from a disk may load scripts from beside it and nothing else, so the index is one.
"""

import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser

from surefoot.build.runner import Task
from surefoot.reporting.provenance import HOW_IT_WAS_MADE

MOST_BYTES = 900_000
"""Of the whole index, which is loaded when the search is first used; where all texts are longer, each section keeps its
beginning."""
MOST_OF_A_BLOCK = 2_000
"""Characters of a table or of a block of code."""
_HEADINGS = ("h1", "h2", "h3", "h4")
_LEFT_OUT = frozenset(("script", "style", "svg", "math", "nav", "footer", "select"))
_BLOCKS = frozenset(("table", "pre"))
_CELLS = ("th", "td", "caption")
_WITHIN_WORDS = frozenset(("a", "b", "code", "em", "i", "small", "span", "strong", "sub", "sup"))
_HASH = re.compile(r"\b[0-9a-f]{64}\b *")
_VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))

Section = tuple[str, str, str]
"""(id of its heading, or empty at the beginning; heading, or empty there; text)."""


def make_index(task: Task) -> None:
    """Write the script from the pages, whose names are those of the inputs."""
    pages = {f"{name}.html": path.read_text(encoding="utf-8") for name, path in task.inputs.items()}
    task.outputs["index"].write_text(index_script(pages), encoding="utf-8")


def index_script(pages: Mapping[str, str]) -> str:
    """The script of pages {address: HTML}, which sets `surefootIndex`.

    It is [[address, title, [[id, heading, text], ...]], ...] and at most MOST_BYTES long: the greatest number of
    characters that every section may keep is found by halving.
    """
    read = {address: read_page(html) for address, html in pages.items()}
    fits, too_long = 0, max((len(text) for _, sections in read.values() for *_, text in sections), default=0) + 1
    if len(_script(read, too_long).encode()) <= MOST_BYTES:
        return _script(read, too_long)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        fits, too_long = (middle, too_long) if len(_script(read, middle).encode()) <= MOST_BYTES else (fits, middle)
    return _script(read, fits)


def read_page(html: str) -> tuple[str, list[Section]]:
    """The title of a page and its sections: prose, words of tables and code, without formulas and numbers of tables."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    texts = [" ".join("".join(parts).split()) for parts in reader.texts]
    headings = [" ".join("".join(parts).split()) for parts in reader.headings]
    sections = list(zip(reader.ids, headings, texts, strict=True))
    return reader.title, [section for section in sections if section[1] or section[2]]


def _script(read: Mapping[str, tuple[str, list[Section]]], most: int) -> str:
    index = [
        [address, title, [[part, heading, text[:most]] for part, heading, text in sections]]
        for address, (title, sections) in read.items()
    ]
    return f"globalThis.surefootIndex = {json.dumps(index, ensure_ascii=False, separators=(',', ':'))};\n"


class _Block:
    """What a table says in words, each cell once, or a block of code, up to MOST_OF_A_BLOCK characters."""

    def __init__(self) -> None:
        self._cells: dict[str, None] = {}
        self._cell: list[str] = []

    def begin(self) -> None:
        self._cell = []

    def add(self, data: str) -> None:
        self._cell.append(data)

    def end(self) -> None:
        self._cells[" ".join(_HASH.sub("", "".join(self._cell)).split())] = None
        self._cell = []

    def text(self) -> str:
        whole = " \N{MIDDLE DOT} ".join(filter(None, self._cells))
        return whole if len(whole) <= MOST_OF_A_BLOCK else whole[:MOST_OF_A_BLOCK].rpartition(" ")[0]


class _Reader(HTMLParser):
    """Gathers the text below each heading of the page's main part; the first heading is its title."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.ids, self.headings, self.texts = [""], [[""]], [[""]]
        self._open: list[str] = []
        self._id = ""
        self._heading: list[str] | None = None
        self._block = _Block()
        self._is_number = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            return
        given = dict(attrs)
        if tag in ("table", "pre") and not _BLOCKS.intersection(self._open):
            self._block = _Block()
        if tag in _CELLS:
            self._is_number = "number" in (given.get("class") or "").split() and given.get("scope") != "col"
            self._block.begin()
        # Menus below figures and tables stand in the way of what the captions say, and the configuration and files that
        # end a page have the words of everything.
        is_menu = tag == "details" and given.get("class") == "export"
        is_provenance = tag == "pre" and HOW_IT_WAS_MADE in "".join(self.texts[-1])
        self._open.append("nav" if is_menu or is_provenance else tag)
        if tag in ("section", "div") and given.get("id"):
            self._id = given["id"] or ""  # Quarto names the section around a heading
        if tag in _HEADINGS and self._is_read():
            self._heading = []
            if tag != "h1":
                self.ids.append(given.get("id") or self._id)
                self.headings.append(self._heading)
                self.texts.append([])

    def handle_endtag(self, tag: str) -> None:
        if tag in _HEADINGS and self._heading is not None:
            if tag == "h1":
                self.title = self.title or " ".join("".join(self._heading).split())
            self._heading = None
        if tag in ("details", "pre") and self._open and self._open[-1] == "nav":
            tag = "nav"
        if tag in (*_CELLS, "pre") and self._is_read():
            self._block.end()
        if tag in ("table", "pre") and self._is_read():
            self.texts[-1].append(f" {self._block.text()} ")
        if tag in self._open:
            while self._open.pop() != tag:
                pass
        if tag not in _WITHIN_WORDS and not self._left_out():
            self.texts[-1].append(" ")

    def handle_data(self, data: str) -> None:
        if self._heading is not None:
            self._heading.append(data)
        elif self._is_read():
            if not _BLOCKS.isdisjoint(self._open):
                self._block.add("" if self._is_number and "table" in self._open else data)
            else:
                self.texts[-1].append(data)

    def _is_read(self) -> bool:
        return "main" in self._open and not self._left_out()

    def _left_out(self) -> bool:
        return not _LEFT_OUT.isdisjoint(self._open)
