"""What the settings of all sources have in common, the decorator that registers them, and the jobs of a study's
sources; light, since planning imports it.
"""

import os
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

from surefoot.build.job import Job
from surefoot.configuration.sections import DescribedSection
from surefoot.registry import Registry

RUNS = "runs"
"""The kind of a table with columns algorithm, environment, run and score."""
CURVES = "curves"
"""The kind of a table with a column step too, of whose steps every run has a score."""
EVALUATIONS = "evaluations"
"""The kind of a table with a column step too, and the steps at which each run was evaluated."""
OUTCOMES = "outcomes"
"""The kind of such a table whose scores are success rates, with a column trials."""


SETTINGS = "settings"
"""The kind of a table of runs with a column for each hyperparameter, several runs of each setting having one name."""


class SourceSettings(DescribedSection):
    """An entry of a study's `sources`.

    default_questions : what a study of this source asks where it has no `questions`
    reads : of a source of tables that are read from files, the module with `read(settings, files, name)`, which gives a
        run table or, of a source of several tables, these by the ends of their names (see `tables_read`)
    """

    default_questions: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    reads: ClassVar[str] = ""
    kind: str

    def usual_questions(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what a study of this source asks where it has no `questions`."""
        return self.default_questions

    @classmethod
    def jobs(cls, study: "StudySources", sources: Mapping[str, Any]) -> list[Job]:
        """The jobs that make the tables of the sources of this kind; none of those that cannot be had."""
        return [job for name, source in sources.items() for job in source.jobs_of(study, name)]

    def jobs_of(self, study: "StudySources", name: str) -> list[Job]:
        """The jobs of the source of this name, if those of a kind need nothing of each other.

        Of a source that is read from files it is one, which is told what decides its table, not where these are.
        """
        if not self.reads:
            return []
        inputs = {key: os.path.relpath(path) for key, path in self.files().items()}
        settings = self.decisive() | {"model": f"{type(self).__module__}:{type(self).__name__}"}
        outputs = {end_of_name(name, table): run_table_path(study.name, table) for table in self.tables(name)}
        work = "surefoot.sources.score_tables:collect"
        return [Job("collect", study.name, name, work, settings, (self.reads,), inputs, outputs)]

    def tables(self, name: str) -> dict[str, str]:
        """The kind of each table that the source of this name makes, by the table's name."""
        return {name: RUNS}

    def files(self) -> dict[str, Path]:
        """The files that it is read from, by the keys that name them; none of a source that is not read."""
        return {}

    def decisive(self) -> dict[str, Any]:
        """What of it decides the table that is read from its files, wherever these are."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"kind", *self.files()})

    def of_other_study(self, name: str) -> tuple[str, str] | None:
        """(Study, its source) whose runs this source of a name has; None where it has its own."""
        return None

    def rule_of_scores(self) -> str | None:
        """How a learning curve becomes a score in this source, as surefoot.scores_of_curves writes it; None of a source
        that is given scores."""
        return None

    def direction(self) -> str:
        """What a reader has to know of scores of which lower ones were better; "" where there are none."""
        return ""

    def negated_environments(self) -> tuple[str, ...]:
        """The environments in which lower scores were better, where they are named."""
        return ()

    def titles(self) -> tuple[dict[str, str], dict[str, str]]:
        """What its algorithms, and its environments, are called in figures and tables, by name, where that is known."""
        return {}, {}


class PublishedFiles(DescribedSection):
    """Where public files come from."""

    folder: str | None = None
    """A local folder of the published tables (<table>.csv, .csv.gz or .parquet) or of the public files
    (<repository>/<path>). What is missing there is downloaded if download is true; otherwise its figures are drawn from
    the record of a run that had it.
    """
    download: bool = False
    """Whether to download public files that are neither in the folder nor in the store."""
    address: str = "https://raw.githubusercontent.com"
    """Address below which public files are served, at <repository>/<commit>/<path>. Change it to use a mirror."""


class StudySources(NamedTuple):
    """What the jobs of a study's sources are told: its name, its seed, all its sources, and where public files come
    from."""

    name: str
    seed: int
    sources: Mapping[str, SourceSettings]
    published: PublishedFiles = PublishedFiles()


def run_table_path(study: str, source: str = "runs", stage: str = "collect") -> str:
    """Path of the run table that a source of a study makes."""
    return f"results/{stage}/{study}/{source}.parquet"


def end_of_name(source: str, table: str) -> str:
    """What the name of a table has behind that of its source; of the run table "runs"."""
    return table.removeprefix(source).removeprefix("_") or RUNS


SOURCES: Registry[type[SourceSettings]] = Registry("sources", packages=("surefoot.sources",))
"""The settings of each kind of source by its name."""
Settings = TypeVar("Settings", bound=SourceSettings)


def run_source(settings: type[Settings]) -> type[Settings]:
    """Make a model the settings of the kind of source that its key `kind` names.

    Raises
    ------
    HintedError
        for a kind that is there already
    """
    SOURCES.add(settings.model_fields["kind"].default, settings, settings.__module__)
    return settings


def source_jobs(study: StudySources) -> list[Job]:
    """The jobs that make the tables of a study's sources, those of a kind together; none of those that cannot be
    had."""
    jobs: list[Job] = []
    for kind in {type(source): None for source in study.sources.values()}:
        jobs += kind.jobs(study, {name: source for name, source in study.sources.items() if type(source) is kind})
    return jobs


def tables_of(study: StudySources, jobs: list[Job], studies: Container[str]) -> dict[str, Mapping[str, str]]:
    """Paths of the tables that the sources make, as {table: {name of the file: path}}, of those that can be had.

    jobs : of these sources
    studies : names of those of the configuration, whose runs can be had
    """
    made = {job.part: job.outputs for job in jobs}
    found: dict[str, Mapping[str, str]] = {}
    for name, source in study.sources.items():
        other = source.of_other_study(name)
        if other is not None and other[0] in studies:
            found[name] = {"runs": run_table_path(*other)}
        for table in source.tables(name):
            end, outputs = end_of_name(name, table), made.get(name, {})
            if end in outputs:
                found[table] = {"runs": outputs[end]}
            elif table in made:
                found[table] = made[table]
    return found
