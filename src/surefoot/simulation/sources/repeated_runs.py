"""Settings of simulated runs other than trials: repeated runs with equal hyperparameters, and random policies.

Repeated runs are needed for questions about tuning, random policies for policy percentiles.
"""

from collections.abc import Collection, Mapping
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field

from surefoot.errors import HintedError, nearest
from surefoot.runs.sections import EACH_ONCE, UNIQUE, Count, Names, SeveralRuns, SomeNames
from surefoot.runs.setting_errors import SettingError, check_known
from surefoot.runs.sources.source_settings import SETTINGS, SourceSettings, StudySources, run_source, run_table_path
from surefoot.simulation import simulation_registry
from surefoot.simulation.sources.trials import Trials
from surefoot.workflow.job import Job

if TYPE_CHECKING:
    from surefoot.workflow.configuration.models import Configuration


@run_source
class RandomPolicies(SourceSettings):
    """Random policies in the discrete environments of a source of trials, for the question exploits."""

    kind: Literal["random_policies"] = "random_policies"
    source: str = "runs"
    """Source of trials that defines the environments, which must all be discrete."""
    policies: Count
    """Number of random policies in each environment."""
    episodes: Count
    """Number of episodes of each policy; their mean return is its score."""

    def check_in(self, configuration: "Configuration", study: str, name: str) -> None:
        """Check that all environments of the source of trials are discrete."""
        trials = _simulated(configuration, study, self.source)
        _check_kinds(trials, trials.environments, ("discrete",), self.kind, name)

    def tables(self, name: str) -> dict[str, str]:
        """Return {name: kind} of the only table of the source."""
        return {name: self.kind}

    def jobs_of(self, study: StudySources, name: str) -> list[Job]:
        """Return the job that simulates the runs, in a list."""
        trials, own = _trials(study, self.source)
        worlds = simulation_registry.environments(own)
        cells = {
            environment: {
                "settings": {"environment": environment, "environment_arguments": worlds[environment].arguments},
                "modules": (worlds[environment].module,),
            }
            for environment in trials.environments
        }
        numbers = {"policies": self.policies, "episodes": self.episodes}
        return [_job(study, name, "surefoot.simulation.other_protocols:random_policies", cells, numbers)]


@run_source
class SameHyperparameters(SourceSettings):
    """Several simulated runs with the same hyperparameters, for the question tuning."""

    kind: Literal["same_hyperparameters"] = "same_hyperparameters"
    source: str = "runs"
    """Source of trials that defines the algorithms and the environments."""
    algorithms: Names = ()
    """Algorithms to simulate. Default: all algorithms of the source of trials."""
    environments: Names = ()
    """Environments to simulate. Default: all environments of the source of trials."""
    hyperparameters: Count = 50
    """Number of hyperparameter settings to draw for each algorithm."""
    runs: SeveralRuns = 8
    """Number of runs of each setting."""

    def check_in(self, configuration: "Configuration", study: str, name: str) -> None:
        """Check that the source of trials has the chosen algorithms and environments, none of them in plain Python."""
        trials = _simulated(configuration, study, self.source)
        _check_kinds(trials, self.environments or trials.environments, ("discrete", "continuous"), self.kind, name)
        for key in ("algorithms", "environments"):
            for position, chosen in enumerate(getattr(self, key)):
                what = f'"{chosen}" is not simulated in "{self.source}" ("{name}: null" turns this source off)'
                check_known(chosen, getattr(trials, key), [key, position], what)

    def tables(self, name: str) -> dict[str, str]:
        """Return {name: kind} of the only table of the source."""
        return {name: self.kind}

    def jobs_of(self, study: StudySources, name: str) -> list[Job]:
        """Return the job that simulates the runs, in a list."""
        trials, own = _trials(study, self.source)
        cells: dict[str, dict[str, Any]] = {}
        for algorithm in self.algorithms or trials.algorithms:
            for environment in self.environments or trials.environments:
                cells |= _cell(simulation_registry.cell(algorithm, environment, own), environment, own)
        numbers = {"candidates": self.hyperparameters, "runs": self.runs}
        return [_job(study, name, "surefoot.simulation.other_protocols:same_hyperparameters", cells, numbers)]


_Values = Annotated[
    tuple[Annotated[float, Field(ge=0.0, le=1.0)], ...], EACH_ONCE, Field(min_length=1, json_schema_extra=UNIQUE)
]


def _discrete(names: tuple[str, ...]) -> tuple[str, ...]:
    discrete = [
        name for name, environment in simulation_registry.ENVIRONMENTS.items() if environment.kind == "discrete"
    ]
    for name in names:
        if name not in discrete:
            raise HintedError("", f'"{name}" is not a discrete environment', nearest(name, discrete))
    return names


