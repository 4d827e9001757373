"""Check the accessibility of each page of a site with axe-core: in light and dark, in a wide window and on a phone.

    npm ci --prefix tests/accessibility
    python benchmarks/accessibility.py results/render [more pages or folders]

Prints a row per page and look: the number of elements that break a rule, the number of elements that the Tab key
reaches, by how many pixels the page is wider than its window, and the broken rules. Rules and widths are checked with
all folds open. The exit status is 1 if any rule is broken.
"""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from devtools import BROWSERS, PHONE, DevTools, find_browser

AXE = Path(__file__).parents[1] / "tests" / "accessibility" / "node_modules" / "axe-core" / "axe.min.js"
LOOKS = {"light": (1280, False), "dark": (1280, True), "phone": (PHONE, False), "phone, dark": (PHONE, True)}
"""For each look, the width of the window in pixels and whether the theme is dark."""
_OPEN_ALL = "document.querySelectorAll('main details').forEach((fold) => (fold.open = true))"
_RUN = """axe.run(document, { resultTypes: ["violations"] }).then((found) => JSON.stringify(found.violations.map(
  ({ id, nodes }) => ({ id, places: nodes.map(({ html, any, all, none }) => ({
    html: html.slice(0, 300), why: [...any, ...all, ...none].map(({ message }) => message).join("; ") })) }))))"""
_STOPS = """[...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1'])")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)"""


class Look(NamedTuple):
    """Result of the check of a page in one look.

    violations : for each broken rule of axe-core, the elements that break it: {"html": element, "why": explanation}
    stops : number of elements that the Tab key reaches while folds are closed
    too_wide : by how many pixels the page is wider than its window
    """

    violations: dict[str, list[dict[str, str]]]
    stops: int
    too_wide: int


def look_at(browser: DevTools, page: Path, width: int, dark: bool) -> Look:
    """Check a page in a window of the given width, in the light or the dark theme."""
    browser.open(page, width, dark=dark)
    stops = browser.evaluate(f"{_STOPS}.length")
    browser.evaluate(_OPEN_ALL)
    browser.evaluate(AXE.read_text(encoding="utf-8") + "; 0")
    found: list[dict[str, Any]] = json.loads(browser.evaluate(_RUN))
    return Look(
        {rule["id"]: rule["places"] for rule in found},
        stops,
        browser.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
    )


def main(paths: list[str]) -> int:
    if find_browser() is None or not AXE.is_file() or not paths:
        missing = f"found none of {', '.join(BROWSERS)}. Hint: install one"
        if find_browser():
            missing = "axe-core is not installed. Hint: npm ci --prefix tests/accessibility"
        print(missing if paths else __doc__, file=sys.stderr)
        return 2
    pages = [page for path in map(Path, paths) for page in (sorted(path.glob("*.html")) if path.is_dir() else [path])]
    broken = 0
    print(f"{'page':28} {'look':12} {'places':>6} {'stops':>6} {'too wide':>9}  rules")
    with DevTools() as browser:
        for page in pages:
            for name, (width, dark) in LOOKS.items():
                look = look_at(browser, page, width, dark)
                count = sum(map(len, look.violations.values()))
                broken += count
                rules = ", ".join(f"{rule} {len(places)}" for rule, places in look.violations.items())
                print(f"{page.stem:28} {name:12} {count:6} {look.stops:6} {look.too_wide:9}  {rules}", flush=True)
                for rule, places in look.violations.items():
                    print(f"{'':48} {rule}: {places[0]['html']} ({places[0]['why']})", file=sys.stderr, flush=True)
    return min(broken, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
