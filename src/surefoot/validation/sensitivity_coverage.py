"""Coverage of limits of hyperparameter sensitivity and effective dimension.

A setting has a known mean in each environment, and its runs have noise from one of three distributions, with standard
deviation 1 except in "unequal noise". The settings form a grid of two or three hyperparameters:

equal : all settings are equal, so the sensitivity is 0, and all differences between means are due to chance
effects : hyperparameters have additive effects of about two standard errors of the mean of a setting's runs; the effect
    of the first hyperparameter differs between environments
unequal noise : about half of the settings (never the first one) are worse, and their noise is three times as large

The target "selection" is the score of the setting that `hyperparameter_selection` chooses, on the percentile scale that
the runs define. Its truth is the best mean of fresh runs on this scale. For comparison, there is a percentile bootstrap
of the sensitivity, which resamples the runs of each setting.
"""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.comparison.hyperparameter_sensitivity import (
    SHARE,
    effective_dimension,
    limits_remark,
    sensitivity,
    shares_below,
    subset_values,
)
from surefoot.statistics.coverage.failure_rates import CONFIDENCE, Outcome, Study, failure_table, tally
from surefoot.statistics.coverage.simulated_scores import uniform_numbers
from surefoot.streams import stream_key, uniforms

_SUBJECT = "tuning"
_PATTERNS = ("equal", "effects", "unequal noise")
_GRIDS = {4: (2, 2), 64: (4, 4, 4)}
_LAWS = ("normal", "skewed", "failures")
_LEVEL = 8.0  # mean score; 5 % of it is less than half of the standard deviation of a run
_EFFECT = 2.0  # in units of the standard error of the mean of a setting's runs
_FAILED = 0.1
_ROUNDING = 1e-9
_FRESH = (np.arange(200) + 0.5) / 200
"""Midpoints of 200 equal parts of (0, 1), at which the quantile function of fresh runs is evaluated."""


_CELLS = [
    {"name": f"{pattern}, {law}, {runs} runs of {settings} settings, {environments} environments"}
    | {"pattern": pattern, "law": law, "settings": settings, "environments": environments, "runs": runs}
    for pattern, law, settings, environments, runs in product(_PATTERNS, _LAWS, _GRIDS, (2, 5), (2, 3, 10))
]
"""2 or 5 environments, 4 or 64 settings with 2, 3 or 10 runs each, three patterns, and three distributions."""


def _cover(cell: dict[str, Any], datasets: int, n_resamples: int, seed: int) -> pd.DataFrame:
    """Count failures of the limits, and of the percentile bootstrap."""
    settings = np.array(list(product(*map(range, _GRIDS[cell["settings"]]))))
    outcomes = []
    for number in range(datasets):
        means, deviations, scores = _simulated(cell, settings, seed, number)
        limits = sensitivity(scores, CONFIDENCE, seed, f"{cell['name']}/{number}")
        size = effective_dimension(scores, settings, CONFIDENCE, seed, f"{cell['name']}/{number}").size
        values = subset_values(means, settings, limits.best)[0]
        tuned = values[-1]
        cross = means.mean(axis=0).max()
        dimension = float((values >= SHARE * tuned).argmax())
        chosen = sensitivity(shares_below([scores])[0], CONFIDENCE, seed, f"{cell['name']}/{number}").cross
        fresh = means[..., None] + deviations[..., None] * _noise(cell["law"], _FRESH)
        on_scale = [
            np.searchsorted(np.sort(runs.ravel()), one) / runs.size for runs, one in zip(scores, fresh, strict=True)
        ]
        best_share = float(np.mean(on_scale, axis=(0, 2)).max())
        percentile = _percentile(scores, n_resamples, seed, f"{cell['name']}/{number}")
        for target, method, truth, (low, high) in (
            ("tuned", "held out", tuned, limits.tuned[2:]),
            ("cross", "held out", cross, limits.cross[2:]),
            ("sensitivity", "held out", tuned - cross, limits.sensitivity[2:]),
            ("dimension", "held out", dimension, size[2:]),
            ("selection", "held out", best_share, chosen[2:]),
            ("sensitivity", "percentile", tuned - cross, percentile),
        ):
            missed = not low - _ROUNDING <= truth <= high + _ROUNDING
            remark = limits_remark(cell["runs"], cell["environments"], target in ("tuned", "cross", "selection"))
            outcomes.append(Outcome(f"{target}, {method}", target, missed, high - low, remark))
    rows = tally(outcomes, lambda row: row["method"].endswith("held out") and not row["remark"])
    about = {"data": f"{cell['pattern']}, {cell['law']}", "tasks": cell["environments"], "settings": cell["settings"]}
    return failure_table(_SUBJECT, cell, datasets, rows, **about)


def _simulated(cell: dict[str, Any], settings: Integers, seed: int, number: int) -> tuple[Floats, Floats, Floats]:
    """Simulate the scores of data set `number`.

    Returns
    -------
    means, deviations : float64[environments, settings]
        True means and standard deviations.
    scores : float64[environments, settings, runs]
    """
    shape = (cell["environments"], cell["settings"])
    drawn = uniform_numbers((*shape, cell["runs"]), seed, f"{_SUBJECT}/{cell['name']}", number)
    other = uniform_numbers((3, *shape), seed, f"{_SUBJECT}/{cell['name']}/settings", number)
    means = np.full(shape, _LEVEL)
    deviations = np.ones(shape)
    if cell["pattern"] == "effects":
        scale = _EFFECT / np.sqrt(cell["runs"])
        effects = scale * ndtri(other[:, :, : settings.max() + 1])
        means = means + effects[0][:, settings[:, 0]]
        for place in range(1, settings.shape[1]):
            means = means + effects[place][0, settings[:, place]]
    elif cell["pattern"] == "unequal noise":
        worse = other[0] < 0.5
        worse[:, 0] = False
        means = means + 3.0 * worse * np.log(other[1])
        deviations = np.where(worse, 3.0, 1.0)
    return means, deviations, means[..., None] + deviations[..., None] * _noise(cell["law"], drawn)


def _noise(law: str, drawn: Floats) -> Floats:
    """Transform uniform variates to variates of a distribution with mean 0 and standard deviation 1."""
    if law == "normal":
        return np.asarray(ndtri(drawn))
    if law == "skewed":
        return -np.log(drawn) - 1.0
    return (_FAILED - (drawn < _FAILED)) / np.sqrt(_FAILED * (1.0 - _FAILED))


def _percentile(scores: Floats, n_resamples: int, seed: int, name: str) -> tuple[float, float]:
    """Return percentile limits (low, high) of the sensitivity, from resampled runs of each setting."""
    key = stream_key(seed, _SUBJECT, name, "percentile")
    values = np.empty(n_resamples)
    for replicate in range(n_resamples):
        drawn = (scores.shape[2] * uniforms(key, replicate, scores.size)).astype(np.int64).reshape(scores.shape)
        means = np.take_along_axis(scores, drawn, axis=2).mean(axis=2)
        values[replicate] = means.max(axis=1).mean() - means.mean(axis=0).max()
    low, high = np.quantile(values, ((1.0 - CONFIDENCE) / 2.0, (1.0 + CONFIDENCE) / 2.0))
    return float(low), float(high)


tuning = Study(_CELLS, _cover)
