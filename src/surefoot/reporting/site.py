"""Common parts of pages: title, footer, links, scripts, fonts, the list of pages, and the search index."""

import base64
import json
import re
from collections.abc import Iterable, Sequence
from html import escape, unescape
from pathlib import Path
from typing import Any, NamedTuple

from surefoot.reporting.page import HOW_IT_WAS_MADE
from surefoot.reporting.page_source import escape_markup, load_yaml
from surefoot.workflow.files import write_whole
from surefoot.workflow.runner import Task

HERE = Path(__file__).parent
LIST = "made.js"
"""File with the list of existing pages. A run may make only some pages, and links to missing pages are hidden, but the
bytes of a page must depend only on its inputs. So every run updates this list, and a script in each page reads it.
"""

MOST_OF_A_SECTION = 4_000
"""Number of characters of a section that are indexed for search, so that the index of a site stays below a megabyte."""
_NOT_SEARCHED = re.compile(
    r"<(script|style|svg|math|nav|footer|select)\b.*?</\1>"
    r'|<details class="export".*?</details>'
    r'|<t[dh](?: scope="row")? class="number".*?</t[dh]>',
    re.DOTALL,
)
"""Formulas, images, menus and numbers of tables, which are excluded from the search."""
_HEADING = re.compile(
    # In pages by Quarto, the section around a heading has the id.
    r"(?P<opening>(?:<(?:section|div)\b[^>]*>\s*)?<h(?P<level>[1-4])\b[^>]*>)(?P<text>.*?)</h(?P=level)>",
    re.DOTALL,
)
_WITHIN_WORDS = re.compile(r"</?(?:a|b|code|em|i|small|span|strong|sub|sup)\b[^>]*>")

Entry = tuple[str, str | Sequence[tuple[str, str]]]
"""A link at the top of each page, as (text, address), or a menu of several links, as (text, links)."""


class Site(NamedTuple):
    """Title and footer of the site, and the default for tables of contents."""

    title: str
    footer: str
    toc: bool


def read_site(folder: Path) -> Site:
    """Read `_quarto.yml` in the folder of the pages; keys only for Quarto are ignored.

    Raises
    ------
    PageError
        if it is not valid YAML
    """
    path = folder / "_quarto.yml"
    content = load_yaml(path, path.read_text(encoding="utf-8"), 1)
    website = content["website"]
    html = content.get("format", {}).get("html", {})
    return Site(website["title"], website.get("page-footer", ""), html.get("toc", False))


def document_address(stem: str) -> str:
    """Return the address in the site of a documentation file; no study can have such a name."""
    return f"docs-{stem}.html"


