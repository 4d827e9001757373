"""Markdown to HTML through pandoc and our Lua filter; whatever either of them reports is an error of the page."""

import json
import re
import subprocess
import tempfile
import urllib.parse
from pathlib import Path
from typing import Any, NamedTuple

import pypandoc

from surefoot.build.errors import nearest
from surefoot.reporting.document import Document
from surefoot.reporting.errors import PageError
from surefoot.reporting.literal import show, show_in_html
from surefoot.reporting.site import page_address

HERE = Path(__file__).parent

# For each kind of problem that the filter reports: what is wrong, where no near name is known a hint, and how the text
# that stands for it looks in the page.
_PROBLEMS = {
    "reference": (
        "unresolved reference {0}",
        "label a figure or table so; the subset has no citations",
        "{0}",
    ),
    "reference with text": (
        "a text within the brackets of a reference",
        "write the text outside: see {0}",
        "{0}",
    ),
    "duplicate": ('"{0}" names two things', "give one of them another name", "{0}"),
    "no caption": ("{0} has no caption", "end the block with a paragraph: the caption", "{0}"),
    "tabset": ("a tabset that does not begin with a heading", "begin each tab with a heading such as ## Name", "{0}"),
    "div": (
        'unknown block "{0}"',
        "blocks are callouts, panel-tabset, lead, column-page, study-cards, study-card, beside and stacked",
        "{0}",
    ),
    "span": ('unknown span "{0}"', "write plain Markdown; the written subset has no spans", "{0}"),
    "heading": ('unknown class "{0}" of a heading', "a heading takes a label only, such as {{#sec-scores}}", "{0}"),
    "attribute": ('unknown attribute "{0}"', "a callout takes title and collapse", "{0}="),
    "page": ('there is no page "{0}"', "link to a page that lies beside this one", "{0}"),
    "anchor": ("the link {0} leads nowhere", "give the heading a label such as {{#sec-scores}}", "{0}"),
    "link": ('a link to "{0}"', "link to pages of the site, parts of this page, or https addresses", "{0}"),
    "image": ('an image, "{0}"', "a drawing is images/name.svg beside the page; page.figure(…) shows charts", "{0}"),
    "stray": ('"{0}" is read as text', "close or define it, or write it in `code`", "{0}"),
    "raw": ('raw code, "{0}"', "write Markdown; HTML comes from cells only", "{0}"),
}


class _Report(NamedTuple):
    line: int
    what: str
    hint: str


def to_html(page: Path, document: Document, metadata: dict[str, Any]) -> str:
    """A page's HTML, with marks in the places of the cells' HTML.

    Parameters
    ----------
    page : path of the source, for the errors
    document : what `run_page` made
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
            "--syntax-highlighting=none",
            f"--data-dir={folder}",
            f"--template={HERE / 'template.html'}",
            f"--lua-filter={HERE / 'filter.lua'}",
            f"--metadata-file={metadata_file}",
        ]
        text = document.markdown.encode()
        done = subprocess.run(command, input=text, cwd=page.parent, capture_output=True, check=False)
    messages = show(done.stderr.decode())
    reports = [*_problems(page, document, messages), *_warnings(document, messages)]
    if reports:
        first = min(reports, key=lambda report: report.line)
        raise PageError(page, first.line, first.what, first.hint)
    if done.returncode:
        raise RuntimeError(f"pandoc ended with {done.returncode}: {messages}")
    # A heading without words heads nothing, and a screen reader would tell of it.
    html = re.sub(r"<th[^>]*></th>", "<td></td>", show_in_html(done.stdout.decode()))
    return re.sub(r"<tbody>.*?</tbody>", lambda body: _with_names_of_rows(body[0]), html, flags=re.DOTALL)


def _with_names_of_rows(body: str) -> str:
    """The body of a table whose heading cells say what their rows are about; a formula alone has no words that a screen
    reader could call a row by."""
    formula = r"<th[^>]*>\s*(<math\b(?:(?!</t[hd]>).)*</math>)\s*</th>"
    body = re.sub(formula, r'<td class="name">\1</td>', body, flags=re.DOTALL)
    return body.replace("<th", '<th scope="row"')


def _problems(page: Path, document: Document, messages: str) -> list[_Report]:
    reports = []
    for message in messages.splitlines():
        if not message.startswith("PROBLEM\t"):
            continue
        _, kind, token, meant = message.split("\t")
        if kind == "page":
            if page_address(page.parent, token):
                continue
            meant = " ".join(sorted(other.name for other in page.parent.glob(f"*{Path(token).suffix}")))
        what, hint, looks = _PROBLEMS[kind]
        if meant.strip():
            sign = token[0] if token[0] in "@#" else ""
            hint = nearest(token, [f"{sign}{name}" for name in meant.split()])
        line = _find(document, looks.format(urllib.parse.unquote(token)))
        reports.append(_Report(line, what.format(token), hint.format(token)))
    return reports


def _find(document: Document, token: str) -> int:
    """The page's line of a text; the first that holds it as a word of its own, in braces before anywhere else."""
    word = rf"(?<![\w-]){re.escape(token)}(?![\w-])"
    lines = document.markdown.split("\n")
    for pattern in (rf"^:::.*{word}|\{{[^}}]*{word}", word, re.escape(token)):
        for number, line in enumerate(lines):
            if number < len(document.lines) and re.search(pattern, line):
                return document.lines[number]
    return 1


def _warnings(document: Document, messages: str) -> list[_Report]:
    reports = []
    for message in re.findall(r"^\[WARNING\] (.*(?:\n  .*)*)", messages, re.MULTILINE):
        text = " ".join(message.split())
        place = re.search(r"\bline (\d+)", text)
        line = document.lines[min(int(place[1]), len(document.lines)) - 1] if place else 1
        formula = re.search(r"Could not convert TeX math (.*?)(?:, rendering as TeX|$)", text)
        if formula:
            line = _find(document, formula[1].split()[0])
        reports.append(_Report(line, f"pandoc: {text}", "correct the Markdown at this place"))
    return reports
