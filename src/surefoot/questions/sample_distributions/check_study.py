"""Whether the algorithm and the environment are simulated."""

from surefoot.build.errors import InputError
from surefoot.configuration.models import Study
from surefoot.configuration.places import Locate
from surefoot.questions.sample_distributions.settings import Settings
from surefoot.sources.trials.settings import Settings as Trials


def check_study(settings: Settings, name: str, study: Study, locate: Locate) -> None:
    """Raises InputError where the study has not what the question needs; see `surefoot.questions.asked_study`."""
    source = study.sources.get(settings.source)
    if not isinstance(source, Trials):
        return
    for key, chosen, known in (
        ("algorithm", settings.algorithm, source.algorithms),
        ("environment", settings.environment, source.environments),
    ):
        if chosen not in known:
            what = f'"{chosen}" is not simulated in this study'
            raise InputError(locate(key), what, f"one of {', '.join(known)}; or {name}: null")
