"""Pages through Quarto, where there is one: the same sources, in a copy of the project that nothing else touches."""

import functools
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import yaml

from surefoot.build.errors import InputError
from surefoot.reporting.cells import inline_markdown
from surefoot.reporting.page import Markdown
from surefoot.reporting.site import Entry, font_faces, page_script, quarto_navbar, theme_script
from surefoot.reporting.source import (
    Cell,
    PageError,
    Source,
    escape_markup,
    texts,
    with_expressions,
)

logger = logging.getLogger("surefoot")

HERE = Path(__file__).parent


def quarto_command(renderer: str) -> str | None:
    """Path of the `quarto` command where it shall render; None where the embedded renderer shall.

    Raises
    ------
    InputError
        where `renderer` is "quarto" and there is none
    """
    if renderer == "embedded":
        return None
    command = shutil.which("quarto")
    if command is None and renderer == "quarto":
        raise InputError("render", "there is no quarto command", "install Quarto, or write `render: auto`")
    return command


@functools.cache
def quarto_version(command: str) -> str:
    """The version of a `quarto` command."""
    return subprocess.run([command, "--version"], capture_output=True, encoding="utf-8", check=True).stdout.strip()


def render_with_quarto(
    command: str,
    source: Source,
    parameters: Mapping[str, Any],
    environment: Mapping[str, str],
    charts: bool,
    name: str,
    navigation: Sequence[Entry],
    site: str,
) -> str:
    """The HTML of a page as Quarto renders it, in one file.

    Parameters
    ----------
    command : path of `quarto`
    source : the page
    parameters : values for the names in its cell of parameters
    environment : what the cells need to know
    charts : whether the page has any
    name : of the HTML file
    navigation : links and menus of the navigation bar; without any, those of `_quarto.yml`
    site : title of the site

    Raises
    ------
    PageError
        where Quarto fails or leaves a reference unresolved
    """
    with tempfile.TemporaryDirectory(prefix="surefoot-") as folder:
        # Quarto writes beside the sources, and two pages at a time would be in each other's way.
        project = Path(folder)
        for path in source.page.parent.glob("*.qmd"):
            shutil.copyfile(path, project / path.name)
        if (drawings := source.page.parent / "images").is_dir():
            shutil.copytree(drawings, project / "images")
        text = filled_text(source, parameters)
        (project / source.page.name).write_text(text, encoding="utf-8")
        _write_project(source.page.parent / "_quarto.yml", project, charts, navigation)
        call = [command, "render", source.page.name, "--to", "html", "--output", name, "--output-dir", "site"]
        whole = os.environ | {"QUARTO_PYTHON": sys.executable} | dict(environment)
        done = subprocess.run(call, cwd=project, env=whole, capture_output=True, encoding="utf-8", check=False)
        logger.info("%s\n%s", done.stdout, done.stderr)
        _check(source, done)
        output = project / "site" / name
        if not output.is_file():
            raise PageError(source.page, 1, f"Quarto did not write {name}", "the log has its messages")
        html = with_counted_ids(output.read_text(encoding="utf-8"))
        # The site's title alone is that of the home page.
        title = re.search(r"<title>.*?</title>", html, re.DOTALL) if name == "index.html" else None
        return html if title is None else html.replace(title[0], f"<title>{escape(site)}</title>", 1)


def with_counted_ids(html: str) -> str:
    """The page with the ids of its cells without labels counted, which Quarto draws at random."""
    drawn = dict.fromkeys(re.findall(r'<div id="([0-9a-f]{8})" class="[^"]*\bcell\b', html))
    for number, identifier in enumerate(drawn, 1):
        html = html.replace(f'id="{identifier}"', f'id="cell-{number}"').replace(f"#{identifier}", f"#cell-{number}")
    return html


