"""Plays of agents of Bayesian reinforcement learning on MDPs drawn from a distribution."""

import itertools
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from surefoot.bayesian import registry
from surefoot.bayesian.registry import parameters_text
from surefoot.build.job import Job
from surefoot.configuration.sections import EACH_ONCE, UNIQUE, DescribedSection, Name, SomeNames, Text, Variants
from surefoot.errors import HintedError, shortened
from surefoot.measured_seconds import batch_numbers, seconds_of_plays
from surefoot.sources.settings import RUNS, SourceSettings, StudySources, run_source, run_table_path

PLAYS = "plays"
"""Kind of a table of plays: one row per agent, parameters, variant and MDP."""

_Whole = Annotated[int, Field(ge=1, le=1_000_000)]
_Mdps = Annotated[int, Field(ge=2, le=1_000_000)]
_OfTransitions = tuple[tuple[tuple[int | float, ...], ...], ...]


LARGEST_DISCOUNT = 0.9999
"""Value iteration needs about 20 / (1 - discount) sweeps: 200,000 with this one."""


def _computable(discount: float) -> float:
    if discount > LARGEST_DISCOUNT:
        sweeps = f"about {20.0 / (1.0 - discount):.0e} sweeps"
        what = f"{discount!r} is too close to 1: value iteration would need {sweeps}"
        raise HintedError("", what, f"at most {LARGEST_DISCOUNT}")
    return discount


class PlayingAgent(DescribedSection):
    """An algorithm with values of its parameters; every combination is an agent."""

    agent: str
    """Name of the algorithm."""
    file: Text | None = None
    """For an algorithm of your own, the Python file with its functions prepare and play."""
    parameters: dict[
        str, Annotated[tuple[int | float | str, ...], EACH_ONCE, Field(min_length=1, json_schema_extra=UNIQUE)]
    ] = {}
    """Values of each of its parameters; every combination is an agent."""
    environments: SomeNames | None = None
    """Where these agents play; by default everywhere."""
    mdps: _Mdps | None = None
    """Number of MDPs on which these agents play; by default as many as the others."""
    variants: SomeNames | None = None
    """The variants of these agents, if they have any; by default those of the source. Besides the two, sboss has
    half_copied: as_published, with zeros where the program compares with memory that it never filled.
    """


class OwnDistribution(DescribedSection):
    """A distribution of your own, flat Dirichlet-multinomial, given by numbers, by a table or by a function."""

    pseudo_counts: _OfTransitions | None = None
    """Pseudo-counts by state, action and next state, as nested lists; 0 for what is impossible."""
    rewards: _OfTransitions | tuple[int | float, ...] | None = None
    """Rewards by state, action and next state, or by next state alone."""
    table: Text | None = None
    """In place of both, a CSV table of the possible transitions with the columns state, action, next_state,
    pseudo_count and reward; states and actions are numbered from 0.
    """
    file: Text | None = None
    """In place of all of these, a Python file with a function of the distribution's name that returns it."""
    initial_state: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    """Where every trajectory starts; beside file, its function says that."""


