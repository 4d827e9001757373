"""How often looking after every run finds a difference that is not there."""

from typing import ClassVar, Literal

from surefoot.questions.settings import (
    Compared,
    DataSets,
    QuestionSettings,
    Replicates,
    Rounds,
    TasksIndependent,
)


class Settings(QuestionSettings):
    """How often looking after every run finds a difference that is not there."""

    stage: ClassVar[str] = "cover"
    asked_in: ClassVar[str] = "how_many_runs"
    kind: Literal["false_alarm_rates"] = "false_alarm_rates"
    compare: Compared
    tasks_independent: TasksIndependent = "auto"
    rounds: Rounds = 20
    datasets: DataSets = 100
    replicates: Replicates = 300
