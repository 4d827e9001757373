"""Figures as pages have them: a picture within the page, one for phones, and what a script may tell of both."""

import copy
import json
import re
from typing import Any
from xml.etree import ElementTree

from surefoot.build.packing import packed
from surefoot.charts.dark import with_both_colours
from surefoot.charts.fonts import has_wide_letters, svg_in_fonts_of_the_machine
from surefoot.charts.live import CLASSES, Told, telling, told
from surefoot.charts.long_names import fit_names
from surefoot.charts.phone import for_phone
from surefoot.charts.small_pictures import compact, tidy
from surefoot.charts.theme import LONGEST
from surefoot.charts.widths import no_wider

VegaLite = dict[str, Any]

_PAPER = re.compile(r'<rect width="[\d.]+" height="[\d.]+" fill="white" ?/>')


def pictures(vega_lite: VegaLite, name: str) -> tuple[str, str]:
    """A chart as a file of its own (SVG, in light colours), and as a fragment of HTML.

    The fragment begins with an SVG whose colours follow the page, and ends with a script element, gzipped and base64,
    of what there is to tell: `names`, `marks` and `panels` of `surefoot.charts.live.Told`, and `phone`, the same of a
    picture for narrow windows with its `picture`, where it has one.

    Parameters
    ----------
    vega_lite : the chart
    name : of the figure, which parts of the picture are numbered after
    """
    latest: list[tuple[VegaLite, str]] = []
    wide = has_wide_letters(vega_lite)

    def width_of(chart: VegaLite) -> float:
        latest[:] = [(chart, _svg(chart, wide))]
        return _width(latest[0][1])

    def drawn(chart: VegaLite, name: str) -> tuple[ElementTree.Element, Told]:
        measured = [svg for each, svg in latest if each is chart]
        return _finished(measured[0] if measured else _svg(chart, wide), name)

    vega_lite, whole = copy.deepcopy(vega_lite), vega_lite
    fit_names(vega_lite, LONGEST)
    width = width_of(vega_lite)
    root, found = drawn(no_wider(vega_lite, width_of, width), name)
    alone = _written(root, xmlns="http://www.w3.org/2000/svg")
    told_of = found._asdict()
    if narrow := for_phone(whole, width_of, width):
        picture, found_there = drawn(narrow, f"{name}-phone")
        told_of["phone"] = found_there._asdict() | {"picture": _in_page(picture)}
    if found.names and not vega_lite.get("usermeta", {}).get(CLASSES):
        root.set("data-names", "|".join(found.names))
    script = packed(json.dumps(told_of, separators=(",", ":"), ensure_ascii=False))
    return alone, f'{_in_page(root)}\n<script type="application/gzip">{script}</script>'


def _svg(vega_lite: VegaLite, has_wide_letters: bool) -> str:
    import vl_convert  # which drawings of tables do without

    vega = telling(vl_convert.vegalite_to_vega(vega_lite))
    return svg_in_fonts_of_the_machine(vega) if has_wide_letters else str(vl_convert.vega_to_svg(vega))


def _width(svg: str) -> float:
    found = re.search(r'<svg[^>]* width="([\d.]+)"', svg)
    return float(found[1]) if found else 0.0


def _finished(svg: str, name: str) -> tuple[ElementTree.Element, Told]:
    root, found = told(with_own_ids(compact(svg), name))
    tidy(root)
    return root, found


def _in_page(root: ElementTree.Element) -> str:
    """The picture without its paper, in colours that follow the page."""
    for paper in [child for child in root if _PAPER.fullmatch(_written(child))][:1]:
        root.remove(paper)  # before it gets the page's colour, which is another one in a fold
    with_both_colours(root)
    return _written(root)


def _written(root: ElementTree.Element, xmlns: str | None = None) -> str:
    text = ElementTree.tostring(root, encoding="unicode", short_empty_elements=True).replace(" />", "/>")
    return text.replace("<svg", f'<svg xmlns="{xmlns}"', 1) if xmlns else text


def with_own_ids(picture: str, name: str) -> str:
    """The SVG with the ids of its parts numbered from 1, after its name: vl_convert numbers them on from one picture to
    the next, so that its bytes would depend on what was drawn before."""
    ids = dict.fromkeys(re.findall(r'\bid="([^"]+)"', picture))
    own = {old: f"{name}-{number}" for number, old in enumerate(ids, 1)}
    picture = re.sub(r'\bid="([^"]+)"', lambda found: f'id="{own[found[1]]}"', picture)
    return re.sub(r"url\(#([^)]+)\)", lambda found: f"url(#{own.get(found[1], found[1])})", picture)