@run_source
class Plays(SourceSettings):
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
    agents: Annotated[tuple[PlayingAgent, ...], Field(min_length=1)]
    """The agents, in the order in which their algorithms are shown. An algorithm may be named several times."""
    environments: SomeNames
    """Environments, written case/experiment. The experiment is the distribution from which MDPs are drawn: gc, gdl,
    grid, or a name under distributions. The case is the agents' prior: accurate (that distribution), inaccurate (every
    transition is possible), or the name of another distribution.
    """
    distributions: dict[Name, OwnDistribution] = {}
    """Your own distributions by name, flat Dirichlet-multinomial."""
    variants: Variants = ("corrected",)
    """Variants of agents whose published scores were made by a program that differs from the text: as_published repeats
    the program, corrected does what the text says. The run table has the first.
    """
    mdps: _Mdps
    """Number of MDPs on which each agent plays, the same for all."""
    trajectories: _Whole = 1
    """Number of trajectories that an agent plays on each MDP, each from a new start. The score of a run is their mean
    return.
    """
    discount: Annotated[float, Field(gt=0, lt=1), AfterValidator(_computable)] = 0.95
    """Discount of the rewards in a score."""
    horizon: _Whole = 250
    """Number of decisions of a trajectory."""
    block: _Whole = 500
    """How many MDPs are kept as one entry of the store. Scores do not depend on it."""
    batch: Literal["agent", "cell"] = "agent"
    """What one job plays: an agent with all its parameters in all its environments or, for a cluster, as many of these
    as take about ten minutes.
    """
    repeat_seconds: Annotated[float, Field(ge=0)] = 0.0005
    """CPU time in seconds for which a trajectory is repeated, with the same random numbers, so that the times of fast
    agents are measured well.
    """
    decision_times: Annotated[
        tuple[Literal["mean", "median", "quantile_95", "longest"], ...], EACH_ONCE, Field(json_schema_extra=UNIQUE)
    ] = ()
    """What is kept of the wall-clock times of single decisions."""
    transitions: bool = False
    """Whether every transition is kept, in a separate table; with decision_times, also the time of every decision."""

    def tables(self, name: str) -> dict[str, str]:
        """Return the kinds of the tables: the runs of the best parameters of each agent, and all plays."""
        return {name: RUNS, PLAYS: PLAYS}

    def jobs_of(self, study: StudySources, name: str) -> list[Job]:
        """Return the jobs for the plays of each agent, the table of all plays, and the runs of best parameters."""
        played = list(_plays(study, self))
        chosen = {"variant": self.variants[0], "environments": list(self.environments)}
        all_plays = {"plays": run_table_path(study.name, PLAYS)}
        runs = {"runs": run_table_path(study.name, name)}
        inputs = {job.part: job.outputs["runs"] for job in played}
        together = {"parts": list(inputs)}
        return [
            *played,
            Job("collect", study.name, PLAYS, "collect_plays", together, (), inputs, {"runs": all_plays[PLAYS]}),
            Job("collect", study.name, name, "best_plays", chosen, (), all_plays, runs),
        ]

    def cells(self, seed: int) -> Iterator[tuple[dict[str, Any], int]]:
        """Yield (arguments of `surefoot.bayesian.cells.Cell`, number of MDPs) for every agent of the source."""
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
        """Return the test distribution and the prior of an environment ``<case>/<experiment>``."""
        case, experiment = registry.case_and_experiment(environment)
        test = self.distribution(experiment)
        return test, None if case == "accurate" else "uniform" if case == "inaccurate" else self.distribution(case)

    def distribution(self, name: str) -> dict[str, Any]:
        """Return the location of a distribution of the package or of the study, as `Cell` expects it."""
        if name not in self.distributions:
            return registry.source_of(name)
        given = self.distributions[name]
        if given.file is not None:
            return {"module": given.file, "name": name}
        if given.table is not None:  # specs of jobs contain the numbers, not the name of the file
            return {"transitions": read_transitions(Path(given.table)), "initial_state": given.initial_state}
        return given.plain()

    def titles(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the titles of all agents and all environments, of the package and of the study.

        Published tables may name agents that the study does not play.
        """
        agents = {name: agent.title for name, agent in registry.AGENTS.items()}
        agents |= {entry.agent: entry.agent for entry in self.agents if entry.agent not in agents}
        package_environments = [
            f"{case}/{experiment}" for case in registry.CASES for experiment in registry.EXPERIMENTS
        ]
        environments = {}
        for environment in (*package_environments, *self.environments):
            case, experiment = registry.case_and_experiment(environment)
            shown = registry.EXPERIMENTS[experiment].title if experiment in registry.EXPERIMENTS else experiment
            environments[environment] = f"{shown}, {case}" if case in registry.CASES else f"{shown}, prior {case}"
        return agents, environments


MOST_NUMBERS = 125_000_000
"""Largest product states x actions x states: pseudo-counts and rewards are dense, and this many float64 take 1 GB."""


def read_transitions(path: Path) -> list[list[float]]:
    """Read a table of transitions as rows for `surefoot.bayesian.distributions.from_rows`.

    Raises
    ------
    HintedError
        if the file is not a table, has other columns or invalid numbers, or there are too many states
    """
    from surefoot.bayesian.distributions import COLUMNS
    from surefoot.columns import as_floats, refuse_missing_columns
    from surefoot.sources.score_tables import read_table

    table = read_table(path, str(path))
    refuse_missing_columns(str(path), table, COLUMNS)
    values = table[list(COLUMNS)].apply(as_floats)
    places = values[list(COLUMNS[:3])]
    wrong = ~(values.abs() < math.inf).all(axis=1) | (places < 0).any(axis=1) | (places % 1 != 0).any(axis=1)
    if wrong.any():
        row = int(wrong.argmax())
        what = f"data row {row + 1}: {shortened(str(table[list(COLUMNS)].iloc[row].to_dict()))}"
        raise HintedError(str(path), what, "number states and actions from 0 on, and give finite numbers")
    states = int(places[["state", "next_state"]].to_numpy().max()) + 1
    actions = int(places["action"].max()) + 1
    if states * actions * states > MOST_NUMBERS:
        what = f"{states:.8g} states and {actions:.8g} actions are too many"
        raise HintedError(str(path), what, "number them from 0 on without gaps; pseudo-counts take 1 GB at most")
    rows: list[list[float]] = values.to_numpy().tolist()
    return rows


Cells = dict[str, dict[str, Any]]


def _plays(study: StudySources, source: Plays) -> Iterator[Job]:
    """Yield the jobs of each agent, with all its parameters in all its environments."""
    options = source.model_dump(mode="json", include=set(registry.PLAY_OPTIONS))
    cells: dict[str, Cells] = {}
    for cell, mdps in source.cells(study.seed):
        arguments = parameters_text(cell["arguments"])
        key = f"{cell['agent']}({arguments}).{cell['environment']}"
        kept = cells.setdefault(cell["agent"], {}).setdefault(key, {"cell": cell, "mdps": 0})
        kept["mdps"] = max(kept["mdps"], mdps)
        # Slow agents play few MDPs: a whole block of the usual size would be too many.
        kept["block"] = min(kept["mdps"], source.block)
    parts: dict[str, Cells] = {}
    for agent, wanted in cells.items():
        numbers = batch_numbers(seconds_of_plays(entry["cell"], entry["mdps"]) for entry in wanted.values())
        for number, (key, entry) in zip(numbers, wanted.items(), strict=True):
            parts.setdefault(agent if source.batch == "agent" else f"{agent}.{number}", {})[key] = entry
    for part, wanted in parts.items():
        outputs = {"runs": f"results/simulate/{study.name}/{part}.parquet"}
        if source.transitions:
            outputs["transitions"] = f"results/simulate/{study.name}/{part}_transitions.parquet"
        settings = {"seed": study.seed, "cells": wanted} | options
        code = {module for entry in wanted.values() for module in registry.modules(entry["cell"])}
        rule = "simulate_plays_with_transitions" if source.transitions else "simulate_plays"
        yield Job("simulate", study.name, part, rule, settings, tuple(sorted(code)), {}, outputs)
