"""Anybody's score table: a file with one row for each run."""

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_serializer

from surefoot.build.project import PROJECT
from surefoot.configuration.sections import Section, Text
from surefoot.sources.settings import SourceSettings


class Columns(Section):
    """What the columns are called in the file."""

    algorithm: Annotated[str, Field(description="Column of the algorithm's name.")] = "algorithm"
    environment: Annotated[
        str | None,
        Field(
            description="Column of the environment's name; null where the file has a single environment and no such "
            "column."
        ),
    ] = "environment"
    run: Annotated[
        str, Field(description="Column of the run's number or name, unique within algorithm and environment.")
    ] = "run"
    score: Annotated[str, Field(description="Column of the score; higher is better.")] = "score"

    @model_serializer
    def with_null(self) -> dict[str, str | None]:
        """All columns, since null is a value of the environment's."""
        return dict(self)


class Settings(SourceSettings):
    """A score table, CSV, Parquet or JSON (records), with one row for each run."""

    default_questions: ClassVar = {"game_scores": {}, "game_intervals": {}}
    kind: Literal["score_table"] = "score_table"
    file: Annotated[
        Text, Field(description="A score table, CSV, Parquet or JSON (records), with one row for each run.")
    ]
    columns: Annotated[Columns, Field(description="What the columns are called in the file.")] = Columns()
    invalid_scores: Annotated[
        Literal["error", "drop", "floor"],
        Field(
            description="What happens to scores that are missing, infinite or no number: an error, leave the run "
            "out, or give it the lowest score seen in its environment."
        ),
    ] = "error"
    missing_cells: Annotated[
        Literal["error", "drop_algorithm", "drop_environment"],
        Field(
            description="What happens where an algorithm has no run in an environment: an error, leave the algorithm "
            "out, or leave the environment out."
        ),
    ] = "error"
    axes: Annotated[
        Literal["checked", "as_given"],
        Field(
            description="Whether it is checked that rows look like runs, neither like tasks (columns that were "
            "exchanged) nor like episodes of the same run. A right table is refused about once in 100,000 times."
        ),
    ] = "checked"
    duplicate_runs: Annotated[
        Literal["error", "drop"],
        Field(
            description="What happens where a run of an algorithm in an environment is there twice: an error, or "
            "keep the first."
        ),
    ] = "error"
    bounds: Annotated[
        dict[str, tuple[float, float]],
        Field(
            description="For pbp_known_bounds, the least and the greatest score that is possible in each environment."
        ),
    ] = {}

    def files(self) -> dict[str, Path]:
        """The score table: relative to where the workflow runs or, for the shipped studies, to the project."""
        path, shipped = Path(self.file), PROJECT / self.file
        return {"file": shipped if shipped.is_file() and not path.is_file() else path}

    def decisive(self) -> dict[str, Any]:
        """Without what is only checked."""
        kept = super().decisive()
        return {key: value for key, value in kept.items() if key not in ("axes", "bounds")}

    def known_bounds(self) -> dict[str, tuple[float, float]]:
        """(Least, greatest) score that is possible, by environment."""
        return dict(self.bounds)