def quarto_value(value: Any) -> Markdown:
    """What Quarto shows for the value of an inline expression: the same as the embedded renderer.

    Quarto takes the quotation marks of a text for markup, and leaves the source of an empty one in the page.
    """
    return Markdown(inline_markdown(value) or "&#8203;")  # a space without width


def filled_text(source: Source, parameters: Mapping[str, Any]) -> str:
    """The text of the page as Quarto gets it, line by line the same (Quarto's -P needs papermill, and leaves front
    matter alone).

    Parameters stand in its front matter and at the end of their cell; expressions in blocks of code, which Quarto would
    run, are marked as code; no other expression is without a value; and a section, which has no number, is called by
    its title.
    """
    text = source.page.read_text(encoding="utf-8")
    lines = text.split("\n")
    # Cells make sections too.
    titles = {label: title for title, label in re.findall(r"#+ +([^\n{}]+?) *\{#(sec-[\w-]+)\}", text)}

    def titled(match: re.Match[str]) -> str:
        title = titles.get(match[1])
        return match[0] if title is None else f"[{title}](#{match[1]})"

    def value(expression: str, _: int) -> str:
        return f'`{{python}} __import__("{__name__}", fromlist=["x"]).{quarto_value.__name__}({expression})`'

    for piece in source.pieces:
        if isinstance(piece, Cell):
            if "tags" in piece.options:
                last = piece.line + piece.code.count("\n")
                lines[last] += "".join(f"\n{name} = {value!r}" for name, value in parameters.items())
            continue
        if piece.literal:
            changed = piece.text.replace("`{python} ", "`{{python}} ")
        else:
            changed = re.sub(r"(?<![\w@[-])@(sec-[\w-]*\w)", titled, with_expressions(piece.text, value))
        lines[piece.line - 1 : piece.line + piece.text.count("\n")] = changed.split("\n")
    end = next(number for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---")
    content = source.front_matter | texts(source, parameters, escape_markup)
    front = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100_000)
    return "\n".join(["---", front.rstrip("\n"), *lines[end:]])


def _write_project(project_file: Path, project: Path, charts: bool, navigation: Sequence[Entry]) -> None:
    content = yaml.safe_load(project_file.read_text(encoding="utf-8"))
    if navigation:
        content["website"]["navbar"] = {"left": quarto_navbar(navigation, escape_markup)}
    for section in ("format", "execute"):
        content[section] = content.get(section) or {}
    # A kernel that Quarto keeps alive would not see the environment of the next page.
    content["execute"]["daemon"] = False
    html = content["format"]["html"] = content["format"].get("html") or {}
    html |= {"embed-resources": True, "css": "content.css", "toc-expand": True}
    html["crossrefs-hover"] = False  # our script shows what a reference leads to
    style = (HERE / "content.css").read_text(encoding="utf-8") + (font_faces() if charts else "")
    (project / "content.css").write_text(style, encoding="utf-8")
    # In the header a script runs ahead of the page, so it waits for what it works on to be there.
    waiting = f'document.addEventListener("DOMContentLoaded", () => {{\n{page_script(charts)}}});\n'
    (project / "page.js").write_text(waiting, encoding="utf-8")
    html["include-in-header"] = [{"text": f'<script>\n{theme_script()}</script>\n<script src="page.js"></script>'}]
    (project / "_quarto.yml").write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")


def _check(source: Source, done: subprocess.CompletedProcess[str]) -> None:
    unresolved = re.search(r"Unable to resolve crossref @?([\w-]+)", done.stderr)
    if unresolved:  # which Quarto takes for a success
        lines = source.page.read_text(encoding="utf-8").split("\n")
        line = next((number for number, text in enumerate(lines, 1) if f"@{unresolved[1]}" in text), 1)
        raise PageError(source.page, line, f"unresolved reference @{unresolved[1]}", "label a figure or table so")
    if done.returncode:
        last = " ".join(done.stderr.split("\n")[-6:]).strip()
        raise PageError(source.page, 1, f"Quarto failed: {last}", "the log has all of its messages")
