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
from surefoot.cli.reading import read_as_asked, told
from surefoot.cli.report_scale import chosen_scale, lower_environments, other_scales, thresholds
from surefoot.cli.running import ONLY_ERRORS, check_configuration_file
from surefoot.configuration.yaml_files import read_yaml
from surefoot.logs.scores import scores_of_curves

STUDY_FILE = "study.yaml"
SCORES_FILE = "scores.parquet"
RUNS_OF_A_GAME = 30
"""With fewer, nearly all intervals of the scores of a game reach from 0 to 1, and are not drawn."""
_LONGEST_NAME = 40
_NEEDED = ("algorithm", "environment", "run", "score")


def report(options: argparse.Namespace) -> int:
    """Read a folder of runs, say what was found, write scores and a study of them, and make its page.

    A study that is there already is kept as it is, since it may have been edited; the scores are written anew.
    """
    folder, file = options.output, options.output / STUDY_FILE
    check_folder(folder)
    kept = file.is_file()
    if kept:
        check_configuration_file(file)
    table = read_as_asked(options)
    print(told(table), flush=True)
    metrics = _by_metric(table)
    names = [_study_name(options.folder, metric) for metric in metrics]
    if kept:
        names = _studies_of(file, len(metrics))
    if len(set(names)) < len(names):
        raise InputError(
            "command line: --metric", f"{' and '.join(metrics)} would be one name of a study", "fewer metrics"
        )
    files = [SCORES_FILE if not metric else f"scores_{_letters(metric)}.parquet" for metric in metrics]
    scored = [scores_of(part, options) for part in metrics.values()]
    for scores, _ in scored:
        if scores["algorithm"].nunique() < 2:
            only = scores["algorithm"].iloc[0]
            hint = "name a folder with the runs of several, or --pattern where paths tell them apart"
            raise InputError(str(options.folder), f"a comparison needs two algorithms, and there is only {only}", hint)
    scores, rule = scored[0]
    if rule:
        print(f"score of a run: {rule}")
    studies: dict[str, Any] = {}
    if not kept:
        for name, metric, (own, _), scores_file in zip(names, metrics, scored, files, strict=True):
            own.attrs["metrics"] = list(metrics)
            studies |= _study(name, metric, options, own, scores_file)
    for scores_file, (own, _) in zip(files, scored, strict=True):
        with whole_file(folder / scores_file) as temporary:
            own[list(_NEEDED)].to_parquet(temporary, index=False)
    if kept:
        given = [name for name in ("scale", "lower_is_better") if getattr(options, name)]
        unused = "".join(f"; --{name.replace('_', '-')} has no effect" for name in given)
        print(f"{file} is kept as it is{unused}")
    else:
        write_whole(file, _study_text(studies, options, rule, table.attrs["remarks"]))
        if options.scale is None and (others := other_scales(list(dict.fromkeys(scores["environment"].astype(str))))):
            print(others)
    status = _run(folder, options.cores)
    if status == 0:
        print(f"to run it again after an edit of {file}: surefoot run --directory {folder} --configfile {file}")
        for name in names:
            print(folder / "results" / "render" / f"{name}.html")
    return status


def _by_metric(table: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The runs of each metric by its name; "" where there is one alone."""
    if "metric" not in table or table["metric"].nunique() < 2:
        return {"": table}
    parts = table.groupby("metric", sort=False, observed=True)
    return {str(metric): part.drop(columns="metric").reset_index(drop=True) for metric, part in parts}


def _studies_of(file: Path, expected: int) -> list[str]:
    """The names of the studies of a file.

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
    return [str(name) for name in studies]


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
    scores = scores_of_curves(table, options.rule, amount=options.amount, short_runs=options.short_runs)
    return scores, str(scores["rule"].iloc[0])


def study(
    name: str,
    title: str,
    runs: int,
    scale: Mapping[str, Any],
    thresholds: Mapping[str, float],
    lower: bool | Sequence[str] = False,
    file: str = SCORES_FILE,
) -> dict[str, Any]:
    """A study of the scores, with what its reader will ask, as the configuration has it.

    Parameters
    ----------
    runs : fewest of an algorithm in an environment
    scale, thresholds, lower : see `surefoot.cli.report_scale`
    file : the scores, in the folder of the report
    """
    questions: dict[str, Any] = {}
    if runs >= RUNS_OF_A_GAME:
        questions = {"game_scores": {}, "game_intervals": {}}
    questions["pairwise_differences"] = {}
    questions["aggregates"] = {"metrics": ["iqm", "median", "mean", "optimality_gap"], "methods": ["student"]}
    questions["profiles"] = {"thresholds": dict(thresholds)}
    questions |= {"improvement": {}, "ranks": {}, "task_means": {}}
    if runs > 2:
        questions["how_many_runs"] = {"kind": "run_plans"}
    head = {"title": title, "question": "Which algorithm is best, and how sure may we be of it?"}
    source = {"kind": "score_table", "file": file} | ({"lower_is_better": lower} if lower else {})
    asked = {"sources": {"runs": source}, "scales": {"runs": dict(scale)}, "questions": questions}
    return {
        "shipped_studies": False,
        "studies": {name: head | asked},
    }


def _study(name: str, metric: str, options: argparse.Namespace, scores: pd.DataFrame, file: str) -> dict[str, Any]:
    """The study of a metric, by its name."""
    runs = scores.groupby(["algorithm", "environment"], observed=True).size()
    title = f"The runs in {options.folder.resolve().name}" + (f": {metric}" if metric else "")
    scale = chosen_scale(options.scale, scores["environment"].nunique())
    lower = lower_environments(options.lower_is_better, scores, metric)
    content = study(name, title, int(runs.min()), scale, thresholds(scores, scale, lower), lower, file)
    found: dict[str, Any] = content["studies"]
    return found


def _study_text(studies: Mapping[str, Any], options: argparse.Namespace, rule: str, remarks: Sequence[str]) -> str:
    content = {"shipped_studies": False, "studies": dict(studies)}
    lines = [
        f"Written by `surefoot report {options.folder}`: edit it, and run it again with",
        f"surefoot run --configfile {STUDY_FILE}",
    ]
    lines += [f"Score of a run: {rule}."] if rule else []
    lines += remarks
    head = "".join(f"# {' '.join(line.split())}\n" for line in lines)
    return head + str(yaml.safe_dump(content, sort_keys=False, allow_unicode=True))


def _study_name(folder: Path, metric: str) -> str:
    """A name of a study made of that of a folder, and of the metric where there are several."""
    own = _letters(metric)
    letters = _letters(folder.resolve().stem)[: max(_LONGEST_NAME - len(own) - 1, 1)]
    letters = "_".join(part for part in (letters.rstrip("_"), own) if part)
    return (letters if letters[:1].isalpha() else f"runs_{letters}".rstrip("_"))[:_LONGEST_NAME].rstrip("_")


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def _run(folder: Path, cores: int | None) -> int:
    command = [sys.executable, "-m", "surefoot", "run", "--directory", str(folder), "--configfile"]
    command += [str(folder / STUDY_FILE), ONLY_ERRORS, *(["--cores", str(cores)] if cores else [])]
    return subprocess.run(command, check=False).returncode
