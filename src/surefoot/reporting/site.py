"""The site that a page belongs to: title, navigation bar and footer, from the `_quarto.yml` that Quarto reads too."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.build.errors import nearest
from surefoot.reporting.errors import PageError
from surefoot.reporting.navigation import Entry, Link, links_of
from surefoot.reporting.source import LOOKS, load_yaml, read_source

# What may stand in `_quarto.yml`. A nested mapping lists the keys of its section; None stands for any value, which is
# either read below or changes only looks and Quarto's own housekeeping.
_ALLOWED: dict[str, Any] = {
    "project": {"type": None, "output-dir": None, "render": None},
    "website": {
        "title": None,
        "description": None,
        "search": None,
        "page-navigation": None,
        "back-to-top-navigation": None,
        "navbar": {"left": None, "right": None, "background": None, "search": None, "pinned": None},
        "page-footer": None,
    },
    "format": {"html": dict.fromkeys((*LOOKS, "theme", "toc", "number-sections", "html-table-processing"))},
    "execute": {"echo": None, "warning": None, "cache": None, "freeze": None},
    "jupyter": None,
    "lang": None,
}


class Site(NamedTuple):
    """Title of the site, links and menus of the navigation bar, footer, and the pages' defaults."""

    title: str
    navigation: list[Entry]
    footer: str
    toc: bool
    echo: bool


def read_site(folder: Path) -> Site:
    """Read `_quarto.yml` in the folder of the pages.

    Raises
    ------
    PageError
        where it is missing, or holds what the embedded renderer does not know
    """
    path = folder / "_quarto.yml"
    if not path.is_file():
        raise PageError(path, 1, "there is no such file", "write one with `website:` and `navbar:` in it")
    text = path.read_text(encoding="utf-8")
    content, _ = load_yaml(path, text, 1)
    _check_keys(path, text, content, _ALLOWED)
    website = content.get("website") or {}
    if not isinstance(website.get("title"), str):
        raise PageError(path, 1, "the website has no title", "write `website:` and below it `title: Surefoot`")
    navbar = website.get("navbar") or {}
    html = (content.get("format") or {}).get("html") or {}
    return Site(
        website["title"],
        [_entry(path, text, item) for side in ("left", "right") for item in navbar.get(side) or []],
        _footer(path, text, website.get("page-footer", "")),
        bool(html.get("toc", False)),
        bool((content.get("execute") or {}).get("echo", True)),
    )


def page_address(folder: Path, target: str) -> str | None:
    """The address in the site of a link to a page, such as ``page.qmd#part``; None where there is no such page.

    Parameters
    ----------
    folder : of the page that has the link
    target : a page beside it, or from the documentation ``../reports/page.qmd``
    """
    name, mark, part = target.partition("#")
    path = Path(name)
    beside = path.parent == Path() or (folder.name == "docs" and path.parent == Path("../reports"))
    if not beside or not (folder / name).is_file():
        return None
    return f"{document_address(path.stem) if path.suffix == '.md' else f'{path.stem}.html'}{mark}{part}"


def without_dead_links(html: str, folder: Path, navigation: Sequence[Entry]) -> str:
    """HTML whose links to pages that this site does not have are their texts alone.

    Parameters
    ----------
    folder : of the sources of all pages that a site can have
    navigation : the links and menus of this site, which name all of its pages but those of the documentation
    """
    there = {address for _, address in links_of(navigation)}
    missing = [path.stem for path in folder.glob("*.qmd") if f"{path.stem}.html" not in there]
    if not missing:
        return html
    link = rf'<a\s[^>]*?href="(?:{"|".join(map(re.escape, sorted(missing)))})\.html(?:#[^"]*)?"[^>]*>(.*?)</a>'
    return re.sub(link, r"\1", html, flags=re.DOTALL)


def document_address(stem: str) -> str:
    """The address in the site of a file of the documentation; no study can have such a name."""
    return f"docs-{stem}.html"


def _check_keys(path: Path, text: str, content: dict[str, Any], allowed: dict[str, Any]) -> None:
    for key, value in content.items():
        if key not in allowed:
            raise PageError(path, _line(text, f"{key}:"), f'unknown key "{key}"', nearest(key, allowed))
        if isinstance(allowed[key], dict) and value is not None:
            if not isinstance(value, dict):
                hint = "allowed: " + ", ".join(allowed[key])
                raise PageError(path, _line(text, f"{key}:"), f"{key} must be a mapping", hint)
            _check_keys(path, text, value, allowed[key])


def _entry(path: Path, text: str, item: Any) -> Entry:
    if isinstance(item, dict) and "menu" in item:
        if set(item) != {"text", "menu"} or not isinstance(item["menu"], list):
            hint = "write `- text: Papers` and below it `menu:` with a list of links"
            raise PageError(path, _line(text, "menu:"), "a menu of the navigation bar is text and menu", hint)
        return item["text"], [_link(path, text, link) for link in item["menu"]]
    return _link(path, text, item)


def _link(path: Path, text: str, item: Any) -> Link:
    if isinstance(item, str):
        item = {"href": item}
    if not isinstance(item, dict) or "href" not in item or not set(item) <= {"text", "href"}:
        hint = "write `- text: Home` and below it `href: index.qmd`"
        raise PageError(path, _line(text, "navbar:"), "a link of the navigation bar is text and href", hint)
    target: str = item["href"]
    if target.startswith(("https://", "http://")):
        return item.get("text", target), target
    address = page_address(path.parent, target) if target.endswith(".qmd") else None
    if address is None:
        hint = nearest(target, sorted(page.name for page in path.parent.glob("*.qmd")))
        raise PageError(path, _line(text, target), f'there is no page "{target}"', hint)
    text_shown: str = item.get("text") or read_source(path.parent / target).front_matter["title"]
    return text_shown, address


def _footer(path: Path, text: str, footer: Any) -> str:
    if isinstance(footer, dict):
        parts = {key: footer[key] for key in ("left", "center", "right") if key in footer}
        rest = set(footer) - {"left", "center", "right", "background", "border"}
        if not rest and all(isinstance(part, str) for part in parts.values()):
            return " · ".join(parts.values())
    elif isinstance(footer, str):
        return footer
    raise PageError(path, _line(text, "page-footer:"), "the footer is a text", "write `page-footer: Text`")


def _line(text: str, token: str) -> int:
    return next((number for number, line in enumerate(text.splitlines(), 1) if token in line), 1)