@run_source
class HyperparameterGrid(SourceSettings):
    """Simulated runs of Sarsa(λ) and Q(λ) on a grid of hyperparameters, for questions about tuning."""

    kind: Literal["hyperparameter_grid"] = "hyperparameter_grid"
    algorithms: Annotated[
        tuple[Literal["sarsa", "q"], ...], EACH_ONCE, Field(min_length=1, json_schema_extra=UNIQUE)
    ] = ("sarsa", "q")
    """The algorithms, with a fixed step size."""
    environments: Annotated[SomeNames, AfterValidator(_discrete)]
    """Names of discrete environments."""
    discount: _Values
    """Discount factors."""
    trace_decay: _Values
    """Trace decays λ."""
    exploration: _Values
    """Probabilities of a random action."""
    step_size: _Values
    """Step sizes."""
    runs: SeveralRuns
    """Number of runs of each setting."""
    first_run: Annotated[int, Field(ge=0)] = 0
    """Number of the first run. Runs with different numbers are independent."""

    def tables(self, name: str) -> dict[str, str]:
        """Return {name: kind} of the source's table, which has a column for each hyperparameter."""
        return {name: SETTINGS}

    def jobs_of(self, study: StudySources, name: str) -> list[Job]:
        """Return the job that simulates the runs, in a list."""
        cells: dict[str, dict[str, Any]] = {}
        for algorithm, environment in product(self.algorithms, self.environments):
            cells |= _cell(algorithm, environment, {})
        grid = list(product(*(getattr(self, one) for one in simulation_registry.HYPERPARAMETERS)))
        numbers = {"grid": grid, "runs": self.runs, "first_run": self.first_run}
        return [_job(study, name, "surefoot.simulation.other_protocols:hyperparameter_grid", cells, numbers)]

    def titles(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return the titles of the algorithms and of the environments, by name."""
        return (
            {name: simulation_registry.ALGORITHMS[name].title for name in self.algorithms},
            {name: simulation_registry.ENVIRONMENTS[name].title for name in self.environments},
        )


def _simulated(configuration: "Configuration", study: str, source: str) -> Trials:
    """Return the source of trials named by another source.

    Raises
    ------
    SettingError
        If there is no source with this name.
    """
    sources = configuration.studies[study].sources
    trials = {name: source for name, source in sources.items() if isinstance(source, Trials)}
    if source not in trials:
        hint = nearest(source, trials) if trials else "simulate trials too"
        raise SettingError(["source"], f'"{source}" is not a source of trials of this study', hint)
    return trials[source]


def _check_kinds(trials: Trials, names: Collection[str], allowed: Collection[str], kind: str, source: str) -> None:
    """Check that environments are of the allowed kinds.

    Parameters
    ----------
    trials : source that defines the environments
    names : names of the environments; unknown ones are ignored
    kind, source : kind and name of the source that uses the environments
    """
    environments = simulation_registry.environments(trials.user_defined.plain())
    for name in names:
        if name in environments and environments[name].kind not in allowed:
            what = f"{name} is {environments[name].kind}, and {kind} need {' or '.join(allowed)} environments"
            raise SettingError(["kind"], what, f'use other environments, or turn this source off with "{source}: null"')


def _trials(study: StudySources, name: str) -> tuple[Trials, dict[str, Any]]:
    """Return a source of trials, with the algorithms and environments that it defines."""
    trials = study.sources[name]
    assert isinstance(trials, Trials)  # checked with the configuration
    return trials, trials.user_defined.plain()


def _cell(algorithm: str, environment: str, own: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return {name of the cell: its settings and modules}."""
    settings = simulation_registry.settings(algorithm, environment, own)
    modules = simulation_registry.modules(algorithm, environment, own)
    return {f"{algorithm}.{environment}": {"settings": settings, "modules": modules}}


def _job(
    study: StudySources, name: str, protocol: str, cells: Mapping[str, dict[str, Any]], numbers: Mapping[str, Any]
) -> Job:
    """Return the job of a source.

    Parameters
    ----------
    protocol : function that simulates a cell, as ``module:function``
    cells : settings and modules of each cell
    numbers : keyword arguments of the function
    """
    settings = {"protocol": protocol, "seed": study.seed, "cells": cells, "numbers": numbers}
    modules = (protocol.partition(":")[0], *dict.fromkeys(used for cell in cells.values() for used in cell["modules"]))
    outputs = {"runs": run_table_path(study.name, name, "simulate")}
    return Job("simulate", study.name, name, "simulate_repeated_runs", settings, modules, {}, outputs)
