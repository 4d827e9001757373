"""The links at the head of each page: to single pages, and menus of several.

A link is (text, address), a menu (text, links). Menus are folds, which open without a script.
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

Link = tuple[str, str]
Entry = tuple[str, str | Sequence[Link]]


def links_of(entries: Iterable[Entry]) -> list[Link]:
    """All links, those of menus in their places."""
    return [
        link for text, leads in entries for link in ([(text, leads)] if isinstance(leads, str) else map(_pair, leads))
    ]


def navigation_html(entries: Iterable[Entry], current: str) -> str:
    """Items of a list; the link to the page itself is marked, and so is the menu that holds it.

    Parameters
    ----------
    entries : the links and menus
    current : address of the page
    """
    lines = []
    for text, leads in entries:
        if isinstance(leads, str):
            lines.append(f"<li>{_link_html(text, leads, current)}</li>")
            continue
        within = ' class="current"' if current in dict(map(_pair, leads)).values() else ""
        items = "".join(f"<li>{_link_html(*_pair(link), current)}</li>" for link in leads)
        # Of folds of one name a browser keeps one open.
        lines.append(
            f'<li><details name="site-menu"><summary{within}>{escape(text)}</summary><ul>{items}</ul></details></li>'
        )
    return "\n".join(lines)


def quarto_navbar(entries: Iterable[Entry], literal: Callable[[str], str] = str) -> list[dict[str, Any]]:
    """The same for `navbar:` of a Quarto project; `literal` makes of a text what Quarto shows as it is."""
    return [
        {"text": literal(text), "href": leads}
        if isinstance(leads, str)
        else {"text": literal(text), "menu": quarto_navbar(map(_pair, leads), literal)}
        for text, leads in entries
    ]


def _pair(link: Sequence[str]) -> Link:
    text, address = link
    return text, address


def _link_html(text: str, address: str, current: str) -> str:
    # An index stands for the pages that it lists.
    listed = address.endswith("-index.html") and current.startswith(address.removesuffix("index.html"))
    mark = ' aria-current="page"' if address == current else ' aria-current="true"' if listed else ""
    return f'<a href="{escape(address)}"{mark}>{escape(text)}</a>'
