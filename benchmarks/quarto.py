"""Check that Quarto and the embedded renderer make the same pages of a site.

    python benchmarks/quarto.py [PAGE ...]

Run it in a clone whose site has been built; Quarto must be installed. The named pages (default: all) are rendered by
both, and their references, captions, tables, headings and charts are compared. Prints a row per page, followed by the
lines that differ, as a diff from the embedded renderer to Quarto. The exit status is 1 if anything differs.
"""

import difflib
import sys
import tempfile
import time
from html.parser import HTMLParser
from pathlib import Path
from shutil import which

from surefoot.reporting.render import make_page
from surefoot.workflow.configuration.validation import read_back
from surefoot.workflow.files import sha256_file
from surefoot.workflow.folder import read_configuration_of_results
from surefoot.workflow.job import Job
from surefoot.workflow.planning.plan import plan
from surefoot.workflow.runner import Task

_VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))
_SEEN = {"figcaption": "caption", "caption": "caption", "th": "cell", "td": "cell"} | {
    f"h{level}": "heading" for level in range(2, 5)
}
_REFERRED = ("#fig-", "#tbl-", "#sec-")


def facts(html: str) -> list[str]:
    """Return the content of a page that both renderers must share.

    A line for each reference, caption, table cell, heading and chart of the main part of the page, in page order.
    """
    reader = _Reader()
    reader.feed(html)
    return reader.lines


def differences(embedded: str, quarto: str) -> list[str]:
    """Return the lines of a diff between the content of two pages, see `facts`."""
    lines = difflib.unified_diff(facts(embedded), facts(quarto), "embedded", "quarto", lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._open: list[str] = []
        self._kind = ""
        self._text: list[str] = []
        self._left_out = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if "main" in self._open and not self._left_out:
            if tag == "div" and "chart" in (given.get("class") or "").split():
                self.lines.append("chart")
            if tag == "svg" and given.get("role") == "img":
                self.lines.append(f"picture: {given.get('aria-label')}")
            if tag in _SEEN:
                self._begin(_SEEN[tag])
            elif tag == "a" and (given.get("href") or "").startswith(_REFERRED) and not self._kind:
                self._begin(f"reference {given['href']}")
        if tag not in _VOID:
            self._open.append(tag)
            # Anchor links of headings, scripts, and the content of pictures are not text of the page.
            left_out = tag in ("script", "style", "svg", "nav") or "anchorjs-link" in (given.get("class") or "")
            self._left_out += left_out or self._left_out > 0

    def handle_endtag(self, tag: str) -> None:
        if tag not in self._open:
            return
        while True:
            closed = self._open.pop()
            self._left_out -= self._left_out > 0
            if closed in _SEEN or (closed == "a" and self._kind.startswith("reference")):
                self._end()
            if closed == tag:
                return

    def handle_data(self, data: str) -> None:
        if self._kind and not self._left_out:
            self._text.append(data)

    def _begin(self, kind: str) -> None:
        self._kind, self._text = kind, []

    def _end(self) -> None:
        if self._kind:
            self.lines.append(f"{self._kind}: {' '.join(''.join(self._text).split())}")
        self._kind = ""


def rendered(job: Job, renderer: str, folder: Path) -> str:
    """Render the page of a job with a renderer and return its HTML."""
    inputs = {name: Path(path) for name, path in job.inputs.items()}
    output = folder / Path(job.outputs["page"]).name
    hashes = {name: sha256_file(path) for name, path in inputs.items()}
    settings = job.plain_settings() | {"renderer": renderer}
    make_page(Task(settings, inputs, {"page": output}, 1, print, print, hashes))
    return output.read_text(encoding="utf-8")


def main(names: list[str]) -> int:
    if which("quarto") is None:
        print('the command quarto is not found. Hint: pip install ".[quarto]"', file=sys.stderr)
        return 2
    jobs = plan(read_back(read_configuration_of_results()))
    pages_made = {job.name: job for job in jobs if job.rule == "render" and Path(job.outputs["page"]).is_file()}
    unknown = [name for name in names if name not in pages_made]
    if unknown or not pages_made:
        hint = f"use {', '.join(pages_made)}" if pages_made else "run snakemake"
        print(f"found no page {' '.join(unknown)}".rstrip() + f". Hint: {hint}", file=sys.stderr)
        return 2
    different = 0
    print(f"{'page':32} {'facts':>6} {'differ':>7} {'embedded s':>11} {'Quarto s':>9}")
    for name in names or pages_made:
        pages, seconds = [], []
        with tempfile.TemporaryDirectory(prefix="surefoot-quarto-") as folder:
            for renderer in ("embedded", "quarto"):
                started = time.perf_counter()
                pages.append(rendered(pages_made[name], renderer, Path(folder)))
                seconds.append(time.perf_counter() - started)
        lines = differences(*pages)
        different += len(lines)
        print(f"{name:32} {len(facts(pages[0])):6} {len(lines):7} {seconds[0]:11.1f} {seconds[1]:9.1f}", flush=True)
        for line in lines:
            print(f"    {line}", flush=True)
    return min(different, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
