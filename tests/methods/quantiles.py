"""The quantile of the methods page, as it is printed there."""

import math


def quantile(values, q):
    """Between the two order statistics around place (B - 1) q."""
    ascending = sorted(values)
    place = (len(ascending) - 1) * q
    low = math.floor(place)
    high = min(low + 1, len(ascending) - 1)
    return ascending[low] + (place - low) * (ascending[high] - ascending[low])
