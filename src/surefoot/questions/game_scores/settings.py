"""The scores of the two-player game, and how much each environment and opponent weighs in them."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The scores of the two-player game, and how much each environment and opponent weighs in them."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    more: ClassVar[tuple[str, ...]] = ("weights",)
    only_in_studies: ClassVar[tuple[str, ...]] = ("kind", "source", "scale")
    kind: Literal["game_scores"] = "game_scores"
    scale: Annotated[str, Field(description="Name of the scale of performance percentiles.")] = "performance_percentile"

    def inputs(self) -> dict[str, str]:
        return super().inputs() | {"normalized": f"scale:{self.scale}"}
