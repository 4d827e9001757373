"""Scores between two reference scores of each environment.

formula : $(x - z_j) / (o_j - z_j)$ with the scores $z_j$ and $o_j$ of environment $j$ that count as 0 and 1.
assumes : Both reference scores are known without error and have the same meaning in all environments.
guarantee : Scores are comparable with those of every study that uses the same reference scores.
not for : Reference scores that are close together in some environment: that environment then dominates every mean.
source : Agarwal et al. 2021, section 2; Mnih et al. 2015
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import model_validator

from surefoot.errors import HintedError, InputError, listed, near, nearest
from surefoot.runs.scales.reference_tables import (
    CATALOGUE,
    ReferenceName,
    absent_from,
    read_reference_table,
    reference_tables,
    rows_meant,
)
from surefoot.runs.scales.scale_settings import ScoreScale, scale
from surefoot.runs.sections import Text
from surefoot.runs.setting_errors import SettingError, within

if TYPE_CHECKING:
    import pandas as pd

    from surefoot.statistics.runs.score_arrays import Ends

_COLUMNS = ("environment", "zero", "one")
_ROUNDING = 1e-6
"""Tolerance by which scores may leave a bounded scale, as a fraction of it, for scores stored with few digits."""
_WAYS = ("reference_table", "reference_scores", "file")


@scale
class ReferenceScores(ScoreScale):
    """Scores between two reference scores of each environment, which count as 0 and 1."""

    phrase: ClassVar[str] = "the scale between the reference scores"
    kind: Literal["reference_scores"] = "reference_scores"
    reference_table: ReferenceName | None = None
    """Name of a table of reference scores that Surefoot ships. Environment names may have any common spelling, such as
    ALE/Breakout-v5 or BreakoutNoFrameskip-v4.
    """
    reference_scores: dict[str, tuple[float, float]] | None = None
    """The two scores of each environment that count as 0 and as 1, instead of a table."""
    file: Text | None = None
    """Path of your own table: CSV, Parquet or JSON (records) with the columns environment, zero and one, where zero and
    one are the scores that count as 0 and as 1.
    """

    @model_validator(mode="after")
    def _one_way(self) -> "ReferenceScores":
        chosen = [name for name in _WAYS if getattr(self, name) is not None]
        if len(chosen) > 1:
            raise HintedError(
                "", f"{' and '.join(chosen)} both define the scores that count as 0 and as 1", f"keep only {chosen[0]}"
            )
        return self

    def decisive(self) -> dict[str, Any]:
        """Return the settings that determine the scores; a file is replaced by the numbers in it."""
        if self.file is None:
            return super().decisive()
        read = self.model_copy(update={"file": None, "reference_scores": _values_in(self.file)})
        return read.decisive()

    def kept(self) -> dict[str, Path]:
        """Return the paths of the reference table and the catalogue."""
        if self.reference_table is None:
            return {}
        table = reference_tables()[self.reference_table]
        return {table.file: table.path, CATALOGUE.stem: CATALOGUE}

    def described(self) -> str:
        """Describe the scores that become 0 and 1, their source, and how similar tables differ."""
        if self.reference_table is None:
            origin = self.file or "the study"
            return f"Normalized scores of 0 and 1 are the reference scores of the environment, as given by {origin}."
        table = reference_tables()[self.reference_table]
        sentences = (
            f"Scores are {table.title}: 0 is {table.zero_is}, 1 is {table.one_is}",
            f"The table is {self.reference_table}, from {table.source}",
            table.differences,
        )
        return " ".join(f"{sentence}." for sentence in sentences if sentence)

    def possible(self) -> tuple[float, float] | None:
        """Return 0 and 1 for a table of bounded scores."""
        bounded = self.reference_table is not None and reference_tables()[self.reference_table].bounded
        return (0.0, 1.0) if bounded else None

    def ends(self, runs: "pd.DataFrame", tables: Mapping[str, "pd.DataFrame"]) -> "Ends":
        """Return the scores that become 0 and 1. Columns zero and one of the runs take precedence.

        Raises
        ------
        SettingError
            If an environment has no reference scores, or a score is outside the bounds of the table.
        """
        import numpy as np

        ends = None
        if self.reference_table is not None:
            ends = _of_table(runs, self.reference_table)
        elif self.file is not None:
            ends = _of_own(runs, _values_in(self.file))
        elif self.reference_scores is not None:
            ends = _of_own(runs, self.reference_scores)
        if ends is not None:
            joined = ends.reindex(runs["environment"]).set_axis(runs.index, axis="index")
            for end in ("zero", "one"):
                from_table = joined[end] * runs.get("direction", 1)
                runs = runs.assign(**{end: runs[end].fillna(from_table) if end in runs else from_table})
        missing = [column for column in ("zero", "one") if column not in runs]
        if missing:
            hint = "give two reference scores for each environment, or choose min_max"
            raise HintedError("", f"no column {' and '.join(missing)}", hint)
        return runs["zero"].to_numpy(np.float64), runs["one"].to_numpy(np.float64)


def _of_table(runs: "pd.DataFrame", name: str) -> "pd.DataFrame":
    """Return the scores that become 0 and 1 in table `name`, indexed by environment names as spelled in the runs."""
    names = [str(environment) for environment in dict.fromkeys(runs["environment"])]
    matches = rows_meant(names, name)
    if missing := absent_from(names, name):
        others = "select the other environments with environments" if matches else "choose another scale"
        hint = f"{others}, or give your own table with file"
        raise SettingError(["reference_table"], f"{name} has no scores for {listed(missing)}", hint)
    ends = read_reference_table(name).loc[list(matches.values())].set_axis(list(matches), axis="index")
    if reference_tables()[name].bounded:
        import numpy as np

        zero, one = ends.loc[runs["environment"].astype(str)].to_numpy().T
        scores = (runs["score"] * runs.get("direction", 1)).to_numpy()
        rounding = _ROUNDING * (one - zero)
        for place in np.flatnonzero((scores < zero - rounding) | (scores > one + rounding))[:1]:
            row = runs.iloc[place]
            what = f"{row['algorithm']} / {row['environment']} / run {row['run']}: {scores[place]:g} is not possible"
            raise SettingError(
                ["reference_table"], what, f"scores of {name} are from {zero[place]:g} to {one[place]:g}"
            )
    return ends


def _of_own(runs: "pd.DataFrame", values: Mapping[str, tuple[float, float]]) -> "pd.DataFrame":
    """Return the user's scores that become 0 and 1, by environment; they must include all environments of the runs."""
    import pandas as pd

    environments = list(dict.fromkeys(runs["environment"]))
    lacking = [str(name) for name in environments if name not in values]
    if lacking:
        unused = [name for name in values if name not in environments]
        hint = "add the two scores of each of them, which count as 0 and as 1"
        if len(unused) == len(lacking) and all(near(name, unused) for name in lacking):
            hint = nearest(lacking[0], unused)
        # In a study, the scores may come from the key `file`, which jobs do not have.
        raise HintedError("", f"no reference scores for {listed(lacking)}", hint)
    return pd.DataFrame.from_dict(values, orient="index", columns=["zero", "one"])


def _values_in(file: str) -> dict[str, tuple[float, float]]:
    """Read the scores that become 0 and 1 from a user's table, by environment."""
    from surefoot.runs.columns.numbers import numbers
    from surefoot.runs.columns.run_names import refuse_missing_columns
    from surefoot.runs.sources.score_tables import read_table

    with within("file"):
        table = read_table(Path(file), file)
        refuse_missing_columns(file, table, _COLUMNS)
        names = table["environment"].astype(str).str.strip()
        zero, one = (numbers(file, table[end]) for end in _COLUMNS[1:])
        for name in names[names.duplicated()][:1]:
            raise InputError(file, f'the environment "{name}" occurs twice', "use one row for each")
        for name in names[zero.isna() | one.isna()][:1]:
            raise InputError(file, f"{name} lacks the score that counts as 0 or as 1", "give both")
    return dict(zip(names, zip(zero, one, strict=True), strict=True))
