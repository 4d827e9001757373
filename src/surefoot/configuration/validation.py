"""The configuration: checked by the models of its parts and against what exists, defaults filled in.

Every error is an `InputError`: one sentence that names the file and the key, and a hint.
"""

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.build.errors import InputError, nearest
from surefoot.build.given_files import guarded
from surefoot.build.job import LIBRARIES
from surefoot.build.project import PAGES
from surefoot.charts.catalogue import STUDY_SETS
from surefoot.configuration.models import Configuration
from surefoot.configuration.places import content, where_given, without_null
from surefoot.configuration.sections import Section
from surefoot.configuration.study_checks import check_folder, check_study
from surefoot.configuration.validation_errors import (
    SettingError,
    check_known,
    mapping,
    validated,
    within,
)
from surefoot.errors import shown
from surefoot.methods.descriptions import NAME as METHODS
from surefoot.pipeline.drawing_jobs import RUN_NUMBERS, TRUST
from surefoot.questions.registry import questions
from surefoot.scales.settings import DEFAULTS, SCALES
from surefoot.sources.settings import CURVES, RUNS, SOURCES
from surefoot.statistics.coverage.trust import SUBJECTS

RESERVED_NAMES = {
    *LIBRARIES,
    *("simulate_trials", "simulate_repeated_runs", "simulate_plays", "simulate_plays_with_transitions"),
    *("collect_trials", "collect_plays", "best_plays", "read_table", "read_curves", "convert_published", "download"),
    *("normalize_pairs", "aggregate_with_weights", "estimate_with_curves", "cover_block", "cover_summary"),
    *("cover_trust", "documentation", "search", "record", "record_trust", "benchmark", "measure"),
    *("all", "docs", "home", "how_many_runs", "index", "methods", "trust"),
}
"""Rules, targets and pages that are not of a study: no study may have such a name."""

FIGURES_AND_TABLES = ("figure_", "table_")
"""How targets of figures and tables begin, and no study's."""


KINDS: Mapping[str, Callable[[], Mapping[str, type[Section]]]] = {
    "sources": SOURCES.complete,
    "scales": SCALES.complete,
    "questions": questions,
}
"""The models of the kinds of a study's parts."""


def validate_configuration(config: Mapping[str, Any], sources: Sequence[Path]) -> Configuration:
    """The configuration with its defaults, checked.

    Parameters
    ----------
    config : as read
    sources : the files it was read from, to name the right one in an error

    Raises
    ------
    InputError
    """
    for source in sources:
        if Path(source).is_file():  # Snakemake has read it before, and lets the last of two equal keys win
            content(Path(source))
    given = without_null(config)
    try:
        with guarded(
            where_given([], given, sources), "check what was added last; texts with signs in them stand in quotes"
        ):
            configuration = read_back(given)
            if configuration.render == "quarto" and shutil.which("quarto") is None:
                hint = "install it, or choose auto or embedded"
                raise SettingError(["render"], "there is no program quarto on the PATH", hint)
            check_folder(configuration)
            for name in configuration.studies:
                with within("studies", name):
                    _check_study(name, configuration)
            for subject in configuration.trust.subjects if configuration.trust is not None else ():
                what = f'there is no subject "{subject}"'
                check_known(subject, sorted(SUBJECTS), ["trust", "subjects", subject], what)
    except SettingError as error:
        raise InputError(where_given(error.keys, given, sources), error.what, error.hint) from None
    return configuration


def read_back(given: Mapping[str, Any]) -> Configuration:
    """A configuration that was written as `Configuration.plain` gives it, which needs no checks of what exists: each
    part is checked by its model alone.

    Raises
    ------
    SettingError
        where another state of the code wrote it
    """
    with within("studies"):
        studies = {}
        for name, study in mapping(given.get("studies") or {}).items():
            with within(name):
                studies[name] = _with_parts(mapping(study))
    configuration = validated(Configuration, {**given, "studies": studies})
    if not studies:  # last, since a key that is wrong may have been meant for this one
        raise SettingError(["studies"], "nothing is given here", "at least one study")
    return configuration


def _with_parts(given: Mapping[str, Any]) -> dict[str, Any]:
    """A study whose parts are checked, each entry by the model of its kind, with what is usual where it says none."""
    parts = {}
    for part in KINDS:
        with within(part):
            parts[part] = _with_kinds(part, mapping(given.get(part, {})))
    if not parts["sources"]:
        return {key: value for key, value in given.items() if key not in KINDS}
    sources = _checked("sources", _alike(parts["sources"]))
    tables = {table: kind for key, source in sources.items() for table, kind in source.tables(key).items()}
    asked = parts["questions"] or _with_kinds("questions", next(iter(sources.values())).usual_questions())
    usual = _usual_scales(given.get("scales", {}), tables)
    for key, entry in asked.items():
        model = questions()[entry["kind"]]
        if "scores" in model.model_fields:
            asked[key] = {"scores": [usual.get(getattr(model, "needs", ""), usual[""])]} | entry
    scales = _checked("scales", _with_kinds("scales", DEFAULTS) | parts["scales"])
    return {**given, "sources": sources, "scales": scales, "questions": _checked("questions", asked)}


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


def _alike(given: Mapping[str, Any]) -> dict[str, Any]:
    """The sources, each trials source that is like another with the keys of that one that it does not give."""
    models = {name: entry for name, entry in given.items() if entry["kind"] == "trials" and "like" not in entry}
    found = dict(given)
    for name, entry in given.items():
        if entry["kind"] == "trials" and name not in models:
            what = f"{shown(entry['like'])} is not a source of trials of this study"
            if not models:
                raise SettingError(["sources", name, "like"], what, "simulate trials in another source")
            check_known(entry["like"], models, ["sources", name, "like"], what)
            usual = models[entry["like"]]
            found[name] = {key: usual[key] for key in usual if key != "trials_of" or "trials" not in entry} | entry
    return found


def _with_kinds(part: str, given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The entries of a part of a study with their kinds: by default their names, and for scales `none`."""
    entries, models = {}, KINDS[part]()
    for name, entry in given.items():
        with within(name):
            if "kind" not in mapping(entry) and name not in models and part != "scales":
                what = f'key "kind" is missing, and "{name}" is not the name of one'
                raise SettingError([], what, nearest(name, models))
            kind = entry.get("kind", name if name in models else "none")
            check_known(kind, models, ["kind"], f"{shown(kind)} is not allowed")
            entries[name] = {**entry, "kind": kind}
    return entries


def _checked(part: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a part of a study, each checked by the model of its kind."""
    models, checked = KINDS[part](), {}
    for name, entry in entries.items():
        with within(part, name):
            checked[name] = validated(models[entry["kind"]], entry)
    return checked


def _check_study(name: str, configuration: Configuration) -> None:
    study = configuration.studies[name]
    of_target = name.startswith(("draw_", *FIGURES_AND_TABLES)) or name.endswith(f"_{RUN_NUMBERS}")
    if name in RESERVED_NAMES or of_target:
        raise SettingError([], f'"{name}" names a target of the workflow', "another name")
    check_study(name, configuration)
    check_known(study.figures, STUDY_SETS, ["figures"], f'unknown set of figures "{study.figures}"')
    known = sorted({path.stem for path in PAGES.glob("*.qmd")} - {"index", METHODS, RUN_NUMBERS, TRUST})
    check_known(study.page, known, ["page"], f'there is no page "{study.page}"')
