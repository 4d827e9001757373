"""The types of what questions take: what is allowed, what it means, and an example, for a call and for a study alike.

A parameter's `Role` says where its value comes from in a study; one without is a key of the question.
"""

import functools
import operator
from collections.abc import Mapping, Sequence
from enum import Enum
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import pandas as pd
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, FiniteFloat, model_validator
from pydantic.json_schema import SkipJsonSchema

from surefoot.configuration.sections import EACH_ONCE, UNIQUE, Count, Level, Section
from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.catalogue import METRICS


class Role(Enum):
    """Where a study has what a question takes, if not as a key of the question."""

    OF_STUDY = "a key of the study"
    OF_STUDY_BY_DEFAULT = "a key of the question, by default the study's"
    OF_CALL = "only in a call"
    AS_GIVEN = "only in a call, and as it is given"
    TABLE = "a table of the study"


def _as_text(name: object) -> object:
    """Names of algorithms are texts; a number that stands for one is written as such."""
    return str(name) if isinstance(name, int | float) and not isinstance(name, bool) else name


Item = TypeVar("Item")
Items = Annotated[Sequence[Item], AfterValidator(tuple)]
"""One or several values: any sequence in a program, a list in a file, and a tuple for the question."""
AlgorithmName = Annotated[str, BeforeValidator(_as_text)]
Size = Annotated[int, Field(ge=1, le=1_000_000)]


def _with_parameter(metric: str) -> str:
    parameter = METRICS[metric].parameter
    return f"{metric}({parameter})" if parameter else metric


Algorithms = Annotated[
    Items[AlgorithmName],
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
    Items[str],
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
    Items[str],
    Field(min_length=1, max_length=1, examples=["[iqm]"], description="A metric by name."),
]
Methods = Annotated[
    Items[Literal["percentile", "basic", "bc", "bca", "bca_stratified", "normal", "student"]],
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
Clustered = Annotated[
    bool,
    Field(
        description='Whether tasks whose names are alike up to their last slash, such as "text 3/question 1", depend '
        "on each other, as questions about one text do: each such group is then a cluster."
    ),
]
Seed = Annotated[int, Field(ge=0, description="Seed of all random numbers."), Role.OF_STUDY]
Confidence = Annotated[Level, Field(description="Confidence level of the intervals."), Role.OF_STUDY]
Replicates = Annotated[
    Count, Field(description="Bootstrap resamples; by default the study's number."), Role.OF_STUDY_BY_DEFAULT
]
Threads = Annotated[
    int,
    Field(ge=1, description="How many threads may be used. The numbers do not depend on it."),
    Role.OF_CALL,
]
Checked = Annotated[
    bool,
    Field(
        description="Whether the runs are known to be right although they look transposed, like episodes instead of "
        "runs, or like scores without a common scale."
    ),
    Role.OF_CALL,
]
Steps = Annotated[
    Any,
    Field(description="Environment steps of the third axis of arrays; 0, 1, 2, ... by default. Tables have a column."),
    Role.AS_GIVEN,
]
FurtherTable = Annotated[pd.DataFrame | None, Role.TABLE]
Bounds = Annotated[
    dict[str, tuple[float, float]],
    Field(
        description="For pbp_known_bounds, the lowest and the highest possible score in each environment; by default "
        "those that the source knows."
    ),
]
Ticks = Annotated[Items[float], Field(description="Thresholds that are marked on the non-linear axis of a profile.")]
Sizes = Annotated[
    Items[Size],
    EACH_ONCE,
    Field(
        min_length=1,
        json_schema_extra=UNIQUE,
        examples=["[10], numbers of runs"],
        description="Numbers of runs that are drawn.",
    ),
]
OneSize = Annotated[
    Items[Size],
    Field(min_length=1, max_length=1, examples=["[10], a number of runs"], description="The number of runs."),
]
SizesOf = Annotated[
    Items[Size],
    Field(
        min_length=1,
        examples=["[5, 10], numbers of runs, one for each of the algorithms"],
        description="Numbers of runs that are drawn, one for each of the algorithms.",
    ),
]
ProfileKinds = Annotated[
    Items[Literal["run_scores", "average_scores"]],
    EACH_ONCE,
    Field(min_length=1, json_schema_extra=UNIQUE, description="Kinds of profiles."),
]
Levels = Annotated[
    Items[Annotated[float, Field(gt=0, lt=1)]],
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


Pair = Annotated[Items[AlgorithmName], Field(min_length=2, max_length=2), AfterValidator(_different)]
Pairs = Annotated[
    Items[Pair],
    Field(
        min_length=1,
        examples=["[[a, b]], names of algorithms"],
        description="Pairs of algorithms; the first of each is compared with the second.",
    ),
]
DataSets = Annotated[int, Field(ge=2, le=1_000_000_000, examples=["1000"], description="Subsamples of each size.")]
Lifts = Annotated[
    Items[Annotated[float, Field(gt=-100)]],
    Field(
        min_length=1,
        examples=["[0, 25], in percent"],
        description="Improvements in percent that are to be detected.",
    ),
]
Fractions = Annotated[
    Items[Annotated[float, Field(ge=0, le=0.5)]],
    Field(min_length=1, examples=["[0, 0.25, 0.5]"], description="Fractions that a trimmed mean cuts off at each end."),
]
Replacement = Annotated[
    Items[bool],
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
    Items[AlgorithmName],
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


if TYPE_CHECKING:
    Thresholds = Grid | Mapping[str, float] | Sequence[float] | Floats
else:
    Thresholds = Annotated[
        Grid | SkipJsonSchema[Annotated[Items[FiniteFloat], Field(min_length=1)]],
        Field(examples=["{from: 0.1, to: 2, count: 96}"], description="The grid of a curve."),
    ]
"""Where a file has a grid, a program may have the points themselves, ascending, also as an array."""


def plain_type(annotation: Any) -> Any:
    """A type without its bounds and descriptions, as a reader wants to see it."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return plain_type(parts[0])
    if origin is Sequence:
        return Sequence[plain_type(parts[0])]  # type: ignore[misc]
    if origin in (dict, tuple):
        return origin[tuple(part if part is Ellipsis else plain_type(part) for part in parts)]
    if origin in (Union, UnionType):
        return functools.reduce(operator.or_, map(plain_type, parts))
    return annotation
