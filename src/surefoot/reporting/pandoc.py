"""Convert the Markdown of a page to HTML with pandoc, or take the HTML from the store."""

import json
import re
import subprocess
import tempfile
import urllib.parse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pypandoc

from surefoot.errors import nearest
from surefoot.reporting.page_source import PageError, line_of
from surefoot.workflow.fingerprint import fingerprint
from surefoot.workflow.job import versions
from surefoot.workflow.runner import Task

HERE = Path(__file__).parent
OPTIONS = (
    "--from=markdown-native_divs-native_spans",
    "--to=html5",
    "--mathml",
    "--wrap=none",
    "--columns=100000",  # otherwise pandoc gives wide tables widths in percent
    "--toc",
    "--toc-depth=3",
    "--syntax-highlighting=pygments",
)
Convert = Callable[[Path, str, Mapping[str, Any]], str]
"""A function such as `run_pandoc`."""


def run_pandoc(page: Path, markdown: str, metadata: Mapping[str, Any]) -> str:
    """Return a page's HTML, with marks in place of the navigation and of the HTML from cells.

    Parameters
    ----------
    page : path of the source, for error messages and linked files
    markdown : text of the page; see `run_page`
    metadata : values for the template; texts are interpreted as Markdown

    Raises
    ------
    PageError
        at the first line with an unresolved reference or unsupported markup
    """
    with tempfile.TemporaryDirectory(prefix="surefoot-") as folder:
        metadata_file = Path(folder) / "metadata.json"
        # Without escapes, since pandoc rejects escapes of characters beyond 16 bits.
        metadata_file.write_text(json.dumps(metadata, ensure_ascii=False), encoding="utf-8")
        command = [
            pypandoc.get_pandoc_path(),
            *OPTIONS,
            f"--data-dir={folder}",
            f"--template={HERE / 'template.html'}",
            f"--lua-filter={HERE / 'filter.lua'}",
            f"--metadata-file={metadata_file}",
        ]
        done = subprocess.run(command, input=markdown.encode(), cwd=page.parent, capture_output=True, check=False)
    messages = done.stderr.decode()
    errors = []
    for message in messages.splitlines():
        if message.startswith("PROBLEM\t"):  # from the filter: text on the page, problem, hint, candidate names
            _, looks, what, hint, candidates = message.split("\t")
            hint = nearest(looks, candidates.split()) if candidates else hint
            errors.append(PageError(page, line_of(page, urllib.parse.unquote(looks)), what, hint))
    for message in re.findall(r"^\[WARNING\] (.*(?:\n  .*)*)", messages, re.MULTILINE):  # from pandoc
        what = " ".join(message.split())
        formula = re.search(r"Could not convert TeX math (\S+?),? ", what)
        line = line_of(page, formula[1]) if formula else 1
        errors.append(PageError(page, line, f"pandoc: {what}", "correct the Markdown at this place"))
    if errors:
        raise min(errors, key=lambda error: error.line)
    if done.returncode:
        raise RuntimeError(f"pandoc ended with {done.returncode}: {messages}")
    return done.stdout.decode()


def convert_stored(task: Task, page: Path, markdown: str, metadata: Mapping[str, Any]) -> str:
    """Return the result of `run_pandoc` from the store, or run it and store the result.

    The navigation is inserted later, so the documentation and the methods are converted once for the sites of all
    studies.
    """
    settings = {
        "markdown": markdown,
        "metadata": metadata,
        "code": {__name__: fingerprint(__name__)},
        "versions": versions("render"),
    }
    output = next(iter(task.outputs.values())).with_name(f"{page.stem}.converted")

    def compute(path: Path) -> None:
        path.write_text(run_pandoc(page, markdown, metadata), encoding="utf-8")

    task.unit("render.convert", settings, task.hashes, compute, output)
    return output.read_text(encoding="utf-8")
