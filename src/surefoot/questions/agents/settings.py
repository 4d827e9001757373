r"""Scores and times of each Bayesian agent in each environment.

formula : The mean score $\bar x \mp 1.96\, s / \sqrt N$ over $N$ MDPs (the paper prints $2\, s / N$), none if the agent
    failed on one; the mean time before the first decision; and per decision, the mean time of all decisions of an MDP
    divided by their mean number.
assumes : MDPs are drawn independently and played once each.
guarantee : Asymptotic in the number of MDPs, for each agent alone.
in a paper : We report the mean score of each agent in each environment, with limits at 1.96 standard errors, its time
    before the first decision and its time per decision.
not for : Comparing agents on the same MDPs: `paired_z` removes what they share.
source : castronovo2016, sections 2.3 and 3.2
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """Scores and times of each Bayesian agent in each environment."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[str] = "plays"
    kind: Literal["agents"] = "agents"
    source: Annotated[str, Field(description="Name of the table of plays.")] = "plays"
