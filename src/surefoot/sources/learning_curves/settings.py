"""Learning curves: a file with one row for each run and step, as `surefoot read` writes it."""

import itertools
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, FiniteFloat, model_validator

from surefoot.build.project import PROJECT
from surefoot.configuration.sections import Text
from surefoot.curves.rules import RULES, TOLERANCE, checked_amount, known_rule, written_rule
from surefoot.errors import HintedError
from surefoot.sources.score_table.settings import Columns
from surefoot.sources.settings import CURVES, EVALUATIONS, RUNS, MissingCells, SourceSettings


class CurveColumns(Columns):
    """What the columns are called in the file."""

    step: Annotated[str, Field(description="Column of the environment steps at which the score was taken.")] = "step"


def _known(rule: str) -> str:
    known_rule("", rule)
    return rule


def _ascending(grid: int | tuple[float, ...]) -> int | tuple[float, ...]:
    if isinstance(grid, tuple) and any(after <= before for before, after in itertools.pairwise(grid)):
        raise HintedError("", f"{list(grid)} does not ascend", "steps in ascending order, or how many points")
    return grid


class Settings(SourceSettings):
    """Learning curves, CSV, Parquet or JSON (records), with one row for each run and step.

    They make three tables, of a source that is called runs: runs, one score for each run by the stated rule, which all
    questions of runs work on; runs_curves, the curves of all runs on a common grid of steps; and runs_evaluations, the
    curves as they were read.
    """

    default_questions: ClassVar = {"game_scores": {}, "game_intervals": {}}
    kind: Literal["learning_curves"] = "learning_curves"
    file: Annotated[
        Text,
        Field(
            description="Learning curves, CSV, Parquet or JSON (records), with one row for each run and step; where a "
            "score is the mean of several episodes, a column episodes says of how many."
        ),
    ]
    columns: Annotated[CurveColumns, Field(description="What the columns are called in the file.")] = CurveColumns()
    score_kind: Annotated[
        Literal["eval", "train", "absolute"] | None,
        Field(description="Which scores to take, where the file has a column kind with several."),
    ] = None
    metric: Annotated[
        Text | None, Field(description="Which scores to take, where the file has a column metric with several.")
    ] = None
    rule: Annotated[
        str,
        AfterValidator(_known),
        Field(
            json_schema_extra={"enum": list(RULES)},
            description="How a curve becomes a score: last, last_k (the mean of the last `amount` evaluations), "
            "last_episodes, window (the mean over the last part of the steps, a tenth unless `amount` is another), auc "
            "(the area under the curve, divided by the range of steps), steps_to (the part of the training that is "
            "left when a score of `amount` is reached, 0 where it is not), best (selected, and so biased upwards) or "
            "absolute (the selected best policy, evaluated again).",
        ),
    ] = "window"
    amount: Annotated[FiniteFloat | None, Field(description="What the rule is given; see there.")] = None
    short_runs: Annotated[
        Literal["error", "drop", "carry_forward", "truncate_to_shortest"],
        Field(
            description="What becomes of runs that end before the longest of their environment: an error, leave them "
            "out (which favours algorithms whose bad runs crash), let their last score stand to the end, or let all "
            "runs of the environment end where the shortest does."
        ),
    ] = "error"
    tolerance: Annotated[
        float, Field(ge=0, lt=1, description="Part of the steps that a run may lack without being short.")
    ] = TOLERANCE
    grid: Annotated[
        Annotated[int, Field(ge=2, le=1000)] | Annotated[tuple[FiniteFloat, ...], Field(min_length=2)] | None,
        AfterValidator(_ascending),
        Field(
            description="The grid of steps that all curves are put on: how many points at equal distances, or the "
            "points. Without this key the steps of the evaluations, where these are the same in all runs and at most "
            "100; else 50 points."
        ),
    ] = None
    between: Annotated[
        Literal["carry_forward", "linear"],
        Field(
            description="What a curve is between two evaluations: the score of the last one, or on the line between "
            "both."
        ),
    ] = "carry_forward"
    along: Annotated[
        Literal["steps", "percent"],
        Field(
            description="Where curves of different environments are compared: at the same number of steps, or at the "
            "same percentage of the steps of each environment, where trainings differ in length."
        ),
    ] = "steps"
    missing_cells: MissingCells = "error"
    axes: Annotated[
        Literal["checked", "as_given"],
        Field(
            description="Whether it is checked that runs look like runs, neither like tasks nor like episodes of the "
            "same run. A right table is refused about once in 100,000 times."
        ),
    ] = "checked"

    @model_validator(mode="after")
    def _amount_is_allowed(self) -> "Settings":
        checked_amount("", self.rule, self.amount)
        return self

    def tables(self, name: str) -> dict[str, str]:
        """The scores of the runs, the curves on a common grid, and those as they are."""
        return {name: RUNS, f"{name}_{CURVES}": CURVES, f"{name}_{EVALUATIONS}": EVALUATIONS}

    def files(self) -> dict[str, Path]:
        """The file: relative to where the workflow runs or, for the shipped studies, to the project."""
        path, shipped = Path(self.file), PROJECT / self.file
        return {"file": shipped if shipped.is_file() and not path.is_file() else path}

    def rule_of_scores(self) -> str:
        """Its rule with the amount, which the protocol card tells."""
        return written_rule(self.rule, checked_amount("", self.rule, self.amount))

    def decisive(self) -> dict[str, Any]:
        """Without what is only checked."""
        return {key: value for key, value in super().decisive().items() if key != "axes"}
