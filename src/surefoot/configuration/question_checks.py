"""Whether a question is asked as its kind needs it: told from the configuration alone, before there are runs."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.models import Study
from surefoot.errors import HintedError
from surefoot.questions.best_of_candidates.settings import Settings as BestOfCandidates
from surefoot.questions.coverage.settings import Settings as Coverage
from surefoot.questions.exploits.settings import Settings as Exploits
from surefoot.questions.game_intervals.settings import Settings as GameIntervals
from surefoot.questions.game_scores.settings import Settings as GameScores
from surefoot.questions.sample_distributions.settings import Settings as SampleDistributions
from surefoot.questions.settings import QuestionOfRuns, QuestionSettings
from surefoot.questions.tuning.settings import Settings as Tuning
from surefoot.scales.settings import ScoreScale
from surefoot.sources.same_hyperparameters.settings import Settings as SameHyperparameters
from surefoot.sources.trials.settings import Settings as Trials

Locate = Callable[..., str]
_RUNS_WITH = {
    "curves": ("scores at several numbers of frames", ("ale200m_curves",)),
    "means": (
        "published means with their deviations",
        ("machado2018", "dm_control_published_100k", "dm_control_published_500k"),
    ),
}
"""What questions need that a table of runs does not have, and the published runs that have it."""


def check_question(study: Study, name: str, tables: Mapping[str, str], locate: Locate) -> None:
    """Whether what a question names exists, and whether it can be asked of it.

    Parameters
    ----------
    tables : the kind of each table that the study's sources make
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
        _check_table(settings.kind, "source", settings.source, settings.takes, tables, locate)
        if isinstance(settings, GameScores):
            _check_scale_of_pairs(study, settings, locate)
        _check_of_runs(study, name, tables, locate)


def _check_table(kind: str, key: str, table: str, takes: str, tables: Mapping[str, str], locate: Locate) -> None:
    fitting = [one for one, found in tables.items() if found == takes]
    if tables.get(table) == takes:
        return
    kinds = takes.replace("_", " ")
    what = f'{kind} needs a source of {kinds}, and "{table}" is not one'
    raise InputError(locate(key), what, nearest(table, fitting) if fitting else f"add a source of {kinds}")


def _check_scale_of_pairs(study: Study, settings: GameScores, locate: Locate) -> None:
    """The game is played with payoffs of the very runs that are asked about."""
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
    if settings.needs in _RUNS_WITH:
        needed, published = _RUNS_WITH[settings.needs]
        for name, scale in chosen.items():
            if getattr(scale, "runs", None) not in published:
                hint = f"scales whose runs are {' or '.join(published)}; {settings.instead}"
                raise InputError(locate("scores"), f'{kind} needs {needed}, and "{name}" has none', hint)
    _check_names(study, settings, next(iter(chosen.values())), locate)


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


def _check_of_runs(study: Study, name: str, tables: Mapping[str, str], locate: Locate) -> None:
    settings = study.questions[name]
    assert isinstance(settings, QuestionOfRuns)
    source = study.sources.get(settings.source)
    if isinstance(settings, Exploits) and settings.policies is not None:
        _check_table(settings.kind, "policies", settings.policies, "random_policies", tables, locate)
    if isinstance(settings, Tuning) and isinstance(source, SameHyperparameters):
        _check_tuning(name, settings, source, locate)
    if isinstance(settings, GameIntervals | Coverage):
        known = settings.bounds or (source.known_bounds() if source is not None else {})
        if "pbp_known_bounds" in settings.methods and not known:
            hint = "bounds: {environment: [least, greatest], ...}"
            raise InputError(locate("methods"), "pbp_known_bounds has no bounds", hint)
    if isinstance(settings, Coverage):
        _check_coverage(name, settings, source, locate)
    if isinstance(source, Trials) and isinstance(settings, SampleDistributions):
        for kind in ("algorithm", "environment"):
            known_names = getattr(source, f"{kind}s")
            if getattr(settings, kind) not in known_names:
                what = f'"{getattr(settings, kind)}" is not simulated in this study'
                raise InputError(locate(kind), what, f"one of {', '.join(known_names)}; or {name}: null")
    if isinstance(source, Trials) and isinstance(settings, BestOfCandidates):
        most, largest = max(settings.candidates), max(number for *_, number in source.rows())
        if most > largest and "candidates" in settings.model_fields_set:
            what = f"the best of {most} trials needs more than the {largest} trials of any pair"
            where = locate("candidates", others=[["sources", settings.source, "trials"]])
            raise InputError(where, what, "fewer candidates, or more trials")


def _check_tuning(name: str, settings: Tuning, source: SameHyperparameters, locate: Locate) -> None:
    """There must be as many draws, and runs of each, as one tuning takes."""
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


def _check_coverage(name: str, settings: Coverage, source: Any, locate: Locate) -> None:
    """A data set must not be larger than the pool, nor pieces cut from it longer than it is."""
    if not isinstance(settings.datasets, int) and len(settings.datasets) != len(settings.sizes):
        what = f"{len(settings.datasets)} numbers for {len(settings.sizes)} sizes"
        where = locate("datasets", others=[["questions", name, "sizes"]])
        raise InputError(where, what, "one for all, or one for each size")
    if not isinstance(source, Trials):
        return
    trials = [["sources", settings.source, "trials"]]
    fewest = min(number for *_, number in source.rows())
    if max(settings.sizes) > fewest:
        what = f"data sets of {max(settings.sizes)} trials are more than the {fewest} trials of the pool"
        raise InputError(locate("sizes", others=trials), what, "smaller sizes, or more trials of the pool")
    needed = sum(size * number for size, number in zip(settings.sizes, settings.numbers_of_datasets(), strict=True))
    if settings.design == "cut" and needed > fewest:
        what = f"{needed} trials are needed to cut all data sets, and the pool has {fewest}"
        others = [*trials, *(["questions", name, key] for key in ("datasets", "sizes"))]
        raise InputError(locate("design", others=others), what, "more trials of the pool, or design: resample")
