"""Whether the parts of a study fit together: told from the configuration alone, before there are runs.

What only a table of runs can tell is in `table_checks`. Each error says where: `locate` gives the file and the key of a
path of keys within the study.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.models import Configuration, Protocol, Study
from surefoot.configuration.places import Locate
from surefoot.configuration.play_checks import check_plays
from surefoot.configuration.trial_checks import check_protocols, check_trials
from surefoot.errors import HintedError, shown
from surefoot.protocol.card import MOST, cards, contradictions, unlike_fields
from surefoot.protocol.sentences import NOT_COMPARED, differences
from surefoot.questions.coverage import runs_of_all_datasets
from surefoot.questions.settings import QuestionOfRuns, QuestionSettings
from surefoot.scales.registry import DEFAULTS
from surefoot.scales.settings import PublishedRuns, ScoreScale
from surefoot.sources.plays import Plays
from surefoot.sources.published.source import PUBLISHED_TABLES, Published, table_in
from surefoot.sources.repeated_runs import RandomPolicies, SameHyperparameters
from surefoot.sources.settings import CURVES, RUNS, SETTINGS, is_of_kind
from surefoot.sources.trials import OtherStudy, Trials

_RUNS_WITH = {
    CURVES: ("scores at several numbers of frames", ("ale200m_curves",)),
    "means": (
        "published means with their deviations",
        ("machado2018", "dm_control_published_100k", "dm_control_published_500k"),
    ),
    SETTINGS: ("columns of hyperparameters", ("adkins2024",)),
}
"""What questions need that a table of runs does not have, and the published runs that have it."""


def check_study(name: str, configuration: Configuration, locate: Locate, recorded: bool) -> None:
    """Whether all that the study names is there.

    Parameters
    ----------
    recorded : whether answers of this study are recorded, which are shown where the runs of another study are left out

    Raises
    ------
    InputError
    """
    study = configuration.studies[name]
    _check_names_of_tables(study, locate)
    if study.protocol is not None:
        _check_protocol(study.protocol, lambda *keys: locate("protocol", *keys))
    tables = study.tables()
    trials = {key: source for key, source in study.sources.items() if isinstance(source, Trials)}
    if trials:
        check_trials(trials, locate)
    check_protocols(study, trials, locate)
    for key, source in study.sources.items():
        if isinstance(source, Plays):
            check_plays(source, lambda *keys, key=key: locate("sources", key, *keys))
        if isinstance(source, OtherStudy):
            _check_other_study(name, key, source, configuration, locate, recorded)
    for key, scale in study.scales.items():
        asked = any(key in question.scales() for question in study.questions.values())
        if not asked and key in DEFAULTS and "source" not in scale.model_fields_set:
            continue
        if scale.source not in tables:
            hint = nearest(scale.source, tables)
            raise InputError(locate("scales", key), f'there is no source "{scale.source}" in this study', hint)
        if tables[scale.source] == PUBLISHED_TABLES and getattr(scale, "runs", None) is None:
            hint = f"runs: one of {', '.join(get_args(PublishedRuns))}"
            raise InputError(locate("scales", key), f'which runs of "{scale.source}" are taken is not said', hint)
        if scale.of_pairs and tables[scale.source] == CURVES:
            what = f'"{scale.source}" is learning curves, and pairs are compared by the scores of their runs'
            hint = nearest(scale.source, [table for table, kind in tables.items() if kind == RUNS])
            raise InputError(locate("scales", key), what, hint)
        if scale.of_pairs and key in study.sources:
            raise InputError(locate("scales", key), f'"{key}" is a source of this study', "another name")
    for key in study.questions:
        if key in study.sources:
            raise InputError(locate("questions", key), f'"{key}" is a source of this study', "another name")
        check_question(study, key, lambda *keys, key=key, **more: locate("questions", key, *keys, **more))


def _check_names_of_tables(study: Study, locate: Locate) -> None:
    """No two sources make tables of the same name."""
    names: set[str] = set()
    for name, source in study.sources.items():
        for table in source.tables(name):
            if table in names:
                what = f'another source makes a table "{table}" too'
                raise InputError(locate("sources", name), what, "another name; a study has one source of plays")
            names.add(table)


def _check_other_study(
    name: str, key: str, source: OtherStudy, configuration: Configuration, locate: Locate, recorded: bool
) -> None:
    other = source.study or key
    if other == name:
        raise InputError(locate("sources", key), "a study has its own runs without this", "another study")
    if other not in configuration.studies and recorded:
        return
    if other not in configuration.studies:
        where = locate("sources", key, *(["study"] if source.study else []))
        others = [one for one in configuration.studies if one != name]
        hint = nearest(other, others) if others else "name a study of this configuration"
        raise InputError(where, f'there is no study "{other}"', hint)
    study = configuration.studies[other]
    tables = study.tables()
    makes = [table for table, kind in tables.items() if kind == "runs"]
    if source.source not in makes or PUBLISHED_TABLES in tables.values():
        where = locate("sources", key, "source")
        raise InputError(where, f'"{other}" has no runs "{source.source}"', nearest(source.source, makes))


def check_folder(configuration: Configuration, locate: Locate) -> None:
    """Whether the local folder, where one is given, has published tables that some study names.

    Raises
    ------
    InputError
    """
    if configuration.published.folder is None:
        return
    folder, where = Path(configuration.published.folder), locate("published", "folder")
    if not folder.is_dir():
        hint = f"paths are relative to {Path.cwd()}, where the workflow runs"
        raise InputError(where, f'no folder "{folder}"', hint)
    sources = [source for study in configuration.studies.values() for source in study.sources.values()]
    tables = [table for source in sources if isinstance(source, Published) for table in source.collected]
    if not any(table_in(folder, table) for table in tables):
        what = f'"{folder}" holds none of the published tables of these studies, nor all files of one'
        hint = f"{', '.join(dict.fromkeys(tables))}, as CSV or Parquet, or the files of the source"
        raise InputError(where, what, hint if tables else "leave the key out: no study names published tables")


def _check_protocol(protocol: Protocol, locate: Locate) -> None:
    """Raise an InputError for algorithms that the logs do not have, for what the author tells against the logs, for
    ranges that end before they begin, and for unlike protocols that nobody asked to be compared.

    Parameters
    ----------
    locate : the place of a key below the protocol
    """
    plain = protocol.plain()
    for name in protocol.algorithms if protocol.logs else ():
        if name not in protocol.logs:
            what = f'"{name}" is not an algorithm of the logs'
            raise InputError(locate("algorithms", name), what, nearest(name, protocol.logs))
    for keys, card in (
        ((), protocol),
        *((("algorithms", name), one) for name, one in protocol.algorithms.items()),
        *((("logs", name), one) for name, one in protocol.logs.items()),
    ):
        for least, most in MOST.items():
            fewest, greatest = getattr(card, least, None), getattr(card, most, None)
            if greatest is not None and (fewest is None or greatest < fewest):
                raise InputError(locate(*keys, most), f"{greatest} is not above {least}", f"{least} at most {greatest}")
    for name, field, said, read in contradictions(plain):
        told_of_one = field in plain.get("algorithms", {}).get(name, {})
        where = locate(*(("algorithms", name) if told_of_one else ()), field)
        what = f"{shown(said)} is told of {name}, and its logs say {shown(read)}"
        raise InputError(where, what, "leave it out: what the logs say is shown")
    cards_of = cards(plain)
    unlike = unlike_fields(list(cards_of.values()))
    if unlike and protocol.unlike == "error":
        what = f"{NOT_COMPARED}: {differences(cards_of, unlike)}"
        raise InputError(locate(), what, "score all alike, or unlike: remark, which the page then says everywhere")


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
        if tables.get(scale.source) == SETTINGS and settings.needs != SETTINGS:
            what = f'"{name}" is of runs of many hyperparameter settings, and {kind} takes runs of one'
            raise InputError(locate("scores"), what, "a source of the runs of a chosen setting")
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


# What a kind of question needs of its study. `settings` are those of the question, `name` is its name, and `locate`
# gives the place of a key of the question, as errors name it; `others` are paths within the study.


def check_table(kind: str, key: str, table: str, takes: str, study: Study, locate: Locate) -> None:
    """Whether a source of the study makes the table that a key of a question names, of the kind that it takes.

    Raises
    ------
    InputError
    """
    tables = study.tables()
    if is_of_kind(tables.get(table), takes):
        return
    fitting = [one for one, found in tables.items() if is_of_kind(found, takes)]
    kinds = takes.replace("_", " ")
    what = f'{kind} needs a source of {kinds}, and "{table}" is not one'
    raise InputError(locate(key), what, nearest(table, fitting) if fitting else f"add a source of {kinds}")


def check_bounds(bounds: object, methods: tuple[str, ...], source: str, study: Study, locate: Locate) -> None:
    """Whether scores have known bounds where a method rests on them.

    Raises
    ------
    InputError
    """
    made = study.sources.get(source)
    if "pbp_known_bounds" in methods and not bounds and not (made is not None and made.known_bounds()):
        hint = "bounds: {environment: [least, greatest], ...}"
        raise InputError(locate("methods"), "pbp_known_bounds has no bounds", hint)


def _check_best_of_candidates(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether there are as many trials as candidates."""
    source = study.sources.get(settings.source)
    if not isinstance(source, Trials) or "candidates" not in settings.model_fields_set:
        return
    most, largest = max(settings.candidates), max(number for *_, number in source.rows())
    if most > largest:
        what = f"the best of {most} trials needs more than the {largest} trials of any pair"
        where = locate("candidates", others=[["sources", settings.source, "trials"]])
        raise InputError(where, what, "fewer candidates, or more trials")


