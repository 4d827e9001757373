"""Whether a question is asked as its kind needs it: told from the configuration alone, before there are runs."""

from collections.abc import Iterable, Mapping
from typing import Any

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.models import Study
from surefoot.configuration.places import Locate
from surefoot.errors import HintedError
from surefoot.questions.settings import QuestionOfRuns, QuestionSettings
from surefoot.questions.study_checks import CHECKS, check_table
from surefoot.scales.settings import ScoreScale
from surefoot.sources.settings import CURVES, RUNS
from surefoot.sources.trials import Trials

_RUNS_WITH = {
    CURVES: ("scores at several numbers of frames", ("ale200m_curves",)),
    "means": (
        "published means with their deviations",
        ("machado2018", "dm_control_published_100k", "dm_control_published_500k"),
    ),
}
"""What questions need that a table of runs does not have, and the published runs that have it."""


def check_question(study: Study, name: str, locate: Locate) -> None:
    """Whether what a question names exists, and whether it can be asked of it.

    Parameters
    ----------
    locate : the place of a key of the question

    Raises
    ------
    InputError
    """
    settings = study.questions[name]
    if isinstance(settings, QuestionSettings):
        _check_scales(study, settings, locate)
        _check_values(settings, locate)
    if isinstance(settings, QuestionOfRuns):
        check_table(settings.kind, "source", settings.source, settings.needs, study, locate)
    if settings.kind in CHECKS:
        CHECKS[settings.kind](settings, name, study, locate)


def _check_scales(study: Study, settings: QuestionSettings, locate: Locate) -> None:
    for asked in settings.scores:
        if asked not in study.scales or not isinstance(study.scales[asked], ScoreScale):
            known = [name for name, scale in study.scales.items() if isinstance(scale, ScoreScale)]
            raise InputError(locate("scores"), f'there is no scale "{asked}"', nearest(asked, known))
    chosen = {name: study.scales[name] for name in settings.scores}
    if len({scale.source for scale in chosen.values()}) > 1:
        raise InputError(locate("scores"), "its scales belong to different sources", "scales of one source")
    kind, algorithms = settings.kind, getattr(settings, "algorithms", None)
    if settings.one_algorithm and algorithms and len(algorithms) > 1:
        what = f"{kind} takes one algorithm, and {', '.join(algorithms)} are {len(algorithms)}"
        raise InputError(locate("algorithms"), what, "a question for each")
    if len(chosen) > 1 and not settings.several_sets:
        raise InputError(
            locate("scores"), f"{kind} takes one scale, and {', '.join(chosen)} are {len(chosen)}", "one of them"
        )
    tables = study.tables()
    for name, scale in chosen.items():
        if tables.get(scale.source) == CURVES and settings.needs != CURVES:
            hint = f"a scale of the scores of the runs, such as {{source: {_runs_beside(scale.source, tables)}}}"
            raise InputError(locate("scores"), f'"{name}" is of learning curves, and {kind} takes no curves', hint)
    if settings.needs in _RUNS_WITH:
        needed, published = _RUNS_WITH[settings.needs]
        for name, scale in chosen.items():
            if getattr(scale, "runs", None) not in published and tables.get(scale.source) != settings.needs:
                hint = f"scales whose runs are {' or '.join(published)}; {settings.instead}"
                if settings.needs in tables.values():
                    table = next(table for table, made in tables.items() if made == settings.needs)
                    hint = f"scales: {{{name}: {{source: {table}}}}}"
                raise InputError(locate("scores"), f'{kind} needs {needed}, and "{name}" has none', hint)
    _check_names(study, settings, next(iter(chosen.values())), locate)


def _runs_beside(curves: str, tables: Mapping[str, str]) -> str:
    """The run table of the source that makes these curves."""
    fitting = [table for table, kind in tables.items() if kind == RUNS]
    return next((table for table in fitting if curves.startswith(f"{table}_")), RUNS)


def _check_names(study: Study, settings: QuestionSettings, scale: Any, locate: Locate) -> None:
    """Algorithms must be those of the scale, where these are known before there are runs."""
    source = study.sources.get(scale.source)
    known = scale.algorithms or (source.algorithms if isinstance(source, Trials) else ())
    for key in ("algorithms", "compare"):
        for chosen in getattr(settings, key, None) or ():
            if known and chosen not in known:
                raise InputError(locate(key), f'"{chosen}" is not an algorithm of this source', nearest(chosen, known))


def _check_values(settings: Any, locate: Locate) -> None:
    if isinstance(getattr(settings, "thresholds", None), tuple):  # which a program may have
        raise InputError(locate("thresholds"), "a list stands for a grid", "such as {from: 0.1, to: 2, count: 96}")
    check_metrics(getattr(settings, "metrics", ()), locate("metrics"))


def check_metrics(asked: Iterable[str], where: str) -> None:
    """Whether all are metrics.

    Raises
    ------
    InputError
    """
    from surefoot.statistics.metrics.catalogue import metric

    for written in asked:
        try:
            metric(written)
        except HintedError as error:
            raise InputError(where, error.told, error.hint) from None
