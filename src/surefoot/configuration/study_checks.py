"""Whether the parts of a study fit together: told from the configuration alone, before there are runs.

What only a table of runs can tell is in `table_checks`. Each check raises a `SettingError`, whose keys lead from the
study, or from the part of it that is checked, to what is wrong.
"""

from pathlib import Path
from typing import Any, get_args

from surefoot.build.errors import nearest
from surefoot.build.project import RECORDS
from surefoot.configuration.models import Configuration, Protocol, Study
from surefoot.configuration.play_checks import check_plays
from surefoot.configuration.trial_checks import check_protocols, check_trials
from surefoot.configuration.validation_errors import SettingError, check_known, within
from surefoot.errors import shown
from surefoot.protocol import MOST, NOT_COMPARED, cards, contradictions, differences, unlike_fields
from surefoot.questions.coverage import runs_of_all_datasets
from surefoot.questions.settings import QuestionOfRuns, QuestionSettings
from surefoot.scales.settings import DEFAULTS, PublishedRuns, ScoreScale
from surefoot.sources.plays import Plays
from surefoot.sources.published.source import PUBLISHED_TABLES, Published, table_in
from surefoot.sources.repeated_runs import RandomPolicies, SameHyperparameters
from surefoot.sources.settings import CURVES, OUTCOMES, RUNS, SETTINGS, SourceSettings
from surefoot.sources.trials import OtherStudy, Trials
from surefoot.statistics.metrics.catalogue import metric

_RUNS_WITH = {
    CURVES: (
        "scores at several numbers of frames",
        ("ale200m_curves",),
        "a source of the kind learning_curves makes such a table of your own",
    ),
    "means": (
        "published means with their deviations",
        ("machado2018", "dm_control_published_100k", "dm_control_published_500k"),
        "aggregates and rank_profile are of runs",
    ),
    SETTINGS: (
        "columns of hyperparameters",
        ("adkins2024",),
        "runs with a column for each hyperparameter, which the scale names as hyperparameters",
    ),
}
"""What questions need that a table of runs does not have, the published runs that have it, and what else helps."""


def check_study(name: str, configuration: Configuration) -> None:
    """Whether all that the study names is there.

    Raises
    ------
    SettingError
    """
    study = configuration.studies[name]
    if study.protocol is not None:
        with within("protocol"):
            _check_protocol(study.protocol)
    check_trials({key: source for key, source in study.sources.items() if isinstance(source, Trials)})
    check_protocols(study)
    made: set[str] = set()
    for key, source in study.sources.items():
        with within("sources", key):
            for table in source.tables(key):
                if table in made:
                    what = f'another source makes a table "{table}" too'
                    raise SettingError([], what, "another name; a study has one source of plays")
                made.add(table)
            if isinstance(source, Plays):
                check_plays(source)
            if isinstance(source, OtherStudy):
                _check_other_study(name, source.of_other_study(key), configuration)
    for key in study.scales:
        with within("scales", key):
            _check_scale(study, key)
    for key in study.questions:
        with within("questions", key):
            if key in study.sources:
                raise SettingError([], f'"{key}" is a source of this study', "another name")
            _check_question(study, key)


def _check_scale(study: Study, name: str) -> None:
    scale, tables = study.scales[name], study.tables()
    asked = any(name in question.scales() for question in study.questions.values())
    if not asked and name in DEFAULTS and "source" not in scale.model_fields_set:
        return
    check_known(scale.source, tables, [], f'there is no source "{scale.source}" in this study')
    if tables[scale.source] == PUBLISHED_TABLES and getattr(scale, "runs", None) is None:
        hint = f"runs: one of {', '.join(get_args(PublishedRuns))}"
        raise SettingError([], f'which runs of "{scale.source}" are taken is not said', hint)
    if scale.of_pairs and tables[scale.source] == CURVES:
        what = f'"{scale.source}" is learning curves, and pairs are compared by the scores of their runs'
        raise SettingError([], what, nearest(scale.source, [table for table, kind in tables.items() if kind == RUNS]))
    if scale.of_pairs and name in study.sources:
        raise SettingError([], f'"{name}" is a source of this study', "another name")


def _check_other_study(name: str, wanted: tuple[str, str], configuration: Configuration) -> None:
    """Whether there is the other study, with a source of runs of this name, or answers of this study are recorded,
    which are shown where the other is left out."""
    other, source = wanted
    if other == name:
        raise SettingError([], "a study has its own runs without this", "another study")
    if other not in configuration.studies and (RECORDS / name).is_dir():
        return
    others = [one for one in configuration.studies if one != name]
    check_known(other, others, ["study"], f'there is no study "{other}"')
    tables = configuration.studies[other].tables()
    makes = [table for table, kind in tables.items() if kind == RUNS and PUBLISHED_TABLES not in tables.values()]
    check_known(source, makes, ["source"], f'"{other}" has no runs "{source}"')


