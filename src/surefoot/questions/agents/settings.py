r"""Each Bayesian agent in each environment: scores and times.

formula : The mean score $\bar x$ of the $N$ MDPs that an agent played, with the limits $\bar x \mp 1.96\, s / \sqrt N$
    (the paper prints $2\, s / N$); none if it failed on one. Its offline time is the mean time before the first
    decision; its time per decision is the mean time of all decisions of an MDP divided by their mean number.
assumes : MDPs are drawn independently, and an agent plays each once.
guarantee : Asymptotic in the number of MDPs, for each agent separately.
not for : Comparing two agents that played the same MDPs: `paired_z` removes what they share.
source : castronovo2016, sections 2.3 and 3.2
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
