"""Charts that are no wider than the text of a page, so that their labels keep the size they are drawn in."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

VegaLite = dict[str, Any]

WIDEST = 712  # pixels that a page has for a picture
LEAST = 60  # pixels of a panel
_TRIES = 3


def no_wider(vega_lite: VegaLite, width_of: Callable[[VegaLite], float], width: float) -> VegaLite:
    """The chart with panels so much narrower that its picture is no wider than WIDEST; unchanged where it is none.

    Parameters
    ----------
    width_of : how wide the picture of a chart is, in pixels
    width : of this chart's picture
    """
    share = 1.0
    made = vega_lite
    for _ in range(_TRIES):
        if width <= WIDEST:
            break
        share *= 1.0 - (width - WIDEST) / (0.75 * width)  # three quarters of a picture, or more, are panels
        made = copy.deepcopy(vega_lite)
        for unit in _units(made):
            if isinstance(unit.get("width"), int | float):
                unit["width"] = max(LEAST, unit["width"] * share)
        before, width = width, width_of(made)
        if width >= before:  # something else than its panels is wide
            break
    return made


def _units(chart: VegaLite) -> Iterator[VegaLite]:
    yield chart
    for name in ("layer", "vconcat", "hconcat", "concat"):
        for child in chart.get(name, ()):
            yield from _units(child)
    if isinstance(chart.get("spec"), dict):
        yield from _units(chart["spec"])
