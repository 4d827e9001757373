"""The percentile of every run under the weights of the game."""

from typing import ClassVar, Literal

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The percentile of every run under the weights of the game."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    kind: Literal["run_percentiles"] = "run_percentiles"

    def optional_inputs(self) -> dict[str, str]:
        return {"weights": "question:game_scores_weights"}
