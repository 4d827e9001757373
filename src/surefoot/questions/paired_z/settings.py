r"""Paired tests of agents that played the same MDPs.

formula : $z = \bar d\, \sqrt N / s_d$ of the differences $d$ between two agents on the $N$ MDPs that both played, the
    better one first: of each two algorithms the agents with the highest means. They differ unless $z < 1.96$.
assumes : MDPs are independent, and their number is large enough for a normal mean.
guarantee : A test of two agents that were chosen beforehand has the level of 5 %, for many MDPs. Agents that the same
    scores chose, among several parameters of an algorithm, differ more often; and there is no correction for the number
    of tests.
in a paper : For each two algorithms, we compare the agents with the highest means by a paired $z$-test over the MDPs
    that both played, with the critical value 1.96.
not for : Claims about all pairs at once, and agents that played different MDPs.
source : castronovo2016, section 5
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
