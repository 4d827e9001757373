"""report: from a folder of runs to a page, through a study that can be edited and run again."""

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pandas as pd
import yaml

from surefoot.build.errors import InputError, nearest
from surefoot.build.files import whole_file, write_whole
from surefoot.build.job import CONFIGURATION
from surefoot.charts.drawing import OTHER_RUNS, OTHERWISE
from surefoot.cli.first_attempts import with_all_problems
from surefoot.cli.folders import refuse_files
from surefoot.cli.kept_studies import (
    changed_study,
    options_of_study,
    other_policy,
    refuse_other_runs,
    refuse_other_scale,
    source_of_study,
    with_runs_line,
)
from surefoot.cli.protocols import (
    checked_protocol,
    protocol_of,
    protocol_text,
    renew_protocols,
    tell_protocol,
    told_in_study,
    with_rule,
)
from surefoot.cli.reading import read_as_asked, told
from surefoot.cli.report_scale import chosen_scale, lower_environments, other_scales, thresholds
from surefoot.cli.running import check_configuration_file
from surefoot.configuration.yaml_files import read_yaml
from surefoot.curves.rules import RULES, TOLERANCE
from surefoot.curves.scores import higher_is_better, scored_curves
from surefoot.errors import HintedError, printable
from surefoot.result_tables import REMARKS
from surefoot.sources.cells import left_out, single_runs
from surefoot.sources.score_table.read import without_missing_cells
from surefoot.sources.settings import MissingCells

STUDY_FILE = "study.yaml"
RUNS_FILE = "runs.parquet"
"""The table that `surefoot.report` was given, in the folder of its report."""
SCORES_FILE, CURVES_FILE = "scores{}.parquet", "curves{}.parquet"
"""With the metric, where there are several."""
RUNS_OF_A_GAME = 30
"""With fewer, nearly all intervals of the scores of a game reach from 0 to 1, and are not drawn."""
_SCORES = {"kind": "score_table", "file": SCORES_FILE.format("")}
_RESAMPLES = 10_000
"""Of curves: limits of all of some fifty steps at once are far out, where a thousand resamples have none."""
_OF_HIGHER_SCORES = ("best", "steps_to")
"""Rules that look for high scores along a curve."""
MISSING_CELLS = get_args(get_args(MissingCells)[0])
"""What `--missing-cells` can be."""
_ONLY_MEANS = frozenset(("task_means", "run_curves"))
"""What is asked of single runs."""
_LONGEST_NAME = 40
_NEEDED = ("algorithm", "environment", "run", "score")
_OF_CURVES = (*_NEEDED, "step", "episodes", "kind", "metric")


class _Part(NamedTuple):
    """The runs of one metric, which become a study.

    name : of the study
    metric : its name, "" where there is one alone
    table : as it was read
    scores, rule : one score for each run that is compared, and how a curve became one
    protocol : what a score is, as the study has it
    source : the study's
    lower : where lower scores are better; see `surefoot.cli.report_scale`
    """

    name: str
    metric: str
    table: pd.DataFrame
    scores: pd.DataFrame
    rule: str
    protocol: dict[str, Any]
    source: dict[str, Any]
    lower: bool | list[str]


def report(options: argparse.Namespace) -> int:
    """Read a folder of runs, say what was found, write scores and a study of them, and make its page.

    The path of the page is the last line that is printed.
    """
    return subprocess.run(write_study(options), check=False).returncode


