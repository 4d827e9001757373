"""What the settings of questions are made of; light, since planning imports it.

A question's folder has `settings.py` with its model `Settings`: the keyword arguments of its answer, its section of the
configuration, and the part of the schema that describes it, in one.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, FiniteFloat, model_validator
from pydantic.json_schema import SkipJsonSchema

UNIQUE = {"uniqueItems": True}


def _as_text(name: object) -> object:
    """Names of algorithms are texts; a number that stands for one is written as such."""
    return str(name) if isinstance(name, int | float) and not isinstance(name, bool) else name


Name = Annotated[str, BeforeValidator(_as_text)]
Size = Annotated[int, Field(ge=1, le=1_000_000)]

Algorithms = Annotated[
    tuple[Name, ...],
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        examples=["[a, b], names of algorithms"],
        description="The algorithms to take; all of them without this key.",
    ),
]
Metrics = Annotated[
    tuple[str, ...],
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        examples=["[iqm, median]"],
        description="Metrics by name: mean, median, iqm, exact_iqm, trimmed_mean(p), run_median, "
        "optimality_gap(gamma), difficulty_progress(p), probability_above(t). Tasks with unequal numbers of runs have "
        'the same weight where "weighted by tasks" follows, as in "iqm weighted by tasks".',
    ),
]
OneMetric = Annotated[
    tuple[str, ...],
    Field(min_length=1, max_length=1, examples=["[iqm]"], description="A metric by name."),
]
Methods = Annotated[
    tuple[Literal["percentile", "basic", "bc", "bca", "bca_stratified", "normal", "student"], ...],
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        examples=["[percentile]"],
        description="Kinds of bootstrap intervals. student, of resampled runs alone, is the one that holds its level "
        "with few runs per task.",
    ),
]
Resampled = Annotated[
    Literal["runs", "whole_runs", "tasks_and_runs"],
    Field(
        description="What a replicate draws: runs of each task, the same runs of all tasks, or tasks and runs of each."
    ),
]
ResampledRuns = Annotated[
    Literal["runs", "whole_runs"],
    Field(description="What is drawn: runs of each task, or the same runs of all tasks."),
]
Replicates = Annotated[
    int,
    Field(ge=1, le=1_000_000_000, description="Replicates of the bootstrap; estimate.replicates without this key."),
]
Ticks = Annotated[tuple[float, ...], Field(description="Thresholds that the non-linear axis of a profile names.")]
Sizes = Annotated[
    tuple[Size, ...],
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
    Field(min_length=1, json_schema_extra=UNIQUE, description="Kinds of profiles."),
]
Levels = Annotated[
    tuple[Annotated[float, Field(gt=0, lt=1)], ...],
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        description="Nominal levels of the percentile intervals whose coverage is asked for.",
    ),
]
Pair = Annotated[tuple[Name, ...], Field(min_length=2, max_length=2)]
Pairs = Annotated[
    tuple[Pair, ...],
    Field(
        min_length=1,
        examples=["[[a, b]], names of algorithms"],
        description="Pairs of algorithms, the first of which is compared with the second.",
    ),
]
DataSets = Annotated[int, Field(ge=2, le=1_000_000_000, examples=["1000"], description="Subsamples of each size.")]
Lifts = Annotated[
    tuple[Annotated[float, Field(gt=-100)], ...],
    Field(
        min_length=1,
        examples=["[0, 25], in percent"],
        description="Improvements in percent that are to be seen.",
    ),
]
Fractions = Annotated[
    tuple[Annotated[float, Field(ge=0, le=0.5)], ...],
    Field(min_length=1, examples=["[0, 0.25, 0.5]"], description="Fractions that a trimmed mean cuts from each end."),
]
Replacement = Annotated[
    tuple[bool, ...],
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
        description="Settings of a protocol that reports the best of several.",
    ),
]
RunsOfSetting = Annotated[
    int,
    Field(ge=1, le=1_000_000_000, examples=["3"], description="Runs that the mean of a setting is taken of."),
]
Bins = Annotated[int, Field(ge=1, le=1_000_000_000, examples=["20"], description="Bins of a histogram.")]
Decimals = Annotated[
    int,
    Field(
        ge=0,
        le=15,
        description="The decimals to which scores are rounded before they are compared, where some were stored with so "
        "few digits; without this key scores tie where they differ by rounding of the last digits alone.",
    ),
]
Compared = Annotated[tuple[Name, ...], Field(min_length=2, max_length=2, description="The two algorithms.")]
TasksIndependent = Annotated[
    Literal["auto", True, False],
    Field(description="Whether runs with the same number share nothing across tasks; auto asks the data."),
]
Rounds = Annotated[int, Field(ge=1, description="After how many runs of each task the comparison ends.")]


class Grid(BaseModel):
    """The grid of a curve."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"examples": ["{from: 0.1, to: 2, count: 96}"]}
    )
    first: Annotated[float, Field(alias="from", description="The first point.")]
    last: Annotated[float, Field(alias="to", description="The last point.")]
    count: Annotated[int, Field(ge=2, le=1_000_000, description="How many points at equal distances.")]

    @model_validator(mode="after")
    def _ascends(self) -> "Grid":
        if not self.first < self.last:
            raise ValueError(f"from {self.first:g} to {self.last:g} they do not ascend. Hint: from < to")
        return self


Thresholds = Annotated[
    Grid | SkipJsonSchema[Annotated[tuple[FiniteFloat, ...], Field(min_length=1)]],
    Field(examples=["{from: 0.1, to: 2, count: 96}"], description="The grid of a curve."),
]
"""Where a file has a grid, a program may have the points themselves, ascending."""


class QuestionSettings(BaseModel):
    """What all questions of sets of scores have.

    stage : "estimate" for what is said of the runs at hand, "cover" for what other runs would have shown
    several_sets : whether it is of several sets of scores at once
    one_algorithm : whether it is of one algorithm
    needs : what its runs must have: "scores", "curves" (scores along the training), "means" (published ones) or
        "times" (in the place of scores)
    instead : for an error, what there is for runs that have not what it needs
    looks_at_axes : whether runs that look like tasks are refused, where it is asked as a function
    asked_in : the section of a study that asks it
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, allow_inf_nan=False)
    stage: ClassVar[str]
    several_sets: ClassVar[bool] = False
    one_algorithm: ClassVar[bool] = False
    needs: ClassVar[str] = "scores"
    instead: ClassVar[str] = ""
    looks_at_axes: ClassVar[bool] = True
    asked_in: ClassVar[str] = "estimate.analyses"
    scores: Annotated[
        tuple[str, ...],
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            description="Names of sets of scores, all collected together.",
        ),
    ]


class SharedSettings(BaseModel):
    """What all questions are asked with beside their own settings, where they are functions; in a study, keys of the
    study and of its section `estimate` with the same defaults."""

    seed: Annotated[int, Field(ge=0, description="Seed of every random number.")] = 0
    confidence: Annotated[float, Field(gt=0, lt=1, description="Confidence level of the intervals.")] = 0.95
    replicates: Annotated[
        int, Field(ge=1, le=1_000_000_000, description="Replicates of the bootstrap, where the question resamples.")
    ] = 1000
    threads: Annotated[
        int, Field(ge=1, description="How many threads may be used; the numbers are the same for any.")
    ] = 1
    checked: Annotated[
        bool,
        Field(description="Whether the axes of the runs are known to be right, even where they do not look so."),
    ] = False
