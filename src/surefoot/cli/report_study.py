"""The study that a report makes of its runs: their scores, their scale, and what a reader will ask."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args

import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.charts.drawing import OTHER_RUNS, OTHERWISE
from surefoot.columns import HYPERPARAMETERS, RUN, refuse_absent
from surefoot.curves.rules import RULES, TOLERANCE
from surefoot.curves.scores import higher_is_better, scored_curves
from surefoot.errors import HintedError
from surefoot.scales.reference_tables import ReferenceName, reference_of
from surefoot.scales.registry import scales
from surefoot.scales.scaling import directed, read_files, scale_section, scaled
from surefoot.scales.settings import ScoreScale
from surefoot.sources.checks import single_runs
from surefoot.sources.score_tables import without_missing_cells

SCORES_FILE, CURVES_FILE = "scores{}.parquet", "curves{}.parquet"
"""With the metric, where there are several."""
RUNS_OF_A_GAME = 30
"""With fewer, nearly all intervals of the scores of a game reach from 0 to 1, and are not drawn."""
MISSING_CELLS = ("error", "drop_algorithm", "drop_environment")
_NAMED = 4
"""Algorithms that a title names."""
_SHOWN = 0.99
"""The share of scores that profiles show."""
_RESAMPLES = 10_000
"""Resamples of curves: limits of some fifty steps at once are far out, where a thousand resamples have none."""
_OF_TUNING = ("hyperparameter_sensitivity", "effective_dimension", "hyperparameter_selection")
"""What is asked of runs of many settings."""
_OF_HIGHER_SCORES = ("best", "steps_to")
"""Rules that look for high scores along a curve."""


class Choices(NamedTuple):
    """How a report scores and compares its runs; None leaves a choice to the report, or to the study that is there.

    rule, amount, short_runs : how a learning curve becomes a score; see `surefoot.scores_of_curves`
    missing_cells : what becomes of algorithms without runs in an environment; one of `MISSING_CELLS`
    scale : min_max, none, or a table of reference scores
    lower_is_better : whether lower scores are better, in all environments or in those that are listed; a metric that is
        listed stands for all its environments
    unlike_protocols : "error", or "remark", which compares algorithms whose scores were made in different ways
    """

    rule: str | None = None
    amount: float | None = None
    short_runs: str | None = None
    missing_cells: str | None = None
    scale: str | None = None
    lower_is_better: bool | Sequence[str] = False
    unlike_protocols: str = "error"


DEFAULTS = {"rule": "window", "short_runs": "error", "missing_cells": "error", "lower_is_better": False}
"""What a report takes where nothing is chosen."""


def with_all_cells(runs: pd.DataFrame, policy: str) -> pd.DataFrame:
    """The runs of algorithms that have some in every environment, by the policy for others, as a study's source has it.

    Raises
    ------
    InputError
    """
    where = "command line: --missing-cells"
    if policy not in MISSING_CELLS:
        raise InputError(where, f'"{policy}" is not known', nearest(policy, MISSING_CELLS))
    hint = "--missing-cells drop_algorithm or drop_environment, or add runs"
    kept = without_missing_cells(runs, policy, where, hint)
    kept.attrs = runs.attrs
    return kept


def scores_of(table: pd.DataFrame, choices: Choices, where: str) -> tuple[pd.DataFrame, str]:
    """One score for each run, and the rule by which a curve became one; no rule where there are no curves.

    Parameters
    ----------
    choices : with a rule and a policy for short runs
    where : how errors name the runs
    """
    if "step" not in table.columns:
        return table, ""
    rule, short_runs = str(choices.rule), str(choices.short_runs)
    # Algorithms of unlike protocols are scored apart: they need not have the same kind of scores, nor equal lengths.
    apart = choices.unlike_protocols == "remark"
    parts = [part for _, part in table.groupby("algorithm", sort=False, observed=True)] if apart else [table]
    try:
        scored = [scored_curves(part, rule, choices.amount, short_runs) for part in parts]
    except HintedError as error:
        option = error.where.rpartition(": ")[2] if ": " in error.where else ""
        place = f"command line: --{option.replace('_', '-')}" if option else where
        raise InputError(place, error.what, _as_options(error.hint)) from None
    scores = pd.concat(scored, ignore_index=True)
    scores.attrs = {} if apart else scored[0].attrs
    if RULES[rule].lower_is_better:
        scores = higher_is_better(scores, table)
    return scores, str(scores["rule"].iloc[0])


def _as_options(hint: str) -> str:
    """A hint that names arguments of a function, such as short_runs="drop", with the options of the command."""
    return re.sub(r'(\w+)=("?)([\w.]+)\2', lambda found: f"--{found[1].replace('_', '-')} {found[3]}", hint)


def refuse_lower_scores(rule: str, lower: bool | Sequence[str]) -> None:
    """Raise an InputError for a rule that looks for high scores where lower ones are better."""
    if lower and rule in _OF_HIGHER_SCORES:
        what = f"{rule} takes the higher of two scores for the better one, and there are lower ones that are"
        raise InputError("command line: --rule", what, "window, last or auc; or log the negative of the score")


def source_of(table: pd.DataFrame, choices: Choices, metric: str = "", lower: bool = False) -> dict[str, Any]:
    """The source of a study: learning curves, where every run has several points, else scores.

    Parameters
    ----------
    choices : with a rule and a policy for short runs
    metric : letters of the name of the metric in the name of the file, where there are several
    lower : whether lower scores are better somewhere, which is said of scores alone
    """
    ending = f"_{metric}" if metric else ""
    scores = {"kind": "score_table", "file": SCORES_FILE.format(ending)}
    if HYPERPARAMETERS in table.attrs:
        return scores | {HYPERPARAMETERS: list(table.attrs[HYPERPARAMETERS])}
    # Curves of algorithms that are compared with a remark may be of unlike kinds and lengths.
    if lower or choices.unlike_protocols == "remark" or "step" not in table.columns:
        return scores
    if table.groupby(list(RUN), observed=True)["step"].nunique().min() < 2:
        return scores
    source: dict[str, Any] = {"kind": "learning_curves", "file": CURVES_FILE.format(ending), "rule": choices.rule}
    if choices.amount is not None:
        source["amount"] = choices.amount
    ends = table.groupby("environment", observed=True)["step"].max()
    together = ends.min() >= ends.max() * (1.0 - TOLERANCE)
    return source | {"short_runs": choices.short_runs, "along": "steps" if together else "percent"}


def other_policy(source: Mapping[str, Any], protocol: Mapping[str, Any]) -> str | None:
    """Another policy for short runs, whose verdict the report shows beside; None where no run of curves ended early.

    It makes scores of the same cells: an algorithm whose runs all end early in an environment is refused before, since
    its protocol is unlike those of others.
    """
    early = any("ended_early" in logs for logs in protocol["logs"].values())
    if not early or source["kind"] != "learning_curves":
        return None
    return "carry_forward" if source["short_runs"] == "drop" else "drop"


def title_of(scores: pd.DataFrame, metric: str = "") -> str:
    """The title of a page: which algorithms are compared where, such as "ppo, sac and td3 in 4 environments"."""
    from surefoot.charts.sentences import counted, joined  # brings numba, which importing `surefoot.report` does not

    algorithms, environments = (list(scores[column].unique()) for column in ("algorithm", "environment"))
    compared = joined(algorithms) if len(algorithms) <= _NAMED else counted(len(algorithms), "algorithm")
    where = environments[0] if len(environments) == 1 else counted(len(environments), "environment")
    return f"{compared} in {where}{f': {metric}' if metric else ''}"


def study(
    scores: pd.DataFrame,
    scale: Mapping[str, Any],
    source: Mapping[str, Any],
    lower: bool | Sequence[str] = False,
    otherwise: str | None = None,
    metric: str = "",
) -> dict[str, Any]:
    """A study of scores, with what its reader will ask, as the configuration has it.

    Parameters
    ----------
    scores : columns algorithm, environment, run, score, one row for each run
    scale : a study's entry for it; see `chosen_scale`
    source : of the runs; see `source_of`. Of learning curves the study asks more
    lower : where lower scores are better; see `lower_environments`
    otherwise : another policy for short runs, whose verdict is shown beside; None where there are no short runs
    metric : of which the scores are, where a report has several

    Raises
    ------
    InputError
        for scores that are not on the scale
    """
    curves, source = source["kind"] == "learning_curves", dict(source)
    source |= {"lower_is_better": lower} if lower else {}
    head = {"title": title_of(scores, metric), "label": metric or "Report"}
    head["question"] = "Which algorithm is best, and how sure can we be of it?"
    if HYPERPARAMETERS in source:
        head["question"] = "How much of a score is tuning?"
        scales = {"runs": dict(scale) | {HYPERPARAMETERS: list(source[HYPERPARAMETERS])}}
        return head | {"sources": {"runs": source}, "scales": scales, "questions": {name: {} for name in _OF_TUNING}}
    grid = thresholds(scores, scale, lower)
    if single_runs(scores):
        means: dict[str, Any] = {"task_means": {}} | ({"run_curves": {}} if curves else {})
        return head | {"sources": {"runs": source}, "questions": means}
    runs = int(scores.groupby(["algorithm", "environment"], observed=True).size().min())
    raw = scale["kind"] == "none"
    questions: dict[str, Any] = {"game_scores": {}, "game_intervals": {}} if runs >= RUNS_OF_A_GAME else {}
    questions |= {"multiple_comparisons": {}, "pairwise_differences": {}}
    gap = [] if raw else ["optimality_gap"]  # to a score of 1, which raw scores do not have
    questions["aggregates"] = {"metrics": ["iqm", "median", "mean", *gap], "methods": ["student"]}
    questions["profiles"] = {"thresholds": grid}
    questions |= {"improvement": {}, "ranks": {}, "task_means": {}}
    if runs > 2:
        questions["how_many_runs"] = {"kind": "run_plans"}
    scales = {"runs": dict(scale)}
    if curves:
        scales["curves"] = scales["runs"] | {"source": "runs_curves"}
        if runs > 1:
            metrics = ["mean" if raw else "iqm"]
            questions["sample_efficiency"] = {"metrics": metrics, "band": "simultaneous", "replicates": _RESAMPLES}
            questions["curve_differences"] = {"metrics": metrics}
        questions["run_curves"] = {}
    sources = {"runs": source}
    if otherwise is not None:
        sources[OTHER_RUNS] = source | {"short_runs": otherwise}
        scales[OTHER_RUNS] = scales["runs"] | {"source": OTHER_RUNS}
        questions[OTHERWISE] = {"kind": "multiple_comparisons", "scores": [OTHER_RUNS]}
    return head | {"sources": sources, "scales": scales, "questions": questions}


def chosen_scale(name: str | None, scores: pd.DataFrame, lower: bool | Sequence[str] = False) -> dict[str, Any]:
    """A study's entry for a scale by its name; without one the reference scores that are known of all environments,
    else min_max or, of a single environment, none.

    Parameters
    ----------
    scores : columns environment, score
    lower : where lower scores are better, for which no reference scores are known

    Raises
    ------
    InputError
        for an unknown name
    """
    if name is None:
        if scores["environment"].nunique() == 1:
            return {"kind": "none"}
        return scale_section((not lower and reference_of(scores)) or "min_max")
    allowed = ["min_max", "none", *get_args(ReferenceName)]
    if name not in allowed:
        raise InputError("command line: --scale", f'there is no scale "{name}"', nearest(name, allowed))
    return scale_section(name)


def lower_environments(
    given: bool | Sequence[str], runs: pd.DataFrame, metric: str = "", metrics: Sequence[str] = ()
) -> bool | list[str]:
    """The environments in which lower is better, as a study names them.

    Parameters
    ----------
    given : True for all, False for none, or names; that of a metric stands for all environments of that metric
    metric, metrics : the runs' own, and all, where there are several

    Raises
    ------
    InputError
        for an environment without runs
    """
    if isinstance(given, bool):
        return given
    if metric and metric in given:
        return True
    names = [name for name in given if name not in metrics]
    refuse_absent("command line: --lower-is-better", "environment", names, runs)
    return names


def thresholds(runs: pd.DataFrame, section: Mapping[str, Any], lower: bool | Sequence[str]) -> dict[str, float]:
    """The grid of the profiles of scores on a scale, from the least to the one that one in a hundred exceeds, and at
    least from 0 to 1: a single high score would press all curves together.

    Parameters
    ----------
    runs : columns algorithm, environment, run, score
    section : the scale, as a study names it
    lower : where lower scores are better; see `lower_environments`

    Raises
    ------
    InputError
        for runs that are not on the scale, so that no study with it is written
    """
    scale = scales()[section["kind"]].model_validate(section)
    assert isinstance(scale, ScoreScale)
    scores = scaled({"runs": directed(runs, lower)} | read_files(scale), {"runs": scale})["score"]
    least, greatest = (round_outwards(score) for score in (scores.min(), scores.quantile(_SHOWN, "higher")))
    return {"from": min(0.0, least), "to": max(1.0 if least >= 0 else 0.0, greatest), "count": 101}


def round_outwards(score: float) -> float:
    """The nearest number of two digits that is not nearer to 0."""
    if score == 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(abs(score))) - 1)
    return float(f"{math.copysign(math.ceil(abs(score) / unit - 1e-9) * unit, score):.2g}")
