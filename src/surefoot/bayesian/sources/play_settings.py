"""Plays of Bayesian reinforcement-learning agents on MDPs drawn from a distribution."""

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator

from surefoot.bayesian import bayesian_registry
from surefoot.bayesian.bayesian_registry import (
    AGENTS,
    CASES,
    EXPERIMENTS,
    PLAY_OPTIONS,
    Parameter,
    case_and_experiment,
    modules,
    parameters_text,
    source_of,
)
from surefoot.bayesian.sources.own_distributions import EXAMPLE, OwnDistribution
from surefoot.errors import HintedError
from surefoot.runs.sections import (
    EACH_ONCE,
    NAME_HINT,
    NAME_PATTERN,
    UNIQUE,
    DescribedSection,
    Name,
    SomeNames,
    Text,
    Variants,
)
from surefoot.runs.setting_errors import SettingError, check_known, in_yaml, within
from surefoot.runs.sources.own_files import check_file
from surefoot.runs.sources.source_settings import RUNS, SourceSettings, StudySources, run_source, run_table_path
from surefoot.workflow.job import Job
from surefoot.workflow.measured_seconds import batch_numbers, seconds_of_plays

if TYPE_CHECKING:
    from surefoot.workflow.configuration.models import Configuration

PLAYS = "plays"
"""The kind of tables of plays: one row per agent, parameters, variant and MDP."""

SeveralMdps = Annotated[int, Field(ge=2, le=1_000_000)]
"""Type of a number of MDPs."""
_TYPES: dict[str, tuple[Any, str, float]] = {
    "name": (str, "a string", 0.0),
    "whole": (int, "a whole number", 10_000_000),
    "real": (int | float, "a number", 1e100),
}
"""For each kind of parameter: the type of its values, its name in hints, and the largest allowed value of a parameter
without its own limit. Larger values cause endless loops, memory errors, or infinite values. The limits are not in the
registry, since the fingerprint of every score includes the registry.
"""
_Whole = Annotated[int, Field(ge=1, le=1_000_000)]
LARGEST_DISCOUNT = 0.9999
"""Largest discount. Value iteration needs about 20 / (1 - discount) sweeps, which is 200,000 for this discount."""


def _computable(discount: float) -> float:
    if discount > LARGEST_DISCOUNT:
        sweeps = f"about {20.0 / (1.0 - discount):.0e} sweeps"
        what = f"{discount!r} is too close to 1: value iteration would need {sweeps}"
        raise HintedError("", what, f"use at most {LARGEST_DISCOUNT}")
    return discount


class PlayingAgent(DescribedSection):
    """An algorithm with values of its parameters; every combination is an agent."""

    agent: str
    """Name of the algorithm."""
    file: Text | None = None
    """For a user-defined algorithm, the Python file with its functions prepare and play."""
    parameters: dict[
        str, Annotated[tuple[int | float | str, ...], EACH_ONCE, Field(min_length=1, json_schema_extra=UNIQUE)]
    ] = {}
    """Values of each parameter; every combination is an agent."""
    environments: SomeNames | None = None
    """Environments in which the agents of this entry play. Default: all."""
    mdps: SeveralMdps | None = None
    """Number of MDPs on which the agents of this entry play. Default: the number of the source."""
    variants: SomeNames | None = None
    """Variants of the algorithm, if it has any. Default: the variants of the source. In addition, sboss has the variant
    half_copied, which is as_published with zeros where the program reads uninitialized memory.
    """

    @model_validator(mode="after")
    def _is_defined(self) -> "PlayingAgent":
        agent = AGENTS.get(self.agent) if self.file is None else None
        if agent is not None:
            self._check_parameters(agent.parameters)
        elif self.file is not None and not re.fullmatch(NAME_PATTERN, self.agent):
            raise SettingError(["agent"], f"{self.agent!r} is not a valid name for an agent", NAME_HINT)
        elif self.agent in AGENTS:
            raise SettingError(["agent"], f'"{self.agent}" is the name of a built-in agent', "choose another name")
        variants = agent.variants if agent is not None else ()
        if self.variants and not variants:
            raise SettingError(["variants"], f"{self.agent} has no variants", "leave the key out")
        for position, variant in enumerate(self.variants or ()):
            check_known(variant, variants, ["variants", position], f'{self.agent} has no variant "{variant}"')
        return self

    def _check_parameters(self, parameters: Mapping[str, Parameter]) -> None:
        """Check that an agent of the package has values for exactly its parameters, within their limits."""
        for name in self.parameters:
            check_known(name, parameters, ["parameters", name], f'{self.agent} has no parameter "{name}"')
        for name, parameter in parameters.items():
            if name not in self.parameters:
                hint = f"{name}: {_allowed(parameter)}"
                raise SettingError([], f"{self.agent} needs its parameter {name}", hint)
            for position, value in enumerate(self.parameters[name]):
                with within("parameters", name, position):
                    _check_value(name, parameter, value)
                    if self.agent == "formula":
                        _check_formula(str(value))


