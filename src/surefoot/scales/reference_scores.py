"""Scores between two reference scores of each environment.

formula : $(x - z_j) / (o_j - z_j)$ with two known scores of environment $j$, such as those of a random and a human
    player.
assumes : Both reference scores are known without error and mean the same in all environments.
guarantee : Scores are comparable with those of every study that uses the same reference scores.
not for : Reference scores that lie close together: that environment then decides every mean.
source : agarwal2021, section 3; machado2018
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from surefoot.build.errors import InputError, nearest
from surefoot.scales.settings import ScoreScale

if TYPE_CHECKING:
    import pandas as pd

    from surefoot.statistics.runs.score_normalization import Ends


class Settings(ScoreScale):
    """Scores between two reference scores of each environment, which count as 0 and 1."""

    phrase: ClassVar[str] = "the scale between the reference scores"
    kind: Literal["reference_scores"] = "reference_scores"
    references: Annotated[
        Literal["human", "record", "easy_mode", "greatest_return"] | None,
        Field(
            description="Of published runs: a random and an average human player; a random player and the human world "
            "record; the range of Procgen's easy mode; 0 and the greatest return of DM Control."
        ),
    ] = None
    reference_values: Annotated[
        dict[str, tuple[float, float]] | None,
        Field(description="Of other runs: the scores of each environment that count as 0 and as 1."),
    ] = None


def ends(runs: "pd.DataFrame", settings: Settings) -> "Ends":
    """The scores that become 0 and 1."""
    from surefoot.statistics.runs.score_normalization import known_ends

    if settings.reference_values is not None:
        runs = _with_values(runs, settings.reference_values)
    return known_ends(runs)


def _with_values(runs: "pd.DataFrame", values: Mapping[str, tuple[float, float]]) -> "pd.DataFrame":
    import pandas as pd

    environments = list(dict.fromkeys(runs["environment"]))
    for name in values:
        if name not in environments:
            raise InputError("reference_values", f'no runs of the environment "{name}"', nearest(name, environments))
    missing = [name for name in environments if name not in values]
    if missing:
        hint = f"{missing[0]}: [score that counts as 0, score that counts as 1]"
        raise InputError("reference_values", f"no reference scores of {', '.join(missing[:5])}", hint)
    known = pd.DataFrame.from_dict(values, orient="index", columns=["zero", "one"], dtype=float)
    return runs.drop(columns=["zero", "one"], errors="ignore").join(known, on="environment")
