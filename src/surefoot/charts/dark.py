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
_PALE = (0.2, 0.6)
"""Opacities of bars; bands of curves, which lie upon each other, have less."""
_NESTED = (0.2, 0.8)
"""And of bars that lie upon each other, the narrower and stronger upon the wider and paler."""
_GROWTH = 0.65
"""Of the opacities of bars that lie upon each other, on dark paper, beside their growth on white."""


def with_both_colours(picture: ElementTree.Element) -> None:
    """Name the colours of a picture by variables, which its root defines for light and dark."""
    names: dict[str, str] = {}
    _name(picture, {}, names, nested=len(_strengths(picture, {})) > 1)
    if names:
        picture.set("style", ";".join(f"{name}:{both}" for both, name in names.items()))


def _strengths(element: ElementTree.Element, inherited: dict[str, str]) -> set[float]:
    """Opacities of the bars of a picture."""
    painted = _painted(element, inherited)
    strength = _bar(element, painted)[1]
    found = {strength} if _NESTED[0] <= strength <= _NESTED[1] else set()
    return found.union(*(_strengths(child, painted) for child in element))


def _painted(element: ElementTree.Element, inherited: dict[str, str]) -> dict[str, str]:
    return inherited | {name: element.attrib[name] for name in (*_PAINTED, "stroke-width") if name in element.attrib}


def _bar(element: ElementTree.Element, painted: dict[str, str]) -> tuple[str, float]:
    """Colour and opacity of what is filled and has no outline; no colour and 0 of all else."""
    fill = _hexadecimal(painted.get("fill", ""))
    bare = painted.get("stroke", "none") == "none" or painted.get("stroke-width") == "0"
    return (fill, float(element.get("opacity", 1))) if fill and bare and not len(element) else ("", 0.0)


def _name(element: ElementTree.Element, inherited: dict[str, str], names: dict[str, str], nested: bool) -> None:
    painted = _painted(element, inherited)
    colours = {name: colour for name in _PAINTED if (colour := _hexadecimal(element.get(name, "")))}
    found = {name: _for_both(colour) for name, colour in colours.items()}
    fill, strength = _bar(element, painted)
    least, most = _NESTED if nested else _PALE
    if least <= strength <= most:
        # The same share of a colour is much fainter on dark paper than on white: there it is painted with more. But of
        # bars that lie upon each other the inner ones would then look alike: they are painted with less, in even steps.
        share = least + _GROWTH * (strength - least) if nested else strength**0.5
        found["fill"] = f"light-dark({_with_alpha(fill, strength)},{_with_alpha(on_dark(fill), share)})"
        del element.attrib["opacity"]
    for name, both in found.items():
        element.set(name, f"var({names.setdefault(both, f'--c{len(names)}')})")
    for child in element:
        _name(child, painted, names, nested)


def _with_alpha(colour: str, strength: float) -> str:
    return f"{colour}{round(255 * strength):02x}"


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
