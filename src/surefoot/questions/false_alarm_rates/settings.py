"""How often checking after every run finds a difference that does not exist.

formula : Both sides of a comparison are drawn with replacement from one algorithm's runs; the rate is the share of
    experiments whose limits exclude 1/2 at any look, from the second on.
assumes : The given runs represent all runs.
guarantee : Exact up to simulation error.
interval : confidence sequences by betting, and percentile intervals of the bootstrap
in a paper : We simulate [{datasets} experiments] that compare the second of {compare} with itself, and count how often
    {intervals} find a difference when they are looked at after every round, for [up to {rounds} rounds]. Tasks are
    {tasks_independent}.
not for : Estimating power: there is no difference to find.
source : waudbysmith2024
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.configuration.sections import SeveralRuns
from surefoot.questions.settings import (
    Compared,
    DataSets,
    QuestionSettings,
    Rounds,
    TasksIndependent,
)


class Settings(QuestionSettings):
    """How often checking after every run finds a difference that does not exist."""

    stage: ClassVar[str] = "cover"
    pools_tasks: ClassVar[bool] = False
    group: ClassVar[str] = "how_many_runs"
    kind: Literal["false_alarm_rates"] = "false_alarm_rates"
    compare: Compared
    tasks_independent: TasksIndependent = "auto"
    rounds: Rounds = 20
    datasets: Annotated[
        DataSets, Field(description="How many experiments without a difference are simulated to count false alarms.")
    ] = 100
    replicates: Annotated[SeveralRuns, Field(description="Resamples of each interval.")] = 300
