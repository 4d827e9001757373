"""Plays of agents of Bayesian reinforcement learning on MDPs drawn from a distribution."""

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from surefoot.bayesian import registry
from surefoot.configuration.sections import EACH_ONCE, UNIQUE, Name, Section, SomeNames, Text, Variants
from surefoot.errors import HintedError
from surefoot.sources.settings import RUNS, SourceSettings

PLAYS = "plays"
"""The kind of a table of plays: one row for each agent, its parameters, its variant and an MDP."""

_Whole = Annotated[int, Field(ge=1, le=1_000_000)]
_Mdps = Annotated[int, Field(ge=2, le=1_000_000)]
_Numbers = Annotated[tuple[Any, ...], Field()]


LARGEST_DISCOUNT = 0.9999
"""Value iteration needs about 20 / (1 - discount) sweeps: 200,000 with this one."""


def _computable(discount: float) -> float:
    if discount > LARGEST_DISCOUNT:
        sweeps = f"about {20.0 / (1.0 - discount):.0e} sweeps"
        what = f"{discount!r} is too close to 1: value iteration would need {sweeps}"
        raise HintedError("", what, f"at most {LARGEST_DISCOUNT}")
    return discount


class PlayingAgent(Section):
    """An algorithm with values of its parameters; every combination is an agent."""

    agent: Annotated[str, Field(description="Name of the algorithm.")]
    file: Annotated[
        Text | None,
        Field(description="For an algorithm of your own, the Python file with its functions prepare and play."),
    ] = None
    parameters: Annotated[
        dict[
            str,
            Annotated[tuple[int | float | str, ...], EACH_ONCE, Field(min_length=1, json_schema_extra=UNIQUE)],
        ],
        Field(description="Values of each of its parameters; every combination is an agent."),
    ] = {}
    environments: Annotated[SomeNames | None, Field(description="Where these agents play; by default everywhere.")] = (
        None
    )
    mdps: Annotated[
        _Mdps | None,
        Field(description="Number of MDPs on which these agents play; by default as many as the others."),
    ] = None
    variants: Annotated[
        SomeNames | None,
        Field(
            description="The variants of these agents, if they have any; by default those of the source. Besides the "
            "two, sboss has half_copied: as_published, with zeros where the program compares with memory "
            "that it never filled."
        ),
    ] = None


class OwnDistribution(Section):
    """A distribution of your own, flat Dirichlet-multinomial, given by numbers, by a table or by a function."""

    pseudo_counts: Annotated[
        _Numbers | None,
        Field(description="Pseudo-counts by state, action and next state, as nested lists; 0 for what is impossible."),
    ] = None
    rewards: Annotated[
        _Numbers | None, Field(description="Rewards by state, action and next state, or by next state alone.")
    ] = None
    table: Annotated[
        Text | None,
        Field(
            description="In place of both, a CSV table of the possible transitions with the columns state, action, "
            "next_state, pseudo_count and reward; states and actions are numbered from 0."
        ),
    ] = None
    file: Annotated[
        Text | None,
        Field(
            description="In place of all of these, a Python file with a function of the distribution's name that "
            "returns it."
        ),
    ] = None
    initial_state: Annotated[
        int,
        Field(
            ge=0,
            le=1_000_000_000,
            description="Where every trajectory starts; beside file, its function says that.",
        ),
    ] = 0


