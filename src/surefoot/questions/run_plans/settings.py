r"""What studies of other numbers of runs would find, from a pilot.

formula : Studies of $N$ runs are drawn from the pilot with replacement, scores moved away from their task's mean by
    $\sqrt{n / (n - 1)}$ where the pilot has $n$ runs, and analysed as real ones: the mean width of their percentile
    intervals, and how often the percentile interval of the difference between a second study, whose scores are raised
    by $l$ percent, and the first is above 0 (below, for a metric that is better when lower).
assumes : The pilot's runs stand for all runs; new ones come from the same program and tasks. A lift multiplies every
    score.
guarantee : A band says how far a plan may be off because its pilot is one of many: close to its level for normal and
    two-valued scores, missed in 10 to 15 % of cases instead of 5 % for the mean of heavy-tailed ones.
interval : percentile intervals of the bootstrap
in a paper : We simulate [{datasets} studies] each of [{sizes} runs of each task], from a pilot[ of the runs of
    {algorithms}], and report the width of their {intervals} for the {metrics}, and how often they detect improvements
    of [{lifts} percent][; a chance of {chance} counts as enough].
not for : Pilots of two or three runs, and failures so rare that the pilot has none.
source : colas2018; efron1993
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.configuration.sections import EACH_ONCE, UNIQUE, Level, SeveralRuns
from surefoot.questions.settings import (
    Algorithms,
    DataSets,
    Metrics,
    QuestionSettings,
)


class Settings(QuestionSettings):
    """What studies of other numbers of runs would find, from a pilot."""

    stage: ClassVar[str] = "cover"
    group: ClassVar[str] = "how_many_runs"
    kind: Literal["run_plans"] = "run_plans"
    shown_only: ClassVar[tuple[str, ...]] = ("chance",)
    algorithms: Annotated[
        Algorithms | None,
        Field(description="The algorithms whose runs are the pilot, each on its own; the first one without this key."),
    ] = None
    metrics: Annotated[Metrics, Field(description="The metrics whose intervals are asked about, by name.")] = (
        "iqm",
        "median",
    )
    sizes: Annotated[
        tuple[Annotated[int, Field(ge=2, le=1_000_000)], ...],
        EACH_ONCE,
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            description="Numbers of runs of each task that studies are simulated with.",
        ),
    ] = (3, 5, 10, 20, 50)
    lifts: Annotated[
        tuple[Annotated[float, Field(ge=0)], ...],
        EACH_ONCE,
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            description="Improvements in percent that are to be detected; 0 shows how often one is found where there "
            "is none.",
        ),
    ] = (0, 10, 25, 50)
    chance: Annotated[Level, Field(description="The chance to detect a lift that counts as enough.")] = 0.8
    datasets: Annotated[DataSets, Field(description="Simulated studies of each number of runs.")] = 200
    replicates: Annotated[SeveralRuns, Field(description="Resamples of each interval.")] = 300
