"""Render a page of the site from its `.qmd` source to one HTML file that needs no other file and no network.

The cells run in this process. The result is rendered by `quarto` if it is installed, and otherwise by the embedded
renderer: pandoc from pypandoc_binary, with a filter from this project. Pages are written in the following subset of
Quarto. Anything else is an error that names the line; nothing is silently dropped.

Front matter
    `title`, `subtitle`, `description`, `toc`, `page-layout` (`full` for the width of the page, anything else for the
    width of text), and `reads`: the list of items that the page reads, as paths relative to `results/` without suffix,
    and ``folder/*`` for everything in a folder. ``{name}`` is replaced by the parameter with this name, as plain text.
    Other keys are only for Quarto and are ignored.
Cells
    ```` ```{python} ```` in the first column, with `#|` options `label`, `fig-cap`, `tbl-cap`, `output` (true, false,
    asis), `include`, and `tags: [parameters]` for the only cell with parameters, given as literals. A cell outputs what
    it prints, and results of `surefoot.reporting.page`. Inline: ``{python} x`` in backticks; strings are inserted as
    plain text.
Figures and tables with captions
    `label` and `fig-cap` or `tbl-cap` in the cell; or, for a caption with inline expressions, the cell within
    ``::: {#fig-name}`` ... ``:::``, whose last paragraph is the caption. Markdown tables: ``: Caption {#tbl-name}``.
Cross-references
    `@fig-name`, `@tbl-name`, `@sec-name` (the section's title, as sections have no numbers), `[@fig-a; @fig-b]`, and
    `-@fig-name` for the number alone. There are no citations.
Blocks
    ``::: {.callout-note}`` (`tip`, `warning`, `important`, `caution`; `title`, `collapse`), ``::: {.lead}`` for the
    main result, ``::: {.column-page}`` for a table that may be as wide as the page; ``::: {.beside}`` for blocks side
    by side if there is space, ``::: {.stacked}`` for several blocks in one of its columns.
Links
    ``[text](page.qmd)`` and ``[text](page.qmd#part)`` to another page in the same folder, ``#part``, ``name.html`` of
    the site, https.
Markdown
    Headings (with ``{#sec-name}``), lists, tables, footnotes, quotes, code, and equations, which become MathML. An
    image is a separate paragraph, ``![](images/name.svg){fig-alt="what it shows"}``. No other images, no shortcodes, no
    raw HTML (comments are dropped), no other languages.
Documentation
    The Markdown files of docs/ are read unchanged, also by Quarto. A file begins with its title, ``# Title``. Links
    to other files of docs/ and to pages of reports/ are written as in the repository: ``costs.md#part``,
    ``../reports/methods.qmd``.
`_quarto.yml`
    `website`: title and page-footer; `format.html.toc`. Other keys are only for Quarto and are ignored.
"""

import functools
import logging
import re
import time
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import surefoot
from surefoot.reporting.page import FILE, Surroundings
from surefoot.reporting.page_cells import MARK, Document, has_live_charts, run_page
from surefoot.reporting.page_source import (
    PageError,
    Source,
    read_source,
    texts,
)
from surefoot.reporting.pandoc import Convert, convert_stored, run_pandoc
from surefoot.reporting.previews import with_preview
from surefoot.reporting.quarto import render_with_quarto
from surefoot.reporting.site import (
    Entry,
    Site,
    document_address,
    font_faces,
    links_of,
    navigation_html,
    page_script,
    read_site,
    script,
    without_dead_links,
)
from surefoot.workflow.files import write_whole
from surefoot.workflow.runner import Task

logger = logging.getLogger("surefoot")

HERE = Path(__file__).parent
INDEX = "index"
"""File of docs/ that lists the others."""


def make_page(task: Task) -> None:
    """Write the HTML of a page, as a job."""
    provenance = task.settings.get("provenance")
    if provenance is not None:
        files = {str(path): task.hashes[name] for name, path in task.inputs.items() if name.startswith(FILE)}
        provenance = provenance | {"files": files}
    render(
        page=task.inputs["page"],
        output=task.outputs["page"],
        results=_results(task.inputs),
        parameters=task.settings["parameters"],
        renderer=task.settings["renderer"],
        navigation=task.settings["navigation"],
        items=sorted({name.rpartition(".")[0] for name in task.inputs if "/" in name}),
        provenance=provenance,
        address=task.settings.get("address"),
        convert=functools.partial(convert_stored, task),
    )


def _results(inputs: Mapping[str, Path]) -> Path:
    """Return the folder of results, given inputs whose names are paths relative to it."""
    shown = ((name, str(path)) for name, path in inputs.items() if "/" in name)
    return next((Path(path.removesuffix(name)) for name, path in shown if path.endswith(f"results/{name}")), Path())