class Settings(SourceSettings):
    """Plays of agents of Bayesian reinforcement learning on MDPs drawn from a distribution."""

    default_questions: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "game_scores": {},
        "game_intervals": {"methods": ["pbp_matchings", "pbp", "anderson"]},
        "agents": {},
        "time_bounds": {},
        "paired_z": {},
        "views": {},
    }
    kind: Literal["plays"] = "plays"
    agents: Annotated[
        tuple[PlayingAgent, ...],
        Field(
            min_length=1,
            description="The agents, in the order in which their algorithms are shown. An algorithm may be named "
            "several times.",
        ),
    ]
    environments: Annotated[
        SomeNames,
        Field(
            description="Environments, written case/experiment. The experiment is the distribution from which MDPs are "
            "drawn: gc, gdl, grid, or a name under distributions. The case is the agents' prior: accurate "
            "(that distribution), inaccurate (every transition is possible), or the name of another "
            "distribution."
        ),
    ]
    distributions: Annotated[
        dict[Name, OwnDistribution],
        Field(description="Your own distributions by name, flat Dirichlet-multinomial."),
    ] = {}
    variants: Annotated[
        Variants,
        Field(
            description="Variants of agents whose published scores were made by a program that differs from the text: "
            "as_published repeats the program, corrected does what the text says. The run table has the "
            "first.",
        ),
    ] = ("corrected",)
    mdps: Annotated[_Mdps, Field(description="Number of MDPs on which each agent plays, the same for all.")]
    trajectories: Annotated[
        _Whole,
        Field(
            description="Number of trajectories that an agent plays on each MDP, each from a new start. The score of a "
            "run is their mean return."
        ),
    ] = 1
    discount: Annotated[
        float, Field(gt=0, lt=1, description="Discount of the rewards in a score."), AfterValidator(_computable)
    ] = 0.95
    horizon: Annotated[_Whole, Field(description="Number of decisions of a trajectory.")] = 250
    block: Annotated[
        _Whole,
        Field(description="How many MDPs are kept as one entry of the store. Scores do not depend on it."),
    ] = 500
    batch: Annotated[
        Literal["agent", "cell"],
        Field(
            description="What one job plays: an agent with all its parameters in all its environments or, for a "
            "cluster, as many of these as take about ten minutes."
        ),
    ] = "agent"
    repeat_seconds: Annotated[
        float,
        Field(
            ge=0,
            description="CPU time in seconds for which a trajectory is repeated, with the same random numbers, so that "
            "the times of fast agents are measured well.",
        ),
    ] = 0.0005
    decision_times: Annotated[
        tuple[Literal["mean", "median", "quantile_95", "longest"], ...],
        EACH_ONCE,
        Field(
            json_schema_extra=UNIQUE,
            description="What is kept of the wall-clock times of single decisions.",
        ),
    ] = ()
    transitions: Annotated[
        bool,
        Field(
            description="Whether every transition is kept, in a separate table; with decision_times, also the time of "
            "every decision."
        ),
    ] = False

    def tables(self, name: str) -> dict[str, str]:
        """The run table of the best parameters of each agent, and all plays."""
        return {name: RUNS, PLAYS: PLAYS}

    def cells(self, seed: int) -> Iterator[tuple[dict[str, Any], int]]:
        """(cell as `surefoot.bayesian.cells.Cell` takes it, number of MDPs) for every agent that the source names."""
        for entry in self.agents:
            several = entry.file is None and registry.AGENTS[entry.agent].variants
            variants = (entry.variants or self.variants) if several else self.variants[:1]
            choices = list(itertools.product(*entry.parameters.values()))
            for choice, environment, variant in itertools.product(
                choices, entry.environments or self.environments, variants
            ):
                test, prior = self.distributions_of(environment)
                named: dict[str, object] = dict(zip(entry.parameters, choice, strict=True))
                cell = registry.cell(entry.agent, named, environment, variant, seed, test, entry.file)
                changes = {"prior": prior, "discount": self.discount, "horizon": self.horizon}
                yield cell | changes, entry.mdps or self.mdps

    def distributions_of(self, environment: str) -> tuple[dict[str, Any], dict[str, Any] | str | None]:
        """Where the test distribution and the prior of an environment ``<case>/<experiment>`` come from."""
        case, experiment = registry.case_and_experiment(environment)
        test = self.distribution(experiment)
        return test, None if case == "accurate" else "uniform" if case == "inaccurate" else self.distribution(case)

    def distribution(self, name: str) -> dict[str, Any]:
        """Where a distribution of the package or of the study's own comes from, as `Cell` takes it."""
        if name not in self.distributions:
            return registry.source_of(name)
        given = self.distributions[name]
        if given.file is not None:
            return {"module": given.file, "name": name}
        if given.table is not None:
            return {"transitions": _rows(given.table), "initial_state": given.initial_state}
        return given.plain()

    def algorithm_titles(self) -> dict[str, str]:
        """Titles of all agents of the package, which published tables name too, and of the study's own by their "
        "names."""
        known = {name: agent.title for name, agent in registry.AGENTS.items()}
        return known | {entry.agent: entry.agent for entry in self.agents if entry.agent not in known}

    def environment_titles(self) -> dict[str, str]:
        """Titles of all environments of the package and of the study's."""
        known = [f"{case}/{experiment}" for case in registry.CASES for experiment in registry.EXPERIMENTS]
        found = {}
        for environment in (*known, *self.environments):
            case, experiment = registry.case_and_experiment(environment)
            shown = registry.EXPERIMENTS[experiment].title if experiment in registry.EXPERIMENTS else experiment
            found[environment] = f"{shown}, {case}" if case in registry.CASES else f"{shown}, prior {case}"
        return found


def _rows(table: str) -> list[list[float]]:
    """The transitions of a table: the numbers, not the file's name, belong in the specs of jobs."""
    from surefoot.sources.plays.transition_tables import read_transitions

    return read_transitions(Path(table))
