"""Scores without normalization.

formula : $x$.
assumes : Scores of all environments have the same unit.
guarantee : Scores are unchanged.
not for : Environments whose scores differ in magnitude: the largest dominates every mean.
source : Agarwal et al. 2021, section 2
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from surefoot.runs.scales.scale_settings import ScoreScale, scale

if TYPE_CHECKING:
    import pandas as pd

    from surefoot.statistics.runs.score_arrays import Ends


@scale
class NoScale(ScoreScale):
    """Scores without normalization."""

    phrase: ClassVar[str] = "the scores as they are"
    kind: Literal["none"] = "none"

    def described(self) -> str:
        """Describe the scale in one sentence."""
        return "Scores are taken as they are."

    def ends(self, runs: "pd.DataFrame", tables: Mapping[str, "pd.DataFrame"]) -> "Ends":
        """Return zeros and ones, which leave scores unchanged."""
        import numpy as np

        return np.zeros(len(runs)), np.ones(len(runs))
