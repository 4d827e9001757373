"""A chart as a picture: a file of its own (SVG), and the part of a page that shows it (HTML).

It is drawn by Vega once, when it is made. In a page it is as wide as there is room; dark pages turn its lightness
round. What there is to tell of a mark is its description (`surefoot.charts.theme.TOLD`), which Vega writes into the
picture; in a page it is the attribute `data-told`, which the page's script shows to a pointer.
"""

import functools
import os
import re
from pathlib import Path
from typing import Any

from surefoot.charts import theme

_FONT_SETTINGS = Path(__file__).with_name("fonts.conf")
_PAPER = re.compile(r'<rect width="[\d.]+" height="[\d.]+" fill="white" ?/>')
_WITHOUT_EFFECT = re.compile(
    r' (?:aria-hidden|aria-roledescription|role|class|pointer-events)="[^"]*"| opacity="1"|<path d=""[^>]*/>'
)
_PLACES = re.compile(r'(?<= )(?:d|transform)="[^"]*"')
_FRACTION = re.compile(r"-?\d*\.\d{2,}(?:e-?\d+)?")


def use_converter_fonts() -> None:
    """Let the converter measure texts in the fonts that it brings along, whatever fonts this machine has.

    Otherwise the bytes of a picture would depend on the machine, and the converter would open a font's file again for
    each text. It reads this variable of fontconfig once, when it draws for the first time (on Linux; elsewhere it finds
    the machine's fonts all the same).
    """
    os.environ["FONTCONFIG_FILE"] = str(_FONT_SETTINGS)


def pictures(vega_lite: dict[str, Any], name: str) -> tuple[str, str]:
    """Draw a chart.

    Parameters
    ----------
    vega_lite : the chart, with its data
    name : of the figure, which parts of the picture are numbered after

    Returns
    -------
    The picture as a file, on white paper, and as an SVG element of HTML, without paper.
    """
    import vl_convert  # which drawings of tables do without

    picture = with_own_ids(vl_convert.vegalite_to_svg(vega_lite), name)
    picture = _WITHOUT_EFFECT.sub("", picture)
    tenth = functools.partial(_FRACTION.sub, lambda number: f"{round(float(number[0]), 1) + 0.0:g}")
    picture = _PLACES.sub(lambda place: tenth(place[0]), picture)
    picture = picture.replace(f' font-family="{theme.FONT}"', "").replace("<svg", f'<svg font-family="{theme.FONT}"', 1)
    in_page = re.sub(r' xmlns(:\w+)?="[^"]*"', "", _PAPER.sub("", picture, count=1))
    return picture, in_page.replace(" aria-label=", " data-told=")


def with_own_ids(picture: str, name: str) -> str:
    """The SVG with the ids of its parts numbered from 1, after its name: the converter numbers them on from one picture
    to the next, so that its bytes would depend on what was drawn before."""
    ids = dict.fromkeys(re.findall(r'\bid="([^"]+)"', picture))
    numbered = {old: f"{name}-{number}" for number, old in enumerate(ids, 1)}
    picture = re.sub(r'\bid="([^"]+)"', lambda part: f'id="{numbered[part[1]]}"', picture)
    return re.sub(r"url\(#([^)]+)\)", lambda part: f"url(#{numbered.get(part[1], part[1])})", picture)
