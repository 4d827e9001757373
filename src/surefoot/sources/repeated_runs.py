"""Simulated runs that other procedures rest on, and which are no trials: several runs of the same hyperparameters, for
tuning, and random policies, for policy percentiles."""

from collections.abc import Mapping
from typing import Any, Literal

from surefoot.build.job import Job
from surefoot.configuration.sections import Count, Names, SeveralRuns
from surefoot.simulation import registry
from surefoot.sources.settings import SourceSettings, StudySources, run_source, run_table_path
from surefoot.sources.trials import Trials


@run_source
class RandomPolicies(SourceSettings):
    """Random policies in the environments of a source of trials, for the question exploits."""

    kind: Literal["random_policies"] = "random_policies"
    like: str = "runs"
    """The source of trials that has the environments."""
    policies: Count
    """Number of random policies in each environment."""
    episodes: Count
    """Number of episodes of each policy; their mean return is its score."""

    def tables(self, name: str) -> dict[str, str]:
        """A table of its own kind."""
        return {name: self.kind}

    @classmethod
    def jobs(cls, study: StudySources, sources: Mapping[str, "RandomPolicies"]) -> list[Job]:
        """One for each source."""
        jobs = []
        for name, source in sources.items():
            trials, own = _trials(study, source.like)
            cells = {
                environment: {
                    "settings": registry.environment_settings(environment, own),
                    "modules": registry.environment_modules(environment, own),
                }
                for environment in trials.environments
            }
            numbers = {"policies": source.policies, "episodes": source.episodes}
            jobs.append(_job(study, name, "surefoot.simulation.random_policies:random_policies", cells, numbers))
        return jobs


@run_source
class SameHyperparameters(SourceSettings):
    """Several simulated runs of the same hyperparameters, for the question tuning."""

    kind: Literal["same_hyperparameters"] = "same_hyperparameters"
    like: str = "runs"
    """The source of trials that has the algorithms and the environments."""
    algorithms: Names = ()
    """The algorithms; by default all of that source."""
    environments: Names = ()
    """The environments; by default all of that source."""
    hyperparameters: Count = 50
    """Number of hyperparameter settings that are drawn for each algorithm."""
    runs: SeveralRuns = 8
    """Number of runs of each setting."""

    def tables(self, name: str) -> dict[str, str]:
        """A table of its own kind."""
        return {name: self.kind}

    @classmethod
    def jobs(cls, study: StudySources, sources: Mapping[str, "SameHyperparameters"]) -> list[Job]:
        """One for each source."""
        jobs = []
        for name, source in sources.items():
            trials, own = _trials(study, source.like)
            cells = {
                f"{cell}.{environment}": {
                    "settings": registry.settings(cell, environment, own),
                    "modules": registry.modules(cell, environment, own),
                }
                for algorithm in source.algorithms or trials.algorithms
                for environment in source.environments or trials.environments
                for cell in [registry.cell(algorithm, environment, own)]
            }
            numbers = {"candidates": source.hyperparameters, "runs": source.runs}
            jobs.append(_job(study, name, "surefoot.simulation.repeated:same_hyperparameters", cells, numbers))
        return jobs


def _trials(study: StudySources, name: str) -> tuple[Trials, dict[str, Any]]:
    """A source of trials, and its own algorithms and environments."""
    trials = study.sources[name]
    assert isinstance(trials, Trials)  # checked with the configuration
    return trials, trials.own.plain()


def _job(
    study: StudySources, name: str, protocol: str, cells: Mapping[str, dict[str, Any]], numbers: Mapping[str, int]
) -> Job:
    """The job of a source.

    Parameters
    ----------
    protocol : the function that simulates a cell, as ``module:function``
    cells : the settings and the modules of each
    numbers : how much is simulated: keyword arguments of the function
    """
    settings = {"protocol": protocol, "seed": study.seed, "cells": cells, "numbers": numbers}
    modules = (protocol.partition(":")[0], *dict.fromkeys(used for cell in cells.values() for used in cell["modules"]))
    outputs = {"runs": run_table_path(study.name, name, "simulate")}
    work = "surefoot.sources.protocols:simulate"
    return Job("simulate", study.name, name, work, settings, modules, {}, outputs)
