"""Pictures without what nobody sees."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree

TOLERANCE = 0.05
"""Pixels by which a line may be drawn off its place."""
_UNSEEN = re.compile(
    r' (?:role|aria-(?!label="[\u241e\u241c])[a-z]+|class|pointer-events)="[^"]*"'  # but for what `live` has said
    r'| (?:opacity|fill-opacity|stroke-opacity|stroke-width)="1"| stroke-dasharray="1,0"'
)
_PLACES = re.compile(r'(?<= )(?:d|points)="[^"]*"|translate\([^)]*\)')
_FRACTION = re.compile(r"-?\d*\.\d{2,}(?:e-?\d+)?")
_POLYLINE = re.compile(r'd="M((?:-?[\d.]+,-?[\d.]+L)+-?[\d.]+,-?[\d.]+)(Z?)"')
_FONT = re.compile(r' font-family="[^"]*"')
_EMPTY = re.compile(r'<path d="M0,0h0v0h0Z"[^>]*/>|<g(?: transform="translate\(0,0\)")?/?></g>|<g[^>]*/>')

Point = tuple[float, float]


def compact(picture: str) -> str:
    """The SVG with the same marks in fewer characters.

    It goes without roles, names and classes of single marks, which a picture with a text of its own does not tell,
    without values that are those of SVG anyway, and without the points of a line that lie on it; places are to a tenth
    of a pixel, and the font of most texts is that of the whole.
    """
    picture = _UNSEEN.sub("", picture)
    picture = _PLACES.sub(lambda found: _FRACTION.sub(_shortened, found[0]), picture)
    picture = _POLYLINE.sub(_straightened, picture)
    return _with_one_font(_EMPTY.sub("", picture))


def simplified(points: Sequence[Point], tolerance: float = TOLERANCE) -> list[Point]:
    """The points without those that lie on the line between their neighbours that stay; no point that goes is farther
    from the line that is drawn in its place than the tolerance."""
    kept, start = [points[0]], 0
    for end in range(2, len(points)):
        if any(_distance(point, points[start], points[end]) > tolerance for point in points[start + 1 : end]):
            start = end - 1
            kept.append(points[start])
    return [*kept, points[-1]]


def _distance(point: Point, start: Point, end: Point) -> float:
    """From a point to a segment."""
    along = (end[0] - start[0], end[1] - start[1])
    square = along[0] ** 2 + along[1] ** 2
    offset = (point[0] - start[0], point[1] - start[1])
    share = min(max((offset[0] * along[0] + offset[1] * along[1]) / square, 0.0), 1.0) if square else 0.0
    across = (offset[0] - share * along[0], offset[1] - share * along[1])
    return float((across[0] ** 2 + across[1] ** 2) ** 0.5)


def _straightened(found: re.Match[str]) -> str:
    points = [(float(x), float(y)) for x, y in (pair.split(",") for pair in found[1].split("L"))]
    return f'd="{"".join(_steps(simplified(points)))}{found[2]}"'


def _steps(points: Sequence[Point]) -> Iterator[str]:
    """The commands of a path through points, each told from the one before, to a tenth of a pixel."""
    (x, y), *rest = [(round(x, 1), round(y, 1)) for x, y in points]
    yield f"M{x + 0.0:g},{y + 0.0:g}"
    last = ""
    for to_x, to_y in rest:
        dx, dy = round(to_x - x, 1), round(to_y - y, 1)
        command, numbers = ("h", [dx]) if not dy else ("v", [dy]) if not dx else ("l", [dx, dy])
        written = ",".join(
            f"{number:g}".replace("0.", ".", 1) if abs(number) < 1 else f"{number:g}" for number in numbers
        )
        written = written.replace(",-", "-")
        yield (
            written
            if command == last and written.startswith("-")
            else f",{written}"
            if command == last
            else f"{command}{written}"
        )
        last, x, y = command, to_x, to_y


def _with_one_font(picture: str) -> str:
    """With the font that most texts have as that of the whole."""
    fonts = Counter(_FONT.findall(picture))
    if not fonts:
        return picture
    font = fonts.most_common(1)[0][0]
    return picture.replace(font, "").replace("<svg", f"<svg{font}", 1)


def _shortened(number: re.Match[str]) -> str:
    """To one decimal, without a trailing zero."""
    return f"{round(float(number[0]), 1) + 0.0:g}"


_INHERITED = (
    *("fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight", "font-family", "text-anchor"),
    *("fill-opacity", "stroke-opacity"),
)


def tidy(group: ElementTree.Element) -> None:
    """Take groups without attributes away, and say once, of a group, what is so of all its elements."""
    for child in list(group):
        if child.tag == "g":
            tidy(child)
            if not child.attrib:
                at = list(group).index(child)
                group.remove(child)
                for place, element in enumerate(list(child)):
                    group.insert(at + place, element)
    if group.tag == "g" and len(group) > 1:
        for name in _INHERITED:
            values = {element.get(name) for element in group}
            if len(values) == 1 and (value := values.pop()) is not None:
                group.set(name, value)
                for element in group:
                    del element.attrib[name]
