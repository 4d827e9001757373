"""What the settings of questions are made of; light, since planning imports it.

A question's folder has `settings.py` with its model `Settings`: the keyword arguments of its answer, its section of the
configuration, and the part of the schema that describes it, in one.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, FiniteFloat, model_validator
from pydantic.json_schema import SkipJsonSchema

from surefoot.configuration.sections import EACH_ONCE, UNIQUE, Count, Level, Section
from surefoot.errors import HintedError
from surefoot.statistics.metrics.entries import METRICS


def _as_text(name: object) -> object:
    """Names of algorithms are texts; a number that stands for one is written as such."""
    return str(name) if isinstance(name, int | float) and not isinstance(name, bool) else name


AlgorithmName = Annotated[str, BeforeValidator(_as_text)]
Size = Annotated[int, Field(ge=1, le=1_000_000)]


def _with_parameter(metric: str) -> str:
    parameter = METRICS[metric].parameter
    return f"{metric}({parameter})" if parameter else metric


Algorithms = Annotated[
    tuple[AlgorithmName, ...],
    EACH_ONCE,
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        examples=["[a, b], names of algorithms"],
        description="The algorithms to take; all of them by default.",
    ),
]
TheAlgorithms = Annotated[Algorithms, Field(description="The algorithms to take.")]
"""Where they have to be named."""
Metrics = Annotated[
    tuple[str, ...],
    EACH_ONCE,
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        examples=["[iqm, median]"],
        description=f'Metrics by name: {", ".join(map(_with_parameter, METRICS))}. Append "weighted by tasks", as in '
        '"iqm weighted by tasks", to give tasks with unequal numbers of runs the same weight.',
    ),
]
OneMetric = Annotated[
    tuple[str, ...],
    Field(min_length=1, max_length=1, examples=["[iqm]"], description="A metric by name."),
]
Methods = Annotated[
    tuple[Literal["percentile", "basic", "bc", "bca", "bca_stratified", "normal", "student"], ...],
    EACH_ONCE,
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        examples=["[percentile]"],
        description="Kinds of bootstrap intervals. student is the one that holds its level with few runs per task.",
    ),
]
Resampled = Annotated[
    Literal["runs", "whole_runs", "tasks_and_runs"],
    Field(description="What a resample draws: runs of each task, the same runs of all tasks, or tasks and their runs."),
]
ResampledRuns = Annotated[
    Literal["runs", "whole_runs"],
    Field(description="What is drawn: runs of each task, or the same runs of all tasks."),
]
SharedRuns = Annotated[
    Literal["auto", True, False],
    Field(
        description="Whether tasks share runs: true if one training is on all tasks, or one checkpoint is evaluated on "
        "all; false if every task has trainings of its own. auto takes runs for shared where those with the same name "
        "do alike on all tasks by more than chance."
    ),
]
Replicates = Annotated[
    int,
    Field(ge=1, le=1_000_000_000, description="Bootstrap resamples; by default the study's number."),
]
Ticks = Annotated[
    tuple[float, ...], Field(description="Thresholds that are marked on the non-linear axis of a profile.")
]
Sizes = Annotated[
    tuple[Size, ...],
    EACH_ONCE,
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        examples=["[10], numbers of runs"],
        description="Numbers of runs that are drawn.",
    ),
]
OneSize = Annotated[
    tuple[Size, ...],
    Field(min_length=1, max_length=1, examples=["[10], a number of runs"], description="The number of runs."),
]
SizesOf = Annotated[
    tuple[Size, ...],
    Field(
        min_length=1,
        examples=["[5, 10], numbers of runs, one for each of the algorithms"],
        description="Numbers of runs that are drawn, one for each of the algorithms.",
    ),
]
Profiles = Annotated[
    tuple[Literal["run_scores", "average_scores"], ...],
    EACH_ONCE,
    Field(min_length=1, json_schema_extra=UNIQUE, description="Kinds of profiles."),
]
Levels = Annotated[
    tuple[Annotated[float, Field(gt=0, lt=1)], ...],
    EACH_ONCE,
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        description="Nominal levels of the percentile intervals whose coverage is measured.",
    ),
]


def _different(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(names)) < len(names):
        raise HintedError("", f'"{names[0]}" is compared with itself', "two algorithms")
    return names


Pair = Annotated[tuple[AlgorithmName, ...], Field(min_length=2, max_length=2), AfterValidator(_different)]
Pairs = Annotated[
    tuple[Pair, ...],
    Field(
        min_length=1,
        examples=["[[a, b]], names of algorithms"],
        description="Pairs of algorithms; the first of each is compared with the second.",
    ),
]
DataSets = Annotated[int, Field(ge=2, le=1_000_000_000, examples=["1000"], description="Subsamples of each size.")]
Lifts = Annotated[
    tuple[Annotated[float, Field(gt=-100)], ...],
    Field(
        min_length=1,
        examples=["[0, 25], in percent"],
        description="Improvements in percent that are to be detected.",
    ),
]
Fractions = Annotated[
    tuple[Annotated[float, Field(ge=0, le=0.5)], ...],
    Field(min_length=1, examples=["[0, 0.25, 0.5]"], description="Fractions that a trimmed mean cuts off at each end."),
]
Replacement = Annotated[
    tuple[bool, ...],
    EACH_ONCE,
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        examples=["[true]"],
        description="Whether subsamples are drawn with replacement, without, or both.",
    ),
]
NumberOfSettings = Annotated[
    int,
    Field(
        ge=1,
        le=1_000_000_000,
        examples=["8"],
        description="Hyperparameter settings of which the protocol reports the best.",
    ),
]
RunsOfSetting = Annotated[
    int,
    Field(ge=1, le=1_000_000_000, examples=["3"], description="Runs whose mean is the score of a setting."),
]
Bins = Annotated[int, Field(ge=1, le=1_000_000_000, examples=["20"], description="Bins of a histogram.")]
Decimals = Annotated[
    int,
    Field(
        ge=0,
        le=15,
        description="Number of decimals to which scores are rounded before they are compared, for scores that were "
        "stored with few digits. By default, scores tie if they differ only by rounding errors in the "
        "last digits.",
    ),
]
Compared = Annotated[
    tuple[AlgorithmName, ...],
    Field(
        min_length=2,
        max_length=2,
        examples=["[a, b], names of algorithms"],
        description="Two algorithms that are compared after every run, in the order of the runs' numbers (or names). "
        "You may stop as soon as they are separated.",
    ),
    AfterValidator(_different),
]
TasksIndependent = Annotated[
    Literal["auto", True, False],
    Field(
        description="Whether runs of different tasks are independent: true if they are separate trainings with their "
        "own seeds, so that each task of a round counts as an outcome; false if a run is one training on "
        "all tasks, so that a round counts as one. auto counts a round as one until earlier rounds have "
        "shown that tasks vary independently, which takes tens of rounds."
    ),
]
Rounds = Annotated[
    int,
    Field(ge=2, le=1_000_000_000, description="After how many rounds the simulated experimenter stops looking."),
]


class Grid(Section):
    """The grid of a curve."""

    model_config = ConfigDict(json_schema_extra={"examples": ["{from: 0.1, to: 2, count: 96}"]})
    first: Annotated[float, Field(alias="from", description="The first point.")]
    last: Annotated[float, Field(alias="to", description="The last point.")]
    count: Annotated[int, Field(ge=2, le=1_000_000, description="Number of equally spaced points.")]

    @model_validator(mode="after")
    def _ascends(self) -> "Grid":
        if not self.first < self.last:
            raise HintedError("", f"from {self.first:g} to {self.last:g} does not ascend", "from must be less than to")
        return self


Thresholds = Annotated[
    Grid | SkipJsonSchema[Annotated[tuple[FiniteFloat, ...], Field(min_length=1)]],
    Field(examples=["{from: 0.1, to: 2, count: 96}"], description="The grid of a curve."),
]
"""Where a file has a grid, a program may have the points themselves, ascending."""


class Question(Section):
    """What all questions have.

    stage : "aggregate" for point values, "estimate" for what is said of the runs at hand, "cover" for what other runs
        would have shown
    more : names of further tables of its answer, beside the one that is called like the question
    uses : which of the study's seed, confidence and replicates decide its answer
    shown_only : settings that decide what is drawn, and not the answer
    only_in_studies : settings that say where a study has the runs; its function is given them
    digits : significant digits of its table, where not all are kept
    """

    stage: ClassVar[str]
    more: ClassVar[tuple[str, ...]] = ()
    uses: ClassVar[tuple[str, ...]] = ("seed", "confidence", "replicates")
    shown_only: ClassVar[tuple[str, ...]] = ()
    only_in_studies: ClassVar[tuple[str, ...]] = ("kind",)
    digits: ClassVar[int | None] = None
    kind: str

    def decisive(self) -> dict[str, Any]:
        """What of it decides its answer, its defaults apart."""
        left = {key: value for key, value in self.given().items() if key not in self.shown_only}
        return left | {"kind": self.kind}

    def with_bounds(self, bounds: Mapping[str, Mapping[str, tuple[float, float]]]) -> Self:
        """The question with the bounds of its source's scores, where it takes such and names none.

        bounds : (least, greatest) score that is possible by environment, by source
        """
        return self

    def inputs(self) -> dict[str, str]:
        """The tables that it takes, by the names that its answer knows them by: "source:<name>", "scale:<name>", or
        "question:<kind>" (with "_<table>" for a further table of it, and ":<source>" where it is of runs)."""
        raise NotImplementedError

    def scales(self) -> tuple[str, ...]:
        """Names of the scales that it takes runs on."""
        return tuple(name.removeprefix("scale:") for name in self.inputs().values() if name.startswith("scale:"))

    def optional_inputs(self) -> dict[str, str]:
        """Those that it takes where the study makes them."""
        return {}


class QuestionOfRuns(Question):
    """A question of a run table, whose scores are as they are.

    takes : the kind of table that it is asked of
    """

    only_in_studies: ClassVar[tuple[str, ...]] = ("kind", "source")
    takes: ClassVar[str] = "runs"
    source: Annotated[str, Field(description="Name of the source, or of one of its tables, that is asked about.")] = (
        "runs"
    )

    def inputs(self) -> dict[str, str]:
        return {"runs": f"source:{self.source}"}


class BoundedQuestion(QuestionOfRuns):
    """A question of runs whose scores may have known bounds."""

    bounds: Annotated[
        dict[str, tuple[float, float]] | None,
        Field(
            description="For pbp_known_bounds, the lowest and the highest possible score in each environment; by "
            "default those that the source knows."
        ),
    ] = None

    def with_bounds(self, bounds: Mapping[str, Mapping[str, tuple[float, float]]]) -> Self:
        known = bounds.get(self.source)
        unknown = self.bounds is None and known and "pbp_known_bounds" in getattr(self, "methods", ())
        return self.model_copy(update={"bounds": known}) if unknown else self


class QuestionSettings(Question):
    """What all questions of scores have.

    group : questions of a source and a stage with the same are answered in one job
    several_sets : whether it is of several scales at once
    one_algorithm : whether it is of one algorithm
    needs : what its runs must have: "scores", "curves" (scores along the training), "means" (published ones) or
        "times" (in the place of scores)
    instead : for an error, what there is for runs that have not what it needs
    equal_runs : whether it draws the same runs of all tasks, whatever is resampled, so that all must have equally many
    pools_tasks : whether scores of several tasks are averaged or compared, so that they must be on a common scale
    looks_at_axes : whether runs that look like tasks are refused, where it is asked as a function
    """

    only_in_studies: ClassVar[tuple[str, ...]] = ("kind", "scores")
    group: ClassVar[str] = ""
    several_sets: ClassVar[bool] = False
    one_algorithm: ClassVar[bool] = False
    needs: ClassVar[str] = "scores"
    instead: ClassVar[str] = ""
    equal_runs: ClassVar[bool] = False
    pools_tasks: ClassVar[bool] = True
    looks_at_axes: ClassVar[bool] = True
    digits: ClassVar[int | None] = 10
    scores: Annotated[
        tuple[str, ...],
        EACH_ONCE,
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            description="Names of scales, all of the same source. By default the only scale that the study has, or "
            "of the source runs (for questions about curves, the only one of its curves), or else min_max.",
        ),
    ] = ("min_max",)

    def scales(self) -> tuple[str, ...]:
        return self.scores

    def inputs(self) -> dict[str, str]:
        return {"scores": f"scale:{self.scores[0]}"}


class SharedSettings(Section):
    """What all questions are asked with beside their own settings, where they are functions; in a study, keys of the
    study with the same defaults."""

    seed: Annotated[int, Field(ge=0, description="Seed of all random numbers.")] = 0
    confidence: Annotated[Level, Field(description="Confidence level of the intervals.")] = 0.95
    replicates: Annotated[Count, Field(description="Bootstrap resamples, if the question resamples.")] = 1000
    threads: Annotated[
        int, Field(ge=1, description="How many threads may be used. The numbers do not depend on it.")
    ] = 1
    checked: Annotated[
        bool,
        Field(
            description="Whether the runs are known to be right although they look transposed, like episodes instead "
            "of runs, or like scores without a common scale."
        ),
    ] = False
