"""Whether its scale is one of payoffs, of the very runs that are asked about."""

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.models import Study
from surefoot.configuration.places import Locate
from surefoot.questions.game_scores.settings import Settings


def check_study(settings: Settings, name: str, study: Study, locate: Locate) -> None:
    """Raises InputError where the study has not what the question needs; see `surefoot.questions.asked_study`."""
    scale = study.scales.get(settings.scale)
    of_pairs = [name for name, one in study.scales.items() if one.of_pairs]
    if scale is None or not scale.of_pairs:
        what = f'"{settings.scale}" is not a scale of performance percentiles'
        raise InputError(locate("scale"), what, nearest(settings.scale, of_pairs))
    if scale.source != settings.source:
        what = f'"{settings.scale}" is of the source "{scale.source}", and "{settings.source}" is asked about'
        fitting = [name for name in of_pairs if study.scales[name].source == settings.source]
        hint = ", ".join(fitting) or f"a scale {{kind: performance_percentile, source: {settings.source}}}"
        raise InputError(locate("scale", others=[["scales", settings.scale, "source"]]), what, hint)
