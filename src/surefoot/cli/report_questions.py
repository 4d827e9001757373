"""The questions of a report."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from surefoot.cli.report_choices import Choices
from surefoot.errors import InputError
from surefoot.runs.columns.run_tables import directed
from surefoot.runs.result_tables import read_tables
from surefoot.runs.scales.scale_settings import SCALES, ScoreScale
from surefoot.runs.scales.scaling import scaled
from surefoot.runs.setting_errors import SettingError
from surefoot.runs.sources.checks import single_runs
from surefoot.runs.sources.tables import QUESTIONS_OF_RUNS, QUESTIONS_OF_THE_GAME

RUNS_OF_A_GAME = 30
"""Smallest number of runs for evaluation game scores; with fewer runs, nearly all intervals extend from 0 to 1."""
_RUNS_OF_A_CURVE = 10
"""Smallest number of runs for bands in one environment; with fewer runs, most simultaneous bands span all scores."""
_OF_PAIRS = ("multiple_comparisons", "pairwise_differences", "probability_of_improvement")
"""Questions about runs that compare each algorithm with the baseline, if there is one."""
_OF_ONE_ALGORITHM = ("aggregate_metrics", "task_means", "sample_efficiency", "run_curves")
"""Questions that need no comparison of algorithms."""
_SHOWN = 0.99
"""Share of the scores that are below the highest threshold of profiles."""
_RESAMPLES = 10_000
"""Number of resamples for curves: for simultaneous limits at about fifty steps, a thousand are not enough."""


class Facts(NamedTuple):
    """Facts about scores that determine the questions of a report.

    environments : number of environments
    runs : smallest number of runs of an algorithm in an environment
    is_alone : True if there is a single algorithm
    has_means_only : True if only means can be reported
    has_curves : True if the source has learning curves
    has_unlike_runs : True if the largest number of runs in an environment differs between algorithms
    is_raw : True if scores are compared without a scale
    is_negated : True if lower scores are better in some environment
    has_negative_scores : True if some unnormalized scores are negative
    thresholds : grid of the profiles
    baseline : algorithm with which the other algorithms are compared, or None
    """

    environments: int
    runs: int
    is_alone: bool
    has_means_only: bool
    has_curves: bool
    has_unlike_runs: bool
    is_raw: bool
    is_negated: bool
    has_negative_scores: bool
    thresholds: Mapping[str, float]
    baseline: str | None


def facts_of(scores: pd.DataFrame, source: Mapping[str, Any], scale: Mapping[str, Any], choices: Choices) -> Facts:
    """Return the facts about scores that determine the questions.

    Parameters
    ----------
    scores : columns algorithm, environment, run, score, one row per run
    source, scale : in the format of a study

    Raises
    ------
    InputError
        if scores do not fit the scale
    """
    grid = thresholds(scores, scale, choices.lower_is_better)
    is_raw = scale["kind"] == "none"
    is_alone = scores["algorithm"].nunique() == 1
    # With a single algorithm, the ends of min_max would be its lowest and highest scores.
    has_own_ends = is_alone and choices.scale is None and scale["kind"] == "min_max"
    return Facts(
        environments=scores["environment"].nunique(),
        runs=int(scores.groupby(["algorithm", "environment"], observed=True).size().min()),
        is_alone=is_alone,
        has_means_only=bool(single_runs(scores)) or has_own_ends,
        has_curves=source["kind"] == "learning_curves",
        has_unlike_runs=has_unlike_runs(scores),
        is_raw=is_raw,
        is_negated=bool(choices.lower_is_better),
        has_negative_scores=is_raw and bool(directed(scores, choices.lower_is_better)["score"].min() < 0.0),
        thresholds=grid,
        baseline=choices.baseline,
    )


def has_unlike_runs(scores: pd.DataFrame) -> bool:
    """Return True if the largest number of runs in an environment differs between algorithms."""
    runs = scores.groupby(["algorithm", "environment"], observed=True).size()
    return bool(runs.groupby("algorithm").max().nunique() > 1)


def questions_of_means(facts: Facts) -> dict[str, Any]:
    """Return the questions about runs for which only means can be reported."""
    return {"task_means": {}} | ({"run_curves": {}} if facts.has_curves else {})


def questions_of_scores(facts: Facts) -> dict[str, Any]:
    """Return the questions about scores, in the order of the page."""
    questions: dict[str, Any] = dict(QUESTIONS_OF_THE_GAME) if facts.runs >= RUNS_OF_A_GAME else {}
    questions |= _questions_of_runs(facts)
    if facts.runs > 2:
        # A lift (improvement by a percentage) would make negative scores worse; widths can still be planned.
        lifts = {"lifts": [0]} if facts.has_negative_scores else {}
        questions["how_many_runs"] = {"kind": "plan_runs"} | lifts
    if facts.has_curves:
        questions |= _questions_of_curves(facts)
    if facts.is_alone:
        return {name: questions[name] for name in _OF_ONE_ALGORITHM if name in questions}
    return questions


def _iqm(facts: Facts) -> str:
    """Return the metric for comparisons: "exact_iqm" if algorithms have different numbers of runs, otherwise "iqm"."""
    return "exact_iqm" if facts.has_unlike_runs else "iqm"


def _with_baseline(facts: Facts) -> dict[str, str]:
    """Return {"baseline": name} for comparisons, or {} without a baseline."""
    return {} if facts.baseline is None else {"baseline": facts.baseline}


def _questions_of_runs(facts: Facts) -> dict[str, Any]:
    """Return the default questions about runs, adapted to the scores."""
    questions = {name: dict(settings) for name, settings in QUESTIONS_OF_RUNS.items()}
    for name in _OF_PAIRS:
        questions[name] |= _with_baseline(facts)
    if facts.has_unlike_runs:
        questions["multiple_comparisons"]["metric"] = _iqm(facts)
        questions["pairwise_differences"]["metrics"] = [_iqm(facts)]
    questions["aggregate_metrics"]["metrics"] = _metrics(facts)
    if facts.environments == 1 and facts.is_raw:  # the metrics include the mean, which is also the environment's mean
        del questions["task_means"]
    if facts.is_raw and facts.is_negated:  # profiles would show negated scores
        del questions["performance_profiles"]
    else:
        questions["performance_profiles"]["thresholds"] = dict(facts.thresholds)
    return questions


def _metrics(facts: Facts) -> list[str]:
    """Return the metrics of `aggregate_metrics` that suit the scores."""
    # With one or two environments, the median of their means equals the mean.
    over_tasks = ["median"] if facts.environments > 2 else []
    # The optimality gap is defined relative to a score of 1.
    gap = [] if facts.is_raw else ["optimality_gap"]
    return [_iqm(facts), *over_tasks, "mean", *gap]


def _questions_of_curves(facts: Facts) -> dict[str, Any]:
    """Return the questions about learning curves.

    In one environment, simultaneous bands are informative only with many runs.
    """
    questions: dict[str, Any] = {}
    if facts.runs > 1 and (facts.environments > 1 or facts.runs >= _RUNS_OF_A_CURVE):
        metric = "mean" if facts.is_raw else _iqm(facts)
        questions["sample_efficiency"] = {"metrics": [metric], "band": "simultaneous", "n_resamples": _RESAMPLES}
        questions["curve_differences"] = {"metric": metric} | _with_baseline(facts)
    return questions | {"run_curves": {}}


def thresholds(runs: pd.DataFrame, section: Mapping[str, Any], lower: bool | Sequence[str]) -> dict[str, float]:
    """Return the grid of the profiles of scores on a scale.

    The grid extends from the lowest score to the 99 % quantile, since a single high score would compress all curves,
    and at least from 0 to 1.

    Parameters
    ----------
    runs : columns algorithm, environment, run, score
    section : the scale, in the format of a study
    lower : environments where lower scores are better

    Raises
    ------
    InputError
        if scores do not fit the scale
    """
    scale = SCALES.complete()[section["kind"]].model_validate(section)
    assert isinstance(scale, ScoreScale)
    try:
        scores = scaled({"runs": directed(runs, lower)} | read_tables(scale.kept()), {"runs": scale})["score"]
    except SettingError as error:
        raise InputError("command line: --scale", error.what, error.hint) from None
    least, greatest = (round_outwards(score) for score in (scores.min(), scores.quantile(_SHOWN, "higher")))
    return {"from": min(0.0, least), "to": max(1.0 if least >= 0 else 0.0, greatest), "count": 101}


def round_outwards(score: float) -> float:
    """Round away from zero to two significant digits."""
    if score == 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(abs(score))) - 1)
    return float(f"{math.copysign(math.ceil(abs(score) / unit - 1e-9) * unit, score):.2g}")
