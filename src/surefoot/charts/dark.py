"""The colours that pictures have on a dark page.

A picture in a page names its colours by variables, each with a value for light and one for dark; which one counts is
decided by `color-scheme` of the page, whoever sets it. Files of pictures, and what goes into papers, have the light
ones alone.
"""

import colorsys
import re
from xml.etree import ElementTree

from surefoot.charts import theme

_PAINTED = ("fill", "stroke")
_NAMED = {"white": "#ffffff", "black": "#000000"}
_OF_THE_PAGE = {theme.PAPER: "--paper", theme.INK: "--ink"}
"""Variables of the page's own style, where it has such."""


def with_both_colours(picture: ElementTree.Element) -> None:
    """Name the colours of a picture by variables, which its root defines for light and dark."""
    names: dict[str, str] = {}
    for element in picture.iter():
        for attribute in _PAINTED:
            colour = _hexadecimal(element.get(attribute, ""))
            if colour:
                element.set(attribute, f"var({names.setdefault(colour, f'--c{len(names)}')})")
    if names:
        picture.set("style", ";".join(f"{name}:{_for_both(colour)}" for colour, name in names.items()))


def on_dark(colour: str) -> str:
    """The colour "#rrggbb" that stands for another on a dark page.

    Of an algorithm it is the one that is chosen for it; of any other the same hue with the lightness turned round, so
    that what stands out from white paper does so there."""
    if colour in theme.DARK:
        return theme.DARK[colour]
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    turned = colorsys.hls_to_rgb(hue, 0.1 + 0.8 * (1 - lightness), saturation)
    return "#" + "".join(f"{round(255 * part):02x}" for part in turned)


def _for_both(colour: str) -> str:
    both = f"light-dark({colour},{on_dark(colour)})"
    return f"var({_OF_THE_PAGE[colour]},{both})" if colour in _OF_THE_PAGE else both


def _hexadecimal(colour: str) -> str | None:
    colour = _NAMED.get(colour, colour).lower()
    if re.fullmatch(r"#[0-9a-f]{6}", colour):
        return colour
    if re.fullmatch(r"#[0-9a-f]{3}", colour):
        return "#" + "".join(2 * letter for letter in colour[1:])
    parts = re.fullmatch(r"rgb\((\d+), ?(\d+), ?(\d+)\)", colour)
    return "#" + "".join(f"{int(part):02x}" for part in parts.groups()) if parts else None
