r"""The percentile of every run under the weights of the game.

formula : $\sum_k q_{jk}\, F_{jk}(x) / \sum_k q_{jk}$ of each score $x$ in environment $j$, where $F_{jk}(x)$ is the
    share of algorithm $k$'s runs there that score at most $x$, under the weights $q$ of the game. Quantiles over the
    runs of an algorithm weigh each environment by $\sum_k q_{jk}$.
assumes : Only the order of scores within an environment counts.
guarantee : None: it describes the given runs.
in a paper : We report the percentile of each run among all runs in its environment, under the weights of the game.
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
