"""Models of the configuration and of a study, with their defaults, and the JSON Schema that follows from them.

The models for kinds of sources, scales and questions are in their packages, and combined by `Kinds`. The schema is for
editors; it also allows null, for entries in overlays.
"""

import functools
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo, field_validator, model_validator
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypeAliasType

from surefoot.errors import nearest, shown
from surefoot.questions._framework.question_registry import QUESTIONS
from surefoot.questions._framework.question_settings import Question
from surefoot.registry import Registry
from surefoot.runs.protocol_card import MOST, NOT_COMPARED, cards, contradictions, differences, unlike_fields
from surefoot.runs.scales.scale_settings import DEFAULTS, SCALES, USUAL_KIND, ScaleSettings
from surefoot.runs.sections import NAME_PATTERN, Count, DescribedSection, Level, Name, Section, SeveralRuns, Text
from surefoot.runs.setting_errors import SettingError, check_known, in_yaml, mapping, with_tuples
from surefoot.runs.sources.source_settings import SOURCES, PublishedFiles, SourceSettings
from surefoot.workflow.project import PROJECT


class Kinds:
    """Annotation of a mapping of entries by name, whose key `kind` is the discriminator of a union.

    The union is created when the model is built, and contains all kinds registered by then.

    Parameters
    ----------
    title : title of the union in the JSON schema
    registry : model of each kind
    usual : kind of an entry that has no key `kind` and whose name is not a kind; "" if such an entry is an error
    """

    def __init__(self, title: str, registry: Registry[Any], usual: str = "") -> None:
        self.title = title
        self.registry = registry
        self.usual = usual

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of a union that is discriminated by `kind`."""
        models = tuple(self.registry.complete().values())
        discriminator = Field(discriminator="kind", json_schema_extra={"required": ["kind"]})
        union = Annotated[Union[models], discriminator]  # type: ignore[valid-type]  # noqa: UP007
        return handler.generate_schema(dict[Name, TypeAliasType(self.title, union)])  # type: ignore[misc]

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Return the schema of the mapping: an entry may omit `kind` if its name is a kind, and be null."""
        schema = handler(core)
        (entry,) = schema.pop("patternProperties").values()
        allowed = entry.get("anyOf", [entry, {"type": "null"}])
        models = handler.resolve_ref_schema(allowed[0])["discriminator"]["mapping"]
        schema["properties"] = {name: {"anyOf": [{"$ref": model}, *allowed]} for name, model in models.items()}
        usual = [{"$ref": models[self.usual]}] if self.usual else []
        schema["additionalProperties"] = {"anyOf": [*usual, *allowed]}
        schema["propertyNames"] = {"pattern": NAME_PATTERN}
        return schema

    def completed(self, entries: object) -> dict[str, dict[str, Any]]:
        """Return the entries with their key `kind`, which is by default the name of the entry.

        Raises
        ------
        SettingError
            If an entry is not a mapping, or its kind is missing or unknown.
        """
        models = self.registry.complete()
        return {name: self._completed(name, entry, models) for name, entry in mapping(entries).items()}

    def _completed(self, name: str, entry: object, models: Mapping[str, type[Section]]) -> dict[str, Any]:
        keys = mapping(entry, [name])
        kind = keys.get("kind", name if name in models else self.usual)
        if kind == "" and "kind" not in keys:
            what = f'key "kind" is missing, and "{name}" is not the name of a kind'
            raise SettingError([name], what, nearest(name, models))
        check_known(kind, models, [name, "kind"], f"{in_yaml(kind)} is not allowed")
        return {**keys, "kind": kind}


CardField = Literal["kind", "logged", "quantity", "metric", "episodes", "deterministic", "checkpoint", "tool"]


