r"""The percentile of every run under the weights of the game.

formula : $\sum_{j,k} q_{jk}\, F_{jk}(x)$ of each score $x$, where $F_{jk}(x)$ is the share of algorithm $k$'s runs in
    environment $j$ that score at most $x$, under the weights $q$ of the game.
assumes : Only the order of scores within an environment counts.
guarantee : None: it describes the runs at hand.
not for : Comparing studies: the scale is the other algorithms that take part.
source : jordan2020, definition 2
"""

from typing import ClassVar, Literal

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The percentile of every run under the weights of the game."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    kind: Literal["run_percentiles"] = "run_percentiles"

    def optional_inputs(self) -> dict[str, str]:
        return {"weights": f"question:game_scores_weights:{self.source}"}
