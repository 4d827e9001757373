"""The jobs of the intervals of the game: one for all methods; where resamples are many, one for each that resamples."""

from surefoot.build.job import MANY_RESAMPLES, Job
from surefoot.questions.game_intervals.settings import Settings
from surefoot.questions.planning import Asked, job_of_several
from surefoot.statistics.intervals.catalogue import ESTIMATORS, INTERVAL_METHODS


def jobs(asked: Asked) -> list[Job]:
    """The jobs of one question; each answer is called after its method."""
    settings = asked.settings
    assert isinstance(settings, Settings)
    many = (settings.replicates or asked.shared["replicates"]) >= MANY_RESAMPLES
    alone = [method for method in settings.methods if many and _resamples(method)]
    together = [method for method in settings.methods if method not in alone]
    groups = [(together, asked.name)] if together else []
    groups += [([method], _name(asked, method)) for method in alone]
    return [_job(asked, settings, methods, part) for methods, part in groups]


def _job(asked: Asked, settings: Settings, methods: list[str], part: str) -> Job:
    questions, modules = {}, {}
    for method in methods:
        left_out = {} if _resamples(method) else {"replicates": None}
        left_out |= {} if method == "pbp_known_bounds" else {"bounds": None}
        name = _name(asked, method)
        questions[name] = settings.model_copy(update={"methods": (method,)} | left_out)
        modules[name] = (ESTIMATORS[method],)
    uses = ("seed", "confidence", *(["replicates"] if any(map(_resamples, methods)) else []))
    return job_of_several(asked, part, questions, uses, modules)


def _resamples(method: str) -> bool:
    return method in INTERVAL_METHODS and INTERVAL_METHODS[method].resamples


def _name(asked: Asked, method: str) -> str:
    return method if asked.name == asked.settings.kind else f"{asked.name}.{method}"
