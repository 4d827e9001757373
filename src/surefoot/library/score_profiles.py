"""Performance profiles of each algorithm with bands, from one set of resamples."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from surefoot.library.aggregates import refuse_single_runs
from surefoot.library.score_tables import ScoreTables, read_scores
from surefoot.statistics.choices import check_choice
from surefoot.statistics.profile_bands import pointwise_band, whole_profile_band
from surefoot.statistics.profiles import dominates, nonlinear_positions, profile, replicate_profiles

BANDS = ("pointwise", "simultaneous")


@dataclass(frozen=True)
class Profiles:
    """Profiles of algorithms and the resamples of them.

    thresholds : float64[T]; values : float64[algorithms, T]; replicates : float64[algorithms, resamples, T]
    kind : "run_scores" or "average_scores"
    """

    tables: ScoreTables
    thresholds: np.ndarray
    values: np.ndarray
    replicates: np.ndarray
    kind: str

    def table(self, band: str = "pointwise", confidence: float = 0.95) -> pd.DataFrame:
        """Columns algorithm, threshold, value (fraction of runs with score > threshold), low, high, position (on the
        non-linear axis); the band is "pointwise" or "simultaneous"."""
        check_choice("profile", band, BANDS)
        parts = []
        for algorithm, values, drawn in zip(self.tables.algorithms, self.values, self.replicates, strict=True):
            low, high = self._band(band, algorithm, values, drawn, confidence)
            columns = {"threshold": self.thresholds, "value": values, "low": low, "high": high}
            parts.append(pd.DataFrame({"algorithm": algorithm, **columns, "position": self.positions()}))
        return pd.concat(parts, ignore_index=True)

    def _band(self, band, algorithm, values, drawn, confidence):
        if band == "pointwise":
            return pointwise_band(drawn, confidence)
        sizes = [column.size for column in self.tables.of(algorithm)]
        return whole_profile_band(drawn, values, self.kind, sizes, confidence)

    def positions(self) -> np.ndarray:
        """Where the thresholds stand on the non-linear axis, float64[T]."""
        return nonlinear_positions(self.values)

    def dominance(self) -> pd.DataFrame:
        """Which profiles stochastically dominate which: bool, rows dominate columns."""
        names = list(self.tables.algorithms)
        found = [[dominates(x, y) for y in self.values] for x in self.values]
        return pd.DataFrame(found, index=names, columns=names)


def profiles(
    scores,
    thresholds,
    kind: str = "run_scores",
    replicates: int = 2_000,
    seed: int = 0,
    resampled: str = "runs",
    threads: int = 1,
    checked: bool = False,
) -> Profiles:
    """Performance profiles with a stratified bootstrap.

    Parameters
    ----------
    scores, checked : see `score_tables.read_scores`
    thresholds : ascending
    kind : "run_scores" or "average_scores"; see `statistics.profiles`
    replicates, seed, resampled, threads : see `statistics.stratified_bootstrap.replicate_metrics`

    Raises
    ------
    ValueError : see the same
    """
    tables = read_scores(scores, checked)
    if resampled == "runs":
        refuse_single_runs(tables)
    design = {"seed": seed, "tasks": tables.tasks, "resampled": resampled, "threads": threads}
    values = np.array([profile(tables.of(a), thresholds, kind) for a in tables.algorithms])
    drawn = [
        replicate_profiles(tables.of(a), thresholds, kind, replicates, name=a, **design) for a in tables.algorithms
    ]
    return Profiles(tables, np.asarray(thresholds, np.float64), values, np.array(drawn), kind)