def links_of(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """Return all links in order, including links in menus."""
    links: list[tuple[str, str]] = []
    for text, target in entries:
        links += [(text, target)] if isinstance(target, str) else [(label, address) for label, address in target]
    return links


def navigation_html(entries: Iterable[Entry], current: str) -> str:
    """Return the links as HTML list items; the link to the page itself is marked, and so is the menu that contains it.

    Parameters
    ----------
    entries : the links and menus; menus open without scripts
    current : address of the page
    """
    items = []
    for text, target in entries:
        if isinstance(target, str):
            items.append(f"<li>{_link_html(text, target, current)}</li>")
            continue
        mark = ' class="current"' if any(address == current for _, address in target) else ""
        links = "".join(f"<li>{_link_html(label, address, current)}</li>" for label, address in target)
        # A browser keeps only one of the <details> with the same name open.
        summary = f"<summary{mark}>{escape(text)}</summary>"
        items.append(f'<li><details name="site-menu">{summary}<ul>{links}</ul></details></li>')
    return "\n".join(items)


def _link_html(text: str, address: str, current: str) -> str:
    # An index is also marked as current on the pages that it lists.
    is_listed = address.endswith("-index.html") and current.startswith(address.removesuffix("index.html"))
    mark = ' aria-current="page"' if address == current else ' aria-current="true"' if is_listed else ""
    return f'<a href="{escape(address)}"{mark}>{escape(text)}</a>'


def quarto_navbar(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Return the links and menus in the form of `navbar:` in a Quarto project, where texts are Markdown."""
    return [
        {"text": escape_markup(text), "href": target}
        if isinstance(target, str)
        else {"text": escape_markup(text), "menu": quarto_navbar(target)}
        for text, target in entries
    ]


def without_dead_links(html: str, folder: Path, navigation: Sequence[Entry]) -> str:
    """Replace links to pages that are missing in this site by their texts.

    Parameters
    ----------
    folder : folder with the sources of all pages that a site can have
    navigation : the links and menus of this site, with all of its pages except the documentation
    """
    present = {address for _, address in links_of(navigation)}
    # An appendix is present if its page is.
    stems = [path.stem for path in folder.glob("*.qmd")]
    missing = [stem for stem in stems if f"{stem.removesuffix('_appendix')}.html" not in present]
    if not missing:
        return html
    link = rf'<a\s[^>]*?href="(?:{"|".join(map(re.escape, sorted(missing)))})\.html(?:#[^"]*)?"[^>]*>(.*?)</a>'
    return re.sub(link, r"\1", html, flags=re.DOTALL)


def note_made_pages(folder: Path) -> list[str]:
    """Write the list of the pages in a folder to a script in the folder, and return the paths of the pages."""
    path = folder / LIST
    pages = sorted(page.name for page in folder.glob("*.html"))
    script = f"globalThis.surefootMade = {json.dumps(pages, ensure_ascii=False)};\n"
    if pages and not (path.is_file() and path.read_text(encoding="utf-8") == script):
        write_whole(path, script)
    return [str(folder / page) for page in pages]


def page_to_open(pages: Sequence[str], studies: Sequence[str]) -> list[str]:
    """Return the page to open first: the page of the first study that has one, or else the home page.

    The result is a list with at most one path.
    """
    names = (*studies, "index")
    return [page for name in names for page in pages if Path(page).stem == name][:1]


def make_search_index(task: Task) -> None:
    """Write the search index of the input pages, as a script that sets `surefootIndex`.

    The index is [[address, title, [[id, heading, text], ...]], ...]. It is a script because a page that is opened from
    a disk can load scripts from its folder, but no other files.
    """
    index = [(f"{name}.html", *page_texts(path.read_text(encoding="utf-8"))) for name, path in task.inputs.items()]
    written = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    task.outputs["index"].write_text(f"globalThis.surefootIndex = {written};\n", encoding="utf-8")


def page_texts(html: str) -> tuple[str, list[tuple[str, str, str]]]:
    """Return the title of a page and the texts of its sections, except the section on how it was made.

    Returns
    -------
    title, sections : for each section, the id of its heading, the heading, and at most `MOST_OF_A_SECTION` characters
        of its text; id and heading are empty for text before the first heading
    """
    main = html.partition("<main")[2].partition("</main>")[0].partition(">")[2].partition(HOW_IT_WAS_MADE)[0]
    main = _NOT_SEARCHED.sub(" ", main)
    title = ""
    identifier = ""
    heading = ""
    start = 0
    sections = []
    for match in [*_HEADING.finditer(main), None]:
        text = plain_text(main[start : match.start() if match else len(main)])
        if title and (heading or text):
            sections.append((identifier, heading, text))
        if match is None:
            break
        start = match.end()
        if match["level"] == "1":
            title = plain_text(match["text"])
        else:
            identifier = "".join(re.findall(r'\bid="([^"]*)"', match["opening"])[-1:])
            heading = plain_text(match["text"])
    return title, sections


def plain_text(html: str) -> str:
    """Return the words of HTML on one line, at most `MOST_OF_A_SECTION` characters."""
    words = re.sub(r"<[^>]*>", " ", _WITHIN_WORDS.sub("", html))
    return " ".join(unescape(words).split())[:MOST_OF_A_SECTION]


def page_script(charts: bool, tables: bool = True, live: bool = False) -> str:
    """Return the JavaScript for the end of a page.

    It adds tooltips to charts, sorting and filtering to tables, exports of both, and the shared features of the site,
    such as the search.
    """
    parts = [_vega()] if live else []
    parts += [script("charts")] if charts else []
    parts += [script("typed", "tables"), script("export")] if tables else []
    return "".join([*parts, script("typed", "site")])


def _vega() -> str:
    """Return Vega with the script that draws the charts with controls."""
    import vl_convert  # only pages with such charts need it

    return f"{{\n{vl_convert.javascript_bundle((HERE / 'live.js').read_text(encoding='utf-8'))}}}\n"


def script(*names: str) -> str:
    """Return the scripts of this folder combined into one, in a block scope, as their names would otherwise be global.

    The script `theme` belongs in the head of a page: it decides whether the page is light or dark before anything is
    drawn.
    """
    return f"{{\n{''.join((HERE / f'{name}.js').read_text(encoding='utf-8') for name in names)}}}\n"


def font_faces() -> str:
    """Return the CSS of the chart font, for readers without a font with the widths of Arial."""
    faces = []
    for weight, name in (("normal", "regular"), ("bold", "bold")):
        font = base64.b64encode((HERE / "fonts" / f"chart_sans_{name}.woff2").read_bytes()).decode()
        source = f"url(data:font/woff2;base64,{font})"
        faces.append(f'@font-face {{ font-family: "Chart Sans"; font-weight: {weight}; src: {source}; }}\n')
    return "".join(faces)
