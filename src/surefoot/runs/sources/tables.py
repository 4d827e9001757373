"""Settings of sources read from files: score tables (one row per run) and learning curves (one row per step)."""

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field, FiniteFloat, model_serializer, model_validator

from surefoot.errors import HintedError
from surefoot.runs.curves.rules import RULES, TOLERANCE, checked_argument, written_rule
from surefoot.runs.sections import DescribedSection, SomeNames, Text
from surefoot.runs.sources.source_settings import (
    CURVES,
    EVALUATIONS,
    OUTCOMES,
    RUNS,
    SETTINGS,
    SourceSettings,
    run_source,
)
from surefoot.workflow.project import PROJECT

QUESTIONS_OF_RUNS: Mapping[str, Mapping[str, Any]] = {
    "multiple_comparisons": {},
    "pairwise_differences": {},
    "aggregate_metrics": {"metrics": ["iqm", "median", "mean"], "methods": ["student"]},
    "performance_profiles": {"thresholds": {"from": 0.0, "to": 1.0, "count": 101}},
    "probability_of_improvement": {},
    "rank_probabilities": {},
    "task_means": {},
}
"""Default questions about runs on a common scale, for reports and for studies without questions."""
QUESTIONS_OF_THE_GAME: Mapping[str, Mapping[str, Any]] = {"evaluation_game_scores": {}, "evaluation_game_intervals": {}}
"""Questions about runs that need no scale."""
QUESTIONS_OF_TUNING: Mapping[str, Mapping[str, Any]] = {
    "hyperparameter_sensitivity": {},
    "effective_dimension": {},
    "hyperparameter_selection": {},
}
"""Default questions about runs with many hyperparameter settings."""


class Columns(DescribedSection):
    """Names of the columns in the file."""

    algorithm: str = "algorithm"
    """Column of the algorithm's name."""
    environment: str | None = "environment"
    """Column of the environment's name; null if the file has a single environment and no such column."""
    run: str = "run"
    """Column of the run's number or name, unique within algorithm and environment."""
    trials: str | None = None
    """For binary outcomes, the column with the number of trials, if the score is a success rate. Without it, each row
    is one trial.
    """
    score: str = "score"
    """Column of the score; higher is better unless lower_is_better is set."""

    @model_serializer
    def with_null(self) -> dict[str, str | None]:
        """Return all columns that are set, including the environment, for which null is a valid value."""
        return {name: column for name, column in self if column is not None or name == "environment"}


class TableSource(SourceSettings):
    """A source that is read from a file."""

    default_questions: ClassVar = QUESTIONS_OF_RUNS
    file: Text
    missing_cells: Literal["error", "drop_algorithm", "drop_environment"] = "error"
    """Treatment of an algorithm without runs in an environment: raise an error, or leave out the algorithm or the
    environment.
    """
    check_axes: bool = True
    """If true, reject a table if runs and environments seem swapped (numbered environments and named runs), or rows
    look like episodes of one run. A correct table is rejected about once in 100,000 times.
    """

    def files(self) -> dict[str, Path]:
        """Return the path of the file, relative to the working directory or, for shipped studies, to the project."""
        path = Path(self.file)
        shipped = PROJECT / self.file
        return {"file": shipped if shipped.is_file() and not path.is_file() else path}

    def decisive(self) -> dict[str, Any]:
        """Return the settings, omitting settings that only affect checks."""
        return {key: value for key, value in super().decisive().items() if key != "check_axes"}


