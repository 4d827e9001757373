r"""Paired tests of agents that played the same MDPs.

formula : $z = \bar d\, \sqrt N / s_d$ of the differences $d$ on the $N$ MDPs that both agents played, better one first;
    of each algorithm, the agent with the highest mean. They count as different unless $z < 1.96$, as in the paper's
    figures; the one-sided test of its text, $z > 1.645$, stands beside it.
assumes : MDPs are independent, and many enough for a normal mean.
guarantee : Asymptotically a level of 5 % for agents chosen beforehand. Those chosen by the same scores differ more
    often; agents with equal scores throughout count as different; nothing corrects for the number of tests.
in a paper : For each two algorithms, we compare the agents with the highest means by a paired $z$-test over the MDPs
    that both played, with the critical value 1.96.
not for : Claims about all pairs at once.
source : castronovo2016, section 5 and appendix C
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """Paired tests of agents that played the same MDPs."""

    stage: ClassVar[str] = "estimate"
    uses: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[str] = "plays"
    kind: Literal["paired_z"] = "paired_z"
    source: Annotated[str, Field(description="Name of the table of plays.")] = "plays"
