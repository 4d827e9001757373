r"""Two algorithms compared after every run.

formula : Values $m$ of $P(X > Y)$ are excluded once a capital $\prod_t \left( 1 + f (w_t / m - 1) \right)$, averaged
    over stakes $f$, has reached $2 / \alpha$ on the outcomes $w_t$, or that of the opposite bets has.
assumes : Rounds are independent of one another; nothing else, unless tasks are taken for independent.
guarantee : Theorem (Ville's inequality): the chance that the true value is ever excluded is at most $\alpha$, however
    often one looks and whenever one stops.
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
