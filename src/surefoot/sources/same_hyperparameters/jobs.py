"""The jobs of runs of the same hyperparameters."""

from collections.abc import Mapping

from surefoot.build.job import Job
from surefoot.simulation import registry
from surefoot.sources.protocol_jobs import protocol_job
from surefoot.sources.same_hyperparameters.settings import Settings
from surefoot.sources.settings import StudySources
from surefoot.sources.trials.settings import Settings as Trials


def jobs(study: StudySources, sources: Mapping[str, Settings]) -> list[Job]:
    """One for each source."""
    made = []
    for name, source in sources.items():
        trials = study.sources[source.like]
        assert isinstance(trials, Trials)  # checked with the configuration
        own = trials.own.plain()
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
        protocol = "surefoot.simulation.repeated:same_hyperparameters"
        made.append(protocol_job(study, name, protocol, cells, numbers))
    return made
