"""Whether the parts of a study fit together: told from the configuration alone, before there are runs.

What only a table of runs can tell is in `table_checks`. Each error says where: `locate` gives the file and the key of a
path of keys within the study.
"""

from pathlib import Path
from typing import get_args

from surefoot.build.errors import InputError, nearest
from surefoot.configuration.models import Configuration, Study
from surefoot.configuration.places import Locate
from surefoot.configuration.play_checks import check_plays
from surefoot.configuration.protocol import Protocol
from surefoot.configuration.question_checks import check_question
from surefoot.configuration.trial_checks import check_protocols, check_trials
from surefoot.errors import shown
from surefoot.protocol.card import MOST, cards, contradictions, unlike_fields
from surefoot.protocol.sentences import NOT_COMPARED, differences
from surefoot.scales.registry import DEFAULTS
from surefoot.scales.settings import PublishedRuns
from surefoot.sources.plays import Plays
from surefoot.sources.published.source import PUBLISHED_TABLES, Published, table_in
from surefoot.sources.settings import CURVES, RUNS
from surefoot.sources.trials import OtherStudy, Trials


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