class ProtocolFields(DescribedSection):
    """The protocol of scores. Missing fields are displayed as not stated."""

    kind: Literal["eval", "train", "absolute"] | None = None
    """Scored episodes: separate evaluation episodes (eval), training episodes (train), or episodes that the selected
    best policy played afterwards (absolute).
    """
    logged: Literal["episode", "mean", "running_mean"] | None = None
    """Meaning of one logged score: the return of a single episode (episode), the mean over the episodes of an
    evaluation (mean), or a running mean over the last episodes (running_mean).
    """
    quantity: Text | None = None
    """Measured quantity: return, or another name such as success rate."""
    metric: Text | None = None
    """Name of the quantity in the logs."""
    episodes: Count | None = None
    """Number of episodes whose mean is a logged score; the smallest number, if numbers differ."""
    most_episodes: Count | None = None
    """Largest number of episodes per logged score, if numbers differ."""
    deterministic: bool | None = None
    """True if the policy was deterministic in the scored episodes."""
    checkpoint: Literal["last", "all", "selected"] | None = None
    """Policies that are scored: the policy at the end of training (last), the policies during training (all), or a
    policy that was selected by its score (selected).
    """
    steps: Count | None = None
    """Last environment step of training; the smallest, if environments differ."""
    most_steps: Count | None = None
    """Largest last step, if environments differ."""
    tool: Text | None = None
    """Tool that logged the scores."""


class LoggedProtocol(ProtocolFields):
    """Protocol that was read from the logs of an algorithm."""

    unit: Text | None = None
    """Unit of the steps, if the logs name it, such as environment steps."""
    evaluations: Count | None = None
    """Number of logged scores per run; the smallest, if runs differ."""
    most_evaluations: Count | None = None
    """Largest number of logged scores, if runs differ."""
    defaults: tuple[CardField, ...] = ()
    """Names of the keys whose values are defaults of the tool, and not stated in the logs."""
    ended_early: Count | None = None
    """Number of runs that ended before the longest run of their environment."""
    no_score: Count | None = None
    """Number of runs that began but left no score."""
    short_runs: Literal["error", "worst_score", "drop", "carry_forward", "truncate_to_shortest"] | None = None
    """Treatment of runs that ended early; the values are those of short_runs of learning curves."""


class Protocol(ProtocolFields):
    """The protocol of a study's scores: statements of the author, and fields read from logs."""

    rule: Text | None = None
    """Rule that turns the learning curve of a run into its score, in the form written by surefoot.score_curves, such as
    window(0.1), or any text.
    """
    algorithms: dict[str, ProtocolFields] = {}
    """The author's statements about single algorithms, by name, if algorithms differ."""
    logs: dict[str, LoggedProtocol] = {}
    """Protocol read from the logs of each algorithm, written by `surefoot report`."""
    allow_mixed_protocols: bool = False
    """If true, algorithms with different protocols are compared, and the top of the page, every caption and the methods
    section state the differences. Otherwise, different protocols are an error.
    """

    @model_validator(mode="after")
    def _is_consistent(self) -> "Protocol":
        for name in self.algorithms if self.logs else ():
            check_known(name, self.logs, ["algorithms", name], f'"{name}" is not an algorithm of the logs')
        _check_ranges(self, [])
        for part in ("algorithms", "logs"):
            for name, fields in getattr(self, part).items():
                _check_ranges(fields, [part, name])
        stated = self.plain()
        for name, field, said, read in contradictions(stated):
            keys = ["algorithms", name, field] if field in stated.get("algorithms", {}).get(name, {}) else [field]
            what = f"{shown(said)} is stated for {name}, but its logs say {shown(read)}"
            raise SettingError(keys, what, "remove it: the page shows the value in the logs")
        by_algorithm = cards(stated)
        unlike = unlike_fields(list(by_algorithm.values()))
        if unlike and not self.allow_mixed_protocols:
            what = f"{NOT_COMPARED}: {differences(by_algorithm, unlike)}"
            hint = "score all algorithms alike, or set allow_mixed_protocols: true; every caption then says so"
            raise SettingError([], what, hint)
        return self


