"""Evaluations of language models, agents and policies: Inspect, lm-evaluation-harness and LeRobot.

Reads the logs of Inspect, the samples of lm-evaluation-harness, and the `eval_info.json` that `lerobot-eval` writes
for one policy. A model becomes an algorithm, an item (a question, or a task of an agent) becomes an environment
`<task>/<item>`, and each sampled answer becomes a run.
"""

import json
import re
import struct
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import InputError, counted
from surefoot.runs.given_files import MOST_UNPACKED, refuse_special
from surefoot.runs.logs.log_files import head, json_lines, leave_out_incomplete, read_json
from surefoot.runs.logs.logged_curves import Curve, Place, Reading
from surefoot.runs.logs.metrics import chosen_metrics
from surefoot.runs.logs.naming import NAMES
from surefoot.runs.logs.run_formats import Logged, run_format

_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's grades: correct, partly correct, incorrect, no answer."""
_ZSTANDARD = 93
_SUMMARIES = re.compile(r"(_journal/summaries/\d+|summaries)\.json")
_SAMPLES = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT[\d.:-]+)?\.jsonl")

Answer = tuple[str, str, str, float]
"""Item, sample, metric and score of an answer."""


def _curves(
    place: Place, path: Path, model: str, task: str, answers: Iterable[Answer], reading: Reading
) -> Iterator[Curve]:
    """Yield a curve for each requested metric, by default for the first metric of the answers."""
    table = pd.DataFrame(answers, columns=["environment", "run", "metric", "score"])
    table = table.assign(algorithm=model, environment=f"{task}/" + table["environment"].astype(str))
    metrics = list(dict.fromkeys(table["metric"]))
    for metric, kind in chosen_metrics(metrics, reading, {"eval": metrics}, "eval"):
        rows = table[table["metric"] == metric].drop(columns="metric")
        points = rows.astype(dict.fromkeys(NAMES, str)).astype(dict.fromkeys(NAMES, "category"))
        yield Curve(place.name, path, kind, metric, points.astype({"score": np.float64}))


