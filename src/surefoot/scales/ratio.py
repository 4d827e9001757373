"""Scores in units of the mean score of a reference algorithm."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.scales.settings import ScoreScale

if TYPE_CHECKING:
    import pandas as pd

    from surefoot.statistics.runs.score_normalization import Ends


class Settings(ScoreScale):
    """Scores in units of the mean score of a reference algorithm in each environment."""

    phrase: ClassVar[str] = "the scale in units of the reference algorithm's mean"
    kind: Literal["ratio"] = "ratio"
    reference: Annotated[str, Field(description="The algorithm whose mean score is 1.")]


def ends(runs: "pd.DataFrame", settings: Settings) -> "Ends":
    """The scores that become 0 and 1."""
    from surefoot.statistics.runs.score_normalization import nothing_and_mean_of

    return nothing_and_mean_of(runs, settings.reference)