def _check_ranges(fields: ProtocolFields, keys: list[str]) -> None:
    """Raise a SettingError if a range has no minimum, or if its maximum is smaller."""
    for lowest, highest in MOST.items():
        low = getattr(fields, lowest, None)
        high = getattr(fields, highest, None)
        if high is not None and (low is None or high < low):
            what = f"{lowest} is missing" if low is None else f"{high} is less than {lowest}"
            raise SettingError([*keys, highest], what, f"set {lowest} to at most {high}")


_SOURCES = Kinds("Source", SOURCES)
_SCALES = Kinds("Scale", SCALES, USUAL_KIND)
_QUESTIONS = Kinds("Question", QUESTIONS)


class Study(DescribedSection):
    """A study: sources of runs, scales that make scores comparable, and questions."""

    title: Text
    """Title of the study's page."""
    label: str = ""
    """A short title for the navigation bar. Default: the title."""
    question: str = ""
    """Question of the study in one sentence, at the top of the page."""
    claim: str = ""
    """Claim of the study's paper in one sentence. The home page shows it together with the verdict."""
    seed: Annotated[int, Field(ge=0)] = 0
    """Seed of all random numbers of the study."""
    titles: dict[str, Text] = {}
    """Titles of algorithms and environments in figures and tables, by name. Default: the names."""
    confidence_level: Level = 0.95
    """Confidence level of intervals. The question determines whether it holds simultaneously for several intervals."""
    n_resamples: SeveralRuns = 1000
    """Number of bootstrap resamples for each question that resamples."""
    protocol: Protocol | None = None
    """Protocol of the scores: episodes, policies, steps of training and logging tool. The page shows it, and runs with
    different protocols are not compared.
    """
    figures: str = "study"
    """Set of figures and tables to draw: study, or the name of a paper."""
    page: str = "study"
    """Name of the page in the folder reports, without .qmd."""
    sources: Annotated[
        dict[Name, SourceSettings],
        _SOURCES,
        Field(examples=["{runs: {kind: score_table, file: my_scores.csv}}"]),
    ]
    """Sources of runs, by name. The name may be a kind of source; otherwise a key kind is required."""
    scales: Annotated[dict[Name, ScaleSettings], _SCALES, Field(validate_default=True)] = {}
    """Scales on which scores of different environments are comparable, by name. Every study has min_max and
    performance_percentile for the source named runs.
    """
    questions: Annotated[dict[Name, Question], _QUESTIONS, Field(validate_default=True)] = {}
    """Questions, by the name of the figure or table that shows the result. The name may be a kind of question;
    otherwise a key kind is required. Without this key, a study asks the default questions of its first source.
    """

    @field_validator("sources", mode="before")
    @classmethod
    def _complete_sources(cls, given: Any) -> Any:
        entries = _SOURCES.completed(given)
        return {name: SOURCES[entry["kind"]].completed(name, entries) for name, entry in entries.items()}

    @field_validator("scales", mode="before")
    @classmethod
    def _add_usual_scales(cls, given: Any) -> Any:
        models: dict[str, Any] = {name: SCALES.complete()[name] for name in DEFAULTS}
        return {name: model() for name, model in models.items()} | _SCALES.completed(given)

    @field_validator("questions", mode="before")
    @classmethod
    def _complete_questions(cls, given: Any, info: ValidationInfo) -> Any:
        mapping(given)
        if not {"sources", "scales"} <= info.data.keys():
            return {}  # the errors of sources and scales are reported first
        sources = info.data["sources"]
        usual = next(iter(sources.values())).usual_questions()
        entries = _QUESTIONS.completed(given or with_tuples(usual))
        tables = tables_of(sources)
        scales = info.data["scales"]
        return {name: QUESTIONS[entry["kind"]].completed(entry, tables, scales) for name, entry in entries.items()}

    def tables(self) -> dict[str, str]:
        """Return {name of table: kind} for the tables of all sources."""
        return tables_of(self.sources)

    def stated_algorithms(self) -> tuple[str, ...]:
        """Return the algorithms named by the protocol if the study has only one source, which must contain them."""
        return tuple(self.protocol.algorithms) if self.protocol is not None and len(self.sources) == 1 else ()


