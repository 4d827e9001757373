"""The kind of scores that the names of files and folders tell, and which files are of one run."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

EVALUATION_WORDS = ("eval", "evals", "evaluation", "evaluations", "evaluator", "test", "validation")
"""First words of the names of metrics of evaluations, such as ``eval/mean_reward``."""
_WORDS = dict.fromkeys(EVALUATION_WORDS, "eval") | dict.fromkeys(("train", "training", "rollout"), "train")
_USUAL = frozenset(
    (
        *("curve", "data", "env", "episode", "episodes", "history", "info", "log", "logs", "metrics", "monitor"),
        *("performance", "progress", "results", "result", "return", "returns", "reward", "rewards", "score", "scores"),
        "stats",
    )
)
"""Words of which the names of logs are made, which tell nothing of the run."""
_AMBIGUOUS = "test"
"""The word that a name may have for other reasons, such as that of an experiment."""
_PARTS = re.compile(r"[A-Za-z]+|\d+|[^A-Za-z\d]+")


class NamedKind(NamedTuple):
    """What the name of a file or a folder says of its scores.

    kind : "eval", "train", or "" where it says neither
    rest : the name without the word for the kind; "" where nothing in it tells runs apart
    """

    kind: str
    rest: str


def kind_in_name(name: str) -> NamedKind:
    """Return the kind that a name without suffixes tells, and what else is in it."""
    parts = _PARTS.findall(name)
    kinds = {_WORDS[part.lower()] for part in parts if part.lower() in _WORDS}
    rest = [part for part in parts if part.lower() not in _WORDS]
    tells = any(part.isalnum() and part.lower() not in _USUAL for part in rest)
    kind = kinds.pop() if len(kinds) == 1 else ""
    return NamedKind(kind, re.sub(r"([^A-Za-z\d])[^A-Za-z\d]+", r"\1", "".join(rest)).strip("._- ") if tells else "")


def without_kind_folder(place: str) -> NamedKind:
    """Return the kind that a folder on a path tells, and the path without this folder.

    The last folder that consists of a word for a kind counts, such as in ``ppo/0/eval``.
    """
    parts = PurePosixPath(place).parts
    for number in reversed(range(len(parts))):
        named = kind_in_name(parts[number])
        if named.kind and not named.rest and not any(letter.isdigit() for letter in parts[number]):
            return NamedKind(named.kind, "/".join(parts[:number] + parts[number + 1 :]))
    return NamedKind("", place)


class RunOfFile(NamedTuple):
    """The run that a file is of.

    place : path of the run below the folder that is read
    kind : that names tell, or ""
    """

    place: str
    kind: str


def runs_of_files(paths: Iterable[Path], places: Iterable[str]) -> dict[Path, RunOfFile]:
    """Return the run of each file, as the names of files and folders tell it.

    Files whose names differ only in the word for a kind are of one run, such as ``train.csv`` and ``eval.csv``, and so
    are files of one folder whose names are usual for logs, such as ``metrics.jsonl`` and ``scores.jsonl``.

    Parameters
    ----------
    paths : the files
    places : of each file, its path below the folder that is read, without suffixes
    """
    named = {path: kind_in_name(PurePosixPath(place).name) for path, place in zip(paths, places, strict=True)}
    of_paths = dict(zip(named, places, strict=True))
    plain = Counter(path.parent for path, name in named.items() if not name.rest)
    rests = Counter((path.parent, name.rest) for path, name in named.items() if name.kind and name.rest)
    found: dict[Path, RunOfFile] = {}
    for path, name in named.items():
        folder = without_kind_folder(str(PurePosixPath(of_paths[path]).parent))
        own = PurePosixPath(of_paths[path]).name
        kind = name.kind
        if not name.rest:
            own = "" if kind or folder.kind or plain[path.parent] > 1 else own
        elif rests[path.parent, name.rest] > 1:
            own = name.rest
        elif _AMBIGUOUS in own.lower():
            kind = ""
        parts = [part for part in (folder.rest, own) if part not in ("", ".")]
        found[path] = RunOfFile("/".join(parts), kind or folder.kind)
    return found
