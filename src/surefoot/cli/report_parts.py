"""The part of a report about one metric: its scores, its study, and their files."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from surefoot.cli.reading import protocol_lines, say
from surefoot.cli.report_against import logs_of
from surefoot.cli.report_choices import Choices, scale_lines
from surefoot.cli.report_files import (
    settled,
    source_of_runs,
)
from surefoot.cli.report_study import (
    CURVES_FILE,
    SAID,
    SCORES_FILE,
    letters,
    lower_environments,
    scores_of,
    study,
    with_all_cells,
)
from surefoot.errors import InputError, counted, listed, noted, raise_all
from surefoot.runs.columns.run_names import RUN, refuse_absent
from surefoot.runs.columns.run_tables import HYPERPARAMETERS, UNFINISHED, UNNAMED_JOBS, unfinished_runs
from surefoot.runs.logs.protocol_in_logs import refuse_unlike
from surefoot.runs.logs.run_table import remark_on_equal_runs
from surefoot.runs.protocol_card import NOT_COMPARED
from surefoot.runs.result_tables import ACCOUNT_SUMMARY, REMARKS
from surefoot.runs.sources.checks import left_out, single_runs
from surefoot.workflow.files import whole_file

_COLUMNS = (*RUN, "score")
_OF_CURVES = (*_COLUMNS, "step", "episodes", "kind", "metric")
_LISTED = 3


class Scored(NamedTuple):
    """Runs of one metric, from which a study is made.

    name : name of the study
    metric : name of the metric, "" if there is only one
    table : table as it was read
    scores, rule : one score per compared run, and the rule for scoring curves
    logs : protocol in the logs, in the format of a study's `protocol.logs`
    section : settings of the study; those of an existing study are not changed
    """

    name: str
    metric: str
    table: pd.DataFrame
    scores: pd.DataFrame
    rule: str
    logs: dict[str, Any]
    section: dict[str, Any]

    @property
    def protocol(self) -> dict[str, Any]:
        """Return the part of the study's protocol that every report rewrites.

        If the source has learning curves, the rule is in the source.
        """
        curves = source_of_runs(self.section).get("kind") == "learning_curves"
        return ({} if curves or not self.rule else {"rule": self.rule}) | {"logs": self.logs}


def scored_part(
    name: str,
    metric: str,
    metrics: Mapping[str, pd.DataFrame],
    choices: Choices,
    runs: Path,
    file: Path,
    kept: Mapping[str, Any] | None,
    problems: list[InputError],
) -> Scored:
    """Return the runs of a metric, scored according to the choices or the existing study.

    Raises
    ------
    InputError
        if anything prevents a comparison, together with `problems`, the errors from reading
    """
    table = metrics[metric]
    for option in ("rule", "rule_argument", "short_runs") if "step" not in table else ():
        if getattr(choices, option) is not None:
            what = "it is for learning curves, but these runs have one score each"
            raise InputError(f"command line: --{option.replace('_', '-')}", what, "leave the option out")
    lower = lower_environments(choices.lower_is_better, table, metric, list(metrics))
    if choices.baseline is not None:
        refuse_absent("command line: --baseline", "algorithm", [choices.baseline], table)
    choices = settled(choices._replace(lower_is_better=lower), kept, file)
    policy = str(choices.missing_cells)
    short_runs = str(choices.short_runs)
    complete = table
    with noted(problems):
        complete = with_all_cells(table, policy)
    logs = logs_of(complete, short_runs)
    if not choices.allow_mixed_protocols and not any(NOT_COMPARED in problem.what for problem in problems):
        with noted(problems):
            refuse_unlike(str(runs), {"logs": logs})
    with noted(problems):
        scores, rule = scores_of(complete, choices, str(runs))
    raise_all(str(runs), problems)
    compared = with_all_cells(scores, policy)
    if len(compared) < len(scores):  # all runs of an algorithm in an environment were short and dropped
        complete = complete.merge(compared[list(RUN)], on=list(RUN))
        complete.attrs = table.attrs
        logs = logs_of(complete, short_runs)
    section = dict(kept) if kept is not None else study(table, compared, choices, metric)
    return Scored(name, metric, table, compared, rule, logs, section)


def print_summary(part: Scored) -> None:
    """Print the left-out runs, the rule for scores, the scale and the protocol."""
    if part.metric:
        say(f"{part.metric}:")
    for happened, runs in unfinished_runs(part.scores.attrs).items():
        say(f"runs that {happened} ({len(runs)}): {listed([' / '.join(run) for run in runs], separator='; ')}")
    unnamed = _unnamed_jobs(part.table)
    for line in filter(None, [unnamed, *left_out(part.table, part.scores), single_runs(part.scores)]):
        say(line)
    if part.rule:
        say(f"score of a run: {part.rule}")
    for line in scale_lines(part.section):
        say(line)
    stated = (part.section.get("protocol") or {}) | ({"rule": part.rule} if part.rule else {})
    source = source_of_runs(part.section)
    scores = part.scores
    if "worst_score" in (source.get("short_runs"), source.get("failed_runs")):
        # Unfinished runs are counted too, since they get the worst score.
        scores = _without_scores(scores, scores.attrs.get(UNFINISHED, ()))
    for line in protocol_lines(stated | {"logs": part.logs}, scores):
        say(line)


def write_tables(folder: Path, part: Scored) -> None:
    """Write the files of curves or scores named by the study's source, which may have been edited."""
    ending = f"_{letters(part.metric)}" if part.metric else ""
    source = source_of_runs(part.section)
    named = source.get("file")
    table = part.table
    scores = part.scores
    if source.get("short_runs", "error") != "error":
        table = _without_scores(table, table.attrs.get(UNFINISHED, ()))
    if source.get("failed_runs", "error") != "error":
        scores = _without_scores(scores, scores.attrs.get(UNFINISHED, ()))
    unnamed = _unnamed_jobs(part.table)
    equal = remark_on_equal_runs(part.table, part.table.attrs.get(HYPERPARAMETERS, ()))
    for name, columns, rows in ((CURVES_FILE, _OF_CURVES, table), (SCORES_FILE, _COLUMNS, scores)):
        if named == name.format(ending):
            kept = [*columns, *part.table.attrs.get(HYPERPARAMETERS, ())]
            written = rows[rows.columns.intersection(kept)]
            # The page shows remarks on the scores; remarks on reading are printed in the terminal.
            remarks = [*(rows.attrs.get(REMARKS, ()) if name == SCORES_FILE else ()), *filter(None, [unnamed])]
            remarks += [f"{equal}."] if equal else []
            remarks += part.table.attrs.get(SAID, [])
            written.attrs = rows.attrs | {REMARKS: remarks, ACCOUNT_SUMMARY: part.table.attrs[ACCOUNT_SUMMARY]}
            with whole_file(folder / named) as temporary:
                written.to_parquet(temporary, index=False)


