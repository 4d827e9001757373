r"""Two algorithms compared after every run.

formula : A value $p$ of $P(X > Y)$ is excluded once the capital $\prod_t \left( 1 + f (w_t / p - 1) \right)$, averaged
    over the stakes $f = \tfrac{1}{50}, \dots, \tfrac{49}{50}$, has reached $2 / \alpha$, or that of the opposite bets,
    with $1 - w_t$ and $1 - p$. An outcome $w_t$ is 1 where X scores more, 1/2 for a tie, else 0: of each task, if tasks
    are taken as independent, else the mean over the tasks of a round. With `auto`, the earlier rounds decide which; the
    capital is the product of one account for either kind of rounds, and stakes on single tasks are
    $f\, \min(2 / M, 1)$.
assumes : Rounds are independent; so are tasks, if taken as such.
guarantee : Theorem (Ville's inequality): the chance that the true value is ever excluded is at most $\alpha$, however
    often one looks and whenever one stops, if tasks are independent or `tasks_independent` is false. If tasks depend on
    each other, `auto` has held its level in all simulations, and `true` misses it by far.
interval : confidence sequences by betting, with percentile intervals of the bootstrap beside them
with tasks_independent auto : Theorem (Ville's inequality) for tasks that are independent: the chance that the true
    value is ever excluded is at most $\alpha$, however often one looks and whenever one stops. Whether they are is
    decided by the earlier rounds; with tasks that depend on each other the level was held in all simulations.
with tasks_independent true : Theorem (Ville's inequality), if tasks are independent, as is taken for granted here: the
    chance that the true value is ever excluded is at most $\alpha$, however often one looks and whenever one stops.
    Where tasks depend on each other, this fails by far.
with tasks_independent false : Theorem (Ville's inequality): the chance that the true value is ever excluded is at most
    $\alpha$, however often one looks and whenever one stops.
in a paper : We compare {compare} after every round of runs, with {intervals}. Tasks are {tasks_independent}.[ Scores
    are rounded to {decimals} decimals before they are compared.]
not for : A fixed number of runs: an ordinary interval is narrower.
source : waudbysmith2024
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.configuration.sections import SeveralRuns
from surefoot.questions.settings import (
    Compared,
    Decimals,
    QuestionSettings,
    TasksIndependent,
)


class Settings(QuestionSettings):
    """Two algorithms compared after every run."""

    stage: ClassVar[str] = "cover"
    pools_tasks: ClassVar[bool] = False
    group: ClassVar[str] = "how_many_runs"
    kind: Literal["sequential_comparison"] = "sequential_comparison"
    compare: Compared
    tasks_independent: TasksIndependent = "auto"
    decimals: Decimals | None = None
    replicates: Annotated[SeveralRuns, Field(description="Resamples of each interval.")] = 300
