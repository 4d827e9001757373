"""Several runs of each of a few draws of hyperparameters, which procedures of tuning need."""

from typing import Annotated, Literal

from pydantic import Field

from surefoot.configuration.sections import Count, Names, SeveralRuns
from surefoot.sources.settings import SourceSettings


class Settings(SourceSettings):
    """Several simulated runs of the same hyperparameters, for the question tuning."""

    kind: Literal["same_hyperparameters"] = "same_hyperparameters"
    like: Annotated[str, Field(description="The source of trials that has the algorithms and the environments.")] = (
        "runs"
    )
    algorithms: Annotated[Names, Field(description="The algorithms, all of that source where none is named.")] = ()
    environments: Annotated[Names, Field(description="The environments, all of that source where none is named.")] = ()
    hyperparameters: Annotated[
        Count, Field(description="How many draws of an algorithm's hyperparameters are run.")
    ] = 50
    runs: Annotated[SeveralRuns, Field(description="How many runs each draw has.")] = 8

    def tables(self, name: str) -> dict[str, str]:
        """A table of its own kind."""
        return {name: self.kind}
