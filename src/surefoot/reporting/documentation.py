"""The documentation as pages of the site: the Markdown files of docs/, which are read as they stand, also by Quarto.

A file begins with its title, ``# Title``. Links to other files of docs/ and to pages of reports/ are written as in the
repository: ``costs.md#part``, ``../reports/methods.qmd``. What the embedded renderer does not know is an error that
names the line.
"""

from pathlib import Path

from surefoot.build.runner import Task
from surefoot.reporting.document import Document
from surefoot.reporting.errors import PageError
from surefoot.reporting.preview import with_preview
from surefoot.reporting.render import assemble
from surefoot.reporting.site import Site, document_address, read_site
from surefoot.reporting.source import Source
from surefoot.reporting.typography import with_typography

INDEX = "index"
"""The file that lists the others."""


def make_documentation(task: Task) -> None:
    """Write a page for each input whose name begins with ``docs/``."""
    site = read_site(task.inputs["project"].parent)._replace(navigation=task.settings["navigation"])
    for name, path in task.inputs.items():
        folder, _, stem = name.rpartition("/")
        if folder == "docs":
            task.outputs[stem].write_text(document_html(path, site), encoding="utf-8")


def document_html(path: Path, site: Site) -> str:
    """The page that a file of the documentation becomes.

    Parameters
    ----------
    path : the file; those that it links to lie beside it
    site : what surrounds the page

    Raises
    ------
    PageError
        naming the line that is wrong
    """
    lines = path.read_text(encoding="utf-8").split("\n")
    if not lines[0].startswith("# "):
        raise PageError(path, 1, "no title", "begin the file with a line such as `# Costs`")
    front = {"title": lines[0].removeprefix("# ")}
    if path.stem != INDEX:
        front["subtitle"] = f"[Documentation]({document_address(INDEX)})"
    document = Document("\n".join(["", *lines[1:]]), list(range(1, len(lines) + 1)), [])
    source = Source(path, {**front, "toc": path.stem != INDEX}, {}, [])
    html = assemble(source, site, front, document, False, document_address(path.stem))
    # Tables of sentences, which are neither sorted nor as wide as those of numbers.
    html = html.replace('<div class="scroll">', '<div class="scroll text">')
    return with_preview(with_typography(html), site.title)
