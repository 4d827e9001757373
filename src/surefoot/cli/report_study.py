"""The study that a report makes of its runs: scores, scale, and questions."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args

import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.charts.drawing import OTHER_RUNS, OTHERWISE
from surefoot.columns import HYPERPARAMETERS, RUN, UNFINISHED, WITHOUT_SCORE, directed, refuse_absent
from surefoot.curves.rules import RULES, TOLERANCE
from surefoot.curves.scores import higher_is_better, scored_curves
from surefoot.errors import HintedError, listed
from surefoot.result_tables import read_tables
from surefoot.rounding import counted, joined
from surefoot.scales.reference_tables import ReferenceName, usual_scale
from surefoot.scales.scaling import scale_section, scaled
from surefoot.scales.settings import SCALES, ScoreScale
from surefoot.sources.checks import single_runs
from surefoot.sources.score_tables import without_missing_cells
from surefoot.sources.tables import QUESTIONS_OF_RUNS, QUESTIONS_OF_TUNING

SCORES_FILE, CURVES_FILE = "scores{}.parquet", "curves{}.parquet"
"""Names of files, with the metric if there are several."""
RUNS_OF_A_GAME = 30
"""Fewest runs for scores of a game; with fewer, nearly all intervals would extend from 0 to 1."""
_RUNS_OF_A_CURVE = 10
"""Fewest runs for bands in a single environment; with fewer, most simultaneous bands span all scores."""
_OF_PAIRS = ("multiple_comparisons", "pairwise_differences", "improvement")
"""Questions that compare each algorithm with the baseline, if there is one."""
_OF_ONE_ALGORITHM = ("aggregates", "task_means", "sample_efficiency", "run_curves")
"""Questions without comparisons."""
_NAMED = 4
"""Most algorithms that a title names."""
_SHOWN = 0.99
"""Share of the scores covered by the thresholds of profiles."""
_RESAMPLES = 10_000
"""Resamples for curves: simultaneous limits for about fifty steps are too far in the tails for a thousand."""
SAID = "said_of_runs"
"""Key of the `attrs` of runs that holds sentences on them for the terminal and the page."""
_OF_HIGHER_SCORES = ("best", "steps_to")
"""Rules that look for high scores along a curve."""


class Choices(NamedTuple):
    """Choices for scoring and comparing runs; None stands for the default, or the value in an existing study.

    rule, amount, short_runs : arguments of `surefoot.scores_of_curves`
    missing_cells : policy for algorithms without runs in an environment, as in a source of a study
    scale : min_max, none, or a table of reference scores
    lower_is_better : True if lower scores are better, or the environments where they are; a metric stands for all its
        environments
    unlike_protocols : "error", or "remark" to compare algorithms with different protocols
    baseline : algorithm that the others are compared with; None compares all pairs
    """

    rule: str | None = None
    amount: float | None = None
    short_runs: str | None = None
    missing_cells: str | None = None
    scale: str | None = None
    lower_is_better: bool | Sequence[str] = False
    unlike_protocols: str = "error"
    baseline: str | None = None


def cut_to_shortest(table: pd.DataFrame, axis: str) -> pd.DataFrame:
    """Cut learning curves along a counter other than steps to the shortest curve of each environment.

    A run that took less time is not a failed run.

    Parameters
    ----------
    axis : name of the counter
    """
    ends = table.groupby(list(RUN), observed=True)["step"].max().groupby("environment", observed=True).min()
    kept = table[table["step"] <= table["environment"].map(ends).astype(float)].reset_index(drop=True)
    where = listed([f"{end:,.6g} in {environment}" for environment, end in ends.items()])
    kept.attrs = table.attrs | {SAID: [f"Runs are compared up to the {axis} at which the shortest ends ({where})."]}
    return kept


def with_all_cells(runs: pd.DataFrame, policy: str) -> pd.DataFrame:
    """Return the runs of algorithms that have runs in every environment, applying the policy for others.

    Raises
    ------
    InputError
    """
    hint = "--missing-cells drop_algorithm or drop_environment, or add runs"
    kept = without_missing_cells(runs, policy, "command line: --missing-cells", hint)
    kept.attrs = runs.attrs
    return kept


def scores_of(table: pd.DataFrame, choices: Choices, where: str) -> tuple[pd.DataFrame, str]:
    """Return one score per run, and the rule by which curves were scored, or "" without curves.

    Parameters
    ----------
    choices : choices with a rule and a policy for short runs
    where : name of the runs in errors
    """
    failed = table.attrs.get(UNFINISHED, [])
    if "step" not in table.columns:
        return table, ""
    rule = str(choices.rule)
    short_runs = str(choices.short_runs)
    # Score algorithms with different protocols separately: kinds of scores and lengths may differ.
    apart = choices.unlike_protocols == "remark"
    parts = [part for _, part in table.groupby("algorithm", sort=False, observed=True)] if apart else [table]
    try:
        scored = [scored_curves(part, rule, choices.amount, short_runs) for part in parts]
    except HintedError as error:
        option = error.where.rpartition(": ")[2]
        place = f"command line: --{option.replace('_', '-')}" if option in ("rule", "amount", "short_runs") else where
        # Arguments of the function, such as short_runs="drop", are options here.
        option_of = re.compile(r'(\w+)=("?)([\w.]+)\2')
        hint = option_of.sub(lambda found: f"--{found[1].replace('_', '-')} {found[3]}", error.hint)
        raise InputError(place, error.what, hint) from None
    scores = pd.concat(scored, ignore_index=True)
    scores.attrs = {} if apart else scored[0].attrs
    unfinished = [*failed, *(names for part in scored for names in part.attrs.get(UNFINISHED, ()))]
    scores.attrs |= {UNFINISHED: unfinished, WITHOUT_SCORE: failed} if unfinished else {}
    if RULES[rule].lower_is_better:
        scores = higher_is_better(scores, table)
    return scores, str(scores["rule"].iloc[0])


def source_of(table: pd.DataFrame, choices: Choices, metric: str = "") -> dict[str, Any]:
    """Return the source of a study: learning curves if every run has several points, else scores.

    Parameters
    ----------
    choices : choices with a rule, policies for short runs and missing cells, and environments where lower is better
    metric : metric of the scores, if a report has several
    """
    ending = f"_{letters(metric)}" if metric else ""
    lower = choices.lower_is_better
    policy = choices.missing_cells
    shared: dict[str, Any] = {"missing_cells": policy} if policy != "error" else {}
    shared |= {"lower_is_better": lower} if lower else {}
    scores = {"kind": "score_table", "file": SCORES_FILE.format(ending)} | shared
    if HYPERPARAMETERS in table.attrs:
        return scores | {HYPERPARAMETERS: list(table.attrs[HYPERPARAMETERS])}
    # Only scores support "lower is better", and curves of algorithms with different protocols may differ in kind and
    # length.
    if lower or choices.unlike_protocols == "remark" or "step" not in table.columns:
        return scores
    if table.groupby(list(RUN), observed=True)["step"].nunique().min() < 2:
        return scores
    source: dict[str, Any] = {"kind": "learning_curves", "file": CURVES_FILE.format(ending), "rule": choices.rule}
    if choices.amount is not None:
        source["amount"] = choices.amount
    ends = table.groupby("environment", observed=True)["step"].max()
    together = ends.min() >= ends.max() * (1.0 - TOLERANCE)
    return source | {"short_runs": choices.short_runs, "along": "steps" if together else "percent"} | shared


def letters(name: str) -> str:
    """Return the name in lower case, with one underscore for any characters other than letters and digits."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def study(
    table: pd.DataFrame, scores: pd.DataFrame, choices: Choices, logs: Mapping[str, Any], metric: str = ""
) -> dict[str, Any]:
    """Return a study of scores with its questions, in the format of the configuration.

    Parameters
    ----------
    table : runs as they were read; learning curves add questions
    scores : columns algorithm, environment, run, score, one row per run
    choices : settled choices, except for the scale; see `report_files.settled`
    logs : protocol of the scores of each algorithm; see `surefoot.logs.protocol.protocols_in_logs`
    metric : metric of the scores, if a report has several

    Raises
    ------
    InputError
        if scores do not fit the scale, or the rule looks for high scores where lower ones are better
    """
    lower = choices.lower_is_better
    if lower and choices.rule in _OF_HIGHER_SCORES and "step" in table:
        what = f"{choices.rule} takes the higher of two scores for the better one, and there are lower ones that are"
        raise InputError("command line: --rule", what, "window, last or auc; or log the negative of the score")
    source = source_of(table, choices, metric)
    if source["kind"] == "score_table" and scores.attrs.get(UNFINISHED) and choices.short_runs == "worst_score":
        source["failed_runs"] = "worst_score"
    scale = chosen_scale(choices.scale, scores, lower)
    algorithms, environments = (list(scores[column].unique()) for column in ("algorithm", "environment"))
    compared = joined(algorithms) if len(algorithms) <= _NAMED else counted(len(algorithms), "algorithm")
    where = environments[0] if len(environments) == 1 else counted(len(environments), "environment")
    head = {"title": f"{compared} in {where}{f': {metric}' if metric else ''}", "label": metric or "Report"}
    alone = len(algorithms) == 1
    asked = f"How good is {compared}" if alone else "Which algorithm is best"
    head["question"] = f"{asked}, and how sure can we be of it?"
    sources = {"runs": source}
    if HYPERPARAMETERS in source:
        head["question"] = "How much of a score is tuning?"
        scales = {"runs": scale | {HYPERPARAMETERS: source[HYPERPARAMETERS]}}
        return head | {"sources": sources, "scales": scales, "questions": dict(QUESTIONS_OF_TUNING)}
    grid = thresholds(scores, scale, lower)
    curves = source["kind"] == "learning_curves"
    raw = scale["kind"] == "none"
    # With a single algorithm, the ends of min_max would be its lowest and highest scores.
    if single_runs(scores) or (alone and choices.scale is None and scale["kind"] == "min_max"):
        means: dict[str, Any] = {"task_means": {}} | ({"run_curves": {}} if curves else {})
        return head | {"sources": sources, "questions": means}
    runs = int(scores.groupby(["algorithm", "environment"], observed=True).size().min())
    questions: dict[str, Any] = {"game_scores": {}, "game_intervals": {}} if runs >= RUNS_OF_A_GAME else {}
    questions |= {name: dict(settings) for name, settings in QUESTIONS_OF_RUNS.items()}
    questions["profiles"]["thresholds"] = grid
    if choices.baseline is not None:
        for name in _OF_PAIRS:
            questions[name]["baseline"] = choices.baseline
    # The metric that comparisons use if algorithms have different numbers of runs, here under its name everywhere.
    iqm = "exact_iqm" if has_unlike_runs(scores) else "iqm"
    if iqm != "iqm":
        questions["aggregates"]["metrics"] = [iqm, "median", "mean"]
        questions["multiple_comparisons"]["metric"] = iqm
        questions["pairwise_differences"]["metrics"] = [iqm]
    if not raw:  # the optimality gap is defined relative to a score of 1
        questions["aggregates"]["metrics"] = [*questions["aggregates"]["metrics"], "optimality_gap"]
    if runs > 2:
        # A lift multiplies, which makes negative scores worse; widths can be planned all the same.
        has_negative_scores = raw and directed(scores, lower)["score"].min() < 0.0
        questions["how_many_runs"] = {"kind": "run_plans"} | ({"lifts": [0]} if has_negative_scores else {})
    if raw and lower:  # profiles would show negated scores
        del questions["profiles"]
    scales = {"runs": scale}
    if curves:
        scales["curves"] = scale | {"source": "runs_curves"}
        # In one environment, simultaneous bands are informative only with many runs.
        if runs > 1 and (len(environments) > 1 or runs >= _RUNS_OF_A_CURVE):
            metrics = ["mean" if raw else iqm]
            questions["sample_efficiency"] = {"metrics": metrics, "band": "simultaneous", "replicates": _RESAMPLES}
            questions["curve_differences"] = {"metrics": metrics}
        questions["run_curves"] = {}
    if alone:
        questions = {name: questions[name] for name in _OF_ONE_ALGORITHM if name in questions}
        return head | {"sources": sources, "scales": scales, "questions": questions}
    policy = next((key for key in ("short_runs", "failed_runs") if key in source), None)
    if policy and scores.attrs.get(UNFINISHED):
        # The verdict with and without the worst score in place of runs that ended early or left no score. The other
        # source has scores of the same cells: an algorithm whose runs all end early in an environment is refused
        # before, since its protocol is unlike those of others.
        otherwise = "drop" if source[policy] == "worst_score" else "worst_score"
        sources[OTHER_RUNS] = source | {policy: otherwise}
        scales[OTHER_RUNS] = scale | {"source": OTHER_RUNS}
        questions[OTHERWISE] = questions["multiple_comparisons"] | {
            "kind": "multiple_comparisons",
            "scores": [OTHER_RUNS],
        }
    return head | {"sources": sources, "scales": scales, "questions": questions}


