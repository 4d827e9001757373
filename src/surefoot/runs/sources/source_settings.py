"""Common settings of all sources, the decorator that registers them, and the jobs of a study's sources.

Planning imports this module, so it imports nothing heavy.
"""

import os
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from surefoot.registry import Registry
from surefoot.runs.sections import DescribedSection
from surefoot.runs.setting_errors import SettingError
from surefoot.workflow.job import Job

if TYPE_CHECKING:
    from surefoot.workflow.configuration.models import Configuration

RUNS = "runs"
"""The table kind `runs`: columns algorithm, environment, run and score."""
CURVES = "curves"
"""The table kind `curves`: runs with an additional column step, and a score of every run at each step."""
EVALUATIONS = "evaluations"
"""The table kind `evaluations`: runs with an additional column step, at which the run was evaluated."""
OUTCOMES = "outcomes"
"""The table kind `outcomes`: success rates, with a column trials."""


SETTINGS = "settings"
"""The table kind `settings`: a column per hyperparameter; runs of different settings may have the same name."""


class SourceSettings(DescribedSection):
    """An entry of a study's `sources`.

    default_questions : questions asked in a study that has this source but no `questions`
    reads : for sources read from files, the module with `read(settings, files)`, which returns a run table, or
        several tables by the suffixes of their names (see `tables_read`)
    """

    default_questions: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    reads: ClassVar[str] = ""
    kind: str

    @classmethod
    def completed(cls, name: str, entries: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return an entry, with the keys that it inherits from other entries.

        Parameters
        ----------
        name : name of the entry
        entries : all sources of the study as given, with their kinds
        """
        return entries[name]

    def check_in(self, configuration: "Configuration", study: str, name: str) -> None:
        """Check everything that depends on the rest of the configuration or on files.

        Parameters
        ----------
        configuration : the configuration, whose models are validated
        study, name : names of the study and of this source in it

        Raises
        ------
        SettingError
            If the source cannot be used; the keys are relative to the source.
        """

    def known_names(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return the algorithms and the environments of the source; empty if only its runs show them."""
        return (), ()

    def known_runs(self) -> tuple[int, int] | None:
        """Return the smallest and the largest number of runs of an algorithm in an environment.

        None if only the runs themselves show them.
        """
        return None

    def published_tables(self) -> tuple[str, ...]:
        """Return the names of the published tables that the source collects."""
        return ()

    def usual_questions(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the questions asked in a study that has this source but no `questions`."""
        return self.default_questions

    @classmethod
    def jobs(cls, study: "StudySources", sources: Mapping[str, Any]) -> list[Job]:
        """Return the jobs that make the tables of all sources of this kind; unavailable sources are skipped."""
        return [job for name, source in sources.items() for job in source.jobs_of(study, name)]

    def jobs_of(self, study: "StudySources", name: str) -> list[Job]:
        """Return the jobs of one source, if the sources of a kind are independent of each other.

        A source that is read from files has one job. Its settings determine the tables but do not contain paths.
        """
        if not self.reads:
            return []
        inputs = {key: os.path.relpath(path) for key, path in self.files().items()}
        settings = self.decisive() | {"model": f"{type(self).__module__}:{type(self).__name__}"}
        if study.stated:
            settings["stated"] = list(study.stated)
        outputs = {end_of_name(name, table): run_table_path(study.name, table) for table in self.tables(name)}
        rule = "read_curves" if CURVES in outputs else "read_table"
        return [Job("collect", study.name, name, rule, settings, (self.reads,), inputs, outputs)]

    def tables(self, name: str) -> dict[str, str]:
        """Return {name of table: kind} for the tables that the source makes."""
        return {name: RUNS}

    def files(self) -> dict[str, Path]:
        """Return the files that the source reads, by key; {} if it reads no files."""
        return {}

    def decisive(self) -> dict[str, Any]:
        """Return the settings that determine the tables read from the files, without the location of the files."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"kind", *self.files()})

    def published_paths(self, study: str, name: str) -> dict[str, str]:
        """Return {published table: path} for the published tables that the source makes."""
        return {}

    def of_other_study(self, name: str) -> tuple[str, str] | None:
        """Return (study, source) if the source uses the runs of another study, otherwise None."""
        return None

    def rule_of_scores(self) -> str | None:
        """Return the rule that turns learning curves into scores, in the form of `score_curves`.

        Return None if the source has scores instead of curves.
        """
        return None

    def direction(self) -> str:
        """Return a note for readers if lower scores are better, otherwise ""."""
        return ""

    def negated_environments(self) -> tuple[str, ...]:
        """Return the environments in which lower scores are better, if they are listed individually."""
        return ()

    def titles(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return known titles for figures and tables: {algorithm: title} and {environment: title}."""
        return {}, {}


class PublishedFiles(DescribedSection):
    """Location of public files."""

    folder: str | None = None
    """Local folder with the published tables (<table>.csv, .csv.gz or .parquet) or the public files
    (<repository>/<path>). Missing files are downloaded if `download` is true; otherwise their figures are drawn from
    recorded results.
    """
    download: bool = False
    """If true, download public files that are neither in the folder nor in the store."""
    address: str = "https://raw.githubusercontent.com"
    """Base URL of public files, followed by <repository>/<commit>/<path>. Change it to use a mirror."""


class StudySources(NamedTuple):
    """Arguments for the jobs of a study's sources.

    name, seed, sources : name, seed and sources of the study
    published : location of public files
    stated : algorithms that the study's protocol names; the table of its only source must have them
    """

    name: str
    seed: int
    sources: Mapping[str, SourceSettings]
    published: PublishedFiles = PublishedFiles()
    stated: Sequence[str] = ()


def run_table_path(study: str, source: str = "runs", stage: str = "collect") -> str:
    """Return the path of the run table that a source of a study makes."""
    return f"results/{stage}/{study}/{source}.parquet"


def end_of_name(source: str, table: str) -> str:
    """Return the name of a table without the name of its source in front; "runs" for the run table."""
    return table.removeprefix(source).removeprefix("_") or RUNS


_PACKAGES = (
    "surefoot.runs.sources",
    "surefoot.runs.published",
    "surefoot.simulation.sources",
    "surefoot.bayesian.sources",
)
SOURCES: Registry[type[SourceSettings]] = Registry("sources", packages=_PACKAGES)
"""Settings of each kind of source, by kind."""
Settings = TypeVar("Settings", bound=SourceSettings)


def run_source(settings: type[Settings]) -> type[Settings]:
    """Register a model as the settings of a kind of source, named by the default of its key `kind`.

    Raises
    ------
    HintedError
        if the kind already exists
    """
    SOURCES.add(settings.model_fields["kind"].default, settings, settings.__module__)
    return settings


def check_files(source: SourceSettings) -> None:
    """Check that the files of a source exist.

    Raises
    ------
    SettingError
        If a file does not exist, or is a folder; the keys are relative to the source.
    """
    for key, path in source.files().items():
        if path.is_dir():
            raise SettingError([key], f"{path}: it is a folder", "name a file in it")
        if not path.is_file():
            hint = f"paths are relative to {Path.cwd()}, where the workflow runs"
            raise SettingError([key], f"{path}: no such file", hint)


def source_jobs(study: StudySources) -> list[Job]:
    """Return the jobs that make the tables of a study's sources, grouped by kind; unavailable sources are skipped."""
    jobs: list[Job] = []
    for kind in {type(source): None for source in study.sources.values()}:
        jobs += kind.jobs(study, {name: source for name, source in study.sources.items() if type(source) is kind})
    return jobs


def tables_of(study: StudySources, jobs: list[Job], studies: Container[str]) -> dict[str, Mapping[str, str]]:
    """Return the paths of the available tables of the sources, as {table: {name of the file: path}}.

    Parameters
    ----------
    jobs : jobs of the study's sources
    studies : names of the studies of the configuration, whose runs are available
    """
    made = {job.part: job.outputs for job in jobs}
    paths = {path for outputs in made.values() for path in outputs.values()}
    found: dict[str, Mapping[str, str]] = {}
    for name, source in study.sources.items():
        other = source.of_other_study(name)
        if other is not None and other[0] in studies:
            found[name] = {"runs": run_table_path(*other)}
        for table in source.tables(name):
            end = end_of_name(name, table)
            outputs = made.get(name, {})
            if end in outputs:
                found[table] = {"runs": outputs[end]}
            elif table in made:
                found[table] = made[table]
        published = source.published_paths(study.name, name)
        if published and paths.issuperset(published.values()):
            found[name] = published
    return found
