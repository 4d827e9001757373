"""The study of a report: scores, scale, and questions."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from surefoot.charts.drawing import OTHER_RUNS, OTHERWISE
from surefoot.cli.report_choices import Choices, chosen_scale
from surefoot.cli.report_questions import facts_of, questions_of_means, questions_of_scores
from surefoot.errors import HintedError, InputError, counted, listed
from surefoot.rounding import joined
from surefoot.runs.columns.run_names import RUN, refuse_absent
from surefoot.runs.columns.run_tables import HYPERPARAMETERS, UNFINISHED, WITHOUT_SCORE
from surefoot.runs.curves.rules import RULES, TOLERANCE
from surefoot.runs.curves.scores import higher_is_better, scored_curves
from surefoot.runs.result_tables import REMARKS
from surefoot.runs.sources.score_tables import without_missing_cells
from surefoot.runs.sources.tables import QUESTIONS_OF_TUNING

SCORES_FILE = "scores{}.parquet"
CURVES_FILE = "curves{}.parquet"
"""Names of the files of curves and scores; if there are several metrics, the metric is added."""
_NAMED = 4
"""Largest number of algorithms that are named in a title."""
SAID = "said_of_runs"
"""Key in the `attrs` of runs under which sentences about them, for the terminal and the page, are stored."""
_OF_HIGHER_SCORES = ("best", "steps_to")
"""Rules that select high scores of a curve."""


def cut_to_shortest(table: pd.DataFrame, axis: str) -> pd.DataFrame:
    """Cut learning curves along a counter other than steps to the shortest curve of each environment.

    Runs that took less time do not count as failed.

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
    """Return the runs, treating algorithms without runs in some environment as the policy requests.

    Raises
    ------
    InputError
        if runs are missing and the policy is "error", or if nothing is left
    """
    hint = "use --missing-cells drop_algorithm or drop_environment, or add runs"
    kept = without_missing_cells(runs, policy, "command line: --missing-cells", hint)
    kept.attrs = runs.attrs
    return kept


def scores_of(table: pd.DataFrame, choices: Choices, where: str) -> tuple[pd.DataFrame, str]:
    """Return one score per run, and the rule by which curves were scored ("" if there are no curves).

    Parameters
    ----------
    choices : choices with a rule and a policy for short runs
    where : name of the runs in error messages
    """
    failed = table.attrs.get(UNFINISHED, [])
    if "step" not in table.columns:
        scores = table.copy(deep=False)
        # Remarks on reading are printed in the terminal; a page has only remarks on scores.
        scores.attrs = {key: value for key, value in table.attrs.items() if key != REMARKS}
        scores.attrs |= {WITHOUT_SCORE: failed} if failed else {}
        return scores, ""
    rule = str(choices.rule)
    short_runs = str(choices.short_runs)
    # Algorithms with different protocols are scored separately, since kinds of scores and lengths may differ.
    apart = choices.allow_mixed_protocols
    parts = [part for _, part in table.groupby("algorithm", sort=False, observed=True)] if apart else [table]
    try:
        scored = [scored_curves(part, rule, choices.rule_argument, short_runs) for part in parts]
    except HintedError as error:
        option = error.where.rpartition(": ")[2]
        place = (
            f"command line: --{option.replace('_', '-')}"
            if option in ("rule", "rule_argument", "short_runs")
            else where
        )
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
    """Return the source of a study: learning curves if every run has several points, otherwise a table of scores.

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
    if lower or choices.allow_mixed_protocols or "step" not in table.columns:
        return scores
    if table.groupby(list(RUN), observed=True)["step"].nunique().min() < 2:
        return scores
    source: dict[str, Any] = {"kind": "learning_curves", "file": CURVES_FILE.format(ending), "rule": choices.rule}
    if choices.rule_argument is not None:
        source["rule_argument"] = choices.rule_argument
    ends = table.groupby("environment", observed=True)["step"].max()
    together = ends.min() >= ends.max() * (1.0 - TOLERANCE)
    return source | {"short_runs": choices.short_runs, "along": "steps" if together else "percent"} | shared


def letters(name: str) -> str:
    """Return the name in lower case, with underscores in place of characters other than letters and digits."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def study(table: pd.DataFrame, scores: pd.DataFrame, choices: Choices, metric: str = "") -> dict[str, Any]:
    """Return a study of scores with its questions, in the format of the configuration.

    Parameters
    ----------
    table : runs as they were read; learning curves add questions
    scores : columns algorithm, environment, run, score, one row per run
    choices : settled choices, except for the scale; see `report_files.settled`
    metric : metric of the scores, if a report has several

    Raises
    ------
    InputError
        if scores do not fit the scale, or the rule selects high scores where lower scores are better
    """
    _refuse_higher_scores(choices, table)
    source = source_of(table, choices, metric)
    if source["kind"] == "score_table" and scores.attrs.get(UNFINISHED) and choices.short_runs == "worst_score":
        source["failed_runs"] = "worst_score"
    scale = chosen_scale(choices.scale, scores, choices.lower_is_better)
    section: dict[str, Any] = {
        "title": _title(scores, metric),
        "label": metric or "Report",
        "question": _leading_question(scores, source, choices.baseline),
        "sources": {"runs": source},
    }
    if HYPERPARAMETERS in source:
        section["scales"] = {"runs": scale | {HYPERPARAMETERS: source[HYPERPARAMETERS]}}
        section["questions"] = dict(QUESTIONS_OF_TUNING)
        return section
    facts = facts_of(scores, source, scale, choices)
    if facts.has_means_only:
        section["questions"] = questions_of_means(facts)
        return section
    section["scales"] = {"runs": scale}
    if facts.has_curves:
        section["scales"]["curves"] = scale | {"source": "runs_curves"}
    section["questions"] = questions_of_scores(facts)
    if not facts.is_alone:
        _add_other_runs(section, scores)
    return section


