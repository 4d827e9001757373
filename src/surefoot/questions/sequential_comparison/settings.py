r"""Two algorithms compared after every run.

formula : Values $p$ of $P(X > Y)$ are excluded once a capital $\prod_t \left( 1 + f (w_t / p - 1) \right)$, averaged
    over the stakes $f = \tfrac{1}{50}, \dots, \tfrac{49}{50}$, has reached $2 / \alpha$, or that of the opposite bets,
    with $1 - w_t$ and $1 - p$. An outcome $w_t$ is 1 where X scores more, 1/2 where both score the same, else 0: of
    each task, where tasks are taken for independent, or the mean over the tasks of a round. Where the rounds before
    decide which, the capital is the product of two, one of either kind of rounds; the stakes of rounds whose tasks are
    bet on apart are then at most $2 f / M$.
assumes : Rounds are independent of one another; nothing else, unless tasks are taken for independent.
guarantee : Theorem (Ville's inequality): the chance that the true value is ever excluded is at most $\alpha$, however
    often one looks and whenever one stops, if tasks are independent or `tasks_independent` is false. With tasks that
    depend on each other, `auto` has held its level in all simulations, and `true` misses it by far.
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
not for : A number of runs that is fixed beforehand: an ordinary interval is then narrower.
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
    group: ClassVar[str] = "how_many_runs"
    kind: Literal["sequential_comparison"] = "sequential_comparison"
    compare: Compared
    tasks_independent: TasksIndependent = "auto"
    decimals: Decimals | None = None
    replicates: Annotated[SeveralRuns, Field(description="Resamples of each interval.")] = 300
