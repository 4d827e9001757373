"""Find faults in the tables of pages, in a window of 1,280 pixels with all folds open.

    python benchmarks/tables.py results/render [more pages or folders]

Prints a row per fault: hidden columns; a caption that is missing, has no number or is below its table; a key instead of
a name; meaningless digits; empty cells. The exit status is 1 if there is a fault.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from devtools import BROWSERS, DevTools, find_browser

WIDTH = 1280
_FACTS = r"""(() => {
  document.querySelectorAll("main details").forEach((fold) => (fold.open = true));
  return [...document.querySelectorAll("main table")].filter((table) => table.tHead).map((table) => {
    const box = table.closest(".scroll") ?? table.parentElement;
    const caption = table.caption ?? table.closest("figure")?.querySelector("figcaption");
    const texts = (cells) => [...cells].map((cell) => {
      const copy = cell.cloneNode(true);
      copy.querySelectorAll("math, code").forEach((part) => part.replaceWith("formula"));
      return copy.textContent.trim();
    });
    const inWindow = box.getBoundingClientRect().right <= document.documentElement.clientWidth;
    return {
      hidden: Math.max(0, box.scrollWidth - box.clientWidth), inWindow,
      caption: caption?.textContent.trim() ?? "",
      above: !caption || caption === table.caption || Boolean(caption.compareDocumentPosition(table) & 4),
      head: texts(table.tHead.rows[0].cells), cells: texts(table.querySelectorAll("tbody :is(th, td)")),
      written: !table.dataset.quartoDisableProcessing,
    };
  });
})()"""
_KEY = r"[a-z0-9]_[a-z0-9]|[a-z]/[a-z]+/"
_DIGITS = r"^-?\d*\.0*[1-9]\d{6,}|\b(?:True|False|nan|NaN|None)\b|\d\.\d{5,}e"


class Table(NamedTuple):
    """A table of a page: its caption or headings, shortened, and its faults."""

    name: str
    faults: list[str]


def look_at(browser: DevTools, page: Path, captions: bool = True) -> list[Table]:
    """Return the tables of a page in their order; if `captions`, a missing caption is a fault."""
    browser.open(page, WIDTH)
    facts: list[dict[str, Any]] = browser.evaluate(_FACTS)
    return [
        Table(fact["caption"][:40] or ", ".join(fact["head"])[:40], list(_faults(fact, captions))) for fact in facts
    ]


def _faults(fact: dict[str, Any], captions: bool) -> Iterator[str]:
    if fact["hidden"] or not fact["inWindow"]:
        yield f"{fact['hidden']} pixels are out of sight"
    if captions and not re.match(r"Table\s\d+", fact["caption"]):
        yield "no caption with a number"
    if not fact["above"]:
        yield "the caption is below the table"
    if fact["written"]:
        return  # cells of a Markdown table are written by an author
    for what, pattern in (("a key", _KEY), ("digits", _DIGITS)):
        found = [cell for cell in fact["cells"] if re.search(pattern, cell)]
        if found:
            yield f"{what}: {found[0]!r} and {len(found) - 1} more cells"
    if "" in fact["cells"]:
        yield f"{fact['cells'].count('')} empty cells"
    if any(re.fullmatch(r"[a-z]+(_[a-z]+)+", heading) for heading in fact["head"]):
        yield f"keys in the head: {', '.join(fact['head'])}"


def main(paths: list[str]) -> int:
    if find_browser() is None or not paths:
        print(f"found none of {', '.join(BROWSERS)}. Hint: install one" if paths else __doc__, file=sys.stderr)
        return 2
    pages = [page for path in map(Path, paths) for page in (sorted(path.glob("*.html")) if path.is_dir() else [path])]
    count = wrong = 0
    with DevTools() as browser:
        for page in pages:
            for table in look_at(browser, page, captions=not page.stem.startswith("docs-")):
                count += 1
                wrong += bool(table.faults)
                for fault in table.faults:
                    print(f"{page.stem:28} {table.name:42} {fault}", flush=True)
    print(f"{wrong} of {count} tables of {len(pages)} pages have faults")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
