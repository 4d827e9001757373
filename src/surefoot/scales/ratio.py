"""Scores in units of the mean score of a reference algorithm."""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.errors import HintedError
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

    if "direction" in runs and (runs["direction"] < 0).any():
        environment = runs.loc[runs["direction"] < 0, "environment"].iloc[0]
        what = f"lower is better in {environment}, and a ratio to the reference has no such direction"
        raise HintedError("reference", what, "kind: min_max or reference_scores, which go in either direction")
    return nothing_and_mean_of(runs, settings.reference)
