"""A chart as a picture: a file of its own (SVG), and the part of a page that shows it (HTML).

It is drawn once. In a page it is as wide as there is room, and every colour has a value for light and one for dark
pages, between which the page's CSS property `color-scheme` decides. The file has the light ones, on white paper.
"""

import colorsys
import json
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from surefoot.build.files import packed
from surefoot.charts import theme
from surefoot.charts.live import CLASSES, describe_marks, read_descriptions

VegaLite = dict[str, Any]

_FONT_SETTINGS = Path(__file__).with_name("fonts.conf")
_PAPER = re.compile(r'<rect width="[\d.]+" height="[\d.]+" fill="white" ?/>')
_WITHOUT_EFFECT = re.compile(r' (?:aria-hidden="true"|pointer-events="none"|opacity="1")|<path d=""[^>]*/>')
_PLACES = re.compile(r'(?<= )(?:d|transform)="[^"]*"')
_FRACTION = re.compile(r"-?\d*\.\d{2,}(?:e-?\d+)?")
_COLOUR = re.compile(r'(?<= )(fill|stroke)="(white|black|#[0-9a-f]{6}|#[0-9a-f]{3}|rgb\([\d, ]+\))"')
_NAMED = {"white": "#ffffff", "black": "#000000"}


def use_converter_fonts() -> None:
    """Let the converter measure texts in the fonts that it brings along, whatever fonts this machine has.

    Otherwise the bytes of a picture would depend on the machine, and the converter would open a font's file again for
    each text. It reads this variable of fontconfig once, when it draws for the first time (on Linux; elsewhere it finds
    the machine's fonts all the same).
    """
    os.environ["FONTCONFIG_FILE"] = str(_FONT_SETTINGS)


def pictures(vega_lite: VegaLite, name: str) -> tuple[str, str]:
    """Draw a chart.

    Parameters
    ----------
    vega_lite : the chart, with its data
    name : of the figure, which parts of the picture are numbered after

    Returns
    -------
    The picture as a file, and as a fragment of HTML: an SVG and a script element, gzipped and base64, with the values
    behind its marks (`surefoot.charts.live.MarkValues`).
    """
    import vl_convert  # which drawings of tables do without

    vega = vl_convert.vegalite_to_vega(vega_lite, config={"aria": False})
    root, values = read_descriptions(with_own_ids(vl_convert.vega_to_svg(describe_marks(vega)), name))
    if values.names and not vega_lite.get("usermeta", {}).get(CLASSES):
        root.set("data-names", "|".join(values.names))
    picture = _PLACES.sub(lambda place: _FRACTION.sub(_to_a_tenth, place[0]), _serialized(root))
    picture = _WITHOUT_EFFECT.sub("", picture)
    picture = picture.replace(f' font-family="{theme.FONT}"', "").replace("<svg", f'<svg font-family="{theme.FONT}"', 1)
    script = packed(json.dumps(values._asdict(), separators=(",", ":"), ensure_ascii=False))
    in_page = in_both_colours(_PAPER.sub("", picture, count=1))
    file = picture.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return file, f'{in_page}\n<script type="application/gzip">{script}</script>'


def in_both_colours(picture: str) -> str:
    """The SVG with a colour for dark pages beside each of its colours."""

    def both(paint: re.Match[str]) -> str:
        colour = _hexadecimal(paint[2])
        return f'{paint[1]}="light-dark({colour},{on_dark(colour)})"'

    return _COLOUR.sub(both, picture)


def on_dark(colour: str) -> str:
    """The colour "#rrggbb" that stands for another on dark pages.

    The theme's colours have one that was chosen for them. Any other keeps its hue, and what stands out from white paper
    stands out from black: its lightness is reversed.
    """
    if colour in theme.DARK:
        return theme.DARK[colour]
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    reversed_colour = colorsys.hls_to_rgb(hue, 0.1 + 0.8 * (1 - lightness), saturation)
    return "#" + "".join(f"{round(255 * part):02x}" for part in reversed_colour)


def with_own_ids(picture: str, name: str) -> str:
    """The SVG with the ids of its parts numbered from 1, after its name: the converter numbers them on from one picture
    to the next, so that its bytes would depend on what was drawn before."""
    ids = dict.fromkeys(re.findall(r'\bid="([^"]+)"', picture))
    numbered = {old: f"{name}-{number}" for number, old in enumerate(ids, 1)}
    picture = re.sub(r'\bid="([^"]+)"', lambda part: f'id="{numbered[part[1]]}"', picture)
    return re.sub(r"url\(#([^)]+)\)", lambda part: f"url(#{numbered.get(part[1], part[1])})", picture)


def _serialized(root: ElementTree.Element) -> str:
    return ElementTree.tostring(root, encoding="unicode").replace(" />", "/>")


def _to_a_tenth(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 1) + 0.0:g}"


def _hexadecimal(colour: str) -> str:
    colour = _NAMED.get(colour, colour)
    if colour.startswith("rgb"):
        return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour))
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])
