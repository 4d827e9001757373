"""The jobs of the intervals of the game: one for each method."""

from surefoot.build.job import Job
from surefoot.questions.game_intervals.settings import Settings
from surefoot.questions.planning import Asked, job_of
from surefoot.statistics.intervals.catalogue import ESTIMATORS, INTERVAL_METHODS


def jobs(asked: Asked) -> list[Job]:
    """The jobs of one question, each called after its method."""
    assert isinstance(asked.settings, Settings)
    return [_job(asked, asked.settings, method) for method in asked.settings.methods]


def _job(asked: Asked, settings: Settings, method: str) -> Job:
    resamples = method in INTERVAL_METHODS and INTERVAL_METHODS[method].resamples
    left_out = {} if resamples else {"replicates": None}
    left_out |= {} if method == "pbp_known_bounds" else {"bounds": None}
    chosen = settings.model_copy(update={"methods": (method,)} | left_out)
    uses = ("seed", "confidence", "replicates") if resamples else ("seed", "confidence")
    part = method if asked.name == settings.kind else f"{asked.name}.{method}"
    return job_of(asked._replace(settings=chosen), part, uses, (ESTIMATORS[method],))
