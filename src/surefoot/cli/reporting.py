"""The command `report` and the function `surefoot.report`: make a page and an editable study of runs."""

import math
import os
import re
import shlex
import subprocess
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

import pandas as pd

from surefoot.build.errors import InputError, noted, raise_all
from surefoot.build.files import whole_file, write_whole
from surefoot.cli.reading import ask_about_names, protocol_lines, say, summary_lines, write_whole_table
from surefoot.cli.report_against import joined_with, logs_of
from surefoot.cli.report_files import (
    RUNS_FILE,
    STUDY_FILE,
    check_folder,
    kept_studies,
    renew_study_file,
    settled,
    source_of_runs,
    study_text,
)
from surefoot.cli.report_study import (
    CURVES_FILE,
    SAID,
    SCORES_FILE,
    Choices,
    cut_to_shortest,
    letters,
    lower_environments,
    scale_lines,
    scores_of,
    study,
    with_all_cells,
)
from surefoot.cli.running import run_with_progress, snakemake_command
from surefoot.columns import (
    HYPERPARAMETERS,
    RUN,
    STEPS,
    UNFINISHED,
    UNNAMED_JOBS,
    check_runs,
    refuse_absent,
    types_checked,
    unfinished_runs,
)
from surefoot.errors import HintedError, Remark, listed
from surefoot.logs.account import ACCOUNT, account_lines, account_summary, reading_account
from surefoot.logs.protocol import refuse_unlike
from surefoot.logs.reading import read_runs
from surefoot.protocol import NOT_COMPARED
from surefoot.result_tables import ACCOUNT_SUMMARY, REMARKS, SCALE
from surefoot.rounding import counted
from surefoot.sources.checks import left_out, single_runs
from surefoot.sources.given.arrays import pandas_table

ACCOUNT_FILE = "account.csv"
"""File of a report with the account of each file and row."""
ENTRY = "report.html"
"""File of a report that links to its page, even if the folder is moved."""
_COLUMNS = (*RUN, "score")
_OF_CURVES = (*_COLUMNS, "step", "episodes", "kind", "metric")
_FROM_READING = (
    ACCOUNT,
    UNFINISHED,
    UNNAMED_JOBS,
    "format",
    "metrics",
    "returns",
    "kind_is_stated",
    "points_are_numbered",
    "unit",
)
"""Attributes from `surefoot.read_runs` that are kept in a file in addition to the rows."""
_LENIENT = {"invalid_scores": "drop", "unlike_protocols": "remark"}
"""Options for reading a folder again after an error."""
_LONGEST_NAME = 40
_LISTED = 3
_LINES = 20
"""Number of lines at the end of a failed run's output that an error quotes."""


