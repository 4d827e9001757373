"""Types of the parameters of questions, with bounds and examples, for calls and studies.

The docstring of a question describes its parameters. The `Role` in a type determines where the value comes from in a
study; a parameter without a role is a key of the question.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import pandas as pd
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, FiniteFloat, model_validator
from pydantic.json_schema import SkipJsonSchema

from surefoot.errors import HintedError, shown
from surefoot.runs.sections import EACH_ONCE, UNIQUE, Count, DescribedSection, Level, SeveralRuns
from surefoot.statistics.arrays import Floats
from surefoot.statistics.metrics.metric_catalogue import METRICS


class Role(Enum):
    """Where the value of a parameter comes from in a study, if it is not a key of the question."""

    OF_STUDY = "a key of the study"
    OF_STUDY_BY_DEFAULT = "a key of the question, by default the study's"
    OF_CALL = "only in a call"
    AS_GIVEN = "only in a call, and passed on without checks"
    TABLE = "a table of the study"


def _as_text(name: object) -> object:
    """Return the name of an algorithm as a string, even if it is a number."""
    return str(name) if isinstance(name, int | float) and not isinstance(name, bool) else name


def _listed(value: object) -> object:
    return [value] if isinstance(value, str | int | float) else value


Item = TypeVar("Item")
Items = Annotated[Sequence[Item], BeforeValidator(_listed), AfterValidator(tuple)]
"""Any sequence of values, or a single string or number, converted to a tuple."""
ItemsOnce = Annotated[Items[Item], EACH_ONCE, Field(min_length=1, json_schema_extra=UNIQUE)]
"""Like `Items`, but with at least one value and without repeats."""
AlgorithmName = Annotated[str, BeforeValidator(_as_text)]
Size = Annotated[int, Field(ge=1, le=1_000_000, examples=["10"])]


def _with_parameter(metric: str) -> str:
    parameter = METRICS[metric].parameter
    return f"{metric}({parameter})" if parameter else metric


Algorithms = Annotated[ItemsOnce[AlgorithmName], Field(examples=['["a", "b"]'])]
Baseline = Annotated[AlgorithmName, Field(examples=['"a"'])]
Metrics = Annotated[
    ItemsOnce[str],
    Field(
        examples=['["iqm", "median"]'],
        # This includes metrics of installed packages, which a docstring cannot list.
        description=f"Metrics by name: {', '.join(map(_with_parameter, METRICS))}. Every task has the same weight; "
        'append "weighted by runs", as in "iqm weighted by runs", to give every run the same weight.',
    ),
]
MetricName = Annotated[str, Field(examples=['"iqm"'])]
Methods = Annotated[
    ItemsOnce[Literal["percentile", "basic", "bc", "bca", "bca_stratified", "normal", "student"]],
    Field(examples=['["percentile"]']),
]
Resampled = Literal["runs", "whole_runs", "tasks_and_runs"]
ResampledRuns = Literal["runs", "whole_runs"]
SharedRuns = Literal["auto", True, False]
Seed = Annotated[int, Field(ge=0), Role.OF_STUDY]
Confidence = Annotated[Level, Role.OF_STUDY]
Replicates = Annotated[SeveralRuns, Role.OF_STUDY_BY_DEFAULT]
Threads = Annotated[int, Field(ge=1), Role.OF_CALL]
Checked = Annotated[bool, Role.OF_CALL]
LowerIsBetter = Annotated[bool, Role.OF_CALL]
Steps = Annotated[Any, Role.AS_GIVEN]
FurtherTable = Annotated[pd.DataFrame | None, Role.TABLE]
Sizes = Annotated[ItemsOnce[Size], Field(examples=["[10]"])]
SizesOf = Annotated[Items[Size], Field(min_length=1, examples=["[5, 10]"])]
Levels = ItemsOnce[Level]


def _different(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(names)) < len(names):
        raise HintedError("", f'"{names[0]}" is compared with itself', "name two different algorithms")
    return names


def _no_text(value: object) -> object:
    if isinstance(value, str):
        raise HintedError("", f"{shown(value)} is not a pair", 'use a list of two names, such as ["a", "b"]')
    return value


Pair = Annotated[
    Sequence[AlgorithmName],
    BeforeValidator(_no_text),
    AfterValidator(tuple),
    Field(min_length=2, max_length=2),
    AfterValidator(_different),
]
Pairs = Annotated[Items[Pair], Field(min_length=1, examples=['[["a", "b"]]'])]
Compared = Annotated[Pair, Field(examples=['["a", "b"]'])]
DataSets = Annotated[int, Field(ge=2, le=1_000_000_000, examples=["1000"])]
Lifts = Annotated[
    Items[Annotated[float, Field(gt=-100)]],
    Field(min_length=1, examples=["[0, 25]"]),
]
Fractions = Annotated[
    Items[Annotated[float, Field(ge=0, le=0.5)]],
    Field(min_length=1, examples=["[0, 0.25, 0.5]"]),
]
Replacement = Annotated[ItemsOnce[bool], Field(examples=["[True]"])]
NumberOfSettings = Annotated[Count, Field(examples=["8"])]
RunsOfSetting = Annotated[Count, Field(examples=["3"])]
Bins = Annotated[Count, Field(examples=["20"])]
Decimals = Annotated[int, Field(ge=0, le=15)]
TasksIndependent = Literal["auto", True, False]


class Grid(DescribedSection):
    """Grid of equally spaced points, such as the thresholds of a curve."""

    model_config = ConfigDict(json_schema_extra={"examples": ["{from: 0.1, to: 2, count: 96}"]})
    first: Annotated[float, Field(alias="from")]
    """First point."""
    last: Annotated[float, Field(alias="to")]
    """Last point."""
    count: Annotated[int, Field(ge=2, le=1_000_000)]
    """Number of equally spaced points."""

    @model_validator(mode="after")
    def _ascends(self) -> "Grid":
        if not self.first < self.last:
            raise HintedError(
                "", f"the grid from {self.first:g} to {self.last:g} is empty", "from must be less than to"
            )
        return self


if TYPE_CHECKING:
    Thresholds = Grid | Mapping[str, float] | Sequence[float] | Floats
else:
    Thresholds = Annotated[
        Grid | SkipJsonSchema[Annotated[Sequence[FiniteFloat], AfterValidator(tuple), Field(min_length=1)]],
        Field(examples=['{"from": 0.1, "to": 2, "count": 96}']),
    ]
"""A grid, or the points as an ascending sequence or array; a file can only have a grid."""
