r"""What studies of other numbers of runs would find, from a pilot.

formula : Studies of $N$ runs per task are drawn with replacement from the pilot, its scores moved away from their
    task's mean by the factor $\sqrt{N_m / (N_m - 1)}$, and analysed as real ones: the mean width of the
    intervals, and how often that of the difference to a second study, raised by $l$ percent, is above 0 (below, if
    lower is better).
assumes : The pilot's runs stand for all runs of the same program and tasks; a lift multiplies every score.
guarantee : The band, for the pilot's own error, is close to its level for normal and two-valued scores; widths for the
    mean of skewed scores or with occasional failures are missed in 8 to 12 % of cases instead of 5 %.
interval : [Student's](#sec-interval-student) intervals, of differences as in
    [pairwise_differences](#sec-question-pairwise_differences)
in a paper : We simulate [{datasets} studies] each of [{sizes} runs of each task], from a pilot[ of the runs of
    {algorithms}], and report the width of their {intervals} for the {metrics}, and how often they detect improvements
    of [{lifts} percent][; a chance of {chance} counts as enough].
not for : Pilots of two or three runs, and failures too rare to be in it.
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
