"""Whether there are as many trials as candidates."""

from surefoot.build.errors import InputError
from surefoot.configuration.models import Study
from surefoot.configuration.places import Locate
from surefoot.questions.best_of_candidates.settings import Settings
from surefoot.sources.trials.settings import Settings as Trials


def check_study(settings: Settings, name: str, study: Study, locate: Locate) -> None:
    """Raises InputError where the study has not what the question needs; see `surefoot.questions.asked_study`."""
    source = study.sources.get(settings.source)
    if not isinstance(source, Trials) or "candidates" not in settings.model_fields_set:
        return
    most, largest = max(settings.candidates), max(number for *_, number in source.rows())
    if most > largest:
        what = f"the best of {most} trials needs more than the {largest} trials of any pair"
        where = locate("candidates", others=[["sources", settings.source, "trials"]])
        raise InputError(where, what, "fewer candidates, or more trials")