@run_format(
    "inspect",
    "Inspect's logs of evaluations of language models (.eval or .json): the scores of all samples",
    # Matches a folder with .eval files, or with .json files that Inspect wrote.
    lambda reading, files: reading.places(
        path
        for path in files
        if (path.suffix == ".eval" and zipfile.is_zipfile(path))
        or (path.suffix == ".json" and b'"eval_id"' in head(path)[:4096])
    ),
    logged={"": Logged("Inspect", "episode")},
)
def read_inspect(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the scores of all samples, by default from the first scorer.

    Grades become numbers (C 1, P 0.5, I and N 0), and epochs are numbered across files. Evaluations that did not
    succeed are left out, with a remark, since Inspect writes a retry to another file.
    """
    epochs: Counter[tuple[str, str]] = Counter()
    for path in sorted(place.paths):
        content = _evaluation(path, reading)
        if content is None:
            continue
        model = content["eval"]["model"]
        task = content["eval"]["task"]
        samples = content["samples"]
        answers = _answers(samples, epochs[model, task], path, reading)
        epochs[model, task] += max((int(sample["epoch"]) for sample in samples), default=0)
        yield from _curves(place, path, model, task, answers, reading)


def _evaluation(path: Path, reading: Reading) -> Mapping[str, Any] | None:
    """Return the content of an Inspect log. If the evaluation failed, record the log as left out and return None.

    Raises
    ------
    InputError
        if the log has no list of samples
    """
    content = read_json(path, reading) if path.suffix == ".json" else _unpacked(path, reading)
    if content is None:
        return None
    if not isinstance(content, Mapping) or not isinstance(content.get("samples"), list):
        raise InputError(str(path), "it has no samples", "use a complete log of `inspect eval`")
    if content.get("status") != "success":
        remark = f"{reading.below(path)}: its status is {content.get('status')}, so it is left out"
        reading.leave_out(path, "ended badly", remark)
        return None
    return content


def _answers(samples: Sequence[Mapping[str, Any]], before: int, path: Path, reading: Reading) -> list[Answer]:
    """Return the answers of all samples with a score; record samples without a score as left out.

    Parameters
    ----------
    before : number of epochs of the same task in earlier files
    """
    answers: list[Answer] = []
    lost = 0
    for sample in samples:
        run = str(before + int(sample["epoch"]))
        scores = [(str(sample["id"]), run, *score) for score in _graded(sample.get("scores") or {})]
        answers += scores
        lost += not scores
    if lost:
        remark = f"{reading.below(path)}: {counted(lost, 'sample')} without a score left out"
        reading.leave_out(path, "no score", remark, rows=lost)
    return answers


def _graded(scores: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
    """Yield (scorer, number) for each score of a sample; (scorer/name, number) if a scorer has several numbers."""
    for scorer, score in scores.items():
        value = score.get("value")
        parts = value.items() if isinstance(value, Mapping) else [("", value)]
        for name, part in parts:
            number = _GRADES.get(part) if isinstance(part, str) else part
            if isinstance(number, int | float):
                yield f"{scorer}/{name}".rstrip("/"), float(number)


def _unpacked(path: Path, reading: Reading) -> dict[str, Any] | None:
    """Return the header of a .eval file and the summaries of all samples, or None with a remark if it is incomplete."""
    refuse_special(path, str(path))
    try:
        with path.open("rb") as stream, zipfile.ZipFile(stream) as file:
            names = [name for name in file.namelist() if _SUMMARIES.fullmatch(name)]
            parts = [name for name in names if name == "summaries.json"] or names
            members = [file.getinfo(name) for name in ["header.json", *parts]]
            if (size := sum(member.file_size for member in members)) > MOST_UNPACKED:
                what = f"its samples unpack to {size / 1e9:,.1f} GB, and at most {MOST_UNPACKED / 1e9:,.1f} are read"
                raise InputError(str(path), what, "evaluate fewer samples per log")
            header, *summaries = [json.loads(_bytes_of(file, member)) for member in members]
            return {**header, "samples": [sample for part in summaries for sample in part]}
    except InputError:
        raise
    except (zipfile.BadZipFile, EOFError, KeyError, OSError, ValueError, RecursionError):
        leave_out_incomplete(path, reading)
        return None


def _bytes_of(file: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Return a member of an archive, at most its declared size.

    The archive may use Zstandard, which zipfile supports from Python 3.14 on.
    """
    if member.compress_type != _ZSTANDARD or file.fp is None:
        return file.read(member)
    import pyarrow

    file.fp.seek(member.header_offset + 26)
    lengths = struct.unpack("<HH", file.fp.read(4))  # lengths of the name and the extra field
    file.fp.seek(sum(lengths), 1)
    packed = pyarrow.BufferReader(file.fp.read(member.compress_size))
    return bytes(pyarrow.CompressedInputStream(packed, "zstd").read(member.file_size))


@run_format(
    "lm_eval",
    "lm-evaluation-harness's samples (<model>/samples_<task>_<date>.jsonl): the scores of all documents",
    # Matches the folder of a model, with one file of samples per task.
    lambda reading, files: reading.places(
        path for path in files if _SAMPLES.fullmatch(path.name) and b'"doc_id"' in head(path)
    ),
    logged={"": Logged("lm-evaluation-harness", "episode")},
)
def read_lm_eval(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the scores of documents, by default of the first metric and filter, such as "exact_match,strict-match".

    If a task has several files, each counts as a run; runs are numbered in order of date.
    """
    model = place.name.rpartition("/")[2]
    repeats: Counter[str] = Counter()
    for path in sorted(place.paths):
        match = _SAMPLES.fullmatch(path.name)
        task = match["task"] if match else path.stem
        run = str(repeats[task])
        repeats[task] += 1
        answers = [
            (str(line["doc_id"]), run, f"{metric},{line.get('filter', 'none')}", float(line[metric]))
            for line in json_lines(path, reading)
            for metric in line.get("metrics", [])
            if isinstance(line.get(metric), int | float)
        ]
        yield from _curves(place, path, model, task, answers, reading)


_HINT = "use a version of lerobot-eval whose eval_info.json lists task_group, task_id and metrics under per_task"


@run_format(
    "lerobot",
    "LeRobot's evaluations (eval_info.json): the success rate of a policy's rollouts on each task",
    # A policy's evaluation is a folder with an eval_info.json that has its tasks.
    lambda reading, files: reading.places(
        path for path in files if path.name == "eval_info.json" and b'"per_task"' in head(path)
    ),
    logged={"": Logged("LeRobot", "mean", counted=True)},
)
def read_lerobot(place: Place, reading: Reading) -> Iterator[Curve]:
    """Yield the success rate of each task, or the mean of another requested metric, such as sum_rewards.

    The policy is named after its folder and counts as one run, since its rollouts are not separate training runs.
    """
    (path,) = place.paths
    content = read_json(path, reading)
    if content is None:
        return
    tasks = content.get("per_task") if isinstance(content, Mapping) else None
    if not isinstance(tasks, list) or not all(isinstance(task.get("metrics"), Mapping) for task in tasks):
        raise InputError(str(path), "per_task is not a list of tasks with metrics", _HINT)
    for task in tasks:
        metrics = {name: values for name, values in task["metrics"].items() if _is_numeric(values)}
        labels = {"algorithm": place.name.rpartition("/")[2], "run": "0"}
        labels["environment"] = f"{task.get('task_group', 'task')}/{task.get('task_id', 0)}"
        for metric, kind in chosen_metrics(metrics, reading, {"eval": ("successes",)}, "eval"):
            values = np.array(metrics[metric], np.float64)
            points = pd.DataFrame({"score": [values.mean()], "episodes": [values.size]})
            yield Curve(place.name, path, kind, metric, points, labels)


def _is_numeric(values: object) -> bool:
    """Return True for a non-empty list of numbers or booleans."""
    return isinstance(values, list) and bool(values) and all(isinstance(value, bool | int | float) for value in values)
