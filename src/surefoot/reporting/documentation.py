"""The documentation as pages of the site: the Markdown files of docs/, which are read as they stand, also by Quarto.

A file begins with its title, ``# Title``. The index is read from the first page to the last: each page leads to the
one before it there and the one after it. Links to other files of docs/ and to pages of reports/ are written as in the
repository: ``costs.md#part``, ``../reports/methods.qmd``. What the embedded renderer does not know is an error that
names the line.
"""

import html as markup
import re
from collections.abc import Sequence
from pathlib import Path

from surefoot.build.runner import Task
from surefoot.reporting.cells import Document
from surefoot.reporting.render import assemble
from surefoot.reporting.site import Entry, Site, document_address, read_site, without_dead_links
from surefoot.reporting.source import PageError, Source

INDEX = "index"
"""The file that lists the others."""
_CODE = re.compile(r"`([^`]+)`")
_LINK_TO_FILE = re.compile(r"\]\((\w+)\.md[)#]")


def make_documentation(task: Task) -> None:
    """Write a page for each input whose name begins with ``docs/``."""
    pages = task.inputs["project"].parent
    site, navigation = read_site(pages), task.settings["navigation"]
    for name, path in task.inputs.items():
        folder, _, stem = name.rpartition("/")
        if folder == "docs":
            html = without_dead_links(document_html(path, site, navigation), pages, navigation)
            task.outputs[stem].write_text(html, encoding="utf-8")


def document_html(path: Path, site: Site, navigation: Sequence[Entry] = ()) -> str:
    """The page that a file of the documentation becomes.

    Parameters
    ----------
    path : the file; those that it links to lie beside it
    site : what surrounds the page
    navigation : links and menus at its head

    Raises
    ------
    PageError
        naming the line that is wrong
    """
    lines = path.read_text(encoding="utf-8").split("\n")
    front = {"title": _title(path)}
    if path.stem != INDEX:
        front["subtitle"] = f"[Documentation]({document_address(INDEX)})"
    document = Document("\n".join(["", *lines[1:]]), list(range(1, len(lines) + 1)), [])
    source = Source(path, {**front, "toc": path.stem != INDEX}, {}, [])
    html = assemble(source, site, front, document, navigation, False, document_address(path.stem))
    # Tables of sentences, which are neither sorted nor as wide as those of numbers.
    html = html.replace('<div class="scroll">', '<div class="scroll text">')
    return html.replace("</main>", f"{_neighbours(path)}</main>")


def _title(path: Path) -> str:
    """The title of a file, as Markdown."""
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    if not first.startswith("# "):
        raise PageError(path, 1, "no title", "begin the file with a line such as `# Costs`")
    return first.removeprefix("# ")


def _title_html(path: Path) -> str:
    return _CODE.sub(r"<code>\1</code>", markup.escape(_title(path)))


def _neighbours(path: Path) -> str:
    """HTML of the links to the pages before and after this one, in the order of the index."""
    index = path.with_name(f"{INDEX}.md")
    if not index.is_file():
        return ""
    order = list(dict.fromkeys([INDEX, *_LINK_TO_FILE.findall(index.read_text(encoding="utf-8"))]))
    if path.stem not in order:
        return ""
    place = order.index(path.stem)
    before = [("prev", "← {}", stem) for stem in order[max(place - 1, 0) : place]]
    after = [("next", "{} →", stem) for stem in order[place + 1 : place + 2]]
    links = ""
    for relation, text, stem in before + after:
        title = text.format(_title_html(path.with_name(f"{stem}.md")))
        links += f'<a rel="{relation}" href="{document_address(stem)}">{title}</a>'
    return f'<nav class="neighbours" aria-label="Previous and next page">{links}</nav>\n'