def render(
    page: Path,
    output: Path,
    results: Path,
    parameters: Mapping[str, Any],
    renderer: str = "embedded",
    navigation: Sequence[Entry] = (),
    items: Sequence[str] | None = None,
    provenance: Mapping[str, Any] | None = None,
    address: str | None = None,
    convert: Convert = run_pandoc,
) -> None:
    """Render a page.

    Parameters
    ----------
    page : source of the page; `_quarto.yml` and the linked pages must be in the same folder
    output : the HTML file, written atomically
    results : the folder of results that the page reads
    parameters : values for the names in the page's parameter cell
    renderer : "quarto" or "embedded"
    navigation : links and menus at the top of the page, with all pages of the site except the documentation
    items : results that the page may read, as paths relative to `results` without suffix; by default those in its front
        matter
    provenance : facts on how the page was made; see `surefoot.reporting.page.provenance_markdown`
    address : address of the published site, for previews of links to the page
    convert : function that runs pandoc

    Raises
    ------
    PageError
        with the line of the page
    """
    started = time.perf_counter()
    page = Path(page).absolute()
    output = Path(output).absolute()
    results = Path(results).absolute()
    source = read_source(page)
    site = read_site(page.parent)
    front = texts(source, parameters)
    items = front["reads"] if items is None else items
    charts = any((results / f"{item}.json").is_file() for item in items)
    document = run_page(source, parameters, Surroundings(results, items, provenance))
    if renderer == "quarto":
        html = render_with_quarto(source, front, document, charts, output.name, navigation, site.title)
    else:
        html = assemble(source, site, front, document, navigation, charts, output.name, convert)
    if navigation:
        html = without_dead_links(html, page.parent, navigation)
    if address is not None:
        html = with_preview(html, address, output.name)
    write_whole(output, html)
    seconds = time.perf_counter() - started
    logger.info("render    %s: %.1f s, %d bytes, %s", page.name, seconds, len(html.encode()), renderer)


def assemble(
    source: Source,
    site: Site,
    front: dict[str, Any],
    document: Document,
    navigation: Sequence[Entry],
    charts: bool,
    name: str,
    convert: Convert = run_pandoc,
) -> str:
    """Return the HTML of a page whose cells have run.

    Parameters
    ----------
    source : the page, for error messages and its setting for a table of contents
    site : title and footer of the site
    front : title, and subtitle and description if there are any, as Markdown
    document : text of the page
    navigation : links and menus at the top of the page
    charts : True if the page has charts
    name : name of the HTML file
    convert : function that runs pandoc
    """
    metadata: dict[str, Any] = {key: front[key] for key in ("title", "subtitle", "description") if key in front}
    metadata |= {
        "site": site.title,
        "version": surefoot.__version__,
        "home": name == "index.html",
        "footer": site.footer,
        "contents": source.front_matter.get("toc", site.toc),
        "full": source.front_matter.get("page-layout") == "full",
    }
    html = _with_row_headings(convert(source.page, document.markdown, metadata))
    first = next((address for _, address in links_of(navigation)), name)
    tables = charts or any("<table" in content for content in (html, *document.html))
    style = "\n".join((HERE / name).read_text(encoding="utf-8") for name in ("style.css", "content.css"))
    parts = {MARK.format(number): content for number, content in enumerate(document.html)} | {
        "<!--first-->": escape(first),
        "<!--navigation-->": navigation_html(navigation, name),
        "<!--style-->": style + (font_faces() if charts else ""),
        "<!--script-->": f"<script>\n{page_script(charts, tables, has_live_charts(document))}</script>",
        "<!--theme-->": script("theme"),
    }
    # In one pass, since inserted texts may contain marks themselves.
    return re.sub("|".join(map(re.escape, parts)), lambda mark: parts[mark[0]], html)


def make_documentation(task: Task) -> None:
    """Write a page for each input whose name begins with ``docs/``."""
    pages = task.inputs["project"].parent
    site = read_site(pages)
    navigation = task.settings["navigation"]
    convert = functools.partial(convert_stored, task)
    for name, path in task.inputs.items():
        folder, _, stem = name.rpartition("/")
        if folder == "docs":
            html = without_dead_links(document_html(path, site, navigation, convert), pages, navigation)
            if "address" in task.settings:
                html = with_preview(html, task.settings["address"], document_address(stem))
            task.outputs[stem].write_text(html, encoding="utf-8")


def document_html(path: Path, site: Site, navigation: Sequence[Entry] = (), convert: Convert = run_pandoc) -> str:
    """Return the HTML of a file of the documentation.

    Parameters
    ----------
    path : the file; linked files must be in the same folder
    site : title and footer of the site
    navigation : links and menus at the top of the page
    convert : function that runs pandoc

    Raises
    ------
    PageError
        with the line of the file
    """
    lines = path.read_text(encoding="utf-8").split("\n")
    if not lines[0].startswith("# "):
        raise PageError(path, 1, "the file has no title", "begin the file with a line such as `# Costs`")
    front = {"title": lines[0].removeprefix("# ")}
    if path.stem != INDEX:
        front["subtitle"] = f"[Documentation]({document_address(INDEX)})"
    document = Document("\n".join(["", *lines[1:]]), [])
    source = Source(path, {**front, "toc": path.stem != INDEX}, [])
    html = assemble(source, site, front, document, navigation, False, document_address(path.stem), convert)
    # Tables of sentences cannot be sorted, and are not as wide as tables of numbers.
    return html.replace('<div class="scroll">', '<div class="scroll text">')


def _with_row_headings(html: str) -> str:
    """Make the first cell of each table row its heading, and empty headings plain cells."""
    # so that screen readers do not announce an empty heading
    html = re.sub(r"<th[^>]*></th>", "<td></td>", html)
    return re.sub(r"<tbody>.*?</tbody>", lambda body: body[0].replace("<th", '<th scope="row"'), html, flags=re.DOTALL)
