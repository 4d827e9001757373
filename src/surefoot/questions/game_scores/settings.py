r"""The scores of the two-player game, and the weight of each environment and opponent in them.

formula : $\sum_{j,k} q_{jk}\, z_{ijk}$, where $z_{ijk}$ is the share of pairs of a run of algorithm $i$ and one of $k$
    in environment $j$ in which the first scores at least as much, and 1/2 against itself. The weights $q$ are the
    marginal of the solution $d$ of $(I - \gamma C)^\top d = \frac{1-\gamma}{|S|} \mathbf 1$, $\gamma = 1 - 1/|S|$, over
    the $|S| = n \cdot nm$ strategies of a game in which one player picks one of $n$ algorithms, which is paid
    $z_{ijk}$, and the other one of $m$ environments and an opponent, which is paid $-z_{ijk}$. In $C$ a player moves to
    each better strategy with probability $\eta = 1 / (n + nm - 2)$, and to each equal one with $\eta / 50$.
assumes : Only the order of scores within an environment counts, so no reference scores are needed.
guarantee : None: point values, whose intervals `game_intervals` computes.
in a paper : We rank algorithms by their scores in a two-player game, in which one player picks an algorithm and the
    other an environment and an opponent.
not for : Comparing scores across papers: they depend on the other algorithms.
source : jordan2020, section 4; omidshafiei2019
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """The scores of the two-player game, and the weight of each environment and opponent in them."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    more: ClassVar[tuple[str, ...]] = ("weights",)
    only_in_studies: ClassVar[tuple[str, ...]] = ("kind", "source", "scale")
    kind: Literal["game_scores"] = "game_scores"
    scale: Annotated[str, Field(description="Name of the scale of performance percentiles.")] = "performance_percentile"

    def inputs(self) -> dict[str, str]:
        return super().inputs() | {"normalized": f"scale:{self.scale}"}