def _refuse_higher_scores(choices: Choices, table: pd.DataFrame) -> None:
    """Raise an InputError for a rule that selects high scores if lower scores are better."""
    if choices.lower_is_better and choices.rule in _OF_HIGHER_SCORES and "step" in table:
        what = f"{choices.rule} treats higher scores as better, but lower scores are better"
        raise InputError("command line: --rule", what, "use window, last or auc; or log the negative of the score")


def _title(scores: pd.DataFrame, metric: str) -> str:
    """Return the title of a study, such as "ppo and sac in Hopper-v4"."""
    environments = list(scores["environment"].unique())
    where = environments[0] if len(environments) == 1 else counted(len(environments), "environment")
    return f"{_compared(scores)} in {where}{f': {metric}' if metric else ''}"


def _compared(scores: pd.DataFrame) -> str:
    """Return the names of the compared algorithms, or their number if there are many."""
    algorithms = list(scores["algorithm"].unique())
    return joined(algorithms) if len(algorithms) <= _NAMED else counted(len(algorithms), "algorithm")


def _leading_question(scores: pd.DataFrame, source: Mapping[str, Any], baseline: str | None) -> str:
    """Return the question below the title of a page."""
    if HYPERPARAMETERS in source:
        return "How much of a score is tuning?"
    is_alone = scores["algorithm"].nunique() == 1
    compared = "Which algorithm is best" if baseline is None else f"How do the others compare with {baseline}"
    asked = f"How good is {_compared(scores)}" if is_alone else compared
    return f"{asked}, and how sure can we be of it?"


def _add_other_runs(section: dict[str, Any], scores: pd.DataFrame) -> None:
    """Add a comparison with another policy for runs that ended early or left no score, if there are such runs.

    The other source has scores of the same algorithms and environments, since an algorithm whose runs all end early in
    an environment has already been rejected for its different protocol.
    """
    source = section["sources"]["runs"]
    policy = next((key for key in ("short_runs", "failed_runs") if key in source), None)
    if policy is None or not scores.attrs.get(UNFINISHED):
        return
    other = "drop" if source[policy] == "worst_score" else "worst_score"
    section["sources"][OTHER_RUNS] = source | {policy: other}
    section["scales"][OTHER_RUNS] = section["scales"]["runs"] | {"source": OTHER_RUNS}
    section["questions"][OTHERWISE] = section["questions"]["multiple_comparisons"] | {
        "kind": "multiple_comparisons",
        "scores": [OTHER_RUNS],
    }


def lower_environments(
    given: bool | Sequence[str], runs: pd.DataFrame, metric: str = "", metrics: Sequence[str] = ()
) -> bool | list[str]:
    """Return the environments in which lower scores are better, in the format of a study.

    Parameters
    ----------
    given : True for all, False for none, or names; the name of a metric stands for all environments of that metric
    metric, metrics : the metric of the runs, and all metrics, if there are several

    Raises
    ------
    InputError
        if an environment has no runs
    """
    if isinstance(given, bool):
        return given
    if metric and metric in given:
        return True
    names = [name for name in given if name not in metrics]
    refuse_absent("command line: --lower-is-better", "environment", names, runs)
    return names