@run_source
class ScoreTable(TableSource):
    """A score table (CSV, Parquet or JSON records) with one row for each run."""

    reads: ClassVar = "surefoot.runs.sources.score_tables"
    kind: Literal["score_table"] = "score_table"
    file: Text
    """A score table (CSV, Parquet or JSON records) with one row for each run."""
    columns: Columns = Columns()
    """Names of the columns in the file."""
    lower_is_better: bool | SomeNames = False
    """True if lower scores are better in all environments, or a list of the environments where they are better. Such
    scores are negated when read; give reference scores in the units of the file.
    """
    outcomes: Literal["scores", "binary"] = "scores"
    """Kind of the scores: scores of runs, or binary outcomes of trials (1 for a success, 0 for a failure). The score of
    a run is the success rate over all of its trials.
    """
    failed_runs: Literal["error", "worst_score", "drop"] = "error"
    """Treatment of runs without a score (an empty cell, or nan), such as runs that crashed: they are an error, get the
    worst score of any run in their environment, or are dropped (which favours algorithms whose bad runs fail). The page
    names such runs.
    """
    hyperparameters: SomeNames | None = None
    """Columns of the hyperparameters of each run, for questions about tuning. Runs of different settings may then have
    the same number.
    """

    @model_validator(mode="after")
    def _trials_of_outcomes(self) -> "ScoreTable":
        if self.columns.trials is not None and self.outcomes != "binary":
            raise HintedError("", "columns.trials requires binary outcomes", "set outcomes: binary")
        return self

    def usual_questions(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the default questions, which differ for success rates and for runs with hyperparameters."""
        if self.hyperparameters:
            return QUESTIONS_OF_TUNING
        return QUESTIONS_OF_THE_GAME if self.outcomes == "binary" else QUESTIONS_OF_RUNS

    def tables(self, name: str) -> dict[str, str]:
        """Return {name: kind} for the run table; success rates and runs with hyperparameters have separate kinds."""
        kind = SETTINGS if self.hyperparameters else RUNS
        return {name: OUTCOMES if self.outcomes == "binary" else kind}

    def negated_environments(self) -> tuple[str, ...]:
        """Return the environments in which lower scores are better, if listed individually."""
        return () if isinstance(self.lower_is_better, bool) else self.lower_is_better

    def direction(self) -> str:
        """Return a note for readers on negated scores."""
        if not self.lower_is_better:
            return ""
        named = self.negated_environments()
        where = f" in {', '.join(named)}" if named else ""
        return (
            f"Lower scores are better{where}. Means are in their own units; on a common scale, scores are turned "
            "around, so that higher is better."
        )


class CurveColumns(Columns):
    """Names of the columns in the file."""

    step: str = "step"
    """Column of the environment step at which the score was measured."""


def _ascending(grid: int | tuple[float, ...]) -> int | tuple[float, ...]:
    if isinstance(grid, tuple) and any(after <= before for before, after in itertools.pairwise(grid)):
        what = f"{list(grid)} is not strictly ascending"
        raise HintedError("", what, "give each step once, in ascending order, or a number of points")
    return grid


@run_source
class LearningCurves(TableSource):
    """Learning curves (CSV, Parquet or JSON records) with one row for each run and step.

    A source named runs makes three tables: runs has one score per run, computed by the rule, for all questions about
    runs; runs_curves has the curves of all runs on a common grid of steps; and runs_evaluations has the curves as they
    were read.
    """

    reads: ClassVar = "surefoot.runs.sources.learning_curves"
    default_questions: ClassVar = {**QUESTIONS_OF_RUNS, "run_curves": {}}
    kind: Literal["learning_curves"] = "learning_curves"
    file: Text
    """Learning curves (CSV, Parquet or JSON records) with one row per run and step. If scores are means of several
    episodes, a column `episodes` contains their number.
    """
    columns: CurveColumns = CurveColumns()
    """Names of the columns in the file."""
    score_kind: Literal["eval", "train", "absolute"] | None = None
    """Kind of the scores to use, if the file has a column kind with several kinds."""
    metric: Text | None = None
    """Metric to use, if the file has a column metric with several metrics."""
    rule: Annotated[str, Field(json_schema_extra={"enum": list(RULES)})] = "window"
    """Rule that turns a curve into a score: last, last_k (the mean of the last `rule_argument` evaluations),
    last_episodes (the mean of the last `rule_argument` episodes), window (the mean over the last part of the steps,
    `rule_argument`, by default a tenth), auc (the area under the curve, divided by the range of steps), steps_to (the
    fraction of the training that is left when a score of `rule_argument` is reached, or 0 if it never is), best (the
    highest evaluation, which is biased upwards by selection) or absolute (the selected best policy, evaluated again).
    """
    rule_argument: FiniteFloat | None = None
    """Argument of the rule; see `rule`."""
    short_runs: Literal["error", "worst_score", "drop", "carry_forward", "truncate_to_shortest"] = "error"
    """Treatment of runs that end before the longest run of their environment: they are an error (error), get the worst
    score of any run in the environment (worst_score), are left out, which favours algorithms whose bad runs end early
    (drop), or keep their last score to the end (carry_forward), or all runs of the environment are cut to the length of
    the shortest (truncate_to_shortest). Runs without any score (all cells are empty or nan) get the worst score too;
    with drop, carry_forward and truncate_to_shortest they are left out.
    """
    tolerance: Annotated[float, Field(ge=0, lt=1)] = TOLERANCE
    """Fraction of the steps that may be missing without a run counting as short."""
    grid: Annotated[
        Annotated[int, Field(ge=2, le=1000)] | Annotated[tuple[FiniteFloat, ...], Field(min_length=2)] | None,
        AfterValidator(_ascending),
    ] = None
    """Grid of steps for all curves: a number of equally spaced points, or the points. Default: the evaluation steps of
    the runs, starting where all runs have a score; about 50 of them if there are more than 100.
    """
    along: Literal["steps", "percent"] = "steps"
    """Points at which curves of different environments are compared: the same number of steps or, if training
    lengths differ, the same percentage of each environment's steps.
    """

    @model_validator(mode="after")
    def _argument_is_allowed(self) -> "LearningCurves":
        checked_argument(self.rule, self.rule_argument)
        return self

    def tables(self, name: str) -> dict[str, str]:
        """Return {name: kind} for the scores of the runs, the curves on a common grid, and the original curves."""
        return {name: RUNS, f"{name}_{CURVES}": CURVES, f"{name}_{EVALUATIONS}": EVALUATIONS}

    def rule_of_scores(self) -> str:
        """Return the rule with its argument, for the protocol card."""
        return written_rule(self.rule, checked_argument(self.rule, self.rule_argument))
