"""Array types, checks of arguments, and comparisons of numbers up to rounding.

Scores that should be equal differ in their last digits if they were averaged, normalized or scaled in a different
order. Here, two numbers count as equal if they differ by at most 256 units in the last place (2**-44, about 5.7e-14, of
the larger of the two), so that ties depend neither on the unit of the scores nor on a constant added to all of them.
For numbers near zero, the tolerance is relative to the typical magnitude of the compared scores instead. This is their
median magnitude, which a single huge score does not change.

The rounding error of a mean of N numbers is about sqrt(N) / 2 units in the last place, so a tolerance of 256 units is
enough for means of far more than 10,000 numbers. It is not enough for scores that were stored with fewer digits than a
double has. For such scores, pass the number of decimals of the coarsest ones as `decimals`.
"""

from collections.abc import Collection, Sequence
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from surefoot.errors import HintedError, shortened, shown

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


def check_choice(stage: str, choice: str, choices: Collection[str]) -> None:
    """Raise a ValueError if `choice` is not one of `choices`."""
    if choice not in choices:
        raise HintedError(stage, f'"{shortened(str(choice))}" is not known', f"use one of {', '.join(choices)}")


def check_confidence(stage: str, confidence_level: object) -> None:
    """Raise a ValueError if `confidence_level` is not a number between 0 and 1."""
    if isinstance(confidence_level, Real) and confidence_level < 1.0 and not confidence_level <= 0.0:
        return
    what = f"got a confidence of {shown(confidence_level)}"
    raise HintedError(stage, what, "use a number between 0 and 1, such as 0.95")


RELATIVE = "relative"
TOLERANCE = 2.0**-44


def typical_magnitude(values: Floats) -> float:
    """Return the upper median of the nonzero |values|; the smaller one if there are two, and 0 if there are fewer."""
    magnitudes = np.abs(values).ravel()
    counted = int(np.count_nonzero(magnitudes))
    if counted < 2:
        return 0.0
    place = magnitudes.size - counted + min(counted // 2, counted - 2)  # zeros come first in ascending order
    magnitudes.partition(place)
    return float(magnitudes[place])


def margin(numbers: npt.ArrayLike, scale: npt.ArrayLike = 0.0) -> Any:
    """Return how far another number may be from each of `numbers` and still count as equal; see also `exceeds`."""
    return TOLERANCE * np.maximum(np.abs(numbers), scale)


def exceeds(x: npt.ArrayLike, y: npt.ArrayLike, scale: npt.ArrayLike = 0.0) -> Any:
    """Return True elementwise where x exceeds y by more than the rounding error.

    Parameters
    ----------
    x, y : finite numbers, or float64 arrays that broadcast
    scale : typical magnitude of the scores, for numbers near zero; a number, or an array that broadcasts
    """
    x = np.asarray(x, np.float64)
    y = np.asarray(y, np.float64)
    return x - y > margin(np.maximum(np.abs(x), np.abs(y)), scale)


def with_margin(thresholds: npt.ArrayLike, values: Floats) -> Floats:
    """Raise thresholds by the rounding margin, so that values equal to a threshold up to rounding do not exceed it."""
    thresholds = np.asarray(thresholds, np.float64)
    finite = np.where(np.isfinite(thresholds), thresholds, 0.0)
    return thresholds + margin(finite, typical_magnitude(values))


def score_places(samples: Sequence[Floats], decimals: int | str | None = RELATIVE) -> list[Integers]:
    """Return the rank of each score among the distinct scores of a task, counted from 0, as one array per algorithm.

    Tied scores have equal ranks, and greater scores have greater ranks. Scores are sorted, and a new rank begins where
    the gap to the previous score is larger than the rounding error, so that ties are transitive.

    Parameters
    ----------
    samples : finite scores of one task, one float64 array per algorithm
    decimals : "relative" for equality up to rounding; the number of decimals to which scores are rounded first; None
        for exact comparison
    """
    samples = [np.asarray(sample, np.float64) for sample in samples]
    values = np.concatenate([sample.ravel() for sample in samples])
    if isinstance(decimals, int | np.integer) and not isinstance(decimals, bool):
        values = np.round(values, decimals)
    order = values.argsort()
    ascending = values[order]
    apart = _apart(ascending) if decimals == RELATIVE else ascending[1:] > ascending[:-1]
    places = np.zeros(values.size, np.int64)
    places[order[1:]] = apart.cumsum()
    ends = np.cumsum([sample.size for sample in samples])
    return [places[end - one.size : end].reshape(one.shape) for one, end in zip(samples, ends, strict=True)]


def rank_values(values: Floats, decimals: int | str = RELATIVE) -> Floats:
    """Return the ranks of `values`, float64[n]: 1 for the greatest; ties share the better rank.

    `decimals` determines which values are equal, as in `score_places`.
    """
    (places,) = score_places([np.asarray(values, np.float64)], decimals)
    return places.size + 1 - (places[:, None] >= places[None, :]).sum(axis=1)


def merge_ties(scores: Floats) -> Floats:
    """Replace scores that are equal up to rounding by the smallest of them, so that plain comparisons find all ties.

    The ties are those of `score_places`. If there is nothing to replace, the input array is returned.

    Parameters
    ----------
    scores : float64[n], all scores of one task, finite and in any order
    """
    ascending = np.sort(scores)
    apart = _apart(ascending)
    if (apart | (ascending[1:] == ascending[:-1])).all():
        return scores
    least = ascending[np.concatenate([[True], apart])]
    return least[least.searchsorted(scores, side="right") - 1]


def _apart(ascending: Floats) -> Booleans:
    """Return, for each ascending score but the first, whether its gap to the previous one exceeds rounding error."""
    magnitudes = np.abs(ascending)
    with np.errstate(over="ignore"):  # an infinite gap counts as a gap
        gaps = np.diff(ascending)
    return gaps > margin(np.maximum(magnitudes[1:], magnitudes[:-1]), typical_magnitude(ascending))
