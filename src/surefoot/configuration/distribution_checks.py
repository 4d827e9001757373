"""Whether a distribution over MDPs that a study brings along can be played: numbers, a table, or a function's result.

Every mistake is a HintedError, one sentence and a hint. It takes numpy, and the user's function is run.

These checks are not in `surefoot.bayesian.distributions`: that module is in the fingerprint of every score.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from surefoot.bayesian.cells import distribution_of
from surefoot.bayesian.distributions import Distribution, from_arrays
from surefoot.errors import HintedError
from surefoot.sources.transition_tables import MOST_NUMBERS

LEAST_COUNT, LARGEST_COUNT = 1e-6, 1e12
"""Pseudo-counts but 0: with smaller ones draws of the Dirichlet distribution all but never end, with larger ones adding
an observation is lost to rounding."""

LARGEST_REWARD = 1e100
"""In size: scores, and squares in what is computed of them, stay finite."""

RIGHT_RESULT = "return what surefoot.bayesian.distributions.from_arrays(pseudo_counts, rewards, initial_state) makes"


def check_numbers(source: dict[str, Any]) -> None:
    """Whether numbers given in the configuration, or the rows of a table, are a distribution; `source` as in `Cell`."""
    for key in ("pseudo_counts", "rewards"):
        for number in _leaves(source.get(key, [])):
            if isinstance(number, bool) or not isinstance(number, int | float):
                raise HintedError(key, f"{number!r} is not a number", "numbers alone, without quotes")
    try:
        distribution = distribution_of(source)
    except OverflowError:
        raise HintedError("", "a number is too large", "rewards and pseudo-counts of usual size") from None
    _check_ranges(distribution)


def check_result(source: dict[str, Any]) -> None:
    """Whether a user's function returns a distribution, the same each time. What it raises passes through."""
    first, second = (_checked_result(distribution_of(source)) for _ in range(2))
    pairs: Any = zip(first, second, strict=True)
    if not all(np.array_equal(one, other) for one, other in pairs):
        raise HintedError(
            "",
            "two calls return two distributions",
            "every process calls it anew: give a random generator in it a fixed seed",
        )


def _checked_result(result: object) -> Distribution:
    if not isinstance(result, Distribution):
        raise HintedError("", f"it returns {_kind(result)}, no Distribution", RIGHT_RESULT)
    for name in ("pseudo_counts", "rewards"):
        values = getattr(result, name)
        if type(values) is not np.ndarray or values.dtype != np.float64:
            kind = f"an array of {values.dtype}" if isinstance(values, np.ndarray) else _kind(values)
            raise HintedError(name, f"{kind}, no array of float64", RIGHT_RESULT)
        if not (values.flags.c_contiguous and values.flags.writeable):
            raise HintedError(name, "no array in C order of its own", RIGHT_RESULT)
    start = result.initial_state
    if isinstance(start, bool) or not isinstance(start, int | np.integer):
        raise HintedError("initial_state", f"{start!r} is not a whole number", RIGHT_RESULT)
    if result.rewards.shape != result.pseudo_counts.shape:
        shapes = f"{list(result.rewards.shape)} and {list(result.pseudo_counts.shape)}"
        raise HintedError("", f"rewards and pseudo_counts have the shapes {shapes}", RIGHT_RESULT)
    _check_ranges(from_arrays(*result))
    return result


def _check_ranges(distribution: Distribution) -> None:
    counts, rewards, _ = distribution
    if counts.size > MOST_NUMBERS:
        raise HintedError(
            "",
            f"{counts.shape[0]} states and {counts.shape[1]} actions are too many",
            f"states x actions x states at most {MOST_NUMBERS:,}, which take 1 GB of memory",
        )
    outside = np.argwhere((counts > 0.0) & ((counts < LEAST_COUNT) | (counts > LARGEST_COUNT)))
    if len(outside):
        place = tuple(int(i) for i in outside[0])
        raise HintedError(
            "pseudo_counts",
            f"{counts[place]:g} {_transition(place)} is out of range",
            f"0 for what is impossible, else from {LEAST_COUNT:g} to {LARGEST_COUNT:g}",
        )
    outside = np.argwhere(np.abs(rewards) > LARGEST_REWARD)
    if len(outside):
        place = tuple(int(i) for i in outside[0])
        raise HintedError(
            "rewards",
            f"{rewards[place]:g} {_transition(place)} is out of range",
            f"from {-LARGEST_REWARD:g} to {LARGEST_REWARD:g}",
        )


def _transition(place: tuple[int, ...]) -> str:
    return f"for state {place[0]}, action {place[1]}, next state {place[2]}"


def _leaves(values: list[Any]) -> Iterator[object]:
    for value in values:
        if isinstance(value, list):
            yield from _leaves(value)
        else:
            yield value


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"