def _unnamed_jobs(table: pd.DataFrame) -> str:
    """Return a sentence on jobs without a score that are not among the compared runs, or ""."""
    jobs = table.attrs.get(UNNAMED_JOBS, ())
    if not jobs:
        return ""
    which = "belongs" if len(jobs) == 1 else "belong"
    what = f"{counted(len(jobs), 'job')} began and left no score ({listed(jobs, _LISTED)})"
    return f"{what}, and {which} to none of the algorithms and environments compared here, or cannot be named."


def _without_scores(table: pd.DataFrame, names: Sequence[Sequence[str]]) -> pd.DataFrame:
    """Replace the rows of some runs by a single row without a score for each run.

    Parameters
    ----------
    names : [algorithm, environment, run] of each run
    """
    if not names:
        return table
    failed = pd.DataFrame(names, columns=list(RUN)).drop_duplicates()
    names_of_rows = pd.MultiIndex.from_frame(table[list(RUN)].astype(str))
    kept = table[~names_of_rows.isin(pd.MultiIndex.from_frame(failed))].astype({"run": str})
    alike = {name: kept[name].iloc[0] for name in ("kind", "metric", "episodes") if name in kept}
    rows = failed.assign(score=math.nan, **alike, **({"step": 0} if "step" in kept else {}))
    together = pd.concat([kept, rows], ignore_index=True)
    together.attrs = table.attrs
    return together
