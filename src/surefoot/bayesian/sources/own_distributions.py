"""Settings of user-defined distributions over MDPs, given by numbers, a table or a function."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, model_validator

from surefoot.errors import HintedError, shortened
from surefoot.runs.sections import DescribedSection, Text
from surefoot.runs.setting_errors import SettingError, within
from surefoot.runs.sources.own_files import check_file

if TYPE_CHECKING:
    from surefoot.bayesian.mdp_distributions import Distribution

EXAMPLE = "see surefoot.bayesian.trajectories, and config/example_bayesian.py"
LEAST_COUNT, LARGEST_COUNT = 1e-6, 1e12
"""Smallest and largest pseudo-count other than 0.

With smaller counts, drawing from the Dirichlet distribution hardly ever ends; with larger ones, single observations are
lost by rounding.
"""
LARGEST_REWARD = 1e100
"""Largest absolute value of a reward, so that squares are finite."""
MOST_NUMBERS = 125_000_000
"""Largest product states x actions x states: pseudo-counts and rewards are dense, and this many float64 take 1 GB."""
_RIGHT_RESULT = "return the result of surefoot.bayesian.mdp_distributions.from_arrays"
_OfTransitions = tuple[tuple[tuple[int | float, ...], ...], ...]


class OwnDistribution(DescribedSection):
    """A user-defined flat Dirichlet-multinomial distribution, given by numbers, a table or a function."""

    pseudo_counts: _OfTransitions | None = None
    """Pseudo-counts by state, action and next state, as nested lists; 0 for impossible transitions."""
    rewards: _OfTransitions | tuple[int | float, ...] | None = None
    """Rewards by state, action and next state, or by next state alone."""
    table: Text | None = None
    """A CSV table of the possible transitions, instead of pseudo_counts and rewards, with the columns state, action,
    next_state, pseudo_count and reward. States and actions are numbered from 0.
    """
    file: Text | None = None
    """A Python file, instead of numbers or a table, with a function that has the name of the distribution and returns
    the distribution.
    """
    initial_state: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    """Initial state of every trajectory. A function in a file returns it as part of its result."""

    @model_validator(mode="after")
    def _is_given_once(self) -> "OwnDistribution":
        numbers = [self.pseudo_counts, self.rewards]
        if sum((self.table is not None, self.file is not None, numbers != [None, None])) != 1:
            raise SettingError([], "exactly one of table, file, and pseudo_counts with rewards is needed", "choose one")
        if numbers != [None, None] and None in numbers:
            raise SettingError([], "pseudo_counts and rewards belong together", "give both")
        if self.file is not None and self.initial_state != 0:
            what = f"{self.initial_state} has no effect together with file"
            raise SettingError(["initial_state"], what, "leave it out: the function returns it")
        return self

    def located(self, name: str) -> dict[str, Any]:
        """Return the location of the distribution, as `surefoot.bayesian.cells.Cell` expects it.

        Parameters
        ----------
        name : name of the distribution, and of the function in its file
        """
        if self.file is not None:
            return {"module": self.file, "name": name}
        if self.table is not None:  # the settings of jobs contain the numbers, not the name of the file
            return {"transitions": read_transitions(Path(self.table)), "initial_state": self.initial_state}
        return self.plain()

    def check(self, name: str) -> None:
        """Check the distribution by using it, which calls the function if it is user-defined.

        Raises
        ------
        SettingError
        """
        from surefoot.bayesian.cells import distribution_of

        if self.file is not None:
            with within("file"):
                check_file(self.file, [name], EXAMPLE)
            _check_function(f"{self.file}: {name}()", self.located(name))
            return
        try:
            _check_sizes(distribution_of(self.located(name)))
        except OverflowError:
            raise SettingError([], "a number is too large", "use rewards and pseudo-counts of moderate size") from None


def _check_function(function: str, location: dict[str, Any]) -> None:
    """Check the result of a user-defined function.

    Parameters
    ----------
    function : name of the function in errors
    location : result of `OwnDistribution.located`
    """
    try:
        _check_result(location)
    except HintedError as error:  # raised by from_arrays, here or in the user's function
        raise SettingError([], f"{function}: {error.sentence}", error.hint) from None
    except (Exception, SystemExit) as error:  # a user's function may raise anything
        said = shortened(" ".join(str(error).split()))
        what = f"{function} failed: {type(error).__name__}{said and f': {said}'}"
        raise SettingError([], what, "call the function in Python to find the cause") from None


def _check_result(location: dict[str, Any]) -> None:
    import numpy as np

    from surefoot.bayesian.cells import distribution_of
    from surefoot.bayesian.mdp_distributions import Distribution, from_arrays

    result = distribution_of(location)
    if not isinstance(result, Distribution):
        raise HintedError("", f"it returns a {type(result).__name__}, not a Distribution", _RIGHT_RESULT)
    made = from_arrays(*result)
    if any(np.asarray(one).dtype != np.asarray(other).dtype for one, other in zip(result, made, strict=True)):
        raise HintedError("", "it returns a Distribution that from_arrays did not create", _RIGHT_RESULT)
    _check_sizes(made)
    again = distribution_of(location)
    pairs: Any = zip(result, again, strict=True)
    if not all(np.array_equal(one, other) for one, other in pairs):
        hint = "give its random generators a fixed seed, since every process calls it again"
        raise HintedError("", "two calls return different distributions", hint)


def _check_sizes(distribution: "Distribution") -> None:
    """Check that pseudo-counts and rewards are within the limits of this module.

    Raises
    ------
    HintedError
    """
    counts, rewards, _ = distribution
    right_counts = f"use 0 for impossible transitions, and otherwise {LEAST_COUNT:g} to {LARGEST_COUNT:g}"
    for name, numbers, wrong, hint in (
        ("pseudo_counts", counts, (counts > 0.0) & ((counts < LEAST_COUNT) | (counts > LARGEST_COUNT)), right_counts),
        ("rewards", rewards, abs(rewards) > LARGEST_REWARD, f"use {-LARGEST_REWARD:g} to {LARGEST_REWARD:g}"),
    ):
        if wrong.any():
            state, action, following = (int(place[0]) for place in wrong.nonzero())
            where = f"for state {state}, action {action}, next state {following}"
            raise HintedError(name, f"{numbers[state, action, following]:g} {where} is out of range", hint)


def read_transitions(path: Path) -> list[list[float]]:
    """Read a table of transitions as rows for `surefoot.bayesian.mdp_distributions.from_rows`.

    Raises
    ------
    HintedError
        if the file is not a table, has other columns or invalid numbers, or there are too many states
    """
    from surefoot.bayesian.mdp_distributions import COLUMNS
    from surefoot.runs.columns.numbers import as_floats
    from surefoot.runs.columns.run_names import refuse_missing_columns
    from surefoot.runs.sources.score_tables import read_table

    table = read_table(path, str(path))
    refuse_missing_columns(str(path), table, COLUMNS)
    values = table[list(COLUMNS)].apply(as_floats)
    places = values[list(COLUMNS[:3])]
    wrong = ~(values.abs() < math.inf).all(axis=1) | (places < 0).any(axis=1) | (places % 1 != 0).any(axis=1)
    if wrong.any():
        row = int(wrong.argmax())
        what = f"invalid data row {row + 1}: {shortened(str(table[list(COLUMNS)].iloc[row].to_dict()))}"
        raise HintedError(str(path), what, "number states and actions from 0, and use finite numbers")
    states = int(places[["state", "next_state"]].to_numpy().max()) + 1
    actions = int(places["action"].max()) + 1
    if states * actions * states > MOST_NUMBERS:
        what = f"{states:.8g} states and {actions:.8g} actions are too many"
        raise HintedError(str(path), what, "number them from 0 without gaps; pseudo-counts may take at most 1 GB")
    rows: list[list[float]] = values.to_numpy().tolist()
    return rows
