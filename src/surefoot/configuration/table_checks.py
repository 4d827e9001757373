"""Whether a score table can answer what its study asks, before any job runs."""

import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.models import Study
from surefoot.questions.checking import check_runs
from surefoot.questions.settings import QuestionOfRuns, QuestionSettings
from surefoot.result_tables import read_tables
from surefoot.scales.scaling import scaled
from surefoot.scales.settings import ScoreScale
from surefoot.statistics.runs.tables import scores_of

_AS_GIVEN = "set axes: as_given at its source in the study"


def check_axes_of_table(runs: pd.DataFrame, where: str) -> None:
    """Whether runs and environments have each other's names, or rows look like episodes of the same run.

    Raises
    ------
    InputError
    """
    from surefoot.sources.checks import check_axes

    if _are_numbers(runs["environment"]) and not _are_numbers(runs["run"]):
        what = f"environments are numbered ({runs['environment'].iloc[0]}) and runs are named ({runs['run'].iloc[0]})"
        raise InputError(where, what, f"are the columns run and environment exchanged? If not, {_AS_GIVEN}")
    check_axes(where, {name: scores_of(runs, name) for name in runs["algorithm"].unique()}, otherwise=_AS_GIVEN)


def _are_numbers(names: pd.Series) -> bool:
    return bool(pd.to_numeric(names, errors="coerce").notna().all())


def check_questions(runs: pd.DataFrame, study: Study, source: str, where: str) -> None:
    """Whether the scales of a source can be made of these runs, and all that is asked of it be answered.

    A question may name a `check` of its own; what all questions of scores need is in `surefoot.questions.checking`.

    Parameters
    ----------
    runs : the run table, or a further table of a source
    source : its name in the study
    where : how errors name the study

    Raises
    ------
    InputError
        for scales that the runs do not have, unknown algorithms (of the protocol too), metrics and intervals that are
        undefined for this many runs
    """
    scales = {
        key: scale
        for key, scale in study.scales.items()
        if scale.source == source and isinstance(scale, ScoreScale)
        if any(key in question.scales() for question in study.questions.values())
    }
    tables = {}
    for key, scale in scales.items():
        try:
            tables[key] = scaled({"runs": runs} | read_tables(scale.kept()), {key: scale})
        except InputError as error:
            raise InputError(f"{where}.{error.where}", error.what, error.hint) from None
    for name, settings in study.questions.items():
        place = f"{where}.questions.{name}"
        if isinstance(settings, QuestionSettings):
            for key in settings.scores:
                if key in tables:
                    check_runs(tables[key], settings, place)
        elif isinstance(settings, QuestionOfRuns) and settings.source == source:
            check_runs(runs, settings, place)
    known = list(map(str, dict.fromkeys(runs["algorithm"])))
    for name in study.protocol.algorithms if study.protocol is not None and len(study.sources) == 1 else ():
        if name not in known:
            what = f'"{name}" is not an algorithm of the table'
            raise InputError(f"{where}.protocol.algorithms.{name}", what, nearest(name, known))
