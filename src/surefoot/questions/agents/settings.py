r"""Each Bayesian agent in each environment: scores and times.

formula : The mean score of an agent over the $N$ MDPs that it played, $\bar x$, with the limits $\bar x \mp 1.96\, s /
    \sqrt{N}$; an agent that failed on one of them has none. The mean time before the first decision; and of a decision,
    the mean time of all decisions of an MDP divided by their mean number.
assumes : MDPs are drawn independently from one distribution, and an agent plays each of them once.
guarantee : The limits are those of a normal mean and hold for many MDPs, for each agent separately.
in a paper : We report the mean score of each agent in each environment, with limits at 1.96 standard errors, its time
    before the first decision and its time per decision.
not for : Comparing two agents that played the same MDPs: the paired test of `paired_z` takes out what they share.
source : castronovo2016, section 5
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """Each Bayesian agent in each environment: scores and times."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[str] = "plays"
    kind: Literal["agents"] = "agents"
    source: Annotated[str, Field(description="Name of the table of plays.")] = "plays"
