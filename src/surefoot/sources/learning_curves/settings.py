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

    step: str = "step"
    """Column of the environment step at which the score was taken."""


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
    file: Text
    """Learning curves, CSV, Parquet or JSON (records), with one row per run and step. If a score is the mean of several
    episodes, the column episodes says of how many.
    """
    columns: CurveColumns = CurveColumns()
    """What the columns are called in the file."""
    score_kind: Literal["eval", "train", "absolute"] | None = None
    """Which scores to take, if the file has a column kind with several kinds."""
    metric: Text | None = None
    """Which scores to take, if the file has a column metric with several metrics."""
    rule: Annotated[str, AfterValidator(_known), Field(json_schema_extra={"enum": list(RULES)})] = "window"
    """How a curve becomes a score: last, last_k (the mean of the last `amount` evaluations), last_episodes (the mean of
    the last `amount` episodes), window (the mean over the last part of the steps, `amount`, by default a tenth), auc
    (the area under the curve, divided by the range of steps), steps_to (the fraction of the training that is left when
    a score of `amount` is reached, or 0 if it never is), best (the highest evaluation, which is biased upwards because
    it was selected) or absolute (the selected best policy, evaluated again).
    """
    amount: FiniteFloat | None = None
    """The argument of the rule; see there."""
    short_runs: Literal["error", "drop", "carry_forward", "truncate_to_shortest"] = "error"
    """What happens to runs that end before the longest of their environment: they are an error, are dropped (which
    favours algorithms whose bad runs crash), keep their last score to the end (carry_forward), or cut all runs of the
    environment to the shortest.
    """
    tolerance: Annotated[float, Field(ge=0, lt=1)] = TOLERANCE
    """Fraction of the steps that a run may lack without counting as short."""
    grid: Annotated[
        Annotated[int, Field(ge=2, le=1000)] | Annotated[tuple[FiniteFloat, ...], Field(min_length=2)] | None,
        AfterValidator(_ascending),
    ] = None
    """The grid of steps that all curves share: a number of equally spaced points, or the points. By default the steps
    at which runs were evaluated, from where all have a score; of more than 100 about 50 of them.
    """
    between: Literal["carry_forward", "linear"] = "carry_forward"
    """What a curve is between two evaluations: the score of the earlier one, or a straight line."""
    along: Literal["steps", "percent"] = "steps"
    """Where curves of different environments are compared: at the same number of steps or, if trainings differ in
    length, at the same percentage of each environment's steps.
    """
    missing_cells: MissingCells = "error"
    axes: Literal["checked", "as_given"] = "checked"
    """Whether to check that runs look like runs, and not like tasks or like episodes of one run. A correct table is
    refused about once in 100,000 times.
    """

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