@types_checked
def report(
    runs: Any,
    folder: str | Path = "surefoot-report",
    *,
    rule: str | None = None,
    amount: float | None = None,
    short_runs: str | None = None,
    missing_cells: Literal["error", "drop_algorithm", "drop_environment"] | None = None,
    scale: str | None = None,
    lower_is_better: bool | str | Sequence[str] = False,
    unlike_protocols: Literal["error", "remark"] = "error",
    baseline: str | None = None,
    cores: int | None = None,
) -> Path:
    """A page on runs, as the command `surefoot report` makes it, with a study that can be edited and made again.

    The table is kept in the folder as runs.parquet. Another call with the same folder renews the scores and keeps the
    study; arguments that contradict it, and runs of other environments, or of none of the earlier algorithms, are
    refused there.

    Parameters
    ----------
    runs : columns algorithm, environment, run, score, one row per run, or with a column step one per run and step, such
        as `surefoot.read_runs` and `surefoot.normalized_scores` give
    folder : of the report; new, empty, or that of an earlier report on a table
    rule, amount, short_runs : how a learning curve becomes a score; see `surefoot.scores_of_curves`
    missing_cells : what becomes of algorithms without runs in an environment: error, drop_algorithm or drop_environment
    scale : min_max, none, or a table of reference scores; by default none for what `surefoot.normalized_scores` made,
        else the table that has all environments, else min_max, or none if there is a single environment
    lower_is_better : whether lower scores are better, in all environments or in those listed
    unlike_protocols : "error", or "remark", which compares algorithms whose scores were made in different ways
    baseline : the algorithm with which each other one is compared; by default all pairs are compared
    cores : number of cores to use; by default all

    Returns
    -------
    the path of the page

    Raises
    ------
    HintedError : a table that is not one of runs, an argument that is not known, a folder that holds something else, or
        a page that cannot be made

    Source: the questions that the page asks; their functions name theirs.
    """
    if cores is not None and cores < 1:
        raise HintedError("surefoot.report: cores", f"{cores} is too small", "at least 1")
    output = Path(folder)
    table = pandas_table(runs)
    if isinstance(table, Mapping):
        from surefoot.sources.given.sets import read_scores  # brings scipy, which importing this module does not

        table = read_scores(table, checked=True)
    check_runs("runs", table)
    if scale is None and SCALE in table.attrs:
        scale = "none"
    lower = [lower_is_better] if isinstance(lower_is_better, str) else lower_is_better
    choices = Choices(rule, amount, short_runs, missing_cells, scale, lower, unlike_protocols, baseline)
    metrics = list(dict.fromkeys(table["metric"].astype(str))) if "metric" in table else None
    file = output / RUNS_FILE
    hyperparameters = table.attrs.get(HYPERPARAMETERS, ())
    try:
        check_folder(output)
        kept_studies(output / STUDY_FILE, file, len(metrics or [""]))
        _refuse_other_names(table, file)
        # Names that may be numbers in one row and texts in another are kept as texts.
        mixed = [name for name in RUN if table[name].dtype == object]
        kept = table.astype(dict.fromkeys(mixed, str)).reset_index(drop=True)
        kept.attrs = {name: table.attrs[name] for name in _FROM_READING if name in table.attrs}
        output.mkdir(parents=True, exist_ok=True)
        with whole_file(file) as temporary:
            kept.to_parquet(temporary, index=False)
        names = write_study(file, output, choices, format="table", metric=metrics, hyperparameters=hyperparameters)
    except InputError as error:
        raise HintedError(_as_argument(error.where), error.what, _as_argument(error.hint)) from None
    arguments = _arguments(output, names, cores)
    done = subprocess.run(snakemake_command(arguments), capture_output=True, text=True, check=False)
    if done.returncode:
        output_lines = "\n".join([*done.stdout.splitlines(), *done.stderr.splitlines()][-_LINES:])
        what = f"its page is not made:\n{output_lines}"
        raise HintedError(str(output / STUDY_FILE), what, f"try {shlex.join(['surefoot', 'run', *arguments])}")
    return page_of(output, names)


def report_folder(
    folder: Path,
    output: Path,
    choices: Choices,
    cores: int | None,
    agreed: bool,
    against: Sequence[str],
    reading: Mapping[str, Any],
) -> int:
    """Read a folder of runs, write scores and a study, make its page, and return the exit status.

    The path of the page is the last printed line.

    Parameters
    ----------
    output : folder of the report
    cores : number of cores; None for all
    agreed : accept names that were only read from paths; else ask in the terminal
    against : runs to compare with; see `report_against.joined_with`
    reading : arguments of `surefoot.read_runs`
    """
    if cores is not None and cores < 1:
        raise InputError("command line: --cores", f"with {cores} cores nothing can be made", "at least 1")
    names = write_study(folder, output, choices, agreed, against, **reading)
    status = run_with_progress(_arguments(output, names, cores))
    if status == 0:
        say(str(page_of(output, names)))
    return status


def page_of(folder: Path, names: Sequence[str]) -> Path:
    """Return the path of the page of the first study of a report."""
    return folder / "results" / "render" / f"{names[0]}.html"


class _Scored(NamedTuple):
    """Runs of one metric, which become a study.

    name : name of the study
    metric : name of the metric, "" if there is only one
    table : table as it was read
    scores, rule : one score per compared run, and the rule for scoring curves
    logs : protocol in the logs, in the format of a study's `protocol.logs`
    section : the study; an existing one is unchanged
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

        A source of learning curves has its own rule.
        """
        curves = source_of_runs(self.section).get("kind") == "learning_curves"
        return ({} if curves or not self.rule else {"rule": self.rule}) | {"logs": self.logs}


