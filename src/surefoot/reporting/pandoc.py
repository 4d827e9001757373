"""Markdown to HTML through pandoc and our Lua filter; whatever either of them reports is an error of the page."""

import json
import re
import subprocess
import tempfile
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypandoc

from surefoot.build.errors import nearest
from surefoot.reporting.cells import Document
from surefoot.reporting.source import PageError, line_of

HERE = Path(__file__).parent


def to_html(page: Path, document: Document, metadata: dict[str, Any]) -> str:
    """A page's HTML, with marks in the places of the cells' HTML.

    Parameters
    ----------
    page : path of the source, for the errors
    document : what `run_page` returns
    metadata : what the template needs; texts are read as Markdown

    Raises
    ------
    PageError
        at the first line with something unresolved or outside of the written subset
    """
    with tempfile.TemporaryDirectory(prefix="surefoot-") as folder:
        metadata_file = Path(folder) / "metadata.json"
        # Without escapes: pandoc takes those of the signs beyond 16 bits for invalid.
        metadata_file.write_text(json.dumps(metadata, ensure_ascii=False), encoding="utf-8")
        command = [
            pypandoc.get_pandoc_path(),
            "--from=markdown-native_divs-native_spans",
            "--to=html5",
            "--mathml",
            "--wrap=none",
            "--columns=100000",  # narrower than its source, a table would get widths in percent
            "--toc",
            "--toc-depth=3",
            "--syntax-highlighting=pygments",
            f"--data-dir={folder}",
            f"--template={HERE / 'template.html'}",
            f"--lua-filter={HERE / 'filter.lua'}",
            f"--metadata-file={metadata_file}",
        ]
        text = document.markdown.encode()
        done = subprocess.run(command, input=text, cwd=page.parent, capture_output=True, check=False)
    messages = done.stderr.decode()
    errors = [*_problems(page, messages), *_warnings(page, messages)]
    if errors:
        raise min(errors, key=lambda error: error.line)
    if done.returncode:
        raise RuntimeError(f"pandoc ended with {done.returncode}: {messages}")
    # A heading without words heads nothing, and a screen reader would read it out.
    html = re.sub(r"<th[^>]*></th>", "<td></td>", done.stdout.decode())
    # The first cell of a row says what the row is about.
    return re.sub(r"<tbody>.*?</tbody>", lambda body: body[0].replace("<th", '<th scope="row"'), html, flags=re.DOTALL)


def _problems(page: Path, messages: str) -> Iterator[PageError]:
    """What the filter reports: the text to look for, what is wrong, a hint, and names that could have been meant."""
    for message in messages.splitlines():
        if message.startswith("PROBLEM\t"):
            _, looks, what, hint, candidates = message.split("\t")
            hint = nearest(looks, candidates.split()) if candidates else hint
            yield PageError(page, line_of(page, urllib.parse.unquote(looks)), what, hint)


def _warnings(page: Path, messages: str) -> Iterator[PageError]:
    """What pandoc itself warns of."""
    for message in re.findall(r"^\[WARNING\] (.*(?:\n  .*)*)", messages, re.MULTILINE):
        text = " ".join(message.split())
        formula = re.search(r"Could not convert TeX math (\S+?),? ", text)
        line = line_of(page, formula[1]) if formula else 1
        yield PageError(page, line, f"pandoc: {text}", "correct the Markdown at this place")
