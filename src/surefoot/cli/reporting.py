"""report: from a folder of runs, or a table of them in a notebook, to a page, through a study that can be edited and
run again."""

import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

import pandas as pd

from surefoot.arguments import types_checked
from surefoot.build.errors import InputError, noted, raise_all
from surefoot.build.files import whole_file, write_whole
from surefoot.cli.reading import protocol_lines, say, summary_lines
from surefoot.cli.report_files import (
    RUNS_FILE,
    STUDY_FILE,
    check_folder,
    kept_choices,
    kept_studies,
    refuse_contradictions,
    renew_study_file,
    runs_line,
    source_of_runs,
    study_text,
)
from surefoot.cli.report_study import (
    CURVES_FILE,
    DEFAULTS,
    SCORES_FILE,
    Choices,
    chosen_scale,
    lower_environments,
    other_policy,
    refuse_lower_scores,
    scores_of,
    source_of,
    study,
    with_all_cells,
)
from surefoot.columns import HYPERPARAMETERS, RUN, check_runs
from surefoot.errors import HintedError, Remark, listed
from surefoot.logs.protocol import protocols_in_logs, refuse_unlike
from surefoot.logs.reading import read_runs
from surefoot.protocol.sentences import NOT_COMPARED
from surefoot.result_tables import REMARKS, SCALE
from surefoot.sources.checks import left_out, single_runs
from surefoot.sources.given.arrays import pandas_table

ENTRY = "report.html"
"""The file of a report that leads to its page, wherever the folder is moved."""
_COLUMNS = (*RUN, "score")
_OF_CURVES = (*_COLUMNS, "step", "episodes", "kind", "metric")
_FROM_READING = ("format", "metrics", "returns", "kind_is_stated", "points_are_numbered")
"""What `surefoot.read_runs` keeps of a table beside its rows, and is read again from a file."""
_LENIENT = {"invalid_scores": "drop", "unlike_protocols": "remark"}
"""How a folder is read once more that was refused."""
_LONGEST_NAME = 40
_LISTED = 3
_LINES = 20
"""How many of the last lines of a failed run an error quotes."""


