"""Whether a distribution over MDPs that a study brings along can be played: numbers, or a function's result.

Every mistake is a HintedError, one sentence and a hint. It takes numpy, and the user's function is run.

These checks are not in `surefoot.bayesian.distributions`: that module is in the fingerprint of every score.
"""

from typing import Any

import numpy as np

from surefoot.bayesian.cells import distribution_of
from surefoot.bayesian.distributions import Distribution, from_arrays
from surefoot.errors import HintedError

MOST_NUMBERS = 125_000_000
"""The most that states x actions x states may be: pseudo-counts and rewards are kept dense, and this many float64 are 1
GB."""

LEAST_COUNT, LARGEST_COUNT = 1e-6, 1e12
"""Pseudo-counts but 0: with smaller ones draws of the Dirichlet distribution all but never end, with larger ones adding
an observation is lost to rounding."""

LARGEST_REWARD = 1e100
"""In size: scores, and squares in what is computed of them, stay finite."""

RIGHT_RESULT = "return what surefoot.bayesian.distributions.from_arrays(pseudo_counts, rewards, initial_state) makes"


def check_numbers(source: dict[str, Any]) -> None:
    """Whether numbers given in the configuration are a distribution; `source` as in `Cell`."""
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
        kind = "nothing" if result is None else f"a {type(result).__name__}"
        raise HintedError("", f"it returns {kind}, no Distribution", RIGHT_RESULT)
    counts, rewards, start = result
    arrays = all(type(one) is np.ndarray and one.dtype == np.float64 and one.flags.carray for one in (counts, rewards))
    is_number = isinstance(start, int | np.integer) and not isinstance(start, bool)
    if not (arrays and is_number and rewards.shape == counts.shape):
        raise HintedError("", "it returns a Distribution that from_arrays has not made", RIGHT_RESULT)
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
    wrong_counts = (counts > 0.0) & ((counts < LEAST_COUNT) | (counts > LARGEST_COUNT))
    right_counts = f"0 for what is impossible, else from {LEAST_COUNT:g} to {LARGEST_COUNT:g}"
    right_rewards = f"from {-LARGEST_REWARD:g} to {LARGEST_REWARD:g}"
    for name, numbers, wrong, hint in (
        ("pseudo_counts", counts, wrong_counts, right_counts),
        ("rewards", rewards, np.abs(rewards) > LARGEST_REWARD, right_rewards),
    ):
        if wrong.any():
            state, action, following = (int(place) for place in np.argwhere(wrong)[0])
            where = f"for state {state}, action {action}, next state {following}"
            raise HintedError(name, f"{numbers[state, action, following]:g} {where} is out of range", hint)
