"""What axe-core finds wrong with each page of a site: in light, in dark, and on a phone; and what a reader would notice
that axe does not look for.

    npm ci --prefix tests/accessibility
    python benchmarks/accessibility.py results/render [more pages or folders]

One row a page and look: in how many places it breaks rules, how many places the Tab key leads to, how many pixels the
page is wider than its window, and the rules. Rules and widths are those of open folds and live charts. The command ends
with 1 where any rule is broken.
"""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

from devtools import BROWSERS, PHONE, DevTools, find_browser

AXE = Path(__file__).parents[1] / "tests" / "accessibility" / "node_modules" / "axe-core" / "axe.min.js"
LOOKS = {"light": (1280, False), "dark": (1280, True), "phone": (PHONE, False), "phone, dark": (PHONE, True)}
"""Width in pixels, and whether it is dark."""
_OPEN_ALL = "document.querySelectorAll('main details').forEach((fold) => (fold.open = true))"
_RUN = """axe.run(document, { resultTypes: ["violations"] }).then((found) => JSON.stringify(found.violations.map(
  ({ id, nodes }) => ({ id, places: nodes.map(({ html, any, all, none }) => ({
    html: html.slice(0, 300), why: [...any, ...all, ...none].map(({ message }) => message).join("; ") })) }))))"""
_STOPS = """[...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex='-1'])")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled)"""


class Look(NamedTuple):
    """What is wrong with a page in one look.

    violations : {rule of axe: [{"html": the place, "why": what axe says}]}
    stops : how many places the Tab key leads to while folds are closed
    too_wide : pixels of the page beyond its window
    """

    violations: dict[str, list[dict[str, str]]]
    stops: int
    too_wide: int


def look_at(browser: DevTools, page: Path, width: int, dark: bool) -> Look:
    """What is wrong with a page in a window of some width, in light or dark."""
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
        missing = f"none of {', '.join(BROWSERS)} is here. Hint: install one"
        if find_browser():
            missing = "axe-core is not here. Hint: npm ci --prefix tests/accessibility"
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