def _allowed(parameter: Parameter) -> str:
    """Describe the allowed values of a parameter."""
    kind, noun, largest = _TYPES[parameter.kind]
    return noun if kind is str else f"{noun} from {parameter.low:g} to {min(parameter.high, largest):.8g}"


def _check_value(name: str, parameter: Parameter, value: Any) -> None:
    kind, _, largest = _TYPES[parameter.kind]
    if isinstance(value, kind) and (kind is str or parameter.low <= value <= min(parameter.high, largest)):
        return
    raise SettingError([], f"{in_yaml(value)} is not a value of {name}", f"use {_allowed(parameter)}")


def _check_formula(formula: str) -> None:
    """Check the syntax of a formula, and that it has no extra spaces.

    A formula with extra spaces would be a different agent, with different random numbers, than the same formula without
    them.
    """
    from surefoot.bayesian.formulas import encode

    encode(formula)
    plain = " ".join(formula.split())
    if formula != plain:
        raise SettingError([], f"{formula!r} has extra spaces", f'write "{plain}"')


@run_source
class Plays(SourceSettings):
    """Plays of Bayesian reinforcement-learning agents on MDPs drawn from a distribution."""

    default_questions: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "evaluation_game_scores": {},
        "evaluation_game_intervals": {"methods": ["pbp_matchings", "pbp", "anderson"]},
        "agents": {},
        "time_bounds": {},
        "paired_z": {},
        "views": {},
    }
    kind: Literal["plays"] = "plays"
    agents: Annotated[tuple[PlayingAgent, ...], Field(min_length=1)]
    """The agents, in the display order of their algorithms. An algorithm may be named several times."""
    environments: SomeNames
    """Environments, written case/experiment. The experiment is the distribution from which MDPs are drawn: gc, gdl,
    grid, or a name under distributions. The case is the agents' prior: accurate (the distribution of the experiment),
    inaccurate (every transition is possible), or the name of another distribution.
    """
    distributions: dict[Name, OwnDistribution] = {}
    """User-defined flat Dirichlet-multinomial distributions, by name."""
    variants: Variants = ("corrected",)
    """Variants of agents whose published scores come from a program that differs from the text: as_published repeats
    the program, corrected follows the text. The run table has the first variant in this list.
    """
    mdps: SeveralMdps
    """Number of MDPs on which each agent plays; all agents play the same MDPs."""
    trajectories: _Whole = 1
    """Number of trajectories that an agent plays on each MDP, each with a new start. The score of a run is the mean
    return of the trajectories.
    """
    discount: Annotated[float, Field(gt=0, lt=1), AfterValidator(_computable)] = 0.95
    """Discount of the rewards in a score."""
    horizon: _Whole = 250
    """Number of decisions of a trajectory."""
    block: _Whole = 500
    """Number of MDPs in one cache entry. Scores do not depend on it."""
    batch: Literal["agent", "cell"] = "agent"
    """Work of one job: an agent with all its parameters in all its environments (agent) or, for a cluster, as many
    combinations as take about ten minutes (cell).
    """
    repeat_seconds: Annotated[float, Field(ge=0)] = 0.0005
    """CPU time in seconds for which a trajectory is repeated, with the same random numbers, to measure the times of
    fast agents accurately.
    """
    decision_times: Annotated[
        tuple[Literal["mean", "median", "quantile_95", "longest"], ...], EACH_ONCE, Field(json_schema_extra=UNIQUE)
    ] = ()
    """Stored statistics of the wall-clock times of single decisions."""
    transitions: bool = False
    """If true, store every transition in a separate table, and with decision_times also the time of every decision."""

    @model_validator(mode="after")
    def _names_are_known(self) -> "Plays":
        for name in self.distributions:
            if name in EXPERIMENTS or name in CASES:
                raise SettingError(
                    ["distributions", name], f'"{name}" is already a distribution of Surefoot', "choose another name"
                )
        tests = [*EXPERIMENTS, *self.distributions]
        for position, environment in enumerate(self.environments):
            case, experiment = case_and_experiment(environment)
            with within("environments", position):
                check_known(experiment, tests, [], f'"{environment}" has no known distribution after the slash')
                check_known(case, [*CASES, *tests], [], f'"{environment}" has no known case before the slash')
        files: dict[str, str | None] = {}
        for position, entry in enumerate(self.agents):
            with within("agents", position):
                self._check_agent(entry, files)
        self._check_run_table()
        return self

    def _check_agent(self, entry: PlayingAgent, files: dict[str, str | None]) -> None:
        """Check that all entries of an agent name the same file, and that it only plays in environments of this source.

        Parameters
        ----------
        files : file of each agent so far; None for agents of the package
        """
        other = files.setdefault(entry.agent, entry.file)
        if entry.file != other:
            what = f'"{entry.agent}" is from the file {other} above'
            if entry.file is None:
                raise SettingError(["agent"], what, "give the file here too")
            raise SettingError(["file"], what, "choose another name, or the same file")
        if entry.file is None:
            check_known(entry.agent, AGENTS, ["agent"], f'unknown agent "{entry.agent}"')
        for position, name in enumerate(entry.environments or ()):
            what = f'"{name}" is not an environment of this study'
            check_known(name, self.environments, ["environments", position], what)

    def _check_run_table(self) -> None:
        """Check that some algorithm plays in all environments, since the run table has only such algorithms."""
        played: dict[str, set[str]] = {}
        for entry in self.agents:
            if self.variants[0] in (entry.variants or self.variants):
                played.setdefault(entry.agent, set()).update(entry.environments or self.environments)
        if not played:
            what = f'no agent has the variant "{self.variants[0]}", the first listed, so the run table would be empty'
            raise SettingError(["variants"], what, "put a variant first that some agent has")
        missing = {name: [one for one in self.environments if one not in places] for name, places in played.items()}
        if all(missing.values()):
            best = min(missing, key=lambda name: len(missing[name]))
            what = f"no algorithm plays in all environments; {best} lacks {', '.join(missing[best])}"
            hint = "let one algorithm play in all environments, or use fewer environments"
            raise SettingError(["agents"], what, hint)

    def check_in(self, configuration: "Configuration", study: str, name: str) -> None:
        """Check user-defined agents and distributions, and that computations with the distributions are possible."""
        for distribution, given in self.distributions.items():
            with within("distributions", distribution):
                given.check(distribution)
        for position, environment in enumerate(self.environments):
            with within("environments", position):
                self._check_problem(environment)
        for position, entry in enumerate(self.agents):
            if entry.file is not None:
                with within("agents", position, "file"):
                    check_file(entry.file, ("prepare", "play"), EXAMPLE)

    def _check_problem(self, environment: str) -> None:
        """Check that the distributions of an environment are compatible, if they are not all from the package."""
        case, experiment = case_and_experiment(environment)
        if case in CASES and experiment not in self.distributions:
            return
        from surefoot.bayesian.cells import Cell, problem_of

        test, prior = self.distributions_of(environment)
        cell: dict[str, Any] = bayesian_registry.cell("random", {}, f"accurate/{next(iter(EXPERIMENTS))}")
        problem_of(Cell(**cell | {"environment": environment, "test": test, "prior": prior}))

    def tables(self, name: str) -> dict[str, str]:
        """Return the kinds of the tables: the runs of the best parameters of each agent, and all plays."""
        return {name: RUNS, PLAYS: PLAYS}

    def jobs_of(self, study: StudySources, name: str) -> list[Job]:
        """Return the jobs for the plays of each agent, all plays, and the runs with each agent's best parameters."""
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
            several = entry.file is None and AGENTS[entry.agent].variants
            variants = (entry.variants or self.variants) if several else self.variants[:1]
            choices = list(itertools.product(*entry.parameters.values()))
            for choice, environment, variant in itertools.product(
                choices, entry.environments or self.environments, variants
            ):
                test, prior = self.distributions_of(environment)
                named: dict[str, object] = dict(zip(entry.parameters, choice, strict=True))
                cell = bayesian_registry.cell(entry.agent, named, environment, variant, seed, test, entry.file)
                changes = {"prior": prior, "discount": self.discount, "horizon": self.horizon}
                yield cell | changes, entry.mdps or self.mdps

    def distributions_of(self, environment: str) -> tuple[dict[str, Any], dict[str, Any] | str | None]:
        """Return the test distribution and the prior of an environment ``<case>/<experiment>``."""
        case, experiment = case_and_experiment(environment)
        test = self.distribution(experiment)
        return test, None if case == "accurate" else "uniform" if case == "inaccurate" else self.distribution(case)

    def distribution(self, name: str) -> dict[str, Any]:
        """Return the location of a distribution of the package or of the study, as `Cell` expects it."""
        return self.distributions[name].located(name) if name in self.distributions else source_of(name)

    def titles(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the titles of all agents and all environments, of the package and of the study.

        Published tables may name agents that the study does not play.
        """
        agents = {name: agent.title for name, agent in AGENTS.items()}
        agents |= {entry.agent: entry.agent for entry in self.agents if entry.agent not in agents}
        package_environments = [f"{case}/{experiment}" for case in CASES for experiment in EXPERIMENTS]
        environments = {}
        for environment in (*package_environments, *self.environments):
            case, experiment = case_and_experiment(environment)
            shown = EXPERIMENTS[experiment].title if experiment in EXPERIMENTS else experiment
            environments[environment] = f"{shown}, {case}" if case in CASES else f"{shown}, prior {case}"
        return agents, environments


Cells = dict[str, dict[str, Any]]


def _plays(study: StudySources, source: Plays) -> Iterator[Job]:
    """Yield the jobs of each agent, with all its parameters in all its environments."""
    options = source.model_dump(mode="json", include=set(PLAY_OPTIONS))
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
        code = {module for entry in wanted.values() for module in modules(entry["cell"])}
        rule = "simulate_plays_with_transitions" if source.transitions else "simulate_plays"
        yield Job("simulate", study.name, part, rule, settings, tuple(sorted(code)), {}, outputs)
