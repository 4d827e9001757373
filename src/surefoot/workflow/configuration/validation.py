"""Validate a configuration with the models of its parts, and check the files that it names."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot.charts.drawing_catalogue import STUDY_SETS
from surefoot.reporting.descriptions import NAME as METHODS
from surefoot.runs.given_files import guarded
from surefoot.runs.published.published_source import check_folder
from surefoot.runs.scales.scale_settings import DEFAULTS
from surefoot.runs.setting_errors import SettingError, check_known, validated, within
from surefoot.validation import SUBJECTS
from surefoot.workflow.configuration.configuration_files import content, where_given, without_null
from surefoot.workflow.configuration.located_errors import located
from surefoot.workflow.configuration.models import Configuration, Study, configuration_model
from surefoot.workflow.job import LIBRARIES
from surefoot.workflow.planning.drawing_jobs import RUN_NUMBERS, TRUST
from surefoot.workflow.project import PAGES

RESERVED_NAMES = {
    *LIBRARIES,
    *("simulate_trials", "simulate_repeated_runs", "simulate_plays", "simulate_plays_with_transitions"),
    *("collect_trials", "collect_plays", "best_plays", "read_table", "read_curves", "convert_published", "download"),
    *("normalize_pairs", "aggregate_with_weights", "estimate_with_curves", "cover_block", "cover_summary"),
    *("cover_trust", "documentation", "previews", "search", "record", "record_trust", "benchmark", "measure"),
    *("all", "docs", "calculator", "home", "how_many_runs", "index", "leaderboards", "ledger", "methods", "trust"),
}
"""Names of other targets, rules and pages, which no study may have."""

FIGURES_AND_TABLES = ("figure_", "table_")
"""Prefixes of the targets of figures and tables; names of studies must not begin with them."""


def validate_configuration(config: Mapping[str, Any], sources: Sequence[Path]) -> Configuration:
    """Return the validated configuration, with its defaults.

    Parameters
    ----------
    config : content of the merged files
    sources : the files, for error messages

    Raises
    ------
    InputError
        If the configuration is invalid; the message names the file and the key.
    """
    for source in sources:
        if Path(source).is_file():  # Snakemake has read the file already, and would accept duplicate keys
            content(Path(source))
    given = without_null(config)
    hint = "check the last change; strings with special characters need quotes"
    with located(given, sources), guarded(where_given([], given, sources), hint):
        configuration = read_back(given)
        _check(configuration)
    return configuration


def read_back(given: Mapping[str, Any]) -> Configuration:
    """Restore a configuration from the form of `Configuration.plain`, without checking files.

    Raises
    ------
    SettingError
        If another version of the code wrote it.
    """
    return validated(configuration_model(), given)


def _check(configuration: Configuration) -> None:
    """Check everything that depends on several parts of a configuration, or on files."""
    if configuration.render == "quarto" and shutil.which("quarto") is None:
        hint = "install it, or choose auto or embedded"
        raise SettingError(["render"], "the program quarto is not on the PATH", hint)
    if configuration.published.folder is not None:
        sources = [source for study in configuration.studies.values() for source in study.sources.values()]
        tables = [table for source in sources for table in source.published_tables()]
        with within("published", "folder"):
            check_folder(Path(configuration.published.folder), tables)
    for name in configuration.studies:
        with within("studies", name):
            _check_study(configuration, name)
    for subject in configuration.trust.subjects if configuration.trust is not None else ():
        check_known(subject, sorted(SUBJECTS), ["trust", "subjects", subject], f'there is no subject "{subject}"')


def _check_study(configuration: Configuration, name: str) -> None:
    is_target = name.startswith(("draw_", *FIGURES_AND_TABLES)) or name.endswith((f"_{RUN_NUMBERS}", "_appendix"))
    if name in RESERVED_NAMES or is_target:
        raise SettingError([], f'"{name}" is the name of a target of the workflow', "choose another name")
    study = configuration.studies[name]
    _check_tables(study)
    for key, source in study.sources.items():
        with within("sources", key):
            source.check_in(configuration, name, key)
    asked = {scale for question in study.questions.values() for scale in question.scales()}
    for key, scale in study.scales.items():
        if key in asked or key not in DEFAULTS or "source" in scale.model_fields_set:
            with within("scales", key):
                scale.check_in(configuration, name, key)
    for key, question in study.questions.items():
        with within("questions", key):
            if key in study.sources:
                raise SettingError([], f'"{key}" is a source of this study', "choose another name")
            question.check_in(configuration, name)
    check_known(study.figures, STUDY_SETS, ["figures"], f'unknown set of figures "{study.figures}"')
    pages = sorted({path.stem for path in PAGES.glob("*.qmd")} - {"index", METHODS, RUN_NUMBERS, TRUST})
    pages = [page for page in pages if not page.endswith("_appendix")]
    check_known(study.page, pages, ["page"], f'there is no page "{study.page}"')


def _check_tables(study: Study) -> None:
    """Check that no two sources of a study make tables with the same name."""
    made: set[str] = set()
    for key, source in study.sources.items():
        for table in source.tables(key):
            if table in made:
                what = f'another source makes a table "{table}" too'
                raise SettingError(
                    ["sources", key], what, "choose another name; only one source of a study can make this table"
                )
            made.add(table)