@types_checked
def report(
    runs: Any,
    folder: str | Path = "surefoot-report",
    *,
    rule: str | None = None,
    amount: float | None = None,
    short_runs: str | None = None,
    missing_cells: str | None = None,
    scale: str | None = None,
    lower_is_better: bool | str | Sequence[str] = False,
    unlike_protocols: Literal["error", "remark"] = "error",
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
        from surefoot.sources.given.scores import read_scores  # brings scipy, which importing this module does not

        table = read_scores(table, checked=True)
    check_runs("runs", table)
    if scale is None and SCALE in table.attrs:
        scale = "none"
    if isinstance(lower_is_better, str):
        lower_is_better = [lower_is_better]
    lower = lower_is_better if isinstance(lower_is_better, bool) else list(lower_is_better)
    choices = Choices(rule, amount, short_runs, missing_cells, scale, lower, unlike_protocols)
    metrics = list(dict.fromkeys(table["metric"].astype(str))) if "metric" in table else None
    file = output / RUNS_FILE
    hyperparameters = table.attrs.get(HYPERPARAMETERS, ())
    try:
        if not hyperparameters:
            _refuse_single_algorithm(table, "runs", "a table with the runs of several")
        check_folder(output)
        kept_studies(output / STUDY_FILE, file, len(metrics or [""]))
        _refuse_other_names(table, file)
        _keep(table, file)
        names = write_study(file, output, choices, format="table", metric=metrics, hyperparameters=hyperparameters)
    except InputError as error:
        raise HintedError(_as_argument(error.where), error.what, _as_argument(error.hint)) from None
    command = _making_pages(output, names, cores)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        output_lines = "\n".join([*done.stdout.splitlines(), *done.stderr.splitlines()][-_LINES:])
        what = f"its page is not made:\n{output_lines}"
        raise HintedError(str(output / STUDY_FILE), what, f"try {shlex.join(command)}")
    return Path(done.stdout.splitlines()[-1])


def report_folder(folder: Path, output: Path, choices: Choices, cores: int | None, reading: Mapping[str, Any]) -> int:
    """Read a folder of runs, say what is in it, write scores and a study of them, and make its page; returns the exit
    status. The path of the page is the last line that is printed.

    Parameters
    ----------
    output : folder of the report
    cores : to use; None for all
    reading : arguments of `surefoot.read_runs`
    """
    names = write_study(folder, output, choices, **reading)
    return subprocess.run(_making_pages(output, names, cores), check=False).returncode


class _Part(NamedTuple):
    """The runs of one metric, which become a study.

    name : of the study
    metric : its name, "" where there is one alone
    table : as it was read
    scores, rule : one score for each run that is compared, and how a curve became one
    protocol : what the logs say of the scores, as the study has it
    author : what the author of an earlier study has stated of it
    source : the study's
    section : the study, where it is a new one
    """

    name: str
    metric: str
    table: pd.DataFrame
    scores: pd.DataFrame
    rule: str
    protocol: dict[str, Any]
    author: dict[str, Any]
    source: dict[str, Any]
    section: dict[str, Any]


def write_study(runs: Path, folder: Path, choices: Choices, **reading: Any) -> list[str]:
    """Read a folder of runs, say what is in it, and write scores and a study of each metric; returns their names.

    A study that is there already is kept, since it may have been edited: what the logs say of the protocol is written
    anew, as are the scores.

    Raises
    ------
    InputError
        for runs and choices that make no study, and for choices that contradict the study that is there
    """
    file = folder / STUDY_FILE
    check_folder(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Remark)  # which the summary tells
        problems: list[InputError] = []
        with noted(problems):
            table = read_runs(runs, **reading)
        if problems:  # what else is to be decided shows without what was refused
            try:
                table = read_runs(runs, **reading | _LENIENT)
            except InputError:
                raise_all(str(runs), problems)
                raise
    say(summary_lines(table))
    metrics = _by_metric(table)
    kept = kept_studies(file, runs, len(metrics))
    names = list(kept) or _study_names(runs, list(metrics))
    parts = [
        _part(name, metric, metrics, choices, runs, file, kept.get(name), problems)
        for name, metric in zip(names, metrics, strict=True)
    ]
    for part in parts:
        _print_part(part)
        _write_tables(folder, part)
    protocols = [_kept_protocol(part) for part in parts]
    if kept:
        renewed = renew_study_file(file, protocols)
        say(f"{file} is kept as it is{', but for what the logs say' if renewed else ''}")
    else:
        texts = [
            study_text(part.name, part.section, protocol, choices.unlike_protocols)
            for part, protocol in zip(parts, protocols, strict=True)
        ]
        head = _head(runs, folder, parts, table.attrs["remarks"])
        write_whole(file, f"{head}shipped_studies: false\nstudies:\n{''.join(texts)}")
    page = quote(f"results/render/{names[0]}.html")
    write_whole(
        folder / ENTRY, f'<meta http-equiv="refresh" content="0; url={page}">\n<a href="{page}">The report</a>\n'
    )
    again = shlex.join(["surefoot", "run", *_targets(names), "--directory", str(folder), "--configfile", str(file)])
    say(f"to run it again after an edit of {file}: {again}")
    return names


def _part(
    name: str,
    metric: str,
    metrics: Mapping[str, pd.DataFrame],
    choices: Choices,
    runs: Path,
    file: Path,
    kept: Mapping[str, Any] | None,
    problems: list[InputError],
) -> _Part:
    """The runs of a metric, scored as is chosen, or as the study that is there says.

    Raises
    ------
    InputError
        for all that keeps these runs from being compared, and for `problems`, what was wrong with reading them
    """
    table = metrics[metric]
    _refuse_needless(choices, table)
    author: dict[str, Any] = {}
    settled: dict[str, Any] = {key: getattr(choices, key) or usual for key, usual in DEFAULTS.items()}
    given = choices
    if kept is not None:
        author = {key: text for key, text in (kept.get("protocol") or {}).items() if key not in ("rule", "logs")}
        settled = kept_choices(kept)
        if author.get("unlike") == "remark":
            settled["unlike_protocols"] = "remark"
        refuse_contradictions(file, settled, choices._replace(lower_is_better=False))
    choices = choices._replace(**settled)
    policy = str(choices.missing_cells)
    hint = "name a folder with the runs of several, or --pattern where paths tell them apart"
    with noted(problems):
        if HYPERPARAMETERS not in table.attrs:
            _refuse_single_algorithm(table, str(runs), hint)
    complete = table
    lacking: list[InputError] = []
    with noted(lacking):
        complete = with_all_cells(table, policy)
    problems += lacking
    if lacking:  # what else is to be decided shows once these cells are
        with noted([]):
            complete = with_all_cells(table, "drop_algorithm")
    protocol: dict[str, Any] = {"logs": protocols_in_logs(complete, str(choices.short_runs))}
    if choices.unlike_protocols == "error" and not any(NOT_COMPARED in problem.what for problem in problems):
        with noted(problems):
            refuse_unlike(str(runs), protocol)
    with noted(problems):
        all_scores, rule = scores_of(complete, choices, str(runs))
    raise_all(str(runs), problems)
    if HYPERPARAMETERS not in table.attrs:
        _refuse_single_algorithm(complete, str(runs), hint)
    scores = with_all_cells(all_scores, policy)  # short runs may have been all of a cell
    if len(scores) < len(all_scores):
        complete = complete.merge(scores[list(RUN)], on=list(RUN))
        complete.attrs = table.attrs
        protocol = {"logs": protocols_in_logs(complete, str(choices.short_runs))}
    if rule:
        protocol = {"rule": rule, **protocol}
    if kept is not None:
        lower = lower_environments(given.lower_is_better, scores, metric, list(metrics))
        refuse_contradictions(file, settled, Choices(lower_is_better=lower))
    lower = lower_environments(choices.lower_is_better, scores, metric, list(metrics))
    if rule:
        refuse_lower_scores(str(choices.rule), lower)
    if kept is not None:
        return _Part(name, metric, table, scores, rule, protocol, author, source_of_runs(kept), {})
    source = source_of(table, choices, _letters(metric), bool(lower))
    source |= {"missing_cells": policy} if policy != "error" else {}
    scale = chosen_scale(choices.scale, scores, lower)
    section = study(scores, scale, source, lower, other_policy(source, protocol), metric)
    return _Part(name, metric, table, scores, rule, protocol, author, source, section)


def _refuse_needless(choices: Choices, table: pd.DataFrame) -> None:
    """Raise an InputError where it is chosen how curves become scores, and there are scores."""
    for name in ("rule", "amount", "short_runs") if "step" not in table else ():
        if getattr(choices, name) is not None:
            what = "it is for learning curves, and these runs have one score each"
            raise InputError(f"command line: --{name.replace('_', '-')}", what, "leave the option out")


def _refuse_single_algorithm(table: pd.DataFrame, where: str, hint: str) -> None:
    if table["algorithm"].nunique() < 2:
        only = table["algorithm"].iloc[0]
        raise InputError(where, f'a comparison needs two algorithms, and there is only "{only}"', hint)


def _print_part(part: _Part) -> None:
    """Print who is left out, how runs are scored, and how what the logs do not say may be stated."""
    if part.metric:
        say(f"{part.metric}:")
    for line in filter(None, [*left_out(part.table, part.scores), single_runs(part.scores)]):
        say(line)
    if part.rule:
        say(f"score of a run: {part.rule}")
    for remark in part.scores.attrs.get(REMARKS, ()):
        say(f"remark: {remark}")
    for line in protocol_lines({**part.author, **part.protocol}, part.scores):
        say(line)


def _kept_protocol(part: _Part) -> dict[str, Any]:
    """What its study keeps of the protocol: a source of learning curves says itself how they become scores."""
    curves = part.source.get("kind") == "learning_curves"
    return {key: value for key, value in part.protocol.items() if not (curves and key == "rule")}


def _by_metric(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The runs of each metric by its name; "" where there is one alone."""
    if "metric" not in table or table["metric"].nunique() < 2:
        return {"": table}
    parts = table.groupby("metric", sort=False, observed=True)
    return {str(metric): part.drop(columns="metric").reset_index(drop=True) for metric, part in parts}


def _head(runs: Path, folder: Path, parts: Sequence[_Part], remarks: Sequence[str]) -> str:
    lines = [
        f"Written by `surefoot report {runs}`: edit it, and run it again in this folder with",
        " ".join(["surefoot run", *_targets([part.name for part in parts]), f"--configfile {STUDY_FILE}"]),
    ]
    rules = {part.rule: None for part in parts if part.rule and part.source["kind"] == "score_table"}
    lines += [f"Score of a run: {rule}." for rule in rules]
    return runs_line(runs, folder) + "".join(f"# {' '.join(line.split())}\n" for line in [*lines, *remarks])


def _write_tables(folder: Path, part: _Part) -> None:
    """The files of curves or scores that the study's source names, which may have been edited."""
    ending = f"_{_letters(part.metric)}" if part.metric else ""
    for name, columns, rows in ((CURVES_FILE, _OF_CURVES, part.table), (SCORES_FILE, _COLUMNS, part.scores)):
        if part.source.get("file") == name.format(ending):
            kept = [*columns, *part.table.attrs.get(HYPERPARAMETERS, ())]
            with whole_file(folder / name.format(ending)) as temporary:
                rows[rows.columns.intersection(kept)].to_parquet(temporary, index=False)


def _study_names(folder: Path, metrics: Sequence[str]) -> list[str]:
    """A name of a study for each metric, made of that of a folder, and of the metric where there are several.

    Raises
    ------
    InputError
        where two would be one
    """
    names = []
    for metric in metrics:
        name = _letters(f"{folder.resolve().stem[:_LONGEST_NAME]} {metric}")
        names.append(name if name[:1].isalpha() else f"runs_{name}".rstrip("_"))
    if len(set(names)) < len(names):
        what = f"{' and '.join(metrics)} would be one name of a study"
        raise InputError("command line: --metric", what, "fewer metrics")
    return names


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def _targets(names: Sequence[str]) -> Sequence[str]:
    """What makes all pages of a report: its study, or where there are several everything."""
    return names if len(names) == 1 else []


def _making_pages(folder: Path, names: Sequence[str], cores: int | None) -> list[str]:
    """The command that makes the pages of the studies; the path of the last one is the last line that it prints."""
    command = [sys.executable, "-m", "surefoot", "run", *_targets(names), "--directory", str(folder), "--configfile"]
    return [*command, str(folder / STUDY_FILE), *(["--cores", str(cores)] if cores else [])]


def _refuse_other_names(table: pd.DataFrame, file: Path) -> None:
    """Raise a HintedError where an earlier report's table is of other runs, to which its study belongs."""
    if not file.is_file():
        return
    earlier = pd.read_parquet(file, columns=list(RUN[:2])).astype(str)
    environments = sorted(earlier["environment"].unique())
    algorithms = sorted(earlier["algorithm"].unique())
    same_environments = set(environments) == set(table["environment"].astype(str))
    if same_environments and not set(algorithms).isdisjoint(table["algorithm"].astype(str)):
        return
    names = f"{listed(algorithms, _LISTED)} in {listed(environments, _LISTED)}"
    what = f"{file.parent} has the report of other runs ({names})"
    raise HintedError("folder", what, f'folder="{file.parent}-2", or any other, keeps both')


def _keep(table: pd.DataFrame, file: Path) -> None:
    """Write the table, with names that may be numbers in one row and texts in another as texts."""
    mixed = [name for name in RUN if table[name].dtype == object]
    kept = table.astype(dict.fromkeys(mixed, str)).reset_index(drop=True)
    kept.attrs = {name: table.attrs[name] for name in _FROM_READING if name in table.attrs}
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(file) as temporary:
        kept.to_parquet(temporary, index=False)


def _as_argument(text: str) -> str:
    """What the command says of its options, as it is for the arguments of the function."""
    text = re.sub(r"^command line: ", "", text)
    text = re.sub(r"(?<![\w-])-o ('.+?'|\S+)", lambda found: f'folder="{shlex.split(found[1])[0]}"', text)
    text = re.sub(r"(?<![\w-])-o(?![\w-])", "folder", text)
    text = re.sub(r"--([a-z-]+) (\w+)", lambda found: f'{found[1].replace("-", "_")}="{found[2]}"', text)
    return re.sub(r"--([a-z-]+)", lambda found: found[1].replace("-", "_"), text)
