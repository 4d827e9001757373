"""Which fraction of runs, or of tasks, scores above each threshold, with bands from one set of resamples."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared, grid, refuse_single_runs
from surefoot.questions.profiles.settings import Settings
from surefoot.questions.results import Result, one_of
from surefoot.statistics.arrays import Floats
from surefoot.statistics.profiles.bands import profile_band, profile_remark
from surefoot.statistics.profiles.performance_profiles import (
    dominates,
    nonlinear_positions,
    profile,
    replicate_profiles,
)
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, runs_of, scores_of, tasks_of
from surefoot.statistics.runs.sharing import RESAMPLED, SHARED, shared_runs, unit_of_errors


def answer(sets: Sets, settings: Settings, shared: Shared) -> "Profiles":
    """Performance profiles with pointwise and simultaneous bands. The result keeps the resamples for other bands, and
    says which profiles dominate which.

    Returns
    -------
    columns scores, profile ("run_scores" or "average_scores"), algorithm, threshold, position (on the non-linear axis),
    value, low, high, band_low, band_high (simultaneous), shared_runs (as in the answer of aggregates). Rows without an
    algorithm give the positions of that axis's ticks.

    Raises
    ------
    ValueError : thresholds that do not ascend; only one run of every task; whole runs of tasks with unequal numbers of
        runs
    """
    thresholds = grid(settings.thresholds)
    names: dict[tuple[str, str], list[list[Any]]] = {}
    sharing: dict[tuple[str, str], str] = {}
    samples: dict[tuple[str, str], list[Floats]] = {}
    values: dict[tuple[str, str, str], Floats] = {}
    replicates: dict[tuple[str, str, str], Floats] = {}
    for name, table in sets.items():
        algorithms = algorithms_of(table, settings.algorithms)
        samples |= {(name, algorithm): scores_of(table, algorithm) for algorithm in algorithms}
        names |= {(name, algorithm): runs_of(table, algorithm) for algorithm in algorithms}
        asked = settings.resampled == "runs"
        known = shared_runs(table, settings.shared_runs, shared.seed) if asked else dict.fromkeys(algorithms, RESAMPLED)
        sharing |= {(name, algorithm): known[algorithm] for algorithm in algorithms}
        for kind in settings.profiles:
            for algorithm in algorithms:
                scores, key = samples[name, algorithm], (name, kind, algorithm)
                if settings.resampled != "tasks_and_runs":
                    refuse_single_runs(algorithm, list(map(len, scores)))
                values[key] = profile(scores, thresholds, kind)
                replicates[key] = replicate_profiles(
                    scores,
                    thresholds,
                    kind,
                    shared.replicates,
                    shared.seed,
                    f"{name}/{algorithm}",
                    tasks_of(table),
                    settings.resampled,
                    shared.threads,
                )
    return Profiles(settings, shared, thresholds, samples, values, replicates, names, sharing)


@dataclass(frozen=True, repr=False)
class Profiles(Result):
    """Profiles of algorithms and the resamples of them.

    settings, shared : what was asked
    thresholds : float64[T]
    samples : float64[runs] of each task, of each (set of scores, algorithm)
    values : float64[T] of each (set of scores, kind of profile, algorithm)
    replicates : float64[replicates, T] of each of these
    names : of the runs of each task, of each (set of scores, algorithm)
    sharing : what is known of whether tasks share the runs, of each of these
    """

    settings: Settings
    shared: Shared
    thresholds: Floats
    samples: dict[tuple[str, str], list[Floats]]
    values: dict[tuple[str, str, str], Floats]
    replicates: dict[tuple[str, str, str], Floats]
    names: dict[tuple[str, str], list[list[Any]]]
    sharing: dict[tuple[str, str], str]

    def table(self, band: str = "pointwise", confidence: float | None = None) -> pd.DataFrame:
        """All profiles with their bands; see `answer`.

        Parameters
        ----------
        band : what low and high are: "pointwise", percentile limits of each threshold on its own, as in the paper,
            which are too narrow for few runs; "corrected", limits of each threshold that are not; "simultaneous", of
            the whole profile at once. See `statistics.profiles.bands`
        confidence : the one that was asked for if None
        """
        ticks, parts = np.array(self.settings.ticks, np.float64), []
        for name, kind in dict.fromkeys(key[:2] for key in self.values):
            keys = [key for key in self.values if key[:2] == (name, kind)]
            positions = nonlinear_positions([self.values[key] for key in keys])
            for key in keys:
                low, high = self._band(key, band, confidence)
                band_low, band_high = self._band(key, "simultaneous", confidence)
                limits = {"low": low, "high": high, "band_low": band_low, "band_high": band_high}
                found = pd.DataFrame({"threshold": self.thresholds, "value": self.values[key]} | limits)
                about = {
                    "scores": name,
                    "profile": kind,
                    "algorithm": key[2],
                    "shared_runs": self.sharing[name, key[2]],
                }
                parts.append(found.assign(**about, position=positions))
            if ticks.size:
                places = nonlinear_positions([profile(self.samples[name, key[2]], ticks, kind) for key in keys])
                rows = pd.DataFrame({"threshold": ticks, "position": places})
                parts.append(rows.assign(scores=name, profile=kind, algorithm="", shared_runs=""))
        columns = ["scores", "profile", "algorithm", "threshold", "position", "value", "low", "high"]
        return pd.concat(parts, ignore_index=True)[[*columns, "band_low", "band_high", "shared_runs"]]

    def notes(self, band: str = "pointwise") -> pd.DataFrame:
        """How often the bands hold the truth, where it is too seldom: columns scores, profile, algorithm, note."""
        rows = [(*key, self._remark(key, band)) for key in self.values if self._remark(key, band)]
        return pd.DataFrame(rows, columns=["scores", "profile", "algorithm", "note"])

    def dominance(self, profile: str | None = None, scores: str | None = None) -> pd.DataFrame:
        """Which profiles stochastically dominate which: bool, rows dominate columns.

        profile, scores : a kind of profile and a set of scores; needed where there are several
        """
        of = one_of(dict.fromkeys(key[:2] for key in self.values), scores, profile)
        values = {key[2]: value for key, value in self.values.items() if key[:2] == of}
        found = [[dominates(x, y) for y in values.values()] for x in values.values()]
        return pd.DataFrame(found, index=list(values), columns=list(values))

    def _band(self, key: tuple[str, str, str], band: str, confidence: float | None) -> tuple[Floats, Floats]:
        confidence = self.shared.confidence if confidence is None else confidence
        name, kind, algorithm = key
        scores, drawn, unit = self.samples[name, algorithm], self.replicates[key], self._unit(name, algorithm)
        # Whole runs that are resampled are matched by their numbers.
        names = self.names[name, algorithm] if self.settings.resampled == "runs" else None
        return profile_band(scores, self.thresholds, kind, band, confidence, unit, drawn, names)

    def _unit(self, name: str, algorithm: str) -> str:
        return unit_of_errors(self.settings.resampled, self.sharing[name, algorithm])

    def _remark(self, key: tuple[str, str, str], band: str) -> str:
        name, kind, algorithm = key
        scores, sharing = self.samples[name, algorithm], self.sharing[name, algorithm]
        remark = profile_remark(scores, kind, band, self._unit(name, algorithm))
        if sharing not in SHARED:
            return remark
        if band == "pointwise":
            return "tasks share runs, which percentile limits do not allow for"
        return "tasks share runs, so the band is of whole runs" if kind == "run_scores" else remark
