"""The configuration: checked by the models of its parts and against what exists, defaults filled in.

Every error is an `InputError`: one sentence that names the file and the key, and a hint.
"""

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.build.errors import InputError, nearest
from surefoot.build.given_files import guarded
from surefoot.build.job import LIBRARIES
from surefoot.charts.catalogue import STUDY_SETS
from surefoot.configuration.models import Configuration, ConfigurationHead, Study, StudyHead
from surefoot.configuration.places import Locate, content, locating
from surefoot.configuration.sections import NAME_PATTERN, Section
from surefoot.configuration.study_checks import check_folder, check_study
from surefoot.configuration.validation_errors import (
    missing_key,
    nearest_key,
    no_name,
    validated,
    wrong_type,
)
from surefoot.errors import shown
from surefoot.methods.descriptions import NAME as METHODS
from surefoot.pipeline.page_jobs import RUN_NUMBERS
from surefoot.pipeline.trust_jobs import NAME as TRUST
from surefoot.pipeline.trust_jobs import check_subjects
from surefoot.questions.registry import questions
from surefoot.scales.registry import DEFAULTS, scales
from surefoot.sources.settings import CURVES, RUNS
from surefoot.sources.settings import sources as kinds_of_sources

RESERVED_NAMES = {
    *LIBRARIES,
    *("all", "benchmark", "docs", "fetch", "file", "home", "how_many_runs", "index", "measure", "methods", "search"),
    *("check", "record", "record_trust", "trust", "why"),
}
"""Targets, rules and pages that are not of a study: no study may have such a name."""

FIGURES_AND_TABLES = ("figure_", "table_")
"""How targets of figures and tables begin, and no study's."""


KINDS: Mapping[str, Callable[[], Mapping[str, type[Section]]]] = {
    "sources": kinds_of_sources,
    "scales": scales,
    "questions": questions,
}
"""The models of the kinds of a study's parts."""


def validate_configuration(
    config: Mapping[str, Any], sources: Sequence[Path], pages: Path | None = None
) -> Configuration:
    """The configuration with its defaults, checked.

    Parameters
    ----------
    config : as read
    sources : the files it was read from, to name the right one in an error
    pages : folder of the pages, to check their names

    Raises
    ------
    InputError
    """
    for source in sources:
        if Path(source).is_file():  # Snakemake has read it before, and lets the last of two equal keys win
            content(Path(source))

    locate = locating(config, sources)
    with guarded(locate(), "check what was added last; texts with signs in them stand in quotes"):
        configuration = _read(config, locate)
        if configuration.render == "quarto" and shutil.which("quarto") is None:
            hint = "install it, or choose auto or embedded"
            raise InputError(locate("render"), "there is no program quarto on the PATH", hint)
        check_folder(configuration, locate)
        for name in configuration.studies:
            _check_study(name, configuration, locate, pages)
        check_subjects(configuration.trust, lambda *keys: locate("trust", *keys))
    return configuration


def read_back(checked: Mapping[str, Any]) -> Configuration:
    """A configuration that was written as `Configuration.plain` gives it, which needs no checks of what exists.

    Raises
    ------
    InputError
        where another state of the code wrote it
    """
    return _read(checked, lambda *keys, **_: ".".join(map(str, keys)))


def _read(config: Mapping[str, Any], locate: Locate) -> Configuration:
    """The configuration with its defaults, each part checked by its model."""
    given = dict(config)
    studies = given.pop("studies", None)
    head = validated(ConfigurationHead, _without_null(given), [], locate)
    if studies is None:
        raise missing_key(locate(), "studies", Configuration.model_fields["studies"])
    studies = _named(studies, ["studies"], locate)
    if not studies:
        raise InputError(locate("studies"), "nothing is given here", "at least one study")
    checked = {name: _study(name, study, locate) for name, study in studies.items()}
    return Configuration(**_fields(head), studies=checked)


def _fields(section: Section) -> dict[str, Any]:
    return {name: getattr(section, name) for name in type(section).model_fields}


