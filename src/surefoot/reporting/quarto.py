"""Render pages with Quarto, if installed, in a private copy of the project with the output of the cells."""

import functools
import logging
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import yaml

import surefoot
from surefoot.reporting.page_cells import MARK, Document, has_live_charts
from surefoot.reporting.page_source import PageError, Source, line_of
from surefoot.reporting.site import Entry, font_faces, page_script, quarto_navbar, script

logger = logging.getLogger("surefoot")

HERE = Path(__file__).parent


@functools.cache
def quarto_version() -> str:
    """Return the version of the installed Quarto."""
    return subprocess.run(["quarto", "--version"], capture_output=True, encoding="utf-8", check=True).stdout.strip()


def render_with_quarto(
    source: Source,
    front: Mapping[str, Any],
    document: Document,
    charts: bool,
    name: str,
    navigation: Sequence[Entry],
    site: str,
) -> str:
    """Return the HTML of a page as rendered by Quarto, in one file.

    Parameters
    ----------
    source : the page
    front : title, subtitle and description, with parameters filled in
    document : the text of the page, whose cells have run
    charts : True if the page has charts
    name : name of the HTML file
    navigation : links and menus of the navigation bar; by default those of `_quarto.yml`
    site : title of the site

    Raises
    ------
    PageError
        if Quarto fails or leaves a reference unresolved
    """
    with tempfile.TemporaryDirectory(prefix="surefoot-") as folder:
        # Quarto writes files next to the sources, so two pages that are rendered at once would interfere.
        project = Path(folder)
        for path in source.page.parent.glob("*.qmd"):
            shutil.copyfile(path, project / path.name)
        if (drawings := source.page.parent / "images").is_dir():
            shutil.copytree(drawings, project / "images")
        (project / source.page.name).write_text(page_text(source, front, document), encoding="utf-8")
        _write_project(source.page.parent / "_quarto.yml", project, charts, navigation, has_live_charts(document))
        call = ["quarto", "render", source.page.name, "--to", "html", "--output", name, "--output-dir", "site"]
        done = subprocess.run(call, cwd=project, capture_output=True, encoding="utf-8", check=False)
        logger.info("%s\n%s", done.stdout, done.stderr)
        unresolved = re.search(r"Unable to resolve crossref @?([\w-]+)", done.stderr)
        if unresolved:  # which Quarto does not treat as an error
            line = line_of(source.page, f"@{unresolved[1]}")
            hint = "give this label to a figure or table"
            raise PageError(source.page, line, f"unresolved reference @{unresolved[1]}", hint)
        if done.returncode:
            last = " ".join(done.stderr.split("\n")[-6:]).strip()
            raise PageError(source.page, 1, f"Quarto failed: {last}", "see its messages in the log")
        html = (project / "site" / name).read_text(encoding="utf-8")
        # The title of the home page is only the title of the site.
        title = re.search(r"<title>.*?</title>", html, re.DOTALL) if name == "index.html" else None
        return html if title is None else html.replace(title[0], f"<title>{escape(site)}</title>", 1)


def page_text(source: Source, front: Mapping[str, Any], document: Document) -> str:
    """Return the text of a page for Quarto, in which cells are replaced by their output.

    The parameters of the front matter are filled in. References to sections are replaced by the title of the section,
    as sections have no numbers.
    """
    text = document.markdown
    for number, html in enumerate(document.html):
        text = text.replace(MARK.format(number), html)
    for title, label in re.findall(r"#+ +([^\n{}]+?) *\{#(sec-[\w-]+)\}", text):
        link = f"[{title}](#{label})".replace("\\", r"\\")
        text = re.sub(rf"(?<![\w@[-])@{label}(?![\w-])", link, text)
    matter = source.front_matter | dict(front) | {"engine": "markdown"}
    return f"---\n{yaml.safe_dump(matter, sort_keys=False, allow_unicode=True, width=100_000)}---\n{text}"


def _write_project(project_file: Path, project: Path, charts: bool, navigation: Sequence[Entry], live: bool) -> None:
    content = yaml.safe_load(project_file.read_text(encoding="utf-8"))
    website = content["website"]
    website["page-footer"] = {"left": f"{website['title']} {surefoot.__version__}. {website.get('page-footer', '')}"}
    if navigation:
        website["navbar"] = {"left": quarto_navbar(navigation)}
    formats = content["format"] = content.get("format") or {}
    html = formats["html"] = formats.get("html") or {}
    html |= {"embed-resources": True, "css": "content.css", "toc-expand": True}
    html["crossrefs-hover"] = False  # our own script previews the targets of references
    style = (HERE / "content.css").read_text(encoding="utf-8") + (font_faces() if charts else "")
    (project / "content.css").write_text(style, encoding="utf-8")
    # A script in the header runs before the page is loaded, so it waits for the page.
    waiting = f'document.addEventListener("DOMContentLoaded", () => {{\n{page_script(charts, live=live)}}});\n'
    (project / "page.js").write_text(waiting, encoding="utf-8")
    html["include-in-header"] = [{"text": f'<script>\n{script("theme")}</script>\n<script src="page.js"></script>'}]
    (project / "_quarto.yml").write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
