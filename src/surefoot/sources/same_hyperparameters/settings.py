"""Several runs of each of a few draws of hyperparameters, which procedures of tuning need."""

from typing import Literal

from surefoot.configuration.sections import Count, Names, SeveralRuns
from surefoot.sources.settings import SourceSettings


class Settings(SourceSettings):
    """Several simulated runs of the same hyperparameters, for the question tuning."""

    kind: Literal["same_hyperparameters"] = "same_hyperparameters"
    like: str = "runs"
    """The source of trials that has the algorithms and the environments."""
    algorithms: Names = ()
    """The algorithms; by default all of that source."""
    environments: Names = ()
    """The environments; by default all of that source."""
    hyperparameters: Count = 50
    """Number of hyperparameter settings that are drawn for each algorithm."""
    runs: SeveralRuns = 8
    """Number of runs of each setting."""

    def tables(self, name: str) -> dict[str, str]:
        """A table of its own kind."""
        return {name: self.kind}