def write_study(
    runs: Path, folder: Path, choices: Choices, agreed: bool = True, against: Sequence[str] = (), **reading: Any
) -> list[str]:
    """Read a folder of runs, write scores and a study of each metric, and return the names of the studies.

    An existing study is kept, since it may have been edited; only its scores and the protocol in the logs are
    rewritten.

    Raises
    ------
    InputError
        if runs and choices do not make a study, or choices contradict an existing study
    """
    file = folder / STUDY_FILE
    check_folder(folder)
    problems: list[InputError] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Remark)  # which the summary tells
        with noted(problems):
            table = read_runs(runs, **reading)
        if problems:  # read leniently to find further problems
            try:
                table = read_runs(runs, **reading | _LENIENT)
            except InputError:
                raise_all(str(runs), problems)
                raise
    say(summary_lines(table))
    if not agreed and not file.is_file():
        ask_about_names(table)
    account = reading_account(table)
    table.attrs.pop(ACCOUNT, None)  # the page has its summary
    table.attrs[ACCOUNT_SUMMARY] = account_summary(account)
    if "step" in table and reading.get("step") not in (None, *STEPS) and choices.short_runs is None:
        table = cut_to_shortest(table, str(reading["step"]))
        say("\n".join(table.attrs[SAID]))
    if against:
        if "metric" in table and table["metric"].nunique() > 1:
            raise InputError("command line: --against", "runs of others have one metric", "a single --metric")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Remark)
            table, choices, of_others = joined_with(table, runs, against, choices, reading)
        say("\n".join(table.attrs[SAID]))
        if len(of_others):
            say("\n".join(account_lines(of_others)))
            account = pd.concat([account, of_others], ignore_index=True)
            table.attrs[ACCOUNT_SUMMARY] = account_summary(account)
    metrics = {"": table}  # a single metric
    if "metric" in table and table["metric"].nunique() > 1:
        of_each = table.groupby("metric", sort=False, observed=True)
        metrics = {str(name): rows.drop(columns="metric").reset_index(drop=True) for name, rows in of_each}
    kept = kept_studies(file, runs, len(metrics))
    titles = [letters(f"{runs.resolve().stem[:_LONGEST_NAME]} {metric}") for metric in metrics]
    names = list(kept) or [title if title[:1].isalpha() else f"runs_{title}".rstrip("_") for title in titles]
    if len(set(names)) < len(names):
        what = f"{' and '.join(metrics)} would be one name of a study"
        raise InputError("command line: --metric", what, "fewer metrics")
    parts = [
        _scored(name, metric, metrics, choices, runs, file, kept.get(name), problems)
        for name, metric in zip(names, metrics, strict=True)
    ]
    for part in parts:
        _print_summary(part)
        _write_tables(folder, part)
    write_whole_table(account, folder / ACCOUNT_FILE)
    if kept:
        renewed = renew_study_file(file, [part.protocol for part in parts])
        say(f"{file} is kept as it is{', but for what the logs say' if renewed else ''}")
    else:
        again = " ".join(["surefoot run", *_targets(names), f"--configfile {STUDY_FILE}"])
        command = " --against ".join([f"surefoot report {runs}", *against])
        lines = [f"Written by `{command}`: edit it, and run it again in this folder with", again]
        head = "".join(f"# {' '.join(line.split())}\n" for line in [*lines, *table.attrs["remarks"]])
        texts = [study_text(part.name, part.section, part.protocol, choices.unlike_protocols) for part in parts]
        of_runs = f"# Runs: {os.path.relpath(runs.resolve(), folder.resolve())}\n"
        write_whole(file, f"{of_runs}{head}shipped_studies: false\nstudies:\n{''.join(texts)}")
    page = quote(f"results/render/{names[0]}.html")
    link = f'<meta http-equiv="refresh" content="0; url={page}">\n<a href="{page}">The report</a>\n'
    write_whole(folder / ENTRY, link)
    again = shlex.join(["surefoot", "run", *_targets(names), "--directory", str(folder), "--configfile", str(file)])
    say(f"to run it again after an edit of {file}: {again}")
    return names