def write_study(options: argparse.Namespace) -> list[str]:
    """Read a folder of runs, say what was found, and write scores and a study of them; returns the command that makes
    its pages.

    A study that is there already is kept, since it may have been edited: options that are given change its keys, and
    what the logs say of the protocol is written anew, as are the scores.

    Raises
    ------
    InputError
        for runs and options that make no study; with all that is to be decided, where the options are those of a
        command line and have its words
    """
    folder, file = options.output, options.output / STUDY_FILE
    check_folder(folder)
    kept = file.is_file()
    if kept:
        check_configuration_file(file)
        refuse_other_runs(file, options.folder)
    if options.missing_cells not in (None, *MISSING_CELLS):
        what = f'"{options.missing_cells}" is not known'
        raise InputError("command line: --missing-cells", what, nearest(options.missing_cells, MISSING_CELLS))
    try:
        read, parts, authors, contents = _read_and_scored(options, file, tell=True)
    except InputError:
        if options.words is None:
            raise
        raise with_all_problems(options, lambda trial: _read_and_scored(trial, file)) from None
    names, metrics = [part.name for part in parts], [part.metric for part in parts]
    studies = _studies_of(file, len(parts)) if kept else {}
    text, changes = file.read_text(encoding="utf-8") if kept else "", []
    for part in parts if kept else ():
        _refuse_other_scale(file, studies[part.name], part, options, metrics)
        text, changed = changed_study(text, part.name, studies[part.name], options)
        changes += [f"{change}{f' in {part.name}' if len(parts) > 1 else ''}" for change in changed]
    for part, author in zip(parts, authors, strict=True):
        _tell(part, author)
    if kept:
        for part in parts:
            _write_tables(folder, part, text)
        write_whole(file, with_runs_line(text, options.folder, folder))
        renewed = renew_protocols(file, [_kept_protocol(part) for part in parts])
        but = ["what the logs say"] * renewed + ["these options"] * bool(changes)
        print(f"{file} is kept as it is{', but for ' if but else ''}{' and '.join(but)}")
        for change in changes:
            print(f"changed: {change}")
        for part in parts:
            kinds = studies[part.name].get("questions") or ["all"]
            if _ONLY_MEANS.issuperset(kinds) and not single_runs(part.scores):
                print(f"{part.name} asks for means alone, as of single runs: move {file} away for a full study")
    else:
        for part in parts:
            _write_tables(folder, part, str(part.source["file"]))
        text = "".join(
            study_text(part.name, contents[part.name]) + protocol_text(_kept_protocol(part), options.unlike_protocols)
            for part in parts
        )
        write_whole(file, f"{_head(options, parts, read.attrs['remarks'])}shipped_studies: false\nstudies:\n{text}")
        environments = list(dict.fromkeys(read["environment"].astype(str)))
        scales = contents[parts[0].name].get("scales")
        if options.scale is None and scales and (others := other_scales(environments, scales["runs"])):
            print(others)
    again = shlex.join(["surefoot", "run", *_targets(names), "--directory", str(folder), "--configfile", str(file)])
    print(f"to run it again after an edit of {file}: {again}", flush=True)
    return _making_pages(folder, names, options.cores)


def _read_and_scored(
    options: argparse.Namespace, file: Path, tell: bool = False
) -> tuple[pd.DataFrame, list[_Part], list[dict[str, Any]], dict[str, dict[str, Any]]]:
    """The table that was read, the part of it of each study, what authors of kept studies say of their protocols, and
    new studies by name.

    Raises
    ------
    InputError
        for the first thing that keeps these runs from being compared
    """
    read = read_as_asked(options)
    if tell:
        print(told(read), flush=True)
    metrics, kept = _by_metric(read), file.is_file()
    studies = _studies_of(file, len(metrics)) if kept else {}
    names = list(studies) if kept else _study_names(options.folder, list(metrics))
    authors = [told_in_study(file, name) if kept else {} for name in names]
    if any(author.get("unlike") == "remark" for author in authors):
        options.unlike_protocols = "remark"
    parts = [_part(name, metrics, one, options, studies.get(name)) for name, one in zip(names, metrics, strict=True)]
    return read, parts, authors, {} if kept else {part.name: _study(part, options) for part in parts}


def _part(
    name: str,
    metrics: Mapping[str, pd.DataFrame],
    metric: str,
    given: argparse.Namespace,
    kept: Mapping[str, Any] | None,
) -> _Part:
    """The runs of a metric, scored as the options say and, where they say nothing, as the kept study does."""
    options = options_of_study(kept or {}, given)
    table = metrics[metric]
    complete = with_all_cells(table, options.missing_cells)
    _refuse_single_algorithm(complete, options.folder)
    protocol = checked_protocol(complete, options)
    all_scores, rule = scores_of(complete, options)
    scores = with_all_cells(all_scores, options.missing_cells)  # short runs may have been all of a cell
    if len(scores) < len(all_scores):
        complete = complete.merge(scores[list(_NEEDED[:3])], on=list(_NEEDED[:3]))
        complete.attrs = table.attrs
        protocol = protocol_of(complete, options.short_runs)
    if rule:
        protocol = with_rule(protocol, rule, complete)
    lower = lower_environments(options.lower_is_better, scores, metric, list(metrics))
    if rule and lower and options.rule in _OF_HIGHER_SCORES:
        what = f"{options.rule} takes the higher of two scores for the better one, and there are lower ones that are"
        raise InputError("command line: --rule", what, "window, last or auc; or log the negative of the score")
    source = source_of_study(kept)[1] if kept else {}
    if not source:
        source = source_of(table, options, f"_{_letters(metric)}" if metric else "", bool(lower))
        source |= {"missing_cells": options.missing_cells} if options.missing_cells != "error" else {}
    return _Part(name, metric, table, scores, rule, protocol, source, lower)


