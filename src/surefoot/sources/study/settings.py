"""The runs of another study of the configuration."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.simulation import registry
from surefoot.sources.settings import SourceSettings


class Settings(SourceSettings):
    """The runs of another study of the configuration."""

    default_questions: ClassVar = {"game_scores": {}, "game_intervals": {}}
    kind: Literal["study"] = "study"
    study: Annotated[str | None, Field(description="Name of the study; by default the name of this source.")] = None
    source: Annotated[str, Field(description="Which of its sources.")] = "runs"

    def algorithm_titles(self) -> dict[str, str]:
        """Titles of the package's algorithms."""
        return {name: algorithm.title for name, algorithm in registry.ALGORITHMS.items()}
