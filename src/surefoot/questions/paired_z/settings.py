"""Paired tests of agents that played the same MDPs."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """Paired tests of agents that played the same MDPs."""

    stage: ClassVar[str] = "estimate"
    uses: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[str] = "plays"
    kind: Literal["paired_z"] = "paired_z"
    source: Annotated[str, Field(description="Name of the table of plays.")] = "plays"