def _scored(
    name: str,
    metric: str,
    metrics: Mapping[str, pd.DataFrame],
    choices: Choices,
    runs: Path,
    file: Path,
    kept: Mapping[str, Any] | None,
    problems: list[InputError],
) -> _Scored:
    """Return the runs of a metric, scored by the choices or the existing study.

    Raises
    ------
    InputError
        if anything prevents a comparison, together with `problems`, the errors from reading
    """
    table = metrics[metric]
    for option in ("rule", "amount", "short_runs") if "step" not in table else ():
        if getattr(choices, option) is not None:
            what = "it is for learning curves, and these runs have one score each"
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
    if choices.unlike_protocols == "error" and not any(NOT_COMPARED in problem.what for problem in problems):
        with noted(problems):
            refuse_unlike(str(runs), {"logs": logs})
    with noted(problems):
        scores, rule = scores_of(complete, choices, str(runs))
    raise_all(str(runs), problems)
    compared = with_all_cells(scores, policy)
    if len(compared) < len(scores):  # all runs of a cell were short and dropped
        complete = complete.merge(compared[list(RUN)], on=list(RUN))
        complete.attrs = table.attrs
        logs = logs_of(complete, short_runs)
    section = dict(kept) if kept is not None else study(table, compared, choices, logs, metric)
    return _Scored(name, metric, table, compared, rule, logs, section)


def _print_summary(part: _Scored) -> None:
    """Print what is left out, how runs are scored, and which facts are missing in the logs."""
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
    for line in protocol_lines(stated | {"logs": part.logs}, part.scores):
        say(line)


def _write_tables(folder: Path, part: _Scored) -> None:
    """Write the files of curves or scores that the study's source names, which may have been edited."""
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
    for name, columns, rows in ((CURVES_FILE, _OF_CURVES, table), (SCORES_FILE, _COLUMNS, scores)):
        if named == name.format(ending):
            kept = [*columns, *part.table.attrs.get(HYPERPARAMETERS, ())]
            written = rows[rows.columns.intersection(kept)]
            # The page shows remarks on the scores; remarks on reading are printed in the terminal.
            remarks = [*(rows.attrs.get(REMARKS, ()) if name == SCORES_FILE else ()), *filter(None, [unnamed])]
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
    """Replace the rows of these runs by one row without a score each.

    Parameters
    ----------
    names : algorithm, environment and run of each
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


def _targets(names: Sequence[str]) -> Sequence[str]:
    """Return the targets for all pages of a report: its study, or everything if there are several."""
    return names if len(names) == 1 else []


def _arguments(folder: Path, names: Sequence[str], cores: int | None) -> list[str]:
    """Return the arguments of Snakemake with which it makes the pages of a report."""
    arguments = [*_targets(names), "--directory", str(folder), "--configfile", str(folder / STUDY_FILE)]
    return [*arguments, "--cores", str(cores or "all")]


def _refuse_other_names(table: pd.DataFrame, file: Path) -> None:
    """Raise an InputError if the table and study of an earlier report are of other runs."""
    if not file.is_file():
        return
    earlier = pd.read_parquet(file, columns=list(RUN[:2])).astype(str)
    algorithms, environments = (sorted(earlier[name].unique()) for name in RUN[:2])
    same_environments = set(environments) == set(table["environment"].astype(str))
    if not same_environments or set(algorithms).isdisjoint(table["algorithm"].astype(str)):
        names = f"{listed(algorithms, _LISTED)} in {listed(environments, _LISTED)}"
        what = f"{file.parent} has the report of other runs ({names})"
        raise InputError("command line: -o", what, f"-o {shlex.quote(f'{file.parent}-2')}, or any other, keeps both")


def _as_argument(text: str) -> str:
    """Convert options of the command in a message to arguments of the function."""
    text = re.sub(r"(?<![\w-])-o(?![\w-])", "--folder", text.removeprefix("command line: "))

    def argument(option: re.Match[str]) -> str:
        name = option[1].replace("-", "_")
        value = option[2]
        return f'{name}="{shlex.split(value)[0]}"' if value else name

    return re.sub(r"--([a-z-]+)(?: ('.+?'|[\w/.][^\s,;]*))?", argument, text)
