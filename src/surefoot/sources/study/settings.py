"""The runs of another study of the configuration."""

from typing import ClassVar, Literal

from surefoot.simulation import registry
from surefoot.sources.settings import SourceSettings


class Settings(SourceSettings):
    """The runs of another study of the configuration."""

    default_questions: ClassVar = {"game_scores": {}, "game_intervals": {}}
    kind: Literal["study"] = "study"
    study: str | None = None
    """Name of the study; by default the name of this source."""
    source: str = "runs"
    """Which of its sources."""

    def algorithm_titles(self) -> dict[str, str]:
        """Titles of the package's algorithms."""
        return {name: algorithm.title for name, algorithm in registry.ALGORITHMS.items()}
