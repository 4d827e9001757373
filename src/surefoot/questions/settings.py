"""What the settings of questions are made of; light, since planning imports it.

A question's folder has `settings.py` with its model `Settings`: the keyword arguments of its answer, its section of the
configuration, and the part of the schema that describes it, in one.
"""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

UNIQUE = {"uniqueItems": True}
Size = Annotated[int, Field(ge=1, le=1_000_000)]

Algorithms = Annotated[
    tuple[str, ...],
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
        "optimality_gap(gamma), difficulty_progress(p), probability_above(t).",
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
Pair = Annotated[tuple[str, ...], Field(min_length=2, max_length=2)]
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
Compared = Annotated[tuple[str, ...], Field(min_length=2, max_length=2, description="The two algorithms.")]
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


Thresholds = Annotated[Grid, Field(examples=["{from: 0.1, to: 2, count: 96}"], description="The grid of a curve.")]


class QuestionSettings(BaseModel):
    """What all questions of sets of scores have.

    stage : "estimate" for what is said of the runs at hand, "cover" for what other runs would have shown
    several_sets : whether it is of several sets of scores at once
    one_algorithm : whether it is of one algorithm
    needs : what its runs must have: "scores", "curves" (scores along the training) or "means" (published ones)
    instead : for an error, what there is for runs that have not what it needs
    asked_in : the section of a study that asks it
    """

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    stage: ClassVar[str]
    several_sets: ClassVar[bool] = False
    one_algorithm: ClassVar[bool] = False
    needs: ClassVar[str] = "scores"
    instead: ClassVar[str] = ""
    asked_in: ClassVar[str] = "estimate.analyses"
    scores: Annotated[
        tuple[str, ...],
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            description="Names of sets of scores, all collected together.",
        ),
    ]
