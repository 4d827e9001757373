r"""Scores in units of the mean score of a reference algorithm.

formula : $x / \bar x_{rj}$ with the mean score of the reference algorithm $r$ in environment $j$.
assumes : Scores and the reference's means are positive, and 0 is meaningful.
guarantee : Ratios of scores within an environment are preserved.
not for : Scores that may be negative; few runs of the reference algorithm, since its error affects all scores. The
    choice of the reference can change ranks.
source : Jordan et al. 2020, section 4.1
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from surefoot.errors import shortened
from surefoot.runs.scales.scale_settings import ScoreScale, scale
from surefoot.runs.setting_errors import SettingError, check_known

if TYPE_CHECKING:
    import pandas as pd

    from surefoot.statistics.runs.score_arrays import Ends


@scale
class Ratio(ScoreScale):
    """Scores in units of the mean score of a reference algorithm in each environment."""

    phrase: ClassVar[str] = "the scale in units of the reference algorithm's mean"
    kind: Literal["ratio"] = "ratio"
    baseline: str
    """The algorithm whose mean score is 1."""

    def ends(self, runs: "pd.DataFrame", tables: Mapping[str, "pd.DataFrame"]) -> "Ends":
        """Return 0 and the reference algorithm's mean score, which becomes 1."""
        import numpy as np

        if "direction" in runs and (runs["direction"] < 0).any():
            environment = runs.loc[runs["direction"] < 0, "environment"].iloc[0]
            what = f"lower scores are better in {environment}, which ratios to a reference do not support"
            raise SettingError(
                ["baseline"], what, "use kind: min_max or reference_scores, which support both directions"
            )
        algorithms = runs["algorithm"].astype(str).unique()
        check_known(self.baseline, algorithms, ["baseline"], f'no scores for "{shortened(self.baseline)}"')
        mean = runs[runs["algorithm"] == self.baseline].groupby("environment")["score"].mean()
        return np.zeros(len(runs)), runs["environment"].map(mean).to_numpy(np.float64)
