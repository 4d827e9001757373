"""Infer the kind of scores from the names of files and folders, and group files by run."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

EVALUATION_WORDS = ("eval", "evals", "evaluation", "evaluations", "evaluator", "test", "validation")
"""First words of names of evaluation metrics, such as ``eval/mean_reward``."""
_WORDS = dict.fromkeys(EVALUATION_WORDS, "eval") | dict.fromkeys(("train", "training", "rollout"), "train")
_USUAL = frozenset(
    (
        *("curve", "data", "env", "episode", "episodes", "history", "info", "log", "logs", "metrics", "monitor"),
        *("performance", "progress", "results", "result", "return", "returns", "reward", "rewards", "score", "scores"),
        "stats",
    )
)
"""Common words in names of logs, which do not identify a run."""
_AMBIGUOUS = "test"
"""A word that may also have another meaning, for example as part of the name of an experiment."""
_PARTS = re.compile(r"[A-Za-z]+|\d+|[^A-Za-z\d]+")


class NamedKind(NamedTuple):
    """Kind of scores in the name of a file or folder.

    kind : "eval", "train", or "" for neither
    rest : name without the word for the kind; "" if nothing in it identifies a run
    """

    kind: str
    rest: str


def kind_in_name(name: str) -> NamedKind:
    """Split a name without suffixes into the kind of scores and the rest."""
    parts = _PARTS.findall(name)
    kinds = {_WORDS[part.lower()] for part in parts if part.lower() in _WORDS}
    rest = [part for part in parts if part.lower() not in _WORDS]
    tells = any(part.isalnum() and part.lower() not in _USUAL for part in rest)
    kind = kinds.pop() if len(kinds) == 1 else ""
    return NamedKind(kind, re.sub(r"([^A-Za-z\d])[^A-Za-z\d]+", r"\1", "".join(rest)).strip("._- ") if tells else "")


def without_kind_folder(place: str) -> NamedKind:
    """Return the kind shown by the name of a folder on a path, and the path without this folder.

    The last folder that is a word for a kind is used, as in ``ppo/0/eval``.
    """
    parts = PurePosixPath(place).parts
    for number in reversed(range(len(parts))):
        named = kind_in_name(parts[number])
        if named.kind and not named.rest and not any(letter.isdigit() for letter in parts[number]):
            return NamedKind(named.kind, "/".join(parts[:number] + parts[number + 1 :]))
    return NamedKind("", place)


class RunOfFile(NamedTuple):
    """Run to which a file belongs.

    place : path of the run below the folder that is read
    kind : kind shown by names, or ""
    """

    place: str
    kind: str


def runs_of_files(paths: Iterable[Path], places: Iterable[str]) -> dict[Path, RunOfFile]:
    """Return the run of each file, inferred from the names of files and folders.

    Files whose names differ only in the word for a kind, such as ``train.csv`` and ``eval.csv``, belong to one run, and
    so do files in the same folder with common names of logs, such as ``metrics.jsonl`` and ``scores.jsonl``.

    Parameters
    ----------
    paths : the files
    places : path of each file below the folder that is read, without suffixes
    """
    of_paths = dict(zip(paths, places, strict=True))
    named = {path: kind_in_name(PurePosixPath(place).name) for path, place in of_paths.items()}
    unnamed = Counter(path.parent for path, name in named.items() if not name.rest)
    of_both_kinds = Counter((path.parent, name.rest) for path, name in named.items() if name.kind and name.rest)
    runs: dict[Path, RunOfFile] = {}
    for path, name in named.items():
        folder = without_kind_folder(str(PurePosixPath(of_paths[path]).parent))
        stem = PurePosixPath(of_paths[path]).name
        kind = name.kind
        if not name.rest:
            is_named_by_folder = kind or folder.kind or unnamed[path.parent] > 1
            stem = "" if is_named_by_folder else stem
        elif of_both_kinds[path.parent, name.rest] > 1:
            stem = name.rest
        elif _AMBIGUOUS in stem.lower():
            kind = ""
        runs[path] = RunOfFile(str(PurePosixPath(folder.rest, stem)).removeprefix("."), kind or folder.kind)
    return runs