def has_unlike_runs(scores: pd.DataFrame) -> bool:
    """Return True if the largest number of runs of an environment differs between algorithms."""
    runs = scores.groupby(["algorithm", "environment"], observed=True).size()
    return bool(runs.groupby("algorithm").max().nunique() > 1)


def chosen_scale(name: str | None, scores: pd.DataFrame, lower: bool | Sequence[str] = False) -> dict[str, Any]:
    """Return a study's entry for a scale.

    By default none for a single environment, else that of `usual_scale`.

    Parameters
    ----------
    scores : columns environment, score
    lower : environments where lower scores are better, for which there are no reference scores

    Raises
    ------
    InputError
        if the name is unknown
    """
    if name is None:
        if scores["environment"].nunique() == 1:
            return {"kind": "none"}
        return scale_section(usual_scale(scores, bool(lower)))
    allowed = ["min_max", "none", *get_args(ReferenceName)]
    if name not in allowed:
        raise InputError("command line: --scale", f'there is no scale "{name}"', nearest(name, allowed))
    return scale_section(name)


def scale_lines(section: Mapping[str, Any]) -> list[str]:
    """Return a line for the terminal with the scale on which a study compares scores.

    It is omitted without a scale, and for an invalid scale in an edited study, since the run reports the error.
    """
    try:
        scales = list((section.get("scales") or {}).values())
        if not scales:
            return []
        scale = scales[0]
        described = SCALES.complete()[scale["kind"]].model_validate(scale)
    except (AttributeError, KeyError, TypeError, ValueError):
        return []
    assert isinstance(described, ScoreScale)
    name = scale.get("references", scale["kind"])
    why = (
        " All environments have names of this table; if they are others, --scale min_max."
        if "references" in scale
        else ""
    )
    return [f"scale {name}: {described.described()}{why}"]


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
    scale = SCALES.complete()[section["kind"]].model_validate(section)
    assert isinstance(scale, ScoreScale)
    scores = scaled({"runs": directed(runs, lower)} | read_tables(scale.kept()), {"runs": scale})["score"]
    least, greatest = (round_outwards(score) for score in (scores.min(), scores.quantile(_SHOWN, "higher")))
    return {"from": min(0.0, least), "to": max(1.0 if least >= 0 else 0.0, greatest), "count": 101}


def round_outwards(score: float) -> float:
    """The nearest number of two digits that is not nearer to 0."""
    if score == 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(abs(score))) - 1)
    return float(f"{math.copysign(math.ceil(abs(score) / unit - 1e-9) * unit, score):.2g}")
