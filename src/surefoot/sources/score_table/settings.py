"""Anybody's score table: a file with one row for each run."""

from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import model_serializer, model_validator

from surefoot.build.project import PROJECT
from surefoot.configuration.sections import DescribedSection, SomeNames, Text
from surefoot.errors import HintedError
from surefoot.sources.settings import OUTCOMES, RUNS, MissingCells, SourceSettings, is_lower_better


class Columns(DescribedSection):
    """What the columns are called in the file."""

    algorithm: str = "algorithm"
    """Column of the algorithm's name."""
    environment: str | None = "environment"
    """Column of the environment's name; null if the file has a single environment and no such column."""
    run: str = "run"
    """Column of the run's number or name, unique within algorithm and environment."""
    trials: str | None = None
    """For binary outcomes, the column of the number of trials, if score is their success rate; without it, each row is
    one trial.
    """
    score: str = "score"
    """Column of the score; higher is better, unless lower_is_better says otherwise."""

    @model_serializer
    def with_null(self) -> dict[str, str | None]:
        """All columns that there are, and the environment's, of which null is a value."""
        return {name: column for name, column in self if column is not None or name == "environment"}


class Settings(SourceSettings):
    """A score table, CSV, Parquet or JSON (records), with one row for each run."""

    default_questions: ClassVar = {"game_scores": {}, "game_intervals": {}}
    kind: Literal["score_table"] = "score_table"
    file: Text
    """A score table, CSV, Parquet or JSON (records), with one row for each run."""
    columns: Columns = Columns()
    """What the columns are called in the file."""
    lower_is_better: bool | SomeNames = False
    """Whether lower scores are better, in all environments (true) or in those listed. Their scores are negated as they
    are read, so that higher is better from then on; bounds and reference scores are given as in the file.
    """
    outcomes: Literal["scores", "binary"] = "scores"
    """What the scores are: scores of runs, or binary outcomes of trials, 1 for a success and 0 for a failure. Rows with
    the same run are then its trials, and its score is their success rate.
    """
    invalid_scores: Literal["error", "drop", "floor"] = "error"
    """What happens if a score is missing, infinite or not a number: an error, or the run is left out, or it gets the
    worst score seen in its environment.
    """
    missing_cells: MissingCells = "error"
    axes: Literal["checked", "as_given"] = "checked"
    """Whether to check that rows look like runs, and not like tasks (swapped columns) or like episodes of one run. A
    correct table is refused about once in 100,000 times.
    """
    duplicate_runs: Literal["error", "drop"] = "error"
    """What happens if a run of an algorithm in an environment occurs twice: an error, or the first is kept."""
    bounds: dict[str, tuple[float, float]] = {}
    """For pbp_known_bounds, the lowest and the highest possible score in each environment."""

    @model_validator(mode="after")
    def _trials_of_outcomes(self) -> "Settings":
        if self.columns.trials is not None and self.outcomes != "binary":
            raise HintedError("", "columns.trials is of binary outcomes alone", "outcomes: binary")
        return self

    def tables(self, name: str) -> dict[str, str]:
        """Its run table, with numbers of trials where scores are success rates."""
        return {name: OUTCOMES if self.outcomes == "binary" else RUNS}

    def files(self) -> dict[str, Path]:
        """The score table: relative to where the workflow runs or, for the shipped studies, to the project."""
        path, shipped = Path(self.file), PROJECT / self.file
        return {"file": shipped if shipped.is_file() and not path.is_file() else path}

    def decisive(self) -> dict[str, Any]:
        """Without what is only checked."""
        kept = super().decisive()
        return {key: value for key, value in kept.items() if key not in ("axes", "bounds")}

    def known_bounds(self) -> dict[str, tuple[float, float]]:
        """(Least, greatest) score that is possible, by environment, of scores of which higher is better."""
        return {
            name: (-greatest, -least) if is_lower_better(name, self.lower_is_better) else (least, greatest)
            for name, (least, greatest) in self.bounds.items()
        }

    def negated_environments(self) -> tuple[str, ...]:
        """Those in which lower scores are better, where they are named."""
        return () if isinstance(self.lower_is_better, bool) else self.lower_is_better

    def direction(self) -> str:
        """What a reader has to know of negated scores."""
        if not self.lower_is_better:
            return ""
        named = self.negated_environments()
        where = f" in {', '.join(named)}" if named else ""
        return (
            f"Lower scores are better{where}. They are negated before anything is computed, so that higher is better "
            "everywhere: where scores are shown that are not normalized, \u22125 stands for a score of 5."
        )
