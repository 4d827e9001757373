"""report: from a folder of runs to a page, through a study that can be edited and run again."""

import argparse
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from surefoot.build.errors import InputError
from surefoot.build.whole_files import whole_file, write_whole
from surefoot.cli.protocols import (
    checked_protocol,
    protocol_text,
    renew_protocol,
    tell_protocol,
    told_in_study,
    with_rule,
)
from surefoot.cli.reading import read_as_asked, told
from surefoot.cli.running import ONLY_ERRORS, check_configuration_file
from surefoot.configuration.yaml_files import read_yaml
from surefoot.curves.rules import TOLERANCE
from surefoot.curves.scores import scores_of_curves

STUDY_FILE = "study.yaml"
SCORES_FILE = "scores.parquet"
CURVES_FILE = "curves.parquet"
RUNS_OF_A_GAME = 30
"""With fewer, nearly all intervals of the scores of a game reach from 0 to 1, and are not drawn."""
_SCORES = {"kind": "score_table", "file": SCORES_FILE}
_RESAMPLES = 10_000
"""Of curves: limits of all of some fifty steps at once are far out, where a thousand resamples have none."""
_LONGEST_NAME = 40
_NEEDED = ("algorithm", "environment", "run", "score")
_OF_CURVES = (*_NEEDED, "step", "episodes", "kind", "metric")


def report(options: argparse.Namespace) -> int:
    """Read a folder of runs, say what was found, write scores and a study of them, and make its page.

    A study that is there already is kept as it is, since it may have been edited; the scores are written anew.
    """
    folder, file = options.output, options.output / STUDY_FILE
    check_folder(folder)
    if options.metric is not None and len(options.metric) > 1:
        raise InputError(
            "command line: --metric", "a report is of one metric", "name one; `surefoot read` takes several"
        )
    name = _study_name(options.folder)
    kept = file.is_file()
    author: dict[str, Any] = {}
    if kept:
        check_configuration_file(file)
        name = _only_study(file)
        author = told_in_study(file, name)
        _take_rule_of_study(file, name, options)
        if author.get("unlike") == "remark":
            options.unlike_protocols = "remark"
    table = read_as_asked(options)
    print(told(table), flush=True)
    protocol = checked_protocol(table, options)
    scores, rule = scores_of(table, options)
    if scores["algorithm"].nunique() < 2:
        only = scores["algorithm"].iloc[0]
        hint = "name a folder with the runs of several, or --pattern where paths tell them apart"
        raise InputError(str(options.folder), f"a comparison needs two algorithms, and there is only {only}", hint)
    if rule:
        print(f"score of a run: {rule}")
        protocol = with_rule(protocol, rule, table)
    tell_protocol(author | protocol, scores)
    source = source_of(table, options)
    text = file.read_text(encoding="utf-8") if kept else str(source["file"])
    for path, rows in ((folder / CURVES_FILE, table), (folder / SCORES_FILE, scores)):
        if path.name in text:
            _write_table(path, rows)
    if kept:
        renewed = renew_protocol(file, protocol)
        print(f"{file} is kept as it is{', but for what the logs say' if renewed else ''}")
    else:
        text = _study_text(name, options, scores, source, rule, table.attrs["remarks"])
        write_whole(file, text + protocol_text(protocol, options.unlike_protocols))
    print(f"to run it again after an edit of {file}: surefoot run --directory {folder} --configfile {file}", flush=True)
    return _run(folder, name, options.cores)


def _only_study(file: Path) -> str:
    """The name of the study of a file.

    Raises
    ------
    InputError
        where it does not have exactly one
    """
    content = read_yaml(file)
    studies = content.get("studies") if isinstance(content, Mapping) else None
    if not isinstance(studies, Mapping) or len(studies) != 1:
        raise InputError(str(file), "it does not have one study", "move it away, and a new one is written")
    return str(next(iter(studies)))


def _take_rule_of_study(file: Path, name: str, options: argparse.Namespace) -> None:
    """Score the curves by the rule of a study that is kept, which may have been edited."""
    content: Any = read_yaml(file)
    sources = (content["studies"][name] or {}).get("sources") or {}
    for source in sources.values():
        if isinstance(source, Mapping) and source.get("kind") == "learning_curves":
            options.rule = source.get("rule", options.rule)
            options.amount = source.get("amount")
            options.short_runs = source.get("short_runs", options.short_runs)


def _write_table(path: Path, table: pd.DataFrame) -> None:
    columns = _NEEDED if path.name == SCORES_FILE else _OF_CURVES
    with whole_file(path) as temporary:
        table[table.columns.intersection(columns)].to_parquet(temporary, index=False)


def check_folder(folder: Path) -> None:
    """Raise an InputError for a folder that holds something else than a report."""
    if folder.exists() and not folder.is_dir():
        raise InputError("command line: -o", f"{folder} is not a folder", "the name of a folder that is made")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / STUDY_FILE).is_file():
        raise InputError("command line: -o", f"{folder} holds something else already", "the name of another folder")