def with_all_cells(runs: pd.DataFrame, policy: str) -> pd.DataFrame:
    """The runs of algorithms that have some in every environment, by the policy for others, as a study's source has it.

    Raises
    ------
    InputError
    """
    try:
        kept = without_missing_cells(runs, policy, "")
    except InputError as error:
        hint = "--missing-cells drop_algorithm or drop_environment, or add runs"
        raise InputError("command line: --missing-cells", error.what, hint) from None
    kept.attrs = runs.attrs
    return kept


def _refuse_single_algorithm(table: pd.DataFrame, folder: Path) -> None:
    if table["algorithm"].nunique() < 2:
        only = table["algorithm"].iloc[0]
        hint = "name a folder with the runs of several, or --pattern where paths tell them apart"
        raise InputError(str(folder), f'a comparison needs two algorithms, and there is only "{only}"', hint)


def _refuse_other_scale(
    file: Path, content: Mapping[str, Any], part: _Part, options: argparse.Namespace, metrics: Sequence[str]
) -> None:
    scale, lower = None, None
    if options.scale is not None:
        scale = chosen_scale(options.scale, part.scores)
    if options.lower_is_better:
        lower = lower_environments(options.lower_is_better, part.scores, part.metric, metrics) or False
    refuse_other_scale(file, content, scale, lower)


def _tell(part: _Part, author: Mapping[str, Any]) -> None:
    if part.metric:
        print(f"{part.metric}:")
    for line in filter(None, [*left_out(part.table, part.scores), single_runs(part.scores)]):
        print(line)
    if part.rule:
        print(f"score of a run: {part.rule}")
    for remark in part.scores.attrs.get(REMARKS, ()):
        print(f"remark: {printable(remark)}")
    tell_protocol({**author, **part.protocol}, part.scores)


def _kept_protocol(part: _Part) -> dict[str, Any]:
    """What its study keeps of the protocol: a source of learning curves says itself how they become scores."""
    curves = part.source["kind"] == "learning_curves"
    return {key: value for key, value in part.protocol.items() if not (curves and key == "rule")}


