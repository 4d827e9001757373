"""Parse HTML into elements with their texts."""

from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

VOID = frozenset(("br", "hr", "img", "input", "link", "meta"))


class Element(NamedTuple):
    """An element: tag, attributes, texts (including nested elements), and enclosing elements as "tag.class"."""

    tag: str
    attributes: dict[str, str]
    pieces: list[str]
    around: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return the text with normalized white space."""
        return " ".join("".join(self.pieces).split())


class _Elements(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found: list[Element] = []
        self.open: list[Element] = []

    def handle_starttag(self, tag, attributes):
        around = tuple(f"{outer.tag}.{outer.attributes.get('class', '')}" for outer in self.open)
        element = Element(tag, {name: value or "" for name, value in attributes}, [], around)
        self.found.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1].tag == tag, f"</{tag}> within <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data):
        for element in self.open:
            element.pieces.append(data)


class Elements:
    """Elements of an HTML file, by tag, class or id. Elements must be nested correctly."""

    def __init__(self, path: Path):
        parser = _Elements()
        parser.feed(path.read_text())
        assert not parser.open, f"not closed: {[element.tag for element in parser.open]}"
        self.all = parser.found

    def by_tag(self, tag: str) -> list[Element]:
        """Return the elements with a tag."""
        return [element for element in self.all if element.tag == tag]

    def by_class(self, name: str) -> list[Element]:
        """Return the elements with a class."""
        return [element for element in self.all if name in element.attributes.get("class", "").split()]

    def by_id(self, name: str) -> Element:
        """Return the element with an id."""
        (element,) = [element for element in self.all if element.attributes.get("id") == name]
        return element