def scores_of(table: pd.DataFrame, options: argparse.Namespace) -> tuple[pd.DataFrame, str]:
    """One score for each run, and the rule by which a curve became one; no rule where there are no curves."""
    if "step" not in table.columns:
        return table, ""
    # Algorithms of unlike protocols are scored apart: they need not have the same kind of scores, nor equal lengths.
    apart = options.unlike_protocols == "remark"
    parts = [part for _, part in table.groupby("algorithm", sort=False, observed=True)] if apart else [table]
    chosen = {"amount": options.amount, "short_runs": options.short_runs}
    scores = pd.concat([scores_of_curves(part, options.rule, **chosen) for part in parts], ignore_index=True)
    return scores, str(scores["rule"].iloc[0])


def source_of(table: pd.DataFrame, options: argparse.Namespace) -> dict[str, Any]:
    """The source of the study: learning curves, where every run has several points, else scores."""
    if options.unlike_protocols == "remark":  # whose curves may be of unlike kinds and lengths
        return dict(_SCORES)
    if "step" not in table.columns or table.groupby(list(_NEEDED[:3]), observed=True)["step"].nunique().min() < 2:
        return dict(_SCORES)
    source = {"kind": "learning_curves", "file": CURVES_FILE, "rule": options.rule}
    if options.amount is not None:
        source["amount"] = options.amount
    ends = table.groupby("environment", observed=True)["step"].max()
    together = ends.min() >= ends.max() * (1.0 - TOLERANCE)
    return source | {"short_runs": options.short_runs, "along": "steps" if together else "percent"}


def study(name: str, title: str, environments: int, runs: int, source: Mapping[str, Any] = _SCORES) -> dict[str, Any]:
    """A study of the scores, with what its reader will ask, as the configuration has it.

    Parameters
    ----------
    environments : how many there are; with a single one, nothing is brought to a common scale
    runs : fewest of an algorithm in an environment
    source : of the runs; of learning curves, the study asks of these too
    """
    questions: dict[str, Any] = {}
    if runs >= RUNS_OF_A_GAME:
        questions = {"game_scores": {}, "game_intervals": {}}
    questions["pairwise_differences"] = {}
    questions["aggregates"] = {"metrics": ["iqm", "median", "mean", "optimality_gap"], "methods": ["student"]}
    questions["profiles"] = {"thresholds": {"from": 0, "to": 1, "count": 101}}
    questions |= {"improvement": {}, "ranks": {}, "task_means": {}}
    if runs > 2:
        questions["how_many_runs"] = {"kind": "run_plans"}
    scales = {"runs": {"kind": "min_max" if environments > 1 else "none"}}
    head = {"title": title, "question": "Which algorithm is best, and how sure may we be of it?"}
    if source["kind"] == "learning_curves":
        scales["curves"] = scales["runs"] | {"source": "runs_curves"}
        if runs > 1:
            metric = "iqm" if environments > 1 else "mean"
            questions["sample_efficiency"] = {"metrics": [metric], "band": "simultaneous", "replicates": _RESAMPLES}
            questions["curve_differences"] = {"metrics": [metric]}
        questions["run_curves"] = {}
    sources = {"runs": dict(source)}
    return {
        "shipped_studies": False,
        "studies": {name: head | {"sources": sources, "scales": scales, "questions": questions}},
    }


def _study_text(
    name: str,
    options: argparse.Namespace,
    scores: pd.DataFrame,
    source: Mapping[str, Any],
    rule: str,
    remarks: Sequence[str],
) -> str:
    runs = scores.groupby(["algorithm", "environment"], observed=True).size()
    title = f"The runs in {options.folder.resolve().name}"
    content = study(name, title, scores["environment"].nunique(), int(runs.min()), source)
    lines = [
        f"Written by `surefoot report {options.folder}`: edit it, and run it again with",
        f"surefoot run --configfile {STUDY_FILE}",
    ]
    lines += [f"Score of a run: {rule}."] if rule and source["kind"] == "score_table" else []
    lines += remarks
    head = "".join(f"# {' '.join(line.split())}\n" for line in lines)
    return head + str(yaml.safe_dump(content, sort_keys=False, allow_unicode=True))


def _study_name(folder: Path) -> str:
    """A name of a study made of that of a folder."""
    letters = re.sub(r"[^a-z0-9]+", "_", folder.resolve().stem.lower()).strip("_")
    return (letters if letters[:1].isalpha() else f"runs_{letters}".rstrip("_"))[:_LONGEST_NAME].rstrip("_")


def _run(folder: Path, name: str, cores: int | None) -> int:
    """Make the page of the study, whose path is the last line that is printed."""
    command = [sys.executable, "-m", "surefoot", "run", name, "--directory", str(folder), "--configfile"]
    command += [str(folder / STUDY_FILE), ONLY_ERRORS, *(["--cores", str(cores)] if cores else [])]
    return subprocess.run(command, check=False).returncode
