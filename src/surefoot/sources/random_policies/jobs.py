"""The jobs of random policies."""

from collections.abc import Mapping

from surefoot.build.job import Job
from surefoot.simulation import registry
from surefoot.sources.protocol_jobs import protocol_job
from surefoot.sources.random_policies.settings import Settings
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
            environment: {
                "settings": registry.environment_settings(environment, own),
                "modules": registry.environment_modules(environment, own),
            }
            for environment in trials.environments
        }
        numbers = {"policies": source.policies, "episodes": source.episodes}
        protocol = "surefoot.simulation.random_policies:random_policies"
        made.append(protocol_job(study, name, protocol, cells, numbers))
    return made
