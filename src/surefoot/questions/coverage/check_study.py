"""Whether the pool is as large as its data sets, and there are bounds where a method rests on them."""

from surefoot.build.errors import InputError
from surefoot.configuration.models import Study
from surefoot.configuration.places import Locate
from surefoot.questions.asked_study import check_bounds
from surefoot.questions.coverage.settings import Settings
from surefoot.sources.trials.settings import Settings as Trials


def check_study(settings: Settings, name: str, study: Study, locate: Locate) -> None:
    """Raises InputError where the study has not what the question needs; see `surefoot.questions.asked_study`."""
    check_bounds(settings.bounds, settings.methods, settings.source, study, locate)
    if not isinstance(settings.datasets, int) and len(settings.datasets) != len(settings.sizes):
        what = f"{len(settings.datasets)} numbers for {len(settings.sizes)} sizes"
        where = locate("datasets", others=[["questions", name, "sizes"]])
        raise InputError(where, what, "one for all, or one for each size")
    source = study.sources.get(settings.source)
    if not isinstance(source, Trials):
        return
    trials = [["sources", settings.source, "trials"]]
    fewest = min(number for *_, number in source.rows())
    if max(settings.sizes) > fewest:
        what = f"data sets of {max(settings.sizes)} trials are more than the {fewest} trials of the pool"
        raise InputError(locate("sizes", others=trials), what, "smaller sizes, or more trials of the pool")
    needed = settings.runs_of_all_datasets()
    if settings.design == "cut" and needed > fewest:
        what = f"{needed} trials are needed to cut all data sets, and the pool has {fewest}"
        others = [*trials, *(["questions", name, key] for key in ("datasets", "sizes"))]
        raise InputError(locate("design", others=others), what, "more trials of the pool, or design: resample")