def tables_of(sources: dict[str, SourceSettings]) -> dict[str, str]:
    """Return {name of table: kind} for the tables of all sources."""
    return {table: kind for name, source in sources.items() for table, kind in source.tables(name).items()}


class TrustSubject(DescribedSection):
    """Size of the simulations of one subject, that is, of one family of intervals or comparisons."""

    datasets: Count
    """Number of simulated data sets for each case."""
    n_resamples: Count
    """Number of resamples for each data set, for methods that resample."""


class Trust(DescribedSection):
    """Simulations with known truth that measure how often intervals miss it."""

    seed: Annotated[int, Field(ge=0)] = 0
    """Seed of all random numbers of the simulations."""
    subjects: Annotated[dict[Name, TrustSubject], Field(min_length=1)]
    """Families of intervals or comparisons to simulate, by the names in surefoot.validation.SUBJECTS."""


class Configuration(DescribedSection):
    """Configuration of Surefoot."""

    store: str | None = None
    """Folder of the content store. The environment variable SUREFOOT_STORE takes precedence; null means the user's
    cache folder.
    """
    shipped_studies: bool = True
    """If true, the shipped studies are planned together with yours. Only a file that is named on the command line can
    set this to false.
    """
    render: Literal["auto", "quarto", "embedded"] = "auto"
    """Renderer of pages: quarto, embedded, or auto (Quarto if it is installed, otherwise the embedded renderer)."""
    address: str | None = None
    """Address under which the site is published, such as https://example.org/surefoot. With it, links to the site have
    previews: a page has a picture of its first figure, and each figure has a separate address and picture.
    """
    published: PublishedFiles = PublishedFiles()
    """Location of published tables."""
    trust: Trust | None = None
    """Simulations that measure how often intervals miss the truth; `snakemake trust` runs them. null removes the
    simulations and their page.
    """
    studies: Annotated[dict[Name, Study], Field(json_schema_extra={"minProperties": 1})] = {}
    """The studies by name. (In an overlay, null removes a study.)"""

    @field_validator("address")
    @classmethod
    def _is_an_address(cls, given: str | None) -> str | None:
        if given is not None and not re.fullmatch(r"https?://[^\s?#]+", given):
            raise SettingError([], f"{shown(given)} is not an address", "use one such as https://example.org/surefoot")
        return given

    @model_validator(mode="after")
    def _has_a_study(self) -> "Configuration":
        if not self.studies:  # checked last, since an unknown key may be a misspelt one
            raise SettingError(["studies"], "there are no studies", "add at least one")
        return self


def configuration_model() -> type[Configuration]:
    """Return the model of a configuration, rebuilt if new kinds have been registered."""
    _build(*(tuple(registry.complete()) for registry in (SOURCES, SCALES, QUESTIONS)))
    return Configuration


@functools.lru_cache(maxsize=1)
def _build(*kinds: tuple[str, ...]) -> None:
    Study.model_rebuild(force=True)
    Configuration.model_rebuild(force=True)


SCHEMA_PATH = PROJECT / "workflow" / "schemas" / "config.schema.json"


class _Schema(GenerateJsonSchema):
    """Generator of schemas without titles that repeat keys, with patterns for keys, and with null allowed."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def dict_schema(self, schema: core_schema.DictSchema) -> dict[str, Any]:
        made = super().dict_schema(schema)
        if "patternProperties" in made:
            (pattern, value), *_ = made["patternProperties"].items()
            return made | {"patternProperties": {pattern: _or_null(value)}, "additionalProperties": False}
        return made | {"additionalProperties": _or_null(made["additionalProperties"])}


def _or_null(value: Any) -> dict[str, Any]:
    return {"anyOf": [value, {"type": "null"}]}


def schema() -> dict[str, Any]:
    """Return the schema of a configuration file."""
    first = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    made = configuration_model().model_json_schema(by_alias=True, schema_generator=_Schema)
    return first | made | {"title": "Configuration of Surefoot"}