def check_folder(configuration: Configuration) -> None:
    """Whether the local folder, where one is given, has published tables that some study names.

    Raises
    ------
    SettingError
    """
    if configuration.published.folder is None:
        return
    folder, keys = Path(configuration.published.folder), ["published", "folder"]
    if not folder.is_dir():
        hint = f"paths are relative to {Path.cwd()}, where the workflow runs"
        raise SettingError(keys, f'no folder "{folder}"', hint)
    sources = [source for study in configuration.studies.values() for source in study.sources.values()]
    tables = [table for source in sources if isinstance(source, Published) for table in source.collected]
    if not any(table_in(folder, table) for table in tables):
        what = f'"{folder}" holds none of the published tables of these studies, nor all files of one'
        hint = f"{', '.join(dict.fromkeys(tables))}, as CSV or Parquet, or the files of the source"
        raise SettingError(keys, what, hint if tables else "leave the key out: no study names published tables")


def _check_protocol(protocol: Protocol) -> None:
    """Refuse algorithms that the logs do not have, what the author tells against the logs, ranges that end before they
    begin, and unlike protocols that nobody asked to be compared."""
    plain = protocol.plain()
    for name in protocol.algorithms if protocol.logs else ():
        check_known(name, protocol.logs, ["algorithms", name], f'"{name}" is not an algorithm of the logs')
    for keys, card in (
        ([], protocol),
        *((["algorithms", name], one) for name, one in protocol.algorithms.items()),
        *((["logs", name], one) for name, one in protocol.logs.items()),
    ):
        for least, most in MOST.items():
            fewest, greatest = getattr(card, least, None), getattr(card, most, None)
            if greatest is not None and (fewest is None or greatest < fewest):
                raise SettingError([*keys, most], f"{greatest} is not above {least}", f"{least} at most {greatest}")
    for name, field, said, read in contradictions(plain):
        keys = ["algorithms", name, field] if field in plain.get("algorithms", {}).get(name, {}) else [field]
        what = f"{shown(said)} is told of {name}, and its logs say {shown(read)}"
        raise SettingError(keys, what, "leave it out: what the logs say is shown")
    cards_of = cards(plain)
    unlike = unlike_fields(list(cards_of.values()))
    if unlike and protocol.unlike == "error":
        what = f"{NOT_COMPARED}: {differences(cards_of, unlike)}"
        raise SettingError([], what, "score all alike, or unlike: remark, which the page then says everywhere")


def _check_question(study: Study, name: str) -> None:
    """Whether what a question names exists, and whether it can be asked of it."""
    settings: Any = study.questions[name]
    if isinstance(settings, QuestionSettings):
        _check_scales(study, settings)
        if isinstance(getattr(settings, "thresholds", None), tuple):  # which a program may have
            raise SettingError(["thresholds"], "a list stands for a grid", "such as {from: 0.1, to: 2, count: 96}")
        with within("metrics"):
            for written in getattr(settings, "metrics", ()):
                metric(written)
    if isinstance(settings, QuestionOfRuns):
        _check_table(settings.kind, "source", settings.source, settings.needs, study)
    if settings.kind == "coverage":
        _check_coverage(settings, study)
    elif settings.kind == "game_scores":
        of_pairs = [one for one, scale in study.scales.items() if scale.of_pairs and scale.source == settings.source]
        what = f'"{settings.scale}" is not a scale of performance percentiles of "{settings.source}"'
        check_known(settings.scale, of_pairs, ["scale"], what)
    elif settings.kind == "sample_distributions":
        _check_sample_distributions(settings, study)
    elif settings.kind == "exploits" and settings.policies is not None:
        _check_table(settings.kind, "policies", settings.policies, "random_policies", study)
        _check_exploits(settings, study)
    elif settings.kind in ("best_of_candidates", "tuning"):
        _check_candidates(settings, study.sources.get(settings.source))


