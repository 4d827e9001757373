"""Random policies, which policy percentiles refer to."""

from typing import Literal

from surefoot.configuration.sections import Count
from surefoot.sources.settings import SourceSettings


class Settings(SourceSettings):
    """Random policies in the environments of a source of trials, for the question exploits."""

    kind: Literal["random_policies"] = "random_policies"
    like: str = "runs"
    """The source of trials that has the environments."""
    policies: Count
    """Number of random policies in each environment."""
    episodes: Count
    """Number of episodes of each policy; their mean return is its score."""

    def tables(self, name: str) -> dict[str, str]:
        """A table of its own kind."""
        return {name: self.kind}
