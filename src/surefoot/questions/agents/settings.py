"""Each Bayesian agent in each environment: scores and times."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """Each Bayesian agent in each environment: scores and times."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[str] = "plays"
    kind: Literal["agents"] = "agents"
    source: Annotated[str, Field(description="Name of the table of plays.")] = "plays"
