"""Checks of a question against the rest of its study, before any job runs.

`surefoot.questions._framework.question_settings` imports this module dynamically, so that fingerprints of questions do
not include it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from surefoot.errors import counted, nearest
from surefoot.questions._framework.question_settings import Question, QuestionSettings
from surefoot.questions.coverage import runs_of_all_datasets
from surefoot.runs.scales.scale_settings import ScaleSettings, ScoreScale
from surefoot.runs.setting_errors import SettingError, check_known, within
from surefoot.runs.sources.source_settings import CURVES, OUTCOMES, RUNS, SETTINGS
from surefoot.statistics.metrics.metric_catalogue import metric
from surefoot.workflow.configuration.models import Study


class _Needed(NamedTuple):
    """Kind of runs that some questions need.

    what : the required property of the runs
    published : published runs with this property
    instead : hint for users' own runs
    """

    what: str
    published: tuple[str, ...]
    instead: str


_NEEDED = {
    CURVES: _Needed(
        "scores at several numbers of frames",
        ("ale200m_curves",),
        "a source of the kind learning_curves makes such a table from your own curves",
    ),
    "means": _Needed(
        "published means with their deviations",
        ("machado2018", "dm_control_published_100k", "dm_control_published_500k"),
        "for runs, ask aggregate_metrics or rank_profile",
    ),
    SETTINGS: _Needed(
        "columns of hyperparameters",
        ("adkins2024",),
        "or name the columns of your own runs with the scale's key hyperparameters",
    ),
}
"""Runs that questions need, by `QuestionSettings.needs`."""


def usual_scale(needs: str, tables: Mapping[str, str], scales: Mapping[str, ScaleSettings]) -> str:
    """Return the default scale of a question.

    For a question about curves, it is the only scale of curves. Otherwise it is the study's only scale, or the only
    scale of the source `runs` if there are several. If no scale qualifies, it is min_max.

    Parameters
    ----------
    needs : requirement of the question on its runs
    tables : kind of each table of the study's sources
    scales : scales of the study; default scales have no settings
    """
    given = {name: scale.source for name, scale in scales.items() if scale.model_fields_set}
    of_curves = [name for name, source in given.items() if tables.get(source) == CURVES]
    if needs == CURVES and len(of_curves) == 1:
        return of_curves[0]
    others = [name for name in given if name not in of_curves]
    of_runs = [name for name, source in given.items() if source == RUNS]
    if len(of_runs) == 1 and of_runs[0] in others:
        return of_runs[0]
    return others[0] if len(others) == 1 else "min_max"


def check_scores(settings: Any, study: Study) -> None:
    """Check that the scales of a question exist, belong to one source and suit the question.

    Parameters
    ----------
    settings : section of a question about scores

    Raises
    ------
    SettingError
        If a scale is unknown or unsuitable; the keys are relative to the question.
    """
    scales = {name: scale for name, scale in study.scales.items() if isinstance(scale, ScoreScale)}
    for name in settings.scores:
        check_known(name, scales, ["scores"], f'unknown scale "{name}"')
    chosen = {name: scales[name] for name in settings.scores}
    if len({scale.source for scale in chosen.values()}) > 1:
        raise SettingError(["scores"], "the scales belong to different sources", "choose scales of one source")
    _check_numbers(settings, list(chosen))
    for name, scale in chosen.items():
        with within("scores"):
            _check_kind(settings, name, scale, study.tables())
        _check_algorithms(settings, scale, study)
    if isinstance(getattr(settings, "thresholds", None), tuple):  # only calls may pass a list
        hint = "use a grid such as {from: 0.1, to: 2, count: 96}"
        raise SettingError(["thresholds"], "a grid is expected, not a list", hint)
    with within("metrics" if hasattr(settings, "metrics") else "metric"):
        for written in settings.metric_names():
            metric(written)


def _check_numbers(settings: Any, scales: list[str]) -> None:
    """Check the numbers of algorithms and scales."""
    algorithms = getattr(settings, "algorithms", None) or ()
    if settings.one_algorithm and len(algorithms) > 1:
        what = f"{settings.kind} takes one algorithm, but got {len(algorithms)}: {', '.join(algorithms)}"
        raise SettingError(["algorithms"], what, "ask a separate question for each")
    if settings.sets != "several" and len(scales) > 1:
        what = f"{settings.kind} takes one scale, but got {len(scales)}: {', '.join(scales)}"
        raise SettingError(["scores"], what, "choose one of them")


def _check_kind(settings: QuestionSettings, name: str, scale: ScoreScale, tables: Mapping[str, str]) -> None:
    """Check that a question can use the runs of a scale, which may be curves or runs of many settings.

    Parameters
    ----------
    name : name of the scale
    tables : kind of each table of the study's sources
    """
    kind = settings.kind
    made = tables.get(scale.source)
    if made == CURVES and settings.needs != CURVES:
        tables_of_runs = [table for table, found in tables.items() if found == RUNS]
        of_curves = (table for table in tables_of_runs if scale.source.startswith(f"{table}_"))
        hint = f"use a scale of the scores of the runs, such as {{source: {next(of_curves, RUNS)}}}"
        raise SettingError([], f'the scale "{name}" is for learning curves, but {kind} needs one score per run', hint)
    if made == SETTINGS and settings.needs != SETTINGS:
        what = f'the scale "{name}" has runs of many hyperparameter settings, but {kind} needs runs of one'
        raise SettingError([], what, "use a source with the runs of a chosen setting")
    needed = _NEEDED.get(settings.needs)
    if needed is None or made == settings.needs or scale.runs in needed.published:
        return
    hint = f"use scales whose runs are {' or '.join(needed.published)}; {needed.instead}"
    fitting = [table for table, found in tables.items() if found == settings.needs]
    if fitting:
        hint = f"set scales: {{{name}: {{source: {fitting[0]}}}}}"
    raise SettingError([], f'{kind} needs {needed.what}, which the scale "{name}" lacks', hint)


def _check_algorithms(settings: QuestionSettings, scale: ScoreScale, study: Study) -> None:
    """Check the names of algorithms, if the algorithms of the source are known before any job runs."""
    names = scale.algorithms
    if names is None and scale.source in study.sources:
        names = tuple(study.sources[scale.source].known_names()[0])
    if not names:
        return
    for one in getattr(settings, "algorithms", None) or ():
        check_known(one, names, ["algorithms"], f'"{one}" is not an algorithm of this source')


def check_table(settings: Question, key: str, table: str, needed: str, study: Study) -> None:
    """Check that a source makes the table that a question names.

    Parameters
    ----------
    key : key of the question that names the table
    needed : kind of the table

    Raises
    ------
    SettingError
        If no source makes such a table.
    """
    # Outcomes are accepted too: the success rate of a run is a score.
    allowed = (needed, OUTCOMES) if needed == RUNS else (needed,)
    fitting = [name for name, kind in study.tables().items() if kind in allowed]
    if table not in fitting:
        kinds = needed.replace("_", " ")
        hint = nearest(table, fitting) if fitting else f"add a source of {kinds}"
        raise SettingError([key], f'{settings.kind} needs a source of {kinds}, but "{table}" is not one', hint)


def check_percentiles(settings: Any, study: Study) -> None:
    """Check that the scale of a question is a scale of performance percentiles of the question's source."""
    of_pairs = [name for name, scale in study.scales.items() if scale.of_pairs and scale.source == settings.source]
    what = f'"{settings.scale}" is not a scale of performance percentiles of "{settings.source}"'
    check_known(settings.scale, of_pairs, ["scale"], what)


