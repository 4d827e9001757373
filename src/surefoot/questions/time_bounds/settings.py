"""Which agents are best within bounds on their offline and online times.

formula : For each pair of bounds on the offline time and that of all decisions (0.01 ms, and each further one five
    times as much): the best algorithms by their best agent within the bounds, down to the first that a [paired
    test](#sec-question-paired_z) tells from the best.
assumes : Times were measured on one machine.
guarantee : That of each paired test, of agents that the same scores chose.
in a paper : For each pair of bounds on the time before the first decision and on the time of all decisions, we report
    which algorithm's best agent within the bounds scores the highest, and which others a paired test does not tell from
    it[; left out: {left_out}].
not for : Times of other machines or languages.
source : castronovo2016, section 5
"""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.configuration.sections import Names
from surefoot.questions.settings import QuestionOfRuns


class Settings(QuestionOfRuns):
    """Which agents are best within bounds on their offline and online times."""

    stage: ClassVar[str] = "aggregate"
    uses: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[str] = "plays"
    kind: Literal["time_bounds"] = "time_bounds"
    source: Annotated[str, Field(description="Name of the table of plays.")] = "plays"
    left_out: Annotated[
        Names,
        Field(
            description="Agents that are left out, because their offline time does not count all that it took to find "
            "them: the search for a formula is not part of the agent formula."
        ),
    ] = ("formula",)
