r"""What studies of other numbers of runs would find, from a pilot.

formula : Studies of $N$ runs are drawn from the pilot with replacement, scores moved away from their task's mean by
    $\sqrt{n / (n - 1)}$ where the pilot has $n$ runs, and analysed as real ones: the mean width of their percentile
    intervals, and how often the percentile interval of the difference between a second study, whose scores are raised
    by $l$ percent, and the first is above 0 (below, for a metric that is better when lower).
assumes : The pilot's runs stand for all runs; new ones come from the same program and tasks. A lift multiplies every
    score.
guarantee : A band says how far a plan may be off because its pilot is one of many: close to its level for normal and
    two-valued scores, missed in 10 to 15 % of cases instead of 5 % for the mean of heavy-tailed ones.
interval : percentile intervals of the bootstrap, of simulated studies
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
        Field(description="The algorithms whose runs are a pilot, each separately; by default the first."),
    ] = None
    metrics: Annotated[Metrics, Field(description="The metrics whose intervals are simulated, by name.")] = (
        "iqm",
        "median",
    )
    sizes: Annotated[
        tuple[Annotated[int, Field(ge=2, le=1_000_000)], ...],
        EACH_ONCE,
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            description="Numbers of runs per task of the simulated studies.",
        ),
    ] = (3, 5, 10, 20, 50)
    lifts: Annotated[
        tuple[Annotated[float, Field(ge=0)], ...],
        EACH_ONCE,
        Field(
            min_length=1,
            json_schema_extra=UNIQUE,
            description="Improvements in percent that are to be detected; 0 shows how often one is found although "
            "there is none.",
        ),
    ] = (0, 10, 25, 50)
    chance: Annotated[Level, Field(description="The chance of detecting a lift that counts as enough.")] = 0.8
    datasets: Annotated[DataSets, Field(description="Simulated studies of each number of runs.")] = 200
    replicates: Annotated[SeveralRuns, Field(description="Resamples of each interval.")] = 300
