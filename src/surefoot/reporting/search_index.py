"""The index of a site's search: what stands in each section of each page, as a script that every page may load.

A page that is opened from a disk may load scripts from beside it and nothing else, so the index is one.
"""

import json
import re
from collections.abc import Mapping
from html import unescape

from surefoot.build.runner import Task
from surefoot.reporting.provenance import HOW_IT_WAS_MADE

MOST_OF_A_SECTION = 4_000
"""Characters that a section keeps, so that the index of a site stays below a megabyte."""
_LEFT_OUT = re.compile(
    r"<(script|style|svg|math|nav|footer|select)\b.*?</\1>"
    r'|<details class="export".*?</details>'
    r'|<t[dh](?: scope="row")? class="number".*?</t[dh]>',
    re.DOTALL,
)
"""Formulas, pictures, menus and numbers of tables, which nobody searches for."""
_HEADING = re.compile(
    r'(?:<(?:section|div)\b[^>]*\bid="(?P<around>[^"]*)"[^>]*>\s*)?'  # Quarto names the section around a heading
    r"<h(?P<level>[1-4])\b(?P<attributes>[^>]*)>(?P<text>.*?)</h(?P=level)>",
    re.DOTALL,
)
_WITHIN_WORDS = re.compile(r"</?(?:a|b|code|em|i|small|span|strong|sub|sup)\b[^>]*>")

Section = tuple[str, str, str]
"""(id of its heading, or empty at the beginning; heading, or empty there; text)."""


def make_index(task: Task) -> None:
    """Write the script from the pages, whose names are those of the inputs."""
    pages = {f"{name}.html": path.read_text(encoding="utf-8") for name, path in task.inputs.items()}
    task.outputs["index"].write_text(index_script(pages), encoding="utf-8")


def index_script(pages: Mapping[str, str]) -> str:
    """The script of pages {address: HTML}, which sets `surefootIndex`.

    It is [[address, title, [[id, heading, text], ...]], ...].
    """
    index = [[address, *read_page(html)] for address, html in pages.items()]
    return f"globalThis.surefootIndex = {json.dumps(index, ensure_ascii=False, separators=(',', ':'))};\n"


def read_page(html: str) -> tuple[str, list[Section]]:
    """The title of a page and its sections, up to what it says of how it was made."""
    main = html.partition("<main")[2].partition("</main>")[0].partition(">")[2].partition(HOW_IT_WAS_MADE)[0]
    main = _LEFT_OUT.sub(" ", main)
    title = _HEADING.search(main)
    # The first heading is the title of the page, which heads what comes before the first section.
    headings = [match for match in _HEADING.finditer(main) if match["level"] != "1"]
    starts = [title.end() if title else 0, *(match.end() for match in headings)]
    ends = [*(match.start() for match in headings), len(main)]
    names = [("", ""), *((_identifier(match), _text(match["text"])) for match in headings)]
    sections = [(*name, _text(main[start:end])) for name, start, end in zip(names, starts, ends, strict=True)]
    return _text(title["text"]) if title else "", [section for section in sections if section[1] or section[2]]


def _identifier(heading: re.Match[str]) -> str:
    named = re.search(r'\bid="([^"]*)"', heading["attributes"])
    return named[1] if named else heading["around"] or ""


def _text(html: str) -> str:
    """The words of HTML, in one line."""
    words = re.sub(r"<[^>]*>", " ", _WITHIN_WORDS.sub("", html))
    return " ".join(unescape(words).split())[:MOST_OF_A_SECTION]