def _entries(given: object, path: Sequence[str], locate: Locate) -> dict[str, Any]:
    """The entries of a mapping without those that are null: an overlay so leaves them out."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise wrong_type(locate(*path), given)
    return _without_null(given)


def _named(given: object, path: Sequence[str], locate: Locate) -> dict[str, Any]:
    """The entries of a mapping whose keys are names that the user chooses, without those that are null."""
    entries = _entries(given, path, locate)
    for name in entries:
        if not re.fullmatch(NAME_PATTERN, str(name)):
            raise no_name(locate(*path, name), [*path, name])
    return entries


def _without_null(given: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in given.items() if value is not None}


def _study(name: str, given: object, locate: Locate) -> Study:
    path = ["studies", name]
    entries = _entries(given, path, locate)
    parts = {part: _named(entries.pop(part, None), [*path, part], locate) for part in KINDS}
    for key in entries:
        if key not in StudyHead.model_fields:
            raise InputError(locate(*path, key), "unknown key", nearest_key(str(key), Study, _kinds_below(parts)))
    head = validated(StudyHead, entries, path, locate)
    if not parts["sources"]:
        raise missing_key(locate(*path), "sources", Study.model_fields["sources"])
    given_sources = _with_kinds("sources", parts["sources"], path, locate)
    checked_sources = _checked("sources", _alike(given_sources, path, locate), path, locate)
    tables = {table: kind for key, source in checked_sources.items() for table, kind in source.tables(key).items()}
    given_scales = _with_kinds("scales", dict(DEFAULTS) | parts["scales"], path, locate)
    asked = parts["questions"] or next(iter(checked_sources.values())).default_questions
    given_questions = _with_kinds("questions", asked, path, locate)
    usual = _usual_scales(parts["scales"], tables)
    for key, entry in given_questions.items():
        model = questions()[entry["kind"]]
        if "scores" in model.model_fields:
            given_questions[key] = {"scores": [usual.get(getattr(model, "needs", ""), usual[""])]} | entry
    return Study(
        **_fields(head),
        sources=checked_sources,
        scales=_checked("scales", given_scales, path, locate),
        questions=_checked("questions", given_questions, path, locate),
    )


def _usual_scales(scales: Mapping[str, Any], tables: Mapping[str, str]) -> dict[str, str]:
    """The scale of questions that name none: the only one of learning curves, for those that need curves, and the only
    one of other runs for all that are not said here (""), or of several sources the only one of `runs`.

    tables : the kind of each table that the sources make
    """
    found: dict[str, list[str]] = {CURVES: [], "": []}
    of_runs = []
    for name, scale in scales.items():
        source = scale.get("source", RUNS) if isinstance(scale, Mapping) else RUNS
        found[CURVES if tables.get(str(source)) == CURVES else ""].append(name)
        of_runs += [name] if source == RUNS else []
    if len(of_runs) == 1 and of_runs[0] in found[""]:
        found[""] = of_runs
    usual = {needs: names[0] for needs, names in found.items() if len(names) == 1}
    return {"": "min_max"} | usual


def _kinds_below(parts: Mapping[str, Mapping[str, Any]]) -> dict[str, type[Section]]:
    """The models of a study's entries, as far as these say their kinds, by the keys that lead to them."""
    models = {
        f"{part}.{name}": KINDS[part]().get(str(entry.get("kind", name)))
        for part, entries in parts.items()
        for name, entry in entries.items()
        if isinstance(entry, Mapping)
    }
    return {key: model for key, model in models.items() if model is not None}


def _alike(given: Mapping[str, Any], path: Sequence[str], locate: Locate) -> dict[str, Any]:
    """The sources, each trials source that is like another with the keys of that one that it does not give."""
    trials = {name: _without_null(entry) for name, entry in given.items() if entry["kind"] == "trials"}
    models = {name: entry for name, entry in trials.items() if "like" not in entry}
    found = dict(given)
    for name, entry in trials.items():
        if name in models:
            continue
        other = entry["like"]
        if not isinstance(other, str) or other not in models:
            where, hint = locate(*path, "sources", name, "like"), "simulate trials in another source"
            what = f"{shown(other)} is not a source of trials of this study"
            raise InputError(where, what, nearest(str(other), models) if models else hint)
        usual = {key: value for key, value in models[other].items() if key != "trials_of" or "trials" not in entry}
        found[name] = usual | entry
    return found


def _with_kinds(part: str, given: Mapping[str, Any], path: Sequence[str], locate: Locate) -> dict[str, dict[str, Any]]:
    """The entries of a part of a study with their kinds: by default their names, and for scales `none`."""
    entries, models = {}, KINDS[part]()
    for name, entry in given.items():
        if not isinstance(entry, Mapping):
            raise wrong_type(locate(*path, part, name), entry)
        kind = entry.get("kind") or (name if name in models else "none" if part == "scales" else None)
        if kind is None:
            what = f'key "kind" is missing, and "{name}" is not the name of one'
            raise InputError(locate(*path, part, name), what, nearest(str(name), models))
        if not isinstance(kind, str) or kind not in models:
            where, what = locate(*path, part, name, "kind"), f"{shown(kind)} is not allowed"
            raise InputError(where, what, nearest(str(kind), models))
        entries[name] = {**entry, "kind": kind}
    return entries


def _checked(part: str, entries: Mapping[str, Any], path: Sequence[str], locate: Locate) -> dict[str, Any]:
    models = KINDS[part]()
    return {
        str(name): validated(models[entry["kind"]], entry, [*path, part, str(name)], locate)
        for name, entry in entries.items()
    }


def _check_study(name: str, configuration: Configuration, locate: Locate, pages: Path | None) -> None:
    study = configuration.studies[name]

    def place(*keys: str | int, others: Sequence[Sequence[str | int]] = ()) -> str:
        return locate("studies", name, *keys, others=[["studies", name, *other] for other in others])

    of_target = name.startswith(("draw_", *FIGURES_AND_TABLES)) or name.endswith(f"_{RUN_NUMBERS}")
    if name in RESERVED_NAMES or of_target:
        raise InputError(place(), f'"{name}" names a target of the workflow', "another name")
    check_study(name, configuration, place, recorded=pages is None or (pages / "records" / name).is_dir())
    if study.figures not in STUDY_SETS:
        what = f'unknown set of figures "{study.figures}"'
        raise InputError(place("figures"), what, nearest(study.figures, STUDY_SETS))
    known_pages = (
        sorted({found.stem for found in pages.glob("*.qmd")} - {"index", METHODS, RUN_NUMBERS, TRUST}) if pages else []
    )
    if pages and study.page not in known_pages:
        raise InputError(place("page"), f'there is no page "{study.page}"', nearest(study.page, known_pages))
