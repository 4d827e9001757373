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
    algorithms: Annotated[Names, Field(description="The algorithms; by default all of that source.")] = ()
    environments: Annotated[Names, Field(description="The environments; by default all of that source.")] = ()
    hyperparameters: Annotated[
        Count, Field(description="Number of hyperparameter settings that are drawn for each algorithm.")
    ] = 50
    runs: Annotated[SeveralRuns, Field(description="Number of runs of each setting.")] = 8

    def tables(self, name: str) -> dict[str, str]:
        """A table of its own kind."""
        return {name: self.kind}