def _check_scales(study: Study, settings: Any) -> None:
    kind, tables, keys = settings.kind, study.tables(), ["scores"]
    known = {name: scale for name, scale in study.scales.items() if isinstance(scale, ScoreScale)}
    for name in settings.scores:
        check_known(name, known, keys, f'there is no scale "{name}"')
    chosen = {name: known[name] for name in settings.scores}
    if len({scale.source for scale in chosen.values()}) > 1:
        raise SettingError(keys, "its scales belong to different sources", "scales of one source")
    algorithms = getattr(settings, "algorithms", None) or ()
    if settings.one_algorithm and len(algorithms) > 1:
        what = f"{kind} takes one algorithm, and {', '.join(algorithms)} are {len(algorithms)}"
        raise SettingError(["algorithms"], what, "a question for each")
    if len(chosen) > 1 and settings.sets != "several":
        raise SettingError(keys, f"{kind} takes one scale, and {', '.join(chosen)} are {len(chosen)}", "one of them")
    for name, scale in chosen.items():
        made = tables.get(scale.source)
        if made == CURVES and settings.needs != CURVES:
            fitting = [table for table, found in tables.items() if found == RUNS]
            beside = next((table for table in fitting if scale.source.startswith(f"{table}_")), RUNS)
            hint = f"a scale of the scores of the runs, such as {{source: {beside}}}"
            raise SettingError(keys, f'"{name}" is of learning curves, and {kind} takes no curves', hint)
        if made == SETTINGS and settings.needs != SETTINGS:
            what = f'"{name}" is of runs of many hyperparameter settings, and {kind} takes runs of one'
            raise SettingError(keys, what, "a source of the runs of a chosen setting")
        needed, published, instead = _RUNS_WITH.get(settings.needs, ("", (), ""))
        if needed and made != settings.needs and getattr(scale, "runs", None) not in published:
            fitting = [table for table, found in tables.items() if found == settings.needs]
            hint = f"scales whose runs are {' or '.join(published)}; {instead}"
            hint = f"scales: {{{name}: {{source: {fitting[0]}}}}}" if fitting else hint
            raise SettingError(keys, f'{kind} needs {needed}, and "{name}" has none', hint)
        source = study.sources.get(scale.source)
        names = scale.algorithms or (source.algorithms if isinstance(source, Trials) else ())
        for key in ("algorithms", "compare") if names else ():
            for one in getattr(settings, key, None) or ():
                check_known(one, names, [key], f'"{one}" is not an algorithm of this source')


def _check_table(kind: str, key: str, table: str, takes: str, study: Study) -> None:
    """Whether a source of the study makes the table that a key of a question names, of the kind that it takes."""
    kinds_taken = (takes, OUTCOMES) if takes == RUNS else (takes,)  # success rates of runs are scores of runs
    fitting = [name for name, made in study.tables().items() if made in kinds_taken]
    if table not in fitting:
        kinds = takes.replace("_", " ")
        hint = nearest(table, fitting) if fitting else f"add a source of {kinds}"
        raise SettingError([key], f'{kind} needs a source of {kinds}, and "{table}" is not one', hint)


def _check_coverage(settings: Any, study: Study) -> None:
    """Whether the pool is as large as its data sets."""
    if not isinstance(settings.datasets, int) and len(settings.datasets) != len(settings.sizes):
        what = f"{len(settings.datasets)} numbers for {len(settings.sizes)} sizes"
        raise SettingError(["datasets"], what, "one for all, or one for each size")
    source = study.sources.get(settings.source)
    if not isinstance(source, Trials):
        return
    fewest = min(number for *_, number in source.rows())
    if max(settings.sizes) > fewest:
        what = f"data sets of {max(settings.sizes)} trials are more than the {fewest} trials of the pool"
        raise SettingError(["sizes"], what, "smaller sizes, or more trials of the pool")
    needed = runs_of_all_datasets(settings.sizes, settings.datasets)
    if settings.design == "cut" and needed > fewest:
        what = f"{needed} trials are needed to cut all data sets, and the pool has {fewest}"
        raise SettingError(["design"], what, "more trials of the pool, or design: resample")


def _check_candidates(settings: Any, source: SourceSettings | None) -> None:
    """Whether there are as many trials, or draws of hyperparameters and runs of each, as a choice among candidates
    takes."""
    if isinstance(source, Trials) and "candidates" in settings.model_fields_set:
        most, largest = max(settings.candidates), max(number for *_, number in source.rows())
        if most > largest:
            what = f"the best of {most} trials needs more than the {largest} trials of any pair"
            raise SettingError(["candidates"], what, "fewer candidates, or more trials")
    if isinstance(source, SameHyperparameters):
        if settings.candidates > source.hyperparameters:
            what = f"{settings.candidates} candidates are more than the {source.hyperparameters} draws that are run"
            raise SettingError(["candidates"], what, "fewer candidates, or more hyperparameters of the source")
        needed = settings.tuning_runs + settings.reported_runs
        if needed > source.runs:
            what = f"{needed} runs of a candidate are more than the {source.runs} that each draw has"
            raise SettingError(["tuning_runs"], what, "fewer, or more runs of the source")


def _check_exploits(settings: Any, study: Study) -> None:
    """Whether there are random policies in all environments of its runs."""
    policies, runs = study.sources.get(settings.policies), study.sources.get(settings.source)
    played = study.sources.get(policies.like) if isinstance(policies, RandomPolicies) else None
    if isinstance(played, Trials) and isinstance(runs, Trials):
        for environment in runs.environments:
            if environment not in played.environments:
                what = f'"{settings.policies}" has no random policies in {environment}'
                raise SettingError(["policies"], what, f"like: {settings.source} in sources.{settings.policies}")


def _check_sample_distributions(settings: Any, study: Study) -> None:
    """Whether the algorithm and the environment are simulated."""
    source = study.sources.get(settings.source)
    if isinstance(source, Trials):
        for key, known in (("algorithm", source.algorithms), ("environment", source.environments)):
            chosen = getattr(settings, key)
            check_known(chosen, known, [key], f'"{chosen}" is not simulated here; null leaves the question out')
