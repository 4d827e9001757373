r"""The percentile of every run under the weights of the game.

formula : $\sum_k q_{jk}\, F_{jk}(x) / \sum_k q_{jk}$ of each score $x$ in environment $j$, with the weights $q$ of
    [game scores](#sec-question-game_scores) and the share $F_{jk}(x)$ of algorithm $k$'s runs that score at most $x$.
    Quantiles over an algorithm's runs weight environments by $\sum_k q_{jk}$.
assumes : Only the order of scores within an environment counts.
guarantee : None: it describes the given runs.
in a paper : We report the percentile of each run among all runs in its environment, under the weights of the game.
not for : Comparing studies: the scale is made of their algorithms.
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
