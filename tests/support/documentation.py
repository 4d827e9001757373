"""The README and the files of docs/, and the code blocks in them."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from support.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A code block: the name of its page (without .md), its language, and its text."""

    page: str
    language: str
    text: str


def blocks(language: str, page: str | None = None) -> list[Block]:
    """Return all code blocks in a language, from all pages or one page."""
    chosen = [path for path in PAGES if page in (None, path.stem)]
    found = [Block(path.stem, *block) for path in chosen for block in _FENCED.findall(path.read_text())]
    return [block for block in found if block.language == language]


def block_with(text: str, page: str, language: str = "python") -> str:
    """Return the text of the only code block of a page that contains `text`."""
    (found,) = (block.text for block in blocks(language, page) if text in block.text)
    return found


def quoted_commands(programs: set[str]) -> list[tuple[str, list[str]]]:
    """Return (page, words) for each command of some programs that is quoted in a sentence or table.

    Generated pages are left out.
    """
    made = {"commands", "configuration", "functions"}
    found = []
    for path in PAGES:
        text = _FENCED.sub("", path.read_text()) if path.stem not in made else ""
        quotes = [" ".join(quote.split()) for quote in re.findall(r"`([^`]+)`", text)]
        found += [(path.stem, shlex.split(quote)) for quote in quotes if quote.split()[:1] and " " in quote]
    return [(page, words) for page, words in found if Path(words[0]).name in programs]


def commands() -> list[tuple[str, list[str]]]:
    """Return (page, words) for each command in shell blocks, without comments."""
    found = []
    for block in blocks("sh"):
        for line in block.text.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            while words:
                end = words.index("&&") if "&&" in words else len(words)
                found.append((block.page, words[:end]))
                words = words[end + 1 :]
    return found