def _check_coverage(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether the pool is as large as its data sets, and there are bounds where a method rests on them."""
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
    needed = runs_of_all_datasets(settings.sizes, settings.datasets)
    if settings.design == "cut" and needed > fewest:
        what = f"{needed} trials are needed to cut all data sets, and the pool has {fewest}"
        others = [*trials, *(["questions", name, key] for key in ("datasets", "sizes"))]
        raise InputError(locate("design", others=others), what, "more trials of the pool, or design: resample")


def _check_exploits(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether there are the random policies that it names, in all environments of its runs."""
    if settings.policies is None:
        return
    check_table(settings.kind, "policies", settings.policies, "random_policies", study, locate)
    policies, runs = study.sources.get(settings.policies), study.sources.get(settings.source)
    played = study.sources.get(policies.like) if isinstance(policies, RandomPolicies) else None
    if not isinstance(played, Trials) or not isinstance(runs, Trials):
        return
    for environment in runs.environments:
        if environment not in played.environments:
            what = f'"{settings.policies}" has no random policies in {environment}'
            raise InputError(locate("policies"), what, f"like: {settings.source} in sources.{settings.policies}")


def _check_game_intervals(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether there are bounds where a method rests on them."""
    check_bounds(settings.bounds, settings.methods, settings.source, study, locate)


def _check_game_scores(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether its scale is one of payoffs, of the very runs that are asked about."""
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


def _check_sample_distributions(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether the algorithm and the environment are simulated."""
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


def _check_tuning(settings: Any, name: str, study: Study, locate: Locate) -> None:
    """Whether there are as many draws of hyperparameters, and runs of each, as one tuning takes."""
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


CHECKS: dict[str, Callable[[Any, str, Study, Locate], None]] = {
    "best_of_candidates": _check_best_of_candidates,
    "coverage": _check_coverage,
    "exploits": _check_exploits,
    "game_intervals": _check_game_intervals,
    "game_scores": _check_game_scores,
    "sample_distributions": _check_sample_distributions,
    "tuning": _check_tuning,
}
"""What one kind of question alone needs of its study."""