def check_policies(settings: Any, study: Study) -> None:
    """Check that random policies play in all environments of the runs, if the environments are already known."""
    if settings.policies is None:
        return
    check_table(settings, "policies", settings.policies, "random_policies", study)
    played = study.sources.get(getattr(study.sources.get(settings.policies), "source", ""))
    runs = study.sources.get(settings.source)
    for environment in runs.known_names()[1] if runs is not None and played is not None else ():
        if played is not None and environment not in played.known_names()[1]:
            what = f'"{settings.policies}" has no random policies in {environment}'
            raise SettingError(["policies"], what, f"set source: {settings.source} in sources.{settings.policies}")


def check_pool(settings: Any, study: Study) -> None:
    """Check that a pool of runs is as large as the data sets to be drawn from it, if the pool is already known."""
    if not isinstance(settings.datasets, int) and len(settings.datasets) != len(settings.sizes):
        what = f"got {counted(len(settings.datasets), 'number')} for {counted(len(settings.sizes), 'size')}"
        raise SettingError(["datasets"], what, "give one number for all, or one for each size")
    numbers = _known_runs(settings, study)
    if numbers is None:
        return
    fewest, _ = numbers
    if max(settings.sizes) > fewest:
        what = f"data sets of {max(settings.sizes)} trials are more than the {fewest} trials of the pool"
        raise SettingError(["sizes"], what, "choose smaller sizes, or add trials to the pool")
    needed = runs_of_all_datasets(settings.sizes, settings.datasets)
    if settings.design == "cut" and needed > fewest:
        what = f"{needed} trials are needed to cut all data sets, but the pool has {fewest}"
        raise SettingError(["design"], what, "add trials to the pool, or set design: resample")


def check_best_of(settings: Any, study: Study) -> None:
    """Check that there are enough trials to choose the best from, if the number of trials is already known."""
    numbers = _known_runs(settings, study)
    if numbers is None or "candidates" not in settings.model_fields_set:
        return
    most, largest = max(settings.candidates), numbers[1]
    if most > largest:
        what = f"the best of {most} trials needs more than the {largest} trials of any pair"
        raise SettingError(["candidates"], what, "choose fewer candidates, or add trials")


def check_draws(settings: Any, study: Study) -> None:
    """Check that a choice among candidates has enough draws of hyperparameters, and enough runs of each draw."""
    source: Any = study.sources.get(settings.source)
    if not isinstance(getattr(source, "hyperparameters", None), int):
        return
    if settings.candidates > source.hyperparameters:
        what = f"{settings.candidates} candidates are more than the {source.hyperparameters} draws that are run"
        raise SettingError(["candidates"], what, "choose fewer candidates, or more hyperparameters in the source")
    needed = settings.tuning_runs + settings.reported_runs
    if needed > source.runs:
        what = f"{needed} runs of a candidate are more than the {source.runs} that each draw has"
        raise SettingError(["tuning_runs"], what, "choose fewer runs, or more runs in the source")


def check_simulated(settings: Any, study: Study) -> None:
    """Check that a source simulates an algorithm and an environment, if its names are already known."""
    source = study.sources.get(settings.source)
    names = source.known_names() if source is not None else ((), ())
    for key, known in zip(("algorithm", "environment"), names, strict=True):
        chosen = getattr(settings, key)
        if known:
            check_known(chosen, known, [key], f'"{chosen}" is not simulated here; null leaves the question out')


def _known_runs(settings: Any, study: Study) -> tuple[int, int] | None:
    source = study.sources.get(settings.source)
    return None if source is None else source.known_runs()