def _by_metric(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The runs of each metric by its name; "" where there is one alone."""
    if "metric" not in table or table["metric"].nunique() < 2:
        return {"": table}
    parts = table.groupby("metric", sort=False, observed=True)
    return {str(metric): part.drop(columns="metric").reset_index(drop=True) for metric, part in parts}


def _studies_of(file: Path, expected: int) -> dict[str, Any]:
    """The studies of a file by name.

    Raises
    ------
    InputError
        where there are not as many as expected, one for each metric
    """
    content = read_yaml(file)
    studies = content.get("studies") if isinstance(content, Mapping) else None
    if not isinstance(studies, Mapping) or len(studies) != expected:
        wanted = "one study" if expected == 1 else f"{expected} studies, one for each metric"
        raise InputError(str(file), f"it does not have {wanted}", "move it away, and a new one is written")
    return {str(name): study for name, study in studies.items()}


def check_folder(folder: Path) -> None:
    """Raise an InputError for a folder that holds something else than a report, or a report without its study."""
    refuse_files(folder)
    is_report = (folder / STUDY_FILE).is_file() or (folder / CONFIGURATION).is_file()
    if folder.is_dir() and {path.name for path in folder.iterdir()} - {RUNS_FILE} and not is_report:
        raise InputError("command line: -o", f"{folder} holds something else already", "the name of another folder")


def scores_of(table: pd.DataFrame, options: argparse.Namespace) -> tuple[pd.DataFrame, str]:
    """One score for each run, and the rule by which a curve became one; no rule where there are no curves."""
    if "step" not in table.columns:
        return table, ""
    # Algorithms of unlike protocols are scored apart: they need not have the same kind of scores, nor equal lengths.
    apart = options.unlike_protocols == "remark"
    parts = [part for _, part in table.groupby("algorithm", sort=False, observed=True)] if apart else [table]
    try:
        scored = [scored_curves(part, options.rule, options.amount, options.short_runs) for part in parts]
    except HintedError as error:
        option = error.where.rpartition(": ")[2] if ": " in error.where else ""
        where = f"command line: --{option.replace('_', '-')}" if option else str(options.folder)
        raise InputError(where, error.what, _as_options(error.hint)) from None
    scores = pd.concat(scored, ignore_index=True)
    scores.attrs = {} if apart else scored[0].attrs
    if RULES[options.rule].lower_is_better:
        scores = higher_is_better(scores, table)
    return scores, str(scores["rule"].iloc[0])


def _as_options(hint: str) -> str:
    """A hint that names arguments of a function, such as short_runs="drop", with the options of the command."""
    return re.sub(r'(\w+)=("?)([\w.]+)\2', lambda found: f"--{found[1].replace('_', '-')} {found[3]}", hint)


def source_of(
    table: pd.DataFrame, options: argparse.Namespace, ending: str = "", lower: bool = False
) -> dict[str, Any]:
    """The source of a study: learning curves, where every run has several points, else scores.

    ending : of the name of its file
    lower : whether lower scores are better somewhere, which is said of scores alone
    """
    scores = {"kind": "score_table", "file": SCORES_FILE.format(ending)}
    if lower or options.unlike_protocols == "remark":  # whose curves may be of unlike kinds and lengths
        return scores
    if "step" not in table.columns or table.groupby(list(_NEEDED[:3]), observed=True)["step"].nunique().min() < 2:
        return scores
    source = {"kind": "learning_curves", "file": CURVES_FILE.format(ending), "rule": options.rule}
    if options.amount is not None:
        source["amount"] = options.amount
    ends = table.groupby("environment", observed=True)["step"].max()
    together = ends.min() >= ends.max() * (1.0 - TOLERANCE)
    return source | {"short_runs": options.short_runs, "along": "steps" if together else "percent"}


def study(
    title: str,
    runs: int,
    scale: Mapping[str, Any],
    thresholds: Mapping[str, float],
    source: Mapping[str, Any] = _SCORES,
    otherwise: str | None = None,
    single: bool = False,
) -> dict[str, Any]:
    """A study of the scores, with what its reader will ask, as the configuration has it.

    Parameters
    ----------
    runs : fewest of an algorithm in an environment
    scale, thresholds : see `surefoot.cli.report_scale`
    source : of the runs; of learning curves, the study asks of these too
    otherwise : another policy for short runs, whose verdict is shown beside; None where there are no short runs
    single : whether an algorithm has one run in each environment: then only means and curves are asked for
    """
    curves = source["kind"] == "learning_curves"
    head = {"title": title, "question": "Which algorithm is best, and how sure can we be of it?"}
    if single:
        asked: dict[str, Any] = {"task_means": {}} | ({"run_curves": {}} if curves else {})
        return head | {"sources": {"runs": dict(source)}, "questions": asked}
    questions: dict[str, Any] = {}
    if runs >= RUNS_OF_A_GAME:
        questions = {"game_scores": {}, "game_intervals": {}}
    questions["pairwise_differences"] = {}
    gap = [] if scale["kind"] == "none" else ["optimality_gap"]  # to a score of 1, which raw scores do not have
    questions["aggregates"] = {"metrics": ["iqm", "median", "mean", *gap], "methods": ["student"]}
    questions["profiles"] = {"thresholds": dict(thresholds)}
    questions |= {"improvement": {}, "ranks": {}, "task_means": {}}
    if runs > 2:
        questions["how_many_runs"] = {"kind": "run_plans"}
    scales = {"runs": dict(scale)}
    if curves:
        scales["curves"] = scales["runs"] | {"source": "runs_curves"}
        if runs > 1:
            metric = "mean" if scale["kind"] == "none" else "iqm"
            questions["sample_efficiency"] = {"metrics": [metric], "band": "simultaneous", "replicates": _RESAMPLES}
            questions["curve_differences"] = {"metrics": [metric]}
        questions["run_curves"] = {}
    sources = {"runs": dict(source)}
    if otherwise is not None:
        sources[OTHER_RUNS] = dict(source) | {"short_runs": otherwise}
        scales[OTHER_RUNS] = scales["runs"] | {"source": OTHER_RUNS}
        questions[OTHERWISE] = {"kind": "pairwise_differences", "scores": [OTHER_RUNS]}
    return head | {"sources": sources, "scales": scales, "questions": questions}


def _study(part: _Part, options: argparse.Namespace) -> dict[str, Any]:
    runs = part.scores.groupby(["algorithm", "environment"], observed=True).size()
    given = options.folder.resolve()
    own = given == (options.output / RUNS_FILE).resolve()
    title = ("The runs" if own else f"The runs in {given.name}") + (f": {part.metric}" if part.metric else "")
    scale = chosen_scale(options.scale, part.scores, part.lower)
    source = part.source | ({"lower_is_better": part.lower} if part.lower else {})
    grid = thresholds(part.scores, scale, part.lower)
    single = bool(single_runs(part.scores))
    return study(title, int(runs.min()), scale, grid, source, _policy_beside(part), single)


def _policy_beside(part: _Part) -> str | None:
    """Another policy for short runs, where there are such.

    It makes scores of the same cells: an algorithm whose runs all end early in an environment is refused before, since
    its protocol is unlike those of others.
    """
    early = any("ended_early" in logs for logs in part.protocol["logs"].values())
    return other_policy(part.source["short_runs"]) if early and part.source["kind"] == "learning_curves" else None


def _head(options: argparse.Namespace, parts: Sequence[_Part], remarks: Sequence[str]) -> str:
    lines = [
        f"Written by `surefoot report {options.folder}`: edit it, and run it again in this folder with",
        " ".join(["surefoot run", *_targets([part.name for part in parts]), f"--configfile {STUDY_FILE}"]),
    ]
    rules = {part.rule: None for part in parts if part.rule and part.source["kind"] == "score_table"}
    lines += [f"Score of a run: {rule}." for rule in rules]
    text = "".join(f"# {' '.join(line.split())}\n" for line in [*lines, *remarks])
    return with_runs_line(text, options.folder, options.output)


def study_text(name: str, content: Mapping[str, Any]) -> str:
    """A study as the section `studies` of a file has it."""
    text = str(yaml.safe_dump({name: dict(content)}, sort_keys=False, allow_unicode=True))
    return "".join(f"  {line}\n" for line in text.splitlines())


def _write_tables(folder: Path, part: _Part, text: str) -> None:
    """The files of curves and scores that a text names, such as that of a study which may have been edited."""
    ending = f"_{_letters(part.metric)}" if part.metric else ""
    for name, columns, rows in ((CURVES_FILE, _OF_CURVES, part.table), (SCORES_FILE, _NEEDED, part.scores)):
        file = name.format(ending)
        if file in text:
            with whole_file(folder / file) as temporary:
                rows[rows.columns.intersection(list(columns))].to_parquet(temporary, index=False)


def _study_names(folder: Path, metrics: Sequence[str]) -> list[str]:
    """A name of a study for each metric.

    Raises
    ------
    InputError
        where two would be one
    """
    names = [_study_name(folder, metric) for metric in metrics]
    if len(set(names)) < len(names):
        what = f"{' and '.join(metrics)} would be one name of a study"
        raise InputError("command line: --metric", what, "fewer metrics")
    return names


def _study_name(folder: Path, metric: str) -> str:
    """A name of a study made of that of a folder, and of the metric where there are several."""
    own = _letters(metric)
    letters = _letters(folder.resolve().stem)[: max(_LONGEST_NAME - len(own) - 1, 1)]
    letters = "_".join(part for part in (letters.rstrip("_"), own) if part)
    return (letters if letters[:1].isalpha() else f"runs_{letters}".rstrip("_"))[:_LONGEST_NAME].rstrip("_")


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def _targets(names: Sequence[str]) -> Sequence[str]:
    """What makes all pages of a report: its study, or where there are several everything."""
    return names if len(names) == 1 else []


def _making_pages(folder: Path, names: Sequence[str], cores: int | None) -> list[str]:
    """The command that makes the pages of the studies; the path of the last one is the last line that it prints."""
    command = [sys.executable, "-m", "surefoot", "run", *_targets(names), "--directory", str(folder), "--configfile"]
    return [*command, str(folder / STUDY_FILE), *(["--cores", str(cores)] if cores else [])]
