"""Whether there are as many draws of hyperparameters, and runs of each, as one tuning takes."""

from surefoot.build.errors import InputError
from surefoot.configuration.models import Study
from surefoot.configuration.places import Locate
from surefoot.questions.tuning.settings import Settings
from surefoot.sources.same_hyperparameters.settings import Settings as SameHyperparameters


def check_study(settings: Settings, name: str, study: Study, locate: Locate) -> None:
    """Raises InputError where the study has not what the question needs; see `surefoot.questions.asked_study`."""
    source = study.sources.get(settings.source)
    if not isinstance(source, SameHyperparameters):
        return
    if settings.candidates > source.hyperparameters:
        what = f"{settings.candidates} candidates are more than the {source.hyperparameters} draws that are run"
        where = locate("candidates", others=[["sources", settings.source, "hyperparameters"]])
        raise InputError(where, what, "fewer candidates, or more hyperparameters of the source")
    needed = settings.tuning_runs + settings.reported_runs
    if needed > source.runs:
        what = f"{needed} runs of a candidate are more than the {source.runs} that each draw has"
        others = [["questions", name, "reported_runs"], ["sources", settings.source, "runs"]]
        where = locate("tuning_runs", others=others)
        raise InputError(where, what, "fewer, or more runs of the source")
