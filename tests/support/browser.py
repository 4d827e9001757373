"""Open pages in headless Chromium without network, and report drawn marks, console messages and broken links."""

import re
import shutil
import subprocess
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS_ALLOWED = 120
# Virtual time in the page, which passes as fast as the work of the page allows.
MILLISECONDS_IN_PAGE = 20_000

VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"))
DRAWN = frozenset(("path", "rect", "circle", "line", "text", "image"))


class PageFacts(NamedTuple):
    """State of a page after it was opened in a browser.

    charts : number of drawn marks of each chart
    live : for each chart, True if the script has made it interactive
    console_errors : console messages of scripts
    broken_links : links to files, or to parts of files, that do not exist
    fetched : addresses of other files that the page loads
    dom : HTML of the page after its scripts have run
    """

    charts: list[int]
    live: list[bool]
    console_errors: list[str]
    broken_links: list[str]
    fetched: list[str]
    dom: str


def find_browser() -> str | None:
    """Return the path of the browser, or None if no browser is installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def open_page(path: Path) -> PageFacts:
    """Open an HTML file, and return the state of the page."""
    with tempfile.TemporaryDirectory(prefix="surefoot-browser-") as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        done = _run(copy, "--dump-dom", f"--virtual-time-budget={MILLISECONDS_IN_PAGE}")
    page = _Page()
    page.feed(done.stdout)
    console = re.findall(r':INFO:CONSOLE[:(]\d+\)?\] "(.*?)", source:', done.stderr, re.DOTALL)
    return PageFacts(page.charts, page.live, console, broken_links(path, page), page.fetched, done.stdout)


def broken_links(path: Path, page: "_Page") -> list[str]:
    """Return the links of a parsed page to files, or parts of files, that do not exist."""
    identifiers = {path.resolve(): page.identifiers}
    broken = []
    for link in page.links:
        if re.match(r"(https?|data|mailto|blob):", link):
            continue
        address, _, part = unquote(link).partition("#")
        name = address.partition("?")[0]
        target = (path.parent / name).resolve() if name else path.resolve()
        if not target.is_file():
            broken.append(link)
        elif part:
            if target not in identifiers:
                other = _Page()
                other.feed(target.read_text(encoding="utf-8"))
                identifiers[target] = other.identifiers
            if part not in identifiers[target]:
                broken.append(link)
    return broken


def _run(path: Path, *options: str) -> subprocess.CompletedProcess:
    with tempfile.TemporaryDirectory(prefix="surefoot-browser-", ignore_cleanup_errors=True) as profile:
        command = [
            find_browser(),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            f"--user-data-dir={profile}",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--enable-logging=stderr",
            *options,
            path.resolve().as_uri(),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_ALLOWED, check=False)
    if done.returncode:
        raise RuntimeError(f"the browser ended with {done.returncode}: {done.stderr[-2000:]}")
    return done


class _Page(HTMLParser):
    """Parser that collects charts with their marks, links, identifiers and fetched addresses."""

    def __init__(self):
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.charts: list[int] = []
        self.live: list[bool] = []
        self.links: list[str] = []
        self.identifiers: set[str] = set()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attributes}
        if "id" in found:
            self.identifiers.add(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        loads = found.get("src", "") if tag != "link" else found.get("href", "")
        if loads and not loads.startswith("data:"):
            self.fetched.append(loads)
        classes = found.get("class", "")
        if tag == "div" and "chart" in classes.split():
            self.charts.append(0)
            self.live.append(False)
        elif tag == "svg" and self._within("picture"):
            self.live[-1] |= "tabindex" in found
        elif tag in DRAWN and "data-tooltip" in found and "NaN" not in found.get("d", "") + found.get("transform", ""):
            self.charts[-1] += 1
        if tag not in VOID:
            self.open.append((tag, classes))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if any(name == tag for name, _ in self.open):
            while self.open.pop()[0] != tag:
                pass

    def _within(self, name: str) -> bool:
        return any(name in classes.split() for _, classes in self.open)
