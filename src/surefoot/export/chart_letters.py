"""Where the words of a drawn chart run into each other."""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

_SVG = "{http://www.w3.org/2000/svg}"
_MOVED = re.compile(r"translate\(([-\d.e]+)[ ,]([-\d.e]+)\)")
_SIZE = re.compile(r"([\d.]+)px")
_LETTER = 0.45
"""The width of a letter in units of its size: of narrow letters, so that what fits is never said to overlap."""
_LEFT_OF = {"start": 0.0, "middle": 0.5, "end": 1.0}
_GAP = 2.0
"""Pixels that are left at least between two words beside each other."""


class _Box(NamedTuple):
    left: float
    right: float
    middle: float
    size: float


def number_of_overlaps(svg: str) -> int:
    """How many pairs of words in the panels of a picture of the converter overlap or nearly touch, and of names along
    an axis.

    Words that are turned are left aside, and so are titles and legends.
    """
    boxes = sorted(_boxes(ElementTree.fromstring(svg), 0.0, 0.0, False))
    found = 0
    for place, box in enumerate(boxes):
        for other in boxes[place + 1 :]:
            if other.left > box.right + _GAP:
                break
            found += abs(box.middle - other.middle) < (box.size + other.size) / 4
    return found


def _boxes(node: ElementTree.Element, x: float, y: float, is_word: bool) -> Iterator[_Box]:
    moved = _MOVED.search(node.get("transform", ""))
    if moved:
        x, y = x + float(moved[1]), y + float(moved[2])
    kind = node.get("class", "")
    is_word = is_word or "mark-text role-mark" in kind or "mark-text role-axis-label" in kind
    if node.tag == f"{_SVG}text" and is_word and "rotate" not in node.get("transform", ""):
        yield from _lines(node, x, y)
        return
    for child in node:
        yield from _boxes(child, x, y, is_word)


def _lines(text: ElementTree.Element, x: float, y: float) -> Iterator[_Box]:
    if text.get("opacity") == "0":
        return
    size = float((_SIZE.search(text.get("font-size", "")) or ["", "11"])[1])
    before = _LEFT_OF.get(text.get("text-anchor", "start"), 0.0)
    spans = text.findall(f"{_SVG}tspan")
    for place, line in enumerate(spans or [text]):
        width = len(line.text or "") * size * _LETTER
        if width:
            left = x - before * width
            yield _Box(left, left + width, y + place * size * 1.2, size)
