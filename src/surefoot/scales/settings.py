"""What the settings of all scales have in common; light, since planning imports it.

A scale is a module beside this one with its model `Settings`, which is an entry of a study's section `scales`, and the
function `ends(runs, settings)`, the scores that become 0 and 1. One that reads tables names them in `files` and
`kept`, and their contents are a third argument.
"""

from pathlib import Path
from typing import Any, ClassVar, Literal

from surefoot.configuration.sections import Count, DescribedSection, SomeNames

PublishedRuns = Literal[
    "atari100k",
    "atari100k_protocols",
    "ale200m",
    "ale200m_curves",
    "procgen",
    "dm_control_100k",
    "dm_control_500k",
    "dm_control_published_100k",
    "dm_control_published_500k",
    "machado2018",
]


class ScaleSettings(DescribedSection):
    """An entry of a study's `scales`: which runs are taken, of which source.

    of_pairs : whether it compares every two algorithms, instead of giving each run a score
    """

    of_pairs: ClassVar[bool] = False
    kind: str
    source: str = "runs"
    """Name of the source of the runs."""

    def decisive(self) -> dict[str, Any]:
        """What of it decides the scores of given runs."""
        return self.model_dump(mode="json", exclude_none=True, exclude={"source"})

    def files(self) -> dict[str, Path]:
        """The user's tables that it reads, by the names that a job has for them; most read none."""
        return {}

    def kept(self) -> dict[str, Path]:
        """The tables that it reads and that are kept with the project, by name."""
        return {}


class ScoreScale(ScaleSettings):
    """A scale that gives each run a score; of some runs if need be.

    phrase : what it is called in a sentence, after "on"
    """

    phrase: ClassVar[str]
    runs: PublishedRuns | None = None
    """Which runs of published tables; other sources have a single run table, which needs no name."""
    algorithms: SomeNames | None = None
    """The algorithms to take, in the order in which they are shown; all of them by default."""
    environments: SomeNames | None = None
    """The environments to take; all of them by default."""
    first_runs: Count | None = None
    """Take only this many runs of each algorithm in each environment, the first ones."""
    fewest_runs: Count | None = None
    """Take only environments in which every algorithm has at least this many runs."""

    def described(self) -> str:
        """What the page says of it, in sentences."""
        return f"Scores are on {self.phrase}."
