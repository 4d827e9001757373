"""Simulated trials: every algorithm runs with new hyperparameters in each trial, in every environment."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, ConfigDict, Field

from surefoot.configuration.sections import EACH_ONCE, UNIQUE, Count, Name, Section, SeveralRuns, SomeNames, Text
from surefoot.errors import HintedError
from surefoot.simulation import registry
from surefoot.sources.settings import SourceSettings

Argument = bool | int | float | str | tuple[Any, ...]
Arguments = Annotated[dict[str, Argument], Field(description="Arguments of its functions by name.")]


class OwnAlgorithm(Section):
    """An algorithm of your own, a complete definition."""

    file: Annotated[
        Text,
        Field(
            description="The Python file with its functions tabular, for discrete environments, linear, for continuous "
            "ones, and run_trial, for plain Python."
        ),
    ]
    arguments: Arguments = {}


def _range(ends: tuple[float, float]) -> tuple[float, float]:
    low, high = ends
    if not low < high:
        raise HintedError("", f"[{low:g}, {high:g}] is not a range", "the lowest return, then the highest")
    return ends


class OwnEnvironment(Section):
    """An environment of your own."""

    file: Annotated[Text, Field(description="The Python file with the function environment.")]
    arguments: Arguments = {}
    kind: Annotated[
        Literal["discrete", "continuous", "python"],
        Field(
            description="Whether the environment is compiled, with numbered states or with states of several real "
            "variables, or any object of Python, such as one of Gymnasium's."
        ),
    ]
    episodes: Annotated[Count, Field(description="Episodes of a trial.")]
    returns: Annotated[
        tuple[float, float],
        AfterValidator(_range),
        Field(description="The lowest and the highest return that an episode can have, or what bounds them."),
    ]


class Own(Section):
    """Algorithms and environments of your own by name; see config/example_simulation.py."""

    algorithms: Annotated[dict[Name, OwnAlgorithm], Field(description="Your own algorithms by name.")] = {}
    environments: Annotated[dict[Name, OwnEnvironment], Field(description="Your own environments by name.")] = {}


def _required_unless_like_another(schema: dict[str, Any]) -> None:
    """Let a source that is like another leave out what that one gives."""
    schema["anyOf"] = [{"required": ["like"]}, {"required": schema.pop("required")}]


class Settings(SourceSettings):
    """Simulated trials of algorithms in environments, every algorithm a complete definition."""

    model_config = ConfigDict(json_schema_extra=_required_unless_like_another)
    default_questions: ClassVar[Mapping[str, Mapping[str, Any]]] = {"game_scores": {}, "game_intervals": {}}
    kind: Literal["trials"] = "trials"
    like: Annotated[
        str | None,
        Field(
            description="Another source of trials, from which the keys that are not given here are taken (trials_of "
            "goes with trials)."
        ),
    ] = None
    algorithms: Annotated[
        tuple[str, ...],
        EACH_ONCE,
        Field(
            min_length=2,
            json_schema_extra=UNIQUE,
            description="Names of the algorithms, in the order in which they are shown.",
        ),
    ]
    environments: Annotated[
        SomeNames, Field(description="Names of the environments, in the order in which they are shown.")
    ]
    own: Annotated[Own, Field(description="Your own algorithms and environments by name.")] = Own()
    trials: Annotated[
        SeveralRuns,
        Field(description="Number of trials of each algorithm in each environment, at least two."),
    ]
    trials_of: Annotated[
        dict[str, SeveralRuns],
        Field(
            description="Other numbers of trials for the algorithms and environments named here; if several apply, the "
            "smallest. (An algorithm is named as it really runs: sarsa_s in a chain is sarsa.)"
        ),
    ] = {}
    block: Annotated[
        Count,
        Field(description="How many trials are kept as one entry of the store. Results do not depend on it."),
    ] = 500
    block_of: Annotated[
        dict[str, Count],
        Field(
            description="Other blocks for the algorithms and environments named here; if several apply, the smallest."
        ),
    ] = {}
    batch: Annotated[
        Literal["algorithm", "cell", "block"],
        Field(
            description="What one job simulates: all of an algorithm's environments, one algorithm in one "
            "environment, or, for a cluster, as many blocks of an algorithm as take about ten minutes."
        ),
    ] = "algorithm"

    def rows(self) -> Iterator[tuple[str, str, str, int]]:
        """(algorithm, environment, the algorithm that really runs, trials) in the order in which they are shown."""
        own = self.own.plain()
        for algorithm in self.algorithms:
            for environment in self.environments:
                cell = registry.cell(algorithm, environment, own)
                yield algorithm, environment, cell, smallest_of(self.trials, self.trials_of, cell, environment)

    def known_bounds(self) -> dict[str, tuple[float, float]]:
        """(Least, greatest) return that is possible, by environment."""
        known = registry.environments(self.own.plain())
        return {name: known[name].returns for name in self.environments}

    def algorithm_titles(self) -> dict[str, str]:
        """Titles of its algorithms by name."""
        known = registry.algorithms(self.own.plain())
        return {name: known[name].title for name in self.algorithms}

    def environment_titles(self) -> dict[str, str]:
        """Titles of its environments by name, and then of all others that there are."""
        known = registry.environments(self.own.plain())
        return {name: known[name].title for name in (*self.environments, *known)}


def smallest_of(usual: int, others: Mapping[str, int], *names: str) -> int:
    """The smallest number given for one of these names, else the usual one."""
    return min((others[name] for name in names if name in others), default=usual)
