"""Whether there are bounds where a method rests on them."""

from surefoot.configuration.models import Study
from surefoot.configuration.places import Locate
from surefoot.questions.asked_study import check_bounds
from surefoot.questions.game_intervals.settings import Settings


def check_study(settings: Settings, name: str, study: Study, locate: Locate) -> None:
    """Raises InputError where the study has not what the question needs; see `surefoot.questions.asked_study`."""
    check_bounds(settings.bounds, settings.methods, settings.source, study, locate)
