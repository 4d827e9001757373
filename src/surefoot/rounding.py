"""Format numbers and names, with numbers rounded as in charts, so that prose, tables and charts agree.

Cells of pages import this module, so it imports nothing heavy.
"""

import re
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from math import floor, isfinite, log10
from typing import Any

DIGITS = 4
"""Significant digits of a number with unknown precision."""
MOST_DECIMALS = 3
"""Maximum number of decimals in a column of numbers with unknown precision."""
_MOST_DECIMALS_OF_INTERVALS = 6
_FIRST = 10
_FIXED = re.compile(r".*\.\d+[f%]")
_UNITS = (("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("h", 3600.0))
_FEWEST_OF_A_UNIT = {"min": 2.0, "h": 2.0}


def written(value: Any, form: str) -> str:
    """Format a value with the minus sign of charts and tables, and ties rounded away from zero.

    Charts round ties in the same way (ECMA-262, Number.prototype.toFixed), while Python's formats round to the even
    digit: 0.5625 is 0.563 here and 0.562 in Python. Ties only matter for a fixed number of digits. There are two
    additional formats: "figures", with four significant digits, and "seconds", a time in a suitable unit.
    """
    if isinstance(value, str):
        return format(value, form)
    text = _rounded(value, form)
    return f"\N{MINUS SIGN}{text[1:]}" if text.startswith("-") else text


def _rounded(value: Any, form: str) -> str:
    if form in _OWN_FORMS:
        return _OWN_FORMS[form](value)
    if isinstance(value, float) and isfinite(value) and _FIXED.fullmatch(form):
        with localcontext(rounding=ROUND_HALF_UP):
            return format(Decimal(value), form)
    return format(value, form)


def two_digits(value: float) -> str:
    """Format a value with two significant digits, without an exponent."""
    return written(float(f"{value:.2g}"), ",.10g")


def joined(names: Sequence[str], most: int = 20) -> str:
    """Join names as an English list, such as "a, b and c"; of more than `most` names, only the first ten are listed."""
    if len(names) > most:
        return f"{', '.join(names[:_FIRST])} and {len(names) - _FIRST:,} others"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def yes_or_no(value: bool) -> str:
    """Return "yes" or "no"."""
    return "yes" if value else "no"


def _figures(number: float) -> str:
    """Format a number with `DIGITS` significant digits, without trailing zeros; integers keep all digits."""
    if not isfinite(number):
        return format(number, "")
    if number == round(number) and abs(number) < 1e15:
        return format(round(number), ",")
    magnitude = floor(log10(abs(number)))
    if not -DIGITS <= magnitude < 15:
        mantissa, exponent = format(number, f".{DIGITS - 1}e").split("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
    decimals = max(0, DIGITS - 1 - magnitude)
    text = _rounded(float(number), f",.{decimals}f")
    return text.rstrip("0").rstrip(".") if decimals else text


def with_interval(value: float, low: float | None, high: float | None) -> str:
    """Format a value and its interval, with digits down to the second digit of the half-width."""
    if low is None or high is None or not isfinite(half := (high - low) / 2.0):
        return written(value, ",.4g")
    decimals = min(max(1 - floor(log10(half)), 0), _MOST_DECIMALS_OF_INTERVALS) if half > 0.0 else 3
    texts = [written(float(number), f",.{decimals}f") for number in (value, low, high)]
    return f"{texts[0]} ({texts[1]} to {texts[2]})"


def column_format(numbers: Iterable[float]) -> str:
    """Return a common format for all numbers of a column, so that they are aligned.

    The format shows `DIGITS` significant digits of the largest number, at most `MOST_DECIMALS` decimals, and no
    decimals that are zero in all numbers. If a nonzero number would be rounded to less than one significant digit, the
    format is "figures".
    """
    sizes = [abs(float(number)) for number in numbers if isfinite(number)]
    if all(size == round(size) for size in sizes):
        return ",.0f"
    decimals = min(MOST_DECIMALS, max(0, DIGITS - 1 - floor(log10(max(sizes)))))
    if min(filter(None, sizes)) < 10.0**-decimals:
        return "figures"
    rounded = [round(size, decimals) for size in sizes]
    return f",.{next(count for count in range(decimals + 1) if [round(size, count) for size in sizes] == rounded)}f"


def duration(seconds: float) -> str:
    """Format a time in a suitable unit with at least two digits, such as "12 ns", "3.4 ms", "95 s" or "9.5 h"."""
    if seconds == 0 or not isfinite(seconds):
        return f"{seconds:g} s"
    unit, size = _UNITS[0]
    for name, other in _UNITS[1:]:
        if abs(seconds) >= 0.9995 * other * _FEWEST_OF_A_UNIT.get(name, 1.0):
            unit = name
            size = other
    number = seconds / size
    return f"{written(number, f',.{0 if abs(number) >= 9.95 else 1}f')} {unit}"


_OWN_FORMS = {"figures": _figures, "seconds": duration}
