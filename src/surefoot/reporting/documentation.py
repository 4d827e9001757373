"""The documentation as pages of the site: the Markdown files of docs/, which are read as they stand, also by Quarto.

A file begins with its title, ``# Title``. Links to other files of docs/ and to pages of reports/ are written as in the
repository: ``costs.md#part``, ``../reports/methods.qmd``. What the embedded renderer does not know is an error that
names the line.
"""

from collections.abc import Sequence
from pathlib import Path

from surefoot.build.runner import Task
from surefoot.reporting.cells import Document
from surefoot.reporting.render import assemble
from surefoot.reporting.site import Entry, Site, document_address, read_site, without_dead_links
from surefoot.reporting.source import PageError, Source

INDEX = "index"
"""The file that lists the others."""


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
    document = Document("\n".join(["", *lines[1:]]), [])
    source = Source(path, {**front, "toc": path.stem != INDEX}, {}, [])
    html = assemble(source, site, front, document, navigation, False, document_address(path.stem))
    # Tables of sentences, which are neither sorted nor as wide as those of numbers.
    return html.replace('<div class="scroll">', '<div class="scroll text">')


def _title(path: Path) -> str:
    """The title of a file, as Markdown."""
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    if not first.startswith("# "):
        raise PageError(path, 1, "no title", "begin the file with a line such as `# Costs`")
    return first.removeprefix("# ")
