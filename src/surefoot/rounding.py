"""Numbers as texts: rounded as the charts round, so that prose, tables and charts say the same.

Light on purpose: the cells of a page import it.
"""

import re
from decimal import ROUND_HALF_UP, Decimal, localcontext
from math import isfinite
from typing import Any

_FIXED = re.compile(r".*\.\d+[f%]")


def written(value: Any, form: str) -> str:
    """The value in a format of Python's; with a fixed number of digits, ties are rounded away from zero.

    So do the charts (ECMA-262, Number.prototype.toFixed), while Python's own formats round them to the even digit:
    0.5625 is 0.563 here and 0.562 there.
    """
    if isinstance(value, float) and isfinite(value) and _FIXED.fullmatch(form):
        with localcontext(rounding=ROUND_HALF_UP):
            return format(Decimal(value), form)
    return format(value, form)
