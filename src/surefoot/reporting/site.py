"""What surrounds a page: title, footer and links of its site, scripts and fonts, and which other pages there are."""

import base64
import json
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.build.files import write_whole
from surefoot.reporting.source import load_yaml

HERE = Path(__file__).parent
LIST = "made.js"
"""The list of the pages that there are. A run may be asked for one page alone, and no link shall lead nowhere, but the
same inputs make the same bytes of a page at any time; so each page reads the list beside it, which every run renews."""

Entry = tuple[str, str | Sequence[tuple[str, str]]]
"""A link at the head of each page, as (text, address), or a menu of several, as (text, links)."""


class Site(NamedTuple):
    """Title and footer of the site, and whether its pages have contents by default."""

    title: str
    footer: str
    toc: bool


def read_site(folder: Path) -> Site:
    """Read `_quarto.yml` in the folder of the pages; what only Quarto takes from it is passed over.

    Raises
    ------
    PageError
        where it is no YAML
    """
    path = folder / "_quarto.yml"
    content = load_yaml(path, path.read_text(encoding="utf-8"), 1)
    website, html = content["website"], content.get("format", {}).get("html", {})
    return Site(website["title"], website.get("page-footer", ""), html.get("toc", False))


def document_address(stem: str) -> str:
    """The address in the site of a file of the documentation; no study can have such a name."""
    return f"docs-{stem}.html"


def links_of(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """All links, those of menus in their places."""
    links: list[tuple[str, str]] = []
    for text, target in entries:
        links += [(text, target)] if isinstance(target, str) else [(label, address) for label, address in target]
    return links


def navigation_html(entries: Iterable[Entry], current: str) -> str:
    """Items of a list; the link to the page itself is marked, and so is the menu that holds it.

    Parameters
    ----------
    entries : the links and menus; menus are folds, which open without a script
    current : address of the page
    """
    items = []
    for text, target in entries:
        if isinstance(target, str):
            items.append(f"<li>{_link_html(text, target, current)}</li>")
            continue
        mark = ' class="current"' if any(address == current for _, address in target) else ""
        links = "".join(f"<li>{_link_html(label, address, current)}</li>" for label, address in target)
        # Of folds of one name a browser keeps one open.
        summary = f"<summary{mark}>{escape(text)}</summary>"
        items.append(f'<li><details name="site-menu">{summary}<ul>{links}</ul></details></li>')
    return "\n".join(items)


def _link_html(text: str, address: str, current: str) -> str:
    mark = ' aria-current="page"' if address == current else ""
    return f'<a href="{escape(address)}"{mark}>{escape(text)}</a>'


def quarto_navbar(entries: Iterable[Entry], literal: Callable[[str], str]) -> list[dict[str, Any]]:
    """The links and menus as `navbar:` of a Quarto project; `literal` makes of a text what Quarto shows as it is."""
    return [
        {"text": literal(text), "href": target}
        if isinstance(target, str)
        else {"text": literal(text), "menu": quarto_navbar(target, literal)}
        for text, target in entries
    ]


def without_dead_links(html: str, folder: Path, navigation: Sequence[Entry]) -> str:
    """HTML in which links to pages that this site does not have are their texts alone.

    Parameters
    ----------
    folder : of the sources of all pages that a site can have
    navigation : the links and menus of this site, which name all of its pages but those of the documentation
    """
    present = {address for _, address in links_of(navigation)}
    missing = [path.stem for path in folder.glob("*.qmd") if f"{path.stem}.html" not in present]
    if not missing:
        return html
    link = rf'<a\s[^>]*?href="(?:{"|".join(map(re.escape, sorted(missing)))})\.html(?:#[^"]*)?"[^>]*>(.*?)</a>'
    return re.sub(link, r"\1", html, flags=re.DOTALL)


def note_made_pages(folder: Path) -> None:
    """Write the list of the pages in the folder beside them, as a script, where it has changed."""
    path = folder / LIST
    pages = sorted(page.name for page in folder.glob("*.html"))
    script = f"globalThis.surefootMade = {json.dumps(pages, ensure_ascii=False)};\n"
    if pages and not (path.is_file() and path.read_text(encoding="utf-8") == script):
        write_whole(path, script)


def page_script(charts: bool, tables: bool = True) -> str:
    """JavaScript for the end of a page: charts that show the values of their marks and highlight an algorithm, tables
    that can be sorted and filtered, both in other forms, and what the pages of a site have in common."""
    parts = [script("charts")] if charts else []
    parts += [script("typed", "tables"), script("export")] if tables else []
    return "".join([*parts, script("site")])


def script(*names: str) -> str:
    """Scripts of this folder as one, in braces, as their names would otherwise be global.

    Of these, `theme` belongs in the head of a page: it settles whether the page is light or dark before anything is
    drawn.
    """
    return f"{{\n{''.join((HERE / f'{name}.js').read_text(encoding='utf-8') for name in names)}}}\n"


def font_faces() -> str:
    """CSS of the font of charts, for readers who have none with the widths of Arial."""
    faces = []
    for weight, name in (("normal", "regular"), ("bold", "bold")):
        font = base64.b64encode((HERE / "fonts" / f"chart_sans_{name}.woff2").read_bytes()).decode()
        source = f"url(data:font/woff2;base64,{font})"
        faces.append(f'@font-face {{ font-family: "Chart Sans"; font-weight: {weight}; src: {source}; }}\n')
    return "".join(faces)
