"""Performance profiles of each algorithm with bands, from one set of resamples."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from surefoot.library.aggregates import refuse_single_runs
from surefoot.library.score_tables import ScoreTables, read_scores
from surefoot.library.shown import ShownAsTable
from surefoot.statistics.profile_bands import profile_band, profile_remark
from surefoot.statistics.profiles import dominates, nonlinear_positions, profile, replicate_profiles


@dataclass(frozen=True, repr=False)
class Profiles(ShownAsTable):
    """Profiles of algorithms and the resamples of them.

    thresholds : float64[T]; values : float64[algorithms, T]; replicates : float64[algorithms, resamples, T]
    kind : "run_scores" or "average_scores"; resampled : what was drawn
    """

    tables: ScoreTables
    thresholds: np.ndarray
    values: np.ndarray
    replicates: np.ndarray
    kind: str
    resampled: str = "runs"

    def table(self, band: str = "pointwise", confidence: float = 0.95) -> pd.DataFrame:
        """Columns algorithm, threshold, value (fraction of runs with score > threshold), low, high, position (on the
        non-linear axis), remark (how often such bands hold the truth, where it is too seldom).

        band : "pointwise", percentile limits of each threshold on its own, as in the paper, which are too narrow for
            few runs; "corrected", limits of each threshold that are not; "simultaneous", of the whole profile at once.
            See `statistics.profile_bands`
        """
        parts = []
        for algorithm, values, drawn in zip(self.tables.algorithms, self.values, self.replicates, strict=True):
            scores = self.tables.of(algorithm)
            low, high = profile_band(scores, self.thresholds, self.kind, band, confidence, self.resampled, drawn)
            columns = {"threshold": self.thresholds, "value": values, "low": low, "high": high}
            columns |= {"position": self.positions(), "remark": profile_remark(scores, self.kind, band, self.resampled)}
            parts.append(pd.DataFrame({"algorithm": algorithm, **columns}))
        return pd.concat(parts, ignore_index=True)

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
    return Profiles(tables, np.asarray(thresholds, np.float64), values, np.array(drawn), kind, resampled)
